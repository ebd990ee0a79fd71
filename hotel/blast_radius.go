package hotel

import "strconv"

// BlastRadiusPolicy says how far one change may go at a channel before somebody is
// asked whether it is meant.
type BlastRadiusPolicy struct {
	Cells int `json:"cells"` // nights of rooms or products that it raises, opens or reprices, inclusive; 0: as many as it likes
}

// standardBlastRadius holds where nobody has said anything.
var standardBlastRadius = BlastRadiusPolicy{Cells: 5000}

// maxBlastRadius is the highest limit of a change.
const maxBlastRadius = 1_000_000

// BlastRadiusOf returns the policy for a channel: its own, that of its property, or
// the default.
func BlastRadiusOf(channel, property Policies) (BlastRadiusPolicy, Applied) {
	p, applied := standardBlastRadius, Applied{Level: "default", Field: "blast_radius"}
	switch {
	case channel.BlastRadius != nil:
		p, applied.Level = *channel.BlastRadius, "channel"
	case property.BlastRadius != nil:
		p, applied.Level = *property.BlastRadius, "property"
	}
	applied.Value = strconv.Itoa(p.Cells) + " cells"
	return p, applied
}

// Exceeded reports whether a change of so many cells is asked about.
func (p BlastRadiusPolicy) Exceeded(cells int) bool { return p.Cells > 0 && cells > p.Cells }

func (p *BlastRadiusPolicy) check() []RefusedItem {
	if p != nil && (p.Cells < 0 || p.Cells > maxBlastRadius) {
		return []RefusedItem{Wrong("/blast_radius/cells", "max", "expected 0 (never ask) to %d cells", maxBlastRadius)}
	}
	return nil
}

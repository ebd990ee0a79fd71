package ledger

import (
	"fmt"

	"ostler.example/ledger/internal/ledgerdb"
)

// readSet finds the newest entry that said what each part of the house is, up to the point
// that is looked at, and the newest that said what becomes of prices at the channel. What
// the journal does not reach back to is not there.
func (i *insight) readSet() error {
	i.set = map[string]int64{}
	read := func(kind, subject string, says func(Kind) bool) error {
		rows, err := i.q.TouchedSubjects(i.ctx, ledgerdb.TouchedSubjectsParams{Kind: kind, Subject: subject, Through: i.out.Sequence})
		for _, r := range rows {
			if says(Kind(r.Kind)) {
				i.set[r.Subject] = r.Sequence // in order: the newest stays
			}
		}
		return err
	}
	if err := read(touchedStructure, i.row.PropertyID, Kind.structural); err != nil {
		return fmt.Errorf("read the past of property %s: %w", i.row.PropertyID, err)
	}
	err := read(touchedChannels, i.row.ID, func(k Kind) bool { return k == ChannelCreated || k == ChannelUpdated })
	if err != nil {
		return fmt.Errorf("read the past of channel %s: %w", i.row.ID, err)
	}
	return nil
}

// derivedFrom is the plan among those behind the product's that is derived from another.
func (i *insight) derivedFrom(parent string) string {
	plan := i.line.RatePlanID
	for range mostDerivations {
		p := i.seen.s.plan(plan)
		if p == nil || p.DerivedFrom == nil || p.DerivedFrom.RatePlanID == parent {
			break
		}
		plan = p.DerivedFrom.RatePlanID
	}
	return plan
}

// mostDerivations is how many plans stand behind one another at the most, and some more.
const mostDerivations = 10

package ledger

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/drift"
)

// DriftFacts is what was seen of a drift.
type DriftFacts struct {
	Group   string        `json:"group"`
	Verdict drift.Verdict `json:"verdict"`
	Nights  []DriftNights `json:"nights"`
}

// DriftNights is a run of nights that are shown alike.
type DriftNights struct {
	hotel.Span
	Occupancy int `json:"occupancy,omitempty"` // of a price; 0: the base price
	Ours      any `json:"ours"`                // what is wanted there; null: nothing
	Told      any `json:"told"`                // what the channel was last known to show; null: nothing
	Theirs    any `json:"theirs"`              // what it shows
}

// conflict raises, or notes as settled, that cells of one line differ alike.
func (c *comparison) conflict(of []difference) error {
	slices.SortFunc(of, func(a, b difference) int { return compareCells(a.Cell, b.Cell) })
	first, nights := of[0], hotel.Span{From: of[0].Cell.Night, To: of[0].Cell.Night}
	for _, d := range of {
		nights = hotel.Span{From: min(nights.From, d.Cell.Night), To: max(nights.To, d.Cell.Night)}
	}
	body, err := json.Marshal(c.facts(of))
	if err != nil {
		return err
	}
	room, plan := c.names(first.Cell)
	k := hotel.Conflict{
		PropertyID: c.row.PropertyID, ChannelID: c.row.ID, Kind: hotel.ConflictDrift, Severity: first.severity(), Facts: body, Applied: &first.applied,
		Subject: hotel.ConflictSubject{Type: "cell", RoomTypeID: room, RatePlanID: plan, Date: nights.From},
		Topic:   fmt.Sprintf("%s/%d/%d/%s/%s/%s", c.row.ID, first.Cell.Line, first.Cell.Group, first.verdict, nights.From, nights.To),
	}
	if first.verdict == drift.Allotment {
		k.Kind, k.Applied = hotel.ConflictAllotment, nil // it has a policy of its own
	}
	cells := make([]hotel.Cell, len(of))
	for i, d := range of {
		cells[i] = d.Cell
	}
	k.Cells = runsOfCells(cells)
	switch first.action {
	case drift.PutRight:
		return c.t.note(k, string(hotel.Ours))
	case drift.Leave:
		return c.t.note(k, string(hotel.Theirs))
	case drift.Insist, drift.Ask:
		return c.t.raise(k)
	case drift.Wait:
	}
	return nil
}

// severity is how urgent it is: what sells rooms that are not there, most.
func (d *difference) severity() hotel.Severity {
	switch {
	case d.harms():
		return hotel.Critical
	case d.action == drift.Ask:
		return hotel.Warning
	}
	return hotel.Info
}

func (c *comparison) facts(of []difference) DriftFacts {
	f := DriftFacts{Group: of[0].Cell.Group.String(), Verdict: of[0].verdict}
	for i, d := range of {
		if i > 0 && of[i-1].Cell.Occupancy == d.Cell.Occupancy && of[i-1].Cell.Night+1 == d.Cell.Night && same(of[i-1].want, d.want) && same(of[i-1].was, d.was) && of[i-1].Value == d.Value {
			f.Nights[len(f.Nights)-1].To = d.Cell.Night
			continue
		}
		f.Nights = append(f.Nights, DriftNights{
			Span: hotel.Span{From: d.Cell.Night, To: d.Cell.Night}, Occupancy: d.Cell.Occupancy, Ours: c.words(d.Cell, d.want), Told: c.words(d.Cell, d.was), Theirs: c.words(d.Cell, &d.Value),
		})
	}
	return f
}

// words writes a value of a cell as the API does.
func (c *comparison) words(cell hotel.Cell, v *int64) any {
	if v == nil {
		return nil
	}
	o := hotel.DecodeOffer(cell.Group, *v, c.currency(cell.Line))
	switch cell.Group {
	case hotel.Availability:
		return map[string]int{"available": o.Available}
	case hotel.Closures:
		return o.Closed
	case hotel.Lengths:
		return o.Lengths
	case hotel.Price:
		return map[string]string{"amount": o.Amount.Amount(), "currency": string(o.Amount.Currency)}
	}
	return nil
}

// currency is the one that prices of a mapping are told in.
func (c *comparison) currency(line int64) hotel.Currency {
	plan := hotel.Currency("")
	for _, p := range c.plans {
		if p.ID == c.mappings[line].RatePlanID {
			plan = p.Currency
		}
	}
	return cmp.Or(c.channel.Pricing.Currency, plan, c.property.Currency)
}

// enactDrift does what somebody has decided about cells that differ: tell the
// channel again, or let stand what it shows.
func (t *tx) enactDrift(c *hotel.Conflict, ours bool) error {
	row, err := t.q.GetChannel(t.ctx, c.ChannelID)
	if err != nil {
		return notFound(err)
	}
	table := t.cellsOf(row)
	cells := cellsOfConflict(c)
	if err := table.load(cells); err != nil {
		return err
	}
	for _, cell := range cells {
		g := table.cells[cell]
		switch {
		case g == nil:
		case ours && g.state == left:
			g.saw(*g.shown, t.heads.sequence) // the entry of this decision
		case !ours:
			g.leave()
		}
	}
	t.effects.touchOffers(row.PropertyID)
	return table.save()
}

// runsOfCells puts cells of one line and group, in order, together by night.
func runsOfCells(cells []hotel.Cell) (runs []hotel.ConflictCells) {
	for _, c := range cells {
		if n := len(runs) - 1; n >= 0 && runs[n].Occupancy == c.Occupancy && runs[n].To+1 == c.Night {
			runs[n].To = c.Night
			continue
		}
		runs = append(runs, hotel.ConflictCells{Line: c.Line, Group: c.Group, Occupancy: c.Occupancy, Span: hotel.Span{From: c.Night, To: c.Night}})
	}
	return runs
}

func cellsOfConflict(c *hotel.Conflict) []hotel.Cell {
	var out []hotel.Cell
	for _, r := range c.Cells {
		for d := r.From; d <= r.To; d++ {
			out = append(out, hotel.Cell{Line: r.Line, Group: r.Group, Occupancy: r.Occupancy, Night: d})
		}
	}
	return out
}

// overDrifts ends the conflicts about drift whose cells all show what is wanted.
func (c *comparison) overDrifts() error {
	for _, kind := range []hotel.ConflictKind{hotel.ConflictDrift, hotel.ConflictAllotment} {
		open, err := c.t.openConflicts(c.row.PropertyID, kind)
		if err != nil {
			return err
		}
		for i := range open {
			if open[i].ChannelID != c.row.ID {
				continue
			}
			table := c.t.cellsOf(c.row)
			cells := cellsOfConflict(&open[i])
			if err := table.load(cells); err != nil {
				return err
			}
			if slices.ContainsFunc(cells, func(cell hotel.Cell) bool {
				g := table.cells[cell]
				return g != nil && g.want != nil && (!g.shows(g.want) || !same(g.shown, g.want))
			}) {
				continue
			}
			if err := c.t.over(&open[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

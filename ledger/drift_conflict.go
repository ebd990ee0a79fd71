package ledger

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/drift"
)

// DriftFacts is what was seen of a drift.
type DriftFacts struct {
	Group   string        `json:"group"`
	Verdict drift.Verdict `json:"verdict"`
	Since   time.Time     `json:"since"` // when the first of it was seen first
	Nights  []DriftNights `json:"nights"`
	Taken   bool          `json:"taken_over,omitempty"` // what is shown has become the property's own
}

// DriftFault is why what a channel shows cannot become the property's own.
type DriftFault struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// DriftNights is a run of nights that are shown alike.
type DriftNights struct {
	hotel.Span
	Occupancy int           `json:"occupancy,omitempty"` // of a price; 0: the base price
	Fields    []hotel.Field `json:"fields,omitempty"`    // that it is about, where others of the group are decided otherwise
	Ours      any           `json:"ours"`                // what is wanted there; null: nothing
	Told      any           `json:"told"`                // what the channel was last known to show; null: nothing
	Theirs    any           `json:"theirs"`              // what it shows
	Sequence  int64         `json:"sequence,omitempty"`  // of the newest journal entry behind ours on these nights; 0: there is none
	NotTaken  DriftFault    `json:"not_taken,omitzero"`  // where it cannot be taken over, though the policy says so
}

// conflict raises, or notes as settled, that cells of one line differ alike.
func (c *comparison) conflict(of []driftedCell) error {
	slices.SortFunc(of, func(a, b driftedCell) int { return compareCells(a.Cell, b.Cell) })
	first, nights := of[0], hotel.Span{From: of[0].Cell.Night, To: of[0].Cell.Night}
	for _, d := range of {
		nights = hotel.Span{From: min(nights.From, d.Cell.Night), To: max(nights.To, d.Cell.Night)}
	}
	body, err := json.Marshal(c.facts(of))
	if err != nil {
		return err
	}
	subject := c.subject(first.Cell)
	subject.Date = nights.From
	k := hotel.Conflict{
		PropertyID: c.row.PropertyID, ChannelID: c.row.ID, Kind: hotel.ConflictDrift, Severity: first.severity(), Facts: body, Applied: &first.applied,
		Subject: subject,
		Topic:   fmt.Sprintf("%s/%d/%d/%s/%s/%s", c.row.ID, first.Cell.Line, first.Cell.Group, first.verdict, nights.From, nights.To),
	}
	if first.verdict == drift.Allotment {
		k.Kind, k.Applied = hotel.ConflictAllotment, nil // it has a policy of its own
	}
	for _, d := range of {
		k.Cells = addCell(k.Cells, d.Cell, d.only())
	}
	switch first.action {
	case drift.PutRight:
		return c.t.note(k, string(hotel.Ours))
	case drift.Leave, drift.Take:
		return c.t.note(k, string(hotel.Theirs))
	case drift.Insist, drift.Ask:
		return c.t.raise(k)
	case drift.Wait:
	}
	return nil
}

// only lists the fields that it is about where others of the cell are decided
// otherwise; nil: all.
func (d *driftedCell) only() []hotel.Field {
	if len(d.parts) == 1 {
		return nil
	}
	return d.driftPart.fields
}

// severity is how urgent it is: what sells rooms that are not there, most.
func (d *driftedCell) severity() hotel.Severity {
	switch {
	case d.harms:
		return hotel.Critical
	case d.action == drift.Ask:
		return hotel.Warning
	}
	return hotel.Info
}

func (c *comparison) facts(of []driftedCell) DriftFacts {
	f := DriftFacts{Group: of[0].Cell.Group.String(), Verdict: of[0].verdict, Since: of[0].since, Taken: of[0].action == drift.Take}
	for i, d := range of {
		if d.since.Before(f.Since) {
			f.Since = d.since
		}
		if i > 0 && d.goesOn(of[i-1]) {
			last := &f.Nights[len(f.Nights)-1]
			last.To, last.Sequence = d.Cell.Night, max(last.Sequence, d.entry)
			continue
		}
		f.Nights = append(f.Nights, DriftNights{
			Span: hotel.Span{From: d.Cell.Night, To: d.Cell.Night}, Occupancy: d.Cell.Occupancy, Fields: d.only(),
			Ours: c.words(d.Cell, d.want), Told: c.words(d.Cell, d.was), Theirs: c.words(d.Cell, &d.Value), Sequence: d.entry, NotTaken: d.fault,
		})
	}
	return f
}

// goesOn reports whether it is of the night behind another one, and like it.
func (d *driftedCell) goesOn(before driftedCell) bool {
	return before.Cell.Occupancy == d.Cell.Occupancy && before.Cell.Night+1 == d.Cell.Night && same(before.want, d.want) && same(before.was, d.was) &&
		before.Value == d.Value && slices.Equal(before.only(), d.only()) && before.fault == d.fault
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

// enactDrift does what somebody has decided about cells that differ, or about some of
// their fields: tell the channel again, or make what it shows the property's own. What
// sells more than there is stands in no case.
func (t *tx) enactDrift(c *hotel.Conflict, ours bool) error {
	row, err := t.q.GetChannel(t.ctx, c.ChannelID)
	if err != nil {
		return notFound(err)
	}
	table := t.cellsOf(row)
	if err := table.load(cellsOfConflict(c)); err != nil {
		return err
	}
	var shown []shownCell
	for _, run := range c.Cells {
		for night := run.From; night <= run.To; night++ {
			cell := hotel.Cell{Line: run.Line, Group: run.Group, Occupancy: run.Occupancy, Night: night}
			if g := table.cells.at(cell); g != nil && ours {
				g.insist(run.Group, run.Fields, t.heads.sequence) // the entry of this decision
			} else if g != nil {
				if of := g.stand(run.Group, run.Fields, t.heads.sequence); len(of) > 0 {
					shown = append(shown, shownCell{cell: cell, shown: *g.shown, fields: of})
				}
			}
		}
	}
	t.effects.touchOffers(row.PropertyID)
	if err := table.save(); err != nil {
		return err
	}
	return t.takeShown(row, shown)
}

// insist has the channel told what the house asks for of some fields in which what it
// shows was left standing; no fields: of all.
func (g *group) insist(of hotel.Group, fields []hotel.Field, seq int64) {
	house := g.house()
	if house == nil || g.state != left && g.asked == nil {
		return
	}
	told := house
	if len(fields) > 0 {
		stands := g.want
		if g.state == left {
			stands = g.shown
		}
		told = new(hotel.Mix(of, *house, *stands, fields))
	}
	if g.state == left {
		g.saw(*g.shown, seq)
	}
	g.cap(told, originAt(seq))
}

// stand has what was seen of some fields left standing, no fields: of all, though the
// channel was about to be told otherwise. It returns the fields that stand and are to be
// the property's own; what sells more than there is does not.
func (g *group) stand(of hotel.Group, fields []hotel.Field, seq int64) []hotel.Field {
	house := g.house()
	if house == nil || g.guarded || g.state != seen && g.state != left { // what was not granted stands nowhere
		return nil
	}
	if len(fields) == 0 {
		fields = hotel.FieldsBetween(of, *house, *g.shown)
	}
	fields = slices.DeleteFunc(slices.Clone(fields), func(f hotel.Field) bool {
		return harms(of, *house, *g.shown, f) || !differs(of, *house, *g.shown, []hotel.Field{f})
	})
	if g.state == left {
		return fields
	}
	if told := hotel.Mix(of, *g.shown, *g.want, fields); told == *g.shown {
		g.leave()
	} else {
		g.cap(&told, originAt(seq))
	}
	return fields
}

// amiss reports whether the channel shows something else, by some fields, than it is to;
// no fields: by any.
func (g *group) amiss(of hotel.Group, fields []hotel.Field) bool {
	right := g.want
	if g.guarded {
		return g.state != settled // until it has confirmed that it is closed, or what it was granted then
	}
	if len(fields) > 0 {
		right = g.house()
	}
	if right == nil {
		return false
	}
	return !g.sure() || g.last() == nil || g.shown == nil || differs(of, *right, *g.last(), fields) || differs(of, *right, *g.shown, fields)
}

// differs reports whether two values are not the same by some fields; none: by any.
func differs(of hotel.Group, a, b int64, fields []hotel.Field) bool {
	return slices.ContainsFunc(hotel.FieldsBetween(of, a, b), func(f hotel.Field) bool { return len(fields) == 0 || slices.Contains(fields, f) })
}

// runsOfCells puts cells of one line and group, in order, together by night.
func runsOfCells(cells []hotel.Cell) (runs []hotel.ConflictCells) {
	for _, c := range cells {
		runs = addCell(runs, c, nil)
	}
	return runs
}

// addCell adds a cell, or some fields of it, to runs of those before it.
func addCell(runs []hotel.ConflictCells, c hotel.Cell, fields []hotel.Field) []hotel.ConflictCells {
	if n := len(runs) - 1; n >= 0 && runs[n].Occupancy == c.Occupancy && runs[n].To+1 == c.Night && slices.Equal(runs[n].Fields, fields) {
		runs[n].To = c.Night
		return runs
	}
	return append(runs, hotel.ConflictCells{Line: c.Line, Group: c.Group, Occupancy: c.Occupancy, Span: hotel.Span{From: c.Night, To: c.Night}, Fields: fields})
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
			lasts, err := c.lasts(&open[i])
			if err != nil {
				return err
			}
			if lasts {
				continue
			}
			if err := c.t.over(&open[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// lasts reports whether any cell that a conflict is about shows something else still.
func (c *comparison) lasts(k *hotel.Conflict) (bool, error) {
	table := c.t.cellsOf(c.row)
	if err := table.load(cellsOfConflict(k)); err != nil {
		return false, err
	}
	for _, run := range k.Cells {
		for night := run.From; night <= run.To; night++ {
			g := table.cells.at(hotel.Cell{Line: run.Line, Group: run.Group, Occupancy: run.Occupancy, Night: night})
			if g != nil && g.amiss(run.Group, run.Fields) {
				return true, nil
			}
		}
	}
	return false, nil
}

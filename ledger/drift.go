package ledger

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/drift"
	"ostler.example/ledger/internal/ledgerdb"
)

const (
	// fightFor is how long it is remembered that a difference was put right.
	fightFor = 24 * time.Hour

	// leastHeard is how long a sale may be on its way at the least.
	leastHeard = 10 * time.Minute

	// neverHeard is how long a channel is given that tells of its sales by itself at
	// no known time.
	neverHeard = 24 * time.Hour

	// callsBack and entriesBack are how far back history is looked through.
	callsBack   = 300
	entriesBack = 20000
)

// difference is a cell that a channel shows otherwise than it was told.
type difference struct {
	SentCell
	was     *int64 // what it was last known to show
	before  *int64 // what it showed when it was read before
	want    *int64
	held    *int64    // what it has last confirmed
	told    *int64    // journal entry up to which it was told
	entry   int64     // the newest journal entry behind want; 0: there is none
	since   time.Time // when it was first seen so
	guarded bool      // a counter that shows more than it was granted, where that is nothing that its channel does by itself
	verdict drift.Verdict
	parts   []driftPart
}

// driftPart is what is to be done about some of the fields of a difference: each has
// a policy of its own.
type driftPart struct {
	fields  []hotel.Field
	harms   bool // the channel sells what it should not
	action  drift.Action
	applied hotel.Applied // the strictest of their policies
	policy  hotel.DriftPolicy
	fault   DriftFault // why what is shown cannot be taken over, where somebody is asked for that
}

// comparison is what a read-back of a channel is compared by.
type comparison struct {
	t        *tx
	row      ledgerdb.Channel
	channel  hotel.Channel
	property hotel.Property
	terms    hotel.Terms
	read     ledgerdb.Delivery
	cells    []SentCell // all that was read
	s        *structure
	counts   map[hotel.Cell]*int64 // what counters were seen to show
	leftOut  map[hotel.Cell]bool   // where none was shown, beside others
	found    []difference
	beside   map[hotel.Cell][]drift.Pair // by cell without its night
	counters map[int64]Counter
	mappings map[int64]hotel.Mapping
	plans    []hotel.RatePlan
	ahead    *bool      // the house has said more than the channel has followed; nil: nobody has looked
	taken    []takeover // what is to be stored of it once the cells are
}

func (t *tx) compare(row ledgerdb.Channel, read ledgerdb.Delivery) (*comparison, error) {
	s, err := t.structure(row.PropertyID)
	if err != nil {
		return nil, err
	}
	return t.comparison(row, read, s)
}

func (t *tx) comparison(row ledgerdb.Channel, read ledgerdb.Delivery, s *structure) (*comparison, error) {
	c := &comparison{t: t, row: row, read: read, s: s, beside: map[hotel.Cell][]drift.Pair{}, counters: map[int64]Counter{}, mappings: map[int64]hotel.Mapping{}}
	c.property, c.plans = s.property, s.plans
	var err error
	if c.channel, err = channelOf(row); err != nil {
		return nil, err
	}
	if c.terms, err = termsOf(row); err != nil {
		return nil, err
	}
	counters, mappings, err := loadLines(t.ctx, t.q, row.ID)
	for _, l := range counters {
		c.counters[l.Line] = l
	}
	for _, m := range mappings {
		c.mappings[m.Line] = m
	}
	return c, err
}

// take notes what a cell shows of which something is known, and whether that differs.
func (c *comparison) take(s SentCell, g *group) {
	was := g.last()
	c.beside[lineOf(s.Cell)] = append(c.beside[lineOf(s.Cell)], drift.Pair{Told: *was, Shown: s.Value})
	if !same(was, &s.Value) {
		c.found = append(c.found, difference{SentCell: s, was: was, before: g.shownSince(), want: g.want, held: g.held, told: g.heldSeq, entry: g.behind()})
	}
}

// shown leaves out what is looked at again next time where the newest word on a cell is
// what was read before: that is what the next read is compared with.
func (c *comparison) shown(table *cellTable, cells []SentCell) []SentCell {
	waits := map[hotel.Cell]bool{}
	for i := range c.found {
		if d := &c.found[i]; d.verdict.Waits() && table.at(d.Cell).goesByShown() {
			waits[d.Cell] = true
		}
	}
	if len(waits) == 0 {
		return cells
	}
	return slices.DeleteFunc(slices.Clone(cells), func(s SentCell) bool { return waits[s.Cell] })
}

func lineOf(c hotel.Cell) hotel.Cell {
	c.Night = 0
	return c
}

// judge finds out why each difference is there and what is to be done about it,
// does that, and tells whom it concerns.
func (c *comparison) judge(table *cellTable) error {
	if len(c.found) == 0 {
		return nil
	}
	h, err := c.history()
	if err != nil {
		return err
	}
	if err := c.lookBeside(); err != nil {
		return err
	}
	for i := range c.found {
		d := &c.found[i]
		row, known := h.rows[d.Cell]
		if known && row.LastAt < c.t.now.Add(-fightFor).UnixMicro() {
			row, known = ledgerdb.Drift{}, false
		}
		same := known && row.Shown == d.Value
		if !same {
			row.FirstAt = c.read.SentAt
		}
		d.since = instant(row.FirstAt)
		switch {
		case same && (drift.Verdict(row.Verdict) == drift.Early || drift.Verdict(row.Verdict) == drift.Sale):
			d.before = row.Before // nothing was done since: it is as if it were first seen now
		case same && drift.Verdict(row.Verdict) == drift.SoldOut:
			d.before = &d.Value // it is as it was when the rooms were gone: nobody has decided that
		}
		d.verdict = drift.Judge(drift.Seen{
			Group: d.Cell.Group, Told: d.was, Shown: d.Value, Before: d.before, Former: h.former[d.Cell], Beside: c.beside[lineOf(d.Cell)],
			Again: int(row.Again) * int(flag(same && !d.guarded)), Freed: h.freed(c, d), Sells: moves(c.terms.Moves().Book), Heard: c.heard(instant(row.FirstAt)),
		})
		if err := c.decide(table, d, int(row.Again)); err != nil {
			return err
		}
		c.act(table, d)
		if len(d.putRight()) > 0 {
			row.Again++
		}
		if err := c.t.q.PutDrift(c.t.ctx, ledgerdb.PutDriftParams{
			ChannelID: c.row.ID, Line: d.Cell.Line, Grp: int64(d.Cell.Group), Occupancy: int64(d.Cell.Occupancy), Night: int64(d.Cell.Night),
			Verdict: string(d.verdict), Shown: d.Value, Before: d.before, Again: row.Again, FirstAt: row.FirstAt, LastAt: c.t.micros(),
		}); err != nil {
			return fmt.Errorf("note what channel %s shows: %w", c.row.ID, err)
		}
	}
	if err := c.takeOver(); err != nil {
		return err
	}
	return c.tell()
}

// takeOver draws up that what the channel shows becomes the property's own where a
// policy says so. Where it cannot somebody is asked.
func (c *comparison) takeOver() (err error) {
	var cells []shownCell
	var parts []*driftPart
	for i := range c.found {
		d := &c.found[i]
		for j := range d.parts {
			if p := &d.parts[j]; p.action == drift.Take {
				s := shownCell{cell: d.Cell, shown: d.Value, fields: p.fields}
				if s.fault, err = c.contested(d.Cell); err != nil {
					return err
				}
				cells, parts = append(cells, s), append(parts, p)
			}
		}
	}
	if c.taken, err = c.drawTaken(cells); err != nil {
		return err
	}
	for i := range cells {
		if parts[i].fault = cells[i].fault; parts[i].fault != (DriftFault{}) {
			parts[i].action = drift.Ask
		}
	}
	return nil
}

// decide says what is to be done about a difference. What is to be taken over waits
// until the channel has followed what the house has said, and a closing until there are
// rooms: what is sold out many a channel closes by itself.
func (c *comparison) decide(table *cellTable, d *difference, again int) error {
	d.parts = c.partsOf(d, again, false)
	takes := func(of func(driftPart) bool) bool {
		return slices.ContainsFunc(d.parts, func(p driftPart) bool { return p.action == drift.Take && of(p) })
	}
	if !takes(func(driftPart) bool { return true }) {
		return nil
	}
	behind, err := c.behind()
	if err != nil {
		return err
	}
	waits := drift.Early
	if !behind {
		if !takes(func(p driftPart) bool { return slices.Contains(p.fields, hotel.FieldClosed) }) {
			return nil
		}
		if out, err := c.soldOut(table, d.Cell); err != nil || !out {
			return err
		}
		waits = drift.SoldOut
	}
	switch {
	case slices.ContainsFunc(d.parts, func(p driftPart) bool { return p.harms }):
		d.parts = c.partsOf(d, again, true) // that cannot wait
	default:
		d.verdict, d.parts = waits, nil
	}
	return nil
}

// soldOut reports whether a product has no room on a night, by what its counter at the
// channel is to show, shows or was just seen to show.
func (c *comparison) soldOut(table *cellTable, cell hotel.Cell) (bool, error) {
	for _, of := range c.counters {
		if of.Retired || !of.behind(c.mappings[cell.Line]) {
			continue
		}
		count := hotel.Cell{Line: of.Line, Group: hotel.Availability, Night: cell.Night}
		if err := table.load([]hotel.Cell{count}); err != nil {
			return false, err
		}
		g := table.cells.at(count)
		if g == nil {
			continue // it was never worked out
		}
		for _, n := range []*int64{g.next(), g.last(), c.counts[count]} {
			if n != nil && *n == 0 {
				return true, nil
			}
		}
	}
	return false, nil
}

// partsOf says what is to be done about each field of a difference, by its own policy,
// and puts those together with which the same is done. newer says that the house has a
// newer word than the channel was told, whatever is wanted there as yet.
func (c *comparison) partsOf(d *difference, again int, newer bool) (parts []driftPart) {
	for _, f := range d.fields() {
		policy, applied := hotel.DriftOf(f, c.channel.Policies, c.property.Policies)
		p := driftPart{fields: []hotel.Field{f}, harms: d.want != nil && harms(d.Cell.Group, *d.want, d.Value, f), applied: applied, policy: policy}
		p.action = drift.Decide(drift.Case{Verdict: d.verdict, Policy: policy, Harms: p.harms, Newer: newer || d.newer(f), LeftOut: c.leftOut[d.Cell], Again: again})
		if p.action == drift.Take && d.want == nil {
			p.action = drift.Leave // it is not to be sold there
		} else if p.action == drift.Take && *d.want == d.Value {
			p.action = drift.PutRight // it is as it should be
		}
		i := slices.IndexFunc(parts, func(o driftPart) bool { return o.action == p.action })
		if i < 0 {
			parts = append(parts, p)
			continue
		}
		with := &parts[i]
		with.fields, with.harms = append(with.fields, f), with.harms || p.harms
		if policy == hotel.AskOwner || policy == hotel.Ours && with.policy == hotel.Theirs {
			with.policy, with.applied = policy, applied
		}
	}
	return parts
}

// newer reports whether the house wants something else of a field than the channel has
// last confirmed, or was seen to show: what it shows was typed before it was told of that.
func (d *difference) newer(f hotel.Field) bool {
	reached := func(v *int64) bool { return v != nil && !differs(d.Cell.Group, *d.want, *v, []hotel.Field{f}) }
	return d.want != nil && !reached(d.held) && !reached(d.was)
}

// behind reports whether something of what the house has said is yet to be worked out
// for the channel, so that what is wanted of it is not known.
func (c *comparison) behind() (bool, error) {
	if c.ahead != nil {
		return *c.ahead, nil
	}
	f, err := c.t.l.facts(c.t.ctx, c.t.q, c.row.PropertyID)
	if err != nil {
		return false, err
	}
	places, _, err := placesOf(c.t.ctx, c.t.q, c.row.ID)
	if err != nil {
		return false, err
	}
	_, ahead, err := entryAhead(c.t.ctx, c.t.q, c.row.PropertyID, places.least())
	ahead = ahead || len(f.stock)+len(f.prices) > 0
	c.ahead = &ahead
	return ahead, err
}

// putRight lists the fields that the channel is told again.
func (d *difference) putRight() (fields []hotel.Field) {
	for _, p := range d.parts {
		if p.action == drift.PutRight || p.action == drift.Insist {
			fields = append(fields, p.fields...)
		}
	}
	return fields
}

// act has a difference put right or left standing, field by field.
func (c *comparison) act(table *cellTable, d *difference) {
	if d.verdict.Waits() {
		return
	}
	g, seq := table.at(d.Cell), c.t.heads.sequence+1
	g.saw(d.Value, seq)
	switch right := d.putRight(); {
	case len(right) == 0:
		g.leave()
	case len(d.parts) > 1 && d.want != nil:
		told := hotel.Mix(d.Cell.Group, *d.want, d.Value, right)
		g.cap(&told, originAt(seq))
	}
	table.answered(d.Cell)
}

// harms reports whether a channel that shows one value where another is wanted sells,
// by a field of them, what it should not.
func harms(g hotel.Group, want, shown int64, f hotel.Field) bool {
	right := hotel.Mix(g, want, shown, []hotel.Field{f})
	return hotel.DecodeOffer(g, right, "").Lower(hotel.DecodeOffer(g, shown, ""), g)
}

// heard reports whether everything that the channel had sold by an instant is
// known.
func (c *comparison) heard(since time.Time) bool {
	settle := max(c.terms.SaleSettle, leastHeard)
	if c.terms.SaleSettle == hotel.Never {
		settle = neverHeard
	}
	known := since.Add(settle)
	return !instant(c.read.SentAt).Before(known) && (c.row.PolledAt == nil || !instant(*c.row.PolledAt).Before(known))
}

// fields are those in which what is shown differs from what is wanted, or from what
// was known where that is the same.
func (d *difference) fields() []hotel.Field {
	of := d.want
	if of == nil || *of == d.Value {
		of = d.was
	}
	var v int64
	if of != nil {
		v = *of
	}
	return hotel.FieldsBetween(d.Cell.Group, v, d.Value)
}

// drifted is what an entry tells of cells that were found to differ.
type drifted struct {
	RoomTypeID string        `json:"room_type_id"`
	RatePlanID string        `json:"rate_plan_id,omitempty"`
	Group      string        `json:"group"`
	Verdict    drift.Verdict `json:"verdict"`
	Cells      int           `json:"cells"`
}

// driftedCell is a part of a difference as a conflict is raised about it.
type driftedCell struct {
	*difference
	driftPart
}

// tell journals what was found, and raises or notes conflicts about it: one for
// each line, group, verdict and decision, for all numbers of guests together.
func (c *comparison) tell() error {
	type topic struct {
		cell    hotel.Cell
		verdict drift.Verdict
		action  drift.Action
	}
	var order []topic
	of := map[topic][]driftedCell{}
	var told []drifted
	var found, repaired int64
	for i := range c.found {
		d := &c.found[i]
		if d.verdict.Waits() {
			continue
		}
		if found++; len(d.putRight()) > 0 {
			repaired++
		}
		at := lineOf(d.Cell)
		at.Occupancy = 0 // one price or all: it is one thing to decide
		told = c.drifted(told, at, d.verdict)
		for _, p := range d.parts {
			k := topic{at, d.verdict, p.action}
			if of[k] == nil {
				order = append(order, k)
			}
			of[k] = append(of[k], driftedCell{d, p})
		}
	}
	if len(told) == 0 {
		return nil
	}
	if err := c.t.drifted(c.row, found, repaired); err != nil {
		return err
	}
	if _, err := c.t.append(entry{property: c.row.PropertyID, kind: DriftFound, subject: c.row.ID, body: map[string]any{"cells": told}}); err != nil {
		return err
	}
	for _, k := range order {
		cells := of[k]
		slices.SortFunc(cells, func(a, b driftedCell) int {
			return cmp.Or(cmp.Compare(a.Cell.Night, b.Cell.Night), compareCells(a.Cell, b.Cell))
		})
		for len(cells) > 0 {
			n := wholeNights(cells)
			if err := c.conflict(cells[:n]); err != nil {
				return err
			}
			cells = cells[n:]
		}
	}
	return nil
}

// mostInConflict is how many cells somebody is asked about at once at the most.
const mostInConflict = 200

// wholeNights is how many cells, in the order of their nights, one conflict is about: no
// night is cut in two.
func wholeNights(cells []driftedCell) int {
	if len(cells) <= mostInConflict {
		return len(cells)
	}
	n := mostInConflict
	for n > 1 && cells[n-1].Cell.Night == cells[n].Cell.Night {
		n--
	}
	return n
}

// drifted counts one cell more of those that differ alike.
func (c *comparison) drifted(told []drifted, cell hotel.Cell, v drift.Verdict) []drifted {
	room, plan := c.names(cell)
	one := drifted{room, plan, cell.Group.String(), v, 1}
	for i := range told {
		if one.Cells = told[i].Cells; one == told[i] {
			told[i].Cells++
			return told
		}
	}
	one.Cells = 1
	return append(told, one)
}

// names returns the room type and the rate plan that a cell is of.
func (c *comparison) names(cell hotel.Cell) (room, plan string) {
	if cell.Group == hotel.Availability {
		return c.counters[cell.Line].RoomTypeID, ""
	}
	m := c.mappings[cell.Line]
	return m.RoomTypeID, m.RatePlanID
}

// driftHistory is what is known of the past of the cells that differ.
type driftHistory struct {
	rows      map[hotel.Cell]ledgerdb.Drift
	former    map[hotel.Cell][]int64
	cancelled []cancellation
}

// cancellation is a booking that a channel's guest has given back.
type cancellation struct {
	sequence int64
	rooms    []string // room types that it may have been counted by
	stay     hotel.Stay
}

func (c *comparison) history() (driftHistory, error) {
	h := driftHistory{rows: map[hotel.Cell]ledgerdb.Drift{}, former: map[hotel.Cell][]int64{}}
	spans, oldest, more := map[int64]hotel.Span{}, c.t.heads.sequence, false
	differs := map[hotel.Cell]bool{}
	for _, d := range c.found {
		differs[d.Cell] = true
		s, ok := spans[d.Cell.Line]
		if !ok {
			s = hotel.Span{From: d.Cell.Night, To: d.Cell.Night}
		}
		spans[d.Cell.Line] = hotel.Span{From: min(s.From, d.Cell.Night), To: max(s.To, d.Cell.Night)}
		if d.Cell.Group == hotel.Availability && d.was != nil && d.Value > *d.was && d.told != nil {
			more, oldest = true, min(oldest, *d.told)
		}
	}
	for line, s := range spans {
		rows, err := c.t.q.Drifts(c.t.ctx, ledgerdb.DriftsParams{ChannelID: c.row.ID, Line: line, First: int64(s.From), Last: int64(s.To)})
		if err != nil {
			return h, fmt.Errorf("drift of channel %s: %w", c.row.ID, err)
		}
		for _, r := range rows {
			h.rows[hotel.Cell{Line: r.Line, Group: hotel.Group(r.Grp), Occupancy: int(r.Occupancy), Night: hotel.Date(r.Night)}] = r
		}
	}
	calls, err := c.t.q.NewestPushes(c.t.ctx, ledgerdb.NewestPushesParams{ChannelID: c.row.ID, AtMost: callsBack})
	if err != nil {
		return h, fmt.Errorf("calls to channel %s: %w", c.row.ID, err)
	}
	for _, text := range calls {
		cells, err := unpackCells(text)
		if err != nil {
			return h, err
		}
		for _, s := range cells {
			if differs[s.Cell] {
				h.former[s.Cell] = append(h.former[s.Cell], s.Value)
			}
		}
	}
	if !more {
		return h, nil
	}
	rows, err := c.t.q.CancelledAfter(c.t.ctx, ledgerdb.CancelledAfterParams{
		PropertyID: c.row.PropertyID, After: max(oldest, c.t.heads.sequence-entriesBack), AtMost: callsBack,
	})
	if err != nil {
		return h, fmt.Errorf("bookings that channel %s gave back: %w", c.row.ID, err)
	}
	for _, r := range rows {
		var f ReservationFact
		if err := json.Unmarshal([]byte(r.Body), &f); err != nil {
			return h, err
		}
		if of := f.Reservation; of.Source.ChannelID == c.row.ID {
			h.cancelled = append(h.cancelled, cancellation{r.Sequence, []string{of.BookedRoom, of.RoomTypeID, of.HeldRoom}, of.Stay})
		}
	}
	return h, nil
}

// freed counts the rooms that guests of the channel have given back on a counter's
// night since it was told.
func (h driftHistory) freed(c *comparison, d *difference) int {
	n, room := 0, c.counters[d.Cell.Line].RoomTypeID
	if d.guarded {
		return 0 // they are in its account
	}
	for _, k := range h.cancelled {
		if d.told != nil && k.sequence > *d.told && d.Cell.Night >= k.stay.CheckIn && d.Cell.Night < k.stay.CheckOut &&
			(k.rooms[0] == room || k.rooms[0] == "" && (k.rooms[1] == room || k.rooms[2] == room)) {
			n++
		}
	}
	return n
}

package ledger

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// redeal notes nights of which more or less may be left to deal.
func (t *tx) redeal(property string, nights nightSet) {
	s := t.l.boards.structure(property)
	if s != nil && !s.guards() && !t.changed(property) {
		return // nothing is dealt there
	}
	if t.effects.deal == nil {
		t.effects.deal = make(map[string]nightSet)
	}
	if t.effects.deal[property] == nil {
		t.effects.deal[property] = make(nightSet, len(nights))
	}
	maps.Copy(t.effects.deal[property], nights)
}

// deal decides anew, at the end of an item, what the parties of guarded pools are
// told on the nights that the item has touched.
func (t *tx) deal() error {
	t.serve()
	for property, d := range t.effects.drafts {
		if d.rebuilt {
			if err := t.redealAll(property); err != nil {
				return err
			}
		}
	}
	for _, property := range slices.Sorted(maps.Keys(t.effects.deal)) {
		s, err := t.structure(property)
		if err != nil {
			return err
		}
		nights, err := t.dealLater(property, t.effects.deal[property])
		if err != nil {
			return err
		}
		if err := t.dealNights(s, nights); err != nil {
			return fmt.Errorf("deal the rooms of %s: %w", property, err)
		}
	}
	t.effects.deal = nil
	return nil
}

// redealAll has every night dealt anew that a property sells.
func (t *tx) redealAll(property string) error {
	s, err := t.structure(property)
	if err != nil {
		return err
	}
	if on, err := t.guarding(s); err != nil || !on {
		return err
	}
	nights := nightSet{}
	nights.addSpan(s.property.Shows(t.now))
	t.redeal(property, nights)
	return nil
}

func (t *tx) dealNights(s *structure, touched nightSet) error {
	today := s.property.Today(t.now)
	nights := slices.DeleteFunc(touched.sorted(), func(d hotel.Date) bool { return d < today })
	if len(nights) == 0 {
		return nil
	}
	sellers, err := t.sellers(s.property.ID)
	if err != nil || len(sellers) == 0 {
		return err
	}
	gone := newOvergrants()
	for _, span := range setOf(nights...).spans() {
		held, err := t.holdings(s.property.ID, span)
		if err != nil {
			return err
		}
		if !s.guards() && len(held.of) == 0 {
			continue // nothing is dealt there
		}
		b, err := t.spanBoard(s, span.From, span.To)
		if err != nil {
			return err
		}
		moved, err := t.enrol(s, sellers, b, held, span)
		if err != nil {
			return err
		}
		if moved {
			if held, err = t.holdings(s.property.ID, span); err != nil {
				return err
			}
		}
		if len(held.of) > 0 {
			d := dealing{t: t, s: s, sellers: sellers, held: held, b: b, sharing: b.Sharing()}
			if err := d.all(span); err != nil {
				return err
			}
		}
		if b, err = t.spanBoard(s, span.From, span.To); err != nil {
			return err
		}
		gone.look(s, b, held, span)
	}
	if err := t.lookAtSold(s, &gone); err != nil {
		return err
	}
	return t.tellOvergranted(s, gone)
}

// dealing is a span of nights while its rooms are dealt.
type dealing struct {
	t       *tx
	s       *structure
	sellers []seller
	held    *holdings
	b       *board.Board
	sharing []int
	weights map[string]int // of channels that do not say theirs, and of direct sales
	direct  map[int]int    // the weight of direct sales, by rooms that are shared
	tables  []*cellTable   // by seller
}

// placeOfHolder is a holder's seller and the cell of its counter.
type placeOfHolder struct {
	seller int
	cell   hotel.Cell
}

func (d *dealing) all(span hotel.Span) error {
	var err error
	if d.weights, err = d.t.weights(d.s); err != nil {
		return err
	}
	d.direct = d.directWeights()
	for i := range d.sellers {
		table := d.t.cellsOf(d.sellers[i].row)
		var cells []hotel.Cell
		for _, c := range d.sellers[i].lines {
			cells = append(cells, hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: span.From}, hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: span.To})
		}
		if err := table.load(cells); err != nil {
			return err
		}
		d.tables = append(d.tables, table)
	}
	if err := d.trust(); err != nil {
		return err
	}
	if err := d.clear(); err != nil {
		return err
	}
	for night := span.From; night <= span.To; night++ {
		d.night(night)
	}
	for _, table := range d.tables {
		if err := table.save(); err != nil {
			return err
		}
	}
	return nil
}

// clear takes back from drained parties what was kept for bookings that nobody could tell
// whose they are, where that is known by now. A channel that is one way gives nothing back.
func (d *dealing) clear() error {
	for i := range d.sellers {
		c := &d.sellers[i]
		if exposure.LevelOf(c.terms) == exposure.OneWay {
			continue
		}
		a := exposure.Of(c.terms)
		for _, h := range d.held.of {
			if h.row.ChannelID == c.row.ID {
				h.now = h.now.Cleared(h.sold(), h.ability(a))
			}
		}
	}
	return d.held.save()
}

// atRisk reports whether the channel promises too little to be granted guarded rooms, and
// is granted them all the same. After a restored backup it waits until somebody takes it
// live again.
func (c *seller) atRisk(s *structure) bool {
	policy, _ := hotel.UnsafeOf(c.of.Policies, s.property.Policies)
	level := exposure.LevelOf(c.terms)
	return policy == hotel.AcceptRisk && level != exposure.Guaranteed && level != exposure.OneWay && c.row.Unproven == 0
}

// proves reports whether a list of its bookings can end a closing of the channel.
func (c *seller) proves() bool {
	return c.terms.ListsByDate && (c.terms.AtMostOnce || c.terms.Versions || c.terms.Lifetime > 0)
}

// night orders what is to be told for one night.
func (d *dealing) night(night hotel.Date) {
	n := exposure.Night{Keep: d.t.l.recalls.waiting(d.s, night, d.t.now, d.t.served()), Now: d.t.steady, Direct: d.direct}
	var places []placeOfHolder
	for i := range d.sellers {
		for _, c := range d.sellers[i].lines {
			h := d.held.at(c.Line, night)
			room, ok := d.s.empty.Room(c.RoomTypeID)
			if h == nil || !ok {
				continue
			}
			cell := hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: night}
			n.Holders = append(n.Holders, d.holder(i, h, room, cell))
			places = append(places, placeOfHolder{i, cell})
		}
	}
	if len(n.Holders) == 0 {
		return
	}
	others := d.others(night)
	n.Left = func(more []int) []exposure.Left {
		taken := slices.Clone(more)
		for room, n := range others {
			taken[room] += n
		}
		for i := range n.Holders {
			taken[n.Holders[i].Room] += n.Holders[i].Granted()
		}
		house := d.b.Left(night, taken)
		left := make([]exposure.Left, len(house))
		for i, h := range house {
			left[i] = exposure.Left{Net: h.Net, Open: h.Open}
		}
		return left
	}
	ordered := map[int]int64{}
	for _, o := range n.Orders() {
		ordered[o.Holder] = int64(o.Show)
	}
	for i, at := range places {
		g := d.tables[at.seller].cells.at(at.cell)
		if g == nil {
			continue // what it may be shown is still to be worked out
		}
		var next *int64
		if v, ok := ordered[i]; ok {
			next = &v
		}
		if !g.guarded || !same(g.ordered, next) {
			if g.guarded, g.ordered = true, next; next != nil {
				g.follows(d.t.heads.sequence)
			}
			d.t.effects.touchOffers(d.s.property.ID)
		}
	}
}

// others returns what is granted of each room type to parties that are told nothing
// any more: their channel was disconnected, and may sell it all the same. Where
// nobody knows how much that is, it is more than there is.
func (d *dealing) others(night hotel.Date) []int {
	rooms := make([]int, len(d.s.rooms))
	for at, h := range d.held.of {
		room, ok := d.s.empty.Room(h.row.RoomTypeID)
		if !ok || at.night != night || slices.ContainsFunc(d.sellers, func(c seller) bool { return c.row.ID == h.row.ChannelID }) {
			continue
		}
		n, known := granted(h.now, h.live, h.here)
		if !known {
			n = hotel.MaxUnits
		}
		rooms[room] += n
	}
	return rooms
}

// holder is a party with all that decides what it is told.
func (d *dealing) holder(seller int, h *holding, room int, cell hotel.Cell) exposure.Holder {
	c := &d.sellers[seller]
	out := exposure.Holder{
		Party: h.now, Ability: exposure.Of(c.terms), Level: exposure.LevelOf(c.terms), Room: room, Live: h.live, Strays: h.strays, Here: h.here, Floor: h.floor, Share: d.sharing[room],
		Seller: exposure.Seller{Weight: d.weight(c, room), Priority: c.of.Priority}, Risk: c.atRisk(d.s),
	}
	g := d.tables[seller].cells.at(cell)
	switch {
	case g == nil || !c.of.Told() || g.state == rejected:
		out.Away = true
	default:
		if out.Busy = g.state == inFlight; d.t.takes(d.s, c, cell.Night) {
			out.Most = int(*g.want)
		}
		if g.may != nil {
			out.Shown = int(*g.may)
		}
	}
	return out
}

// weight is a channel's share, split over its counters of the same rooms.
func (d *dealing) weight(c *seller, room int) int {
	of := d.weights[c.row.ID] + 1
	if c.of.Weight != nil {
		of = *c.of.Weight
	}
	counters := 0
	for _, line := range c.lines {
		if other, ok := d.s.empty.Room(line.RoomTypeID); ok && d.sharing[other] == d.sharing[room] {
			counters++
		}
	}
	return max(1, of/max(1, counters))
}

// directWeights are the shares of direct sales of the rooms that types share: the largest
// that a guarded pool says out of which one of them is sold, else what they have sold.
func (d *dealing) directWeights() map[int]int {
	said, protections := map[string]int{}, d.s.protections()
	for _, p := range d.s.pools {
		if p.DirectWeight != nil && guardedKind(protections[p.ID]) {
			said[p.ID] = *p.DirectWeight
		}
	}
	of := map[int]int{}
	for i := range d.s.rooms {
		for _, draw := range d.s.rooms[i].Consumes {
			for _, pool := range draw.AnyOf {
				if weight, says := said[pool]; says {
					of[d.sharing[i]] = max(of[d.sharing[i]], weight)
				}
			}
		}
	}
	for _, share := range d.sharing {
		if _, says := of[share]; !says {
			of[share] = d.weights[hotel.Direct] + 1
		}
	}
	return of
}

// weightDays is how far back sales count as a seller's weight.
const weightDays = 90

// weights returns the room nights that each channel has sold lately. They are
// counted once a day.
func (t *tx) weights(s *structure) (map[string]int, error) {
	today := s.property.Today(t.now)
	if w := t.l.weights[s.property.ID]; w.on == today && w.of != nil {
		return w.of, nil
	}
	rows, err := t.q.NightsByChannel(t.ctx, ledgerdb.NightsByChannelParams{PropertyID: s.property.ID, First: int64(today - weightDays), Last: int64(today)})
	if err != nil {
		return nil, fmt.Errorf("count what channels have sold: %w", err)
	}
	of := make(map[string]int, len(rows))
	for _, r := range rows {
		of[cmp.Or(r.ChannelID, hotel.Direct)] = int(r.Nights)
	}
	t.l.weights[s.property.ID] = weightsOfDay{today, of}
	return of, nil
}

// weightsOfDay is what channels had sold when it was counted. The writer alone
// uses it.
type weightsOfDay struct {
	on hotel.Date
	of map[string]int
}

package ledger

import (
	"cmp"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// knownGroup is what the tables have of one field group of a cell.
type knownGroup struct {
	cell hotel.Cell
	group
	shownAt  *int64   // when it was last asked
	silenced bool     // availability: no rooms, since that says that something is closed
	guests   int      // price: how many it is for, 0: the room
	offered  *offered // closures: what decides whether the night is open
	currency hotel.Currency
}

// wanted is what the channel is to show there now. What it has sold of what it was
// granted it is not to show again.
func (k knownGroup) wanted(party *holding) *int64 {
	switch {
	case !k.guarded:
		return k.want
	case k.ordered != nil:
		return k.ordered
	case party == nil:
		return k.held
	}
	exposure, _ := party.now.Exposure(party.live)
	v := min(int64(exposure), *k.want)
	return &v
}

// wantedSince is the entry that what the channel is to show stands for. Where it is
// ordered nothing new, what it has sold of its share itself is behind it too.
func (k knownGroup) wantedSince() *int64 {
	if k.guarded && k.ordered == nil && k.entry != nil && k.ownSeq > *k.entry {
		return &k.ownSeq
	}
	return k.entry
}

// groups reads the groups of a line's nights, in the order of the groups.
func (s *sighting) groups(line sightLine, span hotel.Span) (map[hotel.Date][]knownGroup, error) {
	out := make(map[hotel.Date][]knownGroup, span.Days())
	if c := line.counter; c != nil {
		rows, err := s.counted(c.Line, span)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			night := hotel.Date(r.Night)
			out[night] = append(make([]knownGroup, 0, 1+len(pricedGroups)), knownGroup{cell: hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: night}, group: stockGroup(r), shownAt: r.ShownAt, silenced: r.Closes != 0 && r.Want < r.Told})
		}
	}
	if line.Line == 0 {
		return out, nil
	}
	rows, err := s.q.PriceCells(s.ctx, ledgerdb.PriceCellsParams{ChannelID: s.row.ID, Line: line.Line, First: int64(span.From), Last: int64(span.To)})
	if err != nil {
		return nil, fmt.Errorf("read prices: %w", err)
	}
	further, err := s.q.OccupancyCells(s.ctx, ledgerdb.OccupancyCellsParams{ChannelID: s.row.ID, Line: line.Line, First: int64(span.From), Last: int64(span.To)})
	if err != nil {
		return nil, fmt.Errorf("read prices by occupancy: %w", err)
	}
	currency, guests := s.currency(line), s.guests(line)
	for _, r := range further {
		if int(r.Occupancy) == guests {
			guests = 0 // the price of the room is another
		}
	}
	for i := range rows {
		r := &rows[i]
		night := hotel.Date(r.Night)
		if out[night] == nil {
			out[night] = make([]knownGroup, 0, len(pricedGroups))
		}
		for _, name := range pricedGroups {
			g := priceGroup(r, name)
			if g.want == nil && g.held == nil && g.state == settled {
				continue // it is not carried
			}
			known := knownGroup{cell: hotel.Cell{Line: line.Line, Group: name, Night: night}, group: g, shownAt: r.ShownAt, guests: guests, currency: currency}
			if name == hotel.Closures {
				known.offered = new(offeredOf(*r))
			}
			out[night] = append(out[night], known)
		}
	}
	for _, r := range further {
		night := hotel.Date(r.Night)
		out[night] = append(out[night], knownGroup{
			cell:  hotel.Cell{Line: line.Line, Group: hotel.Price, Occupancy: int(r.Occupancy), Night: night},
			group: occupancyGroup(r), shownAt: r.ShownAt, guests: int(r.Occupancy), currency: currency,
		})
	}
	for _, of := range out {
		slices.SortFunc(of, func(a, b knownGroup) int {
			return cmp.Or(cmp.Compare(a.cell.Group, b.cell.Group), cmp.Compare(a.cell.Occupancy, b.cell.Occupancy))
		})
	}
	return out, nil
}

// counted are the cells of a counter on some nights. The products of a room, which follow
// each other, share one: it is read once for all of them.
func (s *sighting) counted(line int64, span hotel.Span) ([]ledgerdb.StockCell, error) {
	if s.stock.line == line && s.stock.span == span {
		return s.stock.rows, nil
	}
	rows, err := s.q.StockCells(s.ctx, ledgerdb.StockCellsParams{ChannelID: s.row.ID, Line: line, First: int64(span.From), Last: int64(span.To)})
	if err != nil {
		return nil, fmt.Errorf("read counters: %w", err)
	}
	s.stock.line, s.stock.span, s.stock.rows = line, span, rows
	return rows, nil
}

// currency is that of the prices which the channel is shown for the line.
func (s *sighting) currency(line sightLine) hotel.Currency {
	c := s.s.property.Currency
	if plan := s.s.plan(line.RatePlanID); plan != nil {
		c = plan.Currency
	}
	return cmp.Or(s.channel.Pricing.Currency, c)
}

// guests is for how many the price of the line is.
func (s *sighting) guests(line sightLine) int {
	if room := s.s.room(line.RoomTypeID); room != nil && line.Guests == 0 {
		return room.BaseOccupancy
	}
	return line.Guests
}

// sightOf puts together what is known of a group.
func (s *sighting) sightOf(k knownGroup, calls *lastCalls) (hotel.GroupSight, error) {
	sent, acknowledged, err := calls.of(k)
	if err != nil {
		return hotel.GroupSight{}, err
	}
	out := hotel.GroupSight{Group: k.cell.Group, Occupancy: k.guests}
	if k.offered != nil {
		out.CutAt = instantOrZero(k.offered.cut)
	}
	want := k.wanted(s.parties[partyNight{k.cell.Line, k.cell.Night}])
	if out.Desired, err = s.fact(k, want, k.wantedSince()); err != nil {
		return out, err
	}
	if k.asked != nil {
		out.House = new(k.decode(*k.asked))
	}
	if sent != nil {
		out.Sent = &hotel.ShownFact{
			Value: k.decode(sent.value), At: instant(sent.call.SentAt), Sequence: sent.call.Sequence, DeliveryID: sent.call.ID, InAll: sent.inAll,
		}
	}
	if out.Acknowledged, err = s.fact(k, k.held, k.heldSeq); err != nil {
		return out, err
	}
	if a := out.Acknowledged; a != nil && acknowledged != nil && acknowledged.value == *k.held {
		a.At, a.DeliveryID = instantOrZero(acknowledged.call.AnsweredAt), acknowledged.call.ID
	}
	if k.shown != nil && k.shownAt != nil {
		out.ReadBack = &hotel.ShownFact{Value: k.decode(*k.shown), At: instant(*k.shownAt)}
	}
	return out, s.judge(&out, k, sent)
}

func (k knownGroup) decode(v int64) hotel.Offer {
	return hotel.DecodeOffer(k.cell.Group, v, k.currency)
}

// fact is a value with the entry that it stands for.
func (s *sighting) fact(k knownGroup, v, sequence *int64) (*hotel.ShownFact, error) {
	if v == nil {
		return nil, nil
	}
	out := &hotel.ShownFact{Value: k.decode(*v)}
	if sequence == nil {
		return out, nil // it was stated when the channel went live
	}
	e, err := s.entry(*sequence)
	if err != nil {
		return nil, err
	}
	out.Sequence = *sequence
	out.At = instantOrZero(&e.At)
	return out, nil
}

// entry returns the newest entry up to a sequence, nothing when it was cut away.
func (s *sighting) entry(sequence int64) (ledgerdb.EntryBeforeRow, error) {
	if e, known := s.times[sequence]; known {
		return e, nil
	}
	e, err := s.q.EntryBefore(s.ctx, sequence)
	if err != nil {
		return e, fmt.Errorf("read journal entry %d: %w", sequence, err)
	}
	s.times[sequence] = e
	return e, nil
}

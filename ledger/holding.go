package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// holding is a party of a guarded pool with what its channel has sold.
type holding struct {
	row    ledgerdb.Party
	stored exposure.Party
	now    exposure.Party
	live   int   // under its own codes
	strays int   // under codes that no counter of its channel has: it may have sold these too
	here   int   // rooms that are taken for it otherwise: by its bookings, and by the allotment
	floor  int   // rooms that an allotment promises it
	raised bool  // the row says less than the allotment
	seen   int64 // microseconds
}

// at names the party.
func (h *holding) at() partyNight { return partyNight{h.row.Line, hotel.Date(h.row.Night)} }

// cell is its counter's.
func (h *holding) cell() hotel.Cell {
	return hotel.Cell{Line: h.row.Line, Group: hotel.Availability, Night: hotel.Date(h.row.Night)}
}

// sold is the most that its channel is recorded to have sold of it.
func (h *holding) sold() int { return h.live + h.strays }

// ability is what the channel's way of counting permits of the party.
func (h *holding) ability(a exposure.Ability) exposure.Ability {
	if h.floor > 0 {
		return a.Contracted()
	}
	return a
}

// partyNight names a party.
type partyNight struct {
	line  int64
	night hotel.Date
}

// holdings reads and writes the parties of a property within one item. Rows are
// read once, changed in memory and written back.
type holdings struct {
	t        *tx
	property string
	of       map[partyNight]*holding
	manual   bool // whoever changes them has nights dealt anew, but for what moves a grant
}

func (t *tx) holdings(property string, span hotel.Span) (*holdings, error) {
	h := &holdings{t: t, property: property, of: map[partyNight]*holding{}}
	list, err := heldIn(t.ctx, t.q, property, span)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		h.of[partyNight{p.row.Line, hotel.Date(p.row.Night)}] = p
	}
	return h, nil
}

// heldIn reads the parties of a span in the order of their nights and counters. Of
// several counters that a channel has for a room type the first has what an allotment
// promises: all of them are the channel's.
func heldIn(ctx context.Context, q *ledgerdb.Queries, property string, span hotel.Span) ([]*holding, error) {
	rows, err := q.Holdings(ctx, ledgerdb.HoldingsParams{PropertyID: property, First: int64(span.From), Last: int64(span.To)})
	if err != nil {
		return nil, fmt.Errorf("read parties of %s: %w", property, err)
	}
	if len(rows) == 0 {
		return nil, nil
	}
	promised, err := allotments(ctx, q, property, span)
	if err != nil {
		return nil, err
	}
	unmapped, err := straysOf(ctx, q, property, span)
	if err != nil {
		return nil, err
	}
	list := make([]*holding, len(rows))
	for i, r := range rows {
		h := &holding{row: r.Party, stored: partyOf(r.Party), live: int(r.Live), here: int(r.Here), seen: r.Party.Seen}
		at := allotmentNight{roomNight{hotel.Date(r.Party.Night), r.Party.RoomTypeID}, r.Party.ChannelID}
		if of, ok := promised[at]; ok {
			h.floor, h.here = of.units, h.here+of.left()
			delete(promised, at)
		}
		now := h.stored.Contracted(h.floor)
		h.raised, h.stored, h.now = now != h.stored, now, now
		unmapped.of(h)
		list[i] = h
	}
	return list, nil
}

// at returns a party, nil when the counter is not guarded on the night.
func (h *holdings) at(line int64, night hotel.Date) *holding { return h.of[partyNight{line, night}] }

// granted returns the rooms of its type that are a party's beside those that are
// taken for it otherwise; false when nobody knows.
func granted(p exposure.Party, live, here int) (int, bool) {
	if p.Unknown {
		return 0, false
	}
	h := exposure.Holder{Party: p, Live: live, Here: here}
	return h.Granted(), true
}

// save writes back what changed, and brings the nights in memory in line with it.
func (h *holdings) save() error {
	for _, p := range h.of {
		if err := h.put(p); err != nil {
			return err
		}
	}
	return nil
}

// put is save for one of them.
func (h *holdings) put(p *holding) error {
	p.now = p.now.Contracted(p.floor)
	if p.now == p.stored && p.seen == p.row.Seen && !p.raised {
		return nil
	}
	night := hotel.Date(p.row.Night)
	if err := h.t.q.PutParty(h.t.ctx, rowOf(p)); err != nil {
		return fmt.Errorf("store party %d of %s on %s: %w", p.row.Line, h.property, night, err)
	}
	if err := h.regrant(night, p); err != nil {
		return err
	}
	p.stored, p.row.Seen, p.raised = p.now, p.seen, false
	return nil
}

// regrant notes what is granted now on a night in memory.
func (h *holdings) regrant(night hotel.Date, p *holding) error {
	was, known := granted(p.stored, p.live, p.here)
	is, still := granted(p.now, p.live, p.here)
	if !known || !still {
		h.t.renewed(h.property, setOf(night))
		return nil
	}
	risk := p.now.AtRisk(p.live) - p.stored.AtRisk(p.live)
	if is == was && !h.manual {
		h.t.redeal(h.property, setOf(night))
	}
	if is == was && risk == 0 {
		return nil // the night in memory is what it was
	}
	s, err := h.t.structure(h.property)
	if err != nil {
		return err
	}
	room, ok := s.empty.Room(p.row.RoomTypeID)
	if ok && is != was {
		h.t.patch(h.property, night, func(n *board.Night) *board.Night { return n.Grant(room, is-was) })
	}
	if ok && risk != 0 {
		h.t.redraw(h.property, night, func(n *board.Night) *board.Night { return n.Risk(room, risk) })
	}
	return nil
}

func partyOf(r ledgerdb.Party) exposure.Party {
	p := exposure.Party{
		Unknown: r.Account == nil, Raise: r.Raised != 0, Paid: int(r.Paid), RaiseLast: instantOrZero(r.RaiseLast),
		Doing: exposure.Doing(r.Doing), Value: int(r.Value), Clean: r.Clean != 0, Back: int(r.Back), Since: instantOrZero(r.Since), Read: r.Read, Accepted: int(r.AtRisk),
	}
	if r.Account != nil {
		p.Account = int(*r.Account)
	}
	return p
}

func rowOf(h *holding) ledgerdb.PutPartyParams {
	p := h.now
	row := ledgerdb.PutPartyParams{
		Raised: flag(p.Raise), Paid: int64(p.Paid), RaiseLast: microsOrNil(p.RaiseLast), Doing: string(p.Doing), Value: int64(p.Value),
		Clean: flag(p.Clean), Back: int64(p.Back), Since: microsOrNil(p.Since), Read: p.Read, Seen: h.seen, AtRisk: int64(p.Accepted),
		PropertyID: h.row.PropertyID, Night: h.row.Night, Line: h.row.Line,
	}
	if !p.Unknown {
		account := int64(p.Account)
		row.Account = &account
	}
	return row
}

// layGranted writes into the nights what is granted to channels of guarded pools, and
// what they may sell beyond that, and of how many nobody knows it.
func layGranted(s *structure, list []*holding, from hotel.Date, nights []*board.Night) {
	for _, h := range list {
		room, ok := s.empty.Room(h.row.RoomTypeID)
		if !ok {
			continue
		}
		n := &nights[hotel.Date(h.row.Night)-from].Rooms[room]
		rooms, known := granted(h.now, h.live, h.here)
		if !known {
			n.Unknown++
		}
		n.Granted += rooms
		n.AtRisk += h.now.AtRisk(h.live)
	}
}

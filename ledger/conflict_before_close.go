package ledger

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// BeforeCloseFacts is what was seen of a booking of nights that were closed by the
// time it was heard of.
type BeforeCloseFacts struct {
	BookingFacts
	Night       hotel.Date `json:"night"`                  // the first that was closed
	BookedAt    time.Time  `json:"booked_at"`              // as the channel says
	ClosedAt    time.Time  `json:"closed_at"`              // when its closing was decided here
	ConfirmedAt *time.Time `json:"confirmed_at,omitempty"` // when the channel had taken the closing; null: it had not
	HeardAt     time.Time  `json:"heard_at"`
}

// beforeClose looks, before a new booking of a channel is stored, whether its nights
// are closed already, and whether it was begun before the channel knew; nil: it is
// as usual.
func (m *message) beforeClose(r *hotel.Reservation) (*BeforeCloseFacts, error) {
	held := heldRooms(r)
	if !stay.Live(r.Status) || m.r.At.IsZero() || len(held) == 0 {
		return nil, nil
	}
	from := max(held[0].From, m.s.property.BusinessDate(m.t.now))
	b, err := m.t.spanBoard(m.s, from, held[len(held)-1].To)
	if err != nil {
		return nil, err
	}
	for d := from; d <= b.To(); d++ {
		room, known := b.Room(r.RoomOn(d))
		if h := b.House(d); known && h[room].Available == 0 && h[room].Net > 0 { // without a room it is an oversell
			return m.closedOn(r, d)
		}
	}
	return nil, nil
}

// closedOn compares when a booking was begun with when the channel was told that the
// night is closed.
func (m *message) closedOn(r *hotel.Reservation, night hotel.Date) (*BeforeCloseFacts, error) {
	for _, c := range m.counters {
		if c.RoomTypeID != cmp.Or(r.BookedRoom, r.HeldRoom) {
			continue
		}
		cell := hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: night}
		table := m.t.cellsOf(m.channel)
		if err := table.load([]hotel.Cell{cell}); err != nil {
			return nil, err
		}
		g := table.cells.at(cell)
		if g == nil || g.want == nil || *g.want != 0 || g.entry == nil {
			continue
		}
		row, err := m.t.q.GetEntry(m.t.ctx, *g.entry)
		if errors.Is(err, sql.ErrNoRows) {
			continue // it was closed before the journal begins
		}
		if err != nil {
			return nil, fmt.Errorf("read journal entry %d: %w", *g.entry, err)
		}
		f := &BeforeCloseFacts{Night: night, BookedAt: m.r.At, ClosedAt: instant(row.At), HeardAt: m.t.now}
		if g.held != nil && *g.held == 0 && g.heldAt != nil {
			f.ConfirmedAt = new(instant(*g.heldAt))
			if m.r.At.After(*f.ConfirmedAt) {
				continue // it sold what it knew to be closed
			}
		}
		return f, nil
	}
	return nil, nil
}

// tellBeforeClose tells of a booking that looks as if the channel had sold a closed
// night.
func (m *message) tellBeforeClose(r *hotel.Reservation, f *BeforeCloseFacts) error {
	if f == nil {
		return nil
	}
	f.BookingFacts = factsOfBooking(r)
	body, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return m.t.raise(hotel.Conflict{
		PropertyID: r.PropertyID, ChannelID: r.Source.ChannelID, Kind: hotel.ConflictSoldBeforeClose, Topic: r.ID, Severity: hotel.Info, Facts: body,
		Subject: hotel.ConflictSubject{Type: "reservation", ID: r.ID, RoomTypeID: takes(r), RatePlanID: r.RatePlanID, Date: f.Night},
	})
}

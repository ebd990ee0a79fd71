package ledger

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// newConfirmation makes ten characters that can be read out: no vowels, so that
// no word comes of it, and nothing that looks like something else.
func newConfirmation() string {
	const letters = "BCDFGHJKLMNPQRSTVWXZ23456789"
	var raw [10]byte
	rand.Read(raw[:])
	for i, b := range raw {
		raw[i] = letters[int(b)%len(letters)]
	}
	return string(raw[:])
}

func jsonText(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

// insertReservation stores a new reservation with its guest, prices and nights.
func (t *tx) insertReservation(r *hotel.Reservation) error {
	r.Entity = t.entity(r.ID)
	r.GuestID = hotel.NewID("gst")
	r.Confirmation = newConfirmation()
	r.FirstOut = r.Stay.CheckOut
	g := r.Guest
	err := t.q.InsertGuest(t.ctx, ledgerdb.InsertGuestParams{
		ID: r.GuestID, PropertyID: r.PropertyID, FirstName: g.FirstName, LastName: g.LastName, Email: g.Email, Phone: g.Phone,
		Language: g.Language, Country: g.Country, CreatedAt: t.micros(), UpdatedAt: t.micros(), Revision: 1,
	})
	if err != nil {
		return fmt.Errorf("store guest: %w", err)
	}
	c, err := reservationColumns(r)
	if err != nil {
		return err
	}
	err = t.q.InsertReservation(t.ctx, ledgerdb.InsertReservationParams{
		ID: r.ID, Confirmation: r.Confirmation, PropertyID: r.PropertyID, GroupID: c.GroupID, Status: c.Status,
		RoomTypeID: c.RoomTypeID, RatePlanID: c.RatePlanID, BookedRoom: c.BookedRoom, HeldRoom: c.HeldRoom,
		CheckIn: c.CheckIn, CheckOut: c.CheckOut, FirstOut: int64(r.FirstOut), Adults: c.Adults, ChildrenAges: c.ChildrenAges,
		GuestID: r.GuestID, ChannelID: r.Source.ChannelID, ChannelRef: r.Source.Reference, RoomRef: r.Source.RoomRef,
		ChannelRevision: c.ChannelRevision, ModifiedAt: c.ModifiedAt, BookedAt: r.Source.BookedAt.UnixMicro(),
		PriceKnown: c.PriceKnown, Currency: c.Currency, Total: c.Total, Overbooked: c.Overbooked, Issues: c.Issues,
		Notes: c.Notes, Requests: c.Requests, Metadata: c.Metadata, CancelledAt: c.CancelledAt, CancelReason: c.CancelReason,
		CancelNote: c.CancelNote, CancelActor: c.CancelActor, Sequence: r.Sequence, CreatedAt: t.micros(), UpdatedAt: t.micros(), Revision: 1,
	})
	if err != nil {
		return fmt.Errorf("store reservation: %w", err)
	}
	return t.putNights(r)
}

// updateReservation stores what changed of a reservation; its guest as well when
// guest is true.
func (t *tx) updateReservation(r *hotel.Reservation, guest bool) error {
	r.Revision++
	r.UpdatedAt = t.now
	if g := r.Guest; guest {
		err := t.q.UpdateGuest(t.ctx, ledgerdb.UpdateGuestParams{
			FirstName: g.FirstName, LastName: g.LastName, Email: g.Email, Phone: g.Phone,
			Language: g.Language, Country: g.Country, UpdatedAt: t.micros(), ID: r.GuestID,
		})
		if err != nil {
			return fmt.Errorf("store guest: %w", err)
		}
	}
	c, err := reservationColumns(r)
	if err != nil {
		return err
	}
	c.Sequence, c.UpdatedAt, c.Revision = r.Sequence, t.micros(), r.Revision
	if err := t.q.UpdateReservation(t.ctx, c); err != nil {
		return fmt.Errorf("store reservation: %w", err)
	}
	if err := t.freeNights(r); err != nil {
		return err
	}
	if err := t.q.DeleteReservationPrices(t.ctx, r.ID); err != nil {
		return fmt.Errorf("store prices: %w", err)
	}
	return t.putNights(r)
}

// reservationColumns fills the columns that a change may touch.
func reservationColumns(r *hotel.Reservation) (ledgerdb.UpdateReservationParams, error) {
	c := ledgerdb.UpdateReservationParams{
		GroupID: textOrNil(r.GroupID), Status: string(r.Status), RoomTypeID: textOrNil(r.RoomTypeID), RatePlanID: textOrNil(r.RatePlanID),
		BookedRoom: textOrNil(r.BookedRoom), HeldRoom: textOrNil(r.HeldRoom), CheckIn: int64(r.Stay.CheckIn), CheckOut: int64(r.Stay.CheckOut),
		Adults: int64(r.Adults), ChannelRevision: r.Source.Revision, ModifiedAt: microsOrNil(r.Source.ModifiedAt),
		PriceKnown: flag(r.PriceKnown), Currency: string(r.Total.Currency), Total: r.Total.Minor, Overbooked: flag(r.Overbooked),
		Notes: r.Notes, Requests: r.Requests, ID: r.ID,
	}
	if r.Cancel != nil {
		c.CancelledAt = microsOrNil(r.Cancel.At)
		c.CancelReason, c.CancelNote, c.CancelActor = r.Cancel.Reason, r.Cancel.Note, actorText(r.Cancel.By)
	}
	var err error
	for _, column := range []struct {
		to   *string
		from any
	}{{&c.ChildrenAges, orEmptyList(r.ChildrenAges)}, {&c.Issues, orEmptyList(r.Issues)}, {&c.Metadata, orEmptyMap(r.Metadata)}} {
		if *column.to, err = jsonText(column.from); err != nil {
			return c, fmt.Errorf("store reservation: %w", err)
		}
	}
	return c, nil
}

func orEmptyList[V any](list []V) []V {
	if list == nil {
		return []V{}
	}
	return list
}

func orEmptyMap(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

// putNights writes which nights the reservation takes and what they cost, where
// nothing of it is stored.
func (t *tx) putNights(r *hotel.Reservation) error {
	if room := takes(r); room != "" {
		for d := r.Stay.CheckIn; d < r.Stay.CheckOut; d++ {
			if err := t.takeNight(r, d, room); err != nil {
				return err
			}
		}
	}
	for _, n := range r.Nightly {
		err := t.q.InsertReservationPrice(t.ctx, ledgerdb.InsertReservationPriceParams{
			ReservationID: r.ID, Night: int64(n.Date), RoomTypeID: n.RoomTypeID, RatePlanID: n.RatePlanID, Amount: n.Amount.Minor,
		})
		if err != nil {
			return fmt.Errorf("store prices: %w", err)
		}
	}
	return nil
}

// takeNight gives the reservation a room on the night.
func (t *tx) takeNight(r *hotel.Reservation, d hotel.Date, room string) error {
	row := ledgerdb.InsertReservationNightParams{PropertyID: r.PropertyID, Night: int64(d), RoomTypeID: room, ReservationID: r.ID}
	if err := t.q.InsertReservationNight(t.ctx, row); err != nil {
		return fmt.Errorf("take nights: %w", err)
	}
	return t.sold(r.PropertyID, d, room, 1)
}

// sold notes that so many more rooms are taken on the night, fewer below 0.
func (t *tx) sold(property string, d hotel.Date, room string, more int) error {
	s, err := t.structure(property)
	if err != nil {
		return err
	}
	i, _ := s.empty.Room(room)
	t.patch(property, d, func(n *board.Night) *board.Night { return n.Sell(i, more) })
	return nil
}

// takes returns the room type of which the reservation takes one room, "" when
// it takes none.
func takes(r *hotel.Reservation) string {
	switch {
	case !stay.Live(r.Status):
		return ""
	case r.RoomTypeID != "":
		return r.RoomTypeID
	}
	return r.HeldRoom
}

// freeNights gives the reservation's nights back within this item, so that what
// is free can be computed as if it were not there.
func (t *tx) freeNights(r *hotel.Reservation) error {
	rows, err := t.q.DeleteReservationNights(t.ctx, r.ID)
	if err != nil {
		return fmt.Errorf("release nights: %w", err)
	}
	for _, n := range rows {
		if err := t.sold(n.PropertyID, hotel.Date(n.Night), n.RoomTypeID, -1); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) reservation(id string) (hotel.Reservation, error) {
	return loadReservation(t.ctx, t.q, id)
}

func loadReservation(ctx context.Context, q *ledgerdb.Queries, id string) (hotel.Reservation, error) {
	row, err := q.GetReservation(ctx, id)
	if err != nil {
		return hotel.Reservation{}, notFound(err)
	}
	list, err := withNightly(ctx, q, []ledgerdb.Reservation{row.Reservation}, []ledgerdb.Guest{row.Guest})
	if err != nil {
		return hotel.Reservation{}, err
	}
	return list[0], nil
}

// withNightly builds reservations from their rows and reads their prices.
func withNightly(ctx context.Context, q *ledgerdb.Queries, rows []ledgerdb.Reservation, guests []ledgerdb.Guest) ([]hotel.Reservation, error) {
	out := make([]hotel.Reservation, len(rows))
	at := make(map[string]int, len(rows))
	ids := make([]string, len(rows))
	for i, r := range rows {
		var err error
		if out[i], err = reservationOf(r, guests[i]); err != nil {
			return nil, err
		}
		at[r.ID], ids[i] = i, r.ID
	}
	if len(ids) == 0 {
		return out, nil
	}
	prices, err := q.ReservationPrices(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read prices of reservations: %w", err)
	}
	for _, p := range prices {
		r := &out[at[p.ReservationID]]
		r.Nightly = append(r.Nightly, hotel.NightPrice{
			Date: hotel.Date(p.Night), RoomTypeID: p.RoomTypeID, RatePlanID: p.RatePlanID,
			Amount: hotel.Money{Minor: p.Amount, Currency: r.Total.Currency},
		})
	}
	return out, nil
}

func reservationOf(r ledgerdb.Reservation, g ledgerdb.Guest) (hotel.Reservation, error) {
	out := hotel.Reservation{
		Entity: entity(r.ID, r.CreatedAt, r.UpdatedAt, r.Revision), Confirmation: r.Confirmation, PropertyID: r.PropertyID,
		GroupID: orEmpty(r.GroupID), Status: hotel.ReservationStatus(r.Status), RoomTypeID: orEmpty(r.RoomTypeID), RatePlanID: orEmpty(r.RatePlanID),
		BookedRoom: orEmpty(r.BookedRoom), HeldRoom: orEmpty(r.HeldRoom),
		Stay: hotel.Stay{CheckIn: hotel.Date(r.CheckIn), CheckOut: hotel.Date(r.CheckOut)}, FirstOut: hotel.Date(r.FirstOut),
		Adults: int(r.Adults), GuestID: r.GuestID,
		Guest: hotel.Guest{FirstName: g.FirstName, LastName: g.LastName, Email: g.Email, Phone: g.Phone, Language: g.Language, Country: g.Country},
		Source: hotel.Source{
			ChannelID: r.ChannelID, Reference: r.ChannelRef, RoomRef: r.RoomRef, Revision: r.ChannelRevision,
			ModifiedAt: instantOrZero(r.ModifiedAt), BookedAt: instant(r.BookedAt),
		},
		Total: hotel.Money{Minor: r.Total, Currency: hotel.Currency(r.Currency)}, PriceKnown: r.PriceKnown == 1, Overbooked: r.Overbooked == 1,
		Notes: r.Notes, Requests: r.Requests, Sequence: r.Sequence,
	}
	if r.CancelledAt != nil {
		out.Cancel = &hotel.Cancellation{At: instant(*r.CancelledAt), Reason: r.CancelReason, Note: r.CancelNote, By: actorOf(r.CancelActor)}
	}
	for _, column := range []struct {
		from string
		to   any
	}{{r.ChildrenAges, &out.ChildrenAges}, {r.Issues, &out.Issues}, {r.Metadata, &out.Metadata}} {
		if err := json.Unmarshal([]byte(column.from), column.to); err != nil {
			return out, fmt.Errorf("reservation %s: %w", r.ID, err)
		}
	}
	return out, nil
}

// Reservation returns one reservation, or [ErrNotFound].
func (l *Ledger) Reservation(ctx context.Context, id string) (r hotel.Reservation, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		r, err = loadReservation(ctx, q, id)
		return err
	})
	return r, err
}

package ledger

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
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

// insertReservation stores a new reservation of a guest who is stored.
func (t *tx) insertReservation(r *hotel.Reservation, fact ReservationFact) error {
	c, err := reservationColumns(r)
	if err != nil {
		return err
	}
	err = t.q.InsertReservation(t.ctx, ledgerdb.InsertReservationParams{
		ID: r.ID, Confirmation: r.Confirmation, PropertyID: r.PropertyID, GroupID: c.GroupID, BlockID: c.BlockID, Status: c.Status,
		HoldExpiresAt: c.HoldExpiresAt, RoomTypeID: c.RoomTypeID, RatePlanID: c.RatePlanID, HeldRoom: c.HeldRoom,
		CheckIn: c.CheckIn, CheckOut: c.CheckOut, GuestID: r.GuestID, ChannelID: r.Source.ChannelID, SubChannel: r.Source.SubChannel,
		ChannelRef: r.Source.Reference, Reuse: int64(r.Source.Reuse), RoomRef: r.Source.RoomRef, Acknowledged: c.Acknowledged, AskedUntil: c.AskedUntil, Body: c.Body, Words: c.Words,
		Sequence: r.Sequence, CreatedAt: t.micros(), UpdatedAt: t.micros(), Revision: r.Revision,
	})
	if err != nil {
		return fmt.Errorf("store reservation: %w", err)
	}
	if err := t.touchGroups(r.GroupID); err != nil {
		return err
	}
	if err := t.putTags(r, nil); err != nil {
		return err
	}
	if err := t.takeNights(r, fact.Held); err != nil {
		return err
	}
	if err := t.tellForeign(r, fact.News); err != nil {
		return err
	}
	return t.putRevision(r, true)
}

// updateReservation stores what changed of a reservation.
func (t *tx) updateReservation(r, before *hotel.Reservation, fact ReservationFact) error {
	c, err := reservationColumns(r)
	if err != nil {
		return err
	}
	c.Sequence, c.UpdatedAt, c.Revision = r.Sequence, t.micros(), r.Revision
	if err := t.q.UpdateReservation(t.ctx, c); err != nil {
		return fmt.Errorf("store reservation: %w", err)
	}
	if err := t.touchGroups(before.GroupID, r.GroupID); err != nil {
		return err
	}
	if err := t.putTags(r, before.Tags); err != nil {
		return err
	}
	if err := t.freeNights(r); err != nil {
		return err
	}
	if err := t.takeNights(r, fact.Held); err != nil {
		return err
	}
	if err := t.tellForeign(r, fact.News); err != nil {
		return err
	}
	return t.putRevision(r, r.Guest != before.Guest || r.GuestID != before.GuestID || !reflect.DeepEqual(r.Words, before.Words))
}

// reservationColumns fills the columns that a change may touch.
func reservationColumns(r *hotel.Reservation) (ledgerdb.UpdateReservationParams, error) {
	c := ledgerdb.UpdateReservationParams{
		GroupID: textOrNil(r.GroupID), BlockID: textOrNil(r.BlockID), GuestID: r.GuestID, Status: string(r.Status), HoldExpiresAt: microsOrNil(r.HoldExpires),
		RoomTypeID: textOrNil(r.RoomTypeID), RatePlanID: textOrNil(r.RatePlanID), HeldRoom: textOrNil(r.HeldRoom),
		CheckIn: int64(r.Stay.CheckIn), CheckOut: int64(r.Stay.CheckOut), RoomRef: r.Source.RoomRef, ID: r.ID,
	}
	if r.Acknowledged != nil {
		c.Acknowledged = r.Acknowledged.Revision
	}
	if open := r.OpenAction(); open != nil {
		c.AskedUntil = microsOrNil(open.Deadline)
	}
	var err error
	if c.Body, err = jsonText(r); err != nil {
		return c, fmt.Errorf("store reservation: %w", err)
	}
	if c.Words, err = jsonText(r.Words); err != nil {
		return c, fmt.Errorf("store reservation: %w", err)
	}
	return c, nil
}

// putTags writes the reservation's tags, which were others before.
func (t *tx) putTags(r *hotel.Reservation, before []string) error {
	for _, tag := range before {
		if slices.Contains(r.Tags, tag) {
			continue
		}
		if err := t.q.DeleteReservationTag(t.ctx, ledgerdb.DeleteReservationTagParams{PropertyID: r.PropertyID, Tag: tag, ReservationID: r.ID}); err != nil {
			return fmt.Errorf("store tags: %w", err)
		}
	}
	for _, tag := range r.Tags {
		if slices.Contains(before, tag) {
			continue
		}
		if err := t.q.InsertReservationTag(t.ctx, ledgerdb.InsertReservationTagParams{PropertyID: r.PropertyID, Tag: tag, ReservationID: r.ID}); err != nil {
			return fmt.Errorf("store tags: %w", err)
		}
	}
	return nil
}

// takeNights writes which rooms the reservation takes, where it takes none.
func (t *tx) takeNights(r *hotel.Reservation, held []HeldRoom) error {
	for _, h := range held {
		for d := h.From; d <= h.To; d++ {
			row := ledgerdb.InsertReservationNightParams{
				PropertyID: r.PropertyID, Night: int64(d), RoomTypeID: h.RoomTypeID, ReservationID: r.ID, BlockID: textOrNil(r.BlockID),
				Held: flag(undecided(r.Status)),
			}
			if err := t.q.InsertReservationNight(t.ctx, row); err != nil {
				return fmt.Errorf("take nights: %w", err)
			}
			if err := t.taken(row, 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// freeNights gives the reservation's nights back within this item, so that what
// is free can be computed as if it were not there.
func (t *tx) freeNights(r *hotel.Reservation) error {
	rows, err := t.q.DeleteReservationNights(t.ctx, r.ID)
	if err != nil {
		return fmt.Errorf("release nights: %w", err)
	}
	for _, n := range rows {
		row := ledgerdb.InsertReservationNightParams{PropertyID: n.PropertyID, Night: n.Night, RoomTypeID: n.RoomTypeID, BlockID: n.BlockID, Held: n.Held}
		if err := t.taken(row, -1); err != nil {
			return err
		}
	}
	return nil
}

// undecided reports whether somebody has yet to decide about a reservation that
// takes a room.
func undecided(s hotel.ReservationStatus) bool { return s == hotel.Requested || s == hotel.Held }

// taken notes that a row came, or went for more below 0. What is drawn from a
// block changes what that block still takes, too.
func (t *tx) taken(row ledgerdb.InsertReservationNightParams, more int) error {
	s, err := t.structure(row.PropertyID)
	if err != nil {
		return err
	}
	night, today := hotel.Date(row.Night), s.property.Today(t.now)
	granting, err := t.guarding(s)
	if err != nil {
		return err
	}
	if row.BlockID != nil || granting { // what channels have left of their own rooms follows from what they sold
		t.renewed(row.PropertyID, setOf(night))
	} else {
		i, known := s.empty.Room(row.RoomTypeID) // not when it is archived
		t.patch(row.PropertyID, night, func(n *board.Night) *board.Night {
			switch {
			case known && row.Held == 1:
				n = n.Hold(i, more)
			case known:
				n = n.Sell(i, more)
			}
			return n.Move(today, more)
		})
	}
	pickup := ledgerdb.AddPickupParams{PropertyID: row.PropertyID, Night: row.Night, Day: int64(today), Rooms: int64(more)}
	if err := t.q.AddPickup(t.ctx, pickup); err != nil {
		return fmt.Errorf("note the pickup: %w", err)
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
	return reservationOf(row.Reservation, row.Guest)
}

func reservationOf(row ledgerdb.Reservation, g ledgerdb.Guest) (hotel.Reservation, error) {
	var r hotel.Reservation
	if err := json.Unmarshal([]byte(row.Body), &r); err != nil {
		return r, fmt.Errorf("stored reservation %s: %w", row.ID, err)
	}
	if err := json.Unmarshal([]byte(row.Words), &r.Words); err != nil {
		return r, fmt.Errorf("stored words of reservation %s: %w", row.ID, err)
	}
	r.Entity = entity(row.ID, row.CreatedAt, row.UpdatedAt, row.Revision)
	if err := json.Unmarshal([]byte(g.Body), &r.Guest); err != nil {
		return r, fmt.Errorf("stored guest %s: %w", g.ID, err)
	}
	r.GuestRevision = g.Revision
	r.Sequence = row.Sequence
	return r, nil
}

// Reservation returns one reservation, or [ErrNotFound].
func (l *Ledger) Reservation(ctx context.Context, id string) (r hotel.Reservation, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		r, err = loadReservation(ctx, q, id)
		return err
	})
	return r, err
}

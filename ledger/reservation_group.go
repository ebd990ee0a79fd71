package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// insertGroup stores the group of a booking, unless it has one, and returns its
// id. booker is the id of a guest, "" when nobody is known to have booked it.
func (t *tx) insertGroup(property, booker string, source hotel.Source) (string, error) {
	if source.Reference != "" {
		id, err := t.q.GroupOfBooking(t.ctx, ledgerdb.GroupOfBookingParams{
			PropertyID: property, ChannelID: source.ChannelID, ChannelRef: source.Reference, SubChannel: source.SubChannel, Reuse: int64(source.Reuse),
		})
		if !errors.Is(err, sql.ErrNoRows) {
			return id, err
		}
	}
	id := hotel.NewID("grp")
	err := t.q.InsertGroup(t.ctx, ledgerdb.InsertGroupParams{
		ID: id, PropertyID: property, Booker: textOrNil(booker), ChannelID: source.ChannelID, SubChannel: source.SubChannel, ChannelRef: source.Reference, Reuse: int64(source.Reuse),
		CreatedAt: t.micros(), UpdatedAt: t.micros(), Revision: 1,
	})
	if err != nil {
		return "", fmt.Errorf("store group: %w", err)
	}
	t.touched = append(t.touched, id)
	_, err = t.append(entry{property: property, kind: GroupCreated, subject: id, body: GroupFact{source.ChannelID, source.SubChannel, source.Reference, source.Reuse, booker}})
	return id, err
}

// GroupFact is the body of a [GroupCreated] entry.
type GroupFact struct {
	ChannelID  string `json:"channel_id"`
	SubChannel string `json:"sub_channel,omitempty"`
	Reference  string `json:"channel_reference,omitempty"`
	Reuse      int    `json:"reference_reuse,omitempty"` // how many bookings of the channel had the reference before
	BookerID   string `json:"booker_id,omitempty"`       // a guest
}

// CreateReservationGroup books several rooms at once: all of them, or none. Who
// books is stored as a guest of its own; a room whose guest is not named is for
// the booker.
func (l *Ledger) CreateReservationGroup(
	ctx context.Context, by hotel.By, once hotel.Once, n hotel.NewReservationGroup,
) (hotel.ReservationGroup, bool, error) {
	if _, err := l.Board(ctx, n.PropertyID); err != nil {
		return hotel.ReservationGroup{}, false, fmt.Errorf("property %s: %w", n.PropertyID, err)
	}
	return l.changeGroup(ctx, by, once, func(t *tx) (string, error) {
		s, err := t.structure(n.PropertyID)
		if err != nil {
			return "", err
		}
		if err := t.checkNaturalGroup(&n); err != nil {
			return "", err
		}
		var booker string
		if n.Booker != nil {
			if err := wrong(n.Booker.Faults(nil, s.property.Today(t.now), "/booker")).refusal(); err != nil {
				return "", err
			}
			p, _, err := t.meet(n.PropertyID, *n.Booker)
			if err != nil {
				return "", err
			}
			booker = p.ID
		}
		id, err := t.insertGroup(n.PropertyID, booker, n.Source)
		if err != nil {
			return "", err
		}
		var short *DealtError // the first room that is on sale at a channel
		for i, room := range n.Reservations {
			room.PropertyID, room.GroupID, room.Seller = n.PropertyID, id, n.Seller
			if room.GuestID == "" && room.Guest == (hotel.Guest{}) {
				room.GuestID = booker
			}
			ref := room.Source.RoomRef
			if ref == "" && n.Source.Reference != "" {
				ref = fmt.Sprint(slot, i+1)
			}
			room.Source = n.Source
			room.Source.RoomRef = ref
			part := fmt.Sprintf("/reservations/%d", i)
			_, err := t.reserve(s, &room)
			if dealt, ok := errors.AsType[*DealtError](err); ok {
				if short == nil {
					short = dealt
					short.Refusal, _ = errors.AsType[*hotel.Refusal](hotel.Within(err, part))
				}
				room.SellDealt = true // nothing of it is stored: the others are looked at, so that all are taken back at once
				_, err = t.reserve(s, &room)
			}
			if err != nil {
				return "", hotel.Within(err, part)
			}
		}
		if short != nil {
			short.Rooms = t.sold[n.PropertyID]
			return "", short
		}
		return id, nil
	})
}

// CancelReservationGroup cancels what is left of a group, or has its channel asked to.
// A guest who is in the house keeps all of it.
func (l *Ledger) CancelReservationGroup(
	ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.CancelRequest,
) (hotel.ReservationGroup, bool, error) {
	return l.changeGroup(ctx, by, once, func(t *tx) (string, error) {
		g, err := loadGroup(t.ctx, t.q, id)
		if err != nil {
			return "", err
		}
		if c.IfRevision != 0 && c.IfRevision != g.Revision {
			refusal := hotel.Refuse("precondition_failed", "the group is at revision %d, not %d: read it again", g.Revision, c.IfRevision)
			refusal.Members = map[string]any{"revision": g.Revision}
			return "", refusal
		}
		s, err := t.structure(g.PropertyID)
		if err != nil {
			return "", err
		}
		for i := range g.Reservations {
			r := g.Reservations[i]
			if stay.Over(r.Status) {
				continue
			}
			before := r
			c.Whole = true
			kind, err := t.cancel(s, &r, c)
			if err != nil {
				return "", hotel.Within(err, fmt.Sprintf("/reservations/%d", i))
			}
			if kind == "" {
				continue // its channel is asked already
			}
			if err := t.bookEntry(kind, s, &r, &before); err != nil {
				return "", err
			}
		}
		return id, nil
	})
}

// changeGroup runs a change of a group under its idempotency key, and returns the
// group as it stands then.
func (l *Ledger) changeGroup(ctx context.Context, by hotel.By, once hotel.Once, f func(t *tx) (id string, err error)) (hotel.ReservationGroup, bool, error) {
	return storeUnderKey(ctx, l, by, once, f, func(t *tx, id string) (hotel.ReservationGroup, error) { return loadGroup(t.ctx, t.q, id) })
}

// checkNaturalGroup refuses a channel's reference that is stored already.
func (t *tx) checkNaturalGroup(n *hotel.NewReservationGroup) error {
	if n.Source.ChannelID == "" {
		n.Source.ChannelID = hotel.Direct
	}
	if n.Source.Reference == "" {
		return nil
	}
	rows, err := t.q.ReservationsOfBooking(t.ctx, ledgerdb.ReservationsOfBookingParams{
		PropertyID: n.PropertyID, ChannelID: n.Source.ChannelID, ChannelRef: n.Source.Reference,
	})
	if err != nil {
		return fmt.Errorf("look up booking: %w", err)
	}
	for _, row := range rows {
		if !n.Source.SameSeller(hotel.Source{SubChannel: row.Reservation.SubChannel}) {
			continue
		}
		existing := row.Reservation.ID
		if row.Reservation.GroupID != nil {
			existing = *row.Reservation.GroupID
		}
		refusal := hotel.Refuse("duplicate_reservation", "this booking of the channel is stored already")
		refusal.Members = map[string]any{"existing_id": existing}
		return refusal
	}
	return nil
}

// joins refuses a group that a room of the source cannot belong to, or which it cannot
// leave, by the word of this seller: rooms of a channel are grouped as the channel says.
func (t *tx) joins(property, group string, of hotel.Source, by hotel.Seller) error {
	channel := cmp.Or(of.ChannelID, hotel.Direct)
	if channel != hotel.Direct && !by.Owns(of) {
		return hotel.Invalid("/group_id", "read_only", "bookings of channel %s are grouped as the channel says", channel)
	}
	if group == "" {
		return nil
	}
	row, err := t.q.GetGroup(t.ctx, group)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read group: %w", err)
	}
	if err != nil || row.PropertyID != property || row.ChannelID != channel {
		return hotel.Invalid("/group_id", "unknown_group", "the property has no group of that id among what this source has booked")
	}
	return nil
}

// ReservationGroup returns one group with its reservations, or [ErrNotFound].
func (l *Ledger) ReservationGroup(ctx context.Context, id string) (g hotel.ReservationGroup, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		g, err = loadGroup(ctx, q, id)
		return err
	})
	return g, err
}

// touchGroups notes that groups have changed, as each does with any of its rooms: also with
// one that joins it, or leaves it. What changes many rooms of one is one change of it.
func (t *tx) touchGroups(ids ...string) error {
	for _, id := range ids {
		if id == "" || slices.Contains(t.touched, id) {
			continue
		}
		t.touched = append(t.touched, id)
		if err := t.q.TouchGroup(t.ctx, ledgerdb.TouchGroupParams{UpdatedAt: t.micros(), ID: id}); err != nil {
			return fmt.Errorf("store group: %w", err)
		}
	}
	return nil
}

// loadGroup reads a group.
func loadGroup(ctx context.Context, q *ledgerdb.Queries, id string) (hotel.ReservationGroup, error) {
	row, err := q.GetGroup(ctx, id)
	if err != nil {
		return hotel.ReservationGroup{}, notFound(err)
	}
	g := hotel.ReservationGroup{
		Entity: entity(row.ID, row.CreatedAt, row.UpdatedAt, row.Revision), PropertyID: row.PropertyID, BookerID: orEmpty(row.Booker),
		Source: hotel.Source{ChannelID: row.ChannelID, SubChannel: row.SubChannel, Reference: row.ChannelRef},
	}
	if g.BookerID != "" {
		booker, err := readOne[hotel.GuestProfile](q.GetGuest(ctx, g.BookerID))
		if err == nil && booker.Status == hotel.GuestMerged {
			booker, err = readOne[hotel.GuestProfile](q.GetGuest(ctx, booker.MergedInto))
		}
		if err != nil {
			return g, fmt.Errorf("read booker: %w", err)
		}
		g.BookerID, g.Booker = booker.ID, booker.Guest
	}
	ids, err := q.ReservationsOfGroup(ctx, &id)
	if err != nil {
		return g, fmt.Errorf("read group: %w", err)
	}
	for _, id := range ids {
		r, err := loadReservation(ctx, q, id)
		if err != nil {
			return g, err
		}
		g.Reservations = append(g.Reservations, r)
	}
	return g, nil
}

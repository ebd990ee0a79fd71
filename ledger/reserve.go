package ledger

import (
	"context"
	"fmt"
	"reflect"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
)

// MaxNights is the longest stay that a writer through /v1 may book. Channels are
// not bound by it.
const MaxNights = 90

// CreateReservation books one room, if every night has one and nothing forbids
// the stay. The check and the booking are one transaction: of many who ask for
// the last room, one gets it. The bool tells that the key of once had its effect
// before.
func (l *Ledger) CreateReservation(ctx context.Context, by hotel.By, once hotel.Once, n hotel.NewReservation) (hotel.Reservation, bool, error) {
	// The item decides on the board; it is loaded here, where it holds up nobody.
	if _, err := l.Board(ctx, n.PropertyID); err != nil {
		return hotel.Reservation{}, false, fmt.Errorf("property %s: %w", n.PropertyID, err)
	}
	// Locals, not named results: a caller who stops waiting returns while the
	// item goes on writing to them.
	var r hotel.Reservation
	var replayed bool
	err := l.write(ctx, urgent, by, func(t *tx) error {
		id, done, err := t.begin(once)
		replayed = done
		if err != nil {
			return err
		}
		if done {
			r, err = t.reservation(id)
			return err
		}
		s, err := t.structure(n.PropertyID)
		if err != nil {
			return err
		}
		r = hotel.Reservation{
			PropertyID: n.PropertyID, Status: hotel.Confirmed, RoomTypeID: n.RoomTypeID, RatePlanID: n.RatePlanID, BookedRoom: n.RoomTypeID,
			Stay: n.Stay, Adults: n.Adults, ChildrenAges: n.ChildrenAges, Guest: n.Guest, Notes: n.Notes, Requests: n.Requests, Metadata: n.Metadata,
			Source: hotel.Source{ChannelID: hotel.Direct, BookedAt: t.now}, PriceKnown: true,
		}
		r.ID = hotel.NewID("res")
		if err := t.sell(s, &r, sale{seller: n.Seller, overbook: n.Overbook, earliest: s.property.BusinessDate(t.now)}); err != nil {
			return err
		}
		if err := expect(n.ExpectedTotal, r.Total); err != nil {
			return err
		}
		if err := t.bookEntry(ReservationCreated, s, &r, nil); err != nil {
			return err
		}
		return t.keep(r.ID)
	})
	if err != nil {
		return hotel.Reservation{}, false, err // r may still be written to when the outcome is unknown
	}
	return r, replayed, nil
}

// sale is who sells a reservation and under what conditions.
type sale struct {
	seller   string     // "" may sell every plan
	overbook bool       // take the booking although no room is free
	earliest hotel.Date // check-in: the business date, or when a stay that is changed began
}

// sell checks that the reservation can be sold as it is, prices it, and notes
// whether it found a room.
func (t *tx) sell(s *structure, r *hotel.Reservation, by sale) error {
	today := s.property.BusinessDate(t.now)
	if err := s.checkStay(r.Stay, by.earliest, today); err != nil {
		return err
	}
	room, plan := s.room(r.RoomTypeID), s.plan(r.RatePlanID)
	if room == nil {
		return hotel.Invalid("/room_type_id", "unknown_room_type", "the property has no room type %q", r.RoomTypeID)
	}
	if plan == nil {
		return hotel.Invalid("/rate_plan_id", "unknown_rate_plan", "the property has no rate plan %q", r.RatePlanID)
	}
	// The check-out date is no night of the stay, but may be closed to departure.
	b, err := t.spanBoard(s, r.Stay.CheckIn, r.Stay.CheckOut)
	if err != nil {
		return err
	}
	ri, _ := b.Room(room.ID)
	pi, _ := b.Plan(plan.ID)
	if !b.Offers(ri, pi) || (by.seller != "" && !b.Sells(pi, by.seller, false)) {
		return hotel.Invalid("/rate_plan_id", "unknown_rate_plan", "rate plan %s is not sold for room type %s by this client", plan.ID, room.ID)
	}
	party := board.Party{Adults: r.Adults, Ages: r.ChildrenAges}
	if !b.Fits(ri, party) {
		return hotel.Invalid("/adults", "occupancy_exceeded", "room type %s takes at most %d adults, %d children and %d guests", room.ID, room.MaxAdults, room.MaxChildren, room.MaxOccupancy)
	}
	q := b.Quote(r.Stay, ri, pi, party, today)
	r.Overbooked = false
	if q.Available == 0 {
		if !by.overbook {
			return full(b, ri, r.Stay)
		}
		r.Overbooked = true
	}
	if len(q.Failed) > 0 {
		return forbidden(q.Failed)
	}
	if !q.Priced {
		return forbidden([]availability.Violation{{Field: hotel.FieldAmount, Date: r.Stay.CheckIn, Detail: "a night has no price"}})
	}
	r.Nightly = nil
	for i, amount := range q.Nightly {
		r.Nightly = append(r.Nightly, hotel.NightPrice{Date: r.Stay.CheckIn + hotel.Date(i), RoomTypeID: room.ID, RatePlanID: plan.ID, Amount: amount})
	}
	r.Total = q.Total
	return nil
}

func (s *structure) checkStay(stay hotel.Stay, earliest, today hotel.Date) error {
	switch horizon := today + hotel.Date(s.property.HorizonDays); {
	case stay.CheckOut <= stay.CheckIn:
		return hotel.Invalid("/check_out", "date_order", "must be after check_in (%s)", stay.CheckIn)
	case stay.CheckIn < earliest:
		return hotel.Invalid("/check_in", "date_in_past", "must not be before the business date (%s)", today)
	case stay.CheckOut <= today:
		return hotel.Invalid("/check_out", "date_in_past", "must be after the business date (%s)", today)
	case stay.CheckOut > horizon:
		return hotel.Invalid("/check_out", "date_horizon", "must not be after the booking horizon (%s)", horizon)
	case stay.Nights() > MaxNights:
		return hotel.Invalid("/check_out", "stay_too_long", "a stay has at most %d nights", MaxNights)
	}
	return nil
}

// full refuses a stay for want of a room, naming the nights.
func full(b *board.Board, room int, stay hotel.Stay) error {
	var nights []string
	for d := stay.CheckIn; d < stay.CheckOut; d++ {
		if b.House(d)[room].Available == 0 {
			nights = append(nights, d.String())
		}
	}
	r := hotel.Refuse("not_available", "no room of this type is free on %d of the %d nights", len(nights), stay.Nights())
	r.Members = map[string]any{"nights": nights, "reason": "full"}
	return r
}

func forbidden(failed []availability.Violation) error {
	list := make([]map[string]any, len(failed))
	for i, v := range failed {
		list[i] = map[string]any{"restriction": v.Field, "date": v.Date.String(), "detail": v.Detail}
	}
	r := hotel.Refuse("restriction_violated", "the stay is not allowed: %s on %s", failed[0].Detail, failed[0].Date)
	r.Members = map[string]any{"restrictions": list}
	return r
}

func expect(expected *hotel.Money, total hotel.Money) error {
	if expected == nil || *expected == total {
		return nil
	}
	r := hotel.Refuse("price_changed", "the stay costs %s now, not %s", total, *expected)
	r.Members = map[string]any{"current_total": map[string]string{"amount": total.Amount(), "currency": string(total.Currency)}}
	return r
}

// bookEntry journals what happened to a reservation, stores it, and follows
// what comes of it. before is the reservation as it was, nil for a new one.
func (t *tx) bookEntry(kind Kind, s *structure, r, before *hotel.Reservation) error {
	nights := nightSet{}
	if takes(r) != "" {
		nights.addStay(r.Stay)
	}
	if before != nil && takes(before) != "" {
		nights.addStay(before.Stay)
	}
	seq, err := t.append(entry{
		property: r.PropertyID, kind: kind, subject: r.ID, nights: nights.spans(),
		body: ReservationFact{
			Status: r.Status, RoomTypeID: r.RoomTypeID, RatePlanID: r.RatePlanID, HeldRoom: r.HeldRoom, Stay: r.Stay,
			ChannelID: r.Source.ChannelID, Reference: r.Source.Reference, Total: r.Total.Minor, Currency: r.Total.Currency, Overbooked: r.Overbooked,
			Ranges: nights.spans(),
		},
	})
	if err != nil {
		return err
	}
	r.Sequence = seq
	if before == nil {
		err = t.insertReservation(r)
	} else {
		err = t.updateReservation(r, r.Guest != before.Guest)
	}
	if err != nil {
		return err
	}
	return t.follow(s, affected{property: r.PropertyID, stock: true, nights: nights, patched: true}, seq)
}

// ReservationFact is the body of a reservation's entries: ids and numbers, and
// nothing about the guest.
type ReservationFact struct {
	Status     hotel.ReservationStatus `json:"status"`
	RoomTypeID string                  `json:"room_type_id,omitempty"`
	RatePlanID string                  `json:"rate_plan_id,omitempty"`
	HeldRoom   string                  `json:"held_room_type_id,omitempty"`
	Stay       hotel.Stay              `json:"stay"`
	ChannelID  string                  `json:"channel_id"`
	Reference  string                  `json:"channel_reference,omitempty"`
	Total      int64                   `json:"total_minor"`
	Currency   hotel.Currency          `json:"currency,omitempty"`
	Overbooked bool                    `json:"overbooked,omitempty"`
	Ranges     []hotel.Span            `json:"ranges,omitempty"` // nights on which it takes a room or gives one back
}

// change runs a change of one stored reservation under its idempotency key.
func (l *Ledger) change(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, f func(t *tx, s *structure, r *hotel.Reservation) (Kind, error),
) (hotel.Reservation, bool, error) {
	var r hotel.Reservation // no named results, as in CreateReservation
	var replayed bool
	err := l.write(ctx, urgent, by, func(t *tx) error {
		_, done, err := t.begin(once)
		replayed = done
		if err != nil {
			return err
		}
		if r, err = t.reservation(id); err != nil || done {
			return err
		}
		if ifRevision != 0 && ifRevision != r.Revision {
			refusal := hotel.Refuse("precondition_failed", "the reservation is at revision %d, not %d: read it again", r.Revision, ifRevision)
			refusal.Members = map[string]any{"revision": r.Revision}
			return refusal
		}
		s, err := t.structure(r.PropertyID)
		if err != nil {
			return err
		}
		before := r
		kind, err := f(t, s, &r)
		if err != nil {
			return err
		}
		if kind != "" {
			if err := t.bookEntry(kind, s, &r, &before); err != nil {
				return err
			}
		}
		return t.keep(r.ID)
	})
	if err != nil {
		return hotel.Reservation{}, false, err // r may still be written to when the outcome is unknown
	}
	return r, replayed, nil
}

// CancelReservation cancels a direct booking. Cancelling it again changes
// nothing. A channel's booking can be cancelled at the channel only.
func (l *Ledger) CancelReservation(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.CancelRequest) (hotel.Reservation, bool, error) {
	return l.change(ctx, by, once, id, c.IfRevision, func(t *tx, _ *structure, r *hotel.Reservation) (Kind, error) {
		if r.Status == hotel.Cancelled {
			return "", nil
		}
		if r.Source.ChannelID != hotel.Direct {
			return "", channelOwned("cancel", r)
		}
		r.Status = hotel.Cancelled
		r.Cancel = &hotel.Cancellation{At: t.now, Reason: c.Reason, Note: c.Note, By: by.Actor}
		return ReservationCancelled, nil
	})
}

func channelOwned(action string, r *hotel.Reservation) error {
	refusal := hotel.Refuse("channel_owned", "the booking belongs to channel %s: do it there, and it arrives here by itself", r.Source.ChannelID)
	refusal.Members = map[string]any{
		"action":       action,
		"instructions": fmt.Sprintf("Open booking %s in the extranet of the channel and %s it there.", r.Source.Reference, action),
	}
	return refusal
}

// ChangeReservation changes a reservation. Rooms are given back and taken in one
// transaction. A change of room type alone keeps the price; added nights and a
// new plan are priced.
func (l *Ledger) ChangeReservation(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.ReservationChange) (hotel.Reservation, bool, error) {
	return l.change(ctx, by, once, id, c.IfRevision, func(t *tx, s *structure, r *hotel.Reservation) (Kind, error) {
		before := *r
		assign(&r.Notes, c.Notes)
		assign(&r.Metadata, c.Metadata)
		moves := c.CheckIn != nil || c.CheckOut != nil || c.RoomTypeID != nil || c.RatePlanID != nil || c.Adults != nil || c.ChildrenAges != nil
		if r.Status != hotel.Confirmed && (moves || c.Guest != nil || c.Requests != nil) {
			refusal := hotel.Refuse("invalid_transition", "a %s reservation takes changes of notes and metadata only", r.Status)
			refusal.Members = map[string]any{"from": r.Status, "to": r.Status, "allowed": []string{}}
			return "", refusal
		}
		assign(&r.Guest, c.Guest)
		assign(&r.Requests, c.Requests)
		if !moves {
			if reflect.DeepEqual(*r, before) {
				return "", nil
			}
			return ReservationUpdated, nil
		}
		assign(&r.Stay.CheckIn, c.CheckIn)
		assign(&r.Stay.CheckOut, c.CheckOut)
		assign(&r.RoomTypeID, c.RoomTypeID)
		assign(&r.RatePlanID, c.RatePlanID)
		assign(&r.Adults, c.Adults)
		assign(&r.ChildrenAges, c.ChildrenAges)
		if err := t.move(s, r, &before, c.Seller); err != nil {
			return "", err
		}
		return ReservationUpdated, expect(c.ExpectedTotal, r.Total)
	})
}

func assign[V any](to, from *V) {
	if from != nil {
		*to = *from
	}
}

// move checks and prices a reservation whose stay, room, plan or party changed.
func (t *tx) move(s *structure, r, before *hotel.Reservation, seller string) error {
	if r.Source.ChannelID != hotel.Direct {
		if r.Stay != before.Stay || r.RatePlanID != before.RatePlanID {
			return channelOwned("change", before)
		}
		return t.moveRoom(s, r)
	}
	if err := t.freeNights(before); err != nil {
		return err
	}
	earliest := min(before.Stay.CheckIn, s.property.BusinessDate(t.now))
	if r.RatePlanID == before.RatePlanID {
		seller = "" // the plan was sold already
	}
	if err := t.sell(s, r, sale{seller: seller, earliest: earliest}); err != nil {
		return err
	}
	if r.RatePlanID == before.RatePlanID && r.Adults == before.Adults && len(r.ChildrenAges) == len(before.ChildrenAges) {
		keepPrices(r, before)
	}
	return nil
}

// moveRoom gives a channel's guest another room type. The price is the
// channel's and stays.
func (t *tx) moveRoom(s *structure, r *hotel.Reservation) error {
	if s.room(r.RoomTypeID) == nil {
		return hotel.Invalid("/room_type_id", "unknown_room_type", "the property has no room type %q", r.RoomTypeID)
	}
	if err := t.freeNights(r); err != nil {
		return err
	}
	b, err := t.spanBoard(s, r.Stay.CheckIn, r.Stay.CheckOut-1)
	if err != nil {
		return err
	}
	room, _ := b.Room(r.RoomTypeID)
	for d := r.Stay.CheckIn; d < r.Stay.CheckOut; d++ {
		if b.House(d)[room].Available == 0 {
			return full(b, room, r.Stay)
		}
	}
	r.HeldRoom, r.Overbooked = "", false
	return nil
}

// keepPrices puts the prices of nights that were booked before back in place.
func keepPrices(r, before *hotel.Reservation) {
	r.Total.Minor = 0
	for i, n := range r.Nightly {
		for _, was := range before.Nightly {
			if was.Date == n.Date {
				r.Nightly[i].Amount = was.Amount
			}
		}
		r.Total.Minor += r.Nightly[i].Amount.Minor
	}
}

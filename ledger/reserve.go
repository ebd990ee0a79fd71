package ledger

import (
	"context"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// CreateReservation books one room, if every night has one and nothing forbids
// the stay. The check and the booking are one transaction: of many who ask for
// the last room, one gets it. The bool tells that the key of once had its effect
// before.
func (l *Ledger) CreateReservation(ctx context.Context, by hotel.By, once hotel.Once, n hotel.NewReservation) (hotel.Reservation, bool, error) {
	// The item decides on the board; it is loaded here, where it holds up nobody.
	if _, err := l.Board(ctx, n.PropertyID); err != nil {
		return hotel.Reservation{}, false, fmt.Errorf("property %s: %w", n.PropertyID, err)
	}
	return underKey(ctx, l, urgent, by, once, func(t *tx, id string, done bool) (r hotel.Reservation, err error) {
		if done {
			return t.reservation(id)
		}
		s, err := t.structure(n.PropertyID)
		if err != nil {
			return r, err
		}
		if n.GroupID != "" {
			if err := t.joins(n.PropertyID, n.GroupID, n.Source, n.Seller); err != nil {
				return r, err
			}
		}
		if r, err = t.reserve(s, &n); err != nil {
			return r, err
		}
		return r, t.keep(r.ID)
	})
}

// reserve checks, prices and stores one new reservation.
func (t *tx) reserve(s *structure, n *hotel.NewReservation) (hotel.Reservation, error) {
	r := t.asked(s, n)
	if err := t.checkNew(s, &r, n); err != nil {
		return r, err
	}
	by := everything(&r, n.Seller, n.Overbook, n.SellDealt)
	var err error
	if by.agreed, err = t.agreedPlan(s, &r); err != nil {
		return r, err
	}
	if err := t.override(&r, n.Overrides); err != nil {
		return r, err
	}
	if err := t.sell(s, &r, by); err != nil {
		return r, err
	}
	if err := expect(s, n.ExpectedTotal, &r, nil); err != nil {
		return r, err
	}
	plan := s.plan(r.RatePlanID)
	r.Policy, r.NoShowFee = plan.Cancellation, plan.NoShowPenalty()
	if r.Guarantee == "" {
		r.Guarantee = plan.Guarantee
	}
	if err := t.bookEntry(ReservationCreated, s, &r, nil); err != nil {
		return r, err
	}
	if err := t.tellProfile(s, &r, n.Profile); err != nil || n.ShownIn == "" {
		return r, err
	}
	return r, t.noteShown(n.ShownIn, r.GuestID)
}

// asked is the reservation as somebody asks for it, before it has a price.
func (t *tx) asked(s *structure, n *hotel.NewReservation) hotel.Reservation {
	r := hotel.Reservation{
		PropertyID: n.PropertyID, GroupID: n.GroupID, Status: n.Status, HoldExpires: n.HoldExpires, RoomTypeID: n.RoomTypeID, RatePlanID: n.RatePlanID,
		BookedRoom: n.RoomTypeID, BlockID: n.BlockID, RoomNumber: n.RoomNumber, Stay: n.Stay, ArrivalTime: n.ArrivalTime, Adults: n.Adults, ChildrenAges: n.ChildrenAges,
		GuestID: n.GuestID, Guest: n.Guest, Companions: n.Companions, Source: n.Source, Extras: n.Extras, Free: n.Free, HouseUse: n.HouseUse,
		Guarantee: n.Guarantee, DepositPaid: n.DepositPaid, Commission: n.Commission, NetOfCommission: n.NetAmounts, Segment: n.Segment, Tags: n.Tags, Words: n.Words,
	}
	r.ID = hotel.NewID("res")
	if r.Status == "" {
		r.Status = hotel.Confirmed
	}
	if r.Source.ChannelID == "" {
		r.Source.ChannelID = hotel.Direct
	}
	if r.Source.BookedAt.IsZero() {
		r.Source.BookedAt = t.now
	}
	if r.Status == hotel.CheckedIn {
		r.Arrived = &hotel.Passage{At: t.now, On: s.property.BusinessDate(t.now), Room: r.RoomTypeID}
	}
	return r
}

// checkNew looks for everything that keeps a new reservation from being stored,
// but for rooms and prices.
func (t *tx) checkNew(s *structure, r *hotel.Reservation, n *hotel.NewReservation) error {
	sells := s.property.Sells(t.now)
	if err := checkStay(r.Stay, sells.From, sells); err != nil {
		return err
	}
	var w wrong
	if !slices.Contains(stay.Initial, r.Status) {
		w.add("/status", "enum", "a reservation cannot begin as %s", r.Status)
	}
	if r.Status == hotel.CheckedIn && r.Stay.CheckIn != sells.From {
		w.add("/check_in", "date_order", "a guest who walks in arrives on the business date (%s)", sells.From)
	}
	w.expiry(r, t.now)
	w.details(s, r)
	w.deposit(s, r)
	w.commission(s, r)
	if n.GuestID == "" {
		w.guest(r, nil, s.property.Today(t.now))
	} else if err := t.giveTo(&w, r, n.GuestID); err != nil {
		return err
	}
	if err := t.checkCompanions(&w, r); err != nil {
		return err
	}
	if err := t.checkSource(&w, r); err != nil {
		return err
	}
	if err := w.refusal(); err != nil {
		return err
	}
	return t.checkNatural(r)
}

// checkNatural refuses a channel's reference that is stored already.
func (t *tx) checkNatural(r *hotel.Reservation) error {
	if r.Source.Reference == "" {
		return nil
	}
	rows, err := t.q.ReservationsOfBooking(t.ctx, ledgerdb.ReservationsOfBookingParams{
		PropertyID: r.PropertyID, ChannelID: r.Source.ChannelID, ChannelRef: r.Source.Reference,
	})
	if err != nil {
		return fmt.Errorf("look up booking: %w", err)
	}
	for _, row := range rows {
		if row.Reservation.RoomRef == r.Source.RoomRef && r.Source.SameSeller(hotel.Source{SubChannel: row.Reservation.SubChannel}) {
			refusal := hotel.Refuse("duplicate_reservation", "this booking of the channel is stored already")
			refusal.Members = map[string]any{"existing_id": row.Reservation.ID}
			return refusal
		}
	}
	return nil
}

// checkStay checks dates against the nights that can be sold; earliest is the
// first arrival that the caller may ask for.
func checkStay(stay hotel.Stay, earliest hotel.Date, sells hotel.Span) error {
	switch {
	case stay.CheckOut <= stay.CheckIn:
		return hotel.Invalid("/check_out", "date_order", "must be after check_in (%s)", stay.CheckIn)
	case stay.CheckIn < earliest:
		return hotel.Invalid("/check_in", "date_in_past", "must not be before the business date (%s)", sells.From)
	case stay.CheckOut-1 > sells.To:
		return hotel.Invalid("/check_out", "date_horizon", "the last night must not be after the booking horizon (%s)", sells.To)
	case stay.Nights() > MaxNights:
		return hotel.Invalid("/check_out", "stay_too_long", "a stay has at most %d nights", MaxNights)
	}
	return nil
}

// override sets the prices that somebody gave by hand. The others are still to be
// found.
func (t *tx) override(r *hotel.Reservation, amounts []hotel.NightAmount) error {
	r.Nightly = slices.Clone(r.Nightly)
	for i, o := range amounts {
		night := hotel.NightPrice{Date: o.Date, RatePlanID: r.RatePlanID, Amount: o.Amount, Override: true}
		at := slices.IndexFunc(r.Nightly, func(n hotel.NightPrice) bool { return n.Date == o.Date })
		if at >= 0 && r.Nightly[at].RatePlanID == o.RatePlanID {
			night.RatePlanID = o.RatePlanID // a night that is over was sold by the plan of that time
		}
		pointer := fmt.Sprintf("/nightly/%d", i)
		switch room := r.RoomOn(o.Date); {
		case !r.Stay.Contains(o.Date):
			return hotel.Invalid(pointer+"/date", "enum", "%s is no night of the stay", o.Date)
		case o.RoomTypeID != "" && o.RoomTypeID != room:
			return hotel.Invalid(pointer+"/room_type_id", "read_only", "is %s on that night: move the guest by the room_type_id of the reservation", room)
		case o.RatePlanID != "" && o.RatePlanID != night.RatePlanID:
			return hotel.Invalid(pointer+"/rate_plan_id", "read_only", "is %s on that night: change the rate_plan_id of the reservation", night.RatePlanID)
		case at >= 0:
			r.Nightly[at] = night
		default:
			r.Nightly = append(r.Nightly, night)
		}
	}
	return nil
}

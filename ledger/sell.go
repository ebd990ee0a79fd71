package ledger

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// MaxNights is the longest stay that a writer through /v1 may book. Channels are
// not bound by it.
const MaxNights = 90

// sale says what of a stay is sold now, by whom and under what conditions.
type sale struct {
	seller   hotel.Seller
	overbook bool                              // take the rooms although none is free
	agreed   bool                              // the plan is that of a block or as it was, whoever sells it otherwise
	had      bool                              // the plan is as it was
	dealt    bool                              // take them although they are on sale at channels
	take     []hotel.Date                      // nights that need a free room
	price    []hotel.Date                      // nights that get the price of today
	counts   func(availability.Violation) bool // which restrictions count
}

// everything is the sale of a whole stay.
func everything(r *hotel.Reservation, seller hotel.Seller, overbook, dealt bool) sale {
	nights := r.Stay.Dates()
	by := sale{seller: seller, overbook: overbook, dealt: dealt, price: nights, counts: func(availability.Violation) bool { return stay.Live(r.Status) }}
	if stay.Live(r.Status) {
		by.take = nights
	}
	return by
}

// tooSmall refuses a room type that does not take the party.
func tooSmall(pointer string, room *hotel.RoomType) error {
	if room.MaxInfants != nil {
		return hotel.Invalid(pointer, "occupancy_exceeded", "room type %s takes at most %d adults, %d children, %d infants and %d guests",
			room.ID, room.MaxAdults, room.MaxChildren, *room.MaxInfants, room.MaxOccupancy)
	}
	return hotel.Invalid(pointer, "occupancy_exceeded", "room type %s takes at most %d adults, %d children and %d guests", room.ID, room.MaxAdults, room.MaxChildren, room.MaxOccupancy)
}

// sell checks that what is new about a reservation can be sold, prices it, and
// notes whether it found a room.
func (t *tx) sell(s *structure, r *hotel.Reservation, by sale) error {
	room, plan := s.room(r.RoomTypeID), s.plan(r.RatePlanID)
	if room == nil {
		return hotel.Invalid("/room_type_id", "unknown_room_type", "the property has no room type of that id")
	}
	if plan == nil && !by.had {
		return hotel.Invalid("/rate_plan_id", "unknown_rate_plan", "the property has no rate plan of that id")
	}
	if by.had && (plan == nil || !slices.Contains(plan.RoomTypeIDs, room.ID)) {
		return t.sellAgreed(s, r, &by, room)
	}
	// The check-out date is no night of the stay, but may be closed to departure.
	b, err := t.spanBoard(s, r.Stay.CheckIn, r.Stay.CheckOut)
	if err != nil {
		return err
	}
	ri, _ := b.Room(room.ID)
	pi, _ := b.Plan(plan.ID)
	if !b.Offers(ri, pi) || !by.agreed && !b.Sells(pi, by.seller) {
		return hotel.Invalid("/rate_plan_id", "unknown_rate_plan", "rate plan %s is not sold for room type %s by this client", plan.ID, room.ID)
	}
	party := board.Party{Adults: r.Adults, Ages: r.ChildrenAges}
	if !b.Fits(ri, party) {
		return tooSmall("/adults", room)
	}
	if !by.agreed && !by.had && b.Few(ri, party) {
		return hotel.Invalid("/adults", "min", "room type %s is sold to %d guests or more", room.ID, room.MinOccupancy)
	}
	agreed, err := t.findRoom(s, b, r, &by)
	if err != nil {
		return err
	}
	today := s.property.BusinessDate(t.now)
	q := b.Quote(r.Stay, ri, pi, party, today)
	late, err := t.late(b, r.Stay.CheckIn, pi, by.seller)
	if err != nil {
		return err
	}
	if late {
		q.Failed = append(q.Failed, availability.Late(r.Stay.CheckIn))
	}
	if failed := slices.DeleteFunc(q.Failed, func(v availability.Violation) bool { return !by.counts(v) }); len(failed) > 0 {
		return forbidden(failed)
	}
	return t.price(r, by, plan, func(d hotel.Date) (hotel.Money, bool) {
		if agreed != nil {
			return *agreed, true
		}
		q := b.Quote(hotel.Stay{CheckIn: d, CheckOut: d + 1}, ri, pi, party, today)
		return q.Total, q.Priced
	})
}

// sellAgreed sells what a reservation has already in another room, on fewer nights, or to
// others, where its plan is not sold any more, or not for the room type: the prices stay as
// they were agreed. What would need a price has none.
func (t *tx) sellAgreed(s *structure, r *hotel.Reservation, by *sale, room *hotel.RoomType) error {
	unpriced := 0
	for _, d := range by.price {
		if !r.PriceKnown || !slices.ContainsFunc(r.Nightly, func(n hotel.NightPrice) bool { return n.Date == d && n.Override }) {
			unpriced++
		}
	}
	if unpriced > 0 {
		return hotel.Invalid("/rate_plan_id", "unknown_rate_plan",
			"the rate plan of the reservation (%s) is not sold for this room type any more, so that %d of its nights have no price: name a plan that is, or type the prices of the nights", r.RatePlanID, unpriced)
	}
	b, err := t.spanBoard(s, r.Stay.CheckIn, r.Stay.CheckOut)
	if err != nil {
		return err
	}
	if ri, _ := b.Room(room.ID); !b.Fits(ri, board.Party{Adults: r.Adults, Ages: r.ChildrenAges}) {
		return tooSmall("/adults", room)
	}
	if _, err := t.findRoom(s, b, r, by); err != nil {
		return err
	}
	r.Nightly = slices.DeleteFunc(slices.Clone(r.Nightly), func(n hotel.NightPrice) bool { return !r.Stay.Contains(n.Date) })
	slices.SortFunc(r.Nightly, func(a, b hotel.NightPrice) int { return cmp.Compare(a.Date, b.Date) })
	if !r.PriceKnown {
		return nil
	}
	return sumUp(r)
}

// late reports whether it is too late for the seller to sell a plan for an arrival.
func (t *tx) late(b *board.Board, arrival hotel.Date, plan int, by hotel.Seller) (bool, error) {
	if !by.Channel {
		return false, nil
	}
	_, c, err := t.channel(by.ID)
	if err != nil {
		return false, err
	}
	return b.Late(arrival, plan, board.Asker{Seller: by, Now: t.now, CutOff: c.CutOff}), nil
}

// findRoom looks for a room on the nights that are to be taken: in the block that
// the reservation draws from, or among those that are free. It returns the price
// that was agreed for the block, nil when there is none.
func (t *tx) findRoom(s *structure, b *board.Board, r *hotel.Reservation, by *sale) (agreed *hotel.Money, err error) {
	if r.BlockID == "" {
		return nil, t.freeRoom(b, r, by)
	}
	rooms := make(map[hotel.Date]string, len(by.take))
	for _, d := range by.take {
		rooms[d] = r.RoomOn(d)
	}
	block, err := t.pickUp(s, r.BlockID, rooms)
	if err != nil {
		return nil, err
	}
	// Restrictions are for those to whom nothing was promised.
	by.counts = func(availability.Violation) bool { return false }
	for _, a := range block.Amounts {
		if a.RoomTypeID == r.RoomTypeID {
			agreed = &a.Amount
		}
	}
	if block.TakesRooms() {
		return agreed, t.keptRoom(b, r, by) // they are the block's already, and need not be free
	}
	return agreed, t.freeRoom(b, r, by)
}

// keptRoom refuses a room of a block that channels were granted before the block took it, and
// may sell until it is back, as freeRoom refuses one that is free.
func (t *tx) keptRoom(b *board.Board, r *hotel.Reservation, by *sale) error {
	var rooms []hotel.RoomNight
	var dealt []hotel.Date
	for _, d := range by.take {
		rooms = append(rooms, hotel.RoomNight{Night: d, RoomTypeID: r.RoomOn(d)})
		if room, ok := b.Room(r.RoomOn(d)); ok && b.House(d)[room].Net >= 0 && b.Undealt(d)[room].Net < 0 {
			dealt = append(dealt, d)
		}
	}
	if len(dealt) == 0 {
		return nil
	}
	return t.refuseDealt(r, by, rooms, dealt, 1)
}

// freeRoom notes whether the nights that are to be taken have a free room, and
// refuses those that have none unless the room is taken all the same. A room that
// is on sale at a channel is none that may be sold here before it is back, unless
// somebody answers for it.
func (t *tx) freeRoom(b *board.Board, r *hotel.Reservation, by *sale) error {
	own, err := t.ownGrants(r, by.take)
	if err != nil {
		return err
	}
	var missing []string
	var dealt []hotel.Date
	var rooms []hotel.RoomNight
	why, recallable := hindrance(0), hotel.MaxUnits
	for _, d := range by.take {
		rooms = append(rooms, hotel.RoomNight{Night: d, RoomTypeID: r.RoomOn(d)})
		room, ok := b.Room(r.RoomOn(d))
		free := 0
		if ok {
			free = b.House(d)[room].Available
		}
		if ok && by.seller.Channel {
			free = min(free, b.SaleTo(d, room, by.seller.ID, t.soldOn(r, d)).Free)
		}
		switch {
		case free == 0:
			missing = append(missing, d.String())
			why = max(why, hindranceOn(b, d, room, ok))
		case b.Undealt(d)[room].Available == 0 && !own[roomNight{d, r.RoomOn(d)}]:
			dealt = append(dealt, d)
			recallable = min(recallable, free)
		}
	}
	switch {
	case by.overbook:
		r.Overbooked = r.Overbooked || len(missing) > 0 && why.overbooks()
	case len(missing) > 0:
		return why.refuse(missing, len(by.take))
	}
	if len(dealt) > 0 {
		if err := t.refuseDealt(r, by, rooms, dealt, recallable); err != nil {
			return err
		}
	}
	if t.sold == nil {
		t.sold = make(map[string][]hotel.RoomNight)
	}
	t.sold[r.PropertyID] = append(t.sold[r.PropertyID], rooms...)
	return nil
}

// refuseDealt refuses the rooms of a sale that are on sale at channels on some of its nights,
// so many of them at least on each, unless somebody answers for selling them.
func (t *tx) refuseDealt(r *hotel.Reservation, by *sale, rooms []hotel.RoomNight, dealt []hotel.Date, recallable int) error {
	if by.dealt || by.overbook {
		t.sellDealt(r.PropertyID, by.take)
		return nil
	}
	nights := make([]string, len(dealt))
	for i, d := range dealt {
		nights[i] = d.String()
	}
	refusal := hotel.Refuse("not_available", "on %d of the %d nights every free room of this type is on sale at a channel; they are being taken back", len(dealt), len(by.take))
	refusal.Members = map[string]any{"nights": nights, "reason": reasonDealt, "recallable": recallable, "retry_after": RecallSeconds}
	return &DealtError{refusal, r.PropertyID, rooms}
}

// ownGrants says on which nights a channel's account has a room for its own guest already,
// whom somebody moves to a type that takes the very same of the pools.
func (t *tx) ownGrants(r *hotel.Reservation, nights []hotel.Date) (map[roomNight]bool, error) {
	if r.Source.ChannelID == hotel.Direct {
		return nil, nil
	}
	var types []string
	for _, d := range nights {
		if room := r.RoomOn(d); !slices.Contains(types, room) {
			types = append(types, room)
		}
	}
	rows, err := t.q.OwnGrants(t.ctx, ledgerdb.OwnGrantsParams{RoomTypeIds: jsonList(types), ReservationID: r.ID})
	if err != nil {
		return nil, fmt.Errorf("read what channels were granted for %s: %w", r.ID, err)
	}
	own := make(map[roomNight]bool, len(rows))
	for _, n := range rows {
		own[roomNight{hotel.Date(n.Night), n.RoomTypeID}] = true
	}
	return own, nil
}

// soldOn returns how many rooms of the reservation's type the item has sold on the night
// already: the rooms of a group are sold one by one.
func (t *tx) soldOn(r *hotel.Reservation, d hotel.Date) (n int) {
	for _, sold := range t.sold[r.PropertyID] {
		if sold.Night == d && sold.RoomTypeID == r.RoomOn(d) {
			n++
		}
	}
	return n
}

// sellDealt notes that nights were sold on which every free room was on sale at a channel.
func (t *tx) sellDealt(property string, nights []hotel.Date) {
	if t.soldDealt == nil {
		t.soldDealt = map[string]nightSet{}
	}
	if t.soldDealt[property] == nil {
		t.soldDealt[property] = nightSet{}
	}
	maps.Copy(t.soldDealt[property], setOf(nights...))
}

// DealtError refuses a direct sale of rooms that are free, but on sale at channels of a
// guarded pool. [Ledger.Recall] takes them back.
type DealtError struct {
	Refusal    *hotel.Refusal
	PropertyID string
	Rooms      []hotel.RoomNight // all that the sale takes, in order; those that are not on sale too
}

func (e *DealtError) Error() string { return e.Refusal.Error() }

// Unwrap returns the refusal.
func (e *DealtError) Unwrap() error { return e.Refusal }

// reasonDealt is the reason that such a refusal gives.
const reasonDealt = "dealt"

// RecallSeconds is after how long it is worth asking again for a room that is being
// taken back from a channel.
const RecallSeconds = 30

// price gives each night of the stay its amount: today's where the sale says so,
// else the one that it had. Amounts that were set by hand stay as they are.
func (t *tx) price(r *hotel.Reservation, by sale, plan *hotel.RatePlan, today func(hotel.Date) (hotel.Money, bool)) error {
	had := r.Nightly
	r.Nightly, r.Total = nil, hotel.Money{Currency: plan.Currency}
	for d := r.Stay.CheckIn; d < r.Stay.CheckOut; d++ {
		at := slices.IndexFunc(had, func(n hotel.NightPrice) bool { return n.Date == d })
		night := hotel.NightPrice{Date: d, RatePlanID: plan.ID}
		switch {
		case at >= 0 && (had[at].Override || !slices.Contains(by.price, d)):
			night = had[at]
		case r.Free || r.HouseUse:
			night.Amount.Currency = plan.Currency
		default:
			var priced bool
			if night.Amount, priced = today(d); !priced {
				return forbidden([]availability.Violation{availability.Unpriced(d)})
			}
		}
		r.Nightly = append(r.Nightly, night)
	}
	r.TaxMode, r.PriceKnown = plan.TaxMode, true
	return sumUp(r)
}

// sumUp adds up the nights. They are in one currency.
func sumUp(r *hotel.Reservation) error {
	r.Total.Minor = 0
	for _, n := range r.Nightly {
		if n.Amount.Currency != r.Total.Currency {
			return hotel.Invalid("/nightly", "currency_mismatch", "the nights are sold in %s", r.Total.Currency)
		}
		if r.Total.Minor += n.Amount.Minor; !r.Total.Countable() {
			return hotel.Invalid("/nightly", "max", "the nights come to 10^12 %s or more by %s: look whether an amount has digits too many", r.Total.Currency, n.Date)
		}
	}
	return nil
}

// forbidden refuses a stay for what the property does not sell.
func forbidden(failed []availability.Violation) error {
	list := make([]map[string]any, len(failed))
	for i, v := range failed {
		list[i] = map[string]any{"restriction": v.Field, "date": v.Date.String(), "detail": v.Detail}
	}
	r := hotel.Refuse("restriction_violated", "the stay is not allowed: %s on %s", failed[0], failed[0].Date)
	r.Members = map[string]any{"restrictions": list}
	return r
}

// expect refuses a reservation that comes to another total than the caller was
// told, VAT included. A total in another currency was never told: that is a mistake
// of the request, and no price that has changed.
func expect(s *structure, expected *hotel.Money, r, before *hotel.Reservation) error {
	if expected == nil && before == nil {
		return nil // it is totalled when it is stored
	}
	total(s, r, before)
	if expected == nil || r.Totals != nil && *expected == r.Totals.Gross {
		return nil
	}
	if r.Totals == nil {
		return hotel.Refuse("price_changed", "the price of the stay is not known")
	}
	if of := r.Totals.Gross.Currency; expected.Currency != of {
		return hotel.Invalid("/expected_total", "currency_mismatch", "the stay is sold in %s, not in %s", of, expected.Currency)
	}
	refusal := hotel.Refuse("price_changed", "the stay costs %s now, not %s", r.Totals.Gross, *expected)
	refusal.Members = map[string]any{"current_total": r.Totals.Gross}
	return refusal
}

package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
	"ostler.example/hotel/stay"
)

// change runs a change of one stored reservation under its idempotency key.
func (l *Ledger) change(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, f func(t *tx, s *structure, r *hotel.Reservation) (Kind, error),
) (hotel.Reservation, bool, error) {
	return l.changeThen(ctx, by, once, id, ifRevision, f, func(*tx, *structure, *hotel.Reservation) error { return nil })
}

// changeThen does something more when the change is stored, also where there was none.
func (l *Ledger) changeThen(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64,
	f func(t *tx, s *structure, r *hotel.Reservation) (Kind, error), then func(t *tx, s *structure, r *hotel.Reservation) error,
) (hotel.Reservation, bool, error) {
	return underKey(ctx, l, urgent, by, once, func(t *tx, _ string, done bool) (r hotel.Reservation, err error) {
		if r, err = t.reservation(id); err != nil || done {
			return r, err
		}
		if ifRevision != 0 && ifRevision != r.Revision {
			refusal := hotel.Refuse("precondition_failed", "the reservation is at revision %d, not %d: read it again", r.Revision, ifRevision)
			refusal.Members = map[string]any{"revision": r.Revision}
			return r, refusal
		}
		s, err := t.structure(r.PropertyID)
		if err != nil {
			return r, err
		}
		before := r
		kind, err := f(t, s, &r)
		if err != nil {
			return r, err
		}
		if kind != "" {
			if err := t.bookEntry(kind, s, &r, &before); err != nil {
				return r, err
			}
		}
		if err := then(t, s, &r); err != nil {
			return r, err
		}
		return r, t.keep(r.ID)
	})
}

// ChangeReservation changes a reservation. Rooms are given back and taken in one
// transaction. A change of room type alone keeps the price; added nights and a
// new plan are priced. Nothing else of a reservation that is over changes than
// what people wrote about it.
func (l *Ledger) ChangeReservation(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.ReservationChange) (hotel.Reservation, bool, error) {
	return l.changeThen(ctx, by, once, id, c.IfRevision, func(t *tx, s *structure, r *hotel.Reservation) (Kind, error) {
		if c.IfGuestRevision != 0 && c.IfGuestRevision != r.GuestRevision {
			return "", hotel.Refuse("precondition_failed", "the guest's profile is at revision %d, not %d: read the reservation again", r.GuestRevision, c.IfGuestRevision)
		}
		return t.alter(s, r, c)
	}, func(t *tx, s *structure, r *hotel.Reservation) error {
		if c.Guest == nil {
			return nil
		}
		return t.tellProfile(s, r, c.Guest.Part)
	})
}

// alter makes a change of a reservation, and returns what has happened to it: ""
// for nothing.
func (t *tx) alter(s *structure, r *hotel.Reservation, c hotel.ReservationChange) (Kind, error) {
	before := *r
	if stay.Over(r.Status) && !onlyWords(c) {
		refusal := hotel.Refuse("invalid_transition", "of a reservation that is %s only notes, tags, invoice_address and metadata change", r.Status)
		refusal.Members = map[string]any{"from": r.Status, "to": r.Status, "allowed": stay.Reached(r.Status)}
		return "", refusal
	}
	if err := t.lay(s, r, c); err != nil {
		return "", err
	}
	kind, err := t.shortenedBy(s, r, &before, c)
	if err != nil {
		return "", err
	}
	if err := t.move(s, r, &before, c); err != nil {
		return "", err
	}
	t.keepFields(r, &before, c.Seller)
	if reflect.DeepEqual(*r, before) {
		return "", nil
	}
	return kind, expect(s, c.ExpectedTotal, r, &before)
}

// shortenedBy has the channel asked where a change gives back nights of its booking:
// until it has said yes the dates stay as they are. Nights that were given back in its
// extranet are free at once, and the booking counts as if it had been so before. It
// returns what the change is to be known as.
func (t *tx) shortenedBy(s *structure, r, before *hotel.Reservation, c hotel.ReservationChange) (Kind, error) {
	to := r.Stay
	if !t.owned(r) || to == before.Stay || !before.Stay.Covers(to) || to.Nights() == 0 {
		return ReservationUpdated, nil
	}
	if err := checkDates(r, before, s.property.Sells(t.now), c.Override); err != nil {
		return "", err
	}
	r.Stay = before.Stay
	if !c.DoneAtChannel {
		if err := t.distinct(r, hotel.ActionShorten, false); err != nil {
			return "", err
		}
		kind, err := t.ask(s, r, hotel.ChannelAction{Kind: hotel.ActionShorten, Stay: to})
		return cmp.Or(kind, ReservationUpdated), err
	}
	told := *before
	if err := t.byHand(s, &told, hotel.ActionShorten); err != nil {
		return "", err
	}
	r.Actions, r.Revision = told.Actions, told.Revision
	_, _, err := t.shorten(s, r, to)
	before.Stay, before.Extras = r.Stay, r.Extras
	return ReservationUpdated, err
}

// onlyWords reports whether a change touches nothing but what may be changed of a
// stay that is over.
func onlyWords(c hotel.ReservationChange) bool {
	c.Notes, c.Tags, c.Invoice, c.Metadata = nil, nil, hotel.Optional[map[string]*string]{}, hotel.Optional[map[string]*string]{}
	c.IfRevision, c.IfGuestRevision, c.ExpectedTotal, c.Seller = 0, 0, nil, hotel.Seller{}
	c.Overbook, c.SellDealt, c.Override, c.DoneAtChannel = false, false, false, false
	return reflect.ValueOf(c).IsZero()
}

func assign[V any](to, from *V) {
	if from != nil {
		*to = *from
	}
}

// maxMetadata is how many keys a resource's metadata has at most.
const maxMetadata = 20

// lay lays a change over the reservation, and checks what needs neither rooms nor
// prices.
func (t *tx) lay(s *structure, r *hotel.Reservation, c hotel.ReservationChange) error {
	was := r.Guest
	assign(&r.Stay.CheckIn, c.CheckIn)
	assign(&r.Stay.CheckOut, c.CheckOut)
	assign(&r.GroupID, c.GroupID)
	assign(&r.RoomTypeID, c.RoomTypeID)
	assign(&r.RatePlanID, c.RatePlanID)
	assign(&r.Adults, c.Adults)
	assign(&r.ChildrenAges, c.ChildrenAges)
	assign(&r.ArrivalTime, c.ArrivalTime)
	assign(&r.Extras, c.Extras)
	assign(&r.Free, c.Free)
	assign(&r.HouseUse, c.HouseUse)
	assign(&r.Guarantee, c.Guarantee)
	assign(&r.NetOfCommission, c.NetAmounts)
	assign(&r.HoldExpires, c.HoldExpires)
	assign(&r.Segment, c.Segment)
	assign(&r.Tags, c.Tags)
	assign(&r.Notes, c.Notes)
	assign(&r.Requests, c.Requests)
	assign(&r.RoomNumber, c.RoomNumber)
	r.CardAccess = c.CardAccess.Over(r.CardAccess)
	r.Card, r.DepositPaid, r.Commission = c.Card.Over(r.Card), c.DepositPaid.Over(r.DepositPaid), c.Commission.Over(r.Commission)
	if c.Guest != nil {
		r.Guest = c.Guest.Over(r.Guest)
	}
	assign(&r.Companions, c.Companions)
	r.Metadata = hotel.Merged(r.Metadata, c.Metadata)
	if c.GroupID != nil {
		if err := t.joins(r.PropertyID, r.GroupID, r.Source, c.Seller); err != nil {
			return err
		}
	}
	var err error
	if r.Invoice, err = mergedInvoice(r.Invoice, c.Invoice); err != nil {
		return err
	}
	var w wrong
	if len(r.Metadata) > maxMetadata {
		w.add("/metadata", "length", "has at most %d keys", maxMetadata)
	}
	if c.HoldExpires != nil {
		w.expiry(r, t.now)
	}
	if c.Extras != nil {
		w.extras(s, r)
	}
	if c.Segment != nil {
		w.segment(s, r)
	}
	if c.Tags != nil {
		w.tags(r)
	}
	if c.DepositPaid.Set {
		w.deposit(s, r)
	}
	if c.Commission.Set {
		w.commission(s, r)
	}
	if c.GuestID != nil {
		if err := t.giveTo(&w, r, *c.GuestID); err != nil {
			return err
		}
	}
	if c.Guest != nil {
		w.guest(r, &was, s.property.Today(t.now))
	}
	if c.Companions != nil {
		if err := t.checkCompanions(&w, r); err != nil {
			return err
		}
	}
	return w.refusal()
}

// mergedInvoice lays members over an invoice address, by their JSON names.
func mergedInvoice(was *hotel.Invoice, change hotel.Optional[map[string]*string]) (*hotel.Invoice, error) {
	if !change.Set {
		return was, nil
	}
	var members map[string]string
	text, err := json.Marshal(was)
	if err == nil {
		err = json.Unmarshal(text, &members)
	}
	if err != nil {
		return nil, fmt.Errorf("stored invoice address: %w", err)
	}
	members = hotel.Merged(members, change)
	if len(members) == 0 {
		return nil, nil
	}
	if text, err = json.Marshal(members); err != nil {
		return nil, fmt.Errorf("invoice address: %w", err)
	}
	now := new(hotel.Invoice)
	if err := json.Unmarshal(text, now); err != nil {
		return nil, fmt.Errorf("invoice address: %w", err)
	}
	return now, nil
}

// move gives a reservation whose dates, room, plan or party changed its rooms and
// prices.
func (t *tx) move(s *structure, r, before *hotel.Reservation, c hotel.ReservationChange) error {
	m := moved(r, before, c)
	if !m.any() {
		return nil
	}
	today := s.property.BusinessDate(t.now)
	others := r.Source.ChannelID != hotel.Direct && !c.Seller.Owns(r.Source)
	if others && (m.dates || m.plan || m.price || m.typed) {
		return channelOwned("change", before)
	}
	if m.room {
		r.EarlierRooms = earlierRooms(before, r, today)
		if c.RoomNumber == nil {
			r.RoomNumber = "" // it was one of the other type
		}
	}
	if m.dates {
		r.RoomUntil = 0
		if err := checkDates(r, before, s.property.Sells(t.now), c.Override); err != nil {
			return err
		}
		if c.Extras == nil {
			if err := followExtras(r, before.Stay); err != nil {
				return err
			}
		}
	}
	by := sale{seller: c.Seller, agreed: !m.plan, had: !m.plan, overbook: c.Overbook, dealt: c.SellDealt}
	if others {
		return t.moveGuest(s, r, before, by, c.Override)
	}
	if m.room && r.Source.ChannelID != hotel.Direct {
		r.BookedRoom, r.HeldRoom = r.RoomTypeID, "" // it is the channel that sells the other type
	}
	by.take, by.price, by.counts = freshNights(r, before, today), m.priced(r, before, today), m.counts(r, before, today)
	if err := t.override(r, c.Overrides); err != nil {
		return err
	}
	if len(c.Overrides) > 0 && slices.ContainsFunc(c.Overrides, func(o hotel.NightAmount) bool { return o.Date < today }) && !c.Override {
		return dayClosed(today)
	}
	if m.dates || m.room {
		r.Overbooked = false
		if err := t.freeNights(before); err != nil {
			return err
		}
	}
	if err := t.sell(s, r, by); err != nil {
		return err
	}
	if m.dates || m.room {
		return t.noteOverbooked(s, r)
	}
	return nil
}

// moveGuest gives a channel's guest another room type. The price, and how many
// they are, is between the guest and the channel; whether the room takes them is not.
func (t *tx) moveGuest(s *structure, r, before *hotel.Reservation, by sale, override bool) error {
	if s.room(r.RoomTypeID) == nil && r.RoomTypeID != "" {
		return hotel.Invalid("/room_type_id", "unknown_room_type", "the property has no room type of that id")
	}
	if r.RoomTypeID == before.RoomTypeID {
		return nil
	}
	r.Overbooked = false
	if err := t.fit(s, r, override); err != nil {
		return err
	}
	return t.takeNew(s, r, before, by)
}

// issueCrowded is that of a booking whose guests are more than its room takes.
const issueCrowded = "occupancy_exceeded"

// fit refuses a room type that is too small for the party, or notes it where the caller
// knows better.
func (t *tx) fit(s *structure, r *hotel.Reservation, override bool) error {
	r.Issues = slices.DeleteFunc(slices.Clone(r.Issues), func(i hotel.Issue) bool { return i.Code == issueCrowded })
	room := s.room(r.RoomTypeID)
	if room == nil {
		return nil // it waits for one
	}
	b, err := t.spanBoard(s, r.Stay.CheckIn, r.Stay.CheckOut)
	if err != nil {
		return err
	}
	if ri, known := b.Room(room.ID); !known || b.Fits(ri, board.Party{Adults: r.Adults, Ages: r.ChildrenAges}) {
		return nil
	}
	if !override {
		return tooSmall("/room_type_id", room)
	}
	r.Issues = append(r.Issues, hotel.Issue{Code: issueCrowded, Detail: "somebody gave the guests a room type that takes fewer"})
	return nil
}

// checkDates checks new dates against the business date. Nights that are over
// stay as they are, unless the caller may change the books.
func checkDates(r, before *hotel.Reservation, sells hotel.Span, override bool) error {
	earliest, today := r.Stay.CheckIn, sells.From // nights that are over are looked at below
	if err := checkStay(r.Stay, earliest, sells); err != nil {
		return err
	}
	inHouse := r.Status == hotel.CheckedIn
	if inHouse && r.Stay.CheckIn > max(today, before.Stay.CheckIn) {
		return hotel.Invalid("/check_in", "date_order", "the guest is in the house, so that the stay has begun by the business date (%s): undo the check-in first", today)
	}
	if override {
		return nil
	}
	for d := min(r.Stay.CheckIn, before.Stay.CheckIn); d < today; d++ {
		if r.Stay.Contains(d) != before.Stay.Contains(d) {
			return dayClosed(today)
		}
	}
	if r.Stay.CheckOut < today || r.Stay.CheckOut == today && !inHouse {
		return hotel.Invalid("/check_out", "date_in_past", "must be after the business date (%s)", today)
	}
	return nil
}

func dayClosed(today hotel.Date) error {
	return hotel.Refuse("business_date_closed", "nights before the business date (%s) change only with the scope reservations:override", today)
}

// earlierRooms lists where a guest who is moved has slept: before the business
// date nothing moves any more. One who has not come yet is moved as a whole.
func earlierRooms(before, r *hotel.Reservation, today hotel.Date) []hotel.EarlierRoom {
	if before.Status != hotel.CheckedIn {
		return nil
	}
	var rooms []hotel.EarlierRoom
	for d := r.Stay.CheckIn; d < min(today, r.Stay.CheckOut); d++ {
		room := before.RoomOn(d)
		if n := len(rooms) - 1; n >= 0 && rooms[n].RoomTypeID == room {
			rooms[n].Until = d + 1
			continue
		}
		rooms = append(rooms, hotel.EarlierRoom{Until: d + 1, RoomTypeID: room})
	}
	if n := len(rooms) - 1; n >= 0 && rooms[n].RoomTypeID == r.RoomOn(today) {
		rooms = rooms[:n]
	}
	return rooms
}

// alteration says what about a reservation is different.
type alteration struct {
	dates, room, plan, party, price bool
	typed                           bool // prices of nights were set by hand
}

func moved(r, before *hotel.Reservation, c hotel.ReservationChange) alteration {
	return alteration{
		dates: r.Stay != before.Stay, room: r.RoomTypeID != before.RoomTypeID, plan: r.RatePlanID != before.RatePlanID,
		party: r.Adults != before.Adults || !slices.Equal(r.ChildrenAges, before.ChildrenAges),
		price: c.Reprice || r.Free != before.Free || r.HouseUse != before.HouseUse, typed: len(c.Overrides) > 0,
	}
}

func (m alteration) any() bool { return m != alteration{} }

// priced lists the nights that get a price: those that were added, and with a new
// plan or party, or on demand, all that are not over.
func (m alteration) priced(r, before *hotel.Reservation, today hotel.Date) []hotel.Date {
	var nights []hotel.Date
	for _, d := range r.Stay.Dates() {
		if !before.Stay.Contains(d) || d >= today && (m.plan || m.party || m.price) {
			nights = append(nights, d)
		}
	}
	return nights
}

// counts says which restrictions a change has to keep: those of what is new.
func (m alteration) counts(r, before *hotel.Reservation, today hotel.Date) func(availability.Violation) bool {
	return func(v availability.Violation) bool {
		if !stay.Live(r.Status) || v.Date < today {
			return false
		}
		switch v.Field { //nolint:exhaustive // the others are lengths of stay
		case hotel.FieldClosed:
			return m.plan || !before.Stay.Contains(v.Date)
		case hotel.FieldClosedToArrival, hotel.FieldMinAdvance, hotel.FieldMaxAdvance, availability.FieldCutOff:
			return m.plan || r.Stay.CheckIn != before.Stay.CheckIn
		case hotel.FieldClosedToDeparture:
			return m.plan || r.Stay.CheckOut != before.Stay.CheckOut
		}
		return m.plan || m.dates
	}
}

// keepFields notes what somebody here set on a channel's booking. What the channel itself
// sets, and a room type that is set back to the one that it has sold, follows it again.
func (t *tx) keepFields(r, before *hotel.Reservation, by hotel.Seller) {
	if r.Source.ChannelID == hotel.Direct || t.by.Actor.Kind == hotel.ActorChannel {
		return
	}
	for _, f := range []struct {
		name    string
		changed bool
	}{
		{hotel.KeptRoom, r.RoomTypeID != before.RoomTypeID},
		{hotel.KeptGuest, r.Guest != before.Guest || r.GuestID != before.GuestID},
		{hotel.KeptParty, r.Adults != before.Adults || !slices.Equal(r.ChildrenAges, before.ChildrenAges)},
		{hotel.KeptCompanions, !slices.Equal(r.Companions, before.Companions)},
		{hotel.KeptArrival, r.ArrivalTime != before.ArrivalTime},
		{hotel.KeptRequests, r.Requests != before.Requests},
		{hotel.KeptExtras, !slices.Equal(r.Extras, before.Extras)},
		{hotel.KeptDeposit, !same(r.DepositPaid, before.DepositPaid)},
	} {
		if !f.changed {
			continue
		}
		r.Kept = slices.DeleteFunc(slices.Clone(r.Kept), func(k hotel.KeptField) bool { return k.Field == f.name })
		if by.Owns(r.Source) || f.name == hotel.KeptRoom && r.RoomTypeID == r.BookedRoom {
			continue // it is as the channel has it
		}
		r.Kept = append(r.Kept, hotel.KeptField{Field: f.name, By: t.by.Actor, At: t.now})
	}
}

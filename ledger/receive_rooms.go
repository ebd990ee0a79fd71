package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// apply brings the reservations of the booking to what the message says.
func (m *message) apply() error {
	if m.silent() {
		return nil
	}
	if err := m.countNobody(); err != nil {
		return err
	}
	rows, gone := m.match()
	news := m.r.Partial && !m.doubtful && slices.ContainsFunc(rows, func(row int) bool { return m.newestOf(m.at(row)) })
	if m.older && (m.changes || m.doubtful) && !news {
		if err := m.tellStale(); err != nil {
			return err
		}
		if m.doubtful {
			return m.beside()
		}
	}
	if !m.older && !m.decided {
		if err := m.overStale(); err != nil {
			return err
		}
		if !m.r.Partial {
			if err := m.overUnread(); err != nil {
				return err
			}
		}
	}
	err := m.joinGroup(rows)
	if err != nil {
		return err
	}
	if m.r.Partial {
		return m.applyPartial(rows)
	}
	if m.older {
		return m.applyOlder(rows)
	}
	if gone, err = m.dropped(gone); err != nil {
		return err
	}
	// What is gone is given back first, for the rooms that the message has may need it.
	for _, at := range gone {
		if err := m.cancel(m.existing[at]); err != nil {
			return err
		}
	}
	for i := range m.r.Booking.Rooms {
		if err := m.applyRoom(i, m.at(rows[i]), m.cancels(), !m.cancels()); err != nil {
			return err
		}
	}
	return nil
}

// applyOlder takes in what a message that comes too late still tells. Live rooms
// follow a newer one, but for those that it has not and that somebody is asked about, or
// has decided to keep.
// Rooms that a newer one has cancelled or dropped are stored
// as cancelled, with the newest thing said of them, so that every order of
// arrival ends the same; so is what a newer cancellation has left as it was, of
// guests who are in the house or were.
func (m *message) applyOlder(rows []int) error {
	asked, err := m.shrunkBefore()
	if err != nil {
		return err
	}
	for i, room := range m.r.Booking.Rooms {
		m.adjust(MessageIgnored, nil, nil, room)
		before := m.at(rows[i])
		cancelled := before == nil || stay.OnMessage(true, before.Status).To == hotel.Cancelled
		if before != nil {
			held := before.Status != hotel.CheckedIn && stay.Live(before.Status)
			if held && (asked.has(before.ID) || asked.keeps(before, m.r.Order)) {
				held, cancelled = false, false
			}
			if held && !m.cancels() {
				if err := m.countMissed(before, room); err != nil {
					return err
				}
			}
			if before.Status == hotel.Declined || m.cancels() && !cancelled || held || !m.newer(position{StalePlace{before.Source.Revision, before.Source.ModifiedAt}, eventBooked}) {
				continue
			}
		}
		if err := m.applyRoom(i, before, cancelled, !cancelled && !m.ended()); err != nil {
			return err
		}
	}
	for _, r := range m.existing {
		if !m.has(r.ID) {
			if err := m.regroup(r); err != nil {
				return err
			}
		}
	}
	return m.retellShrunk(asked)
}

// ended reports whether the newest that is known of the booking is that its channel has
// cancelled it.
func (m *message) ended() bool { return m.known != nil && m.known.Event == eventCancelled }

// has reports whether the message has stored the reservation.
func (m *message) has(id string) bool {
	return slices.ContainsFunc(m.stored, func(r hotel.Reservation) bool { return r.ID == id })
}

// regroup gives a stored room the booking's group, when it has none yet.
func (m *message) regroup(before hotel.Reservation) error {
	if before.GroupID == m.group {
		return nil
	}
	r := before
	r.GroupID = m.group
	return m.store(ReservationUpdated, &r, &before, hotel.ChannelRoom{})
}

// at returns the stored room, nil for one that is new.
func (m *message) at(row int) *hotel.Reservation {
	if row < 0 {
		return nil
	}
	return &m.existing[row]
}

// joinGroup gives the booking a group once more than one room of it is known.
func (m *message) joinGroup(rows []int) error {
	known := len(m.existing)
	for _, row := range rows {
		if row < 0 {
			known++
		}
	}
	for _, r := range m.existing {
		if m.group == "" {
			m.group = r.GroupID
		}
	}
	if m.group != "" || known < 2 {
		return nil
	}
	var err error
	m.group, err = m.t.insertGroup(m.channel.PropertyID, "", hotel.Source{ChannelID: m.r.ChannelID, SubChannel: m.seller(), Reference: m.r.Ref, Reuse: int(m.reuse)})
	return err
}

// mostSeller is how long the name of a seller is at the most, in characters.
const mostSeller = 100

// seller is who sold the booking, behind a relay. It is among that by which bookings are told
// apart, so that what was said first of it stands.
func (m *message) seller() string {
	if len(m.existing) > 0 {
		return m.existing[0].Source.SubChannel
	}
	return shortened(strings.Join(strings.Fields(m.r.Booking.Seller), " "), mostSeller)
}

// cancel brings a room of which the message no longer speaks, or which it cancels
// without a word, to where that leaves it.
func (m *message) cancel(before hotel.Reservation) error {
	e := stay.OnMessage(true, before.Status)
	r := before
	r.GroupID = m.group
	kind := ReservationUpdated
	if e.To == hotel.Cancelled {
		if before.Status == hotel.Cancelled {
			return m.regroup(before)
		}
		kind = ReservationCancelled
		m.markCancelled(&r)
	}
	m.note(&r, e)
	if err := m.store(kind, &r, &before, hotel.ChannelRoom{}); err != nil {
		return err
	}
	return m.count(&r, nil, &before, false)
}

func (m *message) markCancelled(r *hotel.Reservation) {
	if r.Status == hotel.Cancelled && r.Cancel != nil {
		return // it keeps what cancelled it
	}
	firm := r.Status == hotel.Confirmed
	r.Status, r.RoomUntil, r.HoldExpires = hotel.Cancelled, 0, time.Time{}
	open := r.OpenAction()
	if open == nil || open.Kind != hotel.ActionCancel {
		r.Cancel = &hotel.Cancellation{At: m.t.now, By: m.t.by.Actor}
		r.CancelReason = "cancelled at the channel"
		return
	}
	// It is what was asked for, and costs what it costs when the call's answer comes first.
	r.Cancel = &hotel.Cancellation{At: m.t.now, By: open.AskedBy, Waived: open.Waived}
	if r.Cancel.Penalty = noFee(m.s, r); firm && r.CancelReason != hotel.ReleasedRoom {
		r.Cancel.Penalty = cancelFee(m.s, r, m.t.now)
	}
}

// note writes what the newest message leaves behind beside dates and prices.
func (m *message) note(r *hotel.Reservation, e stay.Effect) {
	if m.older {
		return
	}
	if r.Status == hotel.NoShow && r.Cancel != nil {
		noShow := *r.Cancel
		noShow.Waived = e.Waived
		r.Cancel = &noShow
	}
	r.Issues = slices.DeleteFunc(slices.Clone(r.Issues), func(i hotel.Issue) bool { return ofNewest(r, i) })
	switch e.Issue {
	case stay.CancelledInHouse:
		r.Issues = append(r.Issues, hotel.Issue{Code: e.Issue, Detail: "the channel cancels a stay whose guest has arrived"})
	case stay.LateModification:
		r.Issues = append(r.Issues, hotel.Issue{Code: e.Issue, Detail: "the channel changes a stay that is over; its dates are kept"})
	}
}

// mostHeld is how many nights of a stay are held. No channel means more; one that
// says more would have the writer write for hours.
const mostHeld = 1095

// applyRoom stores the at-th room as the message has it, over what was stored before
// (nil: nothing). cancelled says that it is not live any more, by this message or
// by a newer one; sold, that its channel counts it as sold: a guest who is in the house
// when the channel cancels stays, and the channel sells the nights to come again.
func (m *message) applyRoom(at int, before *hotel.Reservation, cancelled, sold bool) error {
	room, sums := m.r.Booking.Rooms[at], m.sums[at]
	r, e := m.opened(before, cancelled)
	r.GroupID = m.group
	if !m.older && !m.decided {
		r.Source.Place = m.place
		r.Heard()
	}
	if before == nil || unnamed(before) && room.Ref != "" {
		r.Source.RoomRef = m.newRef(room)
	}
	if e.Nights == stay.NoNights && (!e.Price || !priced(room)) {
		m.note(&r, e)
		if err := m.store(ReservationUpdated, &r, before, room); err != nil {
			return err
		}
		if err := m.tellLate(&r, before, room); err != nil {
			return err
		}
		return m.count(&r, &room, before, sold)
	}
	r.Source.Revision, r.Source.ModifiedAt = m.r.Revision, m.r.At
	newest := slices.DeleteFunc(slices.Clone(r.Issues), func(i hotel.Issue) bool { return !ofNewest(&r, i) })
	r.Issues = nil
	switch e.Nights {
	case stay.AllNights:
		m.setStay(&r, &room)
		m.setParty(&r, room)
		m.mapRoom(&r, before, room)
		m.price(&r, room, sums, 0)
		if err := m.setDetails(&r, room); err != nil {
			return err
		}
	case stay.NightsToCome:
		today := m.s.property.BusinessDate(m.t.now)
		m.setStay(&hotel.Reservation{}, &room)
		r.Stay.CheckOut, r.RoomUntil = max(room.Stay.CheckOut, today, r.Stay.CheckIn+1), 0
		m.setParty(&r, room)
		m.mapRoom(&r, before, room)
		r.EarlierRooms = earlierRooms(before, &r, today)
		m.price(&r, room, sums, today)
		if err := m.setDetails(&r, room); err != nil {
			return err
		}
		if r.Arrived != nil && !r.Keeps(hotel.KeptRoom) && r.RoomOn(r.Stay.CheckOut) != r.Arrived.Room {
			r.Issues = append(r.Issues, hotel.Issue{Code: stay.LateModification, Detail: "the channel gives a guest who is in the house another room type"})
		}
	case stay.NoNights:
		m.setStay(&hotel.Reservation{}, &room)
		m.price(&r, room, sums, 0)
	}
	if m.older {
		r.Issues = append(r.Issues, newest...)
	}
	kind := m.become(&r, before, e)
	m.note(&r, e)
	var closed *BeforeCloseFacts
	if kind != ReservationCancelled && e.Nights != stay.NoNights {
		if err := m.findRoom(&r, before); err != nil {
			return err
		}
		if before == nil {
			var err error
			if closed, err = m.beforeClose(&r); err != nil {
				return err
			}
		}
	}
	if err := m.store(kind, &r, before, room); err != nil {
		return err
	}
	if err := m.tellLate(&r, before, room); err != nil {
		return err
	}
	if err := m.tellBeforeClose(&r, closed); err != nil {
		return err
	}
	if before == nil && !m.older {
		k, err := m.mismatch(&r, room, sums)
		if err != nil {
			return err
		}
		if k != nil {
			if err := m.t.raise(*k); err != nil {
				return err
			}
		}
	}
	return m.count(&r, &room, before, sold)
}

// opened is the reservation that a room is applied to, and what the message does
// to it.
func (m *message) opened(before *hotel.Reservation, cancelled bool) (hotel.Reservation, stay.Effect) {
	if before != nil {
		return *before, stay.OnMessage(cancelled, before.Status)
	}
	r := hotel.Reservation{PropertyID: m.channel.PropertyID}
	r.ID = hotel.NewID("res")
	r.Source = hotel.Source{ChannelID: m.r.ChannelID, SubChannel: m.seller(), Reference: m.r.Ref, Reuse: int(m.reuse), BookedAt: m.t.now}
	if !m.r.At.IsZero() {
		r.Source.BookedAt = m.r.At
	}
	return r, stay.OnMessage(cancelled, hotel.Confirmed)
}

// become gives the reservation the status that the message leads to, and returns
// what has happened to it.
func (m *message) become(r, before *hotel.Reservation, e stay.Effect) Kind {
	switch e.To { //nolint:exhaustive // the others stay where they are
	case hotel.Cancelled:
		m.markCancelled(r)
	case hotel.Confirmed:
		r.Status, r.Cancel, r.Refused, r.HoldExpires = hotel.Confirmed, nil, "", time.Time{}
		if open := r.OpenAction(); open == nil || open.Kind != hotel.ActionCancel { // else they are why it is asked for
			r.CancelReason, r.CancelNote = "", ""
		}
	}
	switch {
	case e.To == hotel.Cancelled && (before == nil || stay.Live(before.Status)):
		return ReservationCancelled
	case before == nil:
		return ReservationCreated
	case e.To == hotel.Confirmed && stay.Over(before.Status):
		return Kind(stay.StepOf(stay.Reinstate).Event)
	}
	return ReservationUpdated
}

// ofNewest reports whether an issue is about the newest message as such. The
// others are about the newest that spoke of dates, room and prices.
func ofNewest(r *hotel.Reservation, i hotel.Issue) bool {
	return i.Code == stay.CancelledInHouse || i.Code == stay.LateModification && stay.Over(r.Status)
}

// No stay is of a night before the first or behind the last: that one is the last that can
// be written as a date, and nobody's booking of today is from before the other.
var firstNight, lastNight = hotel.DateOf(2000, 1, 1), hotel.DateOf(9999, 12, 30)

// writable is a stay in nights that can be written, whatever dates a channel gives.
func writable(s hotel.Stay) hotel.Stay {
	s.CheckIn, s.CheckOut = max(firstNight, min(s.CheckIn, lastNight)), max(firstNight, min(s.CheckOut, lastNight+1))
	return s
}

// heldStay is a stay as it is held, whatever dates a channel gives: one night at least, and not too many.
func heldStay(s hotel.Stay) hotel.Stay {
	s = writable(s)
	if s.Nights() == 0 {
		s.CheckOut = s.CheckIn + 1
	}
	s.CheckOut = min(s.CheckOut, s.CheckIn+mostHeld)
	return s
}

// setStay takes over the dates, cut to what can be held, and writes them back to
// the room.
func (m *message) setStay(r *hotel.Reservation, room *hotel.ChannelRoom) {
	r.Stay, r.RoomUntil, r.EarlierRooms = writable(room.Stay), 0, nil
	if r.Stay.Nights() == 0 {
		r.Issues = append(r.Issues, hotel.Issue{Code: "stay", Detail: fmt.Sprintf("the channel's stay %s to %s has no night; one is held", r.Stay.CheckIn, r.Stay.CheckOut)})
	}
	if r.Stay.Nights() > mostHeld {
		r.Issues = append(r.Issues, hotel.Issue{Code: "stay", Detail: fmt.Sprintf("the channel's stay %s to %s is longer than %d nights, which are held", r.Stay.CheckIn, r.Stay.CheckOut, mostHeld)})
	}
	r.Stay = heldStay(room.Stay)
	room.Stay = r.Stay
}

// setParty takes over who comes, but for what somebody here knows better.
func (m *message) setParty(r *hotel.Reservation, room hotel.ChannelRoom) {
	if !r.Keeps(hotel.KeptParty) {
		r.Adults, r.ChildrenAges = guestsOf(room)
		if r.Adults != room.Adults || !slices.Equal(r.ChildrenAges, room.Children) {
			r.Issues = append(r.Issues, hotel.Issue{Code: "party", Detail: fmt.Sprintf("the channel's party of %d adults and children aged %v cannot be; ages that are none count as not given", room.Adults, room.Children)})
		}
	}
	if guest := m.guestOf(room); guest != nil && !r.Keeps(hotel.KeptGuest) {
		r.Guest = m.asKnown(*guest, r.ID)
	}
}

// oldestChild is the highest age in years that the API takes for a child's.
const oldestChild = 17

// guestsOf is whom a message says to come, as far as that can be: an age that is none is one
// that was not given.
func guestsOf(room hotel.ChannelRoom) (adults int, ages []int) {
	ages = slices.Clone(room.Children)
	for i, age := range ages {
		if age < 0 || age > oldestChild {
			ages[i] = -1
		}
	}
	return max(0, room.Adults), ages
}

// asKnown is what is known of a guest whom a message names that comes too late: of one whom
// a newer one names, for another room of the booking, what that says.
func (m *message) asKnown(g hotel.Guest, room string) hotel.Guest {
	for i := range m.existing {
		r := &m.existing[i]
		if m.older && r.ID != room && g.Email != "" && namesAlike(g, r.Guest) && !m.newer(positionOfRoom(r)) {
			return r.Guest
		}
	}
	return g
}

func (m *message) guestOf(room hotel.ChannelRoom) *hotel.Guest {
	if room.Guest != nil {
		return room.Guest
	}
	return m.r.Booking.Guest
}

// mapped returns what of ours the channel's room is: room type and plan when its
// codes are mapped, else the room type that is most likely meant. That is the one
// which the room's code stands for; where nothing is sold under it any more, the one
// which it stood for.
func (m *message) mapped(room hotel.ChannelRoom) (roomType, plan, likely string) {
	var stood string
	for _, x := range m.mappings {
		switch {
		case x.RemoteRoom != room.Room:
		case x.Retired:
			stood = x.RoomTypeID
		case x.RemoteRate == room.Rate:
			return x.RoomTypeID, x.RatePlanID, ""
		default:
			likely = x.RoomTypeID
		}
	}
	if likely = cmp.Or(likely, stood); likely == "" {
		likely = m.mostLikely(room)
	}
	return "", "", likely
}

// mapRoom notes what of ours the channel has sold. An unmapped room is kept
// whole, and takes a room of the most likely type until somebody maps it or gives
// it a room. A guest whom somebody gave another room type keeps it.
func (m *message) mapRoom(r, before *hotel.Reservation, room hotel.ChannelRoom) {
	var likely string
	r.RoomTypeID, r.RatePlanID, likely = m.mapped(room)
	r.HeldRoom, r.BookedRoom = likely, r.RoomTypeID
	if plan := m.s.plan(r.RatePlanID); plan != nil && (before == nil || before.RatePlanID != r.RatePlanID) {
		if before == nil || before.Guarantee == m.guaranteeBy(before.RatePlanID) {
			r.Guarantee = plan.Guarantee
		}
		r.TaxMode, r.Policy, r.NoShowFee = plan.TaxMode, plan.Cancellation, plan.NoShowPenalty()
	}
	switch {
	case before != nil && before.Keeps(hotel.KeptRoom) && before.RoomTypeID != "":
		r.RoomTypeID = before.RoomTypeID
	case r.RoomTypeID == "":
		r.Issues = append(r.Issues, hotel.Issue{Code: "unmapped", Detail: fmt.Sprintf("the channel's room %q and rate %q are not mapped; a room is held meanwhile", room.Room, room.Rate)})
	}
}

// guaranteeBy is what a plan asks for, "" where there is none: whatever else stands in
// a reservation was said by somebody.
func (m *message) guaranteeBy(plan string) string {
	if p := m.s.plan(plan); p != nil {
		return p.Guarantee
	}
	return ""
}

// pay takes over what the message says of the money, and keeps what it leaves out.
func (m *message) pay(r *hotel.Reservation, room hotel.ChannelRoom) {
	m.setDeposit(r, room)
	p := &m.r.Booking.Payment
	if p.Collect != "" {
		r.Source.Collect = p.Collect
	}
	if p.Basis != "" {
		r.NetOfCommission = p.Basis == hotel.NetOfCommission
	}
	if p.Guarantee != "" {
		r.Guarantee = p.Guarantee
	}
	if m.faceless {
		return // a card may be that of whoever is forgotten
	}
	if p.Card != nil {
		r.Card = p.Card
	}
	if p.Access != nil {
		r.CardAccess = p.Access
	}
}

// mostLikely returns the smallest room type that takes the party, else the first;
// "" in a house without room types.
func (m *message) mostLikely(room hotel.ChannelRoom) string {
	if len(m.s.rooms) == 0 {
		return ""
	}
	best := -1
	for i := range m.s.rooms {
		fits := m.s.rooms[i].MaxOccupancy >= room.Adults+len(room.Children)
		if fits && (best < 0 || m.s.rooms[i].MaxOccupancy < m.s.rooms[best].MaxOccupancy) {
			best = i
		}
	}
	if best < 0 {
		best = 0
	}
	return m.s.rooms[best].ID
}

// findRoom notes whether the booking finds a room on every night to come. It is
// taken whatever the answer.
func (m *message) findRoom(r, before *hotel.Reservation) error {
	if before != nil {
		if err := m.t.freeNights(before); err != nil {
			return err
		}
	}
	return m.t.noteOverbooked(m.s, r)
}

// store journals and stores one room of the booking as the message names it, and
// tells of what is odd.
func (m *message) store(kind Kind, r, before *hotel.Reservation, room hotel.ChannelRoom) error {
	if err := m.t.bookFact(kind, m.s, r, before, ReservationFact{Joined: m.meets(kind, r, before)}); err != nil {
		return err
	}
	if stay.Live(r.Status) && r.RoomTypeID == "" {
		if _, err := m.t.append(entry{property: r.PropertyID, kind: ReservationUnmapped, subject: r.ID, body: map[string]any{
			"channel_id": r.Source.ChannelID, "held_room_type_id": r.HeldRoom,
		}}); err != nil {
			return err
		}
	}
	m.stored = append(m.stored, *r)
	m.adjust(kind, before, r, room)
	return nil
}

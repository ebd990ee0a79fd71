package ledger

import (
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// apply brings the reservations of the booking to what the message says.
func (m *message) apply() error {
	if m.silent() {
		return nil
	}
	rows, gone := m.match()
	m.joinGroup(rows)
	if m.older {
		return m.applyOlder(rows)
	}
	// The message is the whole booking: rooms that it does not have are gone.
	// They are given back first, for those that it has may need them.
	for _, at := range gone {
		if err := m.cancel(m.existing[at]); err != nil {
			return err
		}
	}
	for i, room := range m.r.Booking.Rooms {
		if err := m.applyRoom(room, m.at(rows[i]), m.cancels()); err != nil {
			return err
		}
	}
	return nil
}

// applyOlder takes in what a message that comes too late still tells. Live rooms
// follow a newer one. Rooms that a newer one has cancelled or dropped are stored
// as cancelled, with the newest thing said of them, so that every order of
// arrival ends the same.
func (m *message) applyOlder(rows []int) error {
	for i, room := range m.r.Booking.Rooms {
		if m.adjusts(MessageIgnored, nil) {
			m.touch(nil, room)
		}
		before := m.at(rows[i])
		if before != nil && (stay.Live(before.Status) || !m.newer(before.Source.Revision, before.Source.ModifiedAt, false)) {
			continue
		}
		if err := m.applyRoom(room, before, true); err != nil {
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
	return nil
}

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
	return m.store(ReservationUpdated, &r, &before)
}

// at returns the stored room, nil for one that is new.
func (m *message) at(row int) *hotel.Reservation {
	if row < 0 {
		return nil
	}
	return &m.existing[row]
}

// joinGroup gives the booking a group once more than one room of it is known.
func (m *message) joinGroup(rows []int) {
	known := len(m.existing)
	for _, row := range rows {
		if row < 0 {
			known++
		}
	}
	if m.group == "" && known > 1 {
		m.group = hotel.NewID("grp")
	}
}

func (m *message) cancel(before hotel.Reservation) error {
	if before.Status == hotel.Cancelled {
		return m.regroup(before)
	}
	r := before
	r.GroupID = m.group
	m.markCancelled(&r)
	return m.store(ReservationCancelled, &r, &before)
}

func (m *message) markCancelled(r *hotel.Reservation) {
	if r.Status == hotel.Cancelled && r.Cancel != nil {
		return // it keeps what cancelled it
	}
	r.Status = hotel.Cancelled
	r.Cancel = &hotel.Cancellation{At: m.t.now, Reason: "cancelled at the channel", By: m.t.by.Actor}
}

// mostHeld is how many nights of a stay are held. No channel means more; one that
// says more would have the writer write for hours.
const mostHeld = 1095

// applyRoom stores one room as the message has it, over what was stored before
// (nil: nothing), as cancelled or live.
func (m *message) applyRoom(room hotel.ChannelRoom, before *hotel.Reservation, cancelled bool) error {
	var r hotel.Reservation
	if before != nil {
		r = *before
	} else {
		r.ID = hotel.NewID("res")
		r.PropertyID = m.channel.PropertyID
		r.Source = hotel.Source{ChannelID: m.r.ChannelID, Reference: m.r.Ref, RoomRef: m.newRef(room), BookedAt: m.t.now}
		if !m.r.At.IsZero() {
			r.Source.BookedAt = m.r.At
		}
	}
	r.GroupID = m.group
	r.Source.Revision, r.Source.ModifiedAt = m.r.Revision, m.r.At
	r.Stay, r.Adults, r.ChildrenAges = room.Stay, max(0, room.Adults), room.Children
	if guest := m.guestOf(room); guest != nil {
		r.Guest = *guest
	}
	r.Issues = nil
	if r.Stay.Nights() == 0 {
		r.Issues = append(r.Issues, hotel.Issue{Code: "stay", Detail: fmt.Sprintf("the channel's stay %s to %s has no night; one is held", r.Stay.CheckIn, r.Stay.CheckOut)})
		r.Stay.CheckOut = r.Stay.CheckIn + 1
		room.Stay = r.Stay
	}
	if r.Stay.Nights() > mostHeld {
		r.Issues = append(r.Issues, hotel.Issue{Code: "stay", Detail: fmt.Sprintf("the channel's stay %s to %s is longer than %d nights, which are held", r.Stay.CheckIn, r.Stay.CheckOut, mostHeld)})
		r.Stay.CheckOut = r.Stay.CheckIn + mostHeld
		room.Stay = r.Stay
	}
	m.mapRoom(&r, before, room)
	m.price(&r, room)
	kind := ReservationCreated
	if before != nil {
		kind = ReservationUpdated
	}
	if cancelled {
		m.markCancelled(&r)
		if before == nil || stay.Live(before.Status) {
			kind = ReservationCancelled
		}
	} else {
		r.Status, r.Cancel = hotel.Confirmed, nil
		if err := m.findRoom(&r, before); err != nil {
			return err
		}
	}
	return m.store(kind, &r, before)
}

func (m *message) guestOf(room hotel.ChannelRoom) *hotel.Guest {
	if room.Guest != nil {
		return room.Guest
	}
	return m.r.Booking.Guest
}

// mapped returns what of ours the channel's room is: room type and plan when its
// codes are mapped, else the room type that is most likely meant.
func (m *message) mapped(room hotel.ChannelRoom) (roomType, plan, likely string) {
	for _, x := range m.mappings {
		if x.RemoteRoom != room.Room {
			continue
		}
		likely = x.RoomTypeID
		if x.RemoteRate == room.Rate {
			return x.RoomTypeID, x.RatePlanID, ""
		}
	}
	if likely == "" {
		likely = m.mostLikely(room)
	}
	return "", "", likely
}

// mapRoom notes what of ours the channel has sold. An unmapped room is kept
// whole, and takes a room of the most likely type until somebody maps it. A
// guest whom somebody gave another room type keeps it while the channel goes on
// saying what it said.
func (m *message) mapRoom(r, before *hotel.Reservation, room hotel.ChannelRoom) {
	var likely string
	r.RoomTypeID, r.RatePlanID, likely = m.mapped(room)
	r.HeldRoom, r.BookedRoom = likely, r.RoomTypeID
	if r.RoomTypeID == "" {
		r.Issues = append(r.Issues, hotel.Issue{Code: "unmapped", Detail: fmt.Sprintf("the channel's room %q and rate %q are not mapped; a room is held meanwhile", room.Room, room.Rate)})
		return
	}
	if before != nil && before.BookedRoom == r.BookedRoom && before.RoomTypeID != "" {
		r.RoomTypeID = before.RoomTypeID
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

// price takes over the channel's amounts. They are the channel's; nothing is
// priced again here.
func (m *message) price(r *hotel.Reservation, room hotel.ChannelRoom) {
	r.Nightly, r.Total, r.PriceKnown = nil, hotel.Money{Currency: m.s.property.Currency}, false
	if len(room.Amounts) != room.Stay.Nights() || len(room.Amounts) == 0 {
		r.Issues = append(r.Issues, hotel.Issue{Code: "price_unknown", Detail: "the channel gave no amount for each night"})
		return
	}
	r.Total.Currency = room.Amounts[0].Currency
	for i, amount := range room.Amounts {
		if amount.Currency != r.Total.Currency {
			r.Nightly, r.Total = nil, hotel.Money{Currency: m.s.property.Currency}
			r.Issues = append(r.Issues, hotel.Issue{Code: "price_unknown", Detail: "the channel's amounts are in several currencies"})
			return
		}
		r.Nightly = append(r.Nightly, hotel.NightPrice{Date: room.Stay.CheckIn + hotel.Date(i), RoomTypeID: r.RoomTypeID, RatePlanID: r.RatePlanID, Amount: amount})
		r.Total.Minor += amount.Minor
	}
	r.PriceKnown = true
	if r.Total.Currency != m.s.property.Currency {
		r.Issues = append(r.Issues, hotel.Issue{Code: "currency", Detail: fmt.Sprintf("booked in %s, the property sells in %s", r.Total.Currency, m.s.property.Currency)})
	}
}

// findRoom notes whether the booking finds a room on every night. It is taken
// whatever the answer.
func (m *message) findRoom(r, before *hotel.Reservation) error {
	room := takes(r)
	if r.Stay.Nights() == 0 || room == "" {
		return nil
	}
	if before != nil {
		if err := m.t.freeNights(before); err != nil {
			return err
		}
	}
	b, err := m.t.spanBoard(m.s, r.Stay.CheckIn, r.Stay.CheckOut-1)
	if err != nil {
		return err
	}
	r.Overbooked = false
	at, _ := b.Room(room)
	for d := r.Stay.CheckIn; d < r.Stay.CheckOut; d++ {
		if b.House(d)[at].Net < 1 {
			r.Overbooked = true
		}
	}
	return nil
}

// store journals and stores one room of the booking, and tells of what is odd.
func (m *message) store(kind Kind, r, before *hotel.Reservation) error {
	if err := m.t.bookEntry(kind, m.s, r, before); err != nil {
		return err
	}
	if stay.Live(r.Status) && r.RoomTypeID == "" {
		if _, err := m.t.append(entry{property: r.PropertyID, kind: ReservationUnmapped, subject: r.ID, body: map[string]any{
			"channel_id": r.Source.ChannelID, "held_room_type_id": r.HeldRoom,
		}}); err != nil {
			return err
		}
	}
	if stay.Live(r.Status) && r.Overbooked {
		if _, err := m.t.append(entry{property: r.PropertyID, kind: InventoryOverbooked, subject: takes(r), body: map[string]any{
			"reservation_id": r.ID, "stay": r.Stay,
		}}); err != nil {
			return err
		}
	}
	m.stored = append(m.stored, *r)
	if m.adjusts(kind, before) {
		m.touch(r, hotel.ChannelRoom{})
		m.touch(before, hotel.ChannelRoom{})
	}
	return nil
}

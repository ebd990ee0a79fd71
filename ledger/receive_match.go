package ledger

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// slot begins the references under which rooms without one of the channel's are
// stored.
const slot = "#"

// match finds the stored room that each room of the message is, -1 for a new
// one, and the stored rooms that the message does not have. A room is known by
// the channel's own reference, else by what it is: stay, type and guest first,
// then less and less of that; never by its place in the message. Of rooms that are as much
// alike the first by what they are go together, so that it is the same whichever is stored
// and whichever comes.
func (m *message) match() (rows, gone []int) {
	rooms := m.r.Booking.Rooms
	rows = make([]int, len(rooms))
	for i := range rows {
		rows[i] = -1
	}
	taken := make([]bool, len(m.existing))
	told := byContent(rooms, func(room hotel.ChannelRoom) roomKey { return m.keyOf(room) })
	stored := byContent(m.existing, func(r hotel.Reservation) roomKey { return keyOf(&r) })
	for _, is := range []func(*hotel.Reservation, hotel.ChannelRoom) bool{
		sameRef,
		func(r *hotel.Reservation, room hotel.ChannelRoom) bool {
			return m.sameRoom(r, room) && m.guestOf(room) != nil && namesAlike(*m.guestOf(room), r.Guest)
		},
		m.sameRoom,
		func(r *hotel.Reservation, room hotel.ChannelRoom) bool {
			return nameless(r, room) && r.Stay == heldStay(room.Stay)
		},
		nameless,
		func(r *hotel.Reservation, room hotel.ChannelRoom) bool {
			roomType, _, _ := m.mapped(room)
			return unnamed(r) && r.Stay == heldStay(room.Stay) && r.BookedRoom == roomType
		},
		func(r *hotel.Reservation, room hotel.ChannelRoom) bool {
			return unnamed(r) && r.Stay == heldStay(room.Stay)
		},
		func(r *hotel.Reservation, _ hotel.ChannelRoom) bool { return unnamed(r) },
	} {
		for _, live := range []bool{true, false} {
			for _, i := range told {
				for _, at := range stored {
					r, room := &m.existing[at], rooms[i]
					if rows[i] < 0 && !taken[at] && stay.Live(r.Status) == live && is(r, room) {
						rows[i], taken[at] = at, true
					}
				}
			}
		}
	}
	for at := range m.existing {
		if !taken[at] {
			gone = append(gone, at)
		}
	}
	return rows, gone
}

// roomKey is what a room is, to put rooms in an order.
type roomKey struct {
	hotel.Stay
	room, name, email string
	adults, children  int
	total             int64
}

func keyOf(r *hotel.Reservation) roomKey {
	return roomKey{r.Stay, cmp.Or(r.BookedRoom, r.HeldRoom), r.Guest.NameKey(), r.Guest.EmailKey(), r.Adults, len(r.ChildrenAges), r.Total.Minor}
}

func (m *message) keyOf(room hotel.ChannelRoom) roomKey {
	booked, _, likely := m.mapped(room)
	k := roomKey{Stay: heldStay(room.Stay), room: cmp.Or(booked, likely), adults: max(0, room.Adults), children: len(room.Children)}
	if guest := m.guestOf(room); guest != nil {
		k.name, k.email = guest.NameKey(), guest.EmailKey()
	}
	if priced(room) {
		for _, amount := range room.Amounts {
			k.total += amount.Minor
		}
	}
	return k
}

func (k roomKey) compare(other roomKey) int {
	return cmp.Or(
		cmp.Compare(k.CheckIn, other.CheckIn), cmp.Compare(k.CheckOut, other.CheckOut), cmp.Compare(k.room, other.room), cmp.Compare(k.name, other.name),
		cmp.Compare(k.email, other.email), cmp.Compare(k.adults, other.adults), cmp.Compare(k.children, other.children), cmp.Compare(k.total, other.total),
	)
}

// byContent returns where the rooms of a list stand, in the order of what they are.
func byContent[R any](list []R, key func(R) roomKey) []int {
	at, keys := make([]int, len(list)), make([]roomKey, len(list))
	for i, r := range list {
		at[i], keys[i] = i, key(r)
	}
	slices.SortStableFunc(at, func(a, b int) int { return keys[a].compare(keys[b]) })
	return at
}

// namesAlike reports whether two accounts of a guest name them alike. Of what else
// they say one may have more: it may be from another booking.
func namesAlike(a, b hotel.Guest) bool {
	return a.FirstName == b.FirstName && a.NameKey() == b.NameKey() && a.EmailKey() == b.EmailKey()
}

// sameRef also finds the further rooms of a message that repeats a reference.
func sameRef(r *hotel.Reservation, room hotel.ChannelRoom) bool {
	return room.Ref != "" && (r.Source.RoomRef == room.Ref || strings.HasPrefix(r.Source.RoomRef, room.Ref+slot))
}

// nameless reports whether neither has a reference of the channel's.
func nameless(r *hotel.Reservation, room hotel.ChannelRoom) bool {
	return room.Ref == "" && strings.HasPrefix(r.Source.RoomRef, slot)
}

// unnamed reports whether the reservation was imported without the channel's
// reference of its room, which its messages may have.
func unnamed(r *hotel.Reservation) bool {
	return r.Imported && strings.HasPrefix(r.Source.RoomRef, slot)
}

func (m *message) sameRoom(r *hotel.Reservation, room hotel.ChannelRoom) bool {
	roomType, _, likely := m.mapped(room)
	return nameless(r, room) && r.Stay == heldStay(room.Stay) && (roomType != "" && r.BookedRoom == roomType || roomType == "" && r.HeldRoom == likely)
}

// newRef returns the reference under which a new room is stored, unlike that of
// any other room of the booking.
func (m *message) newRef(room hotel.ChannelRoom) string {
	used := map[string]bool{}
	for _, list := range [][]hotel.Reservation{m.existing, m.stored} {
		for _, r := range list {
			used[r.Source.RoomRef] = true
		}
	}
	if room.Ref != "" && !used[room.Ref] {
		return room.Ref
	}
	for n := 1; ; n++ {
		if ref := room.Ref + slot + strconv.Itoa(n); !used[ref] {
			return ref
		}
	}
}

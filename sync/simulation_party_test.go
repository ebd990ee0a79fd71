package sync_test

import (
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// party has a guest want more rooms at once, now and then. What a message tells of a
// booking is in one currency, so that nothing of another is in a party.
func (w *world) party(q testkit.Request) testkit.Request {
	if !w.habits.parties || q.Rate == strangePlan || w.more.IntN(3) > 0 {
		return q
	}
	for range 1 + w.more.IntN(2) {
		q.Others = append(q.Others, testkit.Part{
			Room: w.facts.house.RemoteRoom(w.more.IntN(3)), Rate: w.facts.house.RemoteRate(w.more.IntN(2)),
			CheckIn: q.CheckIn, CheckOut: q.CheckOut, Adults: 1 + w.more.IntN(2),
		})
	}
	return q
}

// giveUp has a guest of several rooms give one of them up, once and instead of another
// change. Of whom more than half goes somebody is asked, which is told elsewhere.
func (w *world) giveUp(was testkit.Booking, q testkit.Request) testkit.Request {
	if n := len(was.Others) + 1; n > 1 && n == w.parties[was.Reference] && w.more.IntN(2) == 0 {
		return testkit.Request{Reference: was.Reference, Without: 1 + w.more.IntN(n)}
	}
	if w.parties[was.Reference] > 0 && q.Rate == strangePlan {
		q.Room, q.Rate = was.Room, was.Rate
	}
	return q
}

// earliest is the first night of all rooms of a booking.
func earliest(b testkit.Booking) hotel.Date {
	first := b.CheckIn
	for _, p := range b.Others {
		first = min(first, p.CheckIn)
	}
	return first
}

// checkParty compares the rooms of a booking of several with those of the ledger.
// Those that were given up are cancelled there.
func (w *world) checkParty(b testkit.Booking, rooms []hotel.Reservation) {
	type roomOf struct {
		room, adults int
		stay         hotel.Stay
		total        hotel.Money
	}
	left := map[roomOf]int{}
	if b.Status != testkit.CancelledAtFarSide {
		for _, p := range b.Parts() {
			left[roomOf{w.sleeps(p.Room), p.Adults, p.Stay(), totalOf(p)}]++
		}
	}
	for _, r := range rooms {
		if r.Status != hotel.Cancelled {
			left[roomOf{w.roomIn(r), r.Adults, r.Stay, r.Total}]--
		}
	}
	for of, n := range left {
		if n != 0 {
			w.wrong(2, "booking %s has %+v %d times more at the channel than in the ledger", b.Reference, of, n)
		}
	}
	if len(rooms) != w.parties[b.Reference] {
		w.wrong(2, "booking %s of %d rooms is %d rooms in the ledger", b.Reference, w.parties[b.Reference], len(rooms))
	}
	if slices.ContainsFunc(rooms, func(r hotel.Reservation) bool { return r.GroupID == "" || r.GroupID != rooms[0].GroupID }) {
		w.wrong(2, "the rooms of booking %s are no group", b.Reference)
	}
}

// totalOf sums the amounts of one room.
func totalOf(p testkit.Part) hotel.Money {
	return testkit.Booking{Amounts: p.Amounts}.Total()
}

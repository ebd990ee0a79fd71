package sync_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// message is a sound message about a booking of one double for one night.
func (w *ward) message(ref string, night hotel.Date) connectors.Message {
	price := hotel.Money{Minor: 10000, Currency: "EUR"}
	return connectors.Message{
		Key: "message " + ref, Ref: ref, Revision: "1", Event: connectors.Booked, At: time.Now(),
		Booking: hotel.ChannelBooking{
			Rooms: []hotel.ChannelRoom{{
				Ref: "1", Room: w.house.RemoteRoom(double), Rate: w.house.RemoteRate(0), Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}, Adults: 2,
				Amounts: []hotel.Money{price},
			}},
			Guest: &hotel.Guest{FirstName: "Guest", LastName: "Of " + ref}, Total: &price,
		},
		Raw: []byte(ref),
	}
}

// brings has the next poll bring messages, and polls.
func (w *ward) brings(mail ...connectors.Message) {
	w.t.Helper()
	patient.mu.Lock()
	patient.mail = mail
	patient.mu.Unlock()
	w.call("pull")
	w.pass(15 * time.Second)
	patient.mu.Lock()
	defer patient.mu.Unlock()
	if len(patient.mail) > 0 {
		w.t.Errorf("%d messages were not taken, the first of which is %+v", len(patient.mail), patient.mail[0])
	}
}

// held is what there is of the bookings with a reference.
func (w *ward) held(ref string) []hotel.Reservation {
	w.t.Helper()
	return slices.DeleteFunc((&pained{bench: w.bench}).kept(), func(r hotel.Reservation) bool { return r.Source.Reference != ref })
}

// asked is how often somebody is asked about something of the ill channel, in words that
// are among the facts.
func (w *ward) asked(kind hotel.ConflictKind, words string) int {
	w.t.Helper()
	list, err := w.ldg.Conflicts(w.t.Context(), hotel.ConflictFilter{
		PropertyID: w.house.Property.ID, Kinds: []hotel.ConflictKind{kind}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 100,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return len(slices.DeleteFunc(list, func(c hotel.Conflict) bool { return c.ChannelID != "ill" || !strings.Contains(string(c.Facts), words) }))
}

// One poll brings bookings as no channel may send them, and a sound one behind them. Each
// holds a room, since a guest may stand behind it, and of what is odd about it somebody is
// told; the channel beside it is told of every room that is gone.
func TestIllBookingsHarmNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWard(t)
		defer w.stop()
		cases := []struct {
			ref    string
			change func(m *connectors.Message, room *hotel.ChannelRoom)
			rooms  int                // that are held
			issue  string             // of the reservation; "": none
			asks   hotel.ConflictKind // somebody; "": nobody
		}{
			{ref: "negative", change: func(m *connectors.Message, room *hotel.ChannelRoom) {
				room.Amounts[0].Minor, m.Booking.Total = -10000, &hotel.Money{Minor: -10000, Currency: "EUR"}
			}, rooms: 1, asks: hotel.ConflictMismatch},
			{ref: "beyond counting", change: func(m *connectors.Message, room *hotel.ChannelRoom) {
				room.Amounts[0].Minor, m.Booking.Total = math.MaxInt64, &hotel.Money{Minor: math.MinInt64, Currency: "EUR"}
			}, rooms: 1, issue: "price_unknown"},
			{ref: "no night", change: func(_ *connectors.Message, room *hotel.ChannelRoom) { room.Stay.CheckOut = room.Stay.CheckIn }, rooms: 1, issue: "stay"},
			{ref: "out before in", change: func(_ *connectors.Message, room *hotel.ChannelRoom) { room.Stay.CheckOut = room.Stay.CheckIn - 300 }, rooms: 1, issue: "stay"},
			{ref: "five thousand years", change: func(_ *connectors.Message, room *hotel.ChannelRoom) { room.Stay.CheckOut += 5000 * 365 }, rooms: 1, issue: "stay"},
			{ref: "a room twice", change: func(m *connectors.Message, room *hotel.ChannelRoom) { m.Booking.Rooms = append(m.Booking.Rooms, *room) }, rooms: 2, issue: "total_differs"},
			{ref: "no reference", change: func(m *connectors.Message, _ *hotel.ChannelRoom) { m.Ref = "" }, rooms: 1},
			{ref: "another currency", change: func(m *connectors.Message, room *hotel.ChannelRoom) {
				room.Amounts[0].Currency, m.Booking.Total = "USD", &hotel.Money{Minor: 10000, Currency: "USD"}
			}, rooms: 1, issue: "currency"},
			{ref: "no currency", change: func(m *connectors.Message, room *hotel.ChannelRoom) {
				room.Amounts[0].Currency, m.Booking.Total = "gold", &hotel.Money{Minor: 10000, Currency: "gold"}
			}, rooms: 1, issue: "currency"},
			{ref: "more prices than nights", change: func(_ *connectors.Message, room *hotel.ChannelRoom) {
				room.Amounts = slices.Repeat(room.Amounts, 3)
			}, rooms: 1, issue: "price_spread"},
			{ref: "no such room", change: func(_ *connectors.Message, room *hotel.ChannelRoom) { room.Room = "ATTIC" }, rooms: 1, issue: "unmapped", asks: hotel.ConflictUnmapped},
			{ref: "nobody", change: func(_ *connectors.Message, room *hotel.ChannelRoom) { room.Adults, room.Children = -5, []int{-7} }, rooms: 1, issue: "party"},
			{ref: "sound", change: func(*connectors.Message, *hotel.ChannelRoom) {}, rooms: 1},
		}
		var mail []connectors.Message
		key := func(n int) connectors.Key {
			return connectors.Key{Group: hotel.Availability, Room: w.house.RemoteRoom(double), Night: w.first + 6 + hotel.Date(n)}
		}
		long := 0 // rooms that are held from some night on
		want := make([]int, len(cases))
		for n, c := range cases {
			m := w.message(c.ref, key(n).Night)
			c.change(&m, &m.Booking.Rooms[0])
			mail = append(mail, m)
			want[n] = testkit.Doubles - c.rooms - long
			if m.Booking.Rooms[0].Stay.Nights() > 1 {
				long += c.rooms
			}
		}
		w.sell(1)
		w.brings(mail...)
		w.besides("with ill bookings")
		if state := w.state(); len(state.Flags) != 0 || state.Lag != 0 {
			t.Errorf("%d to tell, flags %+v", state.Lag, state.Flags)
		}
		for n, c := range cases {
			ref := mail[n].Ref
			if ref == "" {
				ref = mail[n].Key // it has no other
			}
			held := w.held(ref)
			if len(held) != c.rooms {
				t.Errorf("%s: held is %+v", c.ref, held)
				continue
			}
			if r := held[0]; c.issue == "" && len(r.Issues) > 0 || c.issue != "" && !r.HasIssue(c.issue) {
				t.Errorf("%s: its issues are %+v, want %q", c.ref, r.Issues, c.issue)
			}
			if c.asks != "" && w.asked(c.asks, held[0].ID) != 1 {
				t.Errorf("%s: nobody is asked", c.ref)
			}
			if o, _ := w.sound.Book().Shown(key(n)); o.Available != want[n] || patient.shows(key(n)) != want[n] {
				t.Errorf("%s: %d rooms are shown by it, and %d beside it, want %d", c.ref, patient.shows(key(n)), o.Available, want[n])
			}
		}
		w.brings(mail...) // they come again
		for n, c := range cases {
			if o, _ := w.sound.Book().Shown(key(n)); o.Available != want[n] {
				t.Errorf("%s, told twice: %d rooms are shown beside it, want %d", c.ref, o.Available, want[n])
			}
		}
	})
}

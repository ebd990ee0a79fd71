package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// history draws what a channel says of one booking, in the order in which it
// happens there: revisions with growing numbers and times.
func drawHistory(t *rapid.T, h *house, f *farSide, order hotel.FeedOrder) []Receipt {
	refs := rapid.Bool().Draw(t, "rooms have references")
	adjusts := rapid.SampledFrom([]hotel.Adjust{hotel.AdjustYes, hotel.AdjustNo})
	terms := hotel.Adjusts{Book: adjusts.Draw(t, "book"), Modify: adjusts.Draw(t, "modify"), Cancel: adjusts.Draw(t, "cancel")}
	n, at := rapid.IntRange(1, 4).Draw(t, "revisions"), h.clock.Now()
	if order == hotel.OrderNone && rapid.Bool().Draw(t, "no message has a time") {
		n, at = min(n, 2), time.Time{} // nobody can say which of two changes is the later one
	}
	var out []Receipt
	for i := range n {
		event := "modified"
		if i == 0 {
			event = "booked"
		} else if i == n-1 && rapid.Bool().Draw(t, "ends cancelled") {
			event = "cancelled"
		}
		r := Receipt{
			ChannelID: f.id, Key: fmt.Sprintf("key%d", i), Ref: "B1", Revision: fmt.Sprint(8 + i), Event: event,
			At: at, Order: order, Adjusts: terms,
		}
		if !at.IsZero() {
			at = at.Add(time.Minute)
		}
		if event != "cancelled" || rapid.Bool().Draw(t, "the cancellation names the rooms") {
			least := 1
			if event == "modified" {
				least = 0
			}
			r.Booking = drawBooking(t, h, refs, least)
		}
		out = append(out, r)
	}
	return out
}

func drawBooking(t *rapid.T, h *house, refs bool, least int) hotel.ChannelBooking {
	guest := rapid.SampledFrom([]hotel.Guest{
		{LastName: "A"},
		{LastName: "B"},
		{LastName: "A", Email: "a@example.com", Phone: "+49301"},
		{LastName: "B", Email: "b@example.com"},
		{FirstName: "C", LastName: "A"},
		{LastName: "A", Email: "a@example.com"},
		{LastName: "A", Email: "a@example.com", Phone: "+49302"},
		{LastName: "B", Email: "b@example.com", Address: hotel.Address{City: "Ulm"}},
	}).Draw(t, "guest")
	b := hotel.ChannelBooking{Guest: &guest}
	names := rapid.SliceOfNDistinct(rapid.IntRange(1, 3), least, 3, rapid.ID).Draw(t, "rooms")
	for _, name := range names {
		in := h.today + hotel.Date(rapid.IntRange(0, 3).Draw(t, "check-in"))
		room := hotel.ChannelRoom{
			Room: rapid.SampledFrom([]string{"D", "D", "T", "never mapped"}).Draw(t, "room"), Rate: rapid.SampledFrom([]string{"F", "F", "unknown"}).Draw(t, "rate"),
			Stay: hotel.Stay{CheckIn: in, CheckOut: in + hotel.Date(rapid.IntRange(0, 3).Draw(t, "nights"))}, Adults: 2,
		}
		if refs {
			room.Ref = fmt.Sprintf("room%d", name)
		}
		if rapid.Bool().Draw(t, "a child") {
			room.Children = []int{rapid.IntRange(3, 4).Draw(t, "its age")}
		}
		for range room.Stay.Nights() {
			room.Amounts = append(room.Amounts, hotel.Money{Minor: int64(1000 * rapid.IntRange(1, 2).Draw(t, "price")), Currency: "EUR"})
		}
		b.Rooms = append(b.Rooms, room)
	}
	return b
}

// ends describes what matters of a booking's rooms, however they came to be: of live ones
// everything; of those that ended the same, but of the guest only who it is. What else a profile
// says may be from a room that has become somebody else's. Of rooms without a reference of the
// channel's that ended nothing but their number, where nobody can say which became which.
func (f *farSide) ends(t tb, nameless bool) []string {
	t.Helper()
	list := must(f.h.Reservations(context.Background(), hotel.ReservationFilter{ChannelIDs: []string{f.id}, Limit: 1000}))(t)
	groups := map[string]bool{}
	var out []string
	for _, r := range list {
		groups[r.GroupID] = true
		ref := r.Source.RoomRef
		if r.Status == hotel.Cancelled && strings.HasPrefix(ref, slot) && !nameless {
			out = append(out, "cancelled")
			continue
		}
		if strings.HasPrefix(ref, slot) {
			ref = slot // which one is the channel's secret
		}
		person := must(f.h.Guest(context.Background(), r.GuestID))(t).Guest
		if r.Status == hotel.Cancelled {
			r.Guest, person = who(r.Guest), who(person)
		}
		out = append(out, fmt.Sprint(r.Status, ref, r.RoomTypeID, r.RatePlanID, r.BookedRoom, r.HeldRoom, r.Stay, r.Adults, r.ChildrenAges, r.Guest, person, r.Nightly, r.Total, r.PriceKnown, r.Issues, r.Source.Revision))
	}
	slices.Sort(out)
	return append(out, fmt.Sprintf("%d groups", len(groups)))
}

// who is what tells a guest from another.
func who(g hotel.Guest) hotel.Guest {
	return hotel.Guest{FirstName: g.FirstName, LastName: g.LastName, Email: g.Email}
}

// soldByNight counts the nights that are taken, by room type.
func (h *house) soldByNight(t tb) map[string]int64 {
	t.Helper()
	rows, err := h.read.SoldNights(context.Background(), soldParams(h.property.ID))
	out := map[string]int64{}
	for _, r := range must(rows, err)(t) {
		out[fmt.Sprint(r.Night, r.RoomTypeID)] = r.Taken
	}
	return out
}

// TestEveryOrderOfArrivalEndsTheSame receives a history in the order in which it
// happened, and again in any order with duplicates.
func TestEveryOrderOfArrivalEndsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.SampledFrom([]hotel.FeedOrder{hotel.OrderRevisionNumber, hotel.OrderRevisionCount, hotel.OrderTime, hotel.OrderNone}).Draw(t, "order")
		type end struct {
			Rooms []string
			Sold  map[string]int64
		}
		var history []Receipt
		var ends [2]end
		accounts := 0 // of the booking's rooms, by which they can be told from one another
		for i := range ends {
			h := newHouse(t)
			f := h.newFarSide(t, 5)
			f.goLive(t)
			h.policies(t, hotel.Policies{Conflicts: map[hotel.ConflictKind]string{hotel.ConflictGroupShrink: hotel.OptionCancelMissing}})
			if history == nil {
				history = drawHistory(t, h, f, order)
				for _, r := range history {
					if len(r.Booking.Rooms) > 0 {
						accounts++
					}
				}
			}
			messages := history
			if i == 1 {
				again := rapid.SliceOfN(rapid.SampledFrom(history), 0, 2).Draw(t, "again")
				messages = rapid.Permutation(append(slices.Clone(history), again...)).Draw(t, "arrival")
			}
			seen := map[string]bool{}
			for _, r := range messages {
				sequence := must(h.Sequence(context.Background()))(t)
				got := must(h.Receive(context.Background(), r))(t)
				if got.Duplicate != seen[r.Key] {
					t.Fatalf("message %s: duplicate is %v", r.Key, got.Duplicate)
				}
				if got.Duplicate && must(h.Sequence(context.Background()))(t) != sequence {
					t.Fatal("a duplicate left an entry")
				}
				seen[r.Key] = true
				h.checkSold(t)
			}
			h.decideDue(t)
			ends[i] = end{f.ends(t, accounts <= 2), h.soldByNight(t)}
			f.catchUp(t)
			f.checkWants(t)
		}
		if diff := gocmp.Diff(ends[0], ends[1]); diff != "" {
			t.Fatalf("the order of arrival matters (-in order +as it came):\n%s", diff)
		}
		newest := history[0] // that names rooms or cancels: it decides
		for _, r := range history {
			if r.Event == "cancelled" || len(r.Booking.Rooms) > 0 {
				newest = r
			}
		}
		want := 0
		if newest.Event != "cancelled" {
			for _, room := range newest.Booking.Rooms {
				want += max(1, room.Stay.Nights())
			}
		}
		got := 0
		for _, n := range ends[1].Sold {
			got += int(n)
		}
		if got != want {
			t.Fatalf("%d nights are held, the channel sold %d", got, want)
		}
	})
}

// checkSold compares the rooms taken with the live reservations, night by night.
func (h *house) checkSold(t tb) {
	t.Helper()
	want := map[string]int64{}
	for _, r := range must(h.Reservations(context.Background(), hotel.ReservationFilter{Limit: 1_000_000}))(t) {
		for d := r.Stay.CheckIn; d < max(r.Stay.CheckOut, r.RoomUntil); d++ {
			if isTaken(&r, d) {
				want[fmt.Sprint(int64(d), r.RoomOn(d))]++
			}
		}
	}
	if diff := gocmp.Diff(want, h.soldByNight(t)); diff != "" {
		t.Fatalf("sold rooms are not the live room nights (-want +got):\n%s", diff)
	}
}

// isTaken says in the plainest words whether a reservation takes a room on a night
// on or after its arrival.
func isTaken(r *hotel.Reservation, d hotel.Date) bool {
	booked := d < r.Stay.CheckOut
	switch r.Status {
	case hotel.Requested, hotel.Held, hotel.Confirmed:
		return booked
	case hotel.CheckedIn:
		return booked || d < r.RoomUntil
	case hotel.CheckedOut:
		return booked && (r.RoomUntil == 0 || d < r.RoomUntil)
	case hotel.NoShow:
		return d == r.Stay.CheckIn || booked && d < r.RoomUntil
	case hotel.Enquired, hotel.Waitlisted, hotel.Cancelled, hotel.Declined:
	}
	return false
}

func (f *farSide) checkWants(t tb) {
	t.Helper()
	groups := f.groups(t)
	for cell, want := range f.expected(t) {
		if g := groups[cell]; g.want == nil || *g.want != want || g.dirty() {
			t.Fatalf("%+v is wanted as %v, the house offers %d: %+v", cell, g.want, want, g)
		}
	}
}

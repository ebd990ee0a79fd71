package ledger

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// drawPartial draws what a channel says of a booking of up to three rooms, in the order
// in which it happens there: each message names the rooms that change, and a
// cancellation is about all of them.
func drawPartial(t *rapid.T, h *house) []Receipt {
	var out []Receipt
	for i := range rapid.IntRange(2, 5).Draw(t, "messages") {
		event := "booked"
		if i > 0 {
			event = rapid.SampledFrom([]string{"modified", "modified", "cancelled"}).Draw(t, "event")
		}
		r := oneRoom(h, fmt.Sprint(i), event, hotel.ChannelRoom{})
		r.Ref, r.Revision, r.Partial, r.Booking.Rooms = "B", fmt.Sprint(i+1), true, nil
		r.Raw = []byte(fmt.Sprint(i))
		least := 1
		if event == "cancelled" {
			least = 0
		}
		for _, name := range rapid.SliceOfNDistinct(rapid.IntRange(1, 3), least, 3, rapid.ID).Draw(t, "rooms") {
			in := h.today + hotel.Date(rapid.IntRange(0, 2).Draw(t, "check-in"))
			r.Booking.Rooms = append(r.Booking.Rooms, hotel.ChannelRoom{
				Ref: fmt.Sprint("r", name), Room: rapid.SampledFrom([]string{"D", "T"}).Draw(t, "room"), Rate: "F", Adults: 2,
				Stay: hotel.Stay{CheckIn: in, CheckOut: in + hotel.Date(rapid.IntRange(1, 3).Draw(t, "nights"))},
				Gone: event == "modified" && rapid.IntRange(0, 3).Draw(t, "gone") == 0,
			})
		}
		out = append(out, r)
	}
	return out
}

// TestEveryOrderOfMessagesThatNameWhatChanges: each room is what the newest message that
// names it says, and is live unless it is gone by that or the booking was cancelled after that, whatever the
// order in which the messages come and however often.
func TestEveryOrderOfMessagesThatNameWhatChanges(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		h.newFarSide(t, 5)
		history := drawPartial(t, h)
		want := map[string]string{}
		for _, m := range history { // in order, a plain model
			if m.Event == "cancelled" {
				want = map[string]string{}
				continue
			}
			for _, room := range m.Booking.Rooms {
				if want[room.Ref] = fmt.Sprint(room.Room, room.Stay, m.Revision); room.Gone {
					delete(want, room.Ref)
				}
			}
		}
		again := rapid.SliceOfN(rapid.SampledFrom(history), 0, 2).Draw(t, "again")
		for _, m := range rapid.Permutation(append(slices.Clone(history), again...)).Draw(t, "arrival") {
			must(h.Receive(ctx, m))(t)
			h.checkSold(t)
		}
		got := map[string]string{}
		groups := map[string]bool{}
		for _, r := range must(h.Reservations(ctx, hotel.ReservationFilter{PropertyIDs: []string{h.property.ID}, Limit: 100}))(t) {
			groups[r.GroupID] = true
			if r.Status == hotel.Cancelled {
				continue
			}
			room := map[string]string{h.double.ID: "D", h.twin.ID: "T"}[r.RoomTypeID]
			got[r.Source.RoomRef] = fmt.Sprint(room, r.Stay, r.Source.Revision)
		}
		if diff := gocmp.Diff(want, got); diff != "" || len(groups) > 1 {
			t.Fatalf("%d groups; -in order +as it came:\n%s", len(groups), diff)
		}
		if list := must(h.Conflicts(ctx, hotel.ConflictFilter{PropertyID: h.property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictStale}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 10}))(t); len(list) > 0 {
			t.Fatalf("somebody is asked about %+v", list)
		}
	})
}

// TestLateMessageAboutAnotherRoom: it is news of that room, though something newer is
// known of the booking, and nothing to tell anybody of.
func TestLateMessageAboutAnotherRoom(t *testing.T) {
	h, ctx := newHouse(t), context.Background()
	h.newFarSide(t, 5)
	h.group(t, "booked", "1", "r1", "r2")
	say := func(revision, ref string, nights hotel.Date) Received {
		r := oneRoom(h, revision, "modified", hotel.ChannelRoom{Ref: ref, Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 3 + nights}, Adults: 2})
		r.Ref, r.Revision, r.Partial = "B", revision, true
		return must(h.Receive(ctx, r))(t)
	}
	say("3", "r1", 3)
	if late := say("2", "r2", 2); late.Ignored || len(late.Reservations) != 1 || late.Reservations[0].Stay.Nights() != 2 {
		t.Errorf("late it is %+v", late)
	}
	if n := len(h.conflicts(t, hotel.ConflictStale)); n > 0 {
		t.Errorf("%d are told of it", n)
	}
	if old := say("1.5", "r1", 1); !old.Ignored { // no number: told of
		t.Errorf("what is older than its own room counts: %+v", old)
	}
	if old := say("0", "r1", 1); !old.Ignored || len(h.conflicts(t, hotel.ConflictStale)) == 0 {
		t.Errorf("what is older than its own room counts: %+v", old)
	}
	h.sound(t)
}

// TestPartialMessageThatIsOldForItsSecondRoom: that it is news of the first says nothing
// of the counters that it may have moved for the second.
func TestPartialMessageThatIsOldForItsSecondRoom(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	say := func(revision, event string, nights map[string]hotel.Date, names ...string) {
		r := oneRoom(h, revision, event, hotel.ChannelRoom{})
		r.Ref, r.Revision, r.Partial, r.Adjusts, r.Booking.Rooms = "B", revision, true, hotel.Adjusts{Book: hotel.AdjustNo, Modify: hotel.AdjustYes, Cancel: hotel.AdjustNo}, nil
		for _, name := range names {
			in := h.today + nights[name]
			r.Booking.Rooms = append(r.Booking.Rooms, hotel.ChannelRoom{Ref: name, Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2})
		}
		must(h.Receive(context.Background(), r))(t)
	}
	say("1", "booked", map[string]hotel.Date{"r1": 3, "r2": 3}, "r1", "r2")
	say("3", "modified", map[string]hotel.Date{"r2": 5}, "r2")
	f.catchUp(t)
	sure := func() bool {
		for cell, g := range f.groups(t) {
			if cell.Group == hotel.Availability && cell.Night == h.today+9 && !g.sure() {
				return false
			}
		}
		return true
	}
	if !sure() {
		t.Fatal("a night is in doubt of which nothing was said")
	}
	say("2", "modified", map[string]hotel.Date{"r1": 7, "r2": 9}, "r1", "r2")
	if sure() {
		t.Error("the channel had the second room there for a while, and what it shows is taken for known")
	}
	h.sound(t)
}

// TestLatePartialWordOfABookingThatIsOver: what changes rooms of a booking whose reference
// another has, or was written before the booking was made, ends no stay.
func TestLatePartialWordOfABookingThatIsOver(t *testing.T) {
	for name, passedOn := range map[string]bool{"its reference is another's": true, "it was told once more with a later time": false} {
		t.Run(name, func(t *testing.T) {
			h, ctx := newHouse(t), context.Background()
			h.newFarSide(t, 5)
			was := first(h, h.today, 1)
			r := must(h.Receive(ctx, was))(t).Reservations[0]
			h.clock.move(2 * time.Hour)
			want := r.Stay
			late := was
			late.Key, late.Event, late.Revision, late.Partial = "late", "modified", "2", true
			late.At = was.At.Add(time.Hour)
			late.Booking.Rooms = slices.Clone(was.Booking.Rooms)
			late.Booking.Rooms[0].Stay.CheckOut++
			if passedOn {
				h.clock.move(3 * 24 * time.Hour)
				must(h.Receive(ctx, another(h, "next", h.today+9, 2)))(t)
			} else {
				again := was
				again.Key, again.At = "again", h.clock.Now()
				must(h.Receive(ctx, again))(t)
			}
			must(h.Receive(ctx, late))(t)
			if now := must(h.Reservation(ctx, r.ID))(t); now.Status != hotel.Confirmed || now.Stay != want {
				t.Errorf("it is %s for %v, want confirmed for %v", now.Status, now.Stay, want)
			}
			if n := len(h.heldFor(t, "Another")); n == 1 != passedOn {
				t.Errorf("%d rooms are held for another", n)
			}
			h.checkSold(t)
			h.sound(t)
		})
	}
}

package ledger

import (
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestAHeldBookingIsNoCertainSale: a channel that does not raise its count with a
// cancellation keeps what it was granted when a booking is taken back that it may have told
// of once more only, and gives up a room when one is cancelled that somebody was sure of.
func TestAHeldBookingIsNoCertainSale(t *testing.T) {
	type world struct {
		*countedWorld
		say func(key, event, revision string, rooms ...hotel.ChannelRoom)
	}
	decide := func(option string) func(t *testing.T, w world) {
		return func(t *testing.T, w world) { w.h.resolve(t, w.h.conflict(t, hotel.ConflictStale), option, "") }
	}
	room := func(w world) hotel.ChannelRoom {
		return hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: w.night, CheckOut: w.night + 1}, Adults: 2}
	}
	gone := func(_ *testing.T, w world) { w.say("gone", "cancelled", "3") }
	for name, test := range map[string]struct {
		policy  string
		then    []func(t *testing.T, w world)
		account int
		live    int64
	}{
		"nobody has decided":               {account: 2, live: 1},
		"ignored":                          {then: []func(*testing.T, world){decide(hotel.OptionIgnore)}, account: 2},
		"cancelled before it is known":     {then: []func(*testing.T, world){gone}, account: 2},
		"applied":                          {then: []func(*testing.T, world){decide(hotel.OptionApply)}, account: 2, live: 1},
		"applied, and cancelled":           {then: []func(*testing.T, world){decide(hotel.OptionApply), gone}, account: 1},
		"applied by policy, and cancelled": {policy: hotel.OptionApply, then: []func(*testing.T, world){gone}, account: 1},
		"changed, and cancelled": {then: []func(*testing.T, world){func(_ *testing.T, w world) {
			w.say("changed", "modified", "2", room(w))
		}, gone}, account: 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := world{countedWorld: newCountedWorld(t, keepsCount, map[string]int{"D": 3})}
			w.say = func(key, event, revision string, rooms ...hotel.ChannelRoom) {
				r := oneRoom(w.h, key, event, hotel.ChannelRoom{})
				r.Ref, r.Revision, r.Raw, r.Adjusts, r.At, r.Booking.Rooms = "B7", revision, []byte(key), w.adjusts, time.Time{}, rooms
				w.h.clock.move(time.Minute)
				must(w.h.Receive(t.Context(), r))(t)
			}
			if test.policy != "" {
				w.h.policies(t, hotel.Policies{Conflicts: map[hotel.ConflictKind]string{hotel.ConflictStale: test.policy}})
			}
			w.say("1", "booked", "1", room(w))
			w.say("2", "cancelled", "2")
			if p := w.party(t, "D", 0); p.now.Account != 2 || p.live != 0 {
				t.Fatalf("the account is %d and %d are sold, want 2 and none", p.now.Account, p.live)
			}
			w.say("3", "booked", "1", room(w))
			for _, step := range test.then {
				step(t, w)
			}
			if p := w.party(t, "D", 0); p.now.Account != test.account || int64(p.live) != test.live {
				t.Errorf("the account is %d and %d are sold, want %d and %d", p.now.Account, p.live, test.account, test.live)
			}
			open := slices.ContainsFunc(w.h.conflicts(t, hotel.ConflictStale), func(c hotel.Conflict) bool { return c.Status == hotel.ConflictOpen })
			if open != (test.then == nil) {
				t.Errorf("somebody is asked: %t", open)
			}
			w.h.checkSold(t)
			w.h.sound(t)
		})
	}
}

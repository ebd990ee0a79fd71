package sync_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// Going live with a ledger that lacks bookings, all of them or a single one, is refused
// until somebody accepts every night that it would raise, and these are named: the
// nights that others have sold, from what is shown to what would be. No other list
// passes, neither a part of it nor more. What the channel showed a while ago does not count. This is the part of check 12 of
// docs/api-checks.md that is about going live.
func TestGoingLiveNamesEveryRaisedNight(t *testing.T) {
	for _, c := range []struct {
		name    string
		missing int // of the three stays that were sold before
	}{{"an empty ledger", 3}, {"a missing booking", 1}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				defer b.stop()
				f := b.far("a")
				stays := []hotel.Stay{{CheckIn: b.first + 3, CheckOut: b.first + 5}, {CheckIn: b.first + 9, CheckOut: b.first + 10}, {CheckIn: b.first + 20, CheckOut: b.first + 23}}
				b.channel("a", f.Settings(300))
				if err := b.eng.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.live()
				b.pass(time.Minute)
				b.pass(15 * time.Minute)
				// From here on another system tells the far side, of what it has sold.
				if _, _, err := b.ldg.ShadowChannel(t.Context(), testkit.Tester, hotel.Once{}, "a", 0); err != nil {
					t.Fatal(err)
				}
				var want []string
				for i, s := range stays {
					shown := testkit.Suites - 1
					f.Type(t, testkit.Edit{Room: b.house.RemoteRoom(suite), Rate: b.house.RemoteRate(0), From: s.CheckIn, To: s.CheckOut - 1, Available: &shown})
					if i < c.missing {
						want = append(want, fmt.Sprintf("%s %s–%s from %d to %d", b.house.RemoteRoom(suite), s.CheckIn, s.CheckOut-1, shown, testkit.Suites))
						continue
					}
					_, _, err := b.ldg.CreateReservation(t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
						PropertyID: b.house.Property.ID, RoomTypeID: b.house.Rooms[suite].ID, RatePlanID: b.house.Plans[0].ID, Stay: s, Adults: 2,
						Guest: hotel.Guest{LastName: "Guest"},
					})
					if err != nil {
						t.Fatal(err)
					}
				}
				b.pass(time.Minute) // the engine notices
				outdated, _ := errors.AsType[*hotel.Refusal](b.activated())
				if outdated == nil || outdated.Code != "plan_outdated" {
					t.Fatalf("it goes live by what it showed a quarter of an hour ago: %v", outdated)
				}
				if planned, now := outdated.Members["planned_at_sequence"], outdated.Members["current_sequence"]; planned == nil || now == nil || now == int64(0) {
					t.Errorf("it does not say of when the plan is: %v", outdated.Members)
				}
				b.pass(time.Minute) // it is read again

				plan, err := b.eng.Plan(t.Context(), "a", hotel.PlanQuery{Kind: hotel.PlanLive})
				if err != nil {
					t.Fatal(err)
				}
				before := b.shown(f)
				refused := func(why string, accept []hotel.Raise) {
					t.Helper()
					wish := hotel.Approval{PlanID: plan.ID, Accept: accept, AcceptedBy: "Ada"}
					_, _, err := b.eng.Activate(t.Context(), testkit.Tester, hotel.Once{}, "a", wish)
					if codeOf(err) != "raises_need_confirmation" {
						t.Fatalf("%s: %v", why, err)
					}
					if diff := cmp.Diff(want, raised(raisesOf(err))); diff != "" {
						t.Errorf("%s: nights that are named (-sold by others +named):\n%s", why, diff)
					}
				}
				refused("nothing is accepted", nil)
				refused("all but one is accepted", plan.Raises[1:])
				refused("one more is accepted", append(slices.Clone(plan.Raises), plan.Raises[0]))
				another := slices.Clone(plan.Raises)
				another[0].From++
				another[0].To++
				refused("another night is accepted", another)
				b.pass(time.Minute)
				if diff := cmp.Diff(before, b.shown(f)); diff != "" {
					t.Errorf("refused, and yet it shows other numbers:\n%s", diff)
				}
				b.live()
				(&kinds{pained: &pained{bench: b}}).sleeps(3 * time.Hour) // fewer rooms may be a sale of which nobody has heard yet: they are believed when they are read twice
				o := f.Book().OnSale(b.house.RemoteRoom(suite), stays[0].CheckIn)
				if o != testkit.Suites {
					t.Errorf("accepted, and it sells %d suites of %d", o, testkit.Suites)
				}
			})
		})
	}
}

// A channel that fails to be read does not go live by what it showed long ago: another system
// may have lowered it since. The plan says that nobody knows, and somebody accepts it by name.
func TestGoingLiveUnreadIsConfirmedByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f := b.far("a")
		b.channel("a", f.Settings(300))
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.live()
		b.pass(time.Minute)
		if _, _, err := b.ldg.ShadowChannel(t.Context(), testkit.Tester, hotel.Once{}, "a", 0); err != nil {
			t.Fatal(err)
		}
		b.pass(time.Minute)
		shown := testkit.Suites - 1
		f.Type(t, testkit.Edit{Room: b.house.RemoteRoom(suite), Rate: b.house.RemoteRate(0), From: b.first + 3, To: b.first + 4, Available: &shown})
		f.Plant(t, testkit.Fault{Kind: testkit.ServerError, Seconds: 3600})
		b.pass(15 * time.Minute)
		if err := b.activated(); codeOf(err) == "plan_outdated" {
			b.pass(time.Minute) // it is tried to be read
		}
		err := b.activated()
		r, _ := errors.AsType[*hotel.Refusal](err)
		if r == nil || r.Code != "unchecked_need_confirmation" || !slices.Equal(r.Members["unchecked"].([]hotel.Unchecked), []hotel.Unchecked{hotel.UncheckedShown}) {
			t.Fatalf("it goes live by what it showed a quarter of an hour ago: %v", err)
		}
		plan, err := b.eng.Plan(t.Context(), "a", hotel.PlanQuery{Kind: hotel.PlanLive})
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = b.eng.Activate(t.Context(), testkit.Tester, hotel.Once{}, "a", hotel.Approval{PlanID: plan.ID, Accept: plan.Raises, AcceptedBy: "Ada", Unchecked: plan.Unchecked})
		if err != nil {
			t.Errorf("accepted by name: %v", err)
		}
	})
}

// What a channel showed before our pause counts when it comes back from that pause, whatever
// became of it in between, and never once it was somebody else's to run: then it goes live by
// what it shows now, and of one that was not read since nobody knows what that is.
func TestGoingLiveByWhatWasShownBefore(t *testing.T) {
	for name, c := range map[string]struct {
		between func(b *bench, f testkit.FarSide)
		want    string // what every raise has; none: nothing is raised
	}{
		"paused":               {func(b *bench, _ testkit.FarSide) { b.pass(20 * time.Minute) }, ""},
		"paused, and read":     {func(b *bench, _ testkit.FarSide) { b.readBack() }, ""},
		"frozen, closed again": {func(b *bench, _ testkit.FarSide) { b.paused(true); b.paused(false); b.pass(time.Minute) }, ""},
		"disconnected":         {func(b *bench, _ testkit.FarSide) { b.tested() }, "from nothing known to"},
		"disconnected, in shadow": {func(b *bench, f testkit.FarSide) {
			b.tested()
			b.shadowed(f)
		}, "from 0 to"},
		"paused, in shadow": {func(b *bench, f testkit.FarSide) { b.shadowed(f) }, "from 0 to"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				defer b.stop()
				f := b.far("a")
				b.channel("a", f.Settings(300))
				if err := b.eng.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.live()
				b.pass(time.Minute)
				b.paused(false)
				b.pass(time.Minute)
				if n := b.rooms(f); n != 0 {
					t.Fatalf("paused, it shows %d rooms", n)
				}
				c.between(b, f)
				plan, err := b.eng.Plan(t.Context(), "a", hotel.PlanQuery{Kind: hotel.PlanLive})
				if err != nil {
					t.Fatal(err)
				}
				for _, raise := range raised(plan.Raises) {
					if c.want == "" || !strings.Contains(raise, c.want) {
						t.Errorf("the plan raises %s, want all of it %q", raise, c.want)
					}
				}
				if c.want != "" && len(plan.Raises) != 3 {
					t.Errorf("%d raises are named, want one of each room", len(plan.Raises))
				}
				_, _, err = b.eng.Activate(t.Context(), testkit.Tester, hotel.Once{}, "a", hotel.Approval{PlanID: plan.ID})
				if code := codeOf(err); c.want == "" && err != nil || c.want != "" && code != "raises_need_confirmation" {
					t.Errorf("nothing accepted: %v", err)
				}
			})
		})
	}
}

func (b *bench) paused(freeze bool) {
	b.t.Helper()
	if _, _, err := b.ldg.PauseChannel(b.t.Context(), testkit.Tester, hotel.Once{}, "a", 0, freeze); err != nil {
		b.t.Fatal(err)
	}
	b.eng.Renew("a")
}

// tested ends the channel a, which is closed, and tests it anew.
func (b *bench) tested() {
	b.t.Helper()
	_, _, err := b.ldg.DisconnectChannel(b.t.Context(), testkit.Tester, hotel.Once{}, "a", 0, false)
	if err == nil {
		_, err = b.ldg.ChannelReached(b.t.Context(), testkit.Tester, "a")
	}
	if err != nil {
		b.t.Fatal(err)
	}
	b.eng.Renew("a")
	b.pass(time.Minute)
}

// shadowed takes the channel a into shadow, where somebody else opens a room, and reads it.
func (b *bench) shadowed(f testkit.FarSide) {
	b.t.Helper()
	if _, _, err := b.ldg.ShadowChannel(b.t.Context(), testkit.Tester, hotel.Once{}, "a", 0); err != nil {
		b.t.Fatal(err)
	}
	one := 1
	f.Type(b.t, testkit.Edit{Room: b.house.RemoteRoom(suite), Rate: b.house.RemoteRate(0), From: b.first + 3, To: b.first + 4, Available: &one})
	b.eng.Renew("a")
	b.pass(time.Minute)
	b.readBack()
}

// raised writes raises as a person reads them.
func raised(all []hotel.Raise) (out []string) {
	for _, r := range all {
		shown := "nothing known"
		if r.Shown != nil {
			shown = fmt.Sprint(*r.Shown)
		}
		out = append(out, fmt.Sprintf("%s %s–%s from %s to %d", r.RemoteRoom, r.From, r.To, shown, r.Wanted))
	}
	return out
}

// raisesOf returns what a refusal asks to be accepted.
func raisesOf(err error) []hotel.Raise {
	r, refused := errors.AsType[*hotel.Refusal](err)
	if !refused {
		return nil
	}
	all, _ := r.Members["raises"].([]hotel.Raise)
	return all
}

package sync_test

import (
	"encoding/json"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// Somebody raises a guarded count by hand: above all that was granted, or by a room that it
// has sold before. When it is read, and no guest who is yet to be heard of can have given a
// room back, the counter is closed and somebody is told what it shows and what it was granted;
// until it has taken the closing it is said to show something else. Then its bookings are listed
// and it gets its part again: all are sold once.
func TestAGuardedCountThatIsRaisedByHandIsClosed(t *testing.T) {
	for _, c := range []struct {
		name, preset string
		sold         int // before
	}{
		{"above all that it was granted", "push", 0},
		{"at a channel that goes by no versions", "pull", 0},
		{"by a room that it has sold", "pull", 1},
		{"a total", "total", 0},
		{"where no list takes anything back", "relay", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			guards(t, []string{c.preset, "push"}, func(k *kinds) {
				night, a := k.first+3, k.far[0]
				granted := k.shows(a, suite, night)
				if granted == 0 || granted == testkit.Suites {
					k.t.Fatalf("%d of %d suites are on sale there", granted, testkit.Suites)
				}
				for range c.sold {
					k.sell(a, k.wish(suite, 0, night))
				}
				k.pass(time.Minute)
				a.Plant(k.t, testkit.Fault{Kind: testkit.Half, Seconds: 60}) // it can be asked, and is told nothing
				raised := granted
				if c.sold == 0 {
					raised += 2
				}
				a.Type(k.t, testkit.Edit{Room: k.house.RemoteRoom(suite), Rate: k.house.RemoteRate(0), From: night, To: night, Available: &raised})
				k.readBack()
				if c.sold > 0 { // a guest may have cancelled who is yet to be heard of
					if told := k.raisedByHand(); len(told) > 0 {
						k.t.Errorf("these are told of it at once: %+v", told)
					}
					k.pass(11 * time.Minute)
					a.Plant(k.t, testkit.Fault{Kind: testkit.Half, Seconds: 60})
					k.readBack()
				}
				k.pass(10 * time.Second)
				// Of one that gives nothing back nobody knows more than that its closing has no answer.
				if s := k.counter("a", night); s.State != hotel.Drifted && (c.preset != "relay" || s.State != hotel.Unclear) || s.ReadBack == nil || s.ReadBack.Value.Available != raised {
					k.t.Errorf("it shows %d where it was granted %d, and is said to be %s: %s", raised, granted-c.sold, s.State, s.Reason)
				}
				told := k.raisedByHand()
				if len(told) != 1 || told[0].ChannelID != "a" || told[0].Severity != hotel.Critical {
					k.t.Fatalf("these are told of it: %+v", told)
				}
				var facts ledger.DriftFacts
				if err := json.Unmarshal(told[0].Facts, &facts); err != nil {
					k.t.Fatal(err)
				}
				if n := facts.Nights; len(n) != 1 || n[0].From != night || n[0].To != night || roomsIn(n[0].Theirs) != raised || roomsIn(n[0].Ours) != granted-c.sold {
					k.t.Errorf("it was granted %d and shows %d, and these facts are told: %s", granted-c.sold, raised, told[0].Facts)
				}
				k.pass(10 * time.Minute)
				if n := k.shows(a, suite, night); n > granted-c.sold {
					k.t.Errorf("it still shows %d, and was granted %d", n, granted-c.sold)
				}
				sold := c.sold
				for range 3 {
					for _, f := range k.far {
						for {
							if _, err := f.Book().Sell(k.wish(suite, 0, night)); err != nil {
								break
							}
							sold++
						}
					}
					k.pass(3 * time.Minute)
				}
				// A relay keeps what it was granted for good: nobody can know what it has sold.
				if want := testkit.Suites; sold != want && (c.preset != "relay" || sold != want-granted) {
					k.t.Errorf("%d suites are sold, there are %d", sold, want)
				}
				if n := len(k.raisedByHand()); n != 1 {
					k.t.Errorf("%d conflicts are told of it in the end", n)
				}
			})
		})
	}
}

// A guest cancels, or moves his booking to another night, and the count is read before anybody
// has heard of that: nobody has raised it, and nobody is told so, however often it is read.
func TestAGuestWhoGivesBackARoomRaisesNoCount(t *testing.T) {
	for name, gives := range map[string]func(f testkit.FarSide, reference string, night hotel.Date) error{
		"cancels": func(f testkit.FarSide, reference string, _ hotel.Date) error {
			_, err := f.Book().Cancel(reference)
			return err
		},
		"moves": func(f testkit.FarSide, reference string, night hotel.Date) error {
			_, err := f.Book().Modify(testkit.Request{Reference: reference, CheckIn: night + 5, CheckOut: night + 6})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			guards(t, []string{"slow", "push"}, func(k *kinds) {
				night, a := k.first+3, k.far[0]
				before := k.shows(a, suite, night)
				b := k.sell(a, k.wish(suite, 0, night))
				k.pass(5 * time.Minute)
				if n := len(k.kept()); n != 1 {
					k.t.Fatalf("%d bookings are heard of", n)
				}
				if err := gives(a, b.Reference, night); err != nil {
					k.t.Fatal(err)
				}
				for range 4 {
					k.readBack()
					k.pass(6 * time.Minute)
				}
				if told := k.raisedByHand(); len(told) > 0 {
					k.t.Errorf("these are told: %+v", told)
				}
				if n := k.shows(a, suite, night); n != before {
					k.t.Errorf("it shows %d suites, and showed %d", n, before)
				}
			})
		})
	}
}

// counter is how the count of suites stands at a channel.
func (k *kinds) counter(channel string, night hotel.Date) hotel.GroupSight {
	k.t.Helper()
	seen, err := k.ldg.Sights(k.t.Context(), hotel.SightQuery{ChannelID: channel, Span: hotel.Span{From: night, To: night}, RoomTypeIDs: []string{k.house.Rooms[suite].ID}, AtLeast: 10})
	if err != nil {
		k.t.Fatal(err)
	}
	for _, c := range seen.Cells {
		for _, g := range c.Groups {
			if g.Group == hotel.Availability {
				return g
			}
		}
	}
	k.t.Fatal("nothing is known of the count")
	return hotel.GroupSight{}
}

// raisedByHand lists the conflicts that tell of a channel which shows something else.
func (k *kinds) raisedByHand() []hotel.Conflict {
	k.t.Helper()
	all, err := k.ldg.Conflicts(k.t.Context(), hotel.ConflictFilter{PropertyID: k.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictDrift, hotel.ConflictAllotment}, Limit: 100})
	if err != nil {
		k.t.Fatal(err)
	}
	return all
}

// roomsIn is the number of rooms that a drift's facts name.
func roomsIn(v any) int {
	m, _ := v.(map[string]any)
	n, _ := m["available"].(float64)
	return int(n)
}

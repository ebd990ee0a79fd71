package alpinebits

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// TestASeasonThatIsOver is ended by a complete set, for a portal takes no free room within
// one; and so is what it was told more than a day ago told as a set again.
func TestASeasonThatIsOver(t *testing.T) {
	sim, url := portal(t, "2024-10")
	cfg := sound()
	cfg.URL = url
	with, clock := env(t), &standing{time.Now()}
	shut := []hotel.Span{{From: night + 10, To: night + 20}}
	with.Clock, with.Shut = clock, func(context.Context) ([]hotel.Span, error) { return shut, nil }
	opened, err := open(t.Context(), cfg, with)
	if err != nil {
		t.Fatal(err)
	}
	tell := func(at hotel.Date, rooms int) {
		t.Helper()
		calls, _ := opened.Encode([]connectors.Change{{Key: connectors.Key{Room: "DBL", Group: hotel.Availability, Night: at}, Offer: hotel.Offer{Available: rooms}}})
		if answer, err := opened.Send(t.Context(), calls[0]); err != nil || answer.Rest != connectors.Applied {
			t.Errorf("%d rooms on %s are answered %+v, %v", rooms, at, answer, err)
		}
	}
	last := func() roomSet {
		t.Helper()
		set, err := fetch[roomSet](t.Context(), with.Shelf, lastSet)
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	tell(night, 2)
	if set := last(); len(set.Seasons) != 1 {
		t.Fatalf("the first set has the seasons %v", set.Seasons)
	}
	first := last().At
	clock.now = clock.now.Add(time.Hour)
	tell(night+1, 2)
	if at := last().At; !at.Equal(first) {
		t.Errorf("a change beside a season is told as a set at %s", at)
	}
	shut = nil
	tell(night+12, 3)
	if set := last(); !set.At.Equal(clock.now) || len(set.Seasons) > 0 {
		t.Errorf("a season that is over is told by a set of %s with %v", set.At, set.Seasons)
	}
	if o, _ := sim.Book().Shown(connectors.Key{Room: "DBL", Group: hotel.Availability, Night: night + 12}); o.Available != 3 {
		t.Errorf("the portal shows %d rooms", o.Available)
	}
	clock.now = clock.now.Add(setFor)
	tell(night+2, 2)
	if at := last().At; !at.Equal(clock.now) {
		t.Errorf("after a day the last set is of %s", at)
	}
}

// TestARoomInASeasonIsFreedByASet also while a set waits that was in vain: a portal takes it
// in a set alone, whichever of the seasons that it was told it has.
func TestARoomInASeasonIsFreedByASet(t *testing.T) {
	for _, c := range []struct {
		name string
		far  simkit.FaultKind // what becomes of the second set
	}{{"which is refused", simkit.Reject}, {"of which nothing is heard", simkit.LostAnswer}} {
		t.Run(c.name, func(t *testing.T) {
			sim, url := portal(t, "2024-10")
			cfg := sound()
			cfg.URL = url
			with, clock := env(t), &standing{time.Now()}
			shut := []hotel.Span{{From: night + 10, To: night + 20}}
			with.Clock, with.Shut = clock, func(context.Context) ([]hotel.Span, error) { return shut, nil }
			opened, err := open(t.Context(), cfg, with)
			if err != nil {
				t.Fatal(err)
			}
			tell := func(at hotel.Date, rooms int) (connectors.Answer, error) {
				calls, _ := opened.Encode([]connectors.Change{{Key: connectors.Key{Room: "DBL", Group: hotel.Availability, Night: at}, Offer: hotel.Offer{Available: rooms}}})
				return opened.Send(t.Context(), calls[0])
			}
			taken := func(at hotel.Date, rooms int) {
				t.Helper()
				if answer, err := tell(at, rooms); err != nil || answer.Rest != connectors.Applied {
					t.Errorf("%d rooms on %s are answered %+v, %v", rooms, at, answer, err)
				}
				if o, _ := sim.Book().Shown(connectors.Key{Room: "DBL", Group: hotel.Availability, Night: at}); o.Available != rooms {
					t.Errorf("on %s the portal shows %d rooms, want %d", at, o.Available, rooms)
				}
			}
			taken(night, 2)
			clock.now = clock.now.Add(setFor)
			shut = append(shut, hotel.Span{From: night + 30, To: night + 40})
			if _, err := opened.(pulled).terms(t.Context()); err != nil { // so that the fault meets the set
				t.Fatal(err)
			}
			if err := sim.Plant(simkit.Fault{Kind: c.far, Count: 1}); err != nil {
				t.Fatal(err)
			}
			if answer, err := tell(night, 3); err == nil && answer.Rest != connectors.Rejected {
				t.Fatalf("the second set is answered %+v", answer)
			}
			clock.now = clock.now.Add(owedAgain / 2)
			shut = nil
			taken(night+1, 0) // waits for no set
			if set, err := fetch[roomSet](t.Context(), with.Shelf, lastSet); err != nil || set.At.Equal(clock.now) {
				t.Errorf("a closing is told by a set: %v", err)
			}
			taken(night+32, 1)
			taken(night+12, 1)
		})
	}
}

// TestSeasonsOfASetThatWasAskedFor are known afterwards.
func TestSeasonsOfASetThatWasAskedFor(t *testing.T) {
	sim, url := portal(t, "2024-10")
	cfg := sound()
	cfg.URL = url
	var shut []hotel.Span
	with := env(t)
	with.Shut = func(context.Context) ([]hotel.Span, error) { return shut, nil }
	opened, err := open(t.Context(), cfg, with)
	if err != nil {
		t.Fatal(err)
	}
	first := opened.(pulled)
	if _, err := send(t, first, free("DBL", 2)); err != nil {
		t.Fatal(err)
	}
	shut = []hotel.Span{{From: night + 10, To: night + 20}}
	first.owed.wish(t.Context(), message.AskFreeRooms)
	if _, err := send(t, first, free("DBL", 1)); err != nil {
		t.Fatal(err)
	}
	shut = nil
	later := free("DBL", 3)
	later.Key.Night += 12
	if answer, err := send(t, first, later); err != nil || answer.Rest != connectors.Applied {
		t.Errorf("a room in a season that is over is answered %+v, %v", answer, err)
	}
	if o, _ := sim.Book().Shown(later.Key); o.Available != 3 {
		t.Errorf("the portal shows %d rooms", o.Available)
	}
}

// standing is a clock that somebody sets.
type standing struct{ now time.Time }

// Now implements [hotel.Clock].
func (c *standing) Now() time.Time { return c.now }

// Until implements [hotel.Clock].
func (c *standing) Until(t time.Time) time.Duration { return t.Sub(c.now) }

// Steady implements [hotel.Clock].
func (c *standing) Steady() time.Time { return c.now }

// TestClosingSeasons go first in a complete set, without the nights on which it says that
// a room is free, and a portal that takes sets takes them.
func TestClosingSeasons(t *testing.T) {
	sim, url := portal(t, "sets")
	cfg := sound()
	cfg.URL = url
	with := env(t)
	with.Shut = func(context.Context) ([]hotel.Span, error) {
		return []hotel.Span{{From: night - 1, To: night + 1}, {From: night + 2, To: night + 4}}, nil
	}
	opened, err := open(t.Context(), cfg, with)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := opened.Send(t.Context(), oneNight(t, opened)); err != nil || answer.Rest != connectors.Applied {
		t.Fatalf("a set with seasons is answered %+v, %v", answer, err)
	}
	if o, known := sim.Book().Shown(connectors.Key{Room: "DBL", Group: hotel.Availability, Night: night}); !known || o.Available != 2 {
		t.Errorf("the portal shows %d", o.Available)
	}
	s := &script{t: t, answers: map[string]string{message.FreeRooms.Name: rs(message.Answered, `<Success/><Warnings><Warning Type="11" Status="ALPINEBITS_SEND_FREEROOMS"/></Warnings>`)}, seen: map[string]string{}}
	server := httptest.NewServer(s)
	defer server.Close()
	cfg.URL = server.URL
	if opened, err = open(t.Context(), cfg, with); err != nil {
		t.Fatal(err)
	}
	if _, err := opened.Send(t.Context(), oneNight(t, opened)); err != nil {
		t.Fatal(err)
	}
	set, err := message.ReadFreeRooms([]byte(s.seen[message.FreeRooms.Name]))
	want := []hotel.Span{{From: night - 1, To: night - 1}, {From: night + 1, To: night + 4}}
	if diff := cmp.Diff(want, set.Closed); err != nil || diff != "" || !set.Complete || len(set.Rooms) != 1 {
		t.Errorf("the seasons are (-want +got):\n%s, %v; %+v", diff, err, set)
	}
}

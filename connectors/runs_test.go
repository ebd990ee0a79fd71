package connectors_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

func availability(room string, night hotel.Date, rooms int) connectors.Change {
	return connectors.Change{
		Key:   connectors.Key{Room: room, Group: hotel.Availability, Night: night},
		Offer: hotel.Offer{Available: rooms},
	}
}

func TestRuns(t *testing.T) {
	run := func(room string, from, to hotel.Date, rooms int) connectors.Run {
		c := availability(room, from, rooms)
		return connectors.Run{Key: c.Key, Last: to, Offer: c.Offer}
	}
	noise := availability("A", 2, 1)
	noise.Offer.Amount = hotel.Money{Minor: 1, Currency: "EUR"} // of another group
	for _, c := range []struct {
		name    string
		changes []connectors.Change
		want    []connectors.Run
	}{
		{"nothing", nil, []connectors.Run{}},
		{"neighbours join", []connectors.Change{availability("A", 1, 1), noise}, []connectors.Run{run("A", 1, 2, 1)}},
		{"other values part", []connectors.Change{availability("A", 1, 1), availability("A", 2, 2)}, []connectors.Run{run("A", 1, 1, 1), run("A", 2, 2, 2)}},
		{"a gap parts", []connectors.Change{availability("A", 1, 1), availability("A", 3, 1)}, []connectors.Run{run("A", 1, 1, 1), run("A", 3, 3, 1)}},
		{"order of first appearance", []connectors.Change{availability("B", 5, 1), availability("A", 1, 1), availability("B", 4, 1)}, []connectors.Run{run("B", 4, 5, 1), run("A", 1, 1, 1)}},
		{"the last of two counts", []connectors.Change{availability("A", 1, 1), availability("A", 1, 2)}, []connectors.Run{run("A", 1, 1, 2)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, connectors.Runs(c.changes)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestRunsModel compares with what runs mean: written out again they are the
// changes, and no two of them could be one.
func TestRunsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := rapid.SliceOf(rapid.Custom(func(t *rapid.T) connectors.Change {
			c := availability(rapid.SampledFrom([]string{"A", "B"}).Draw(t, "room"), hotel.Date(rapid.IntRange(1, 8).Draw(t, "night")), 0)
			c.Key.Group = rapid.SampledFrom([]hotel.Group{hotel.Availability, hotel.Price}).Draw(t, "group")
			c.Offer = hotel.Offer{Available: rapid.IntRange(0, 2).Draw(t, "rooms"), Amount: hotel.Money{Minor: 1}}.Pick(c.Key.Group)
			return c
		})).Draw(t, "changes")
		want := map[connectors.Key]hotel.Offer{}
		for _, c := range changes {
			want[c.Key] = c.Offer
		}
		got := map[connectors.Key]hotel.Offer{}
		runs := connectors.Runs(changes)
		for _, r := range runs {
			for _, key := range r.Keys() {
				if _, twice := got[key]; twice {
					t.Fatalf("%v is in two runs", key)
				}
				got[key] = r.Offer
			}
			next := r.Key
			next.Night = r.Last + 1
			if slices.ContainsFunc(runs, func(o connectors.Run) bool { return o.Key == next && o.Offer == r.Offer }) {
				t.Fatalf("%v and what follows it could be one run", r)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
}

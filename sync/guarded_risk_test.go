package sync_test

import (
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// accepts sets the policies of the house.
func (k *kinds) accepts(p hotel.Policies) {
	k.t.Helper()
	_, _, err := k.ldg.ChangeProperty(k.t.Context(), testkit.Tester, hotel.Once{}, k.house.Property.ID, hotel.Change[hotel.Property]{Apply: func(of *hotel.Property) error {
		of.Policies = p
		return nil
	}})
	if err != nil {
		k.t.Fatal(err)
	}
}

// risked lists the conflicts by which a policy has accepted a risk.
func (k *kinds) risked(field string) (list []hotel.Conflict) {
	k.t.Helper()
	all, err := k.ldg.Conflicts(k.t.Context(), hotel.ConflictFilter{PropertyID: k.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictExposed}, Limit: 100})
	if err != nil {
		k.t.Fatal(err)
	}
	for _, c := range all {
		if c.Applied.Field == field && c.Applied.Value == string(hotel.AcceptRisk) && c.DecidedBy == hotel.ByPolicy && c.Resolution.Option == hotel.OptionAccept {
			list = append(list, c)
		}
	}
	return list
}

// A channel that promises too little is closed on guarded nights, until a policy accepts
// the risk: then it sells what it was granted, is granted more behind a closing, and the
// nights are shown as exposed. Revoked, it is closed again.
func TestAnUnsafeChannelSellsGuardedRoomsWhereThatIsAccepted(t *testing.T) {
	guards(t, []string{"push", "hub"}, func(k *kinds) {
		night := k.first + 3
		if n := k.shows(k.far[1], suite, night); n != 0 {
			k.t.Fatalf("%d suites are on sale at a channel that promises too little", n)
		}
		k.accepts(hotel.Policies{GuardedUnsafe: hotel.AcceptRisk})
		k.house.Stock(k.t, k.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(testkit.Suites + 2)})
		k.pass(5 * time.Minute)
		granted := k.shows(k.far[1], suite, night)
		if granted == 0 || granted+k.shows(k.far[0], suite, night) > testkit.Suites+2 {
			k.t.Fatalf("%d suites are on sale there and %d at the other channel, there are %d", granted, k.shows(k.far[0], suite, night), testkit.Suites+2)
		}
		if n := k.exposed(night); n != granted {
			k.t.Errorf("%d suites are exposed, the channel was granted %d at risk", n, granted)
		}
		if !k.inventory(night).AtLeast {
			k.t.Error("a channel that promises too little is said to sell no more than that")
		}
		noted := k.risked("guarded_unsafe")
		if len(noted) != 1 || noted[0].ChannelID != "b" || noted[0].Severity != hotel.Critical {
			k.t.Fatalf("noted %+v", noted)
		}
		sold := 0
		for range 4 {
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
		if sold != testkit.Suites+2 {
			k.t.Errorf("%d suites are sold, there are %d", sold, testkit.Suites+2)
		}
		k.accepts(hotel.Policies{})
		k.pass(5 * time.Minute)
		if n := k.shows(k.far[1], suite, night+1); n != 0 {
			k.t.Errorf("%d suites are on sale there though nobody accepts it any more", n)
		}
		if n := k.exposed(night + 1); n != 0 {
			k.t.Errorf("%d suites are exposed though it was closed", n)
		}
	})
}

// Nobody knows what a channel may sell of guarded rooms that has never been closed, and it
// cannot be reached: nothing is dealt, until a policy accepts the risk. Back again it is
// closed, listed, and gets its share.
func TestAnUnreachableChannelKeepsNobodyWaitingWhereThatIsAccepted(t *testing.T) {
	for _, accepted := range []bool{false, true} {
		t.Run(map[bool]string{false: "hold", true: "accept_risk"}[accepted], func(t *testing.T) {
			guards(t, []string{"push", "push"}, func(k *kinds) {
				night := k.first + 3
				if accepted {
					k.accepts(hotel.Policies{GuardedUnreachable: hotel.AcceptRisk})
				}
				k.protect(hotel.Protection{Kind: hotel.Shared})
				k.pass(2 * time.Minute)
				shown := k.shows(k.far[1], suite, night)
				k.far[1].Plant(k.t, testkit.Fault{Kind: testkit.ServerError, Seconds: 3600})
				k.protect(hotel.Protection{Kind: hotel.Guarded})
				k.pass(5 * time.Minute)
				want := 0
				if accepted {
					want = testkit.Suites
				}
				if n := k.shows(k.far[0], suite, night); n != want {
					k.t.Fatalf("%d suites are on sale at the channel that can be reached, want %d", n, want)
				}
				if noted := k.risked("guarded_unreachable"); (len(noted) > 0) != accepted || accepted && noted[0].ChannelID != "b" {
					k.t.Fatalf("noted %+v", noted)
				}
				if n := k.exposed(night); accepted && n != shown {
					k.t.Errorf("%d suites are exposed, the other channel shows %d", n, shown)
				}
				if k.inventory(night).AtLeast {
					k.t.Error("a channel that sells what its count says is said to sell more")
				}
				k.sleeps(2 * time.Hour)
				if n := k.exposed(night); n != 0 {
					k.t.Errorf("back again, %d suites are exposed", n)
				}
				if n := k.shows(k.far[1], suite, night) + k.shows(k.far[0], suite, night); n != testkit.Suites {
					k.t.Errorf("back again, %d suites are on sale at both, want %d", n, testkit.Suites)
				}
			})
		})
	}
}

// exposed is what the inventory says that channels could sell of suites beyond what is free.
func (k *kinds) exposed(night hotel.Date) int {
	k.t.Helper()
	return k.inventory(night).Exposed
}

// inventory is what the inventory says of suites.
func (k *kinds) inventory(night hotel.Date) hotel.InventoryCell {
	k.t.Helper()
	inv, err := k.ldg.Inventory(k.t.Context(), hotel.InventoryQuery{PropertyID: k.house.Property.ID, RoomTypeIDs: []string{k.house.Rooms[suite].ID}, Span: hotel.Span{From: night, To: night}})
	if err != nil || len(inv.Cells) != 1 {
		k.t.Fatal(len(inv.Cells), err)
	}
	return inv.Cells[0]
}

// protect changes how the suites are protected.
func (k *kinds) protect(p hotel.Protection) {
	k.t.Helper()
	_, _, err := k.ldg.ChangePool(k.t.Context(), testkit.Tester, hotel.Once{}, k.house.Rooms[suite].Consumes[0].AnyOf[0], hotel.Change[hotel.Pool]{Apply: func(pool *hotel.Pool) error {
		pool.Protection = p
		return nil
	}})
	if err != nil {
		k.t.Fatal(err)
	}
}

package sync_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// Of a channel that is not told something for a minute somebody hears then, whenever that
// is: the engine looks when the minute is over, and not some seconds later.
func TestAChannelThatIsOutOfDateIsToldOfAtOnce(t *testing.T) {
	for ahead := range 5 * time.Second / time.Second {
		t.Run(fmt.Sprintf("%d s after a look", ahead), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t)
				defer b.stop()
				b.channel("a", b.far("a").Settings(300))
				if err := b.ldg.GoLive(t.Context(), testkit.Tester, "a", 0); err != nil {
					t.Fatal(err)
				}
				if err := b.eng.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.pass(time.Minute + ahead*time.Second)
				b.net.Serve(context.Background(), "a.test", nil)
				began := time.Now()
				from, err := b.ldg.Sequence(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				b.house.Stock(t, b.ldg, suite, hotel.Span{From: b.first + 3, To: b.first + 3}, hotel.InventoryEntry{Total: hotel.Given(2)})
				b.pass(70 * time.Second)
				entries, err := b.ldg.Entries(t.Context(), from, 1000)
				if err != nil {
					t.Fatal(err)
				}
				told := slices.IndexFunc(entries, func(e ledger.Entry) bool { return e.Kind == ledger.ChannelStale })
				if told < 0 || entries[told].At.Sub(began) > 61*time.Second {
					t.Errorf("a minute and ten seconds later the journal has %d entries, that it is out of date at %d", len(entries), told)
				}
			})
		})
	}
}

// A channel that cannot be reached does not hear of what another sells. After ten
// minutes somebody is called, and no more once it has heard.
func TestSomebodyIsCalledAboutWhatAChannelMaySell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f, other := b.far("a"), b.far("b")
		for id, f := range map[string]testkit.FarSide{"a": f, "b": other} {
			b.channel(id, f.Settings(300))
			if err := b.ldg.GoLive(t.Context(), testkit.Tester, id, 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		night := b.first + 3
		b.house.Stock(t, b.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(2)})
		b.pass(time.Minute)

		b.net.Serve(context.Background(), f.Host, nil)
		b.pass(time.Hour)
		b.wantConflicts() // it has been told all there is

		_, err := other.Book().Sell(testkit.Request{
			Room: b.house.RemoteRoom(suite), Rate: b.house.RemoteRate(0), CheckIn: night, CheckOut: night + 1, Adults: 1, LastName: "Guest",
		})
		if err != nil {
			t.Fatal(err)
		}
		b.pass(10 * time.Minute)
		b.wantConflicts()
		b.pass(2 * time.Minute)
		b.wantConflicts("exposed  open")
		list, err := b.ldg.Conflicts(t.Context(), hotel.ConflictFilter{PropertyID: b.house.Property.ID, ChannelIDs: []string{"a"}, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		x, err := b.eng.Explain(t.Context(), hotel.ExplainQuery{ChannelID: "a", RoomTypeID: b.house.Rooms[suite].ID, RatePlanID: b.house.Plans[0].ID, Night: night})
		if err != nil || !slices.Equal(x.Conflicts, []string{list[0].ID}) {
			t.Errorf("the night is explained with the conflicts %q, want %q: %v", x.Conflicts, list[0].ID, err)
		}
		want := `"from":"` + night.String() + `","to":"` + night.String() + `","shown":2,"free":1}]}`
		if facts := string(list[0].Facts); !strings.HasSuffix(facts, want) || list[0].Severity != hotel.Critical {
			t.Errorf("%s: %s, want %s", list[0].Severity, facts, want)
		}

		b.net.Serve(context.Background(), f.Host, f)
		b.pass(20 * time.Minute) // until it is tried again
		b.wantConflicts("exposed  over")
	})
}

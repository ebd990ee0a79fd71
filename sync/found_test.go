package sync_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// greeted is a connector that shakes hands, and has nothing to tell.
type greeted struct{}

type greetedConfig struct {
	Newest string `json:"newest"`
}

func (greetedConfig) Validate() error { return nil }

// greetings are what the connectors that were opened knew of a handshake.
var greetings struct {
	sync.Mutex
	versions []string
}

func init() {
	connectors.Register(connectors.Driver[greetedConfig]{
		Name: "greeted", Summary: "shakes hands", Example: "# nothing",
		Capabilities: func(_ greetedConfig, found connectors.Discovered) connectors.Capabilities {
			terms := hotel.Terms{StockPer: hotel.PerRoom, Sellers: hotel.One, Acknowledges: hotel.BySeller}
			switch found.Version {
			case "7":
				terms.Fields = map[hotel.Field]hotel.Carriage{hotel.FieldClosed: {As: hotel.Exact}, hotel.FieldAvailable: {As: hotel.Exact}}
			case "":
				terms.Fields = map[hotel.Field]hotel.Carriage{hotel.FieldClosed: {As: hotel.Exact}}
			}
			return connectors.Capabilities{Terms: terms, Lists: found.Version == ""}
		},
		Discover: func(_ context.Context, c greetedConfig, _ connectors.Env) (connectors.Discovered, error) {
			return connectors.Discovered{Version: c.Newest, Doubts: []string{"it is " + c.Newest}}, nil
		},
		Account: func(greetedConfig) string { return "greeted" },
		Place:   func(greetedConfig) string { return "greeted" },
		Open: func(_ context.Context, _ greetedConfig, env connectors.Env) (connectors.Connector, error) {
			greetings.Lock()
			defer greetings.Unlock()
			greetings.versions = append(greetings.versions, env.Found.Version)
			return greeted{}, nil
		},
	})
}

func (greeted) Encode([]connectors.Change) ([]connectors.Call, []connectors.Refusal) { return nil, nil }

func (greeted) Send(context.Context, connectors.Call) (connectors.Answer, error) {
	return connectors.Answer{}, nil
}
func (greeted) Close() error { return nil }

// List fails: none of the versions that are found has lists.
func (greeted) List(context.Context, hotel.Date, hotel.Date, connectors.Sink) error {
	return errors.New("nobody says that it can be asked")
}

// greet sets up a channel that takes what its far side's newest version takes.
func (b *bench) greet(t *testing.T, newest string) {
	t.Helper()
	_, _, err := b.ldg.CreateChannel(t.Context(), testkit.Tester, hotel.Once{}, hotel.Channel{
		Entity: hotel.Entity{ID: "greeted"}, PropertyID: b.house.Property.ID, Connector: "greeted", Name: "Greeted",
		Settings: []byte(`{"newest":"` + newest + `"}`), Account: "greeted", Schedule: "@every 24h",
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What a handshake found is known when the channel is opened again, by a program that is
// started anew too, unless the channel has other settings since.
func TestWhatAHandshakeFoundIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		b.greet(t, "7")
		opens := func(want string) {
			t.Helper()
			state, err := b.ldg.Channel(t.Context(), "greeted")
			if err != nil {
				t.Fatal(err)
			}
			if reached, err := b.eng.Test(t.Context(), state.Channel); err != nil || len(reached.Doubts) != 1 {
				t.Fatalf("%+v, %v", reached, err)
			}
			able, err := b.eng.Abilities(t.Context(), state.Channel)
			if newest := string(state.Settings) == `{"newest":"7"}`; err != nil || (able.Fields[hotel.FieldAvailable].As == hotel.Exact) != newest {
				t.Errorf("it is able to %v, %v", able.Fields, err)
			}
			greetings.Lock()
			defer greetings.Unlock()
			if n := len(greetings.versions); n == 0 || greetings.versions[n-1] != want {
				t.Errorf("it is opened with %q, want %q", greetings.versions, want)
			}
		}
		opens("")
		opens("7")
		b.newEngine()
		opens("7")
		_, _, err := b.ldg.ChangeChannel(t.Context(), testkit.Tester, hotel.Once{}, "greeted", 0, func(c *hotel.Channel) error {
			c.Settings = []byte(`{"newest":"8"}`)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		opens("")
		unable := func() string {
			_, _, err := b.eng.Activate(t.Context(), testkit.Tester, hotel.Once{}, "greeted", hotel.Approval{PlanID: "any"})
			if r, is := errors.AsType[*hotel.Refusal](err); is && r.Code == "channel_unable" {
				return fmt.Sprint(r.Members["fields"])
			}
			return ""
		}
		if lacks := unable(); lacks != "[closed]" {
			t.Errorf("a far side that takes no closings goes live but for %q", lacks)
		}
		opens("8")
		set := func(newest string) {
			t.Helper()
			_, _, err := b.ldg.ChangeChannel(t.Context(), testkit.Tester, hotel.Once{}, "greeted", 0, func(c *hotel.Channel) error {
				c.Settings = []byte(`{"newest":"` + newest + `"}`)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		set("7")
		opens("")
		if lacks := unable(); lacks != "" {
			t.Errorf("one that takes all of it does not, for %s", lacks)
		}
		set("9") // and nobody tests it
		if lacks := unable(); lacks != "[closed]" {
			t.Errorf("set up otherwise since its test, it goes live but for %q", lacks)
		}
	})
}

// A live channel whose test finds that its far side does not take a field any more is
// reported, until a test finds that it does; one that is not live is refused as it goes live.
func TestALiveChannelThatCannotBeToldAllIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		b.greet(t, "9")
		tests := func(newest string) []hotel.Conflict {
			t.Helper()
			_, _, err := b.ldg.ChangeChannel(t.Context(), testkit.Tester, hotel.Once{}, "greeted", 0, func(c *hotel.Channel) error {
				c.Settings = []byte(`{"newest":"` + newest + `"}`)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			state, err := b.ldg.Channel(t.Context(), "greeted")
			if err == nil {
				_, err = b.eng.Test(t.Context(), state.Channel)
			}
			if err != nil {
				t.Fatal(err)
			}
			open, err := b.ldg.Conflicts(t.Context(), hotel.ConflictFilter{
				PropertyID: b.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictReported}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 10,
			})
			if err != nil {
				t.Fatal(err)
			}
			return open
		}
		if open := tests("9"); len(open) != 0 {
			t.Errorf("a draft is reported: %s", open[0].Facts)
		}
		if _, err := b.ldg.ChannelReached(t.Context(), testkit.Tester, "greeted"); err != nil {
			t.Fatal(err)
		}
		newest, err := b.ldg.Sequence(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := b.ldg.ActivateChannel(t.Context(), testkit.Tester, hotel.Once{}, "greeted", newest, hotel.Approval{AcceptedBy: "Ada"}); err != nil {
			t.Fatal(err)
		}
		for _, again := range []string{"9", "10"} {
			open := tests(again)
			if len(open) != 1 || open[0].Severity != hotel.Critical || !strings.Contains(string(open[0].Facts), `"channel_unable"`) || !strings.Contains(string(open[0].Facts), "(closed)") {
				t.Fatalf("a live one that takes no closings any more is reported as %+v", open)
			}
		}
		if open := tests("7"); len(open) != 0 {
			t.Errorf("one that takes all of it is reported: %s", open[0].Facts)
		}
	})
}

package channex

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

// The handshake says where the property at Channex is kept otherwise than the channel is
// told, or the house is.
func TestHandshake(t *testing.T) {
	for _, c := range []struct {
		name       string
		attributes string
		change     func(*Config)
		features   []string
		doubts     []string // how they begin
	}{
		{"nothing is said", `{}`, nil, nil, nil},
		{
			"all is alike", `{"currency":"EUR","timezone":"Europe/Rome","settings":{"min_stay_type":"both","state_length":500,"allow_availability_autoupdate_on_modification":false,"min_price":null,"max_day_advance":null}}`, nil,
			[]string{"currency=EUR", "timezone=Europe/Rome", "min_stay_type=both", "state_length=500"},
			nil,
		},
		{
			"nothing is", `{"currency":"USD","timezone":"UTC","settings":{"min_stay_type":"arrival","state_length":365,"allow_availability_autoupdate_on_modification":true,"allow_availability_autoupdate_on_cancellation":true,"max_price":"900.00","cut_off_time":"18:00:00","max_day_advance":90}}`, nil,
			[]string{"currency=USD", "timezone=UTC", "min_stay_type=arrival", "state_length=365"},
			[]string{
				`the property there reads minimum stays as "arrival", the channel is told "both"`, `the property there is in "USD", the channel is told "EUR"`,
				`the property there is in the time zone "UTC", the house in "Europe/Rome"`, "the property there keeps 365 days and drops the rest",
				"the property there moves its count by itself on a change: true", "the property there moves its count by itself on a cancellation: true",
				`the property there raises or lowers prices to its own bounds without a word: min_price "", max_price "900.00"`, `the property there closes nights by itself at cut_off_time "18:00:00"`,
				`the property there shows no rooms beyond max_day_advance "90"`,
			},
		},
		{
			"the channel is set to it", `{"settings":{"state_length":730,"allow_availability_autoupdate_on_modification":true,"allow_availability_autoupdate_on_cancellation":false}}`,
			func(c *Config) { c.CountsModify, c.CountsCancel, c.HorizonDays = true, true, 500 },
			[]string{"state_length=730"},
			[]string{"the property there keeps 730 days, the channel is told 500", "the property there moves its count by itself on a cancellation: false; the channel takes it for true"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/properties/P1":
					_, _ = io.WriteString(w, `{"data":{"type":"property","id":"P1","attributes":`+c.attributes+`}}`)
				case "/rate_plans":
					_, _ = io.WriteString(w, `{"data":[],"meta":{"total":0}}`)
				default:
					t.Errorf("%s is asked for", r.URL.Path)
				}
			}))
			defer server.Close()
			config := sound()
			config.URL = server.URL
			if c.change != nil {
				c.change(&config)
			}
			found, err := discover(t.Context(), config, connectors.Env{
				Client: transport.New(transport.Options{}), Clock: hotel.SystemClock{}, Log: zap.NewNop(),
				Property: func(context.Context) (hotel.Property, error) { return hotel.Property{TimeZone: "Europe/Rome"}, nil },
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.features, found.Features); diff != "" {
				t.Errorf("features (-want +got):\n%s", diff)
			}
			if len(found.Doubts) != len(c.doubts) {
				t.Fatalf("doubts %q, want %q", found.Doubts, c.doubts)
			}
			for i, want := range c.doubts {
				if !strings.HasPrefix(found.Doubts[i], want) {
					t.Errorf("doubt %q, want %q", found.Doubts[i], want)
				}
			}
		})
	}
}

// Rate plans whose prices Channex works out itself, or has for other guests, are named.
func TestDoubtsOfRatePlans(t *testing.T) {
	plan := func(title, mode string, sell SellMode) (p ratePlan) {
		p.ID, p.Attributes.Title, p.Attributes.RateMode, p.Attributes.SellMode = strings.ToLower(title), title, text(mode), sell
		return p
	}
	plans := []ratePlan{plan("Flexible", "manual", PerRoom), plan("Saver", "derived", PerRoom), plan("Guests", "manual", PerPerson), plan("Guests saver", "cascade", PerPerson), plan("Old", "", "")}
	const derived = `worked out there|"Saver" (saver), "Guests saver" (guests saver)`
	for _, c := range []struct {
		told  SellMode
		other []string
		want  []string
	}{
		{PerRoom, nil, []string{derived, `the primary occupancy alone|"Guests" (guests), "Guests saver" (guests saver)`}},
		{PerPerson, nil, []string{derived, `one price for the room|"Flexible" (flexible), "Saver" (saver)`}},
		{PerRoom, []string{"guests", "guests saver"}, []string{derived}},
		{PerPerson, []string{"flexible", "guests"}, []string{derived, `the primary occupancy alone|"Guests" (guests)`, `one price for the room|"Saver" (saver)`}},
	} {
		got := doubtsOf(plans, Config{SellMode: c.told, OtherMode: c.other})
		if len(got) != len(c.want) {
			t.Fatalf("%s: %q", c.told, got)
		}
		for i, w := range c.want {
			about, named, _ := strings.Cut(w, "|")
			if !strings.Contains(got[i], about) || !strings.HasSuffix(got[i], ": "+named) {
				t.Errorf("%s but for %v: %q, want %q of %s", c.told, c.other, got[i], about, named)
			}
		}
	}
	heir := plan("Heir", "manual", PerRoom)
	if err := json.Unmarshal([]byte(`{"attributes":{"title":"Heir","rate_mode":"manual","sell_mode":"per_room","inherit_rate":false,"inherit_max_stay":true}}`), &heir); err != nil {
		t.Fatal(err)
	}
	if got := doubtsOf([]ratePlan{plans[0], heir}, defaults); len(got) != 1 || !strings.Contains(got[0], "take over fields") || !strings.HasSuffix(got[0], `: "Heir" (heir)`) {
		t.Errorf("of one that inherits: %q", got)
	}
	if got := doubtsOf(slices.Repeat([]ratePlan{plans[1]}, 9), defaults); len(got) != 1 || !strings.HasSuffix(got[0], ", 4 more") {
		t.Errorf("of many plans: %q", got)
	}
}

// A count that Channex moves by itself is accounted for as one.
func TestCountsThatMoveByThemselves(t *testing.T) {
	config := sound()
	if got, want := capabilities(config, connectors.Discovered{}).AdjustsOn, (hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNo}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	config.CountsModify, config.CountsCancel = true, true
	if got, want := capabilities(config, connectors.Discovered{}).AdjustsOn, (hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// FuzzProperty: whatever a property says of itself and of its rate plans, what is told of
// that are few sentences that can be read.
func FuzzProperty(f *testing.F) {
	f.Add(`{"currency":"EUR","timezone":"Europe/Rome","settings":{"min_stay_type":"both","state_length":500,"cut_off_time":"18:00:00"}}`, `{"title":"Flexible","rate_mode":"derived","sell_mode":"per_person","inherit_rate":true}`)
	f.Add(`{"settings":[],"currency":7}`, `{"sell_mode":"per_room","options":null}`)
	f.Add(`{"settings":{"state_length":-1,"min_price":1e400}}`, `{"inherit_rate":"no"}`)
	f.Fuzz(func(t *testing.T, said, plan string) {
		var p property
		var r ratePlan
		if json.Unmarshal([]byte(said), &p) != nil || json.Unmarshal([]byte(`{"id":"x","attributes":`+plan+`}`), &r) != nil {
			return
		}
		for _, doubt := range append(p.doubts(sound(), "Europe/Vienna"), doubtsOf([]ratePlan{r, r}, sound())...) {
			if len(doubt) > 1000 || !utf8.ValidString(doubt) {
				t.Errorf("of %s and %s it says %q", said, plan, doubt)
			}
		}
		if days := p.Settings.v.days(); days != "" && p.Settings.v.StateLength == nil {
			t.Errorf("%s has %s days", said, days)
		}
	})
}

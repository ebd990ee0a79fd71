package channex

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// shownOn reads what two answers and a list of rate plans show of TWIN on a night.
func shownOn(mode SellMode, plans, counts, rest string, night hotel.Date) ([]connectors.Change, error) {
	var p []ratePlan
	var a countsAnswer
	var b restrictionsAnswer
	for text, into := range map[string]any{plans: &p, counts: &a, rest: &b} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			return nil, err
		}
	}
	config := sound()
	config.SellMode = mode
	return (&conn{cfg: config}).shown(func(room string) bool { return room == "TWIN" }, p, hotel.Span{From: night, To: night}, a, b)
}

const (
	twoOptions = `[{"id":"BAR","attributes":{"currency":"KWD","options":[{"id":"x","occupancy":1,"is_primary":false},{"id":"BAR","occupancy":2,"is_primary":true}]},
		"relationships":{"room_type":{"data":{"id":"TWIN"}}}}]`
	oneNight = `{"data":{"BAR":{"2026-12-20":{"rate":"12.3450","stop_sell":true,"min_stay_arrival":1,"min_stay_through":3,"max_stay":0,"unavailable_reasons":[]}},
		"x":{"2026-12-20":{"rate":"0.000","stop_sell":true}}}}`
)

// A price is that of its occupancy option, in the currency of the rate plan, and none is
// shown as zero, which the engine must see where it told another; a plan of which no room is left says nothing of its closing.
func TestShown(t *testing.T) {
	night := hotel.DateOf(2026, 12, 20)
	key := func(g hotel.Group, guests int) connectors.Key {
		return connectors.Key{Room: "TWIN", Rate: "BAR", Group: g, Occupancy: guests, Night: night}
	}
	price := hotel.Offer{Amount: hotel.Money{Minor: 12345, Currency: "KWD"}}
	rest := []connectors.Change{
		{Key: key(hotel.Lengths, 0), Offer: hotel.Offer{Lengths: hotel.LengthLimits{MinStayThrough: 3}}},
		{Key: key(hotel.Price, 1), Offer: hotel.Offer{Amount: hotel.Money{Currency: "KWD"}}},
		{Key: key(hotel.Price, 0), Offer: price},
		{Key: key(hotel.Price, 2), Offer: price},
	}
	count := connectors.Change{Key: connectors.Key{Room: "TWIN", Group: hotel.Availability, Night: night}}
	soldOut := append([]connectors.Change{count}, rest...)
	count.Offer.Available = 2
	closed := append([]connectors.Change{count, {Key: key(hotel.Closures, 0), Offer: hotel.Offer{Closed: hotel.Closed{Closed: true}}}}, rest...)
	for counts, want := range map[string][]connectors.Change{
		`{"data":{"TWIN":{"2026-12-20":0}}}`: soldOut, `{"data":{"TWIN":{"2026-12-20":2},"OTHER":{}}}`: closed,
	} {
		got, err := shownOn(PerPerson, twoOptions, counts, oneNight, night)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s shows (-want +got):\n%s", counts, diff)
		}
	}
}

// The more prices a property has, the fewer nights are asked for at a time.
func TestLargePropertiesAreReadInPieces(t *testing.T) {
	plan := ratePlan{}
	plan.Attributes.Options = make([]option, 10)
	for n, want := range map[int]hotel.Date{1: 31, 24: 31, 200: 3, 5000: 1} {
		if got := nightsAtOnce(slices.Repeat([]ratePlan{plan}, n)); got != want {
			t.Errorf("of %d plans with ten prices %d nights are asked for at a time, want %d", n, got, want)
		}
	}
	if got := nightsAtOnce(nil); got != 31 {
		t.Errorf("without plans it is %d nights", got)
	}
}

// A property is read for all its rooms at once: with twenty times the rooms it takes a
// few requests more, for the pages of rate plans and the bytes of an answer.
func TestRequestsOfAReadBack(t *testing.T) {
	for _, c := range []struct{ rooms, plans, most int }{{1, 1, 3}, {20, 1, 3}, {20, 10, 6}} {
		var products []connectors.RemoteProduct
		for r := range c.rooms {
			for p := range c.plans {
				products = append(products, connectors.RemoteProduct{Room: fmt.Sprintf("R%d", r), Rate: fmt.Sprintf("R%d-%d", r, p)})
			}
		}
		s := newStage(t, products)
		requests := 0
		ch := s.conn.(hinted)
		ch.call.Client = &http.Client{Transport: counted{&requests, ch.call.Client.Transport}}
		shown, err := ch.ReadWhole(t.Context(), today, today+30)
		if err != nil {
			t.Fatal(err)
		}
		if least := 31 * c.rooms * (1 + c.plans); len(shown) < least {
			t.Errorf("%d rooms with %d plans show %d values, want at least %d", c.rooms, c.plans, len(shown), least)
		}
		if requests > c.most {
			t.Errorf("%d rooms with %d plans take %d requests for 31 nights, want at most %d", c.rooms, c.plans, requests, c.most)
		}
	}
}

// counted counts requests.
type counted struct {
	n    *int
	next http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (c counted) RoundTrip(r *http.Request) (*http.Response, error) {
	*c.n++
	return c.next.RoundTrip(r)
}

// FuzzShown: whatever is shown is about what was asked.
func FuzzShown(f *testing.F) {
	f.Add(twoOptions, `{"data":{"TWIN":{"2026-12-20":0}}}`, oneNight)
	plan := func(currency, options, room string) string {
		return `[{"id":"BAR","attributes":{"currency":` + currency + `,"options":` + options + `},"relationships":{"room_type":{"data":` + room + `}}}]`
	}
	night := func(says string) string { return `{"data":{"BAR":{"2026-12-20":` + says + `}}}` }
	const options, twin, free = `[{"id":"BAR","occupancy":2,"is_primary":true}]`, `{"id":"TWIN"}`, `{"data":{"TWIN":{"2026-12-20":3}}}`
	for _, says := range []string{
		`{}`, `null`, `{"rate":null}`, `{"rate":"0"}`, `{"rate":"-1.00"}`, `{"rate":"1e3"}`, `{"rate":12}`, `{"rate":"12.3456789"}`, `{"rate":"99999999999999999999"}`,
		`{"rate":"1.00","stop_sell":false,"closed_to_arrival":true,"closed_to_departure":true}`, `{"rate":"1.00","min_stay":2,"max_stay":999}`,
		`{"rate":"1.00","min_stay_arrival":-1,"min_stay_through":"3","max_stay":null}`, `{"rate":"1.00","stop_sell":true,"unavailable_reasons":["stop_sell","no_availability"]}`,
	} {
		f.Add(plan(`"EUR"`, options, twin), free, night(says))
	}
	for _, plans := range []string{
		`[]`, `[{}]`, plan(`null`, options, twin), plan(`"XXX"`, options, twin), plan(`"EUR"`, `[]`, twin), plan(`"EUR"`, `null`, twin), plan(`"EUR"`, options, `null`),
		plan(`"JPY"`, options, twin), plan(`"EUR"`, options, `{"id":"OTHER"}`), plan(`"EUR"`, `[{"id":"BAR","occupancy":0},{"id":"BAR","occupancy":99,"is_primary":true}]`, twin),
	} {
		f.Add(plans, free, oneNight)
	}
	for _, counts := range []string{
		`{}`, `{"data":null}`, `{"data":{"TWIN":null}}`, `{"data":{"TWIN":{"2026-12-20":-1}}}`, `{"data":{"TWIN":{"2026-12-20":"3"}}}`, `{"data":{"TWIN":{"2026-12-20":99999999}}}`,
		`{"data":{"TWIN":{"2026-12-21":3}}}`, `{"data":{"TWIN":{"20 December":3}}}`, `{"data":{"OTHER":{"2026-12-20":3}}}`,
	} {
		f.Add(twoOptions, counts, oneNight)
	}
	f.Add(twoOptions, free, `{"data":{"BAR":{"2026-12-21":{"rate":"1.000"}},"x":{"2026-12-20":{"rate":"2.000"}},"y":{"2026-12-20":{"rate":"3.000"}}}}`)
	f.Fuzz(func(t *testing.T, plans, counts, rest string) {
		night := hotel.DateOf(2026, 12, 20)
		shown, err := shownOn(PerPerson, plans, counts, rest, night)
		if err != nil {
			return
		}
		for _, c := range shown {
			if c.Key.Night != night {
				t.Errorf("%v was not asked for", c.Key)
			}
		}
	})
}

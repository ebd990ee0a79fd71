package channex

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// call is the keys of one call: counts of a room type, and all that is told of a rate
// plan, on the nights 0 to 3 from the first.
func call(first hotel.Date) []connectors.Key {
	var keys []connectors.Key
	for night := first; night < first+4; night++ {
		keys = append(keys, connectors.Key{Room: "TWIN", Group: hotel.Availability, Night: night})
		for _, k := range []connectors.Key{{Group: hotel.Closures}, {Group: hotel.Lengths}, {Group: hotel.Price}, {Group: hotel.Price, Occupancy: 1}, {Group: hotel.Price, Occupancy: 2}} {
			k.Room, k.Rate, k.Night = "TWIN", "BAR", night
			keys = append(keys, k)
		}
	}
	return keys
}

// TestWarnings: a warning rejects the keys that the value it repeats has told, and no
// others.
func TestWarnings(t *testing.T) {
	first := hotel.DateOf(2026, 12, 1)
	const task = `"data":[{"id":"t-1","type":"task"}]`
	for _, c := range []struct {
		name     string
		body     string
		rejected map[string]int // how many nights, by group and occupancy; and of how many nothing is known
		rest     connectors.Outcome
		words    string
	}{
		{"none", `{` + task + `,"meta":{"message":"Success"}}`, nil, connectors.Applied, ""},
		{"an empty list", `{` + task + `,"meta":{"message":"Success","warnings":[]}}`, nil, connectors.Applied, ""},
		{
			"a price on a span", `{` + task + `,"meta":{"warnings":[{"warning":{"rate":["must be greater than 0"]},"property_id":"P1","rate_plan_id":"BAR","date_from":"2026-12-02","date_to":"2026-12-03","rate":-5}]}}`,
			map[string]int{"price 0": 2, "unknown lengths 0": 2, "unknown price 1": 2, "unknown price 2": 2},
			connectors.Applied, "rate must be greater than 0",
		},
		{
			"a price beside a length, which is told again", `{` + task + `,"meta":{"warnings":[{"warning":{"rate":["is bad"]},"rate_plan_id":"BAR","date":"2026-12-01","date_from":null,"rate":"0","min_stay_arrival":2,"stop_sell":null}]}}`,
			map[string]int{"price 0": 1, "unknown lengths 0": 1, "unknown price 1": 1, "unknown price 2": 1},
			connectors.Applied, "rate is bad",
		},
		{
			"a length on some days of the week", `{` + task + `,"meta":{"warnings":[{"warning":{"max_stay":["is bad"]},"rate_plan_id":"BAR","date_from":"2026-12-01","date_to":"2026-12-04","days":["we","th"],"max_stay":-1}]}}`,
			map[string]int{"lengths 0": 2, "unknown price 0": 2, "unknown price 1": 2, "unknown price 2": 2},
			connectors.Applied, "max_stay is bad",
		},
		{
			"the closings", `{` + task + `,"meta":{"warnings":[{"warning":{"stop_sell":["is bad"]},"rate_plan_id":"BAR","date":"2026-12-01","stop_sell":"yes"}]}}`,
			map[string]int{"closures 0": 1},
			connectors.Applied, "stop_sell is bad",
		},
		{
			"the price for one guest", `{` + task + `,"meta":{"warnings":[{"warning":{"rates":["is bad"]},"rate_plan_id":"BAR","date":"2026-12-04","rates":[{"occupancy":1,"rate":"1.00"}]}]}}`,
			map[string]int{"price 1": 1, "unknown lengths 0": 1, "unknown price 0": 1, "unknown price 2": 1},
			connectors.Applied, "rates is bad",
		},
		{
			"no field at all", `{` + task + `,"meta":{"warnings":[{"warning":{"rate_plan_id":["is invalid"]},"rate_plan_id":"BAR","date":"2026-12-04"}]}}`,
			map[string]int{"price 0": 1, "price 1": 1, "price 2": 1, "closures 0": 1, "lengths 0": 1},
			connectors.Applied, "rate_plan_id is invalid",
		},
		{
			"counts, and nothing is under way", `{"data":[],"meta":{"message":"Success","warnings":[{"warning":{"availability":["is invalid"]},"room_type_id":"TWIN","date_from":"2026-12-01","date_to":"2026-12-09","availability":"many"}]}}`,
			map[string]int{"availability 0": 4},
			connectors.Unknown, "availability is invalid",
		},
		{
			"mere words beside another", `{` + task + `,"meta":{"warnings":["date_from is in the past",{"warning":{"max_stay":["is bad"]},"rate_plan_id":"BAR","date":"2026-12-01","max_stay":-1}]}}`,
			map[string]int{"lengths 0": 1, "unknown price 0": 1, "unknown price 1": 1, "unknown price 2": 1},
			connectors.Unknown, "max_stay is bad",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			keys := call(first)
			answer, err := (&conn{}).parseAnswer([]byte(c.body), connectors.Call{Keys: keys})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]int{}
			for _, k := range keys {
				switch v := answer.Keys[k]; {
				case v == connectors.Verdict{}:
				case v.Outcome == connectors.Unknown:
					got["unknown "+k.Group.String()+" "+string('0'+rune(k.Occupancy))]++
				case v.Outcome == connectors.Rejected:
					got[k.Group.String()+" "+string('0'+rune(k.Occupancy))]++
					if v.Words != c.words {
						t.Errorf("%v is rejected with %q, want %q", k, v.Words, c.words)
					}
				}
			}
			if diff := cmp.Diff(c.rejected, got); diff != "" && len(got)+len(c.rejected) > 0 {
				t.Errorf("rejected (-want +got):\n%s", diff)
			}
			if answer.Rest != c.rest {
				t.Errorf("the rest is %d, want %d", answer.Rest, c.rest)
			}
			if wantRef := strings.Contains(c.body, "task"); wantRef != (answer.Ref == "t-1") {
				t.Errorf("the reference is %q", answer.Ref)
			}
		})
	}
}

// What was not in the call is named, so that the engine sees that the answer is
// another call's.
func TestForeignWarning(t *testing.T) {
	body := `{"data":[],"meta":{"warnings":[{"warning":{"rate":["no"]},"rate_plan_id":"OTHER","date":"2026-12-01","rate":"1"}]}}`
	answer, err := (&conn{}).parseAnswer([]byte(body), connectors.Call{Keys: call(hotel.DateOf(2026, 12, 1))})
	if err != nil || len(answer.Keys) != 1 {
		t.Errorf("%+v, %v, want one foreign key", answer, err)
	}
}

// A warning in mere words is about what it can mean: the entries that have what it names.
func TestRemarks(t *testing.T) {
	entry := func(room, plan string, from, to int, group hotel.Group, o hotel.Offer) (out []connectors.Change) {
		return nights(november(from), november(to), connectors.Key{Room: room, Rate: plan, Group: group}, o)
	}
	price := hotel.Offer{Amount: eur(10000)}
	told := join(
		entry("T", "T-BAR", 1, 5, hotel.Price, price), entry("T", "T-BAR", 10, 12, hotel.Price, price), entry("D", "D-BAR", 10, 12, hotel.Price, price),
		entry("D", "D-BAR", 10, 12, hotel.Closures, hotel.Offer{}),
	)
	for _, c := range []struct {
		words    string
		unknown  string // products and nights that may be meant
		rejected string
	}{
		{"date_from 2026-11-01 is in the past and was moved to 2026-11-03", "", "[T-BAR 1 T-BAR 2]"},
		{"the rate plan T-BAR on 2026-11-11 is not what it was.", "[T-BAR 10 T-BAR 11 T-BAR 12]", ""},
		{"something about \"D-BAR\"", "[D-BAR 10 D-BAR 11 D-BAR 12 D-BAR 10 D-BAR 11 D-BAR 12]", ""},
		{"2026-11-10", "[T-BAR 10 T-BAR 11 T-BAR 12 D-BAR 10 D-BAR 11 D-BAR 12 D-BAR 10 D-BAR 11 D-BAR 12]", ""},
	} {
		t.Run(c.words, func(t *testing.T) {
			ch := &conn{cfg: sound()}
			calls, refused := ch.Encode(told)
			if len(calls) != 1 || len(refused) > 0 {
				t.Fatalf("%d calls, %v", len(calls), refused)
			}
			body, err := json.Marshal(map[string]any{"data": []any{map[string]string{"id": "t-1", "type": "task"}}, "meta": map[string]any{"warnings": []string{c.words}}})
			if err != nil {
				t.Fatal(err)
			}
			got := func() map[connectors.Outcome]string {
				answer, err := ch.parseAnswer(body, calls[0])
				if err != nil || answer.Rest != connectors.Applied {
					t.Fatalf("%+v, %v", answer, err)
				}
				named := map[connectors.Outcome][]string{}
				for _, change := range told {
					if v, said := answer.Keys[change.Key]; said {
						named[v.Outcome] = append(named[v.Outcome], fmt.Sprintf("%s %d", change.Key.Rate, change.Key.Night.Time().Day()))
					}
				}
				out := map[connectors.Outcome]string{}
				for o, list := range named {
					out[o] = fmt.Sprint(list)
				}
				return out
			}
			for range 2 { // told again before it was read, nothing more is known
				if g := got(); g[connectors.Unknown] != c.unknown || g[connectors.Rejected] != c.rejected {
					t.Errorf("not known is %s, want %s; refused %s, want %s", g[connectors.Unknown], c.unknown, g[connectors.Rejected], c.rejected)
				}
			}
			ch.doubts.shown(told)
			if g, want := got(), c.unknown+c.rejected; g[connectors.Unknown] != "" || g[connectors.Rejected] != want {
				t.Errorf("behind a read-back %s is not known and %s refused, want %s", g[connectors.Unknown], g[connectors.Rejected], want)
			}
		})
	}
}

// FuzzAnswer: an answer never names a key twice over, and never applies what it says
// nothing about.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"data":[{"id":"t","type":"task"}],"meta":{"warnings":["words",{"rate_plan_id":"BAR","date":"2026-12-01","rates":[{"occupancy":2}]}]}}`)
	f.Add(`{"data":[],"meta":{"warnings":[null,1,{"date_from":"2026-12-01"}]}}`)
	f.Fuzz(func(t *testing.T, body string) {
		answer, err := (&conn{}).parseAnswer([]byte(body), connectors.Call{Keys: call(hotel.DateOf(2026, 12, 1))})
		if err == nil && answer.Rest == connectors.Applied && answer.Ref == "" {
			t.Error("applied without a task")
		}
	})
}

// Of plans of both modes each is told in its own: one price, or one for each number of
// guests; and a price for guests that a plan has no place for is refused by its name.
func TestPlansOfBothModes(t *testing.T) {
	config := sound()
	config.SellMode, config.OtherMode = PerRoom, []string{"GUESTS"}
	first := hotel.DateOf(2026, 12, 1)
	price := func(plan string, guests int) connectors.Change {
		return connectors.Change{
			Key:   connectors.Key{Room: "TWIN", Rate: plan, Group: hotel.Price, Occupancy: guests, Night: first},
			Offer: hotel.Offer{Amount: hotel.Money{Minor: 10000 + int64(guests), Currency: "EUR"}},
		}
	}
	calls, refused := (&conn{cfg: config}).Encode([]connectors.Change{price("BAR", 0), price("BAR", 1), price("GUESTS", 1), price("GUESTS", 2)})
	if len(refused) != 1 || refused[0].Change.Key.Rate != "BAR" || !strings.Contains(refused[0].Reason, `"BAR"`) || !strings.Contains(refused[0].Reason, "other_sell_mode") {
		t.Errorf("refused are %+v", refused)
	}
	var got values[restrictionsValue]
	if len(calls) != 1 {
		t.Fatalf("%d calls", len(calls))
	}
	if err := json.Unmarshal(calls[0].Body, &got); err != nil {
		t.Fatal(err)
	}
	told := map[string]string{}
	for _, v := range got.Values {
		told[v.RatePlan] = fmt.Sprint(v.Rate, v.Rates)
	}
	if diff := cmp.Diff(map[string]string{"BAR": "100.00[]", "GUESTS": "[{1 100.01} {2 100.02}]"}, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

package mock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

const sample = `{"id":"m17","hotel":"H1","reference":"PULL-9","revision":2,"event":"modified","at":"2027-01-05T10:00:00Z","currency":"EUR",` +
	`"total":"378.00","guest":{"first_name":"Ada","last_name":"Lovelace"},"rooms":[{"room":"DBL","rate":"BAR","check_in":"2027-03-27",` +
	`"check_out":"2027-03-29","adults":2,"children":[3],"amounts":["189.00","189.00"]}]}`

func TestParseMessage(t *testing.T) {
	_, got, err := parseMessage([]byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	euros := hotel.Money{Minor: 18900, Currency: "EUR"}
	want := hotel.ChannelBooking{
		Rooms: []hotel.ChannelRoom{{
			Room: "DBL", Rate: "BAR", Stay: hotel.Stay{CheckIn: hotel.DateOf(2027, 3, 27), CheckOut: hotel.DateOf(2027, 3, 29)},
			Adults: 2, Children: []int{3}, Amounts: []hotel.Money{euros, euros},
		}},
		Guest: &hotel.Guest{FirstName: "Ada", LastName: "Lovelace"},
		Total: &hotel.Money{Minor: 37800, Currency: "EUR"},
	}
	if diff := cmp.Diff(want, got.Booking); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got.Key != "PULL-9/2/2027-01-05T10:00:00Z" || got.Ref != "PULL-9" || got.Revision != "2" || got.Event != connectors.Modified || got.At.Hour() != 10 || string(got.Raw) != sample {
		t.Errorf("the message is %+v", got)
	}
}

func TestParseMessageBendsForTheGuest(t *testing.T) {
	for name, text := range map[string]string{
		"an amount of words":      strings.Replace(sample, `"189.00","189.00"`, `"189.00","lots"`, 1),
		"an amount too few":       strings.Replace(sample, `"189.00","189.00"`, `"189.00"`, 1),
		"a currency of fantasy":   strings.Replace(sample, `EUR`, `???`, 1),
		"a total of too many dec": strings.Replace(sample, `378.00`, `378.001`, 1),
		"no guest":                strings.Replace(sample, `"guest":{"first_name":"Ada","last_name":"Lovelace"},`, ``, 1),
	} {
		if _, m, err := parseMessage([]byte(text)); err != nil || len(m.Booking.Rooms) != 1 {
			t.Errorf("%s loses the booking: %v", name, err)
		}
	}
	for name, text := range map[string]string{
		"nothing":               ``,
		"an event of fantasy":   strings.Replace(sample, `modified`, `pondered`, 1),
		"no reference":          strings.Replace(sample, `PULL-9`, ``, 1),
		"no revision":           strings.Replace(sample, `"revision":2`, `"revision":0`, 1),
		"no room":               strings.Replace(sample, `DBL`, ``, 1),
		"a stay turned round":   strings.Replace(sample, `2027-03-29`, `2027-03-27`, 1),
		"a stay of a life time": strings.Replace(sample, `2027-03-29`, `2097-03-27`, 1),
		"a date that is none":   strings.Replace(sample, `2027-03-29`, `2027-02-29`, 1),
		"a whole town of rooms": strings.Replace(sample, `"rooms":[`, `"rooms":[`+strings.Repeat(`{},`, 60), 1),
	} {
		if _, _, err := parseMessage([]byte(text)); err == nil {
			t.Errorf("%s counts as a booking", name)
		}
	}
}

func key(room string, night hotel.Date) connectors.Key {
	return connectors.Key{Room: room, Group: hotel.Availability, Night: night}
}

func TestParseAnswer(t *testing.T) {
	keys := []connectors.Key{key("A", 0), key("A", 1), key("A", 2), key("B", 1)}
	no := connectors.Verdict{Outcome: connectors.Rejected, Words: "no"}
	for _, c := range []struct {
		name, body string
		want       map[connectors.Key]connectors.Verdict // nil: it cannot be read
	}{
		{"all taken", `{"reference":"r"}`, map[connectors.Key]connectors.Verdict{}},
		{
			"some nights of a room", `{"reference":"r","rejected":[{"room":"A","field":"available","from":"1970-01-02","to":"1970-01-09","reason":"no"}]}`,
			map[connectors.Key]connectors.Verdict{key("A", 1): no, key("A", 2): no},
		},
		{
			"a room that was not in the call", `{"reference":"r","rejected":[{"room":"C","field":"available","from":"1970-01-02","to":"9999-01-09","reason":"no"}]}`,
			map[connectors.Key]connectors.Verdict{key("C", 1): no},
		},
		{
			"words that tell the secret", `{"reference":"r","rejected":[{"room":"B","field":"available","from":"1970-01-02","to":"1970-01-02","reason":"s3cret is nobody"}]}`,
			map[connectors.Key]connectors.Verdict{key("B", 1): {Outcome: connectors.Rejected, Words: "*** is nobody"}},
		},
		{"a field of fantasy", `{"reference":"r","rejected":[{"room":"A","field":"colour","from":"1970-01-02","to":"1970-01-02"}]}`, nil},
		{"an error inside a 200", `{"error":"down"}`, nil},
		{"nothing", ``, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parseAnswer([]byte(c.body), keys, "s3cret")
			if c.want == nil {
				if err == nil {
					t.Errorf("it is read as %+v", got)
				}
				return
			}
			if diff := cmp.Diff(c.want, got.Keys); diff != "" || err != nil || got.Rest != connectors.Applied || strings.Contains(got.Excerpt, "s3cret") {
				t.Errorf("%v, rest %d: -want +got:\n%s", err, got.Rest, diff)
			}
		})
	}
}

func TestEncodeWritesTheProtocol(t *testing.T) {
	c := &conn{}
	n := hotel.DateOf(2028, 2, 29)
	price := connectors.Key{Room: "DBL", Rate: "BAR", Group: hotel.Price, Occupancy: 2, Night: n}
	shut, limits := price, price
	shut.Group, shut.Occupancy = hotel.Closures, 0
	limits.Group, limits.Occupancy = hotel.Lengths, 0
	calls, refused := c.Encode([]connectors.Change{
		{Key: price, Offer: hotel.Offer{Amount: hotel.Money{Minor: 189, Currency: "KWD"}}},
		{Key: key("DBL", n+1), Offer: hotel.Offer{Available: 3}},
		{Key: shut, Offer: hotel.Offer{Closed: hotel.Closed{Arrival: true}}},
		{Key: limits, Offer: hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 2}}},
		{Key: key("DBL", n), Offer: hotel.Offer{Available: 3}},
	})
	want := []string{
		`update_rates {"updates":[{"room":"DBL","rate":"BAR","from":"2028-02-29","to":"2028-02-29","prices":[{"guests":2,"amount":"0.189","currency":"KWD"}]},` +
			`{"room":"DBL","rate":"BAR","from":"2028-02-29","to":"2028-02-29","closures":{"closed":false,"closed_to_arrival":true,"closed_to_departure":false}},` +
			`{"room":"DBL","rate":"BAR","from":"2028-02-29","to":"2028-02-29","lengths":{"min_stay_arrival":2}}]}`,
		`update_availability {"updates":[{"room":"DBL","from":"2028-02-29","to":"2028-03-01","available":3}]}`,
	}
	var got []string
	for _, call := range calls {
		got = append(got, fmt.Sprintf("%s %s", call.Operation, call.Body))
	}
	if diff := cmp.Diff(want, got); diff != "" || len(refused) != 0 {
		t.Errorf("refused %v: -want +got:\n%s", refused, diff)
	}
}

// A hub is told several things of a product at once, and by days of the week; a closing is
// told by itself, and a refusal is of the days that it names.
func TestEncodeForAHub(t *testing.T) {
	c := &conn{cfg: Config{Preset: Hub}}
	n := hotel.DateOf(2028, 2, 29) // a Tuesday
	var changes []connectors.Change
	for _, night := range []hotel.Date{n, n + 1, n + 7, n + 8} {
		k := connectors.Key{Room: "DBL", Rate: "BAR", Group: hotel.Price, Occupancy: 2, Night: night}
		changes = append(changes, connectors.Change{Key: k, Offer: hotel.Offer{Amount: hotel.Money{Minor: 18900, Currency: "EUR"}}})
		k.Group, k.Occupancy = hotel.Lengths, 0
		changes = append(changes, connectors.Change{Key: k, Offer: hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 2}}})
		k.Group = hotel.Closures
		changes = append(changes, connectors.Change{Key: k, Offer: hotel.Offer{Closed: hotel.Closed{Closed: true}}})
	}
	calls, refused := c.Encode(changes)
	want := `{"updates":[{"room":"DBL","rate":"BAR","from":"2028-02-29","to":"2028-03-08","days":["tu","we"],"lengths":{"min_stay_arrival":2},"prices":[{"guests":2,"amount":"189.00","currency":"EUR"}]},` +
		`{"room":"DBL","rate":"BAR","from":"2028-02-29","to":"2028-03-08","days":["tu","we"],"closures":{"closed":true,"closed_to_arrival":false,"closed_to_departure":false}}]}`
	if len(calls) != 1 || len(refused) != 0 || string(calls[0].Body) != want {
		t.Fatalf("%d calls, %v refused, want 1 and none:\n%s\n%s", len(calls), refused, calls[0].Body, want)
	}
	answer, err := parseAnswer([]byte(`{"reference":"r1","rejected":[{"room":"DBL","rate":"BAR","field":"closures","from":"2028-02-29","to":"2028-03-08","days":["we"],"reason":"no"}]}`), calls[0].Keys, "secret")
	if err != nil {
		t.Fatal(err)
	}
	got := map[hotel.Date]connectors.Outcome{}
	for k, v := range answer.Keys {
		if k.Group != hotel.Closures {
			t.Errorf("%v is refused", k)
		}
		got[k.Night] = v.Outcome
	}
	if diff := cmp.Diff(map[hotel.Date]connectors.Outcome{n + 1: connectors.Rejected, n + 8: connectors.Rejected}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestEncodeRefuses(t *testing.T) {
	rate := connectors.Key{Room: "DBL", Rate: "BAR", Group: hotel.Price}
	euro := hotel.Money{Minor: 1, Currency: "EUR"}
	for name, c := range map[string]connectors.Change{
		"no room":               {Key: key("", 1)},
		"a rate's own count":    {Key: connectors.Key{Room: "DBL", Rate: "BAR", Group: hotel.Availability}},
		"fewer than none":       {Key: key("DBL", 1), Offer: hotel.Offer{Available: -1}},
		"a thousand rooms":      {Key: key("DBL", 1), Offer: hotel.Offer{Available: 1000}},
		"a price of no rate":    {Key: connectors.Key{Room: "DBL", Group: hotel.Price}, Offer: hotel.Offer{Amount: euro}},
		"a price of nothing":    {Key: rate, Offer: hotel.Offer{Amount: hotel.Money{Currency: "EUR"}}},
		"no currency":           {Key: rate, Offer: hotel.Offer{Amount: hotel.Money{Minor: 1}}},
		"a crowd":               {Key: connectors.Key{Room: "DBL", Rate: "BAR", Group: hotel.Price, Occupancy: 21}, Offer: hotel.Offer{Amount: euro}},
		"closures by occupancy": {Key: connectors.Key{Room: "DBL", Rate: "BAR", Group: hotel.Closures, Occupancy: 2}},
		"a hundred nights":      {Key: connectors.Key{Room: "DBL", Rate: "BAR", Group: hotel.Lengths}, Offer: hotel.Offer{Lengths: hotel.LengthLimits{MinStayThrough: 100}}},
		"a negative notice":     {Key: connectors.Key{Room: "DBL", Rate: "BAR", Group: hotel.Lengths}, Offer: hotel.Offer{Lengths: hotel.LengthLimits{MinAdvance: -1}}},
		"no group":              {Key: connectors.Key{Room: "DBL", Rate: "BAR"}},
	} {
		calls, refused := (&conn{}).Encode([]connectors.Change{c})
		if len(calls) != 0 || len(refused) != 1 || refused[0].Reason == "" {
			t.Errorf("%s: %d calls, %v", name, len(calls), refused)
		}
	}
}

// poisoned serves a feed, for ever the same: its first message cannot be read, its
// second is for another hotel.
func poisoned(t *testing.T) (pulled, *[]string) {
	t.Helper()
	var acked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			var a acknowledgement
			_ = json.NewDecoder(r.Body).Decode(&a)
			acked = append(acked, a.Messages...)
		case r.URL.Query().Get("after") == "loop":
			_, _ = fmt.Fprint(w, `{"messages":[],"next":"loop","more":true}`)
		default:
			_, _ = fmt.Fprintf(w, `{"messages":[{"id":"m1","reference":"PULL-8"},%s,%s],"next":"2","more":false}`,
				strings.Replace(sample, `"H1"`, `"H2"`, 1), sample)
		}
	}))
	t.Cleanup(server.Close)
	c := sound()
	c.URL = server.URL
	return pulled{&conn{cfg: c, call: transport.Caller{Client: transport.New(transport.Options{}), Clock: hotel.SystemClock{}}}}, &acked
}

func TestPollKeepsWhatCannotBeReadAndPassesByWhatIsForOthers(t *testing.T) {
	c, acked := poisoned(t)
	var got []string
	next, err := c.Poll(t.Context(), "0", sinkFunc(func(_ context.Context, m connectors.Message) error {
		got = append(got, m.Ref+" "+strconv.FormatBool(m.Problem == ""))
		return nil
	}))
	if diff := cmp.Diff([]string{"PULL-8 false", "PULL-9 true"}, got); diff != "" || next != "0" || err == nil {
		t.Errorf("next %q, %v: -want +got:\n%s", next, err, diff)
	}
	if diff := cmp.Diff([]string{"m1", "m17"}, *acked); diff != "" {
		t.Errorf("acknowledged: -want +got:\n%s", diff)
	}
}

func TestPollEndsWhenTheFeedRepeatsItself(t *testing.T) {
	c, _ := poisoned(t)
	next, err := c.Poll(t.Context(), "loop", nil)
	var e *connectors.Error
	if next != "loop" || !errors.As(err, &e) || e.Kind != connectors.Temporary {
		t.Errorf("next %q, %v", next, err)
	}
}

func FuzzParseMessage(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(`{"reference":"x","revision":1,"event":"cancelled"}`))
	f.Add([]byte(`{"rooms":[{"check_in":"0000-01-01","check_out":"9999-12-31"}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, m, err := parseMessage(raw)
		if err != nil {
			return
		}
		if m.Key == "" || m.Ref == "" || len(m.Booking.Rooms) > maxRooms {
			t.Errorf("%q is read as %+v", raw, m)
		}
		for _, r := range m.Booking.Rooms {
			if n := r.Stay.Nights(); n < 1 || n > maxNights || r.Amounts != nil && len(r.Amounts) != n {
				t.Errorf("%q has a stay of %d nights and %d amounts", raw, n, len(r.Amounts))
			}
		}
	})
}

func FuzzParseAnswer(f *testing.F) {
	f.Add([]byte(`{"reference":"r","rejected":[{"room":"A","field":"available","from":"1970-01-02","to":"1970-01-09","reason":"no"}]}`))
	f.Add([]byte(`{"reference":"r","rejected":null}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, body []byte) {
		answer, err := parseAnswer(body, []connectors.Key{key("A", 0), key("A", 1)}, "s3cret")
		if err == nil && answer.Ref == "" {
			t.Errorf("%q counts as an answer", body)
		}
		if len(answer.Excerpt) > maxWords {
			t.Errorf("the excerpt has %d bytes", len(answer.Excerpt))
		}
	})
}

func FuzzParseShown(f *testing.F) {
	f.Add([]byte(`{"availability":[{"room":"A","from":"1970-01-02","to":"1970-01-04","available":3}],"rates":[]}`))
	f.Add([]byte(`{"rates":[{"room":"A","rate":"R","from":"1970-01-02","to":"1970-01-02","prices":[{"guests":2,"amount":"1.00","currency":"EUR"}]}]}`))
	f.Add([]byte(`{"availability":[{"room":"A","from":"0000-01-02","to":"9999-01-04"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var shown shownAnswer
		if json.Unmarshal(body, &shown) != nil {
			return
		}
		asked := hotel.Span{From: 0, To: 9}
		changes, err := parseShown(shown, "A", asked)
		if err != nil {
			return
		}
		for _, c := range changes {
			if c.Key.Room != "A" || !asked.Contains(c.Key.Night) || c.Key.Group == 0 {
				t.Errorf("%q is read as %+v", body, c)
			}
		}
	})
}

package wire

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// through writes a value as JSON and reads it back.
func through[V any](t interface{ Fatalf(string, ...any) }, v V) V {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("write: %v", err)
	}
	var back V
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("read %s: %v", text, err)
	}
	return back
}

func TestCapabilitiesComeBack(t *testing.T) {
	c := connectors.Capabilities{
		Terms: hotel.Terms{
			StockPer: hotel.PerProduct, Occupancies: true, Currencies: []string{"EUR"}, HorizonDays: 500,
			Fields: map[hotel.Field]hotel.Carriage{
				hotel.FieldAvailable:      {As: hotel.Exact, Max: 9, Level: hotel.PerRoomType},
				hotel.FieldMinStayThrough: {As: hotel.Coarser, Min: 1, ThroughIncludesDeparture: true, ResetsWhenOmitted: true},
			},
			Sellers: hotel.Many, Sites: 3, KeepsSum: true, CutOff: true, Acknowledges: hotel.ByRelay,
			AdjustsOn:  hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNever},
			TotalLimit: true, AtMostOnce: true, Versions: true, RepeatKey: true, Lifetime: time.Minute,
			ListsByDate: true, SaleSettle: hotel.Never, TheirPollInterval: time.Hour, BookingTime: true, FeedOrder: hotel.OrderTime, PartialGroups: true,
			Actions: []hotel.ActionTerms{{Kind: hotel.ActionCancel}, {Kind: hotel.ActionNoShow, Answers: time.Minute, Within: time.Hour}},
		},
		Operations: []connectors.Operation{{Name: "a", Groups: []hotel.Group{hotel.Availability, hotel.Closures, hotel.Price}, About: connectors.OneProduct, Nights: connectors.OneNight, Entries: 2, Bytes: 3, Joined: []hotel.Group{hotel.Price}, Apart: true, Opens: true}},
		Buckets:    []connectors.Bucket{{Operation: "a", Scope: connectors.PerProperty, N: 10, Per: time.Minute}},
		InOrder:    true, Reads: true, Lists: true, Polls: true, Publishes: true, HasCatalog: true, PullTime: 90 * time.Second,
	}
	back, mistakes := through(t, FromCapabilities(c)).Read()
	if diff := cmp.Diff(c, back); diff != "" || len(mistakes) > 0 {
		t.Errorf("%v, -said +read:\n%s", mistakes, diff)
	}
}

func TestEveryMistakeOfCapabilitiesIsNamed(t *testing.T) {
	c := Capabilities{
		StockPer: "floor", Fields: map[hotel.Field]Carriage{"colour": {As: "exact"}, hotel.FieldClosed: {As: "often", Min: -1}},
		Sellers: "", Acknowledges: "shouting", FeedOrder: "tea", HorizonDays: -1,
		Operations: []Operation{{Groups: []string{"all"}, About: "x", Opens: true}}, Buckets: []Bucket{{Scope: "planet"}},
		Receives: true, Publishes: true, Hints: true, LifetimeSeconds: math.MaxInt64,
		Actions: []ActionTerms{{Kind: "upgrade", AnswersSeconds: -1, WithinSeconds: math.MaxInt64 / 2}},
	}
	if _, mistakes := c.Read(); len(mistakes) != 21 {
		t.Errorf("%d mistakes: %v", len(mistakes), mistakes)
	}
}

// TestEntriesComeBack: whatever changes are written, the same are read, in order.
func TestEntriesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var changes []connectors.Change
		night := hotel.DateOf(2027, 2, 25)
		for range r.IntN(40) {
			if night += hotel.Date(r.IntN(3)); r.IntN(6) == 0 {
				night -= 5
			}
			g := hotel.Group(1 + r.IntN(4))
			o := hotel.Offer{
				Available: r.IntN(3) - 1, Closed: hotel.Closed{Closed: r.IntN(2) == 0}, Lengths: hotel.LengthLimits{MinStayArrival: r.IntN(2)},
				Amount: hotel.Money{Minor: int64(r.IntN(300) - 1), Currency: []hotel.Currency{"", "EUR", "JPY"}[r.IntN(3)]},
			}
			changes = append(changes, connectors.Change{
				Key:   connectors.Key{Room: []string{"", "A<&>"}[r.IntN(2)], Rate: "R", Group: g, Occupancy: r.IntN(2), Night: night},
				Offer: o.Pick(g), AtPrice: g == hotel.Closures && r.IntN(3) == 0,
			})
		}
		back, err := Changes(through(t, Entries(changes)))
		if diff := cmp.Diff(changes, back); diff != "" || err != nil {
			t.Fatalf("%v, -said +read:\n%s", err, diff)
		}
	})
}

func TestMessagesComeBack(t *testing.T) {
	eur := func(n int64) *hotel.Money { return &hotel.Money{Minor: n, Currency: "EUR"} }
	for name, m := range map[string]connectors.Message{
		"a booking": {
			Key: "k", Ref: "r", Revision: "2", Event: connectors.Modified, At: time.Date(2027, 1, 2, 3, 4, 5, 6, time.UTC), Raw: []byte("{}"),
			Booking: hotel.ChannelBooking{
				Guest: &hotel.Guest{LastName: "Lovelace"}, Total: eur(100), Commission: eur(7), Tentative: true, Seller: "Locanda Online", Requests: new("a quiet room"), ArrivalTime: new("22:30"),
				Payment: hotel.ChannelPayment{
					Collect: hotel.ChannelCollects, Basis: hotel.NetOfCommission, Guarantee: "prepaid",
					Card:   &hotel.Card{Last4: "1111", Virtual: true, Balance: eur(93), ChargeAt: new(hotel.Date(10))},
					Access: &hotel.CardAccess{Kind: hotel.CardByToken, URL: "https://cards.example/1", Until: time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC)},
				},
				Rooms: []hotel.ChannelRoom{{
					Ref: "1", Room: "A", Rate: "B", Stay: hotel.Stay{CheckIn: 10, CheckOut: 12}, Adults: 2, Children: []int{-1, 3}, Amounts: []hotel.Money{*eur(50), *eur(50)},
					Companions: []hotel.Guest{{LastName: "Byron"}}, Deposit: eur(40), Extras: []hotel.Extra{{Code: "dinner", DateFrom: 10, DateTo: 11, Quantity: 2, UnitPrice: *eur(30)}}, Gone: true,
				}},
			},
		},
		"a booking with none of it any more": {
			Key: "k", Raw: []byte("{}"),
			Booking: hotel.ChannelBooking{Requests: new(""), ArrivalTime: new(""), Rooms: []hotel.ChannelRoom{{Room: "A", Companions: []hotel.Guest{}, Extras: []hotel.Extra{}}}},
		},
		"a booking that says nothing of it": {Key: "k", Raw: []byte("{}"), Booking: hotel.ChannelBooking{Rooms: []hotel.ChannelRoom{{Room: "A"}}}},
		"bytes that are no text":            {Key: "k", Problem: "what is this", Raw: []byte{0xff, 0xfe, 0}},
		"next to nothing, with no booking":  {Key: "k", Raw: []byte{}},
	} {
		if diff := cmp.Diff(m, through(t, FromMessage(m)).Read()); diff != "" {
			t.Errorf("%s: -said +read:\n%s", name, diff)
		}
	}
}

// What a program is told of the house comes back, and what of it is not told is decided
// here, member by member: a new one of a room type or a property is looked at too.
func TestTheHouseComesBack(t *testing.T) {
	for name, c := range map[string]struct {
		of, told reflect.Type
		ours     []string
	}{
		"room type": {reflect.TypeFor[hotel.RoomType](), reflect.TypeFor[SoldRoom](), []string{"-", "property_id", "consumes", "rooms", "availability_mode", "metadata", "position", "status"}},
		"property": {reflect.TypeFor[hotel.Property](), reflect.TypeFor[Property](), []string{
			"-", "legal_name", "availability_mode", "truth", "stay_recording", "release_time", "overdue_departure_holds", "market_segments", "policies", "notifications", "metadata", "status",
		}},
	} {
		told := members(c.told)
		for _, m := range members(c.of) {
			if slices.Contains(told, m) == slices.Contains(c.ours, m) {
				t.Errorf("%s: %q is to be told or to be ours", name, m)
			}
		}
	}
	of := connectors.SoldRoom{Room: "DBL", Rates: []string{"BAR"}, Type: hotel.RoomType{
		Code: "c", Name: "n", Description: "d", TotalUnits: 1, BaseOccupancy: 2, MinOccupancy: 3, StandardOccupancy: 4, MaxAdults: 5, MaxChildren: 6, MaxInfants: new(0),
		MaxOccupancy: 7, InfantsUseBed: true, BedTypes: []string{"b"}, Amenities: []string{"33"},
	}}
	if diff := cmp.Diff(of, through(t, FromRooms([]connectors.SoldRoom{of}))[0].Read()); diff != "" {
		t.Errorf("-sold +read:\n%s", diff)
	}
	nights := hotel.Span{From: 10, To: 14}
	taken := map[string]map[hotel.Date]int{"DBL": {10: 2, 11: 2, 12: 1, 14: 1}, "SGL": {11: 1}}
	said := FromTaken(taken)
	if diff := cmp.Diff([]Taken{{"DBL", 10, 11, 2}, {"DBL", 12, 12, 1}, {"DBL", 14, 14, 1}, {"SGL", 11, 11, 1}}, said); diff != "" {
		t.Errorf("-taken +said:\n%s", diff)
	}
	if diff := cmp.Diff(taken, ReadTaken(through(t, said), nights)); diff != "" {
		t.Errorf("-taken +read:\n%s", diff)
	}
	if beyond := ReadTaken([]Taken{{"DBL", -4000000, 4000000, 1}}, hotel.Span{From: 10, To: 10}); len(beyond["DBL"]) != 1 {
		t.Errorf("of one night %d are read", len(beyond["DBL"]))
	}
	p := hotel.Property{
		Name: "n", TimeZone: "Europe/Rome", Currency: "EUR", Country: "IT", Address: hotel.Address{City: "c"}, Geo: &hotel.Geo{Lat: "1"}, Phone: "1", Email: "e",
		CheckIn: "15:00", CheckOut: "10:00", DayRoll: "03:00", HorizonDays: 500, CutOff: &hotel.CutOff{DaysBefore: 1}, Taxes: []hotel.Tax{{Code: "t"}}, AgeBands: []hotel.AgeBand{{Code: "a"}},
	}
	if diff := cmp.Diff(p, through(t, FromProperty(p)).Read()); diff != "" {
		t.Errorf("-kept +read:\n%s", diff)
	}
}

// members are the names of a type's fields in JSON.
func members(of reflect.Type) []string {
	var names []string
	for f := range of.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// FuzzFrame: what a program writes is read or refused, and never breaks what reads.
func FuzzFrame(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"result":{"rest":"applied","keys":[{"room":"A","group":"price","from":"2027-01-01","to":"2027-01-02","outcome":"rejected"}]}}`,
		`{"id":1,"result":{"shown":[{"room":"A","group":"lengths","from":"0001-01-01","to":"9999-12-31","lengths":{}}]}}`,
		`{"id":1,"deliver":{"key":"k","raw":{"base64":"//4="},"booking":{"rooms":[{}]}}}`,
		`{"id":1,"error":{"kind":"?","retry_after_seconds":9223372036854775807}}`,
		`{"id":1,"result":{"protocol":1,"capabilities":{"fields":{"x":{}},"operations":[{}],"buckets":[{"n":-1}]}}}`,
		`{"id":1,"result":{"outcome":"applied","words":"w"}}`,
		`{"id":1,"shelf":{"number":-1,"put":"n","body":{"base64":"AA=="}}}`,
		`{"id":1,"shelved":{"number":1,"body":""},"now":"2027-01-01T00:00:00Z"}`,
		`{"id":1,"call":"act","params":{"id":"a","kind":"shorten","stay":{"check_in":"2027-01-01","check_out":"2026-01-01"}}}`,
		`{"id":1,"house":{"number":4,"get":"rooms"}}`,
		`{"id":1,"house":{"number":5,"get":"taken","nights":{"from":"2027-01-01","to":"2026-01-01"}}}`,
		`{"id":1,"told":{"number":5,"taken":[{"room":"A","from":"0001-01-01","to":"9999-12-31","rooms":-1}]}}`,
		`{"id":1,"told":{"number":4,"rooms":[{"room":"A","rates":["B"],"max_infants":0}],"property":{"cut_off":{"days_before":1},"taxes":[{"season":[{"from":"2027-01-01","to":"2026-01-01"}]}]},"closed":[{"from":"2027-01-01","to":"2027-01-02"}]}}`,
		`{"id":1,"result":{"capabilities":{"actions":[{"kind":"?","answers_seconds":-9223372036854775808}],"publishes":true,"receives":true}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var frame Frame
		if json.Unmarshal(line, &frame) != nil {
			return
		}
		if frame.Deliver != nil {
			frame.Deliver.Read()
		}
		if frame.Told != nil {
			for _, s := range frame.Told.Rooms {
				s.Read()
			}
			if frame.Told.Property != nil {
				frame.Told.Property.Read()
			}
			ReadTaken(frame.Told.Taken, hotel.Span{From: 1, To: 100})
		}
		if frame.Error != nil {
			if e := frame.Error.Err(nil); e.RetryAfter < 0 || e.RetryAfter > maxRetryAfter {
				t.Errorf("a wait of %s", e.RetryAfter)
			}
		}
		var answer Answer
		if json.Unmarshal(frame.Result, &answer) == nil {
			_, _ = answer.Read()
		}
		var shown Shown
		if json.Unmarshal(frame.Result, &shown) == nil {
			if changes, err := Changes(shown.Shown); err == nil && len(changes) > maxChanges {
				t.Errorf("%d changes", len(changes))
			}
		}
		var said Description
		if json.Unmarshal(frame.Result, &said) == nil {
			caps, mistakes := said.Capabilities.Read()
			for _, a := range caps.Actions {
				if len(mistakes) == 0 && (a.Answers < 0 || a.Within < 0) {
					t.Errorf("an action of %+v is sound", a)
				}
			}
		}
		var acted Acted
		if json.Unmarshal(frame.Result, &acted) == nil && acted.Read().Outcome > connectors.Rejected {
			t.Errorf("an outcome of %q", acted.Outcome)
		}
		var action Action
		if json.Unmarshal(frame.Params, &action) == nil {
			action.Read()
		}
	})
}

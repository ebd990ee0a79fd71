package alpinebits

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// ratesQuestion asks for prices of a hotel.
func ratesQuestion(hotel, more string) string {
	return `<OTA_HotelRatePlanRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="3.000"><RatePlans><RatePlan>` + more +
		`<HotelRef HotelCode="` + hotel + `"/></RatePlan></RatePlans></OTA_HotelRatePlanRQ>`
}

// TestAPortalThatAsksForPrices is answered what it would be told, and told no prices; also one
// that sends its reservations. Rules and rooms are told as ever.
func TestAPortalThatAsksForPrices(t *testing.T) {
	for _, way := range []Way{Pull, Push} {
		t.Run(string(way), func(t *testing.T) {
			s := &script{t: t, answers: map[string]string{
				message.FreeRooms.Name: rs(message.Answered, `<Success/>`), message.RatePlans.Name: rs(message.Priced, `<Success/>`),
			}, seen: map[string]string{}}
			server := httptest.NewServer(s)
			defer server.Close()
			cfg := sound()
			everything(&cfg)
			cfg.URL, cfg.GuestRequests, cfg.InboundUser, cfg.InboundPassword = server.URL, way, "portal", testSecret
			cfg.BaseRates = Pairs{"BAR": "3", "NRF": "14"}
			if err := cfg.Validate(); err != nil {
				t.Fatal(err)
			}
			if caps := capabilities(cfg, connectors.Discovered{Version: "2022-10", Features: []string{message.FreeRooms.Handshake, message.AcceptCategories, message.AcceptDeltas}}); caps.Fields[hotel.FieldAmount].As != hotel.Exact || !caps.Receives || caps.Polls != (way == Pull) {
				t.Errorf("it is able to %+v", caps)
			}
			opened, err := open(t.Context(), cfg, env(t))
			if err != nil {
				t.Fatal(err)
			}
			later := of(hotel.Price, 0, euro(12000))
			later.Key.Night++
			tellAll(t, opened, of(hotel.Price, 1, euro(9000)), of(hotel.Price, 0, euro(12000)), later)
			if len(s.asked) > 0 {
				t.Errorf("of prices the portal is told by %v", s.asked)
			}
			tellAll(t, opened, free("DBL", 2), of(hotel.Closures, 0, hotel.Offer{Closed: hotel.Closed{Closed: true}}))
			if said := s.seen[message.RatePlans.Name]; !strings.Contains(said, "BookingRule") || strings.Contains(said, "12000") {
				t.Errorf("of rules it is told %s", said)
			}
			if _, refused := opened.Encode([]connectors.Change{{Key: connectors.Key{Room: "DBL", Rate: "HB", Group: hotel.Price, Night: night}, Offer: euro(1)}}); len(refused) != 1 || !strings.Contains(refused[0].Reason, "base_rates") {
				t.Errorf("prices of another plan are refused with %v", refused)
			}

			call := func(question string) string {
				t.Helper()
				w := httptest.NewRecorder()
				opened.(connectors.Receiver).Handler(&kept{}).ServeHTTP(w, posted(t, message.BaseRates.Name, question))
				if w.Code != http.StatusOK {
					t.Errorf("%s is answered %d %s", question, w.Code, w.Body)
				}
				return w.Body.String()
			}
			said := call(ratesQuestion("H1", ""))
			for _, v := range message.Versions {
				testkit.Schema(t, filepath.Join(testkit.Corpus(t, "alpinebits"), "schemas", "alpinebits-"+string(v)+".xsd"))("prices", []byte(said))
			}
			set, err := message.ReadRatePlans([]byte(strings.NewReplacer("OTA_HotelRatePlanRS", "OTA_HotelRatePlanNotifRQ", "<Success></Success>", "").Replace(said)))
			if err != nil || len(set.Plans) != 1 || set.Plans[0].Code != "BAR" || set.Plans[0].Basis.Meals != "3" || len(set.Plans[0].Rules) > 0 {
				t.Fatalf("%+v, %v: %s", set, err, said)
			}
			want := []message.Rate{
				{Category: "DBL", Nights: hotel.Span{From: night, To: night}, Prices: []message.GuestPrice{{Guests: 1, Minor: 9000}, {Guests: 2, Minor: 12000}}},
				{Category: "DBL", Nights: hotel.Span{From: night + 1, To: night + 1}, Prices: []message.GuestPrice{{Guests: 2, Minor: 12000}}},
			}
			if diff := cmp.Diff(want, set.Plans[0].Rates); diff != "" {
				t.Errorf("prices (-want +got):\n%s", diff)
			}
			for question, want := range map[string]string{
				ratesQuestion("H1", `<DateRange Start="`+night.String()+`" End="`+night.String()+`"/>`):                 `Start="` + night.String() + `"`,
				ratesQuestion("H1", `<DateRange Start="`+(night+5).String()+`"/>`):                                      `Code="249"`,
				ratesQuestion("H1", `<RatePlanCandidates><RatePlanCandidate RatePlanCode="NRF"/></RatePlanCandidates>`): `Code="249"`,
				ratesQuestion("H1", `<RatePlanCandidates><RatePlanCandidate RatePlanCode="HB"/></RatePlanCandidates>`):  "no rate plan HB",
				ratesQuestion("124", ""): `Code="392"`,
				"<x/>":                   `Code="320"`,
			} {
				if said := call(question); !strings.Contains(said, want) || strings.Contains(said, (night+1).String()) {
					t.Errorf("%s is answered %s, want %s", question, said, want)
				}
			}
			w := httptest.NewRecorder()
			stranger := posted(t, message.BaseRates.Name, ratesQuestion("H1", ""))
			stranger.SetBasicAuth("portal", "guess")
			if opened.(connectors.Receiver).Handler(&kept{}).ServeHTTP(w, stranger); w.Code != http.StatusUnauthorized {
				t.Errorf("a stranger is answered %d", w.Code)
			}
			offered := message.Agreement{Versions: []message.Spoken{{Version: message.V2022, Actions: []message.Supported{
				{Action: message.Ping.Handshake}, {Action: message.BaseRates.Handshake}, {Action: message.PushedRequest.Handshake},
			}}}}
			w = httptest.NewRecorder()
			opened.(connectors.Receiver).Handler(&kept{}).ServeHTTP(w, posted(t, message.Ping.Name, string(message.WritePing(offered))))
			if common, err := message.ReadPong(w.Body.Bytes()); err != nil || !slices.Contains(common.Versions[0].Features(), message.BaseRates.Handshake) || slices.Contains(common.Versions[0].Features(), message.PushedRequest.Handshake) != (way == Push) {
				t.Errorf("what both can do is %+v, %v", common, err)
			}
		})
	}
}

// TestAPlanInTwoCurrencies: the second is refused, and the portal is answered the first and the
// other plans; as it is where a second one was laid ready before that was refused.
func TestAPlanInTwoCurrencies(t *testing.T) {
	cfg := sound()
	everything(&cfg)
	cfg.GuestRequests, cfg.InboundUser, cfg.InboundPassword, cfg.BaseRates = Pull, "portal", testSecret, Pairs{"BAR": "3", "NRF": "14"}
	opened, err := open(t.Context(), cfg, env(t))
	if err != nil {
		t.Fatal(err)
	}
	price := func(room, plan string, currency hotel.Currency) connectors.Change {
		return connectors.Change{Key: connectors.Key{Room: room, Rate: plan, Group: hotel.Price, Night: night}, Offer: hotel.Offer{Amount: hotel.Money{Minor: 12000, Currency: currency}}}
	}
	plans := func() string {
		t.Helper()
		w := httptest.NewRecorder()
		opened.(connectors.Receiver).Handler(&kept{}).ServeHTTP(w, posted(t, message.BaseRates.Name, ratesQuestion("H1", "")))
		var all []string
		for _, code := range []string{"BAR", "NRF", "EUR", "CHF"} {
			if strings.Contains(w.Body.String(), `"`+code+`"`) {
				all = append(all, code)
			}
		}
		return fmt.Sprint(w.Code, all)
	}
	tellAll(t, opened, price("DBL", "BAR", "EUR"), price("DBL", "NRF", "EUR"))
	second := price("SGL", "BAR", "CHF")
	calls, _ := opened.Encode([]connectors.Change{second})
	_, err = opened.Send(t.Context(), calls[0])
	if failed := connectors.AsError(err); failed.Kind != connectors.Invalid || failed.Effect != connectors.NotSent || !strings.Contains(failed.Error(), "rate plan BAR has prices in [CHF EUR]") {
		t.Errorf("the second currency is answered %v", err)
	}
	if got, want := plans(), "200 [BAR NRF EUR]"; got != want {
		t.Errorf("the portal is answered %s, want %s", got, want)
	}
	tellAll(t, opened, price("SGL", "BAR", "EUR"))
	c := opened.(asking).conn
	if err := c.told.keep(t.Context(), together{"BAR"}, "SGL", values{second.Key: second.Offer}, c.today()); err != nil {
		t.Fatal(err)
	}
	if got, want := plans(), "200 [NRF EUR]"; got != want {
		t.Errorf("the portal is answered %s where two lie ready, want %s", got, want)
	}
}

// TestAPortalIsAskedOnlyWhereItAsks: without the setting nobody is answered prices.
func TestAPortalIsAskedOnlyWhereItAsks(t *testing.T) {
	w := httptest.NewRecorder()
	inbound().Handler(&kept{}).ServeHTTP(w, posted(t, message.BaseRates.Name, ratesQuestion("H1", "")))
	if w.Code != http.StatusBadRequest {
		t.Errorf("it is answered %d %s", w.Code, w.Body)
	}
}

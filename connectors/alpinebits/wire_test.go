package alpinebits

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/connectors/alpinebits/simulator"
	"ostler.example/connectors/simkit"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// overheard is what goes over the wire, each kind of message once, by what it looks like
// without its numbers.
type overheard struct {
	t    *testing.T
	said map[string][]byte
}

var numbers = regexp.MustCompile(`[0-9]+`)

func (o *overheard) note(who string, words []byte) {
	if bytes.Contains(words, []byte("http://www.opentravel.org/OTA/2003/05")) {
		o.said[who+numbers.ReplaceAllString(string(words), "0")] = words
	}
}

// RoundTrip implements [http.RoundTripper].
func (o *overheard) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	o.note("asked ", o.requestOf(r, body))
	said, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(said.Body)
	if err != nil {
		return nil, err
	}
	_ = said.Body.Close()
	o.note("answered ", answer)
	said.Body = io.NopCloser(bytes.NewReader(answer))
	return said, nil
}

// requestOf takes the message out of a form.
func (o *overheard) requestOf(r *http.Request, body []byte) []byte {
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err == nil {
			body, err = io.ReadAll(z)
		}
		if err != nil {
			o.t.Errorf("what should be gzip is none: %v", err)
		}
	}
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		o.t.Errorf("a request is of no type: %v", err)
	}
	for form := multipart.NewReader(bytes.NewReader(body), params["boundary"]); ; {
		part, err := form.NextPart()
		if err != nil {
			o.t.Errorf("a request has no message: %v", err)
			return nil
		}
		if part.FormName() == "request" {
			words, _ := io.ReadAll(part) // of memory
			return words
		}
	}
}

// TestAllThatIsSaidFitsTheSchemas holds everything that goes over the wire against the
// schema of its version, while a channel does all that it can.
func TestAllThatIsSaidFitsTheSchemas(t *testing.T) {
	folder := testkit.Corpus(t, "alpinebits")
	for _, v := range message.Versions {
		valid := testkit.Schema(t, filepath.Join(folder, "schemas", "alpinebits-"+string(v)+".xsd"))
		o := &overheard{t: t, said: map[string][]byte{}}
		for _, preset := range []string{"2024-10", "sets"} {
			o.everything(v, preset)
		}
		o.system(v)
		seen := map[string]bool{}
		for kind, words := range o.said {
			seen[rootOf(words)] = true
			valid(strings.Fields(kind)[0]+" in "+string(v), words)
		}
		for _, root := range []string{
			"OTA_PingRQ", "OTA_PingRS", "OTA_HotelInvCountNotifRQ", message.Answered, "OTA_HotelRatePlanNotifRQ", message.Priced, "OTA_HotelDescriptiveContentNotifRQ", message.Described,
			"OTA_ReadRQ", message.Retrieved, "OTA_NotifReportRQ", message.Acknowledged,
		} {
			if !seen[root] {
				t.Errorf("in %s nobody says %s", v, root)
			}
		}
		for _, part := range []string{`"Remove"`, `"CompleteSet"`, "<Supplement ", "<BookingRule ", `AllInvCode="true"`, "<SelectionCriteria "} {
			found := false
			for _, words := range o.said {
				found = found || bytes.Contains(words, []byte(part))
			}
			if !found {
				t.Errorf("in %s nobody says %s", v, part)
			}
		}
	}
}

// everything has a channel to a portal do all that it can.
func (o *overheard) everything(v message.Version, preset string) {
	t := o.t
	t.Helper()
	sim, url := portal(t, preset)
	cfg := sound()
	everything(&cfg)
	cfg.URL, cfg.Newest, cfg.WholePlans, cfg.CompletePlans, cfg.Fees, cfg.Inventory = url, v, Pairs{"BAR": "14"}, true, true, "de"
	rates := []string{"BAR"}
	with := env(t)
	with.Client = transport.New(transport.Options{Base: o})
	with.Rooms = func(context.Context) ([]connectors.SoldRoom, error) {
		of := double()
		of.Rates = rates
		return []connectors.SoldRoom{of}, nil
	}
	with.Property = func(context.Context) (hotel.Property, error) {
		return hotel.Property{Currency: "EUR", Taxes: []hotel.Tax{{Code: "wood", Name: "Holz", Kind: hotel.PerRoomNight, Value: "5", CountsAs: hotel.Fee}}}, nil
	}
	with.Shut = func(context.Context) ([]hotel.Span, error) {
		return []hotel.Span{{From: night + 10, To: night + 20}}, nil
	}
	opened, err := open(t.Context(), cfg, with)
	if err != nil {
		t.Fatal(err)
	}
	conn := opened.(pulled)
	count := connectors.Change{Key: connectors.Key{Room: "DBL", Group: hotel.Availability, Night: night}, Offer: hotel.Offer{Available: 2}}
	tellAll(
		t, conn, count, of(hotel.Price, 0, euro(12000)), of(hotel.Price, 1, euro(9000)), of(hotel.Closures, 0, hotel.Offer{Closed: hotel.Closed{Arrival: true, Departure: true}}),
		of(hotel.Lengths, 0, hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 1, MaxStayArrival: 9, MinStayThrough: 1, MaxStayThrough: 8}}),
		of(hotel.Closures, 0, hotel.Offer{}),
	)
	agreed, err := conn.terms(t.Context())
	if err != nil || agreed.version != v {
		t.Fatalf("agreed is %s, %v", agreed.version, err)
	}
	bodies, err := conn.allPlans(t.Context(), agreed)
	for _, body := range bodies {
		_, worse := conn.ask(t.Context(), "tell prices", message.RatePlans, agreed, body, message.Priced)
		if err == nil {
			err = worse
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sim.Book().Sell(simkit.Request{Room: "DBL", Rate: "BAR", CheckIn: night, CheckOut: night + 1, Adults: 2, LastName: "Lovelace"}); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Poll(t.Context(), "", &kept{}); err != nil {
		t.Fatal(err)
	}
	if err := conn.List(t.Context(), night, night+1, &kept{}); err != nil {
		t.Fatal(err)
	}
	rates = []string{"NRF"}
	tellAll(t, conn, count)
}

// system has a pretend PMS talk to us.
func (o *overheard) system(v message.Version) {
	t := o.t
	t.Helper()
	house := newPretend()
	house.reservations = []hotel.Reservation{aReservation()}
	server := httptest.NewServer(pmsOf(t).Serve(house))
	defer server.Close()
	client := &http.Client{Transport: o}
	defer client.CloseIdleConnections()
	pms := simulator.NewPMS(simulator.PMSOptions{
		URL: server.URL, User: "portal", Password: testSecret, Hotel: "123", Version: string(v), Client: client, Rooms: map[string]int{"double": 2, "single": 0},
	})
	nights := hotel.Span{From: hotel.DateOf(2022, 3, 3), To: hotel.DateOf(2022, 3, 5)}
	if _, err := pms.Shake(t.Context()); err != nil {
		t.Errorf("%s: shake hands: %v", v, err)
	}
	for _, complete := range []bool{false, true} {
		if err := pms.TellCounts(t.Context(), pms.Counts(complete, nights)); err != nil {
			t.Errorf("%s: tell counts: %v", v, err)
		}
	}
	ids, err := pms.Fetch(t.Context())
	if err == nil {
		err = pms.Acknowledge(t.Context(), ids...)
	}
	if err != nil || len(ids) != 1 || house.acknowledged[ids[0]] != aReservation().Revision {
		t.Errorf("%s: %v is acknowledged as %v, %v", v, ids, house.acknowledged, err)
	}
}

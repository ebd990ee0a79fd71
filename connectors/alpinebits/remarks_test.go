package alpinebits

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// TestWhoSoldIt: a travel agency is the seller, else the broker where the stay was booked; of
// a number that is none of a broker, and of a company that is no agency, nothing is said.
func TestWhoSoldIt(t *testing.T) {
	broker := func(kind, value, source string) message.Broker {
		return message.Broker{Type: kind, Value: value, Source: source}
	}
	agency := message.Profile{Type: message.TravelAgent, Company: message.Company{Name: "Reisen & Mehr"}}
	for _, c := range []struct {
		name             string
		r                message.Reservation
		seller, requests string
	}{
		{"nobody", message.Reservation{}, "", ""},
		{"a broker", message.Reservation{Brokers: []message.Broker{broker("13", "4711", " Locanda  Online ")}}, "Locanda Online", "Locanda Online: 4711"},
		{"a broker without a number", message.Reservation{Brokers: []message.Broker{broker("13", "", "Locanda Online")}}, "Locanda Online", ""},
		{"a number without a broker", message.Reservation{Brokers: []message.Broker{broker("13", "4711", "")}}, "", "4711"},
		{"a number of another kind", message.Reservation{Brokers: []message.Broker{broker("14", "4711", "the portal")}}, "", ""},
		{"an agency behind a broker", message.Reservation{Brokers: []message.Broker{broker("13", "4711", "Locanda Online")}, Profiles: []message.Profile{agency}}, "Reisen & Mehr", "Locanda Online: 4711"},
		{"a company that is no agency", message.Reservation{Profiles: []message.Profile{{Type: "3", Company: agency.Company}}}, "", ""},
	} {
		if got := sellerOf(c.r); got != c.seller {
			t.Errorf("%s: it was sold by %q, want %q", c.name, got, c.seller)
		}
		if got := requestsOf(c.r); got != c.requests {
			t.Errorf("%s: %q is known besides, want %q", c.name, got, c.requests)
		}
	}
}

// TestWhatIsEaten is within the price, on each day of the stay; none is told as none, and a
// code that there is not as nothing.
func TestWhatIsEaten(t *testing.T) {
	stay := hotel.Stay{CheckIn: 10, CheckOut: 13}
	for code, want := range map[string]string{"1": "all_inclusive", "3": "breakfast", "10": "full_board", "12": "half_board"} {
		got := boardOf(message.MealsOf(code), stay, "EUR")
		if len(got) != 1 || got[0] != (hotel.Extra{Code: want, DateFrom: 10, DateTo: 12, Quantity: 1, UnitPrice: hotel.Money{Currency: "EUR"}}) {
			t.Errorf("%s is %+v, want %s", code, got, want)
		}
		if mealCode(want) != code {
			t.Errorf("%s is told as %s, want %s", want, mealCode(want), code)
		}
	}
	if got := boardOf(message.MealsOf(roomOnly), stay, "EUR"); got == nil || len(got) > 0 {
		t.Errorf("no meals are %#v", got)
	}
	if boardOf(nil, stay, "EUR") != nil || boardOf(message.MealsOf("99"), stay, "EUR") != nil || mealCode("something else") != roomOnly {
		t.Error("something is eaten that nobody has said")
	}
}

// TestSamplesSayWhoSoldThem: what the standard's own samples say of meals, brokers and
// agencies is read, in every version that is spoken, of what is fetched and what is pushed.
func TestSamplesSayWhoSoldThem(t *testing.T) {
	folder := testkit.Corpus(t, "alpinebits")
	read := 0
	for _, pattern := range []string{"*RetrieveRS-reservation.xml", "*HotelResNotifRQ*.xml"} {
		names, err := filepath.Glob(filepath.Join(folder, "samples", "*", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !message.Version(filepath.Base(filepath.Dir(name))).Known() || !strings.Contains(string(raw), "RatePlanCode") {
				continue
			}
			all := reservationsIn(t, raw)
			for _, r := range all {
				m := parse(r)
				if r.Status == message.Requested || m.Event == "cancelled" {
					continue
				}
				read++
				if m.Booking.Seller != "ACME Travel Agency" || !strings.Contains(*m.Booking.Requests, "www.example.com: Slogan") || !strings.Contains(*m.Booking.Requests, "info@example.com") {
					t.Errorf("%s is sold by %q: %s", name, m.Booking.Seller, *m.Booking.Requests)
				}
				if e := m.Booking.Rooms[0].Extras; len(e) != 1 || e[0].Code != "all_inclusive" {
					t.Errorf("%s includes %+v", name, e)
				}
			}
		}
	}
	if read == 0 {
		t.Error("no sample is a reservation")
	}
}

// reservationsIn reads what is fetched, or what is pushed.
func reservationsIn(t *testing.T, raw []byte) []message.Reservation {
	t.Helper()
	if rootOf(raw) == message.Retrieved {
		_, all, err := message.ReadReservations(raw)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	all, err := message.ReadPushed(raw)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

package message

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ostler.example/internal/testkit"
)

// TestWhatIsWrittenFitsTheSchemas holds everything that is sent against the schema of
// each version.
func TestWhatIsWrittenFitsTheSchemas(t *testing.T) {
	folder := testkit.Corpus(t, "alpinebits")
	for _, v := range Versions {
		valid := testkit.Schema(t, filepath.Join(folder, "schemas", "alpinebits-"+string(v)+".xsd"))
		for name, raw := range written() {
			valid(name, raw)
		}
	}
}

// TestSamples reads the messages of the standard that a client of a portal meets.
func TestSamples(t *testing.T) {
	folder := testkit.Corpus(t, "alpinebits")
	for _, v := range Versions {
		sample := func(pattern string) []byte {
			t.Helper()
			found, err := filepath.Glob(filepath.Join(folder, "samples", string(v), pattern))
			if err != nil || len(found) != 1 {
				t.Fatalf("%s has %d samples %s", v, len(found), pattern)
			}
			raw, err := os.ReadFile(found[0])
			if err != nil {
				t.Fatal(err)
			}
			return raw
		}
		reply := func(pattern, root string) Reply {
			t.Helper()
			r, err := ReadReply(sample(pattern), root)
			if err != nil {
				t.Errorf("%s %s: %v", v, pattern, err)
			}
			return r
		}
		if r := reply("FreeRooms-*RS-success.xml", Answered); r.Failed || r.Refused() {
			t.Errorf("%s: success reads as %+v", v, r)
		}
		if r := reply("FreeRooms-*RS-warning.xml", Answered); r.Failed || !r.Refused() || !strings.HasPrefix(r.Words(), "dates are too far") {
			t.Errorf("%s: the warning reads as %+v", v, r)
		}
		if r := reply("RatePlans-*RS-error.xml", "OTA_HotelRatePlanNotifRS"); !r.Failed || !r.Hopeless() {
			t.Errorf("%s: the error reads as %+v", v, r)
		}
		common, err := ReadPong(sample("Handshake-OTA_PingRS.xml"))
		if err != nil || len(common.Versions) != 1 || len(common.Versions[0].Actions) != 2 {
			t.Errorf("%s: the handshake reads as %+v, %v", v, common, err)
		}
		if offered, echoed, err := ReadPing(sample("Handshake-OTA_PingRQ.xml")); err != nil || len(offered.Versions[0].Actions) != 3 || echoed == "" {
			t.Errorf("%s: the offer reads as %+v, %v", v, offered, err)
		}
		if _, none, err := ReadReservations(sample("GuestRequests-OTA_ResRetrieveRS*empty.xml")); err != nil || len(none) != 0 {
			t.Errorf("%s: the empty list has %d reservations, %v", v, len(none), err)
		}
		_, pulled, err := ReadReservations(sample("GuestRequests-OTA_ResRetrieveRS-reservation.xml"))
		meansTheSample(t, v, pulled, err)
		pushed, err := ReadPushed(sample("GuestRequests-*HotelResNotifRQ*.xml"))
		meansTheSample(t, v, pushed, err)
	}
}

// meansTheSample checks what the standard's one sample of a reservation says.
func meansTheSample(t *testing.T, v Version, all []Reservation, err error) {
	t.Helper()
	if err != nil || len(all) != 1 || len(all[0].Stays) != 1 {
		t.Fatalf("%s: %d reservations, %v", v, len(all), err)
	}
	r, s := all[0], all[0].Stays[0]
	switch {
	case r.Status != Reserved, r.ID.Type != "14", len(r.ID.ID) != 16, r.Hotel.Code != "123",
		s.RoomType.Code != "bigsuite", s.RatePlan.Code != "123456-xyz", s.RatePlan.Commission.Percent != "15",
		len(s.Guests) != 3, s.Guests[0].Age != "", s.Guests[1].Age != "9",
		s.Total.AfterTax != "299", s.Total.Currency != "EUR",
		r.Customer.Surname != "Mustermann", r.Customer.Address.Country.Code != "DE", len(r.Customer.Phones) != 3:
		t.Errorf("%s: the reservation reads as %+v", v, r)
	}
	if strings.Contains(string(r.Raw), "4444") || !strings.Contains(string(r.Raw), "Sind Hunde erlaubt?") {
		t.Errorf("%s: the card stays in, or the guest's words do not", v)
	}
}

// TestInventoriesOfTheStandard: the cases of the standard's own tests, and its sample, are
// taken or refused as their names say.
func TestInventoriesOfTheStandard(t *testing.T) {
	folder := testkit.Corpus(t, "alpinebits")
	for _, v := range Versions {
		cases, err := filepath.Glob(filepath.Join(folder, "business-rules", string(v), "inventory", "*_Basic-*.xml"))
		samples, worse := filepath.Glob(filepath.Join(folder, "samples", string(v), "Inventory*OTA_HotelDescriptiveContentNotifRQ*.xml"))
		if err != nil || worse != nil || len(cases) < 17 || len(samples) != 2 {
			t.Fatalf("%s has %d cases and %d samples: %v, %v", v, len(cases), len(samples), err, worse)
		}
		for _, file := range append(cases, samples...) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.ToLower(filepath.Base(file))
			_, err = ReadInventory(raw)
			if refuse := strings.Contains(name, "-err-") || strings.Contains(name, "hotelinfo"); (err != nil) != refuse {
				t.Errorf("%s %s, which is to be refused: %t, reads with %v", v, name, refuse, err)
			}
		}
	}
}

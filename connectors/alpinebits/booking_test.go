package alpinebits

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// listed reads reservations as a portal lists them.
func listed(t testing.TB, reservations ...string) []message.Reservation {
	t.Helper()
	_, all, err := message.ReadReservations([]byte(list(reservations...)))
	if err != nil || len(all) != len(reservations) {
		t.Fatalf("%d reservations of %d: %v", len(all), len(reservations), err)
	}
	return all
}

func list(reservations ...string) string {
	return `<OTA_ResRetrieveRS xmlns="http://www.opentravel.org/OTA/2003/05" Version="7.000"><Success/><ReservationsList>` +
		strings.Join(reservations, "") + `</ReservationsList></OTA_ResRetrieveRS>`
}

// reserved is a reservation of two rooms with all that is read.
// TestWhenItHappened: a change and a cancellation have the time of their own, or none.
func TestWhenItHappened(t *testing.T) {
	booked, changed := time.Date(2027, 1, 2, 2, 4, 5, 0, time.UTC), time.Date(2027, 1, 3, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		status, modified string
		want             time.Time
	}{
		{"Reserved", "", booked},
		{"Reserved", `LastModifyDateTime="2027-01-03T00:00:00Z" `, changed},
		{"Modify", "", time.Time{}},
		{"Modify", `LastModifyDateTime="2027-01-03T00:00:00Z" `, changed},
		{"Cancelled", "", time.Time{}},
		{"Cancelled", `LastModifyDateTime="2027-01-03T00:00:00" `, time.Time{}}, // without a zone
	} {
		r, err := message.ReadReservation([]byte(strings.Replace(reserved, `ResStatus="Reserved"`, test.modified+`ResStatus="`+test.status+`"`, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got := parse(r).At; !got.Equal(test.want) {
			t.Errorf("%s with %q happened at %s, want %s", test.status, test.modified, got, test.want)
		}
	}
}

const reserved = `<HotelReservation CreateDateTime="2027-01-02T03:04:05+01:00" ResStatus="Reserved">
	<UniqueID Type="14" ID="R1"/>
	<RoomStays>
		<RoomStay>
			<RoomTypes><RoomType RoomTypeCode="DBL"/></RoomTypes>
			<RatePlans><RatePlan RatePlanCode="BAR"><Commission Percent="15"/><MealsIncluded MealPlanIndicator="true" MealPlanCodes="12"/></RatePlan></RatePlans>
			<RoomRates><RoomRate RatePlanCode="BAR" RoomTypeCode="DBL"><Rates>
				<Rate EffectiveDate="2027-02-01" ExpireDate="2027-02-03" ExpireDateExclusiveInd="true"><Base AmountAfterTax="100" CurrencyCode="EUR"/></Rate>
				<Rate EffectiveDate="2027-02-03"><Base AmountAfterTax="99.50" CurrencyCode="EUR"/></Rate>
			</Rates></RoomRate></RoomRates>
			<GuestCounts><GuestCount Count="2"/><GuestCount Count="2" Age="9"/></GuestCounts>
			<TimeSpan Start="2027-02-01" End="2027-02-04"/>
			<Guarantee><GuaranteesAccepted><GuaranteeAccepted><PaymentCard CardCode="VI" ExpireDate="1230"><CardHolderName>Ada</CardHolderName>
				<CardNumber><PlainText>4111111111111111</PlainText></CardNumber></PaymentCard></GuaranteeAccepted></GuaranteesAccepted></Guarantee>
			<Total AmountAfterTax="299.500" CurrencyCode="EUR"/>
		</RoomStay>
		<RoomStay>
			<RoomTypes><RoomType RoomTypeCode="SGL"/></RoomTypes>
			<RatePlans><RatePlan><Commission><CommissionPayableAmount Amount="1.07" CurrencyCode="EUR"/></Commission></RatePlan></RatePlans>
			<GuestCounts><GuestCount Count="1"/></GuestCounts>
			<TimeSpan Start="2027-02-01" Duration="P2N"/>
			<Total AmountAfterTax="50" CurrencyCode="EUR"/>
		</RoomStay>
	</RoomStays>
	<ResGuests><ResGuest><Profiles><ProfileInfo><Profile><Customer Language="de" BirthDate="1980-01-02">
		<PersonName><NamePrefix>Frau</NamePrefix><GivenName>Ada</GivenName><Surname> Lovelace
			King</Surname><NameTitle>Dr</NameTitle></PersonName>
		<Telephone PhoneTechType="3" PhoneNumber="+39 1"/><Telephone PhoneTechType="5" PhoneNumber="+39 2"/>
		<Email>ada@example.com</Email><Address><AddressLine>Gasse 1</AddressLine><CityName>Bozen</CityName><PostalCode>39100</PostalCode><CountryName Code="IT"/></Address>
	</Customer></Profile></ProfileInfo></Profiles></ResGuest></ResGuests>
	<ResGlobalInfo>
		<Comments>
			<Comment Name="included services"><ListItem ListItem="1" Language="de">Parkplatz</ListItem></Comment>
			<Comment Name="customer comment"><Text>Sind Hunde
				erlaubt?</Text></Comment>
		</Comments>
		<HotelReservationIDs>
			<HotelReservationID ResID_Type="13" ResID_Value="77-4410" ResID_Source="Locanda Online"/>
			<HotelReservationID ResID_Type="14" ResID_Value="0815" ResID_Source="somebody else"/>
		</HotelReservationIDs>
		<Profiles><ProfileInfo><Profile ProfileType="4"><CompanyInfo><CompanyName Code="9" CodeContext="IATA">Reisen
			&amp; Mehr</CompanyName><TelephoneInfo PhoneTechType="1" PhoneNumber="+39 4"/><Email>office@reisen.example</Email></CompanyInfo></Profile></ProfileInfo></Profiles>
		<BasicPropertyInfo HotelCode="H1"/>
	</ResGlobalInfo>
</HotelReservation>`

func TestParse(t *testing.T) {
	m := parse(listed(t, reserved)[0])
	eur := func(minor int64) hotel.Money { return hotel.Money{Minor: minor, Currency: "EUR"} }
	feb := func(day int) hotel.Date { return hotel.DateOf(2027, time.February, day) }
	total, commission := eur(34950), eur(4600) // 15 % of 299.50 are 44.925
	want := hotel.ChannelBooking{
		Rooms: []hotel.ChannelRoom{
			{Room: "DBL", Rate: "BAR", Stay: hotel.Stay{CheckIn: feb(1), CheckOut: feb(4)}, Adults: 2, Children: []int{9, 9}, Amounts: []hotel.Money{eur(10000), eur(10000), eur(9950)}, Total: new(eur(29950)), Extras: []hotel.Extra{{Code: "half_board", DateFrom: feb(1), DateTo: feb(3), Quantity: 1, UnitPrice: eur(0)}}},
			{Room: "SGL", Stay: hotel.Stay{CheckIn: feb(1), CheckOut: feb(3)}, Adults: 1, Total: new(eur(5000))},
		},
		Guest: &hotel.Guest{
			FirstName: "Ada", LastName: "Lovelace King", Title: "Frau Dr", Email: "ada@example.com", Phone: "+39 2", Language: "de", Country: "IT",
			BirthDate: "1980-01-02", Address: hotel.Address{Line1: "Gasse 1", City: "Bozen", PostalCode: "39100"},
		},
		Total: &total, Commission: &commission, Seller: "Reisen & Mehr",
		Requests: new("Sind Hunde erlaubt?\nLocanda Online: 77-4410\nReisen & Mehr, +39 4, office@reisen.example"),
		Payment:  hotel.ChannelPayment{Guarantee: "card_on_file", Card: &hotel.Card{Brand: "visa"}},
	}
	if diff := cmp.Diff(want, m.Booking); diff != "" {
		t.Errorf("the booking (-want +got):\n%s", diff)
	}
	if m.Problem != "" || m.Event != connectors.Booked || m.Ref != "R1" || !m.At.Equal(time.Date(2027, 1, 2, 2, 4, 5, 0, time.UTC)) {
		t.Errorf("the message is %+v", m)
	}
	if bytes.Contains(m.Raw, []byte("4111")) || !bytes.Contains(m.Raw, []byte("Gasse 1")) {
		t.Errorf("the card is kept, or more than the card is not: %s", m.Raw)
	}
}

// changed is the reservation with words replaced.
func changed(pairs ...string) string {
	out := reserved
	for i := 0; i < len(pairs); i += 2 {
		out = strings.ReplaceAll(out, pairs[i], pairs[i+1])
	}
	return out
}

func TestParseOfOtherKinds(t *testing.T) {
	bare := func(status, kind string) string {
		return `<HotelReservation CreateDateTime="2027-01-02T03:04:05+01:00" ResStatus="` + status + `"><UniqueID Type="` + kind + `" ID="R1"/></HotelReservation>`
	}
	for _, c := range []struct {
		name, raw, problem string
		event              connectors.EventKind
		rooms              int
	}{
		{"a modification", changed(`"Reserved"`, `"Modify"`), "", connectors.Modified, 2},
		{"a cancellation", changed(`"Reserved"`, `"Cancelled"`, `Type="14"`, `Type="15"`), "", connectors.Cancelled, 2},
		{"a cancellation that names no room", bare("Cancelled", "15"), "", connectors.Cancelled, 0},
		{"a guest who only asks", changed(`"Reserved"`, `"Requested"`), "no booking", "", 0},
		{"an unknown status", changed(`"Reserved"`, `"Waitlisted"`), "status", "", 0},
		{"a number that says cancelled", changed(`Type="14"`, `Type="15"`), "cancellation", "", 0},
		{"no number", changed(`ID="R1"`, ``), "number", "", 0},
		{"no room", bare("Reserved", "14"), "1 to 50 rooms", "", 0},
		{"no category", changed(`RoomTypeCode="SGL"`, ``), "", connectors.Booked, 2},
		{"no arrival", changed(`Start="2027-02-01" End`, `End`), "room 1: it does not say when the guest arrives", "", 0},
		{"no departure", changed(`Duration="P2N"`, ``), "room 2: it does not say when the guest leaves", "", 0},
		{"a departure before the arrival", changed(`End="2027-02-04"`, `End="2027-01-04"`), "nights", "", 0},
		{"a crowd", changed(`Count="1"`, `Count="99999"`), "guests", "", 0},
	} {
		m := parse(listed(t, c.raw)[0])
		if m.Event != c.event || len(m.Booking.Rooms) != c.rooms || !strings.Contains(m.Problem, c.problem) || (m.Problem == "") != (c.problem == "") {
			t.Errorf("%s is %q with %d rooms and problem %q", c.name, m.Event, len(m.Booking.Rooms), m.Problem)
		}
		if len(m.Raw) == 0 || m.Key == "" {
			t.Errorf("%s has no key, or is not kept as it came", c.name)
		}
	}
}

func TestAmountsThatMakeNoSenseAreLeftOut(t *testing.T) {
	for name, raw := range map[string]string{
		"of one night":                 changed(`EffectiveDate="2027-02-03"`, `EffectiveDate="2027-02-09"`),
		"told twice":                   changed(`EffectiveDate="2027-02-03"`, `EffectiveDate="2027-02-02"`),
		"in two currencies":            changed(`"99.50" CurrencyCode="EUR"`, `"99.50" CurrencyCode="CHF"`),
		"of several nights in a piece": changed(`<Rate EffectiveDate="2027-02-03"`, `<Rate UnitMultiplier="7" EffectiveDate="2027-02-03"`),
		"no number":                    changed(`"99.50"`, `"9e9"`),
	} {
		m := parse(listed(t, raw)[0])
		if m.Problem != "" || m.Booking.Rooms[0].Amounts != nil || m.Booking.Total == nil {
			t.Errorf("amounts %s are read as %v", name, m.Booking.Rooms[0].Amounts)
		}
	}
	if m := parse(listed(t, changed(`"50"`, `"-50"`))[0]); m.Booking.Total != nil || m.Booking.Commission != nil {
		t.Errorf("a total of half the rooms counts: %v", m.Booking.Total)
	}
	if m := parse(listed(t, changed(`Percent="15"`, `Percent="lots"`))[0]); m.Booking.Total == nil || m.Booking.Commission != nil {
		t.Errorf("a commission of half the rooms counts: %v", m.Booking.Commission)
	}
}

func TestKeys(t *testing.T) {
	base := parse(listed(t, reserved)[0]).Key
	for name, c := range map[string]struct {
		raw  string
		same bool
	}{
		"white space":       {changed("\n\t\t\t<", " <"), true},
		"another card":      {changed("4111111111111111", "4222222222222"), true},
		"other nights":      {changed("2027-02-04", "2027-02-05"), false},
		"a cancellation":    {changed(`"Reserved"`, `"Cancelled"`), false},
		"a change of it":    {changed(`ResStatus=`, `LastModifyDateTime="2027-01-03T00:00:00Z" ResStatus=`), false},
		"another booking":   {changed(`"R1"`, `"R2"`), false},
		"a nameless one":    {changed(` ID="R1"`, ``), false},
		"the guest's words": {changed("Gasse 1", "Gasse 2"), false},
	} {
		if got := parse(listed(t, c.raw)[0]).Key; (got == base) != c.same {
			t.Errorf("%s: the keys are %q and %q", name, base, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(reserved)
	f.Add(changed(`"Reserved"`, `"Requested"`))
	f.Add(`<HotelReservation/>`)
	f.Fuzz(func(t *testing.T, raw string) {
		_, all, err := message.ReadReservations([]byte(list(raw)))
		if err != nil {
			return
		}
		for _, r := range all {
			m := parse(r)
			if m.Key == "" || (m.Problem == "") == (m.Event == "") {
				t.Errorf("%q is read as %+v", raw, m)
			}
			for _, room := range m.Booking.Rooms {
				if n := room.Stay.Nights(); n < 1 || n > maxNights || room.Amounts != nil && len(room.Amounts) != n {
					t.Errorf("%q has a room of %d nights and %d amounts", raw, n, len(room.Amounts))
				}
			}
		}
	})
}

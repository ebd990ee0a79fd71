package channex

import (
	"encoding/json"
	"fmt"
	"testing"

	"ostler.example/hotel"
)

// TestDeposits: what guests have paid ahead is told of the rooms that it pays for, of nothing
// where none is named, and not at all where nobody can say how much it is. What of it was kept
// with the message tells the same again.
func TestDeposits(t *testing.T) {
	const of = `{"type":"booking_revision","id":"e","attributes":{"unique_id":"BDC-1","status":"new","currency":"EUR",%s"rooms":[
		{"booking_room_id":"b","checkin_date":"2027-03-01","checkout_date":"2027-03-02","days":{"2027-03-01":"100.00"}},
		{"booking_room_id":"a","checkin_date":"2027-03-01","checkout_date":"2027-03-02","days":{"2027-03-01":"80.00"}}]}}`
	for said, want := range map[string][2]string{ // of b and a
		``:                                {"0.00 EUR", "0.00 EUR"},
		`"deposits":null,`:                {"0.00 EUR", "0.00 EUR"},
		`"deposits":[{"amount":"30"}],`:   {"0.00 EUR", "30.00 EUR"},
		`"deposits":[{"amount":"90.5"}],`: {"10.50 EUR", "80.00 EUR"},
		`"deposits":[{"amount":"200","currency":"EUR","charged_at":"2027-01-05","type":"card"}],`:         {"100.00 EUR", "100.00 EUR"},
		`"deposits":[{"amount":"50"},{"amount":"-20","currency":"EUR"}],`:                                 {"0.00 EUR", "30.00 EUR"},
		`"deposits":[{"amount":"50","currency":"USD"},{"amount":"20","currency":"USD"}],`:                 {"0.00 USD", "70.00 USD"},
		`"deposits":[{"amount":"50","currency":"USD"},{"amount":"20"},{"amount":"10","currency":"USD"}],`: {"0.00 EUR", "20.00 EUR"},
		`"deposits":[{"amount":"-20"}],`:                  {},
		`"deposits":[{"amount":"20"},{"amount":"many"}],`: {},
		`"deposits":[{"amount":"999999999999"},{"amount":"999999999999"},{"amount":"1","currency":"neither"}],`: {},
	} {
		raw := fmt.Appendf(nil, of, said)
		for _, raw := range [][]byte{raw, withoutCards(raw)} {
			_, m, err := parseBooking(raw, nothing)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range m.Booking.Rooms {
				got := ""
				if r.Deposit != nil {
					got = r.Deposit.String()
				}
				if got != want[i] {
					t.Errorf("%s: %q is paid of room %s, want %q", said, got, r.Ref, want[i])
				}
			}
		}
	}
}

// TestADepositIsAGuarantee where nothing else is told to be one.
func TestADepositIsAGuarantee(t *testing.T) {
	for said, want := range map[string]string{
		`{"deposits":[{"amount":"30"}]}`:                                         "deposit",
		`{"deposits":[]}`:                                                        "",
		`{"deposits":[{"amount":"30"}],"payment_collect":"ota"}`:                 "prepaid",
		`{"deposits":[],"guarantee":{"card_number":"411111******1111"}}`:         "card_on_file",
		`{"deposits":[{"amount":"30"}],"guarantee":{"card_type":"VI"}}`:          "card_on_file",
		`{"deposits":"much","guarantee":{"card_type":"VI"},"payment_collect":1}`: "card_on_file",
	} {
		var a attributes
		if err := json.Unmarshal([]byte(said), &a); err != nil {
			t.Fatal(err)
		}
		if got := a.payment(hotel.Currency("EUR")).Guarantee; got != want {
			t.Errorf("%s is guaranteed by %q, want %q", said, got, want)
		}
	}
}

// FuzzDeposits: whatever is said of what was paid ahead, the parts of the rooms come to it,
// and none of them is one of a debt.
func FuzzDeposits(f *testing.F) {
	f.Add(`[{"amount":"90.50","currency":"EUR","type":"card"},{"amount":20,"currency":null}]`, "EUR", int64(8000), int64(10000))
	f.Add(`[{"amount":"50","currency":"USD"},{"amount":"-20"}]`, "EUR", int64(0), int64(-1))
	f.Add(`[{"amount":"999999999999"},{"amount":"999999999999.999"}]`, "KWD", int64(1), int64(1))
	f.Add(`{}`, "XYZ", int64(1)<<62, int64(1)<<62)
	f.Add(`[null,7,{"amount":{}}]`, "JPY", int64(0), int64(0))
	f.Fuzz(func(t *testing.T, said, currency string, first, second int64) {
		var a attributes
		if json.Unmarshal(fmt.Appendf(nil, `{"deposits":%s}`, said), &a) != nil {
			return
		}
		c := hotel.Currency(currency)
		paid, ok := a.paid(c)
		if !ok {
			return
		}
		rooms := []hotel.ChannelRoom{
			{Ref: "b", Amounts: []hotel.Money{{Minor: first, Currency: c}}, Extras: []hotel.Extra{{Code: "x", Quantity: 2, UnitPrice: hotel.Money{Minor: second, Currency: c}}}},
			{Ref: "a", Amounts: []hotel.Money{{Minor: second, Currency: c}}},
		}
		share(paid, rooms)
		sum := int64(0)
		for _, r := range rooms {
			if sum += r.Deposit.Minor; r.Deposit.Minor < 0 || r.Deposit.Currency != paid.Currency {
				t.Errorf("%s: of room %s %s is paid", said, r.Ref, r.Deposit)
			}
		}
		if sum != paid.Minor || !paid.Countable() {
			t.Errorf("%s: the rooms have %d of %s", said, sum, paid)
		}
	})
}

package ledger

import (
	"errors"
	"slices"
	"testing"

	"ostler.example/hotel"
)

// TestDepositOfAChannelsBooking: what a guest has paid ahead comes with the channel's
// message, is kept when a later one leaves it out, and follows one that says otherwise,
// unless somebody here has typed it. One in a currency that nothing is owed in is told, and
// left out.
func TestDepositOfAChannelsBooking(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	eur := func(minor int64) *hotel.Money { return &hotel.Money{Minor: minor, Currency: "EUR"} }
	said := oneRoom(h, "1", "booked", hotel.ChannelRoom{
		Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 1, CheckOut: h.today + 2}, Adults: 2, Amounts: []hotel.Money{*eur(8000)},
	})
	said.Ref = "B"
	var id string
	tell := func(key, event string, paid, want *hotel.Money) hotel.Reservation {
		t.Helper()
		said.Key, said.Revision, said.Event, said.Booking.Rooms[0].Deposit = key, key, event, paid
		r := must(h.Receive(t.Context(), said))(t).Reservations[0]
		if id = r.ID; !same(r.DepositPaid, want) {
			t.Errorf("message %s, of %v: %v is paid, want %v", key, paid, r.DepositPaid, want)
		}
		return r
	}
	tell("1", "booked", eur(2000), eur(2000))
	tell("2", "modified", nil, eur(2000))
	tell("3", "modified", eur(3000), eur(3000))
	tell("4", "modified", eur(-1), eur(3000))
	tell("5", "modified", eur(0), nil)
	odd := tell("6", "modified", &hotel.Money{Minor: 3000, Currency: "USD"}, nil)
	if !slices.ContainsFunc(odd.Issues, func(i hotel.Issue) bool { return i.Code == "currency" }) {
		t.Errorf("nobody is told of the dollars: %v", odd.Issues)
	}
	typed := hotel.ReservationChange{DepositPaid: hotel.Optional[hotel.Money]{Set: true, Value: *eur(5000)}}
	r := must2(h.ChangeReservation(t.Context(), tester, hotel.Once{}, id, typed))(t)
	if !r.Keeps(hotel.KeptDeposit) {
		t.Errorf("what is typed here is not kept: %v", r.Kept)
	}
	tell("7", "modified", eur(3000), eur(5000))
	tell("8", "cancelled", eur(0), eur(5000))
	h.checkSold(t)
}

// TestADepositInTheCurrencyOfItsBooking is taken off a price in that currency, and does not
// keep the rest of the booking from being changed.
func TestADepositInTheCurrencyOfItsBooking(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	usd := hotel.Money{Minor: 8000, Currency: "USD"}
	said := oneRoom(h, "1", "booked", hotel.ChannelRoom{
		Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 1, CheckOut: h.today + 2}, Adults: 2, Amounts: []hotel.Money{usd}, Deposit: &usd,
	})
	r := must(h.Receive(t.Context(), said))(t).Reservations[0]
	if !same(r.DepositPaid, &usd) {
		t.Errorf("%v is paid", r.DepositPaid)
	}
	must2(h.ChangeReservation(t.Context(), tester, hotel.Once{}, r.ID, hotel.ReservationChange{Notes: new("vegetarian")}))(t)
	said.Key, said.Revision, said.Event = "2", "2", "modified"
	said.Booking.Rooms[0].Deposit, said.Booking.Rooms[0].Amounts = nil, []hotel.Money{{Minor: 8000, Currency: "CHF"}}
	must(h.Receive(t.Context(), said))(t)
	must2(h.ChangeReservation(t.Context(), tester, hotel.Once{}, r.ID, hotel.ReservationChange{Notes: new("vegan")}))(t)
	_, _, err := h.ChangeReservation(t.Context(), tester, hotel.Once{}, r.ID, hotel.ReservationChange{DepositPaid: hotel.Optional[hotel.Money]{Set: true, Value: hotel.Money{Minor: 1, Currency: "USD"}}})
	if err == nil {
		t.Error("a deposit in a currency that nothing is owed in is taken")
	}
}

// A commission is in a currency in which something is owed, and takes nothing back.
func TestACommissionIsAnAmountOfThePrice(t *testing.T) {
	h := newHouse(t)
	n := hotel.NewReservation{
		PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: h.today + 2, CheckOut: h.today + 4}, Adults: 2,
		Status: hotel.Confirmed, Guest: hotel.Guest{LastName: "Guest"},
	}
	for _, c := range []struct {
		of   hotel.Money
		code string
	}{{hotel.Money{Minor: -1, Currency: "EUR"}, "min"}, {hotel.Money{Minor: 100, Currency: "USD"}, "currency_mismatch"}, {hotel.Money{Minor: 100, Currency: "EUR"}, ""}} {
		n.Commission = &c.of
		_, _, err := h.CreateReservation(t.Context(), tester, hotel.Once{}, n)
		refusal, _ := errors.AsType[*hotel.Refusal](err)
		if c.code == "" && err != nil || c.code != "" && (refusal == nil || refusal.Items[0].Code != c.code || refusal.Items[0].Pointer != "/commission") {
			t.Errorf("%+v: %v", c.of, err)
		}
	}
}

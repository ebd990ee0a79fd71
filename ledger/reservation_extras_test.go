package ledger

import (
	"context"
	"slices"
	"testing"

	"ostler.example/hotel"
)

// What is charged beside the room follows the dates of a stay where nobody says how: it is
// cut to them, and refused where nothing would be left.
func TestExtrasFollowTheDates(t *testing.T) {
	ctx := context.Background()
	in := newHouse(t).today + 10
	day := func(code string, from, to hotel.Date) hotel.Extra {
		return hotel.Extra{Code: code, DateFrom: from, DateTo: to, Quantity: 1, UnitPrice: hotel.Money{Minor: 1000, Currency: "EUR"}}
	}
	for name, test := range map[string]struct {
		is          hotel.Extra
		checkIn, to hotel.Date
		want        *hotel.Extra // nil: refused
	}{
		"of every night, shortened":     {day("b", in, in+3), in, in + 2, new(day("b", in, in+1))},
		"of every night, longer":        {day("b", in, in+3), in, in + 6, new(day("b", in, in+5))},
		"of every day, moved":           {day("b", in, in+4), in + 20, in + 22, new(day("b", in+20, in+22))},
		"of some nights, cut":           {day("b", in+1, in+2), in, in + 1, new(day("b", in+1, in+1))},
		"of some nights, all there":     {day("b", in+1, in+2), in, in + 3, new(day("b", in+1, in+2))},
		"of a day that is gone":         {day("b", in+3, in+3), in, in + 2, nil},
		"of the first day, which moves": {day("b", in, in), in + 2, in + 4, nil},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			r := must2(h.CreateReservation(ctx, tester, hotel.Once{}, hotel.NewReservation{
				PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: in, CheckOut: in + 4}, Adults: 2,
				Status: hotel.Confirmed, Guest: hotel.Guest{LastName: "Guest"}, Extras: []hotel.Extra{test.is},
			}))(t)
			got, _, err := h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{CheckIn: &test.checkIn, CheckOut: &test.to})
			if test.want == nil {
				if refusedAs(err) != "validation_failed" {
					t.Fatalf("answered %v", err)
				}
				got = must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{CheckIn: &test.checkIn, CheckOut: &test.to, Extras: &[]hotel.Extra{day("b", test.checkIn, test.checkIn)}}))(t)
				if len(got.Extras) != 1 || got.Stay.CheckOut != test.to {
					t.Errorf("said with the dates: %+v", got.Extras)
				}
				return
			}
			if err != nil || !slices.Equal(got.Extras, []hotel.Extra{*test.want}) {
				t.Fatalf("%+v, %v, want %+v", got.Extras, err, *test.want)
			}
		})
	}
}

// Nights of a channel's booking are given back whatever is charged beside it: until the
// channel has agreed all stays as it is, and then its extras are cut; neither is what
// somebody here has set, and everything else of the booking changes as before.
func TestNightsWithExtrasAreGivenBack(t *testing.T) {
	for _, byHand := range []bool{false, true} {
		a := newActing(t, hotel.Terms{Actions: everyAction})
		a.said = oneRoom(a.house, "1", "booked", channelRoom(a.today+3, a.today+7, "D", true))
		a.said.Booking.Rooms[0].Extras = []hotel.Extra{
			{Code: "breakfast", DateFrom: a.today + 3, DateTo: a.today + 6, Quantity: 2, UnitPrice: hotel.Money{Minor: 900, Currency: "EUR"}},
			{Code: "transfer", DateFrom: a.today + 7, DateTo: a.today + 7, Quantity: 1, UnitPrice: hotel.Money{Minor: 4000, Currency: "EUR"}},
		}
		a.booking = must(a.Receive(context.Background(), a.said))(t).Reservations[0]
		if len(a.booking.Extras) != 2 {
			t.Fatalf("booked with %+v", a.booking.Extras)
		}
		r := must(a.ask(hotel.ActionShorten, byHand))(t)
		if !byHand {
			if len(r.Extras) != 2 || r.Stay != a.booking.Stay {
				t.Errorf("before the channel has agreed: %+v, %+v", r.Stay, r.Extras)
			}
			of, call, _ := a.call(t)
			a.answer(t, of, call, DeliveryApplied)
			r = a.now(t)
		}
		want := []hotel.Extra{{Code: "breakfast", DateFrom: a.today + 3, DateTo: a.today + 5, Quantity: 2, UnitPrice: hotel.Money{Minor: 900, Currency: "EUR"}}}
		if r.Stay.CheckOut != a.today+5 || !slices.Equal(r.Extras, want) || r.Keeps(hotel.KeptExtras) {
			t.Errorf("by hand %t: %+v, %+v, kept %+v", byHand, r.Stay, r.Extras, r.Kept)
		}
		must2(a.ChangeReservation(context.Background(), tester, hotel.Once{}, r.ID, hotel.ReservationChange{Notes: new("late")}))(t)
	}
}

// Who is in the house has come: the stay does not begin later.
func TestAStayThatHasBegunBeginsNoLater(t *testing.T) {
	h := newHouse(t)
	r := h.bring(t, hotel.CheckedIn)
	in, out := h.today+1, h.today+3
	if _, _, err := h.ChangeReservation(context.Background(), tester, hotel.Once{}, r.ID, hotel.ReservationChange{CheckIn: &in, CheckOut: &out, Override: true}); refusedAs(err) != "validation_failed" {
		t.Errorf("moved to tomorrow: %v", err)
	}
	must2(h.ChangeReservation(context.Background(), tester, hotel.Once{}, r.ID, hotel.ReservationChange{CheckOut: &out}))(t)
}

package ledger

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// What a channel says of the money is taken over, and kept when a later message leaves
// it out; without a word the plan says what guarantee there is.
func TestPaymentOfAChannelsBooking(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	room := hotel.ChannelRoom{
		Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 1, CheckOut: h.today + 2}, Adults: 2,
		Amounts: []hotel.Money{{Minor: 8000, Currency: "EUR"}},
	}
	said := oneRoom(h, "1", "booked", room)
	said.Ref = "B"
	is := func(when string, r hotel.Reservation, want hotel.ChannelPayment) {
		t.Helper()
		got := hotel.ChannelPayment{Collect: r.Source.Collect, Basis: hotel.GuestPrice, Guarantee: r.Guarantee, Card: r.Card, Access: r.CardAccess}
		if r.NetOfCommission {
			got.Basis = hotel.NetOfCommission
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", when, diff)
		}
	}
	tell := func(key, event string, p hotel.ChannelPayment) hotel.Reservation {
		t.Helper()
		said.Key, said.Revision, said.Event, said.Booking.Payment = key, key, event, p
		return must(h.Receive(context.Background(), said))(t).Reservations[0]
	}
	is("without a word", tell("1", "booked", hotel.ChannelPayment{}), hotel.ChannelPayment{Basis: hotel.GuestPrice, Guarantee: h.flex.Guarantee})
	whole := hotel.ChannelPayment{
		Collect: hotel.ChannelCollects, Basis: hotel.NetOfCommission, Guarantee: "prepaid",
		Card:   &hotel.Card{Brand: "visa", Last4: "1111", Virtual: true, Balance: &hotel.Money{Minor: 7000, Currency: "EUR"}, ChargeAt: new(h.today + 1)},
		Access: &hotel.CardAccess{Kind: hotel.CardInExtranet, URL: "https://channel.example/b", Until: h.clock.Now().UTC()},
	}
	is("all of it", tell("2", "modified", whole), whole)
	is("left out", tell("3", "modified", hotel.ChannelPayment{}), whole)
	said.Booking.Rooms[0].Rate = "unknown"
	is("for a rate that is not mapped", tell("4", "modified", hotel.ChannelPayment{}), whole)
	said.Booking.Rooms[0].Rate = "F"
	is("and back", tell("5", "modified", hotel.ChannelPayment{}), whole)
	part := whole
	part.Basis, part.Guarantee = hotel.GuestPrice, "none"
	is("in part", tell("6", "modified", hotel.ChannelPayment{Basis: hotel.GuestPrice, Guarantee: "none"}), part)
	h.checkSold(t)
}

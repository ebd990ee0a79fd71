package ledger

import (
	"context"
	"testing"

	"ostler.example/hotel"
)

// booksAs books the guest's stay directly, so many days from today.
func (h *house) booksAs(t tb, g hotel.Guest, in hotel.Date) hotel.Reservation {
	t.Helper()
	return must2(h.CreateReservation(context.Background(), tester, hotel.Once{}, hotel.NewReservation{
		PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: h.today + in, CheckOut: h.today + in + 1}, Adults: 2, Guest: g,
	}))(t)
}

func TestBookingsFindTheirGuest(t *testing.T) {
	h := newHouse(t)
	ann := hotel.Guest{FirstName: "Ann", LastName: "Lee", Email: "ann@example.com"}
	first := h.booksAs(t, ann, 5)
	second := h.booksAs(t, hotel.Guest{FirstName: "A.", LastName: "LEE", Email: "Ann@Example.com", Phone: "+4930111"}, 7)
	p := must(h.Guest(context.Background(), first.GuestID))(t)
	if second.GuestID != first.GuestID || p.FirstName != "Ann" || p.Phone != "+4930111" || p.Revision != 2 || second.Guest != p.Guest {
		t.Errorf("the second booking adds what nobody knew: %+v, %+v", p, second.Guest)
	}
	third := h.booksAs(t, hotel.Guest{LastName: "Lee", Email: "ann@example.com", Phone: "+4930222"}, 9)
	if third.GuestID == first.GuestID || len(third.SuggestedGuests) != 1 || third.SuggestedGuests[0] != first.GuestID {
		t.Errorf("another number: %s, may be %v", third.GuestID, third.SuggestedGuests)
	}
	if got := must(h.BookedByGuest(context.Background(), first.GuestID))(t); len(got) != 2 || got[0].ID != second.ID {
		t.Errorf("booked %v", got)
	}
	for name, f := range map[string]func(n *hotel.NewReservation){
		"a guest that there is not":         func(n *hotel.NewReservation) { n.GuestID = "none" },
		"a companion that there is not":     func(n *hotel.NewReservation) { n.Companions = []string{"none"} },
		"a date of birth in the future":     func(n *hotel.NewReservation) { n.Guest.BirthDate = "2999-01-01" },
		"a country that there is not":       func(n *hotel.NewReservation) { n.Guest.Nationality = "ZZ" },
		"an address longer than any letter": func(n *hotel.NewReservation) { n.Guest.Address.PostalCode = "123456789012345678901" },
	} {
		n := hotel.NewReservation{PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: first.Stay, Adults: 2, Guest: ann}
		f(&n)
		if _, _, err := h.CreateReservation(context.Background(), tester, hotel.Once{}, n); refusedAs(err) != "validation_failed" {
			t.Errorf("%s: %v", name, err)
		}
	}
	h.sound(t)
}

// What a channel says of a guest counts where nobody else knows better.
func TestChannelsSpeakOfGuests(t *testing.T) {
	told := func(t *testing.T, first hotel.Guest) (*house, Receipt, hotel.Reservation) {
		t.Helper()
		h := newHouse(t)
		h.newFarSide(t, 5)
		said := oneRoom(h, "1", "booked", hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 2, CheckOut: h.today + 3}, Adults: 2})
		said.Booking.Guest = &first
		return h, said, must(h.Receive(context.Background(), said))(t).Reservations[0]
	}
	ann := hotel.Guest{FirstName: "Ann", LastName: "Lee", Email: "ann@example.com", Phone: "+4930111"}
	t.Run("it corrects what it has said", func(t *testing.T) {
		h, said, r := told(t, ann)
		said.Booking.Guest = &hotel.Guest{FirstName: "Anne", LastName: "Lee", Email: "ann@example.com"}
		h.says(t, said, "2", "2", "modified", nil)
		got := must(h.Reservation(context.Background(), r.ID))(t)
		if got.GuestID != r.GuestID || got.Guest != *said.Booking.Guest {
			t.Errorf("is %+v", got.Guest)
		}
	})
	t.Run("it does not correct what somebody here has written", func(t *testing.T) {
		h, said, r := told(t, ann)
		must2(h.ChangeGuest(context.Background(), tester, hotel.Once{}, r.GuestID, hotel.Change[hotel.GuestProfile]{Apply: func(p *hotel.GuestProfile) error {
			p.Phone = "+4930999"
			return nil
		}}))(t)
		said.Booking.Guest = &hotel.Guest{FirstName: "Anne", LastName: "Lee", Email: "ann@example.com", Title: "Dr"}
		h.says(t, said, "2", "2", "modified", nil)
		got := must(h.Reservation(context.Background(), r.ID))(t)
		if got.GuestID != r.GuestID || got.Guest.FirstName != "Ann" || got.Guest.Phone != "+4930999" || got.Guest.Title != "Dr" {
			t.Errorf("is %+v", got.Guest)
		}
	})
	t.Run("another guest is another person", func(t *testing.T) {
		h, said, r := told(t, ann)
		bob := h.booksAs(t, hotel.Guest{LastName: "Ray", Email: "bob@example.com"}, 9)
		said.Booking.Guest = &bob.Guest
		h.says(t, said, "2", "2", "modified", nil)
		got := must(h.Reservation(context.Background(), r.ID))(t)
		if before := must(h.Guest(context.Background(), r.GuestID))(t); got.GuestID != bob.GuestID || before.Guest != ann {
			t.Errorf("is %+v; %+v was", got.Guest, before.Guest)
		}
		h.sound(t)
	})
}

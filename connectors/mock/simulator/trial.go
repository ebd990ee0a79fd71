package simulator

import (
	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// Shown returns what guests see for a key; false: it has never been set.
func (s *Simulator) Shown(k connectors.Key) (hotel.Offer, bool) { return s.kit.Book.Shown(k) }

// Waiting counts the messages that the hotel's side has not acknowledged.
func (s *Simulator) Waiting() int { return s.kit.Book.State().Waiting }

// Garble makes the message about the next booking one that nobody can read.
func (s *Simulator) Garble() error { return s.Plant(simkit.Fault{Kind: simkit.Garble}) }

// Sell lets a guest book the first product for two adults and returns the reference.
func (s *Simulator) Sell(stay hotel.Stay) (string, error) {
	p := s.Products()[0]
	b, err := s.kit.Book.Sell(simkit.Request{Room: p.Room, Rate: p.Rate, CheckIn: stay.CheckIn, CheckOut: stay.CheckOut, Adults: 2, LastName: "Lovelace"})
	return b.Reference, err
}

// Modify changes the stay of a booking.
func (s *Simulator) Modify(ref string, stay hotel.Stay) error {
	_, err := s.kit.Book.Modify(simkit.Request{Reference: ref, CheckIn: stay.CheckIn, CheckOut: stay.CheckOut})
	return err
}

// Cancel cancels a booking.
func (s *Simulator) Cancel(ref string) error {
	_, err := s.kit.Book.Cancel(ref)
	return err
}

// Booked returns how it has a booking, by its reference.
func (s *Simulator) Booked(ref string) connectors.SimulatedBooking {
	b, _ := s.kit.Book.Booking(ref)
	return connectors.SimulatedBooking{Stay: b.Stay(), Live: b.Status == simkit.Confirmed, Confirmed: b.Agreed, NoShow: b.NoShow, Revision: b.Revision}
}

// Refuse has it refuse the next action.
func (s *Simulator) Refuse() error { return s.Plant(simkit.Fault{Kind: simkit.Reject}) }

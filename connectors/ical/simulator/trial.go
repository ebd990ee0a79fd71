package simulator

import (
	"context"
	"errors"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

var _ connectors.TriedSimulator = (*Simulator)(nil)

// Trial implements [connectors.TriedSimulator]. Whoever asks for the one unit many
// times gets it many times. Sites of which each reading gives a booking another name
// are left to tests that match stays.
func (s *Simulator) Trial() connectors.Trial {
	t := s.kit.Trial()
	t.Secrets, t.Bare, t.Places = s.Secrets(), true, true
	t.Fetch = func(ctx context.Context, url string) error { return s.fetch(ctx, url, s.rooms()[0]) } // the kit tells of no other
	t.Defaults = map[string]any{"allow_cidrs": []string{"127.0.0.0/8", "::1/128"}}                   // where the suite has it listen
	t.Waiting, t.Garble, t.Twice = nil, nil, true
	free := func(stay hotel.Stay) error {
		one := 1
		return s.kit.Book.Edit(simkit.Edit{Room: s.rooms()[0], From: stay.CheckIn, To: stay.CheckOut, Available: &one})
	}
	t.Sell = func(stay hotel.Stay) (string, error) {
		if err := free(stay); err != nil {
			return "", err
		}
		b, err := s.kit.Sell(stay)
		return s.Reference(b), err
	}
	modify, cancel := t.Modify, t.Cancel
	t.Modify = func(ref string, stay hotel.Stay) error { return errors.Join(free(stay), modify(s.booked(ref), stay)) }
	t.Cancel = func(ref string) error { return cancel(s.booked(ref)) }
	if s.o.Preset == rotates {
		t.Sell = nil
	}
	return t
}

// booked is the reference in the book of a booking that messages tell of under another.
func (s *Simulator) booked(ref string) string {
	for _, b := range s.kit.Book.Bookings() {
		if s.Reference(b) == ref {
			return b.Reference
		}
	}
	return ref
}

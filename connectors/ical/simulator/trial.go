package simulator

import (
	"context"

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
	t.Modify, t.Cancel, t.Waiting, t.Garble = nil, nil, nil, nil
	t.Sell = func(stay hotel.Stay) (string, error) {
		one := 1
		if err := s.kit.Book.Edit(simkit.Edit{Room: s.rooms()[0], From: stay.CheckIn, To: stay.CheckOut, Available: &one}); err != nil {
			return "", err
		}
		b, err := s.kit.Sell(stay)
		return s.Reference(b), err
	}
	if s.o.Preset == rotates {
		t.Sell = nil
	}
	return t
}

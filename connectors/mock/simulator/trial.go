package simulator

import (
	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
)

var _ connectors.TriedSimulator = (*Simulator)(nil)

// Trial implements [connectors.TriedSimulator].
func (s *Simulator) Trial() connectors.Trial {
	t := s.kit.Trial()
	t.Signed, t.Push, t.Settles = true, s.PushOldest, settles(s.o.Preset)
	t.Family, t.Group, t.GiveUp = s.kit.Family, s.kit.Group, s.kit.GiveUp
	t.Refuse = func() error { return s.Plant(simkit.Fault{Kind: simkit.Reject}) }
	t.Booking = func(ref string) connectors.SimulatedBooking {
		b, _ := s.kit.Book.Booking(ref)
		return connectors.SimulatedBooking{Stay: b.Stay(), Live: b.Status == simkit.Confirmed, Confirmed: b.Agreed, NoShow: b.NoShow, Revision: b.Revision}
	}
	return t
}

package simulator

import "ostler.example/connectors"

var _ connectors.TriedSimulator = (*Simulator)(nil)

// Trial implements [connectors.TriedSimulator].
func (s *Simulator) Trial() connectors.Trial {
	t := s.kit.Trial()
	t.Secrets, t.Push = []string{s.webhookSecret()}, s.CallOldest
	t.Family, t.Group, t.GiveUp = s.kit.Family, s.kit.Group, s.kit.GiveUp
	return t
}

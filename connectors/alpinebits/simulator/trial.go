package simulator

import "ostler.example/connectors"

var _ connectors.TriedSimulator = (*Simulator)(nil)

// Trial implements [connectors.TriedSimulator]. Prices are told of all categories that
// the kit asks for.
func (s *Simulator) Trial() connectors.Trial {
	t := s.kit.Trial()
	switch s.o.Preset { // any other calls nobody
	case push:
		t.Push = s.PushOldest
	case asks:
		t.Fetch = s.Fetch
	}
	t.Family, t.Group, t.GiveUp = s.kit.Family, s.kit.Group, s.kit.GiveUp
	t.Settings = map[string]any{"standard_guests": "DBL=2, DBL2=2, TWN=2, NOROOM=2"}
	return t
}

package sync

import (
	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/dispatch"
)

// Stage is how the engine derives what a channel is to show, for verification. It
// calls nobody and needs no secret: what a channel can carry depends on none.
func Stage(defaults map[string]map[string]any) ledger.Stage {
	return func(c hotel.Channel) (ledger.Reach, func(ledger.Work) []ledger.Wanted, error) {
		s, err := configure(defaults, func(string) (string, error) { return "not needed to verify", nil }, c.Connector, c.Settings)
		if err != nil {
			return ledger.Reach{}, nil, err
		}
		reach, step := dispatch.Step(c, s.Capabilities(connectors.Discovered{}))
		return reach, step, nil
	}
}

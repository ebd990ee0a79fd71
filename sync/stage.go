package sync

import (
	"context"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/dispatch"
)

// Stage is how the engine derives what a channel is to show, for verification. It
// calls nobody and needs hardly a secret: what a channel can carry depends on none, but for
// calendars, whose addresses are in one setting with the codes of the rooms. Seal opens
// what it can; nil, or another installation's, opens nothing.
func Stage(defaults map[string]map[string]any, seal connectors.Sealer) ledger.Stage {
	return func(c hotel.Channel) (ledger.Reach, func(ledger.Work) []ledger.Wanted, error) {
		d, err := describe(context.Background(), nil, func() (*connectors.Settings, error) {
			return configure(defaults, func(string) (string, error) { return notNeeded, nil }, stageSeal{seal}, c.Connector, c.Settings)
		}, nil)
		if err != nil {
			return ledger.Reach{}, nil, err
		}
		reach, step := dispatch.Step(c, d.caps)
		return reach, step, nil
	}
}

// notNeeded stands for secrets that are not there.
const notNeeded = "not needed to verify"

// stageSeal opens what its key does not.
type stageSeal struct{ connectors.Sealer }

// Open implements [connectors.Sealer].
func (s stageSeal) Open(sealed []byte, of string) ([]byte, error) {
	if s.Sealer != nil {
		if text, err := s.Sealer.Open(sealed, of); err == nil {
			return text, nil
		}
	}
	return []byte(notNeeded), nil
}

package channex

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"ostler.example/connectors"
	"ostler.example/connectors/connectortest"
	"ostler.example/hotel"
)

// planted is a channel with a fault in how it is asked for all rooms.
type planted struct {
	hinted
	whole func(next hinted, ctx context.Context, from, to hotel.Date) ([]connectors.Change, error)
}

// ReadWhole implements [connectors.WholeReader].
func (p planted) ReadWhole(ctx context.Context, from, to hotel.Date) ([]connectors.Change, error) {
	return p.whole(p.hinted, ctx, from, to)
}

// Each case about what all rooms show finds the fault that is meant for it, and no other
// case does.
func TestPlantedFaults(t *testing.T) {
	type whole = func(next hinted, ctx context.Context, from, to hotel.Date) ([]connectors.Change, error)
	missing := map[string]bool{}
	for _, c := range connectortest.Cases() {
		missing[c] = strings.HasPrefix(c, "ReadWhole") || strings.HasPrefix(c, "WholeRead")
	}
	for driver, c := range map[string]struct {
		finds string
		fault whole
	}{
		"channex_hasty": {"WholeReadMatchesSend", func(next hinted, ctx context.Context, from, to hotel.Date) ([]connectors.Change, error) {
			return next.ReadWhole(ctx, from, to-1)
		}},
		"channex_stubborn": {"ReadWholeHonoursCancel", func(next hinted, ctx context.Context, from, to hotel.Date) ([]connectors.Change, error) {
			return next.ReadWhole(context.WithoutCancel(ctx), from, to)
		}},
		"channex_hopeful": {"ReadWholeFailsWithItsWire", func(next hinted, ctx context.Context, from, to hotel.Date) ([]connectors.Change, error) {
			changes, err := next.ReadWhole(ctx, from, to)
			if e := connectors.AsError(err); err != nil && e.Kind == connectors.Denied {
				e.Kind = connectors.Temporary
			}
			return changes, err
		}},
		"channex_homeless": {"ReadWholeFailsWithItsHouse", func(next hinted, ctx context.Context, from, to hotel.Date) ([]connectors.Change, error) {
			if _, err := next.sold(ctx); err != nil {
				return nil, nil
			}
			return next.ReadWhole(ctx, from, to)
		}},
		"channex_careless": {"ReadWholeFailsWithItsWire", func(next hinted, ctx context.Context, from, to hotel.Date) ([]connectors.Change, error) {
			changes, err := next.ReadWhole(ctx, from, to)
			if err != nil && strings.Contains(err.Error(), "the answer cannot be read") {
				return nil, nil
			}
			return changes, err
		}},
	} {
		delete(missing, c.finds)
		connectors.Register(connectors.Driver[Config]{
			Name: driver, Summary: "a faulty connector", Capabilities: capabilities, Account: account, Place: account, Defaults: defaults, Example: example,
			Open: func(ctx context.Context, cfg Config, env connectors.Env) (connectors.Connector, error) {
				made, err := open(ctx, cfg, env)
				return planted{made.(hinted), c.fault}, err
			},
		})
		t.Run(driver, func(t *testing.T) {
			hasty := harness(driver, "both") // as on a machine that is busy none of the others can be
			start := hasty.Start
			hasty.Start = func(t connectortest.T) connectortest.FarSide {
				far := start(t)
				far.Settings = bytes.Replace(far.Settings, []byte("{"), []byte(`{"timeout":"200ms",`), 1)
				return far
			}
			hasty.Only = []string{c.finds}
			rest := harness(driver, "both")
			rest.Only = slices.DeleteFunc(connectortest.Cases(), func(name string) bool { return name == c.finds })
			var results []connectortest.Result
			for _, h := range []connectortest.Harness{hasty, rest} {
				some, err := connectortest.Results(t.Context(), h)
				if err != nil {
					t.Fatal(err)
				}
				results = append(results, some...)
			}
			for _, r := range results {
				if (r.Case == c.finds) != (len(r.Failures) > 0) {
					t.Errorf("%s: %v", r.Case, r.Failures)
				}
			}
		})
	}
	for c, whole := range missing {
		if whole {
			t.Errorf("no fault shows that %s can fail", c)
		}
	}
}

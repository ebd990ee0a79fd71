package mock

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/connectortest"
	"ostler.example/hotel"
)

// TestTheSuiteHasAHouse: a connector that asks the house is answered in the suite, of what the
// far side knows.
func TestTheSuiteHasAHouse(t *testing.T) {
	var heard []string
	note := func(said string, err error) {
		if err != nil {
			said += ", " + err.Error()
		}
		heard = append(heard, said)
	}
	f := fault{preset: Pull, driver: func(d *connectors.Driver[Config]) {
		next := d.Open
		d.Open = func(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
			sold, err := env.Rooms(ctx)
			for _, room := range sold {
				note(fmt.Sprint(room.Room, room.Rates, " ", room.Type.Name), err)
			}
			property, err := env.Property(ctx)
			note(fmt.Sprint(property.Currency, " in ", property.TimeZone), err)
			shut, err := env.Shut(ctx)
			note(fmt.Sprint("closed on ", shut), err)
			taken, err := env.Taken(ctx, hotel.Span{From: 1, To: 30})
			note(fmt.Sprint("taken ", taken), err)
			name, err := env.Installation(ctx)
			note(strconv.FormatBool(name != ""), err)
			return next(ctx, c, env)
		}
	}}
	driver := "mock_asking_" + strconv.FormatInt(serial.Add(1), 10)
	f.register(driver)
	if _, err := connectortest.Capabilities(t.Context(), f.harness(driver)); err != nil {
		t.Fatal(err)
	}
	want := []string{"DBL[BAR] Double", "TWN[TWIN_BAR] Twin", "EUR in UTC", "closed on []", "taken map[DBL:map[] TWN:map[]]", "true"}
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Errorf("of the house is heard (-want +got):\n%s", diff)
	}
}

// called is a channel that calls us with its bookings and may be asked for some too, which
// then has none.
type called struct{ pushed }

// Poll implements [connectors.Poller].
func (called) Poll(_ context.Context, cursor string, _ connectors.Sink) (string, error) {
	return cursor, nil
}

// TestAChannelThatCallsAndIsAsked is tried by what it calls with.
func TestAChannelThatCallsAndIsAsked(t *testing.T) {
	f := fault{driver: func(d *connectors.Driver[Config]) {
		promising(func(caps *connectors.Capabilities) { caps.Polls = true })(d)
		d.Open = func(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
			opened, err := open(ctx, c, env)
			return called{opened.(pushed)}, err
		}
	}}
	driver := "mock_called_" + strconv.FormatInt(serial.Add(1), 10)
	f.register(driver)
	h := f.harness(driver)
	h.Only = []string{"LateMessagesStayThemselves", "RevisionsAreOrdered"}
	results, err := connectortest.Results(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Skipped != "" || len(r.Failures) > 0 {
			t.Errorf("%s: %s %q", r.Case, r.Skipped, r.Failures)
		}
	}
}

// TestAFieldThatNothingTells: a case says what is missing, and those that tell values say once
// that they cannot.
func TestAFieldThatNothingTells(t *testing.T) {
	f := fault{preset: Pull, driver: promising(func(caps *connectors.Capabilities) {
		caps.Operations = slices.Clone(caps.Operations)
		for i := range caps.Operations {
			o := &caps.Operations[i]
			o.Groups = slices.DeleteFunc(slices.Clone(o.Groups), func(g hotel.Group) bool { return g == hotel.Lengths })
		}
	})}
	f.planted.encode = func(_ *conn, changes []connectors.Change) (calls []connectors.Call, refused []connectors.Refusal) {
		for _, c := range changes {
			refused = append(refused, connectors.Refusal{Change: c, Reason: "there is no operation that tells it"})
		}
		return nil, refused
	}
	driver := "mock_untold_" + strconv.FormatInt(serial.Add(1), 10)
	f.register(driver)
	results, err := connectortest.Results(t.Context(), f.harness(driver))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		switch r.Case {
		case "CapabilitiesMatchInterfaces":
			if !slices.Contains(r.Failures, "Fields has min_stay_arrival, and none of Operations tells lengths") {
				t.Errorf("it says %q", r.Failures)
			}
		case "RandomWalk", "SendShows":
			if len(r.Failures) != 1 {
				t.Errorf("%s says %d times what is wrong: %q", r.Case, len(r.Failures), r.Failures)
			}
		}
	}
}

// TestOneCase is tried alone, and where it fails what the connector logged stands with it.
func TestOneCase(t *testing.T) {
	f := fault{preset: Pull, driver: func(d *connectors.Driver[Config]) {
		next := d.Open
		d.Open = func(ctx context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
			env.Log.Info("opened", zap.String("secret", c.Secret))
			return next(ctx, c, env)
		}
	}}
	driver := "mock_talking_" + strconv.FormatInt(serial.Add(1), 10)
	f.register(driver)
	h := f.harness(driver)
	h.Only = []string{"NoSecretsInLogs", "SendShows"}
	results, err := connectortest.Results(t.Context(), h)
	if err != nil || len(results) != 2 {
		t.Fatalf("%d cases are tried: %v", len(results), err)
	}
	if r := results[0]; r.Case != "SendShows" || len(r.Failures)+len(r.Log) > 0 {
		t.Errorf("one that passes is %+v", r)
	}
	if r := results[1]; r.Case != "NoSecretsInLogs" || len(r.Failures) == 0 || !slices.Contains(r.Log, "opened, secret: "+connectortest.SimulatedSecret) {
		t.Errorf("one that fails is %+v", r)
	}
	h.Only = []string{"SendsShow"}
	if _, err := connectortest.Results(t.Context(), h); err == nil {
		t.Error("a case that does not exist is tried")
	}
}

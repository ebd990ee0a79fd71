package channex

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/channex/simulator"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

// looked is what a handshake with a far side comes to.
func looked(t *testing.T, far http.Handler, key string, sold ...connectors.SoldRoom) (connectors.Discovered, error) {
	t.Helper()
	server := httptest.NewServer(far)
	defer server.Close()
	config := sound()
	config.URL, config.APIKey = server.URL+"/api/v1", key
	return discover(t.Context(), config, connectors.Env{
		Client: transport.New(transport.Options{}), Clock: hotel.SystemClock{}, Log: zap.NewNop(),
		Rooms: func(context.Context) ([]connectors.SoldRoom, error) { return sold, nil },
	})
}

// TestAPropertyThatIsNotThere: the failure says which ones are, so that nobody has to guess
// whether the key or the id is wrong.
func TestAPropertyThatIsNotThere(t *testing.T) {
	pretend, err := simulator.Open(connectors.SimulatorOptions{Hotel: "P9", Secret: testSecret, Products: twoByTwo, Clock: hotel.SystemClock{}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pretend.Close() }()
	_, err = looked(t, pretend, testSecret)
	if k := connectors.AsError(err).Kind; k != connectors.Unmapped || !strings.Contains(err.Error(), `the channel's property is "P1"; properties that this key sees: `) || !strings.Contains(err.Error(), "(P9)") {
		t.Errorf("%s: %v", k, err)
	}
	for name, c := range map[string]struct {
		list string // ""; it fails
		want string
	}{
		"a key of no property":      {`{"data":[]}`, "this key sees no property"},
		"a list that fails":         {"", "Resource not found"},
		"more than fit a sentence":  {`{"data":[` + strings.TrimSuffix(strings.Repeat(`{"id":"x","attributes":{"title":"Seaview"}},`, 9), ",") + `]}`, `"Seaview" (x), 4 more`},
		"titles that say too much":  {`{"data":[{"id":"x","attributes":{"title":"` + strings.Repeat("y", 500) + `"}}]}`, strings.Repeat("y", 60) + `" (x)`},
		"a key that is in the name": {`{"data":[{"id":"x","attributes":{"title":"` + testSecret + `"}}]}`, `"***" (x)`},
	} {
		_, err := looked(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api/v1/properties" && c.list != "" {
				_, _ = io.WriteString(w, c.list)
				return
			}
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"errors":{"code":"resource_not_found","title":"Resource not found"}}`)
		}), testSecret)
		if connectors.AsError(err).Kind != connectors.Unmapped || !strings.Contains(fmt.Sprint(err), c.want) || strings.Contains(fmt.Sprint(err), testSecret) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// TestAMappingToWhatIsNotThere is told before anything is refused, with what there is.
func TestAMappingToWhatIsNotThere(t *testing.T) {
	pretend, err := simulator.Open(connectors.SimulatorOptions{Hotel: "P1", Secret: testSecret, Products: twoByTwo, Clock: hotel.SystemClock{}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pretend.Close() }()
	lacking := func(sold ...connectors.SoldRoom) []string {
		found, err := looked(t, pretend, testSecret, sold...)
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(found.Doubts, func(d string) bool { return !strings.HasPrefix(d, "the channel is mapped to") })
	}
	if got := lacking(connectors.SoldRoom{Room: "T", Rates: []string{"T-BAR"}}); len(got) > 0 {
		t.Errorf("of what is there: %q", got)
	}
	got := lacking(connectors.SoldRoom{Room: "T", Rates: []string{"T-BAR", "OLD"}}, connectors.SoldRoom{Room: "X", Rates: []string{"OLD"}})
	if len(got) != 2 || !strings.Contains(got[0], "room types that the property there does not have: X; it has ") || !strings.Contains(got[0], "(T)") ||
		!strings.Contains(got[1], "rate plans that the property there does not have: OLD; it has ") || !strings.Contains(got[1], "(T-BAR)") {
		t.Errorf("%q", got)
	}
	failing := errors.New("the ledger is busy")
	c := &conn{sold: func(context.Context) ([]connectors.SoldRoom, error) { return nil, failing }}
	if _, err := c.missing(t.Context(), nil); !errors.Is(err, failing) {
		t.Errorf("a house of which nobody can tell what it sells: %v", err)
	}
}

package connectortest

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"

	"github.com/BurntSushi/toml"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

var settingsCases = []testCase{
	{name: "ExampleDecodes", run: exampleDecodes},
	{name: "CapabilitiesMatchInterfaces", run: capabilitiesMatchInterfaces},
}

// commented is a default in an example: a key behind a comment sign.
var commented = regexp.MustCompile(`(?m)^# ?([a-z][a-z0-9_]* = )`)

// exampleDecodes: the example, its defaults uncommented, is a part of a configuration
// file that the driver takes, and every key is in it. What is shown of settings may be
// sent back.
func exampleDecodes(t T, s *session) {
	text := commented.ReplaceAllString(s.driver.Example(), "$1")
	var given, all map[string]any
	if _, err := toml.Decode(text, &given); err != nil {
		t.Fatalf("the example is not TOML: %v", err)
	}
	settings, err := s.driver.Configure(given, nil) // the configuration file may say all of it
	if err != nil {
		t.Fatalf("the example is refused: %v", err)
	}
	if err := json.Unmarshal(settings.JSON(), &all); err != nil {
		t.Fatalf("the settings are not JSON: %v", err)
	}
	for key := range all {
		if _, shown := given[key]; !shown {
			t.Errorf("the example does not show %s", key)
		}
	}
	var shown, whole map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(s.settings.Redacted(), &shown), json.Unmarshal(s.settings.JSON(), &whole)); err != nil {
		t.Fatalf("the settings are not JSON: %v", err)
	}
	for key, value := range shown { // what is masked is kept
		if bytes.Contains(value, []byte(`"***"`)) {
			shown[key] = whole[key]
		}
	}
	again, err := json.Marshal(shown)
	if err != nil {
		t.Fatalf("the settings are not JSON: %v", err)
	}
	if _, err := s.driver.Configure(s.far.Defaults, again); err != nil {
		t.Errorf("settings are refused as they are shown: %v", err)
	}
}

// capabilitiesMatchInterfaces: what the connector implements is what the
// channel declares, and what has no default is said.
func capabilitiesMatchInterfaces(t T, s *session) {
	_, reader := s.conn.(connectors.Reader)
	_, whole := s.conn.(connectors.WholeReader)
	_, lister := s.conn.(connectors.Lister)
	_, poller := s.conn.(connectors.Poller)
	_, receiver := s.conn.(connectors.Receiver)
	_, publisher := s.conn.(connectors.Publisher)
	_, host := s.conn.(connectors.Host)
	_, catalog := s.conn.(connectors.Catalog)
	_, rereader := s.conn.(connectors.Rereader)
	_, actor := s.conn.(connectors.Actor)
	for _, c := range []struct {
		name             string
		declared, really bool
	}{
		{"Reads", s.caps.Reads, reader},
		{"ReadsWhole", s.caps.ReadsWhole, whole},
		{"Lists", s.caps.Lists, lister},
		{"Polls", s.caps.Polls, poller},
		{"Receives", s.caps.Receives, receiver},
		{"Publishes", s.caps.Publishes, publisher},
		{"Serves", s.caps.Serves, host},
		{"HasCatalog", s.caps.HasCatalog, catalog},
		{"Rereads", s.caps.Rereads, rereader},
		{"Actions", len(s.caps.Actions) > 0, actor},
	} {
		if c.declared != c.really && (c.declared || !s.harness.StandIn) {
			t.Errorf("%s is declared %t, and the connector's methods say %t", c.name, c.declared, c.really)
		}
	}
	if s.caps.StockPer == 0 || s.caps.Sellers == 0 || s.caps.Acknowledges == 0 {
		t.Errorf("StockPer, Sellers and Acknowledges must be declared")
	}
	if s.caps.Hints && (!receiver || !poller) {
		t.Errorf("Hints promises calls that say when to fetch, and nothing receives them or nothing is fetched")
	}
	if s.caps.ListsByDate && !lister {
		t.Errorf("ListsByDate promises a complete list, and there is none")
	}
	if s.caps.Publishes != (s.caps.TheirPollInterval > 0) || s.caps.Publishes && s.caps.Receives {
		t.Errorf("Publishes goes with TheirPollInterval, and not with Receives")
	}
	if s.caps.Serves && (s.caps.Publishes || s.caps.Receives) {
		t.Errorf("Serves goes with neither Receives nor Publishes")
	}
	for _, f := range slices.Sorted(maps.Keys(s.caps.Fields)) {
		told := slices.ContainsFunc(s.caps.Operations, func(o connectors.Operation) bool { return o.Tells(f.Group()) })
		if s.caps.Fields[f].As == hotel.Exact && !told {
			t.Errorf("Fields has %s, and none of Operations tells %s", f, f.Group())
		}
	}
	for _, b := range s.caps.Buckets {
		if b.N < 1 || b.Per <= 0 || b.Scope == 0 {
			t.Errorf("the bucket of %q lets nothing through or does not say whose it is", b.Operation)
		}
	}
}

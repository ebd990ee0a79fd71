package connectors_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

type settings struct {
	Address string              `json:"address"`
	Token   string              `json:"token" secret:"true"`
	Wait    connectors.Duration `json:"wait"`
	Pages   int                 `json:"pages"`
	Rates   []string            `json:"rates"`
	Login   struct {
		User     string `json:"user"`
		Password string `json:"password" secret:"true"`
	} `json:"login"`
}

func (s settings) Validate() error {
	var mistakes []error
	if s.Address == "" {
		mistakes = append(mistakes, errors.New("address: say where"))
	}
	if s.Pages < 0 {
		mistakes = append(mistakes, errors.New("pages: expected a number from 0"))
	}
	return errors.Join(mistakes...)
}

var serial atomic.Int64

// fresh makes a name that no earlier round of the tests has taken.
func fresh(name string) string { return fmt.Sprintf("%s_%d", name, serial.Add(1)) }

// sound is a complete driver of that name.
func sound(name string) connectors.Driver[settings] {
	return connectors.Driver[settings]{
		Name: name, Summary: "a driver for tests",
		Capabilities: func(s settings, found connectors.Discovered) connectors.Capabilities {
			return connectors.Capabilities{
				Terms: hotel.Terms{StockPer: hotel.PerRoom, Sellers: hotel.One, Acknowledges: hotel.BySeller, HorizonDays: s.Pages},
				Reads: found.Version != "",
			}
		},
		Account:  func(s settings) string { return s.Address },
		Place:    func(s settings) string { return s.Address },
		Defaults: settings{Wait: connectors.Duration(time.Second), Rates: []string{"a"}},
		Example:  "# address = \"x\"",
		Open: func(context.Context, settings, connectors.Env) (connectors.Connector, error) {
			return nil, errors.New("opened")
		},
	}
}

func TestRegisterRefuses(t *testing.T) {
	taken, refused := fresh("taken"), fresh("refused")
	connectors.Register(sound(taken))
	for _, c := range []struct {
		name  string
		spoil func(d *connectors.Driver[settings])
		want  string
	}{
		{"a bad name", func(d *connectors.Driver[settings]) { d.Name = "No Good" }, "lower-case"},
		{"a name that is taken", func(d *connectors.Driver[settings]) { d.Name = taken }, "twice"},
		{"no summary", func(d *connectors.Driver[settings]) { d.Summary = "" }, "Summary"},
		{"no example", func(d *connectors.Driver[settings]) { d.Example = "" }, "Example"},
		{"no account", func(d *connectors.Driver[settings]) { d.Account = nil }, "Account"},
		{"no Open", func(d *connectors.Driver[settings]) { d.Open = nil }, "Open"},
		{"no capabilities", func(d *connectors.Driver[settings]) {
			d.Capabilities = func(settings, connectors.Discovered) connectors.Capabilities {
				return connectors.Capabilities{Terms: hotel.Terms{StockPer: hotel.PerRoom, Sellers: hotel.One}}
			}
		}, "Acknowledges"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sound(refused)
			c.spoil(&d)
			defer func() {
				if words, _ := recover().(string); !strings.Contains(words, c.want) {
					t.Errorf("the panic says %q, want %q in it", words, c.want)
				}
				if _, there := connectors.Lookup(refused); there {
					t.Errorf("it is registered all the same")
				}
			}()
			connectors.Register(d)
		})
	}
}

func TestConfigureLayers(t *testing.T) {
	name := fresh("layered")
	connectors.Register(sound(name))
	d, ok := connectors.Lookup(name)
	if !ok || !slices.Contains(connectors.Names(), name) {
		t.Fatal("the driver is not found")
	}
	operator := map[string]any{"pages": int64(7), "wait": "3s", "login": map[string]any{"user": "op", "password": "one"}}
	s, err := d.Configure(operator, json.RawMessage(`{"address":"a","pages":9,"token":"two","rates":["b","c"],"login":{"user":"ch"}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"address":"a","token":"two","wait":"3s","pages":9,"rates":["b","c"],"login":{"user":"ch","password":"one"}}`
	if diff := cmp.Diff(want, string(s.JSON())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	shown := `{"address":"a","login":{"password":"***","user":"ch"},"pages":9,"rates":["b","c"],"token":"***","wait":"3s"}`
	if diff := cmp.Diff(shown, string(s.Redacted())); diff != "" {
		t.Errorf("redacted: -want +got:\n%s", diff)
	}
	if got := string(s.Conceal([]byte(`{"key":"two","auth":"dHdv","one":1}`))); got != `{"key":"***","auth":"***","***":1}` {
		t.Errorf("concealed: %s", got)
	}
	if s.Account() != "a" || s.Driver() != d {
		t.Errorf("the settings belong to account %q", s.Account())
	}
	if c := s.Capabilities(connectors.Discovered{Version: "2"}); !c.Reads || c.HorizonDays != 9 {
		t.Errorf("the capabilities are not those of the settings: %+v", c)
	}
	if found, err := s.Discover(t.Context(), connectors.Env{}); err != nil || found.Version != "" {
		t.Errorf("no handshake finds %v, %v", found, err)
	}
	// What a channel keeps is taken again as it is.
	if again, err := d.Configure(nil, s.JSON()); err != nil || string(again.JSON()) != string(s.JSON()) {
		t.Errorf("the stored settings are not taken again: %v", err)
	}
	// No channel shares anything with the defaults.
	plain, err := d.Configure(nil, json.RawMessage(`{"address":"b"}`))
	if err != nil || !strings.Contains(string(plain.JSON()), `"rates":["a"]`) {
		t.Errorf("the defaults are %s, %v", plain.JSON(), err)
	}
}

func TestConfigureNamesEveryMistake(t *testing.T) {
	name := fresh("strict")
	connectors.Register(sound(name))
	d, _ := connectors.Lookup(name)
	for _, c := range []struct {
		name     string
		operator map[string]any
		channel  string
		want     string
	}{
		{"no object", nil, `[]`, "settings: expected an object"},
		{"not JSON", nil, `{`, "settings: expected an object"},
		{
			"both layers, each key by its path",
			map[string]any{"colour": "red", "pages": "many"},
			`{"Address":"x","wait":"soon","token":null,"rates":[1],"login":{"pin":1,"user":true},"pages":1.5}`,
			"connectors." + name + ".colour: no such setting\n" +
				"connectors." + name + ".pages: expected a whole number\n" +
				"settings.Address: no such setting\n" +
				"settings.login.pin: no such setting\n" +
				"settings.login.user: expected text\n" +
				"settings.pages: expected a whole number\n" +
				"settings.rates: expected a list of text\n" +
				"settings.token: must not be null; leave it out\n" +
				"settings.wait: expected a duration such as 10s",
		},
		{"what the driver refuses", nil, `{"pages":-1}`, "address: say where\npages: expected a number from 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := d.Configure(c.operator, json.RawMessage(c.channel))
			if err == nil {
				t.Fatal("it is taken")
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if err := d.CheckDefaults(map[string]any{"pages": 3}); err != nil {
		t.Errorf("defaults without an address are refused: %v", err)
	}
	if err := d.CheckDefaults(map[string]any{"colour": 3}); err == nil {
		t.Errorf("an unknown default is taken")
	}
}

func TestRegisterSimulator(t *testing.T) {
	s := connectors.Simulator{
		Name: fresh("played"), Presets: []string{"only"},
		New: func(connectors.SimulatorOptions) (connectors.SimulatorInstance, error) { return nil, nil },
	}
	connectors.RegisterSimulator(s)
	if got, ok := connectors.LookupSimulator(s.Name); !ok || got.Presets[0] != "only" || !slices.Contains(connectors.SimulatorNames(), s.Name) {
		t.Errorf("the simulator is not found")
	}
	defer func() {
		if recover() == nil {
			t.Errorf("a second one of that name is taken")
		}
	}()
	connectors.RegisterSimulator(s)
}

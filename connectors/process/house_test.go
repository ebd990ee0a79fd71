package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire/wiretest"
	"ostler.example/hotel"
)

// furnished is an environment in which the house tells all there is.
func furnished(rooms []connectors.SoldRoom) connectors.Env {
	return connectors.Env{
		ChannelID: "ch_1", Log: zap.NewNop(), Clock: hotel.SystemClock{},
		Rooms:        func(context.Context) ([]connectors.SoldRoom, error) { return rooms, nil },
		Property:     func(context.Context) (hotel.Property, error) { return seahorse, nil },
		Shut:         func(context.Context) ([]hotel.Span, error) { return []hotel.Span{{From: 10, To: 12}}, nil },
		Installation: func(context.Context) (string, error) { return "0a1b2c", nil },
		Taken: func(_ context.Context, nights hotel.Span) (map[string]map[hotel.Date]int, error) {
			return map[string]map[hotel.Date]int{"SGL": {}, "DBL": {nights.From: 2, nights.From + 1: 2, nights.From + 2: 0, nights.To: 1}}, nil
		},
	}
}

// seahorse has notices, which are nobody's affair outside.
var seahorse = hotel.Property{
	Name: "Seahorse", TimeZone: "Europe/Rome", Currency: "EUR", Country: "IT", CheckIn: "15:00", CheckOut: "10:00", DayRoll: "03:00", HorizonDays: 500,
	Taxes:         []hotel.Tax{{Code: "city", Kind: hotel.PerPersonTax, Value: "2.00"}},
	Notifications: &hotel.Notifications{}, Metadata: map[string]string{"note": "for us"},
}

// asksWith are the products of a program that asks the house in an environment.
func asksWith(t *testing.T, env connectors.Env, command ...string) ([]connectors.RemoteProduct, error) {
	t.Helper()
	c := configOf(command[len(command)-1])
	if command[len(command)-1] == "asker" {
		c.Secrets = nil
	}
	c.Programs["tried"] = Program{Command: command, Silence: c.Programs["tried"].Silence, MemoryMiB: 256}
	opened, err := open(t.Context(), c, env)
	if err != nil {
		t.Fatal(err)
	}
	products, err := opened.(*conn).Products(t.Context())
	return products, errors.Join(err, opened.Close())
}

// What the house tells a connector of this program, it tells one that is a program of its
// own, in frames of the schema: in a call, while it is opened, and nothing where nobody
// can tell.
func TestTheHouseIsAsked(t *testing.T) {
	t.Parallel()
	sold := []connectors.SoldRoom{{Room: "DBL", Rates: []string{"BAR", "NRF"}, Type: hotel.RoomType{
		PropertyID: "prop_1", Code: "double", Name: "Double", BaseOccupancy: 2, MaxAdults: 2, MaxChildren: 1, MaxInfants: new(0), MaxOccupancy: 3, Amenities: []string{"33"},
	}}, {Room: "SGL"}}
	outside := seahorse
	outside.Notifications, outside.Metadata = nil, nil
	told := make([]connectors.SoldRoom, len(sold))
	copy(told, sold)
	told[0].Type.PropertyID, told[1].Rates = "", []string{}
	text := func(v any) string {
		written, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(written)
	}
	file := filepath.Join(t.TempDir(), "frames")
	for name, c := range map[string]struct {
		env  connectors.Env
		want []connectors.RemoteProduct
	}{
		"all that there is": {furnished(sold), []connectors.RemoteProduct{
			{Room: "installation", RoomName: "0a1b2c"},
			{Room: "rooms", RoomName: text(told)},
			{Room: "property", RoomName: text(outside)},
			{Room: "closed", RoomName: `[{"from":"1970-01-11","to":"1970-01-13"}]`},
			{Room: "taken", RoomName: `{"DBL":{"1970-01-11":2,"1970-01-12":2,"1970-01-15":1}}`},
		}},
		"nothing on sale": {furnished(nil), []connectors.RemoteProduct{
			{Room: "installation", RoomName: "0a1b2c"},
			{Room: "rooms", RoomName: "null"},
			{Room: "property", RoomName: text(outside)},
			{Room: "closed", RoomName: `[{"from":"1970-01-11","to":"1970-01-13"}]`},
			{Room: "taken", RoomName: `{"DBL":{"1970-01-11":2,"1970-01-12":2,"1970-01-15":1}}`},
		}},
		"nobody can tell": {connectors.Env{Log: zap.NewNop(), Clock: hotel.SystemClock{}}, []connectors.RemoteProduct{{Room: "installation"}}},
	} {
		products, err := asksWith(t, c.env, built, "tee", file, built, "asker")
		if diff := cmp.Diff(c.want, products); diff != "" || err != nil {
			t.Errorf("%s: %v, -want +told:\n%s", name, err, diff)
		}
	}
	if n := wiretest.Frames(t, schemaFile, file); n < 20 {
		t.Errorf("only %d frames were looked at", n)
	}
}

// Whoever asks for what there is not, too often, or for more than a line may have, hears
// so; and one that asks when nobody waits any more is answered all the same.
func TestQuestionsToTheHouseAreBounded(t *testing.T) {
	t.Parallel()
	unsaid := connectors.Env{Log: zap.NewNop(), Clock: hotel.SystemClock{}, Rooms: furnished(nil).Rooms}
	endless := []connectors.SoldRoom{{Room: "DBL", Type: hotel.RoomType{Description: strings.Repeat("x", mostTold)}}}
	for how, c := range map[string]struct {
		env  connectors.Env
		want []connectors.RemoteProduct
	}{
		"asks for what there is not": {unsaid, []connectors.RemoteProduct{
			{Room: "told", RoomName: `get: "prices" is none of rooms, property, closed, installation, taken[]`, Adults: 1},
			{Room: "told", RoomName: "get: nobody can tell closed here; what can be asked stands in house of open[]", Adults: 1},
			{Room: "told", RoomName: `get: "" is none of rooms, property, closed, installation, taken[]`, Adults: 1},
		}},
		"asks a thousand times": {furnished(nil), []connectors.RemoteProduct{
			{Room: "told", RoomName: "0a1b2c[]", Adults: 100},
			{Room: "told", RoomName: "the house is asked more than 100 times in one call: keep what it told[]", Adults: 900},
		}},
		"asks for nights": {furnished(nil), []connectors.RemoteProduct{
			{Room: "told", RoomName: "nights: they go with get: taken, and with nothing else[]", Adults: 1},
			{Room: "told", RoomName: "nights: expected 1 to 1100 of them[]", Adults: 2},
			{Room: "told", RoomName: "nights: they go with get: taken, and with nothing else[]", Adults: 1},
			{Room: "told", RoomName: "[]", Adults: 1},
		}},
		"asks for much": {furnished(endless), []connectors.RemoteProduct{{Room: "told", RoomName: "get: rooms is more than 8388608 bytes, and cannot be told[]", Adults: 1}}},
	} {
		products, err := asksWith(t, c.env, built, how)
		if diff := cmp.Diff(c.want, products); diff != "" || err != nil {
			t.Errorf("%s: %v, -want +told:\n%s", how, err, diff)
		}
	}
	failing := furnished(nil)
	failing.Shut = func(context.Context) ([]hotel.Span, error) {
		return nil, errors.New("the disk is full, at hunter2hunter2")
	}
	if products, err := asksWith(t, failing, built, "asks for what there is not"); err != nil || products[1].RoomName != "the disk is full, at ***[]" {
		t.Errorf("what the house cannot read is told as %v, %v", products, err)
	}
	core, logs := observer.New(zapcore.DebugLevel)
	said := make(chan struct{}, 1)
	env := furnished(nil)
	env.Log = zap.New(core, zap.Hooks(func(e zapcore.Entry) error {
		if e.Message == "a connector's program says" {
			said <- struct{}{}
		}
		return nil
	}))
	opened, err := open(t.Context(), configOf("asks when it is cancelled"), env)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := opened.(*conn).Products(ctx); err == nil {
		t.Error("it is not cancelled")
	}
	<-said
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
	if line := fmt.Sprint(logs.FilterMessage("a connector's program says").All()); !strings.Contains(line, wasCancelled) {
		t.Errorf("it is told %s", line)
	}
}

package alpinebits

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/connectors/alpinebits/simulator"
	"ostler.example/hotel"
)

// double is a room type as it is sold to portals.
func double() connectors.SoldRoom {
	return connectors.SoldRoom{Room: "DBL", Type: hotel.RoomType{
		Code: "double", Name: "Doppelzimmer", Description: "Mit Blick auf den Berg.", BaseOccupancy: 2, MaxAdults: 3, MaxChildren: 1, MaxOccupancy: 3, Amenities: []string{"26", "sauna"},
	}}
}

// TestPortalIsToldItsCategories: before the first rooms, and whenever they have changed,
// in every version.
func TestPortalIsToldItsCategories(t *testing.T) {
	for _, preset := range []string{"2024-10", "2022-10", "2020-10"} {
		sim, url := portal(t, preset)
		cfg := sound()
		cfg.URL, cfg.Inventory = url, "de"
		sold := double()
		with := env(t)
		with.Rooms = func(context.Context) ([]connectors.SoldRoom, error) { return []connectors.SoldRoom{sold}, nil }
		tell := func() connectors.Answer {
			t.Helper()
			opened, err := open(t.Context(), cfg, with)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := opened.Send(t.Context(), oneNight(t, opened))
			if err != nil || answer.Rest != connectors.Applied {
				t.Fatalf("%s: one night is %+v, %v", preset, answer, err)
			}
			return answer
		}
		tell()
		want := map[string]simulator.Category{"DBL": {Min: 1, Standard: 2, Max: 3, Children: 1, Name: "Doppelzimmer"}}
		if diff := cmp.Diff(want, sim.Described()); diff != "" {
			t.Errorf("%s: the portal knows (-want +got):\n%s", preset, diff)
		}
		if answer := tell(); strings.Contains(answer.Excerpt, "categories") {
			t.Errorf("%s: what has not changed is told again: %s", preset, answer.Excerpt)
		}
		sold.Type.MaxOccupancy = 4
		if answer := tell(); sim.Described()["DBL"].Max != 4 || !strings.Contains(answer.Excerpt, "categories are told") {
			t.Errorf("%s: another number of guests leaves %+v: %s", preset, sim.Described(), answer.Excerpt)
		}
	}
}

// TestCategoriesHoldNothingUp: rooms are told whatever becomes of the categories. What is
// refused is not told again as it is, unless the portal asks for it.
func TestCategoriesHoldNothingUp(t *testing.T) {
	for _, c := range []struct{ name, said, excerpt, again string }{
		{"a warning", rs(message.Described, `<Success/><Warnings><Warning Type="3">who cares</Warning></Warnings>`), "who cares", ""},
		{"a senseless value", rs(message.Described, `<Errors><Error Type="13" Code="320">no such class</Error></Errors>`), "no such class", ""},
		{"another error", rs(message.Described, `<Errors><Error Type="13">come back later</Error></Errors>`), "come back later", "come back later"},
		{"no answer", "<x/>", "could not be told", "could not be told"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &script{t: t, answers: map[string]string{message.Inventory.Name: c.said, message.FreeRooms.Name: rs(message.Answered, `<Success/>`)}, seen: map[string]string{}}
			server := httptest.NewServer(s)
			defer server.Close()
			cfg := sound()
			cfg.URL, cfg.Inventory = server.URL, "de"
			with := env(t)
			with.Rooms = func(context.Context) ([]connectors.SoldRoom, error) { return []connectors.SoldRoom{double()}, nil }
			opened, err := open(t.Context(), cfg, with)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{c.excerpt, c.again} {
				answer, err := opened.Send(t.Context(), oneNight(t, opened))
				if err != nil || answer.Rest != connectors.Applied || !strings.Contains(answer.Excerpt, want) || want == "" && answer.Excerpt != "" {
					t.Errorf("the answer is %+v, %v, want %q", answer, err, want)
				}
			}
			s.answers[message.FreeRooms.Name] = rs(message.Answered, `<Success/><Warnings><Warning Type="11" Status="ALPINEBITS_SEND_INVENTORY"/></Warnings>`)
			s.answers[message.Inventory.Name] = rs(message.Described, `<Success/>`)
			if answer, err := opened.Send(t.Context(), oneNight(t, opened)); err != nil || !strings.Contains(answer.Excerpt, "categories are told") {
				t.Errorf("a portal that asks is answered %+v, %v", answer, err)
			}
		})
	}
}

// TestInventoryOfAPMS: nothing of it is written, and what does not go together is said.
func TestInventoryOfAPMS(t *testing.T) {
	house := newPretend()
	for i := range house.layout.Rooms {
		house.layout.Rooms[i].MaxOccupancy = house.layout.Rooms[i].MaxAdults
	}
	request := string(message.WriteInventory(message.InventorySet{Hotel: message.Hotel{Code: "123"}, Categories: []message.Category{
		{Code: "double", Class: message.RoomClass, Min: 1, Standard: 2, Max: 4},
		{Code: "single", Class: message.RoomClass, Min: 1, Standard: 1, Max: 1},
		{Code: "attic", Class: message.RoomClass, Min: 1, Standard: 1, Max: 1},
	}}))
	for _, v := range message.Versions {
		said, err := message.ReadReply(tellPMS(t, pmsOf(t), house, v, message.Inventory.Name, request).Body.Bytes(), message.Described)
		if err != nil || said.Failed || said.Refused() {
			t.Errorf("%s: it is answered %+v, %v", v, said, err)
		}
		for _, want := range []string{"kept at Ostler", "double is for 3 guests at the most and not 4", "no room type attic", "bigsuite has no category"} {
			if !strings.Contains(said.Words(), want) {
				t.Errorf("%s: %q is missing in %s", v, want, said.Words())
			}
		}
		if strings.Contains(said.Words(), "single") {
			t.Errorf("%s: it is said of a category that is as it should be: %s", v, said.Words())
		}
	}
}

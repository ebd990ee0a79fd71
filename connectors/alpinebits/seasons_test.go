package alpinebits

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// TestClosingSeasons go first in a complete set, without the nights on which it says that
// a room is free, and a portal that takes sets takes them.
func TestClosingSeasons(t *testing.T) {
	sim, url := portal(t, "sets", nil)
	cfg := sound()
	cfg.URL = url
	with := env(t)
	with.Shut = func(context.Context) ([]hotel.Span, error) {
		return []hotel.Span{{From: night - 1, To: night + 1}, {From: night + 2, To: night + 4}}, nil
	}
	opened, err := open(t.Context(), cfg, with)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := opened.Send(t.Context(), oneNight(t, opened)); err != nil || answer.Rest != connectors.Applied {
		t.Fatalf("a set with seasons is answered %+v, %v", answer, err)
	}
	if o, known := sim.Book().Shown(connectors.Key{Room: "DBL", Group: hotel.Availability, Night: night}); !known || o.Available != 2 {
		t.Errorf("the portal shows %d", o.Available)
	}
	s := &script{t: t, answers: map[string]string{message.FreeRooms.Name: rs(message.Answered, `<Success/><Warnings><Warning Type="11" Status="ALPINEBITS_SEND_FREEROOMS"/></Warnings>`)}, seen: map[string]string{}}
	server := httptest.NewServer(s)
	defer server.Close()
	cfg.URL = server.URL
	if opened, err = open(t.Context(), cfg, with); err != nil {
		t.Fatal(err)
	}
	if _, err := opened.Send(t.Context(), oneNight(t, opened)); err != nil {
		t.Fatal(err)
	}
	set, err := message.ReadFreeRooms([]byte(s.seen[message.FreeRooms.Name]))
	want := []hotel.Span{{From: night - 1, To: night - 1}, {From: night + 1, To: night + 4}}
	if diff := cmp.Diff(want, set.Closed); err != nil || diff != "" || !set.Complete || len(set.Rooms) != 1 {
		t.Errorf("the seasons are (-want +got):\n%s, %v; %+v", diff, err, set)
	}
}

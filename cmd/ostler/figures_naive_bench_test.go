package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"ostler.example/internal/testkit/figures"
)

// benchNaive prints how long it takes until a channel has been told a change of many nights,
// from the request to the far side showing it, beside a program that has nothing to keep and
// calls once for each changed night. Far side and machine are the same.
func benchNaive(b *testing.B) {
	const changed, turns = 90, 1 // the far side takes 300 calls a minute
	z := size{types: 1, plans: 1, nights: 365, units: 500, channels: 2}
	for b.Loop() {
		e := newEstate(b)
		e.grow(b, z, 0, 1)
		s := e.shops[1] // it keeps its bookings, and reads calls in any order
		var rooms struct{ Data []roomType }
		if err := e.client.get("/room-types?property_id="+s.o.Hotel, &rooms); err != nil {
			b.Fatal(err)
		}
		room := rooms.Data[0]
		out := func(turn, night int) int { return 1 + turn*2 + night%2 } // no two nights in a row alike
		ours := func(turn int) time.Duration {
			var entries []map[string]any
			for n := range changed {
				night := ahead(10 + n)
				entries = append(entries, map[string]any{"room_type_id": room.ID, "date_from": night, "date_to": night, "values": map[string]any{"out_of_order": out(turn, n)}})
			}
			begun := time.Now()
			if a, err := e.client.do(http.MethodPost, "/inventory/updates", map[string]any{"property_id": s.o.Hotel, "entries": entries}, nil); err != nil || a.status >= 300 {
				b.Fatalf("%d %s %v", a.status, a.body, err)
			}
			eventually(b, patience, time.Millisecond, func() error { return s.showsAll(room.Code, changed, func(n int) int { return z.units - out(turn, n) }) })
			return time.Since(begun)
		}
		naive := func(int) time.Duration {
			begun := time.Now()
			for n := range changed {
				night := ahead(10 + n)
				s.tell(b, map[string]any{"room": s.room(room.Code), "from": night, "to": night, "available": n})
			}
			return time.Since(begun)
		}
		before := e.pushes(b)
		ours(0)
		e.rest(b)
		calls := (e.pushes(b) - before) / float64(z.channels)
		for i, takes := range []time.Duration{0, 20 * time.Millisecond, 100 * time.Millisecond} {
			s.takes.Store(int64(takes))
			ratio := figures.Ratio(turns, func(turn int) time.Duration { return ours(1 + i*turns + turn) }, naive)
			figures.Row(fmt.Sprintf("a change of %d nights told to a far side that takes %s, beside one call for each night", changed, takes),
				fmt.Sprintf("%.2f times as fast, in %.0f calls of %d", ratio, calls, changed), "",
				"from the request to the far side showing all of it, a second channel told too; loopback, one turn each")
		}
		e.halt(b)
	}
}

// pushes is how many calls have told channels something.
func (e *estate) pushes(b *testing.B) float64 {
	v, err := vitalsAt(e.client.http, e.admin)
	if err != nil {
		b.Fatal(err)
	}
	return v.sum("ostler_sync_push_total")
}

// tell makes one call of the channel's protocol, about the count of one room.
func (s *shop) tell(b *testing.B, update map[string]any) {
	body, err := json.Marshal(map[string]any{"updates": []any{update}})
	if err != nil {
		b.Fatal(err)
	}
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, s.url+"/hotels/"+s.o.Hotel+"/availability", bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.secret)
	if a, err := send(s.http, req); err != nil || a.status >= 300 {
		b.Fatalf("%d %s %v", a.status, a.body, err)
	}
}

// showsAll reports whether it shows of the nights from the tenth on what it should.
func (s *shop) showsAll(room string, nights int, want func(n int) int) error {
	where := fmt.Sprintf("%s/hotels/%s/shown?room=%s&from=%s&to=%s", s.url, s.o.Hotel, s.room(room), ahead(10), ahead(9+nights))
	req, err := http.NewRequest(http.MethodGet, where, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.secret)
	a, err := send(s.http, req)
	if err != nil {
		return err
	}
	var body struct {
		Availability []struct{ Available int }
	}
	if err := a.read(&body); err != nil {
		return err
	}
	if len(body.Availability) != nights {
		return fmt.Errorf("%d runs are shown", len(body.Availability))
	}
	for n, run := range body.Availability {
		if run.Available != want(n) {
			return fmt.Errorf("on night %d it shows %d, not %d", n, run.Available, want(n))
		}
	}
	return nil
}

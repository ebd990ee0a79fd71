package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// stay is what a client asks for at /reservations.
func stay(room, plan string, from hotel.Date, nights int, name string) map[string]any {
	return map[string]any{
		"property_id": property, "room_type_id": room, "rate_plan_id": plan,
		"check_in": from.String(), "check_out": (from + hotel.Date(nights)).String(), "adults": 2,
		"guest": map[string]string{"last_name": name},
	}
}

// atOnce calls f n times, all starting together.
func atOnce(n int, f func(i int)) {
	var ready, done sync.WaitGroup
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			f(i)
		})
	}
	done.Wait()
}

// raceForLastRooms lets twenty clients want the same five rooms.
func raceForLastRooms(t *testing.T, d *demo) {
	h := d.mustHouse(t)
	if h.rooms[0].Code != "standard" {
		t.Fatalf("the first room type is %q", h.rooms[0].Code)
	}
	night := ahead(190)
	const crowd, units = 20, 5
	answers, errs := make([]answer, crowd), make([]error, crowd)
	atOnce(crowd, func(i int) {
		answers[i], errs[i] = d.do(http.MethodPost, "/reservations", stay(h.rooms[0].ID, h.plans[0].ID, night, 1, fmt.Sprintf("Guest %d", i)), nil)
	})
	got := map[int]int{}
	ids := map[string]bool{}
	for i, a := range answers {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		got[a.status]++
		if a.status == http.StatusCreated {
			var r reservation
			if err := a.read(&r); err != nil {
				t.Fatal(err)
			}
			ids[r.ID] = true
			continue
		}
		if p, err := a.refusal(); err != nil || p.Code != "not_available" {
			t.Errorf("refused with %d %s (%v)", a.status, a.body, err)
		}
	}
	if diff := cmp.Diff(map[int]int{http.StatusCreated: units, http.StatusConflict: crowd - units}, got); diff != "" {
		t.Errorf("answers by status (-want +got):\n%s", diff)
	}
	kept, err := d.reservations(url.Values{"staying_on": {night.String()}})
	if err != nil {
		t.Fatal(err)
	}
	if len(kept) != units || len(ids) != units {
		t.Errorf("%d reservations are kept and %d ids were given, want %d of each", len(kept), len(ids), units)
	}
}

// samePostFiftyTimes sends one booking fifty times at once under one key.
func samePostFiftyTimes(t *testing.T, d *demo) {
	h := d.mustHouse(t)
	night := ahead(195)
	key := http.Header{"Idempotency-Key": {"front-desk-4711"}}
	body := stay(h.room("deluxe"), h.plan("flex"), night, 2, "Noether")

	const times = 50
	answers, errs := make([]answer, times), make([]error, times)
	atOnce(times, func(i int) { answers[i], errs[i] = d.repeat("/reservations", body, key) })
	ids, fresh := map[string]int{}, 0
	for i, a := range answers {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		var r reservation
		if err := a.read(&r); err != nil || a.status != http.StatusCreated {
			t.Fatalf("got %d %s (%v)", a.status, a.body, err)
		}
		ids[r.ID]++
		if a.header.Get("Idempotent-Replayed") == "" {
			fresh++
		}
	}
	if len(ids) != 1 || fresh != 1 {
		t.Errorf("%d answers that are not replays, ids %v; want one of each", fresh, ids)
	}
	kept, err := d.reservations(url.Values{"staying_on": {night.String()}})
	if err != nil {
		t.Fatal(err)
	}
	if len(kept) != 1 {
		t.Errorf("%d reservations are kept, want 1", len(kept))
	}

	body["adults"] = 1
	a, err := d.do(http.MethodPost, "/reservations", body, key)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := a.refusal(); err != nil || a.status != http.StatusUnprocessableEntity || p.Code != "idempotency_key_reused" {
		t.Errorf("another body under the same key: got %d %s (%v)", a.status, a.body, err)
	}
}

// repeat posts until the answer is the request's own: one that came while the
// same request was still at work is told to come again in a second, and does.
func (c *client) repeat(path string, body any, header http.Header) (answer, error) {
	var a answer
	err := poll(patience, time.Second, func() (err error) {
		if a, err = c.do(http.MethodPost, path, body, header); err != nil {
			return err
		}
		var p problem
		if a.status == http.StatusConflict && json.Unmarshal(a.body, &p) == nil && p.Code == "idempotency_in_progress" {
			if a.header.Get("Retry-After") != "1" {
				return fmt.Errorf("Retry-After is %q", a.header.Get("Retry-After"))
			}
			return fmt.Errorf("%s is still at work", path)
		}
		return nil
	})
	return a, err
}

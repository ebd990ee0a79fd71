package main_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"ostler.example/hotel"
)

// farSide is a pretend channel, seen from its guests' side.
type farSide struct {
	id     string // of the channel
	hotel  string // "": the sample hotel
	url    string
	secret string // of its protocol
	http   *http.Client
}

// The answers below /_sim/.
type (
	shown struct {
		Cells     json.RawMessage // a megabyte of them; see cells
		Bookings  []booking
		Waiting   int
		OverLimit int `json:"over_limit"`
	}
	cell struct {
		Room, Rate string
		Date       hotel.Date
		Available  int
		limits
		Currency string
		Prices   map[string]string
	}
	limits struct {
		Closed            bool
		ClosedToArrival   bool `json:"closed_to_arrival"`
		ClosedToDeparture bool `json:"closed_to_departure"`
		MinStayArrival    int  `json:"min_stay_arrival"`
		MinStayThrough    int  `json:"min_stay_through"`
		MaxStayArrival    int  `json:"max_stay_arrival"`
		MaxStayThrough    int  `json:"max_stay_through"`
		MinAdvanceDays    int  `json:"min_advance_days"`
		MaxAdvanceDays    int  `json:"max_advance_days"`
	}
	booking struct {
		Reference string
		Status    string
		Room      string
		Rate      string
		CheckIn   hotel.Date `json:"check_in"`
		CheckOut  hotel.Date `json:"check_out"`
		Adults    int
		Revision  int
	}
)

// prefix is what the pretend channel's codes begin with: A for ch_alpha.
func (f *farSide) prefix() string {
	return strings.ToUpper(strings.TrimPrefix(f.id, "ch_")[:1]) + "-"
}

// The codes of the demo's pretend channels, without their prefix, by ours. Everything
// else is called as ours is.
var remoteRooms = map[string]string{"standard": "STD", "deluxe": "DLX", "twin": "TWN", "family": "FAM", "suite": "SUI"}

func (f *farSide) room(code string) string { return f.prefix() + cmp.Or(remoteRooms[code], code) }
func (f *farSide) rate(code string) string { return f.prefix() + code }

// state looks inside.
func (f *farSide) state() (shown, error) {
	var s shown
	req, err := http.NewRequest(http.MethodGet, f.url+"/_sim/state", nil)
	if err != nil {
		return s, err
	}
	a, err := send(f.http, req)
	if err != nil {
		return s, err
	}
	return s, a.read(&s)
}

// cells decodes everything that guests see.
func (s shown) cells() ([]cell, error) {
	var all []cell
	return all, json.Unmarshal(s.Cells, &all)
}

// shows returns what guests see of a room at the flexible rate on one night. It
// looks for that one cell only: the tests ask often.
func (f *farSide) shows(room string, night hotel.Date) (cell, error) {
	s, err := f.state()
	if err != nil {
		return cell{}, err
	}
	begin := fmt.Sprintf(`{"room":%q,"rate":%q,"date":%q,`, f.room(room), f.rate("flex"), night)
	at := bytes.Index(s.Cells, []byte(begin))
	if at < 0 {
		return cell{}, fmt.Errorf("%s shows nothing of %s on %s", f.id, room, night)
	}
	var c cell
	return c, json.NewDecoder(bytes.NewReader(s.Cells[at:])).Decode(&c)
}

// count asks over the channel's own protocol, which is quick, how many rooms
// guests see on one night. Planted faults meet it as any other call.
func (f *farSide) count(room string, night hotel.Date) (int, error) {
	where := fmt.Sprintf("%s/hotels/%s/shown?room=%s&from=%s&to=%s", f.url, cmp.Or(f.hotel, property), f.room(room), night, night)
	req, err := http.NewRequest(http.MethodGet, where, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+f.secret)
	a, err := send(f.http, req)
	if err != nil {
		return 0, err
	}
	var body struct {
		Availability []struct{ Available int }
	}
	if err := a.read(&body); err != nil {
		return 0, err
	}
	if len(body.Availability) != 1 {
		return 0, fmt.Errorf("%s shows %d counts of %s on %s: %s", f.id, len(body.Availability), room, night, a.body)
	}
	return body.Availability[0].Available, nil
}

// order posts to one of the doors of /_sim/.
func (f *farSide) order(door string, body any) (answer, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	req, err := http.NewRequest(http.MethodPost, f.url+"/_sim/"+door, bytes.NewReader(raw))
	if err != nil {
		return answer{}, err
	}
	return send(f.http, req)
}

// act is order with a known end: the booking as it is afterwards.
func (f *farSide) act(t *testing.T, door string, body map[string]any, want int) booking {
	t.Helper()
	a, err := f.order(door, body)
	if err != nil {
		t.Fatal(err)
	}
	var b booking
	if a.status != want {
		t.Fatalf("%s of %s: got %d, want %d: %s", door, f.id, a.status, want, a.body)
	}
	if err := a.read(&b); err != nil {
		t.Fatal(err)
	}
	return b
}

// book buys a stay for two.
func (f *farSide) book(t *testing.T, room, rate string, from hotel.Date, nights int) booking {
	t.Helper()
	return f.act(t, "book", f.stay(room, rate, from, nights), http.StatusCreated)
}

func (f *farSide) stay(room, rate string, from hotel.Date, nights int) map[string]any {
	return map[string]any{
		"room": f.room(room), "rate": f.rate(rate), "check_in": from, "check_out": from + hotel.Date(nights), "adults": 2, "last_name": "Meitner",
	}
}

// fail plants a fault for the next calls of the protocol.
func (f *farSide) fail(t *testing.T, kind string, calls int) {
	t.Helper()
	a, err := f.order("fault", map[string]any{"kind": kind, "count": calls})
	if err != nil {
		t.Fatal(err)
	}
	if a.status != http.StatusOK {
		t.Fatalf("fault %s at %s: %d %s", kind, f.id, a.status, a.body)
	}
}

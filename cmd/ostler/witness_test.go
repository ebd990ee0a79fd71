package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// witness reads what happens in every way that the program tells it, while the
// program dies and comes back: as a partner who follows the event feed, as one who
// is called, and as the channels, which are told numbers.
type witness struct {
	*storm
	from     int64  // where the feed stood when it began
	endpoint string // id of the webhook endpoint

	mu       sync.Mutex
	followed []happening
	after    int64
	farthest map[string]int64 // positions that were seen, by what has them
	heard    map[string]int64 // sequences by webhook-id
	calls    int
}

// happening is one event, as far as its place matters.
type happening struct {
	ID, Type string
	Sequence int64
	Data     struct {
		Object json.RawMessage
	}
}

// The types that the partner is called about. Calls about inventory may stand for
// several events, those about reservations for one each.
var calledAbout = []string{"reservation.*", "inventory.updated"}

// newWitness has a partner called from now on.
func newWitness(t *testing.T, s *storm) *witness {
	t.Helper()
	w := &witness{storm: s, farthest: map[string]int64{}, heard: map[string]int64{}}
	all, end, err := w.feed(0)
	if err != nil || len(all) == 0 {
		t.Fatalf("the feed before anything has happened: %d events, %v", len(all), err)
	}
	w.from, w.after = end, end
	receiver := httptest.NewServer(w)
	t.Cleanup(receiver.Close)
	a := s.post(t, "/webhook-endpoints", map[string]any{"url": receiver.URL + "/hook", "event_types": calledAbout, "start_after": end}, http.StatusCreated)
	var made struct{ ID string }
	if err := a.read(&made); err != nil {
		t.Fatal(err)
	}
	w.endpoint = made.ID
	return w
}

// ServeHTTP is the partner's receiver.
func (w *witness) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	if err != nil {
		return // it was killed while it spoke
	}
	var e happening
	if err := json.Unmarshal(body, &e); err != nil || in.Header.Get("Webhook-Id") != e.ID {
		w.complain("a call %q: %s (%v)", in.Header.Get("Webhook-Id"), body, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	if earlier, known := w.heard[e.ID]; known && earlier != e.Sequence {
		w.complain("%s was told as %d and as %d", e.ID, earlier, e.Sequence)
	}
	w.heard[e.ID] = e.Sequence
	out.WriteHeader(http.StatusNoContent)
}

// feed reads the feed from a place on to its end, and returns where that is.
func (w *witness) feed(after int64) (all []happening, end int64, err error) {
	for {
		var page struct {
			Data   []happening
			Next   int64 `json:"next_after"`
			Caught bool  `json:"caught_up"`
		}
		if err := w.get(fmt.Sprintf("/events?limit=200&after=%d", after), &page); err != nil {
			return nil, 0, err
		}
		all, after = append(all, page.Data...), page.Next
		if page.Caught {
			return all, after, nil
		}
	}
}

// follows goes on in the feed where it had come to, and looks how far everybody
// is, until it is over.
func (w *witness) follows(ctx context.Context) {
	every := time.NewTicker(300 * time.Millisecond)
	defer every.Stop()
	for w.pace(ctx, every) {
		w.look()
	}
}

// look is one such turn. What a kill cuts short is asked again the next time.
func (w *witness) look() {
	positions, err := w.positions()
	if err != nil {
		return
	}
	news, end, err := w.feed(w.after)
	if err != nil {
		return
	}
	w.followed, w.after = append(w.followed, news...), end
	for who, at := range positions {
		if at > end {
			w.complain("%s stands at %d, where the feed ends at %d", who, at, end)
		}
		if at < w.farthest[who] {
			w.complain("%s stands at %d and stood at %d", who, at, w.farthest[who])
		}
		w.farthest[who] = at
	}
}

// positions returns how far the channels and the partner's calls are in the journal.
func (w *witness) positions() (map[string]int64, error) {
	type position struct {
		ID      string
		Derived int64 `json:"derived_through"`
		Synced  int64 `json:"synced_through"`
	}
	var e struct{ Position int64 }
	if err := w.get("/webhook-endpoints/"+w.endpoint, &e); err != nil {
		return nil, err
	}
	at := map[string]int64{"the webhooks": e.Position}
	all, err := list[position](&w.client, "/channels", url.Values{})
	for _, c := range all {
		at["what "+c.ID+" is to show"], at["what "+c.ID+" shows"] = c.Derived, c.Synced
	}
	return at, err
}

// compare holds what was read against each other once all is quiet: the feed as it was
// followed through the kills, the feed as it is, the calls that came, the log of
// them, and what every channel is to show.
func (w *witness) compare(t *testing.T) {
	t.Helper()
	w.look()
	whole, _, err := w.feed(w.from)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.followed) == 0 || len(whole) < len(w.followed) {
		t.Fatalf("followed, the feed has %d events, read at once %d", len(w.followed), len(whole))
	}
	if diff := cmp.Diff(places(w.followed), places(whole)[:len(w.followed)]); diff != "" {
		t.Errorf("the feed (-followed through the kills +read at once):\n%s", diff)
	}
	last, known := w.from, map[string]int64{}
	for _, e := range whole {
		if _, twice := known[e.ID]; twice || e.Sequence <= last {
			t.Errorf("event %s has the place %d behind %d", e.ID, e.Sequence, last)
		}
		last, known[e.ID] = e.Sequence, e.Sequence
	}
	w.compareCalls(t, whole, known)
	story, err := stories(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range w.channels {
		w.compareChannel(t, f, story)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	t.Logf("%d events were told in one order, of which %d in %d calls too", len(whole), len(w.heard), w.calls)
}

func places(events []happening) (out []string) {
	for _, e := range events {
		out = append(out, fmt.Sprint(e.Sequence, " ", e.Type, " ", e.ID))
	}
	return out
}

// letter is one delivery, as the log of calls has it.
type letter struct {
	ID       string
	EventID  string `json:"event_id"`
	Type     string `json:"event_type"`
	Sequence int64
	Status   string
	Attempts []struct{}
}

// compareCalls waits until everybody was called, and compares.
func (w *witness) compareCalls(t *testing.T, whole []happening, known map[string]int64) {
	t.Helper()
	path := "/webhook-endpoints/" + w.endpoint + "/deliveries"
	waiting, err := list[letter](&w.client, path, url.Values{"limit": {"200"}, "status": {"pending"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range waiting { // a call that a kill cut short waits its time, which is longer than ours
		if len(d.Attempts) > 0 {
			w.post(t, "/webhook-deliveries/"+d.ID+"/retry", nil, http.StatusAccepted)
		}
	}
	var log []letter
	eventually(t, 4*patience, 500*time.Millisecond, func() error {
		at, err := w.positions()
		if last := whole[len(whole)-1].Sequence; err == nil && at["the webhooks"] < last {
			err = fmt.Errorf("the webhooks stand at %d of %d", at["the webhooks"], last)
		}
		if err != nil {
			return err
		}
		if log, err = list[letter](&w.client, path, url.Values{"limit": {"200"}}); err != nil {
			return err
		}
		if open := slices.IndexFunc(log, func(d letter) bool { return d.Status != "delivered" }); open >= 0 {
			return fmt.Errorf("one of %d deliveries is not: %+v", len(log), log[open])
		}
		return nil
	})
	w.mu.Lock()
	heard := maps.Clone(w.heard)
	w.mu.Unlock()
	if diff := cmp.Diff(subset(known, heard), heard); diff != "" {
		t.Errorf("the calls (-in the feed +as they came):\n%s", diff)
	}
	slices.SortFunc(log, func(a, b letter) int { return int(a.Sequence - b.Sequence) })
	var told []string
	for _, d := range log {
		if known[d.EventID] != d.Sequence || heard[d.EventID] != d.Sequence {
			t.Errorf("the log has %s of %s at %d, the feed at %d, and the call said %d", d.ID, d.EventID, d.Sequence, known[d.EventID], heard[d.EventID])
		}
		if strings.HasPrefix(d.Type, "reservation.") {
			told = append(told, fmt.Sprint(d.Sequence, " ", d.Type, " ", d.EventID))
		}
	}
	bookings := slices.DeleteFunc(slices.Clone(whole), func(e happening) bool { return !strings.HasPrefix(e.Type, "reservation.") })
	if len(bookings) == 0 {
		t.Error("nobody booked anything")
	}
	if diff := cmp.Diff(places(bookings), told); diff != "" {
		t.Errorf("reservations (-in the feed +in the log of calls):\n%s", diff)
	}
}

// subset returns what of the map has the keys of the other.
func subset(of, keys map[string]int64) map[string]int64 {
	out := map[string]int64{}
	for k := range keys {
		if v, known := of[k]; known {
			out[k] = v
		}
	}
	return out
}

// number is how many rooms there are from an entry of the journal on.
type number struct {
	sequence int64
	rooms    int
}

// stories tells from the feed, entry by entry, how many rooms there were of every room
// type and night.
func stories(whole []happening) (map[string][]number, error) {
	out := map[string][]number{}
	for _, e := range whole {
		if e.Type != "inventory.updated" {
			continue
		}
		var o struct {
			Room   string `json:"room_type_id"`
			Ranges []struct {
				From      hotel.Date `json:"date_from"`
				To        hotel.Date `json:"date_to"`
				Available int
			}
		}
		if err := json.Unmarshal(e.Data.Object, &o); err != nil {
			return nil, err
		}
		for _, r := range o.Ranges {
			for night := r.From; night <= r.To; night++ {
				at := o.Room + " " + night.String()
				out[at] = append(out[at], number{e.Sequence, r.Available})
			}
		}
	}
	return out, nil
}

// retold is of how many nights a channel is asked what it was to show all along.
const retold = 2

// compareChannel holds what a channel is told against the story of the feed: it shows
// the end of every story, and of the longest ones it is explained, place by place, what it
// was to show there.
func (w *witness) compareChannel(t *testing.T, f *farSide, story map[string][]number) {
	t.Helper()
	type seen struct {
		Room   string `json:"room_type_id"`
		Plan   string `json:"rate_plan_id"`
		Date   hotel.Date
		Groups map[string]struct{ Desired, Acknowledged *struct{ Available int } }
	}
	span := nights(stormNight, stormNight+stormNights+99) // a stay may be made longer and longer
	cells, err := list[seen](&w.client, "/channels/"+f.id+"/cells", url.Values{
		"date_from": {span.From.String()}, "date_to": {span.To.String()}, "limit": {"2000"},
	})
	if err != nil {
		t.Fatal(err)
	}
	toldOf := func(c seen) []number { return story[c.Room+" "+c.Date.String()] }
	moved := slices.DeleteFunc(cells, func(c seen) bool { return len(toldOf(c)) == 0 })
	for _, c := range moved {
		told, now := toldOf(c), c.Groups["availability"]
		if end := told[len(told)-1].rooms; now.Desired == nil || now.Acknowledged == nil || now.Desired.Available != end || now.Acknowledged.Available != end {
			t.Errorf("%s on %s at %s: desired %+v, acknowledged %+v; the feed ends with %d", c.Room, c.Date, f.id, now.Desired, now.Acknowledged, end)
		}
	}
	slices.SortStableFunc(moved, func(a, b seen) int { return len(toldOf(b)) - len(toldOf(a)) })
	if len(moved) < retold {
		t.Fatalf("%s was told of %d nights that the feed tells of", f.id, len(moved))
	}
	for _, c := range moved[:retold] {
		for _, n := range toldOf(c) {
			w.explained(t, f, c.Room, c.Plan, c.Date, n)
		}
	}
}

// explained looks what is said of a night at a place of the journal.
func (w *witness) explained(t *testing.T, f *farSide, room, plan string, night hotel.Date, n number) {
	t.Helper()
	var at struct {
		Derivation []struct {
			Number string
			Result json.RawMessage
		}
	}
	q := url.Values{"room_type_id": {room}, "rate_plan_id": {plan}, "date": {night.String()}, "as_of_sequence": {strconv.FormatInt(n.sequence, 10)}}
	if err := w.get("/channels/"+f.id+"/explain?"+q.Encode(), &at); err != nil {
		t.Fatal(err)
	}
	if len(at.Derivation) == 0 || at.Derivation[0].Number != "available" || string(at.Derivation[0].Result) != strconv.Itoa(n.rooms) {
		t.Errorf("%s on %s at %s is explained as of %d by %+v, the feed has %d", room, night, f.id, n.sequence, at.Derivation, n.rooms)
	}
}

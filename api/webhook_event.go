package api

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// Handler serves the API, and writes events for those who are called with them.
type Handler interface {
	http.Handler
	// WebhookBody writes entries of the journal, all of one kind and subject, as one
	// event: the last, with what the others say besides.
	WebhookBody(ctx context.Context, who auth.Who, entries []desk.Event) (desk.WebhookBody, error)
	// GuestDocument writes everything that is kept of a person, as the caller may have it.
	GuestDocument(ctx context.Context, c desk.Caller, id string) ([]byte, error)
}

// longestEvent is how many bytes an event that is sent may have. Of what is longer
// only the ids are told.
const longestEvent = 20 << 10

// WebhookBody writes an event as the client may read it, but for how to reach
// guests: that is for those who ask, and whose asking is noted.
func (s *server) WebhookBody(ctx context.Context, who auth.Who, entries []desk.Event) (desk.WebhookBody, error) {
	who.Scopes &^= auth.ScopesOf(auth.GuestsRead)
	ctx = context.WithValue(ctx, callKey{}, &call{base: s.base(), url: &url.URL{}, header: http.Header{}, caller: desk.Caller{Who: who}})
	e, err := asOne(entries)
	if err != nil {
		return desk.WebhookBody{}, err
	}
	b, err := s.eventBody(ctx, e)
	if err != nil {
		return desk.WebhookBody{}, err
	}
	text, err := json.Marshal(b)
	if err != nil {
		return desk.WebhookBody{}, fmt.Errorf("write event %s: %w", e.ID, err)
	}
	var data any
	if len(text) > longestEvent {
		b.Data = cut(b.Data)
		if text, err = json.Marshal(b); err != nil {
			return desk.WebhookBody{}, fmt.Errorf("write event %s: %w", e.ID, err)
		}
	}
	if err := json.Unmarshal(text, &data); err != nil {
		return desk.WebhookBody{}, fmt.Errorf("write event %s: %w", e.ID, err)
	}
	return desk.WebhookBody{JSON: text, Private: personal(data, false, nil)}, nil
}

// cut leaves of what an event tells the ids.
func cut(d eventData) eventData {
	ids := map[string]any{}
	if text, err := json.Marshal(d.Object); err == nil {
		var whole map[string]any
		_ = json.Unmarshal(text, &whole) // what is no object has no ids
		for name, v := range whole {
			if name == "id" || strings.HasSuffix(name, "_id") {
				ids[name] = v
			}
		}
	}
	return eventData{Object: ids, Truncated: true, Assumed: d.Assumed}
}

// people are the members that may tell of people.
var people = []string{"guest", "notes", "guest_requests", "invoice_address", "metadata", "booker", "cancel", "guarantee"}

// personal collects the texts that may tell of people.
func personal(v any, inside bool, found []string) []string {
	switch v := v.(type) {
	case string:
		if inside {
			found = append(found, v)
		}
	case []any:
		for _, one := range v {
			found = personal(one, inside, found)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			first, _, _ := strings.Cut(name, ".")
			found = personal(v[name], inside || slices.Contains(people, first), found)
		}
	}
	return found
}

// asOne lays changes of a house value over each other: the newest says what a night
// has.
func asOne(entries []desk.Event) (desk.Event, error) {
	last := entries[len(entries)-1]
	if len(entries) == 1 {
		return last, nil
	}
	values := map[hotel.Date]string{}
	var body map[string]json.RawMessage
	for _, e := range entries {
		var runs struct {
			Ranges []hotel.Run[json.RawMessage] `json:"ranges"`
		}
		if err := json.Unmarshal(e.Body, &runs); err != nil {
			return last, fmt.Errorf("read event %s: %w", e.ID, err)
		}
		for _, r := range runs.Ranges {
			for d := r.From; d <= r.To; d++ {
				values[d] = string(r.Value)
			}
		}
	}
	if err := json.Unmarshal(last.Body, &body); err != nil {
		return last, fmt.Errorf("read event %s: %w", last.ID, err)
	}
	nights := slices.Sorted(maps.Keys(values))
	var err error
	if body["ranges"], err = json.Marshal(hotel.Runs(nights, func(i int) rawValue { return rawValue(values[nights[i]]) })); err != nil {
		return last, fmt.Errorf("write event %s: %w", last.ID, err)
	}
	last.Body, err = json.Marshal(body)
	return last, err
}

// rawValue is JSON that can be compared.
type rawValue string

// MarshalJSON writes it as it is.
func (v rawValue) MarshalJSON() ([]byte, error) { return []byte(v), nil }

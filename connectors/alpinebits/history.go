package alpinebits

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// Portals number reservations and not what happens to them. A change that bears no time
// is known by its content alone, and a guest who changes a booking and then changes it
// back sends the same twice: the history of such changes tells the second from a message
// that comes again.
//
// A change that was told last, or in an answer that the portal may not know to have
// arrived, comes again. Any other is new, whatever it says.
type histories struct {
	shelf connectors.Shelf
	mu    *sync.Mutex // of one conversation at a time
}

// historyName is where they are on the shelf.
const historyName = "changes without a time"

// forgottenAfter is for how many days after the stay a history is kept.
const forgottenAfter = 60

// history is what was told of one reservation.
type history struct {
	Before int        `json:"before"` // so many changes came before those of Said
	Said   []string   `json:"said"`   // digests of the changes that may come again, in order
	Until  hotel.Date `json:"until"`  // the end of the stay
}

// timeless reports whether a reservation is a change that bears no time.
func timeless(r message.Reservation) bool {
	return r.Status == message.Modified && r.Modified == "" && r.ID.ID != ""
}

// place numbers the changes of one answer, or of one call: how many came before each.
// What bears a time has no number. It is to be kept before any of it is delivered.
func (h histories) place(ctx context.Context, all []message.Reservation, today hotel.Date) ([]int, error) {
	places := make([]int, len(all))
	last := map[string]int{}
	for i, r := range all {
		if timeless(r) {
			last[r.ID.ID] = i
		}
	}
	if len(last) == 0 {
		return places, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	known, err := h.all(ctx)
	if err != nil {
		return nil, err
	}
	from := map[string]int{}
	for i, r := range all {
		if !timeless(r) {
			continue
		}
		of := known[r.ID.ID]
		places[i], from[r.ID.ID] = of.find(digestOf(r), from[r.ID.ID], last[r.ID.ID] == i)
		of.Until = max(of.Until, leaves(r))
		known[r.ID.ID] = of
	}
	return places, h.keep(ctx, known, today)
}

// find returns the place of a change among those that were told, adding it when it is
// new, and from where the next one is to be looked for.
func (h *history) find(digest string, from int, last bool) (place, next int) {
	n := len(h.Said)
	at := -1
	if from < n {
		at = slices.Index(h.Said[from:], digest)
	}
	if at < 0 || last && digest != h.Said[n-1] {
		h.Said = append(h.Said, digest)
		return h.Before + n, n + 1
	}
	return h.Before + from + at, from + at + 1
}

// settle notes that the portal knows that these changes have arrived. The last of each
// may still come again.
func (h histories) settle(ctx context.Context, taken []message.UniqueID, today hotel.Date) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	known, err := h.all(ctx)
	if err != nil || len(known) == 0 {
		return err
	}
	changed := false
	for _, id := range taken {
		if of := known[id.ID]; len(of.Said) > 1 {
			of.Before, of.Said = of.Before+len(of.Said)-1, of.Said[len(of.Said)-1:]
			known[id.ID], changed = of, true
		}
	}
	if !changed {
		return nil
	}
	return h.keep(ctx, known, today)
}

func (h histories) all(ctx context.Context) (map[string]history, error) {
	known, err := fetch[map[string]history](ctx, h.shelf, historyName)
	if known == nil {
		known = map[string]history{}
	}
	return known, err
}

func (h histories) keep(ctx context.Context, known map[string]history, today hotel.Date) error {
	maps.DeleteFunc(known, func(_ string, of history) bool { return of.Until+forgottenAfter < today })
	return put(ctx, h.shelf, historyName, known)
}

// leaves is when the last guest of a reservation does.
func leaves(r message.Reservation) hotel.Date {
	var last hotel.Date
	for _, s := range r.Stays {
		if stay, err := stayOf(s.Span); err == nil {
			last = max(last, stay.CheckOut)
		}
	}
	return last
}

// numbered turns a reservation into a message, with the place of a change in its key.
func numbered(r message.Reservation, place int) connectors.Message {
	m := parse(r)
	if place > 0 {
		m.Key += fmt.Sprintf("/%d", place)
	}
	return m
}

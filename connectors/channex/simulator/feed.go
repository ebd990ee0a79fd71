package simulator

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"ostler.example/connectors/simkit"
)

// forgets is how long a revision stays in the feed that was shown and never
// acknowledged. Then it is gone for good, and a webhook tells of it.
const forgets = 30 * time.Minute

// feed is what is known of the revisions in it, apart from the book. It is safe for
// concurrent use.
type feed struct {
	mu     sync.Mutex
	shown  map[int64]time.Time // by event: when it was first shown
	hooked int64               // the last event of which a webhook was taken
	late   []simkit.Event      // gone without having been acknowledged, to be told of
}

// waiting returns the revisions that are not acknowledged, oldest first, once those
// are gone that nobody acknowledged in time.
func (s *Simulator) waiting() []simkit.Event {
	events := s.kit.Book.Events(0, 1<<20)
	s.feed.mu.Lock()
	defer s.feed.mu.Unlock()
	now := s.o.Clock.Now()
	return slices.DeleteFunc(events, func(e simkit.Event) bool {
		first, shown := s.feed.shown[e.Seq]
		if !shown || now.Sub(first) < forgets {
			return false
		}
		delete(s.feed.shown, e.Seq)
		s.feed.late = append(s.feed.late, e)
		return s.kit.Book.Acknowledge(e.Seq) == nil
	})
}

// revisions shows the feed.
func (s *Simulator) revisions(w http.ResponseWriter, r *http.Request) {
	if !s.mine(w, r) {
		return
	}
	var all []object
	events := s.waiting()
	s.feed.mu.Lock()
	if s.feed.shown == nil {
		s.feed.shown = map[int64]time.Time{}
	}
	for _, e := range events {
		if _, before := s.feed.shown[e.Seq]; !before {
			s.feed.shown[e.Seq] = s.o.Clock.Now()
		}
	}
	s.feed.mu.Unlock()
	for _, e := range events {
		all = append(all, s.tell(e))
	}
	if s.kit.Faults.Repeats() {
		all = slices.Concat(all, all)
	}
	paged(w, r, all)
}

// revision shows one that is in the feed.
func (s *Simulator) revision(w http.ResponseWriter, r *http.Request) {
	if e, found := s.find(r.PathValue("id")); found {
		reply(w, map[string]any{"data": s.tell(e)})
		return
	}
	problem(w, http.StatusNotFound, "resource_not_found", "Resource not found", nil)
}

// acknowledge takes one out of the feed.
func (s *Simulator) acknowledge(w http.ResponseWriter, r *http.Request) {
	e, found := s.find(r.PathValue("id"))
	if !found {
		problem(w, http.StatusNotFound, "resource_not_found", "Resource not found", nil)
		return
	}
	if err := s.kit.Book.Acknowledge(e.Seq); err != nil {
		problem(w, http.StatusInternalServerError, "internal_error", err.Error(), nil)
		return
	}
	reply(w, map[string]any{"meta": map[string]string{"message": "Success"}})
}

// find looks for a revision in the feed.
func (s *Simulator) find(id string) (simkit.Event, bool) {
	for _, e := range s.waiting() {
		if revisionID(e.Booking) == id {
			return e, true
		}
	}
	return simkit.Event{}, false
}

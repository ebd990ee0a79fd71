package console

import (
	"slices"
	"sync"
	"time"

	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// A page asks for itself again and again, and shows the same people: whoever has been
// shown a person's data in a place is written down once in an hour of a session.
const shownAgain = time.Hour

// mostShown is how many of these are remembered. Whoever falls out is written down once more.
const mostShown = 50_000

type sight struct{ session, operation, person string }

// sights remembers who was shown whom.
type sights struct {
	mu sync.Mutex
	at map[sight]time.Time
}

// news leaves of people those who were not shown to the session there of late.
func (s *sights) news(session, operation string, people []string, now time.Time) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(people, func(p string) bool {
		at, known := s.at[sight{session, operation, p}]
		return known && now.Sub(at) < shownAgain
	})
}

func (s *sights) keep(session, operation string, people []string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at == nil || len(s.at)+len(people) > mostShown {
		s.at = map[sight]time.Time{}
	}
	for _, p := range people {
		s.at[sight{session, operation, p}] = now
	}
}

// shown writes down that people's data is shown, before it is.
func (v *visit) shown(operation string, people []string) error {
	if !v.may(auth.GuestsRead) {
		return nil // nobody's is
	}
	return v.noted(v.caller, operation, people)
}

// noted writes down that the caller is shown what names people.
func (v *visit) noted(c desk.Caller, operation string, people []string) error {
	people = slices.Compact(slices.Sorted(slices.Values(people)))
	people = slices.DeleteFunc(people, func(id string) bool { return id == "" })
	now := v.c.clock.Now()
	if people = v.c.sights.news(v.session.ID, operation, people, now); len(people) == 0 {
		return nil
	}
	if err := v.c.desk.Shown(v.r.Context(), c, operation, people); err != nil {
		return err
	}
	v.c.sights.keep(v.session.ID, operation, people, now)
	return nil
}

package ledger

import (
	"slices"
	"sync"
	"time"

	"ostler.example/internal/backoff"
)

// pieces is a kind of work that is done property by property, piece by piece.
type pieces string

const (
	derivals  pieces = "derive"     // what follows from large writes
	dealings  pieces = "deal"       // nights that are noted to be dealt
	reviewals pieces = "deal again" // nights that time alone lets be dealt
)

// setbacks is the work that failed. What failed for one property is stepped over, so
// that the others go on, and tried again after longer and longer. Nothing of it is
// stored: a start of the program tries at once.
type setbacks struct {
	mu sync.Mutex
	of map[pieceOf]setback
}

type pieceOf struct {
	work     pieces
	property string
}

type setback struct {
	times int
	until time.Time
}

// resting lists the properties that are to be stepped over.
func (s *setbacks) resting(work pieces, now time.Time) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []string{}
	for of, b := range s.of {
		if of.work == work && now.Before(b.until) {
			list = append(list, of.property)
		}
	}
	slices.Sort(list)
	return list
}

// note keeps how a piece of work ended.
func (s *setbacks) note(work pieces, property string, failed bool, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := pieceOf{work, property}
	if !failed {
		delete(s.of, of)
		return
	}
	if s.of == nil {
		s.of = map[pieceOf]setback{}
	}
	times := s.of[of].times + 1
	s.of[of] = setback{times, now.Add(backoff.Delay(backoff.Delivery, times, property))}
}

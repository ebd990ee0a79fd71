package report

import (
	"slices"
	"strings"

	"ostler.example/hotel"
)

// tally adds up lines by row.
type tally struct {
	q     *Query
	by    []Dimension
	rows  map[string]*tallied
	total sums
}

type tallied struct {
	key []string
	sums
}

func newTally(q *Query, by []Dimension) *tally {
	return &tally{q: q, by: by, rows: map[string]*tallied{}}
}

// add adds what happened on a date at a place.
func (t *tally) add(date hotel.Date, p *place, s *sums) {
	t.addTold(date, p, s, true)
}

// addHouse adds what belongs to rooms and not to bookings. It shows in the totals
// alone where rows cannot tell whose it is.
func (t *tally) addHouse(date hotel.Date, p *place, s *sums) {
	t.addTold(date, p, s, t.ofHouse() && (p.room != "" || !slices.Contains(t.by, ByRoomType)))
}

// addTold adds what rows can tell whose it is, or cannot.
func (t *tally) addTold(date hotel.Date, p *place, s *sums, told bool) {
	date, ok := t.q.date(date)
	if !ok {
		return
	}
	t.total.add(s)
	if told {
		t.row(date, p).add(s)
	}
}

func (t *tally) row(date hotel.Date, p *place) *tallied {
	key := make([]string, len(t.by))
	for i, d := range t.by {
		key[i] = p.in(d, date)
	}
	name := strings.Join(key, "\x00")
	r := t.rows[name]
	if r == nil {
		r = &tallied{key: key}
		t.rows[name] = r
	}
	return r
}

// ofHouse reports whether rows are parts of the house.
func (t *tally) ofHouse() bool {
	return !slices.ContainsFunc(t.by, func(d Dimension) bool { return !d.ofHouse() })
}

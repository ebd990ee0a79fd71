package simkit

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Options say what a book is of.
type Options struct {
	Dir    string // where it is kept; "": in memory only
	Prefix string // before the number in a reference

	Products []connectors.RemoteProduct
	Opening  []connectors.Change // what a new book shows

	// Adjusts says when the book changes its own counts: what is Yes happens.
	Adjusts hotel.Adjusts
	Total   bool          // a count that is set is the most that is sold in all, what is sold already included
	PerRate bool          // each rate of a room has a count of its own
	Leaving bool          // lengths of every night are looked at on the check-out date too
	Sites   int           // at so many places each count is sold, each by itself; 0: at one
	Settles time.Duration // how late those who ask are told of what has happened; counts follow at once
	Clock   hotel.Clock
}

// Book is what a far side shows and has sold. Whatever a method has returned
// without an error is durable: it survives the process being killed. It is safe
// for concurrent use.
type Book struct {
	o    Options
	wake chan struct{}

	mu      sync.Mutex
	state   *state
	habits  Habits
	journal *journal // nil: in memory only
}

// ErrOldVersion says that a later call has been taken already.
var ErrOldVersion = errors.New("a call of this or a later version has been taken")

// Open reads a book, or begins one with the opening values.
func Open(o Options) (*Book, error) {
	b := &Book{o: o, wake: make(chan struct{}, 1), state: newState(max(1, o.Sites))}
	if o.Settles > 0 {
		b.state.before = map[string][]Booking{}
	}
	if o.Dir != "" {
		var err error
		if b.journal, err = openJournal(o.Dir, b.state.apply); err != nil {
			return nil, err
		}
	}
	if b.journal == nil || b.journal.size == 0 {
		if err := b.commit(record{Runs: connectors.Runs(o.Opening)}); err != nil {
			return nil, errors.Join(err, b.Close())
		}
	}
	return b, nil
}

// Close gives the file back. Nothing may be called afterwards.
func (b *Book) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.journal == nil {
		return nil
	}
	return b.journal.close()
}

// Products returns what can be sold.
func (b *Book) Products() []connectors.RemoteProduct { return slices.Clone(b.o.Products) }

// Clock returns the book's clock.
func (b *Book) Clock() hotel.Clock { return b.o.Clock }

// Knows reports whether the product exists; an empty rate asks for the room.
func (b *Book) Knows(room, rate string) bool {
	return slices.ContainsFunc(b.o.Products, func(p connectors.RemoteProduct) bool {
		return p.Room == room && (rate == "" || p.Rate == rate)
	})
}

// Take shows the changes of one call and keeps its receipt, in one step. A call
// whose receipt is kept already changes nothing and gets the first answer again;
// an empty ID is never recognised. A version that is not above every earlier one
// is ErrOldVersion; 0 is always taken.
func (b *Book) Take(changes []connectors.Change, r Receipt) (answer []byte, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if known, ok := b.state.answers[r.ID]; ok && r.ID != "" {
		return known.Answer, nil
	}
	if r.Version != 0 && r.Version <= b.state.version {
		return nil, fmt.Errorf("version %d: %w", r.Version, ErrOldVersion)
	}
	step := record{Runs: connectors.Runs(b.unsold(b.made(changes))), Version: r.Version}
	if r.ID != "" {
		step.Receipts = []Receipt{r}
	}
	if err := b.commit(step); err != nil {
		return nil, err
	}
	return r.Answer, nil
}

// Shown returns what is shown for one key, of counts the highest of all places, and none
// where more is sold than there was; false: it has never been set.
func (b *Book) Shown(k connectors.Key) (hotel.Offer, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if k.Group == hotel.Availability {
		count, set := b.state.most(k.Room, k.Rate, k.Night)
		return hotel.Offer{Available: max(0, count)}, set
	}
	shown, set := b.state.offers[product{k.Room, k.Rate, k.Night}]
	offer := hotel.Offer{Closed: shown.closed, Lengths: shown.lengths, Amount: shown.prices[k.Occupancy]}
	return offer.Pick(k.Group), set
}

// OnSale returns how many rooms could be sold on a night at all places together, and of
// all rates together where each has a count of its own.
func (b *Book) OnSale(room string, night hotel.Date) (rooms int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	of := func(rate string) {
		for site := range b.state.sites {
			rooms += max(0, b.state.counts[stock{room, rate, night, site}])
		}
	}
	if !b.o.PerRate {
		of("")
		return rooms
	}
	for _, p := range b.o.Products {
		if p.Room == room {
			of(p.Rate)
		}
	}
	return rooms
}

// Changes returns all that is shown for a room on the nights of the span, sorted.
func (b *Book) Changes(room string, span hotel.Span) []connectors.Change {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.state.changes(func(r string) bool { return r == room })
	return slices.DeleteFunc(all, func(c connectors.Change) bool { return !span.Contains(c.Key.Night) })
}

// Bookings returns every booking, in the order in which they were made.
func (b *Book) Bookings() []Booking {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bookings()
}

func (b *Book) bookings() []Booking {
	all := make([]Booking, 0, len(b.state.bookings))
	for _, booking := range b.state.bookings {
		all = append(all, booking)
	}
	slices.SortFunc(all, byNumber)
	return all
}

// Told reports whether those who ask are told by now of what happened at an instant.
func (b *Book) Told(at time.Time) bool { return !at.After(b.o.Clock.Now().Add(-b.o.Settles)) }

// ToldBookings is Bookings as those are told who ask now: each as it was when it had
// settled. One that changed before the book was opened again is told as it is.
func (b *Book) ToldBookings() []Booking {
	b.mu.Lock()
	defer b.mu.Unlock()
	var told []Booking
	for _, booking := range b.bookings() {
		before := b.state.before[booking.Reference]
		for !b.Told(booking.At) && len(before) > 0 {
			booking, before = before[len(before)-1], before[:len(before)-1]
		}
		if b.Told(booking.At) || booking.Revision > 1 {
			told = append(told, booking)
		}
	}
	return told
}

// Events returns at most limit events after the given one that are not yet
// acknowledged, oldest first.
func (b *Book) Events(after int64, limit int) []Event {
	b.mu.Lock()
	defer b.mu.Unlock()
	var waiting []Event
	for _, e := range b.state.events {
		if e.Seq > after && len(waiting) < limit {
			waiting = append(waiting, e)
		}
	}
	return waiting
}

// Acknowledge takes events off the list of those that wait. Unknown ones are
// left out.
func (b *Book) Acknowledge(seqs ...int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	known := slices.DeleteFunc(slices.Clone(seqs), func(seq int64) bool {
		return !slices.ContainsFunc(b.state.events, func(e Event) bool { return e.Seq == seq })
	})
	if len(known) == 0 {
		return nil
	}
	return b.commit(record{Acked: known})
}

// Woken gets a value when an event may have been added since it was last read
// from. It is for one reader.
func (b *Book) Woken() <-chan struct{} { return b.wake }

// called counts a call. The number is kept with the next record, so a kill may
// forget the last few.
func (b *Book) called() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state.calls++
}

// commit makes one step durable and then performs it. The caller holds mu.
func (b *Book) commit(r record) error {
	r.Calls = b.state.calls
	for i := range r.Moves {
		m := &r.Moves[i]
		m.Room, m.Rate = b.counter(m.Room, m.Rate)
	}
	if b.journal != nil {
		if err := b.journal.append(r); err != nil {
			return err
		}
	}
	b.state.apply(r)
	if len(r.Events) > 0 {
		select {
		case b.wake <- struct{}{}:
		default:
		}
	}
	if b.journal != nil && b.journal.overgrown() {
		// The step itself is durable: a failed compaction is the next step's to report.
		_ = b.journal.compact(b.state.whole())
	}
	return nil
}

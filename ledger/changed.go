package ledger

import (
	"sync"
	"sync/atomic"
)

// changes wakes those who wait for commits. A wake-up is a hint to look again,
// never the only way to learn of a change: a lost one costs time, and no data.
type changes struct {
	commits atomic.Uint64 // since the ledger was opened

	mu     sync.Mutex
	any    chan struct{}
	due    chan struct{}
	asked  chan struct{}
	offers map[string]chan struct{} // by property
}

// Changed returns a channel that is closed at the next commit.
func (l *Ledger) Changed() <-chan struct{} { return l.changes.wait(&l.changes.any) }

// DueChanged returns a channel that is closed at the next commit that leaves
// house values to [Ledger.DeriveDue].
func (l *Ledger) DueChanged() <-chan struct{} { return l.changes.wait(&l.changes.due) }

// ActionsAsked returns a channel that is closed at the next commit that asks a
// channel to do something with one of its bookings, or has a message read again.
func (l *Ledger) ActionsAsked() <-chan struct{} { return l.changes.wait(&l.changes.asked) }

// OffersChanged returns a channel that is closed at the next commit of an entry
// of the property that touches what channels are to show.
func (l *Ledger) OffersChanged(property string) <-chan struct{} {
	c := &l.changes
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.offers[property] == nil {
		if c.offers == nil {
			c.offers = make(map[string]chan struct{})
		}
		c.offers[property] = make(chan struct{})
	}
	return c.offers[property]
}

func (c *changes) wait(on *chan struct{}) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *on == nil {
		*on = make(chan struct{})
	}
	return *on
}

// tell wakes whom a commit concerns.
func (c *changes) tell(done effects) {
	c.commits.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	wake(&c.any)
	if done.due {
		wake(&c.due)
	}
	if done.asked {
		wake(&c.asked)
	}
	for property := range done.offers {
		if ch := c.offers[property]; ch != nil {
			close(ch)
			delete(c.offers, property)
		}
	}
}

func wake(on *chan struct{}) {
	if *on != nil {
		close(*on)
		*on = nil
	}
}

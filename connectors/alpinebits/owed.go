package alpinebits

import (
	"sync"

	"ostler.example/connectors/alpinebits/message"
)

// owed is what a portal has asked for, in an answer to whatever it was told or asked, and
// has not been told since. It is told with the next call of its kind: whatever is on its
// way to the portal meanwhile goes first.
type owed struct {
	mu    sync.Mutex
	kinds map[string]bool
}

// note takes down what an answer asks for.
func (o *owed) note(said message.Reply) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, kind := range []string{message.AskFreeRooms, message.AskRatePlans, message.AskInventory} {
		if said.Asks(kind) {
			if o.kinds == nil {
				o.kinds = map[string]bool{}
			}
			o.kinds[kind] = true
		}
	}
}

// asks reports whether the portal waits for all of a kind.
func (o *owed) asks(kind string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kinds[kind]
}

// done notes that it has been told, or cannot be.
func (o *owed) done(kind string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.kinds, kind)
}

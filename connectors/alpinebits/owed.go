package alpinebits

import (
	"context"
	"maps"
	"sync"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
)

// owed is what a portal has asked for, in an answer to whatever it was told or asked, and
// has not been told since. It is told with the next call of its kind: whatever is on its
// way to the portal meanwhile goes first. It is kept on the shelf, for a restart fulfils no wish; what
// cannot be kept there is known until then.
type owed struct {
	shelf connectors.Shelf

	mu     sync.Mutex
	read   bool
	wishes map[string]time.Time // by kind: before when it is not tried again
}

// owedName is where it is on the shelf.
const owedName = "asked for by the portal"

// owedAgain is how long a wish waits that could not be fulfilled: a portal that asks for
// everything and takes nothing is not told everything with every call.
const owedAgain = 10 * time.Minute

// note takes down what an answer asks for.
func (o *owed) note(ctx context.Context, said message.Reply) {
	for _, kind := range []string{message.AskFreeRooms, message.AskRatePlans, message.AskInventory} {
		if said.Asks(kind) {
			o.wish(ctx, kind)
		}
	}
}

// wish notes that the portal is to be told all of a kind.
func (o *owed) wish(ctx context.Context, kind string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.load(ctx)
	if _, known := o.wishes[kind]; !known {
		o.wishes[kind] = time.Time{}
		o.keep(ctx)
	}
}

// asks reports whether the portal waits for all of a kind, and it is time to try.
func (o *owed) asks(ctx context.Context, kind string, now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.load(ctx)
	again, known := o.wishes[kind]
	return known && !now.Before(again)
}

// tried notes that it has been told, or could not be.
func (o *owed) tried(ctx context.Context, kind string, told bool, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.load(ctx)
	if _, known := o.wishes[kind]; !known {
		return
	}
	if o.wishes[kind] = now.Add(owedAgain); told {
		delete(o.wishes, kind)
	}
	o.keep(ctx)
}

func (o *owed) load(ctx context.Context) {
	if o.read {
		return
	}
	kept, err := fetch[map[string]time.Time](ctx, o.shelf, owedName)
	if o.read = err == nil; o.wishes == nil {
		o.wishes = map[string]time.Time{}
	}
	maps.Copy(o.wishes, kept)
}

func (o *owed) keep(ctx context.Context) {
	_ = put(context.WithoutCancel(ctx), o.shelf, owedName, o.wishes)
}

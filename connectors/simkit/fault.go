package simkit

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"ostler.example/hotel"
)

// FaultKind names a way in which a far side fails.
type FaultKind string

// The kinds of fault. Those of the first group come before any effect, those of
// the second after it: the caller learns of it wrongly or not at all. Those of the
// third are for the protocol to commit: it asks when it is about to.
const (
	Timeout         FaultKind = "timeout"    // the call hangs until the caller gives up
	Cut             FaultKind = "cut"        // the connection breaks instead of an answer
	TooManyRequests FaultKind = "429"        // refused with Retry-After
	BareLimit       FaultKind = "429_bare"   // refused without it
	AbsurdLimit     FaultKind = "429_absurd" // refused with a Retry-After of a year
	ServerError     FaultKind = "5xx"        // 503
	ErrorBody       FaultKind = "error_body" // answered 200 with words of an error
	WrongType       FaultKind = "wrong_type" // answered 200 with a page of HTML
	Redirect        FaultKind = "redirect"   // sent elsewhere

	LostAnswer FaultKind = "lost_answer" // the connection breaks
	EmptyBody  FaultKind = "empty"       // an answer of 200 with nothing in it
	Truncated  FaultKind = "truncated"   // half of the answer, as if it were all
	Dripping   FaultKind = "dripping"    // a byte of the answer every second
	HugeBody   FaultKind = "huge"        // an answer of 16 MiB

	Reject     FaultKind = "reject"      // an update is answered 200 and every entry of it refused; an action is refused
	Partial    FaultKind = "partial"     // likewise every second entry
	Late       FaultKind = "late"        // the connection breaks, and the update or action has its effect [LateBy] later
	Queued     FaultKind = "queued"      // an update is confirmed, and it and those after it have their effect [QueuedBy] later
	Half       FaultKind = "half"        // the first half of an update has its effect, then the connection breaks
	RepeatPage FaultKind = "repeat_page" // a page of messages says that it comes once more
	Garble     FaultKind = "garble"      // a message about a booking is of a kind that nobody knows
	Unmapped   FaultKind = "unmapped"    // what is told of a booking names neither room nor rate
)

// The kinds by who commits them.
var (
	outer = []FaultKind{
		Timeout, Cut, TooManyRequests, BareLimit, AbsurdLimit, ServerError, ErrorBody, WrongType, Redirect,
		LostAnswer, EmptyBody, Truncated, Dripping, HugeBody,
	}
	inner = []FaultKind{Reject, Partial, Late, Queued, Half, RepeatPage, Garble, Unmapped}
)

// Fault is a fault to come: for Count calls, or for Seconds, or until the first
// of the two ends; with neither, for one call.
type Fault struct {
	Kind    FaultKind `json:"kind"`
	Count   int       `json:"count"`
	Seconds int       `json:"seconds"`
}

// Faults are the planted faults of one far side, used up in the order in which
// they were planted. It is safe for concurrent use.
type Faults struct {
	clock  hotel.Clock
	closed chan struct{}
	end    func() // closes it, once

	mu      sync.Mutex
	planted []planted
	waiting []*put // what comes late
	marked  map[mark]bool
}

// mark is something about which a fault is told each time once it was.
type mark struct {
	kind FaultKind
	of   int64 // an event or booking
}

type planted struct {
	kind  FaultKind
	left  int       // calls; -1: any number
	until time.Time // zero: no end
}

// NewFaults returns a far side without faults.
func NewFaults(clock hotel.Clock) *Faults {
	closed := make(chan struct{})
	return &Faults{clock: clock, closed: closed, end: sync.OnceFunc(func() { close(closed) })}
}

// Close lets hanging calls go, and what is late get lost.
func (f *Faults) Close() {
	f.end()
	f.forget()
}

// Plant adds a fault. It refuses kinds that it does not know and negative
// numbers.
func (f *Faults) Plant(fault Fault) error {
	if known := slices.Concat(outer, inner); !slices.Contains(known, fault.Kind) {
		return fmt.Errorf("fault kind %q is none of %v", fault.Kind, known)
	}
	if fault.Count < 0 || fault.Seconds < 0 {
		return fmt.Errorf("count and seconds of a fault are not negative")
	}
	p := planted{kind: fault.Kind, left: fault.Count}
	if fault.Seconds > 0 {
		p.until = f.clock.Now().Add(time.Duration(fault.Seconds) * time.Second)
	}
	if fault.Count == 0 {
		p.left = 1
		if fault.Seconds > 0 {
			p.left = -1
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.planted = append(f.planted, p)
	return nil
}

// Clear forgets what was planted and lets nobody go who hangs already.
func (f *Faults) Clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.planted = nil
}

// OfUpdate returns what is to go wrong within the update at hand: Reject, Partial,
// Late or Half, "" when nothing is. A simulator asks once for each update, so that
// other calls use nothing up.
func (f *Faults) OfUpdate() FaultKind {
	p, _ := f.take(func(k FaultKind) bool { return k == Reject || k == Partial || k == Late || k == Half })
	return p.kind
}

// OfAction returns what is to go wrong within the action at hand: Reject or Late, ""
// when nothing is. Other calls use nothing up.
func (f *Faults) OfAction() FaultKind {
	p, _ := f.take(func(k FaultKind) bool { return k == Reject || k == Late })
	return p.kind
}

// Queues reports whether the update at hand is to wait in a queue.
func (f *Faults) Queues() bool {
	_, queues := f.take(func(k FaultKind) bool { return k == Queued })
	return queues
}

// Repeats reports whether the page of messages at hand is to say that it comes
// once more.
func (f *Faults) Repeats() bool {
	_, repeats := f.take(func(k FaultKind) bool { return k == RepeatPage })
	return repeats
}

// Garbles reports whether the message about an event is to be one that nobody
// can read. Once it is, it stays so, however often it is told.
func (f *Faults) Garbles(event int64) bool {
	return f.marks(Garble, event)
}

// Unmaps reports whether what is told of a booking is to name neither room nor rate.
// Once it is, it stays so until [Faults.Maps].
func (f *Faults) Unmaps(booking int64) bool { return f.marks(Unmapped, booking) }

// Maps has what is told of a booking name room and rate from now on: somebody has mended
// the far side's own mapping.
func (f *Faults) Maps(booking int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.marked, mark{Unmapped, booking})
}

func (f *Faults) marks(kind FaultKind, of int64) bool {
	at := mark{kind, of}
	f.mu.Lock()
	known := f.marked[at]
	f.mu.Unlock()
	if known {
		return true
	}
	_, marks := f.take(func(k FaultKind) bool { return k == kind })
	if marks {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.marked == nil {
			f.marked = map[mark]bool{}
		}
		f.marked[at] = true
	}
	return marks
}

// take uses up one call of the first living fault of a wanted kind.
func (f *Faults) take(wanted func(FaultKind) bool) (planted, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.clock.Now()
	var living []planted
	for _, p := range f.planted {
		if p.until.IsZero() || now.Before(p.until) {
			living = append(living, p)
		}
	}
	f.planted = living
	for i, p := range f.planted {
		if !wanted(p.kind) {
			continue
		}
		if p.left > 0 {
			f.planted[i].left--
		}
		if p.left == 1 {
			f.planted = append(f.planted[:i:i], f.planted[i+1:]...)
		}
		return p, true
	}
	return planted{}, false
}

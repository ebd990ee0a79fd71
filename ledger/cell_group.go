package ledger

import (
	"time"

	"ostler.example/hotel"
)

// state says where one field group of a cell stands with its channel.
type state int64

// The states, as they are stored.
const (
	settled  state = iota // held is what the channel last confirmed
	inFlight              // a call that carries the group is under way
	unknown               // the last call has no known outcome: an old or a new value may be shown
	rejected              // the channel refused want; it is sent again when want changes
	withheld              // want is not sent on purpose, until it changes or somebody releases it
	seen                  // asked, the channel showed something else than it last confirmed, or settled a doubt
	left                  // likewise, and what it shows is left standing until want changes or somebody decides
)

// group is what is known of one field group of one cell. Its moves are the
// whole of a cell's life:
//
//	desire   want := v                    rejected, withheld -> unknown, for v is another value
//	cap      want := v, asked := want     likewise
//	begin    in flight; may rises         v is about to be sent
//	applied  held := v, settled           unknown, if the channel moved its count since
//	refused  rejected                     unknown, if want is another value by now
//	parked   rejected                     nothing was sent, so only if v is still to be told
//	withhold withheld                     likewise
//	retry    unknown                      only what is rejected
//	lost     unknown                      held stays, and so does what it may show
//	sold     held less what was sold      the channel has lowered the number by itself
//	moved    unknown                      the channel has changed the number by itself
//	saw      seen                         it was asked, and shows what nobody knew
//	leave    left                         and that is not put right
//	waver    seen, left -> unknown        something else is shown, and may be on its way
//	guard    withheld, seen, left -> unknown
//
// What is seen and what is held stay two facts: held is the channel's word, shown
// its deed.
//
// A refusal does not say what is shown instead: a call before it may have been
// lost, or the channel may have moved its count. So what was refused once is
// never taken for settled without an answer.
type group struct {
	want, held       *int64 // nil: not carried; nothing known
	asked            *int64 // what the house asks for, where a price was capped or some of what was seen is left standing; nil: want
	shown            *int64 // when it was last asked; nil: it never was, or did not say
	shownAt          *int64 // when that was
	wantSeq, heldSeq *int64 // the oldest entry that is not confirmed; where the journal stood when held was stored
	entry            *int64 // the newest entry behind want, or behind ordered
	heldAt           *int64 // availability: microseconds, when held was confirmed
	may              *int64 // availability: the most that may be shown
	ownSeq           int64  // availability: newest entry by which the channel moved the count itself
	state            state

	// Availability in a guarded pool: it is told what it is ordered and nothing
	// else, and want is the most that may be.
	guarded bool
	ordered *int64
}

// dirty reports whether want differs from something that the channel may hold.
// What was rejected or withheld waits for another value.
func (g *group) dirty() bool {
	switch {
	case g.want == nil, g.state == rejected, g.state == withheld, g.state == left:
		return false
	case g.guarded:
		return g.ordered != nil || g.state == inFlight
	case g.state == seen:
		return !same(g.shown, g.want)
	case g.state != settled:
		return true
	}
	return g.held == nil || *g.held != *g.want
}

// sendable reports whether the group may be put into a call now.
func (g *group) sendable() bool { return g.dirty() && g.state != inFlight }

// guard makes the counter one that is told what it is ordered. What was withheld of it,
// or was left as it was seen, binds no order.
func (g *group) guard() {
	g.guarded, g.ordered = true, nil
	if g.state == withheld || g.state == seen || g.state == left {
		g.state = unknown
	}
}

// next returns what the channel is to be told.
func (g *group) next() *int64 {
	if g.guarded {
		return g.ordered
	}
	return g.want
}

// tightens reports whether a cell is to be told what is wanted but for what that
// opens, which somebody has still to decide about.
func (g *group) tightens(c SentCell) bool {
	return c.Cell.Group == hotel.Closures && g.want != nil && g.last() != nil && c.Value == tighter(*g.last(), *g.want)
}

// most returns the most that the counter may show, nil when that is in doubt.
func (g *group) most() *int64 {
	if !g.guarded {
		return g.may
	}
	if *g.ordered == 0 {
		return nil
	}
	return new(int64) // it has sold what it had
}

// least returns the least that the counter may show, nil when that is in doubt. A read
// is believed at once where it shows fewer rooms than is known of.
func (g *group) least() *int64 {
	n := g.may
	if g.held != nil && (n == nil || *g.held < *n) {
		n = g.held
	}
	if g.shown != nil && (g.heldAt == nil || *g.shownAt >= *g.heldAt) && (n == nil || *g.shown < *n) {
		n = g.shown
	}
	return n
}

// known returns what the channel is known to hold, nil when that is in doubt.
func (g *group) known() *int64 {
	if g.state == unknown {
		return nil
	}
	return g.last()
}

// last returns what the channel was last known to show, whatever was sent since.
func (g *group) last() *int64 {
	if g.goesByShown() {
		return g.shown
	}
	return g.held
}

// shownSince returns what was shown when it was last asked, nil where that was before the
// channel last confirmed a count: it says nothing of what became of that.
func (g *group) shownSince() *int64 {
	if g.heldAt != nil && g.shownAt != nil && *g.shownAt < *g.heldAt {
		return nil
	}
	return g.shown
}

// goesByShown reports whether what was read last is newer than the channel's own word.
func (g *group) goesByShown() bool { return g.state == seen || g.state == left }

// sure reports whether it is known what the channel shows.
func (g *group) sure() bool { return g.state == settled || g.state == seen || g.state == left }

// untold reports whether the channel was never told anything of the counter, nor
// has moved it or was asked since it went live: it shows what was stated then.
func (g *group) untold(opening int64) bool {
	return g.state == settled && g.heldSeq == nil && g.ownSeq == 0 && g.shownAt == nil && same(g.held, &opening)
}

// fresh reports whether the channel was never told anything of the group, nor is it
// known what it shows.
func (g *group) fresh() bool {
	return g.state == settled && g.held == nil && g.may == nil && !g.guarded
}

// shows reports whether the channel is known to show v.
func (g *group) shows(v *int64) bool { return g.sure() && same(g.last(), v) }

// origin says which journal entries a value follows from.
type origin struct {
	oldest int64 // that may have changed it
	newest int64 // that it takes in
}

// originAt is that of what a single entry brings.
func originAt(entry int64) origin { return origin{entry, entry} }

// join is that of what follows from both; one of nothing says nothing.
func (o origin) join(with origin) origin {
	if o == (origin{}) {
		return with
	}
	return origin{min(o.oldest, with.oldest), max(o.newest, with.newest)}
}

// origin says what the wanted value follows from.
func (g *group) origin() origin { return origin{*g.wantSeq, *g.entry} }

// behind is the newest entry behind what is wanted, 0 where nothing is.
func (g *group) behind() int64 {
	if g.entry == nil {
		return 0
	}
	return *g.entry
}

// desire sets what the channel is to show. What waited unconfirmed before keeps its
// own oldest entry. A price that is capped stays so while the house asks for the same.
func (g *group) desire(v *int64, o origin) {
	if same(g.house(), v) {
		return
	}
	g.asked = nil
	g.tell(v, o)
}

// cap has v sent in place of what the house asks for, until it asks for something
// else: the nearest price that a guard lets pass, or what the house asks for but for
// fields in which what the channel shows is left standing.
func (g *group) cap(v *int64, o origin) {
	house := g.house()
	g.tell(v, o)
	if g.asked = house; same(house, v) {
		g.asked = nil
	}
}

// house returns what the house asks for, which is what the channel is to be told
// but for what is capped.
func (g *group) house() *int64 {
	if g.asked != nil {
		return g.asked
	}
	return g.want
}

func (g *group) tell(v *int64, o origin) {
	if !g.dirty() || g.wantSeq == nil {
		g.wantSeq = &o.oldest
	}
	g.want = v
	g.follows(o.newest)
	switch g.state {
	case rejected, withheld:
		g.state = unknown
	case left:
		g.state = seen
	case settled, inFlight, unknown, seen:
	}
}

// follows notes an entry that what the channel is to show takes in. What is worked
// out of an older one later takes in all that was known before.
func (g *group) follows(entry int64) {
	if g.entry == nil || *g.entry < entry {
		g.entry = &entry
	}
}

// begin notes that v is about to be sent. Where nothing is known, 0 says nothing
// of what is shown until it is confirmed.
func (g *group) begin(v int64) {
	g.state, g.ordered = inFlight, nil
	if g.may == nil && v > 0 || g.may != nil && *g.may < v {
		g.may = &v
	}
}

// applied notes that the channel confirmed v at an instant, in microseconds, which
// was stored to be sent when the journal stood at seq.
func (g *group) applied(v, seq, at int64) {
	g.held, g.heldSeq, g.heldAt = &v, &seq, &at
	if g.ownSeq > seq {
		g.state = unknown
		return
	}
	g.state = settled
	g.may = &v
}

// refused notes that the channel refused what was sent.
func (g *group) refused(c SentCell) {
	g.state = unknown
	if g.guarded || same(g.want, &c.Value) || g.tightens(c) {
		g.state = rejected
	}
}

// parked notes that the channel, which was not called, cannot be told a value.
func (g *group) parked(c SentCell) {
	if g.sendable() && (*g.next() == c.Value || g.tightens(c)) {
		g.state = rejected
	}
}

// retry has what was refused told again. seq is the journal entry from which it is
// waited for.
func (g *group) retry(seq int64) {
	if g.state == rejected {
		g.state, g.wantSeq = unknown, &seq
	}
}

// withhold notes that v is not to be sent. It reports whether it was about to be.
func (g *group) withhold(v int64) bool {
	if !g.sendable() || *g.want != v {
		return false
	}
	g.state = withheld
	return true
}

// lost notes that nobody knows what became of what was sent. A call that failed
// before a byte left counts as lost too: whatever may have been shown before it
// may be shown still, and the group is sent again.
func (g *group) lost() { g.state = unknown }

// clocksApart is by how much a channel's clock may differ from ours at the most for
// its word on when it sold something to be taken.
const clocksApart = 10 * time.Minute

// sold notes that the channel has sold rooms by the counter at an instant, in
// microseconds: it shows so many fewer. To tell it the same would waste a call, and
// open a room again that it has sold meanwhile. Of what was sold about when the count
// was confirmed nobody knows which came first.
func (g *group) sold(seq, rooms, at int64) {
	if g.guarded || g.state != settled || g.held == nil || *g.held < rooms || g.heldAt == nil || *g.heldAt >= at-clocksApart.Microseconds() {
		g.moved(seq, 0)
		return
	}
	if !g.dirty() {
		g.wantSeq = &seq
	}
	held := *g.held - rooms
	g.held, g.may, g.ownSeq = &held, &held, seq
}

// moved notes that the channel may have changed the number by itself, upwards by
// at most back.
func (g *group) moved(seq, back int64) {
	if g.guarded {
		g.ownSeq = seq
		return // it was granted what it has sold
	}
	if !g.dirty() {
		g.wantSeq = &seq
	}
	g.ownSeq = seq
	if g.sure() {
		g.state = unknown
	}
	if g.may != nil {
		most := *g.may + back
		g.may = &most
	}
}

// saw notes that the channel shows v, which nobody knew. seq is the journal entry
// from which a difference to want is waited for.
func (g *group) saw(v, seq int64) {
	if !g.dirty() {
		g.wantSeq = &seq
	}
	g.shown, g.may, g.state = &v, &v, seen
}

// waver has what was seen count for nothing once something else is shown while a call may
// still act: it was seen too early, by a clock that was set. seq is the journal entry from
// which a difference to want is waited for.
func (g *group) waver(v, seq int64) {
	if !g.goesByShown() || same(g.shown, &v) {
		return
	}
	if !g.dirty() {
		g.wantSeq = &seq
	}
	g.state = unknown
	if g.may != nil {
		g.may = new(max(*g.may, v))
	}
}

// leave has what was seen left standing.
func (g *group) leave() {
	if g.state == seen {
		g.state = left
	}
}

// leavesClosed reports whether closures are closed as the channel was seen to show them, which
// is left standing, while the house is open.
func (g *group) leavesClosed() bool {
	stands := g.want
	if g.state == left {
		stands = g.shown
	}
	return closes(stands) && !closes(g.house())
}

// closes reports whether closures close the night.
func closes(closures *int64) bool {
	return closures != nil && hotel.DecodeOffer(hotel.Closures, *closures, "").Closed.Closed
}

func same[V comparable](a, b *V) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

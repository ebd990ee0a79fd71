package exposure

import (
	"fmt"
	"slices"
	"time"
)

// The search walks through everything that can happen to the rooms of one night:
// guests book and cancel at channels, notices come late or in any order, messages
// are lost, late or repeated, answers are lost, the program is killed, and the
// program itself does whatever the rules allow, at any moment. It ends when no new
// state is found. That the promise holds in every one of them is the proof that
// the rules are enough; that it breaks when a rule is left out is the proof that
// the search would see it.

// at is the search's only instant: time passes by making things old.
var at = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

const lifetime = time.Minute

var old = at.Add(-time.Hour)

// world is what a search is about.
type world struct {
	rooms, parties int
	ability        Ability
	lives          int  // most bookings of a party at a time
	late           bool // unanswered messages may act later
	copies         bool // messages may act again
	sets           bool // an open party may be given another value
	settles        bool // parties may be settled by reading
	strangers      bool // it begins with rooms on sale of which nothing is known
	shared         bool // and with a value on its way that was sent while the pool was shared, behind one that went unanswered
	strays         bool // the parties are counters of one channel, and nobody has mapped the codes of its bookings yet
	moves          bool // bookings are moved to codes that nobody has mapped yet, of rooms that are not sold here
	contract       int  // rooms that each channel sells whatever it shows, until the contract ends
	broken         string
}

// site is one channel as it really is, and what is on the way to it and from it.
type site struct {
	count, live int8 // of a total, the count is the most that it sells in all
	other       int8 // the count at the second place of a relay
	unheard     int8 // bookings of which we have not heard
	fresh       int8 // of those, the ones that no list shows yet
	gone        int8 // cancellations of which we have not heard
	moved       int8 // bookings that were moved elsewhere, of which we have not heard

	call     call // the call that is under way
	acted    bool // it has acted; its answer is on the way
	late     call // an unanswered message that may still act
	captured int8 // the count that a reading call saw, -1: none under way

	listing                bool // a list is being read; it shows these
	listed, freed, shifted int8

	p Party
}

// call is a message: a value, or a difference.
type call struct {
	kind  byte // 0: none, s: set
	value int8
	old   bool // a newer one has acted
}

type state struct {
	direct int8
	over   bool // the contract has ended
	mapped bool // by now the codes of all bookings are
	away   int8 // bookings under codes that nobody has mapped, of rooms that are not sold here
	sites  [2]site
}

// promised is how many rooms a channel sells whatever it shows.
func (w world) promised(s state) int {
	if s.over {
		return 0
	}
	return w.contract
}

func (s state) recorded(i int) int {
	return int(s.sites[i].live - s.sites[i].unheard + s.sites[i].gone + s.sites[i].moved)
}

// own is how many bookings came under the codes of a party.
func (w world) own(s state, i int) int {
	if w.strays && !s.mapped {
		return 0
	}
	return s.recorded(i)
}

// counted is how many bookings a party may have sold.
func (w world) counted(s state, i int) int {
	if s.mapped {
		return s.recorded(i)
	}
	if !w.strays {
		return s.recorded(i) + int(s.away)
	}
	strays := int(s.away)
	for j := range w.parties {
		strays += s.recorded(j)
	}
	if w.broken == "what is not mapped counts nowhere" {
		return 0
	}
	return strays
}

func (w world) holdings(s state) []Holding {
	var out []Holding
	for i := range w.parties {
		out = append(out, Holding{s.sites[i].p, w.own(s, i)})
	}
	return out
}

// wrong says what of the promise does not hold, "" when all does.
func (w world) wrong(s state) string {
	sold := int(s.direct)
	for i := range w.parties {
		c := s.sites[i]
		sold += int(c.live)
		if w.broken == "" && !c.p.Unknown && max(int(c.live+w.left(c)+c.other), w.promised(s)) > c.p.Account {
			return fmt.Sprintf("channel %d: %d sold and %d on sale with %d granted", i, c.live, w.left(c)+c.other, c.p.Account)
		}
	}
	for i := range w.parties {
		if w.broken == "" && s.sites[i].p.Accepted > 0 {
			return fmt.Sprintf("channel %d: nobody has raised its count, and it is taken for raised", i)
		}
	}
	if sold > w.rooms {
		return fmt.Sprintf("%d sold of %d", sold, w.rooms)
	}
	left := w.rooms - int(s.direct)
	for i := range w.parties {
		left -= s.sites[i].p.Account
	}
	// What is found when an unknown past is drained is a fact.
	if w.broken == "" && !w.strangers && left < 0 {
		return fmt.Sprintf("%d left to deal", left)
	}
	return ""
}

// key is a state in few bytes, by which it is found again.
type key [1 + 2*siteBytes]byte

const siteBytes = 27

var doings = []Doing{Resting, Setting, Set, Closing, Closed, Drained, Counting, Counted}

func (s state) key() key {
	var k key
	k[0] = byte(s.direct) | byte(s.away)<<4
	if s.over {
		k[0] |= 1 << 7
	}
	if s.mapped {
		k[0] |= 1 << 6
	}
	bits := func(flags ...bool) (b byte) {
		for i, f := range flags {
			if f {
				b |= 1 << i
			}
		}
		return b
	}
	for i, c := range s.sites {
		p := c.p
		copy(k[1+siteBytes*i:], []byte{
			byte(c.count), byte(c.other), byte(c.live), byte(c.unheard), byte(c.fresh), byte(c.gone),
			c.call.kind, byte(c.call.value), c.late.kind, byte(c.late.value), byte(c.captured), byte(c.listed), byte(c.freed), byte(c.moved<<4 | c.shifted),
			bits(c.call.old, c.acted, c.late.old, c.listing, p.Unknown, p.Raise, p.Clean),
			byte(p.Account), byte(p.Paid), byte(slices.Index(doings, p.Doing)), byte(p.Value), byte(p.Back), byte(p.Read), byte(p.Accepted),
			bits(p.RaiseLast.Equal(at), p.RaiseLast.Equal(old), p.Since.Equal(at), p.Since.Equal(old)),
		})
	}
	return k
}

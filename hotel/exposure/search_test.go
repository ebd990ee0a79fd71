package exposure

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
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
	adjusts        bool // counts are changed by differences
	strangers      bool // it begins with rooms on sale of which nothing is known
	contract       int  // rooms that each channel sells whatever it shows, until the contract ends
	broken         string
}

// site is one channel as it really is, and what is on the way to it and from it.
type site struct {
	count, live int8
	other       int8 // the count at the second place of a relay
	unheard     int8 // bookings of which we have not heard
	fresh       int8 // of those, the ones that no list shows yet
	gone        int8 // cancellations of which we have not heard

	call     call // the call that is under way
	acted    bool // it has acted; its answer is on the way
	refused  bool
	late     call // an unanswered message that may still act
	captured int8 // the count that a reading call saw, -1: none under way

	listing       bool // a list is being read; it shows these
	listed, freed int8

	p Party
}

// call is a message: a value, or a difference.
type call struct {
	kind  byte // 0: none, s: set, d: difference
	value int8
	old   bool // a newer one has acted
}

type state struct {
	direct int8
	over   bool // the contract has ended
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
	return int(s.sites[i].live - s.sites[i].unheard + s.sites[i].gone)
}

func (w world) holdings(s state) []Holding {
	var out []Holding
	for i := range w.parties {
		out = append(out, Holding{s.sites[i].p, s.recorded(i)})
	}
	return out
}

// wrong says what of the promise does not hold, "" when all does.
func (w world) wrong(s state) string {
	sold := int(s.direct)
	for i := range w.parties {
		c := s.sites[i]
		sold += int(c.live)
		if w.broken == "" && !c.p.Unknown && max(int(c.live+c.count+c.other), w.promised(s)) > c.p.Account {
			return fmt.Sprintf("channel %d: %d sold and %d on sale with %d granted", i, c.live, c.count+c.other, c.p.Account)
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
type key [1 + 2*25]byte

var doings = []Doing{Resting, Setting, Set, Closing, Closed, Drained, Counting, Counted}

func (s state) key() key {
	var k key
	k[0] = byte(s.direct)
	if s.over {
		k[0] |= 1 << 7
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
		copy(k[1+25*i:], []byte{
			byte(c.count), byte(c.other), byte(c.live), byte(c.unheard), byte(c.fresh), byte(c.gone),
			c.call.kind, byte(c.call.value), c.late.kind, byte(c.late.value), byte(c.captured), byte(c.listed), byte(c.freed),
			bits(c.call.old, c.acted, c.refused, c.late.old, c.listing, p.Unknown, p.Raise, p.Clean),
			byte(p.Account), byte(p.Paid), byte(slices.Index(doings, p.Doing)), byte(p.Value), byte(p.Back), byte(p.Read),
			bits(p.RaiseLast.Equal(at), p.RaiseLast.Equal(old), p.Since.Equal(at), p.Since.Equal(old)),
		})
	}
	return k
}

// step is one thing that can happen.
type step struct {
	name string
	to   state
}

// begin is the state in which nothing has happened.
func (w world) begin() state {
	var s state
	for i := range w.parties {
		s.sites[i].captured = -1
		if w.strangers {
			s.sites[i].p = Stranger(at)
			s.sites[i].count = 1
		}
		s.sites[i].p = s.sites[i].p.Contracted(w.contract)
	}
	return s
}

// next lists everything that can happen in a state.
func (w world) next(s state) []step {
	var out []step
	left, known := Undealt(w.rooms, int(s.direct), w.holdings(s))
	if w.broken == "the desk sells what looks free" {
		left, known = w.rooms-int(s.direct), true
		for i := range w.parties {
			left -= s.recorded(i)
		}
	}
	if known && left >= 1 {
		t := s
		t.direct++
		out = append(out, step{"the desk sells", t})
	}
	left, _ = Undealt(w.rooms, int(s.direct), w.holdings(s))
	for i := range w.parties {
		out = append(out, w.guests(s, i)...)
		out = append(out, w.network(s, i)...)
		out = append(out, w.notices(s, i)...)
		out = append(out, w.daemon(s, i, left)...)
	}
	crashed := s
	for i := range w.parties {
		c := &crashed.sites[i]
		if c.call.kind != 0 && !c.acted {
			c.late = w.later(*c)
		}
		c.call, c.acted, c.refused, c.listing, c.listed, c.freed, c.captured = call{}, false, false, false, 0, 0, -1
		c.p = c.p.Restarted(at)
	}
	out = append(out, step{"killed and started", crashed})
	if w.contract > 0 && !s.over {
		ended := s
		ended.over = true
		for i := range w.parties {
			if w.broken != "what was closed beside a contract stays closed" {
				ended.sites[i].p = ended.sites[i].p.Uncontracted(w.ability)
			}
		}
		out = append(out, step{"the contract ends", ended})
	}
	for n := range out {
		for i := range w.parties {
			if w.broken != "a closing takes back what a contract promises" {
				out[n].to.sites[i].p = out[n].to.sites[i].p.Contracted(w.promised(out[n].to))
			}
		}
	}
	return out
}

// later is the message that may still act when the call is given up.
func (w world) later(c site) call {
	if w.late && c.late.kind == 0 && (c.call.kind == 'd' && c.call.value > 0 || c.call.kind == 's' && c.call.value > 0) {
		return c.call
	}
	return c.late
}

// guests book and cancel.
func (w world) guests(s state, i int) []step {
	var out []step
	c := s.sites[i]
	if (c.count > 0 || int(c.live) < w.promised(s)) && int(c.live) < w.lives {
		t := s
		d := &t.sites[i]
		d.count = max(0, d.count-1)
		d.live++
		d.unheard++
		if w.ability.Lag > 0 {
			d.fresh++
		}
		out = append(out, step{fmt.Sprintf("%d sells", i), t})
	}
	if c.other > 0 && int(c.live) < w.lives {
		t := s
		d := &t.sites[i]
		d.other--
		d.live++
		d.unheard++
		out = append(out, step{fmt.Sprintf("%d sells at its second place", i), t})
	}
	if c.live > 0 && c.gone < 2 {
		t := s
		d := &t.sites[i]
		d.live--
		d.gone++
		if w.ability.Replenishes {
			d.count++
		}
		out = append(out, step{fmt.Sprintf("%d cancels", i), t})
	}
	return out
}

// act lets a message act at the channel.
func (w world) act(d *site, m call) {
	if m.old && w.ability.Versions {
		return
	}
	switch m.kind {
	case 's':
		d.count = m.value
		if w.ability.Sites > 1 {
			d.other = m.value
		}
		d.late.old = d.late.kind != 0
	case 'd':
		if d.count+m.value < 0 {
			if !w.ability.Refuses {
				d.count = 0
			}
			return
		}
		d.count += m.value
	}
}

// network moves calls and answers.
func (w world) network(s state, i int) []step {
	var out []step
	c := s.sites[i]
	if c.call.kind != 0 && !c.acted {
		t := s
		d := &t.sites[i]
		d.refused = d.call.kind == 'd' && d.count+d.call.value < 0 && w.ability.Refuses
		w.act(d, d.call)
		d.acted = true
		if w.copies && d.late.kind == 0 && d.call.value > 0 {
			d.late = d.call
			d.late.old = true // a version that is not newer is as good as older
		}
		out = append(out, step{fmt.Sprintf("%d takes the call", i), t})
	}
	if c.call.kind != 0 {
		t := s
		d := &t.sites[i]
		if !d.acted {
			d.late = w.later(*d)
		}
		switch {
		case w.broken == "a raise without an answer is given back" && d.call.value > 0:
			d.p.Account -= d.p.Paid
			d.p.Paid = 0
		case w.broken == "a closing without an answer counts as answered" && d.call == (call{kind: 's'}):
			d.p = d.p.Shut(at)
		}
		d.call, d.acted, d.refused = call{}, false, false
		out = append(out, step{fmt.Sprintf("%d: no answer", i), t})
	}
	if c.acted {
		t := s
		d := &t.sites[i]
		switch live := t.recorded(i); {
		case c.call.value < 0 && !c.refused:
			if w.broken == "a difference below none counts as taken" {
				d.p.Account = max(live, d.p.Account+int(c.call.value))
			}
			d.p = d.p.Taken(int(-c.call.value), w.ability)
		case c.call.value < 0:
		case c.call.value == 0:
			d.p = d.p.Shut(at)
			if w.broken == "a closing that is answered frees" {
				d.p.Account = min(d.p.Account, live)
			}
		default:
			d.p = d.p.Applied(w.ability, at)
			if w.broken == "pays when the answer comes" {
				d.p.Account += int(c.call.value)
			}
		}
		d.call, d.acted, d.refused = call{}, false, false
		out = append(out, step{fmt.Sprintf("%d: answered", i), t})
	}
	if c.late.kind != 0 {
		t := s
		d := &t.sites[i]
		m := d.late
		d.late = call{}
		w.act(d, m)
		out = append(out, step{fmt.Sprintf("%d: a late message acts", i), t})
	}
	if c.p.Raise && c.p.RaiseLast.Equal(at) && w.ability.Lifetime > 0 && c.call.kind == 0 {
		t := s
		d := &t.sites[i]
		d.late = call{}
		d.p.RaiseLast = old
		out = append(out, step{fmt.Sprintf("%d: a lifetime passes", i), t})
	}
	if w.ability.Lag > 0 && (c.fresh > 0 || c.p.Since.Equal(at)) {
		t := s
		d := &t.sites[i]
		d.fresh = 0
		if !d.p.Since.IsZero() {
			d.p.Since = old
		}
		out = append(out, step{fmt.Sprintf("%d: the lag passes", i), t})
	}
	if c.captured == -2 {
		t := s
		t.sites[i].captured = c.count
		out = append(out, step{fmt.Sprintf("%d shows its count", i), t})
	}
	return out
}

// hear records the oldest booking, or cancellation, of which we have not heard.
func (w world) hear(t *state, i int, sale bool) {
	d := &t.sites[i]
	if sale {
		d.unheard--
		d.fresh = min(d.fresh, d.unheard)
		d.listed = max(0, d.listed-1)
		return
	}
	if t.recorded(i) == 0 { // its booking comes with it
		w.hear(t, i, true)
	}
	d.gone--
	back := d.p.Back
	a := w.ability
	if w.promised(*t) > 0 {
		a = a.Contracted()
	}
	d.p = d.p.Freed(a)
	d.p.Back = min(d.p.Back, 3)
	switch w.broken {
	case "a cancellation frees though the count goes up":
		d.p.Account = max(t.recorded(i), d.p.Account-1)
	case "cancellations during a closing are forgotten":
		d.p.Back = back
	}
	d.freed = max(0, d.freed-1)
}

// notices are what we hear of guests.
func (w world) notices(s state, i int) []step {
	var out []step
	c := s.sites[i]
	if c.unheard > 0 {
		t := s
		w.hear(&t, i, true)
		out = append(out, step{fmt.Sprintf("%d: we hear of a booking", i), t})
	}
	if c.gone > 0 && (s.recorded(i) > 0 || c.unheard > 0) {
		t := s
		w.hear(&t, i, false)
		out = append(out, step{fmt.Sprintf("%d: we hear of a cancellation", i), t})
	}
	if !c.listing {
		t := s
		d := &t.sites[i]
		d.listing, d.listed, d.freed = true, d.unheard-d.fresh, d.gone
		a := w.ability
		if w.broken == "a feed that lags is read at once" {
			a.Lag = 0
		}
		was := d.p
		d.p = d.p.Listing(1, a, at)
		if w.broken == "a list begun before the answer counts" && was.Doing == Closing && was.Clean {
			d.p.Read = 1
		}
		out = append(out, step{fmt.Sprintf("%d: a list begins", i), t})
		return out
	}
	t := s
	d := &t.sites[i]
	n := d.listed
	if w.broken == "the last page is skipped" && n > 0 {
		n--
	}
	for range n {
		w.hear(&t, i, true)
	}
	for d.freed > 0 {
		w.hear(&t, i, false)
	}
	d.listing, d.listed, d.freed = false, 0, 0
	if w.broken != "a list begun before the answer counts" || d.p.Doing == Closed {
		d.p = d.p.Listed(1, t.recorded(i), w.ability)
	}
	d.p.Back = min(d.p.Back, 3)
	return append(out, step{fmt.Sprintf("%d: the list ends", i), t})
}

// daemon is what the program may do.
func (w world) daemon(s state, i, left int) []step {
	var out []step
	c := s.sites[i]
	if c.call.kind != 0 {
		return nil
	}
	do := func(name string, p Party, err error, m call) {
		if err != nil {
			return
		}
		t := s
		d := &t.sites[i]
		d.p = p
		if m.kind != 0 {
			d.call = m
			d.late.old = d.late.kind != 0
			d.captured = -1
		}
		out = append(out, step{fmt.Sprintf("%d: %s", i, name), t})
	}
	open := c.p.Doing != Drained && (c.p.Account > 0 || c.p.Doing != Resting)
	for v := 1; v <= w.rooms && !w.adjusts; v++ {
		if open && !w.sets && w.broken == "" {
			break
		}
		p, err := c.p.Grant(v, left, w.ability, at, at)
		m := call{kind: 's', value: int8(v)}
		switch w.broken {
		case "pays when the answer comes":
			if err == nil {
				p.Account, p.Paid = c.p.Account, 0
			}
		case "a relay's count is paid once":
			if q, e := c.p.Grant(v, left, base, at, at); e == nil {
				p, err = q, nil
			}
		case "tops up for the difference":
			if e, known := c.p.Exposure(s.recorded(i)); known && e < v && c.p.dead(w.ability, at) && left >= v-e {
				p, err = c.p.raised(v-e, at).begin(Setting, v), nil
				p.Account += v - e
			}
		case "lowered by a value above none":
			if e, known := c.p.Exposure(s.recorded(i)); known && e > v && c.p.dead(w.ability, at) {
				p, err = c.p.begin(Setting, v), nil
				p.Account = s.recorded(i) + v
			}
		case "the open value is sent again":
			if e, known := c.p.Exposure(s.recorded(i)); known && e == v && c.p.dead(w.ability, at) && c.p.Doing != Drained {
				p, err = c.p, nil
			}
		case "a raise is repeated after a time-out":
			if c.p.Doing == Setting && c.p.Value == v && c.p.Raise {
				p, err = c.p, nil
			}
		}
		do(fmt.Sprintf("send %d", v), p, err, m)
	}
	if w.adjusts {
		p, err := c.p.Add(1, left, w.ability, at, at)
		if w.broken == "a difference is repeated unpaid" && c.p.Raise {
			p, err = c.p, nil
		}
		do("send +1", p, err, call{kind: 'd', value: 1})
		p, err = c.p.Take(w.ability, at)
		do("send -1", p, err, call{kind: 'd', value: -1})
	}
	p := c.p.Close(0, w.ability, at)
	switch w.broken {
	case "a late raise is ignored":
		p.Clean = true
	case "waits after the closing":
		if c.p.Doing == Closed && c.p.dead(w.ability, at) {
			p = c.p
			p.Clean = true
		}
	}
	do("send 0", p, nil, call{kind: 's'})
	if w.settles {
		switch {
		case c.captured == -1:
			p, err := c.p.Count(w.ability, at)
			if w.broken == "settles while a raise may act" {
				p, err = c.p.begin(Counting, 0), nil
			}
			if err == nil {
				t := s
				t.sites[i].p, t.sites[i].captured = p, -2
				out = append(out, step{fmt.Sprintf("%d: asks for the count", i), t})
			}
		case c.captured >= 0:
			t := s
			t.sites[i].p = c.p.CountRead(int(c.captured), at)
			if w.broken == "settles with the bookings first" {
				t.sites[i].p.Read = 1
				t.sites[i].p = t.sites[i].p.Listed(1, s.recorded(i), w.ability)
			}
			t.sites[i].captured = -1
			out = append(out, step{fmt.Sprintf("%d: the count comes", i), t})
		}
	}
	if w.broken == "trusts what it knew before" && c.p.Unknown {
		p := c.p
		p.Unknown, p.Raise, p.Account = false, false, s.recorded(i)
		do("trusts", p, nil, call{})
	}
	return out
}

// search returns how many states there are, and how the promise was broken.
func (w world) search(most int) (states int, history []string) {
	type from struct {
		at   int
		name string
	}
	first := w.begin()
	seen := map[key]bool{first.key(): true}
	queue := []state{first}
	came := []from{{-1, ""}}
	for n := 0; n < len(queue); n++ {
		for _, step := range w.next(queue[n]) {
			k := step.to.key()
			if seen[k] {
				continue
			}
			seen[k] = true
			queue = append(queue, step.to)
			came = append(came, from{n, step.name})
			if wrong := w.wrong(step.to); wrong != "" {
				history = []string{wrong}
				for k := len(queue) - 1; k > 0; k = came[k].at {
					history = append([]string{came[k].name}, history...)
				}
				return len(queue), history
			}
			if len(queue) > most {
				return len(queue), []string{"too many states"}
			}
		}
	}
	return len(queue), nil
}

// base is a channel that sets values, applies each request once and within a
// lifetime, and counts its own cancellations back.
var base = Ability{Once: true, Lifetime: lifetime, Replenishes: true, Extends: true}

func TestNoRoomIsSoldTwice(t *testing.T) {
	dry := base
	dry.Replenishes = false
	relay := dry
	relay.Sites = 2
	lagging := base
	lagging.Lag = time.Minute
	versions := Ability{Versions: true, Replenishes: true, Extends: true}
	refusing := Ability{Once: true, Lifetime: lifetime, Replenishes: true, Extends: true, Refuses: true}
	for _, w := range []struct {
		name string
		world
	}{
		{"one channel, two rooms", world{rooms: 2, parties: 1, lives: 2, ability: base, late: true}},
		{"one that does not replenish", world{rooms: 2, parties: 1, lives: 3, ability: dry, late: true}},
		{"given other values while open", world{rooms: 2, parties: 1, lives: 3, ability: dry, late: true, sets: true}},
		{"settled by reading", world{rooms: 1, parties: 1, lives: 2, ability: base, late: true, sets: true, settles: true}},
		{"a feed that lags", world{rooms: 1, parties: 1, lives: 2, ability: lagging, late: true, sets: true}},
		{"versions and copies", world{rooms: 1, parties: 1, lives: 2, ability: versions, copies: true, late: true, sets: true}},
		{"differences", world{rooms: 1, parties: 1, lives: 2, ability: refusing, late: true, adjusts: true}},
		{"two channels and the desk, one room", world{rooms: 1, parties: 2, lives: 1, ability: dry}},
		{"a contract, one channel and the desk", world{rooms: 2, parties: 1, lives: 2, ability: base, contract: 1}},
		{"a contract, given other values while open", world{rooms: 2, parties: 1, lives: 2, ability: dry, contract: 1, sets: true, late: true}},
		{"a relay that shows its count at two places", world{rooms: 2, parties: 1, lives: 2, ability: relay, late: true, sets: true}},
		{"unknown past", world{rooms: 1, parties: 1, lives: 2, ability: base, late: true, strangers: true}},
	} {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			states, history := w.search(2_000_000)
			if history != nil {
				t.Fatalf("after %d states:\n%s", states, strings.Join(history, "\n"))
			}
			t.Logf("%d states", states)
		})
	}
}

// Each of these is one rule left out. The search finds a night sold twice for
// every one of them.
func TestEveryRuleIsNeeded(t *testing.T) {
	one := world{rooms: 1, parties: 1, lives: 2, ability: base, late: true}
	with := func(broken string, change func(w *world)) world {
		w := one
		if change != nil {
			change(&w)
		}
		w.broken = broken
		return w
	}
	sets := func(w *world) { w.sets = true }
	two := func(w *world) { w.rooms, w.lives, w.sets = 2, 3, true }
	settles := func(w *world) { w.settles = true }
	for _, w := range []world{
		with("the desk sells what looks free", nil),
		with("pays when the answer comes", nil),
		with("a raise without an answer is given back", nil),
		with("a raise is repeated after a time-out", nil),
		with("the open value is sent again", sets),
		with("lowered by a value above none", two),
		with("tops up for the difference", two),
		with("a closing that is answered frees", nil),
		with("a closing without an answer counts as answered", nil),
		with("a list begun before the answer counts", nil),
		with("the last page is skipped", nil),
		with("a feed that lags is read at once", func(w *world) { w.ability.Lag = time.Minute }),
		with("a late raise is ignored", nil),
		with("waits after the closing", nil),
		with("a cancellation frees though the count goes up", nil),
		with("cancellations during a closing are forgotten", nil),
		with("settles with the bookings first", settles),
		with("settles while a raise may act", settles),
		with("a difference below none counts as taken", func(w *world) { w.adjusts = true }),
		with("a difference is repeated unpaid", func(w *world) { w.adjusts = true }),
		with("a relay's count is paid once", func(w *world) { w.ability.Sites = 2 }),
		with("a closing takes back what a contract promises", func(w *world) { w.contract = 1 }),
		with("what was closed beside a contract stays closed", func(w *world) { w.contract = 1 }),
		with("trusts what it knew before", func(w *world) { w.strangers = true }),
	} {
		t.Run(w.broken, func(t *testing.T) {
			t.Parallel()
			states, history := w.search(1_000_000)
			if history == nil || history[0] == "too many states" {
				t.Fatalf("the promise holds in all %d states", states)
			}
			t.Logf("%d steps: %s", len(history)-1, strings.Join(history, "; "))
		})
	}
}

func TestLevelOf(t *testing.T) {
	sound := hotel.Terms{
		AdjustsOn:  hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes},
		AtMostOnce: true, ListsByDate: true, Acknowledges: hotel.BySeller,
	}
	for _, c := range []struct {
		name   string
		change func(t *hotel.Terms)
		want   Level
	}{
		{"keeps every promise", func(*hotel.Terms) {}, Guaranteed},
		{"never extends a stay", func(t *hotel.Terms) { t.AdjustsOn.Modify = hotel.AdjustNever }, Guaranteed},
		{"versions in place of acting once", func(t *hotel.Terms) { t.AtMostOnce, t.Versions = false, true }, Guaranteed},
		{"lists with a known lag", func(t *hotel.Terms) { t.SaleSettle = time.Hour }, Guaranteed},
		{"tells nothing by date", func(t *hotel.Terms) { t.ListsByDate = false }, OneWay},
		{"a sale is never sure to be listed", func(t *hotel.Terms) { t.SaleSettle = hotel.Never }, OneWay},
		{"a relay answers", func(t *hotel.Terms) { t.Acknowledges = hotel.ByRelay }, OneWay},
		{"sells through nobody knows how many", func(t *hotel.Terms) { t.Sellers = hotel.Many }, BoundedRisk},
		{"sells through three", func(t *hotel.Terms) { t.Sellers, t.Sites = hotel.Many, 3 }, Guaranteed},
		{"sells through many, from one count", func(t *hotel.Terms) { t.Sellers, t.KeepsSum = hotel.Many, true }, Guaranteed},
		{"sells totals through three", func(t *hotel.Terms) { t.Sellers, t.Sites, t.TotalLimit = hotel.Many, 3, true }, BoundedRisk},
		{"a longer stay leaves its count", func(t *hotel.Terms) { t.AdjustsOn.Modify = hotel.AdjustNo }, BoundedRisk},
		{"a request may act again", func(t *hotel.Terms) { t.AtMostOnce = false }, BoundedRisk},
		{"differences that are refused, keys that are recognised", func(t *hotel.Terms) {
			t.AtMostOnce, t.Difference, t.RepeatKey = false, hotel.DifferenceRefuses, true
		}, Guaranteed},
		{"its count stays on a sale", func(t *hotel.Terms) { t.AdjustsOn.Book = hotel.AdjustNo }, CloseOnly},
		{"nothing declared", func(t *hotel.Terms) { *t = hotel.Terms{} }, CloseOnly},
	} {
		t.Run(c.name, func(t *testing.T) {
			terms := sound
			c.change(&terms)
			if got := LevelOf(terms); got != c.want {
				t.Errorf("level %s, want %s", got, c.want)
			}
		})
	}
}

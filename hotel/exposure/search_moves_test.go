package exposure

import (
	"fmt"
)

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
			if w.shared {
				s.sites[i].call, s.sites[i].late = call{kind: 's', value: 1}, call{kind: 's', value: 1, old: true}
			}
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
		c.call, c.acted, c.listing, c.listed, c.freed, c.shifted, c.captured = call{}, false, false, 0, 0, 0, -1
		c.p = c.p.Restarted(at)
	}
	out = append(out, step{"killed and started", crashed})
	if w.contract > 0 && !s.over {
		ended := s
		ended.over = true
		for i := range w.parties {
			if w.broken != "what was closed beside a contract stays closed" {
				ended.sites[i].p = ended.sites[i].p.Uncontracted(w.ability, Guaranteed)
			}
		}
		out = append(out, step{"the contract ends", ended})
	}
	if (w.strays || w.moves) && !s.mapped {
		mapped := s
		mapped.mapped, mapped.away = true, 0
		out = append(out, step{"the codes are mapped", mapped})
	}
	for n := range out {
		for i := range w.parties {
			out[n].to.sites[i].p = out[n].to.sites[i].p.Cleared(w.counted(out[n].to, i), w.ability)
			if w.broken != "a closing takes back what a contract promises" {
				out[n].to.sites[i].p = out[n].to.sites[i].p.Contracted(w.promised(out[n].to))
			}
		}
	}
	return out
}

// later is the message that may still act when the call is given up.
func (w world) later(c site) call {
	if w.late && c.late.kind == 0 && c.call.kind == 's' && c.call.value > 0 {
		return c.call
	}
	return c.late
}

// left is what a channel may still sell by its count: of a total, what it has not sold.
func (w world) left(c site) int8 {
	if w.ability.Total {
		return max(0, c.count-c.live)
	}
	return c.count
}

// guests book and cancel.
func (w world) guests(s state, i int) []step {
	var out []step
	c := s.sites[i]
	if (w.left(c) > 0 || int(c.live) < w.promised(s)) && int(c.live) < w.lives {
		t := s
		d := &t.sites[i]
		if !w.ability.Total {
			d.count = max(0, d.count-1)
		}
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
		if w.ability.Replenishes && !w.ability.Total {
			d.count++
		}
		out = append(out, step{fmt.Sprintf("%d cancels", i), t})
		if w.ability.Replenishes && w.ability.Sites > 1 { // what its second place has sold
			d.other++
			if w.broken != "a relay counts back at every place" {
				d.count--
			}
			out = append(out, step{fmt.Sprintf("%d cancels at its second place", i), t})
		}
	}
	if w.moves && c.live > 0 && c.moved+s.away < 2 {
		t := s
		d := &t.sites[i]
		d.live--
		d.moved++
		if w.ability.Replenishes {
			d.count++
		}
		out = append(out, step{fmt.Sprintf("%d moves a booking to another room", i), t})
	}
	return out
}

// act lets a message act at the channel.
func (w world) act(d *site, m call) {
	if m.old && w.ability.Versions {
		return
	}
	d.count = m.value
	if w.ability.Sites > 1 {
		d.other = m.value
	}
	d.late.old = d.late.kind != 0
}

// network moves calls and answers.
func (w world) network(s state, i int) []step {
	var out []step
	c := s.sites[i]
	if c.call.kind != 0 && !c.acted {
		t := s
		d := &t.sites[i]
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
		if d.call.value > 0 {
			d.p = d.p.Unanswered(at)
		}
		d.call, d.acted = call{}, false
		out = append(out, step{fmt.Sprintf("%d: no answer", i), t})
	}
	if c.acted {
		t := s
		d := &t.sites[i]
		if c.call.value == 0 {
			d.p = d.p.Shut(at)
			if w.broken == "a closing that is answered frees" {
				d.p.Account = min(d.p.Account, t.recorded(i))
			}
		} else {
			d.p = d.p.Applied(w.ability, at)
			if w.broken == "pays when the answer comes" {
				d.p.Account += int(c.call.value)
			}
		}
		d.call, d.acted = call{}, false
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
		t.sites[i].captured = w.left(c)
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
	w.free(t, i, a)
	switch w.broken {
	case "a cancellation frees though the count goes up":
		d.p.Account = max(t.recorded(i), d.p.Account-1)
	case "cancellations during a closing are forgotten":
		d.p.Back = back
	}
	d.freed = max(0, d.freed-1)
}

// free has a party take notice of a cancellation; of a booking that nobody has mapped each
// that may have sold it, as far as its count may be higher by it.
func (w world) free(t *state, i int, a Ability) {
	for j := range w.parties {
		if d := &t.sites[j]; j == i && (!w.strays || t.mapped) || w.strays && !t.mapped && a.Replenishes {
			d.p = d.p.Freed(a)
			d.p.Back = min(d.p.Back, 3)
		}
	}
}

// shift records the oldest booking of which we have not heard that it was moved to another
// room. As long as nobody has mapped its code, it may be under another code of the same.
func (w world) shift(t *state, i int) {
	if t.recorded(i) == 0 {
		w.hear(t, i, true)
	}
	d := &t.sites[i]
	d.moved--
	d.shifted = max(0, d.shifted-1)
	if !t.mapped {
		t.away++
	}
	if t.mapped || w.ability.Replenishes && w.broken != "one that is moved to what is not mapped gives nothing back" {
		d.p = d.p.Freed(w.ability)
		d.p.Back = min(d.p.Back, 3)
	}
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
	if c.moved > 0 && (s.recorded(i) > 0 || c.unheard > 0) {
		t := s
		w.shift(&t, i)
		out = append(out, step{fmt.Sprintf("%d: we hear that a booking was moved", i), t})
	}
	if !c.listing {
		t := s
		d := &t.sites[i]
		d.listing, d.listed, d.freed, d.shifted = true, d.unheard-d.fresh, d.gone, d.moved
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
	for d.shifted > 0 {
		w.shift(&t, i)
	}
	d.listing, d.listed, d.freed = false, 0, 0
	if w.broken != "a list begun before the answer counts" || d.p.Doing == Closed {
		d.p = d.p.Listed(1, w.counted(t, i), w.ability)
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
	for v := 1; v <= w.rooms; v++ {
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
			p, err := c.p.Count(w.ability)
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
			t.sites[i].p = c.p.CountRead(int(c.captured), w.ability, at)
			if w.broken == "settles with the bookings first" {
				t.sites[i].p.Read = 1
				t.sites[i].p = t.sites[i].p.Listed(1, s.recorded(i), w.ability)
			}
			t.sites[i].captured = -1
			out = append(out, step{fmt.Sprintf("%d: the count comes", i), t})
		}
	}
	if e, known := c.p.Exposure(s.recorded(i)); w.broken == "one that has sold all is let go" && known && e == 0 && !c.p.Raise {
		do("lets go", Party{}, nil, call{})
	}
	if w.broken == "trusts what it knew before" && c.p.Unknown {
		p := c.p
		p.Unknown, p.Raise, p.Account = false, false, s.recorded(i)
		do("trusts", p, nil, call{})
	}
	return out
}

package simkit

import (
	"slices"
	"time"
)

// LateBy is how long an update is on its way that comes late.
const LateBy = time.Minute

// put is an effect that comes late. It takes place once: who takes it off the list has it.
type put struct {
	due   time.Time // by the far side's clock
	timer *time.Timer
	do    func()
}

// Later has effect take place [LateBy] from now, or as soon as the far side's clock has
// gone so far and [Faults.Due] is told so, whichever is earlier. Nobody hears of an error.
func (f *Faults) Later(effect func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := &put{due: f.clock.Now().Add(LateBy), do: effect}
	p.timer = time.AfterFunc(LateBy, func() { f.perform(func(other *put) bool { return other == p }) })
	f.waiting = append(f.waiting, p)
}

// Due has those effects take place whose time has come by the far side's clock.
func (f *Faults) Due() {
	now := f.clock.Now()
	f.perform(func(p *put) bool { return !now.Before(p.due) })
}

// perform has some of what waits take place.
func (f *Faults) perform(due func(*put) bool) {
	var now []*put
	f.mu.Lock()
	f.waiting = slices.DeleteFunc(f.waiting, func(p *put) bool {
		if due(p) {
			now = append(now, p)
			return true
		}
		return false
	})
	f.mu.Unlock()
	for _, p := range now {
		p.timer.Stop()
		p.do()
	}
}

// forget lets what is on its way get lost.
func (f *Faults) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.waiting {
		p.timer.Stop()
	}
	f.waiting = nil
}

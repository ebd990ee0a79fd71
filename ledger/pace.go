package ledger

import (
	"slices"
	"sync"
	"time"
)

// pace knows when the journal came to where it is, in steady time: how old an entry is,
// whatever was done to the clock since. What was there when the program began is as old as
// that is.
type pace struct {
	mu      sync.Mutex
	marks   []mark                   // in their order
	changes map[string]channelChange // by channel
}

// mark says when the journal ended at an entry.
type mark struct {
	sequence int64
	at       time.Time
}

// channelChange is the newest of a channel, as it is stored, and when it was noticed.
type channelChange struct {
	updated, at time.Time
}

const (
	// paceStep is how much later the next mark is at least: entries may seem as much older
	// than they are.
	paceStep = 100 * time.Millisecond

	// mostMarks is how many are kept. Entries before the first of them, which is from more
	// than half an hour ago, are as old as that.
	mostMarks = int(time.Hour / paceStep)
)

// note tells where the journal ends now, where it ended before or behind that.
func (p *pace) note(sequence int64, steady time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.marks); n > 0 {
		last := &p.marks[n-1]
		if last.sequence == sequence {
			return
		}
		if steady.Sub(last.at) < paceStep {
			last.sequence = sequence
			return
		}
	}
	if len(p.marks) == mostMarks {
		p.marks = slices.Clone(p.marks[mostMarks/2:])
	}
	p.marks = append(p.marks, mark{sequence, steady})
}

// age is for how long there has been an entry behind another one.
func (p *pace) age(through int64, steady time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, _ := slices.BinarySearchFunc(p.marks, through+1, func(m mark, s int64) int { return int(m.sequence - s) })
	if i == len(p.marks) {
		return 0 // it is stored this moment
	}
	return steady.Sub(p.marks[i].at)
}

// unchanged is for how long a channel has been as it is, which was changed at an instant of
// the clock.
func (p *pace) unchanged(channel string, updated, now, steady time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.changes[channel]
	if !c.updated.Equal(updated) {
		if p.changes == nil {
			p.changes = map[string]channelChange{}
		}
		c = channelChange{updated, steady.Add(-max(0, now.Sub(updated)))}
		p.changes[channel] = c
	}
	return steady.Sub(c.at)
}

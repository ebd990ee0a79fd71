package gate

import "time"

// A far side may take our credentials and still not let us do everything: some keys may
// write and not read. What it denies opens the breaker, for nobody knows whether it denies all. But
// where something else goes through behind that, and the same is denied again, it is that
// operation alone which is left alone.

// permits is what the far side lets us do, by operation.
type permits struct {
	took   map[string]time.Time // when it last went through
	denied map[string]time.Time // when it last was denied, and has not gone through since
	barred map[string]time.Time // before when it is not tried again
}

func newPermits() permits {
	return permits{map[string]time.Time{}, map[string]time.Time{}, map[string]time.Time{}}
}

func (p *permits) through(operation string, now time.Time) {
	p.took[operation] = now
	delete(p.denied, operation)
}

// deny notes that an operation was denied, and reports whether it is that one alone: another
// has gone through since it was denied before.
func (p *permits) deny(operation string, now time.Time) (alone bool) {
	last, before := p.denied[operation]
	p.denied[operation] = now
	for other, at := range p.took {
		alone = alone || before && other != operation && at.After(last)
	}
	if alone {
		p.barred[operation] = now.Add(DeniedFor)
	}
	return alone
}

// wait is how long an operation is left alone yet.
func (p *permits) wait(operation string, now time.Time) time.Duration {
	return min(max(0, p.barred[operation].Sub(now)), DeniedFor)
}

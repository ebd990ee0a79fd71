package gate

import "time"

// A far side may take our credentials and still not let us do everything: some keys may
// write and not read. What it denies opens the breaker, for nobody knows whether it denies all; but a
// call of another operation is let through as the probe at once where one went through of late,
// and when it does again, it is the operation alone that is left alone.

// provedFor is for how long a call that went through proves that the credentials are taken.
const provedFor = time.Hour

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

// deny notes that an operation was denied. It is that alone where others have gone
// through since it was denied before; and doubtful whether it is all where others went through of late.
func (p *permits) deny(operation string, now time.Time) (alone, doubtful bool) {
	last, before := p.denied[operation]
	p.denied[operation] = now
	for other, at := range p.took {
		if other == operation {
			continue
		}
		alone = alone || before && at.After(last)
		doubtful = doubtful || !before && at.After(now.Add(-provedFor))
	}
	if alone {
		p.barred[operation] = now.Add(DeniedFor)
	}
	return alone, doubtful
}

// wait is how long an operation is left alone yet.
func (p *permits) wait(operation string, now time.Time) time.Duration {
	return min(max(0, p.barred[operation].Sub(now)), DeniedFor)
}

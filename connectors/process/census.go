package process

import (
	"sync"
	"time"

	"go.uber.org/zap"
)

// looksEvery is how often the memory of a program is looked at. What one process asks
// for beyond its limit it does not get at all; this is for what several have together
// and for what is shared between them.
const looksEvery = 500 * time.Millisecond

// census is what all process groups of the machine used when somebody looked last, so
// that many programs do not look each for itself.
var census struct {
	sync.Mutex
	used map[int]uint64
	at   time.Time
}

// memoryOfGroup returns what the processes of a group use together, in bytes.
func memoryOfGroup(group int) (uint64, error) {
	census.Lock()
	defer census.Unlock()
	if now := clock.Now(); now.Sub(census.at) >= looksEvery/2 || now.Before(census.at) {
		used, err := count()
		if err != nil {
			return 0, err
		}
		census.used, census.at = used, now
	}
	return census.used[group], nil
}

// watch ends the program when all that it has started uses more memory than it may.
func (r *run) watch(most uint64) {
	ticker := time.NewTicker(looksEvery)
	defer ticker.Stop()
	told := false
	for {
		select {
		case <-r.exited:
			return
		case <-ticker.C:
		}
		used, err := memoryOfGroup(r.cmd.Process.Pid)
		if err != nil && !told {
			told = true
			r.env.Log.Warn("the memory of a connector's program cannot be looked at", zap.Error(err))
		}
		if used > most {
			r.breakOff("takes %d MiB of memory, and may have %d", used>>20, most>>20)
			return
		}
	}
}

package sync_test

import (
	"slices"
	"testing"
)

// guardedKind is what one world of a guarded pool has and others have not.
type guardedKind struct {
	tardy, front, slow, rates, loses, keeps bool // as in guarded

	shape   shape
	presets []string // of its channels
}

// kindOf is the kind of a world.
func kindOf(seed uint64) guardedKind {
	k := guardedKind{tardy: seed%4 == 1, front: seed%4 == 2, slow: seed%9 == 0, rates: seed%11 == 3, shape: shapeOf(seed), presets: []string{"push", "pull", "push"}}
	k.loses = seed%5 == 3 && !k.shape.several()
	if k.slow {
		k.presets[0], k.presets[2] = "slow", "slow" // which tell late of what they have sold
	}
	if k.rates {
		k.presets[1] = "plans"
	}
	switch seed % 6 {
	case 0, 3:
		k.presets = append(k.presets, "hub") // which promises too little
	case 4:
		k.presets, k.keeps = append(k.presets, "relay/2"), true
	case 5:
		k.presets, k.keeps = append(k.presets, "relay"), true
	}
	return k
}

// names are what tells kinds apart.
func (k guardedKind) names() []string {
	all := slices.Concat(k.presets, []string{k.shape.name})
	for name, on := range map[string]bool{"calls take effect late": k.tardy, "guests at the desk": k.front, "rooms are taken that were granted": k.loses} {
		if on {
			all = append(all, name)
		}
	}
	return all
}

// The worlds of guarded pools that every test plays.
const (
	firstGuarded = 25
	guardedATest = 5
)

// TestGuardedWorldsOfEveryKindArePlayed: those have each kind of channel, of house and of
// what happens among them.
func TestGuardedWorldsOfEveryKindArePlayed(t *testing.T) {
	count := func(first, worlds uint64) map[string]int {
		n := map[string]int{}
		for seed := first; seed < first+worlds; seed++ {
			for _, name := range kindOf(seed).names() {
				n[name]++
			}
		}
		return n
	}
	played := count(firstGuarded, guardedATest)
	for name := range count(1, 4*5*6*7*9*11) {
		if played[name] == 0 {
			t.Errorf("none of the worlds %d to %d has this: %s", firstGuarded, firstGuarded+guardedATest-1, name)
		}
	}
}

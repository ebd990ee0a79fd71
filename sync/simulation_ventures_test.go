package sync_test

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// ventures are what some worlds have and others not beside what every world has. They
// have dice of their own: a world without any of them is what it is without their being
// possible.
type ventures struct {
	parties  bool // guests book several rooms at once, and give one of them up
	arrivals bool // guests come, and change or cancel at the channel when they are in the house
	asks     bool // the desk asks channels to cancel, to shorten and to note that nobody came
	carts    bool // guests take up to a quarter of an hour to book what they have found
	pms      bool // another system counts the suites
	retries  bool // clients send a booking once more, of which they do not know what became
	locks    bool // another process has the ledger locked for a while
	reuses   bool // channels use the references of bookings that are over again
	lates    bool // what channels are told takes effect a minute after the call has ended
	scarcity
}

func newVentures(dice *rand.Rand) ventures {
	sometimes := func(percent int) bool { return dice.IntN(100) < percent }
	return ventures{
		parties: sometimes(40), arrivals: sometimes(35), asks: sometimes(35), carts: sometimes(35), pms: sometimes(30), retries: sometimes(30), locks: sometimes(35),
		reuses: sometimes(40),
	}
}

// venturesByName lists them for those who can do without.
func venturesByName() []string { return slices.Sorted(maps.Keys(new(ventures).switches())) }

// switches are the ventures by name.
func (v *ventures) switches() map[string]*bool {
	return map[string]*bool{"parties": &v.parties, "arrivals": &v.arrivals, "asks": &v.asks, "carts": &v.carts, "pms": &v.pms, "retries": &v.retries, "locks": &v.locks, "reuses": &v.reuses, "lates": &v.lates, "scarce": &v.scarce}
}

// venture lets something happen that happens in some worlds only, and reports whether
// it did. Parties are booked as other rooms are, and clients come at any time.
func (w *world) venture() bool {
	var all []func()
	for _, one := range []struct {
		on   bool
		what func()
	}{
		{w.habits.arrivals, w.walkIn},
		{w.habits.arrivals, w.arrive},
		{w.habits.arrivals, w.guestInHouse},
		{w.habits.asks, w.walkIn}, // of whom it may be said that nobody came
		{w.habits.asks, w.askChannel},
		{w.habits.carts, w.fillCart},
		{w.habits.pms, w.pmsReads},
		{w.habits.pms, w.pmsGives},
		{w.habits.locks, w.lockLedger},
		{w.habits.lates, w.tarry},
		{w.habits.scarce, w.reprice},
	} {
		if one.on {
			all = append(all, one.what)
		}
	}
	if len(all) == 0 || w.more.IntN(4) > 0 {
		return false
	}
	all[w.more.IntN(len(all))]()
	return true
}

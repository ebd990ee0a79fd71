package connectors

import (
	"slices"

	"ostler.example/hotel"
)

// Operation is what one call of a kind may carry, as the far side publishes it.
// [Pack] fills calls by it, and the conformance kit holds calls against it.
//
// A call's entries are each an [Entry]. Whether prices and counts go apart or together
// is said by the groups of a channel's operations.
type Operation struct {
	Name    string        // as its buckets have it
	Groups  []hotel.Group // what it tells; a group is told by one operation of a channel
	About   About
	Nights  Nights
	Entries int // the most entries of a call; 0: no limit
	Bytes   int // the most bytes of a call's body; 0: no limit

	// Joined are those of the groups of which an entry may say several at once, and
	// the prices of several occupancies; each other value has an entry of its own. A
	// far side that refuses one value of an entry refuses the entry (see
	// [Operation.Spoil]), so that closings are better left out.
	Joined []hotel.Group

	// Apart is set where the far side takes or refuses each entry by itself. Then
	// prices may travel in a call that closes something: what is wrong with them
	// leaves the closing alone.
	Apart bool

	// Opens is set where an entry is taken or refused as a whole. Then a night that has
	// waited for its price opens in the entry of that price, which has to be among what is
	// Joined; elsewhere it opens once the price is confirmed.
	Opens bool
}

// About says what all entries of a call have to have in common.
type About uint8

// Nothing but the property (the zero value), the room, or the room and the rate.
const (
	AnyProduct About = iota
	OneRoom
	OneProduct
)

// Nights says which nights an entry can be about.
type Nights uint8

// Nights that follow each other (the zero value), a single one, or those on some days
// of the week between two dates.
const (
	InARow Nights = iota
	OneNight
	ByDayOfWeek
)

// Tells reports whether the operation tells a group.
func (o Operation) Tells(g hotel.Group) bool { return slices.Contains(o.Groups, g) }

// of returns what of a key the entries of a call have in common.
func (a About) of(k Key) Key {
	switch a {
	case OneRoom:
		return Key{Room: k.Room}
	case OneProduct:
		return Key{Room: k.Room, Rate: k.Rate}
	case AnyProduct:
	}
	return Key{}
}

// Carries reports whether a single call may carry all of the changes, as far as
// the bytes of its body have no say.
func (o Operation) Carries(changes []Change) bool {
	for _, c := range changes {
		if !o.Tells(c.Key.Group) || o.About.of(c.Key) != o.About.of(changes[0].Key) {
			return false
		}
	}
	return o.Entries == 0 || len(o.entries(changes)) <= o.Entries
}

// Spoil completes the answer to a call where a value that is refused takes with it what
// shared its entry: what of that nothing is said is unknown, so that it is told again
// without the one that is parked.
func (o Operation) Spoil(a *Answer, keys []Key) {
	bad := map[Key]bool{} // by line and night
	entry := func(k Key) Key { return Key{Room: k.Room, Rate: k.Rate, Night: k.Night} }
	for k, v := range a.Keys {
		if v.Outcome == Rejected && slices.Contains(o.Joined, k.Group) {
			bad[entry(k)] = true
		}
	}
	for _, k := range keys {
		if _, said := a.Keys[k]; !said && bad[entry(k)] && slices.Contains(o.Joined, k.Group) {
			a.Keys[k] = Verdict{Outcome: Unknown, Words: "something else of its entry was refused"}
		}
	}
}

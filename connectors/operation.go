package connectors

import (
	"slices"

	"ostler.example/hotel"
)

// Operation is what one call of a kind may carry, as the far side publishes it.
// [Pack] fills calls by it, and the conformance kit holds calls against it.
//
// A call's entries are [Run]s, or single nights. Whether prices and counts go apart
// or together is said by the groups of a channel's operations.
type Operation struct {
	Name      string        // as its buckets have it
	Groups    []hotel.Group // what it tells; a group is told by one operation of a channel
	About     About
	EachNight bool // an entry is about one night, not about neighbouring ones that show the same
	Entries   int  // the most entries of a call; 0: no limit
	Bytes     int  // the most bytes of a call's body; 0: no limit
}

// About says what all entries of a call have to have in common.
type About uint8

// Nothing but the property (the zero value), the room, or the room and the rate.
const (
	AnyProduct About = iota
	OneRoom
	OneProduct
)

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

// entries returns what is to be said of changes, in the order in which each first
// appears. A key given twice counts once, with its last offer.
func (o Operation) entries(changes []Change) []Run {
	if !o.EachNight {
		return Runs(changes)
	}
	var nights []Run
	at := make(map[Key]int, len(changes))
	for _, c := range changes {
		i, seen := at[c.Key]
		if !seen {
			i = len(nights)
			at[c.Key], nights = i, append(nights, Run{Key: c.Key, Last: c.Key.Night})
		}
		nights[i].Offer = c.Offer.Pick(c.Key.Group)
	}
	return nights
}

// Carries reports whether a single call may carry all of the changes, as far as
// the bytes of its body have no say.
func (o Operation) Carries(changes []Change) bool {
	for _, c := range changes {
		if !slices.Contains(o.Groups, c.Key.Group) || o.About.of(c.Key) != o.About.of(changes[0].Key) {
			return false
		}
	}
	return o.Entries == 0 || len(o.entries(changes)) <= o.Entries
}

package connectors

import "ostler.example/hotel"

// Run is one value for a span of neighbouring nights of one key, as ARI
// messages write it.
type Run struct {
	Key   Key        // Night is the first night
	Last  hotel.Date // inclusive
	Offer hotel.Offer
}

// Span returns the nights of the run.
func (r Run) Span() hotel.Span { return hotel.Span{From: r.Key.Night, To: r.Last} }

// Keys returns the key of every night of the run, in order.
func (r Run) Keys() []Key {
	keys := make([]Key, 0, r.Span().Days())
	for night := r.Key.Night; night <= r.Last; night++ {
		key := r.Key
		key.Night = night
		keys = append(keys, key)
	}
	return keys
}

// Runs groups changes into the fewest runs: nights that follow each other and
// show the same for one room, rate, group and occupancy. Whatever the group does
// not carry is left out of the offer. Runs come in the order in which their
// first change appears; a key given twice counts once, with its last offer.
func Runs(changes []Change) []Run {
	runs := []Run{}
	for _, e := range (Operation{}).entries(changes) {
		says := e.Says[0]
		key := Key{Room: e.Room, Rate: e.Rate, Group: says.Group, Occupancy: says.Occupancy, Night: e.Nights.From}
		runs = append(runs, Run{Key: key, Last: e.Nights.To, Offer: says.Offer})
	}
	return runs
}

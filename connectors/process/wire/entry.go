package wire

import (
	"errors"
	"fmt"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Entry is one value for neighbouring nights of one field group, From and To
// included. Without an offer it names the nights alone.
type Entry struct {
	Room      string     `json:"room"`
	Rate      string     `json:"rate,omitempty"`
	Group     string     `json:"group"`
	Occupancy int        `json:"occupancy,omitempty"`
	From      hotel.Date `json:"from"`
	To        hotel.Date `json:"to"`
	AtPrice   bool       `json:"at_price,omitempty"` // as of a [connectors.Change]
	*Offer
}

// Offer has the one member that belongs to the group of its entry.
type Offer struct {
	Available *int                `json:"available,omitempty"`
	Closures  *hotel.Closed       `json:"closures,omitempty"`
	Lengths   *hotel.LengthLimits `json:"lengths,omitempty"`
	Price     *hotel.Money        `json:"price,omitempty"`
}

// Entries writes changes in their order. Those that follow each other in it, in
// their nights and with the same value, become one.
func Entries(changes []connectors.Change) []Entry {
	entries := []Entry{}
	for i, c := range changes {
		c.Offer = c.Offer.Pick(c.Key.Group)
		if i > 0 && c.AtPrice == changes[i-1].AtPrice && c.Offer == changes[i-1].Offer.Pick(c.Key.Group) && follows(changes[i-1].Key, c.Key) {
			entries[len(entries)-1].To = c.Key.Night
			continue
		}
		e := entryOf(c.Key)
		e.AtPrice, e.Offer = c.AtPrice, offerOf(c.Key.Group, c.Offer)
		entries = append(entries, e)
	}
	return entries
}

// Keys writes keys in their order, as Entries does.
func Keys(keys []connectors.Key) []Entry {
	entries := []Entry{}
	for i, k := range keys {
		if i > 0 && follows(keys[i-1], k) {
			entries[len(entries)-1].To = k.Night
			continue
		}
		entries = append(entries, entryOf(k))
	}
	return entries
}

func follows(a, b connectors.Key) bool {
	a.Night++
	return a == b
}

func entryOf(k connectors.Key) Entry {
	return Entry{Room: k.Room, Rate: k.Rate, Group: k.Group.String(), Occupancy: k.Occupancy, From: k.Night, To: k.Night}
}

func offerOf(g hotel.Group, o hotel.Offer) *Offer {
	switch g {
	case hotel.Availability:
		return &Offer{Available: &o.Available}
	case hotel.Closures:
		return &Offer{Closures: &o.Closed}
	case hotel.Lengths:
		return &Offer{Lengths: &o.Lengths}
	case hotel.Price:
		return &Offer{Price: &o.Amount}
	}
	return &Offer{}
}

// What one frame can make Ostler hold.
const (
	maxNights  = 1500
	maxChanges = 1 << 20
)

// Changes reads entries that have offers.
func Changes(entries []Entry) ([]connectors.Change, error) {
	var out []connectors.Change
	err := eachNight(entries, func(e Entry, k connectors.Key) error {
		o, err := e.offer(k.Group)
		out = append(out, connectors.Change{Key: k, Offer: o, AtPrice: e.AtPrice})
		return err
	})
	return out, err
}

// KeysOf reads the keys of entries.
func KeysOf(entries []Entry) ([]connectors.Key, error) {
	var out []connectors.Key
	err := eachNight(entries, func(_ Entry, k connectors.Key) error {
		out = append(out, k)
		return nil
	})
	return out, err
}

func eachNight(entries []Entry, do func(Entry, connectors.Key) error) error {
	total := 0
	for _, e := range entries {
		group, known := word[hotel.Group](e.Group, hotel.Availability)
		nights := hotel.Span{From: e.From, To: e.To}.Days()
		if total += nights; !known || nights < 1 || nights > maxNights || total > maxChanges {
			return fmt.Errorf("an entry of %s %s from %s is of an unknown group, or of no nights or too many", e.Room, e.Group, e.From)
		}
		k := connectors.Key{Room: e.Room, Rate: e.Rate, Group: group, Occupancy: e.Occupancy}
		for k.Night = e.From; k.Night <= e.To; k.Night++ {
			if err := do(e, k); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e Entry) offer(g hotel.Group) (hotel.Offer, error) {
	if e.Offer != nil {
		switch o := e.Offer; {
		case g == hotel.Availability && o.Available != nil:
			return hotel.Offer{Available: *o.Available}, nil
		case g == hotel.Closures && o.Closures != nil:
			return hotel.Offer{Closed: *o.Closures}, nil
		case g == hotel.Lengths && o.Lengths != nil:
			return hotel.Offer{Lengths: *o.Lengths}, nil
		case g == hotel.Price && o.Price != nil:
			return hotel.Offer{Amount: *o.Price}, nil
		}
	}
	return hotel.Offer{}, errors.New("an entry has no value of its group")
}

// Joined is one entry of a call that Ostler packed: values for the nights of a span,
// on some days of the week alone where Days is not empty.
type Joined struct {
	Room string     `json:"room"`
	Rate string     `json:"rate,omitempty"`
	From hotel.Date `json:"from"`
	To   hotel.Date `json:"to"`
	Days []string   `json:"days,omitempty"`
	Says []Value    `json:"says"`
}

// Value is the one of a field group.
type Value struct {
	Group     string `json:"group"`
	Occupancy int    `json:"occupancy,omitempty"`
	*Offer
}

var weekdays = [7]string{"su", "mo", "tu", "we", "th", "fr", "sa"}

// Packed writes the entries of a call.
func Packed(entries []connectors.Entry) []Joined {
	out := make([]Joined, 0, len(entries))
	for _, e := range entries {
		j := Joined{Room: e.Room, Rate: e.Rate, From: e.Nights.From, To: e.Nights.To}
		for day, meant := range e.Days {
			if meant {
				j.Days = append(j.Days, weekdays[day])
			}
		}
		for _, v := range e.Says {
			j.Says = append(j.Says, Value{Group: v.Group.String(), Occupancy: v.Occupancy, Offer: offerOf(v.Group, v.Offer)})
		}
		out = append(out, j)
	}
	return out
}

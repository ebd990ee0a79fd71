package connectors

import (
	"cmp"
	"maps"
	"slices"

	"ostler.example/hotel"
)

// Entry is what a call says in one piece: the same about some nights of one room, or
// of one room and rate.
type Entry struct {
	Room, Rate string
	Nights     hotel.Span // both ends inclusive
	Days       [7]bool    // which of the nights are meant, by [time.Weekday]; all false: each of them
	Says       []Value    // at least one; several only where the operation joins them
}

// Value is what an entry says of one group.
type Value struct {
	Group     hotel.Group
	Occupancy int         // Price only, as in [Key]
	Offer     hotel.Offer // only the fields of Group are set
}

// Dates lists the nights that the entry is about, in order.
func (e Entry) Dates() []hotel.Date {
	return hotel.Dates{Span: e.Nights, Weekdays: e.Days}.Nights()
}

// Keys returns the key of every value on every night of the entry.
func (e Entry) Keys() []Key {
	var keys []Key
	for _, night := range e.Dates() {
		for _, v := range e.Says {
			keys = append(keys, Key{Room: e.Room, Rate: e.Rate, Group: v.Group, Occupancy: v.Occupancy, Night: night})
		}
	}
	return keys
}

// placed is an entry with the place of its first change.
type placed struct {
	entry Entry
	place int
}

// entries returns what is to be said of changes, in the order in which each first
// appears. A key given twice counts once, with its last offer.
//
// What an entry says is said of whole nights: the nights of a line of which the same
// is to be said are parted into the fewest stretches. So there are as few entries as
// there can be where the operation neither joins values nor knows days of the week,
// and fewer than twice as many where it does one of the two.
func (o Operation) entries(changes []Change) []Entry {
	places := make(map[Key]int, len(changes))
	lines := map[Key]map[hotel.Date][]Value{}
	for i, c := range changes {
		line := o.line(c)
		nights := lines[line]
		if nights == nil {
			nights = map[hotel.Date][]Value{}
			lines[line] = nights
		}
		value := Value{Group: c.Key.Group, Occupancy: c.Key.Occupancy, Offer: c.Offer.Pick(c.Key.Group)}
		if _, seen := places[c.Key]; !seen {
			places[c.Key] = i
			nights[c.Key.Night] = append(nights[c.Key.Night], value)
			continue
		}
		said := nights[c.Key.Night]
		at := slices.IndexFunc(said, func(v Value) bool { return v.Group == value.Group && v.Occupancy == value.Occupancy })
		said[at] = value
	}
	var found []placed
	for line, nights := range lines {
		for _, same := range alike(nights) {
			for _, s := range o.Nights.stretches(same) {
				e := Entry{Room: line.Room, Rate: line.Rate, Nights: s.Span, Days: s.Weekdays, Says: nights[s.From]}
				place := len(changes)
				for _, k := range e.Keys() {
					place = min(place, places[k])
				}
				found = append(found, placed{e, place})
			}
		}
	}
	slices.SortFunc(found, func(a, b placed) int { return cmp.Compare(a.place, b.place) })
	entries := make([]Entry, len(found))
	for i, f := range found {
		entries[i] = f.entry
	}
	return entries
}

// line returns what all values of a change's entry have in common, nights apart.
func (o Operation) line(c Change) Key {
	k := c.Key
	if slices.Contains(o.Joined, k.Group) || c.AtPrice && o.Opens {
		return Key{Room: k.Room, Rate: k.Rate}
	}
	k.Night = 0
	return k
}

// alike sorts what is said of each night, and parts the nights by it, each part in
// ascending order.
func alike(said map[hotel.Date][]Value) [][]hotel.Date {
	type saying struct { // a value, behind what was said before it
		before int
		value  Value
	}
	names := map[saying]int{}
	parts := map[int][]hotel.Date{}
	for _, night := range slices.Sorted(maps.Keys(said)) {
		values, name := said[night], 0
		slices.SortFunc(values, func(a, b Value) int {
			return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Occupancy, b.Occupancy))
		})
		for _, v := range values {
			next := saying{name, v}
			if names[next] == 0 {
				names[next] = len(names) + 1
			}
			name = names[next]
		}
		parts[name] = append(parts[name], night)
	}
	return slices.Collect(maps.Values(parts))
}

// period is after how many nights an entry comes to the same again.
func (n Nights) period() hotel.Date {
	if n == ByDayOfWeek {
		return 7
	}
	return 1
}

// stretches parts ascending nights into the fewest that an entry can be about, or
// fewer than twice as many where days of the week count: each takes all nights of
// its first week, and goes on until one of their days is missing.
func (n Nights) stretches(nights []hotel.Date) []hotel.Dates {
	left := make(map[hotel.Date]bool, len(nights))
	for _, night := range nights {
		left[night] = true
	}
	var found []hotel.Dates
	for _, from := range nights {
		if !left[from] {
			continue
		}
		var rows []hotel.Date // the nights of the first period
		for night := from; night < from+n.period(); night++ {
			if left[night] {
				rows = append(rows, night)
			}
		}
		last := from
		for i := 0; ; i++ {
			due := rows[i%len(rows)] + hotel.Date(i/len(rows))*n.period()
			if !left[due] || n == OneNight && i > 0 {
				break
			}
			delete(left, due)
			last = due
		}
		found = append(found, n.stretch(from, last, rows))
	}
	return found
}

// stretch says which nights are meant by first and last and the days of the first week.
func (n Nights) stretch(from, to hotel.Date, rows []hotel.Date) hotel.Dates {
	d := hotel.Dates{Span: hotel.Span{From: from, To: to}}
	for night := from; night <= to && n == ByDayOfWeek; night++ {
		if !slices.ContainsFunc(rows, func(row hotel.Date) bool { return (night-row)%7 == 0 }) {
			for _, row := range rows {
				d.Weekdays[row.Weekday()] = true
			}
			break
		}
	}
	return d
}

package alpinebits

import (
	"slices"

	"ostler.example/hotel"
)

// through is what the hotel's own system says of the lengths of stays of which a day is one:
// theirs hold on every day from arrival to departure inclusive, ours on the nights. Whoever
// sleeps in a night is still there on the day after it, so a night takes the stricter of what
// is said of the two.
type through struct {
	Room string     `json:"room,omitempty"` // ours; "": all of the plan
	Days hotel.Span `json:"days"`
	Min  int        `json:"min,omitempty"`
	Max  int        `json:"max,omitempty"`
}

// throughKept is where they are on the shelf, by the far side's codes of plans: a change
// tells its days alone, and is about the night before them too.
const throughKept = "lengths of stays through"

// lengths takes up what rules say of a plan's lengths, and returns the entries that write it
// down. Whole is that nothing holds but what they say.
func (w *writing) lengths(plan hotel.RatePlan, code string, rules []roomRule, whole bool) {
	kept := w.through[code]
	if whole {
		kept = nil
	}
	nights := map[string][]hotel.Span{} // that may have changed
	for _, r := range rules {
		ends := hotel.Span{From: r.Nights.From, To: r.Nights.To}
		if _, had := lengthOn(kept, r.room, r.Nights.From); had || r.Lengths.MinStayThrough > 0 || r.Lengths.MaxStayThrough > 0 {
			ends.From-- // the night before ends on a day that has a length, or had one
		}
		kept = without(kept, r.room, r.Nights)
		if l := r.Lengths; l.MinStayThrough > 0 || l.MaxStayThrough > 0 {
			kept = append(kept, through{Room: r.room, Days: r.Nights, Min: l.MinStayThrough, Max: l.MaxStayThrough})
		}
		nights[r.room] = append(nights[r.room], ends)
	}
	if whole {
		for _, room := range append([]string{""}, plan.RoomTypeIDs...) {
			nights[room] = []hotel.Span{w.shown}
		}
	}
	w.through[code] = slices.DeleteFunc(kept, func(t through) bool { return t.Days.To < w.shown.From })
	for _, room := range append([]string{""}, plan.RoomTypeIDs...) {
		for _, gap := range gaps(w.shown, gaps(w.shown, nights[room])) { // each night once
			for _, e := range lengthsOf(w.through[code], room, gap) {
				e.RatePlanID = plan.ID
				w.rules = append(w.rules, e)
			}
		}
	}
}

// without returns what is left of the rules of a room when some days are taken out.
func without(of []through, room string, days hotel.Span) (left []through) {
	for _, t := range of {
		if t.Room != room {
			left = append(left, t)
			continue
		}
		for _, rest := range gaps(t.Days, []hotel.Span{days}) {
			left = append(left, through{t.Room, rest, t.Min, t.Max})
		}
	}
	return left
}

// lengthOn is what is said of a day.
func lengthOn(of []through, room string, day hotel.Date) (through, bool) {
	for _, t := range of {
		if t.Room == room && t.Days.Contains(day) {
			return t, true
		}
	}
	return through{}, false
}

// lengthsOf are the entries of a room's nights, one for each run of nights with the same
// lengths.
func lengthsOf(of []through, room string, nights hotel.Span) (entries []hotel.RestrictionEntry) {
	on := func(d hotel.Date) (shortest, longest int) {
		t, _ := lengthOn(of, room, d)
		return t.Min, t.Max
	}
	for from := nights.From; from <= nights.To; {
		shortest, longest := stricter(on, from)
		to := from
		for to < nights.To {
			if s, l := stricter(on, to+1); s != shortest || l != longest {
				break
			}
			to++
		}
		for _, part := range hotel.EntryDates(hotel.Span{From: from, To: to}) {
			e := hotel.RestrictionEntry{RoomTypeID: room, Dates: hotel.Dates{Span: part}}
			e.MinStayThrough, e.MaxStayThrough = limit(shortest), limit(longest)
			entries = append(entries, e)
		}
		from = to + 1
	}
	return entries
}

// stricter are the lengths of a night: of its day and the day after it.
func stricter(on func(hotel.Date) (int, int), night hotel.Date) (shortest, longest int) {
	s, l := on(night)
	nextS, nextL := on(night + 1)
	if l == 0 || nextL > 0 && nextL < l {
		l = nextL
	}
	return max(s, nextS), l
}

// limit is a length as it is written; 0 takes it away.
func limit(n int) hotel.Optional[int] { return hotel.Optional[int]{Set: true, Null: n == 0, Value: n} }

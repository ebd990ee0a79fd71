package ical

import (
	"cmp"
	"slices"
	"time"

	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// feed is what the site is to find when it comes to read: what we were told to show,
// and what of it is published for each listing.
type feed struct {
	Version  int64                 `json:"version"`
	Told     []told                `json:"told"`
	Listings map[string]*published `json:"listings"`
}

// published is the calendar of one listing. The site's own stays are not in it.
type published struct {
	Busy    []busy    `json:"busy"`    // in order, and never adjoining but where one is of nights that are not sold yet
	Changed time.Time `json:"changed"` // rises by a second at least with every change
	UIDs    int       `json:"uids"`    // given so far
}

// busy is one event of it.
type busy struct {
	UID      int       `json:"uid"`
	Sequence int       `json:"sequence"`
	Changed  time.Time `json:"changed"`
	stretch
}

// stretch is nights that are taken.
type stretch struct {
	Stay   hotel.Stay `json:"stay"`
	Unsold bool       `json:"unsold,omitempty"` // nobody sells them yet, and nobody has them
}

// untold is the count of a night that nobody told: it is taken.
const untold = -1

// counts are the rooms left on the nights from yesterday on.
type counts struct {
	from hotel.Date
	left []int
}

// of returns the count of a night, or [untold].
func (c counts) of(night hotel.Date) int {
	if at := int(night - c.from); at >= 0 && at < len(c.left) {
		return c.left[at]
	}
	return untold
}

// counts returns what a room is to show, nights that are over left out.
func (f *feed) counts(room string, today hotel.Date) counts {
	c := counts{from: today - 1, left: slices.Repeat([]int{untold}, horizon+2)}
	for _, t := range f.Told {
		if t.Room != room {
			continue
		}
		for night := max(t.From, c.from); night <= min(t.To, c.from+hotel.Date(len(c.left))-1); night++ {
			c.left[night-c.from] = t.Available
		}
	}
	return c
}

// take notes counts in place of those that were told before, and forgets nights that
// are over.
func (f *feed) take(changes []told, today hotel.Date) {
	all := feed{Told: slices.Concat(f.Told, changes)} // the last one counts
	var rooms []string
	for _, t := range all.Told {
		rooms = append(rooms, t.Room)
	}
	slices.Sort(rooms)
	f.Told = nil
	for _, room := range slices.Compact(rooms) {
		c := all.counts(room, today)
		for at, n := range c.left {
			night, last := c.from+hotel.Date(at), len(f.Told)-1
			switch {
			case n == untold:
			case last >= 0 && f.Told[last] == (told{room, f.Told[last].From, night - 1, n}):
				f.Told[last].To = night
			default:
				f.Told = append(f.Told, told{room, night, night, n})
			}
		}
	}
}

// tells reports whether the room was told anything yet.
func (f *feed) tells(room string) bool {
	return slices.ContainsFunc(f.Told, func(t told) bool { return t.Room == room })
}

// roomsTaken is how many rooms are taken on a night, by room; nil: nobody can tell. A room may be
// taken on a night that nobody sells yet.
type roomsTaken map[string]map[hotel.Date]int

// publish works out anew what each listing's calendar says. own is what the site
// itself has on the nights of a listing, by its name.
//
//	rooms left   the site has the night itself          listing
//	k or more    no; it is the k-th listing without     free
//	fewer        no                                     taken
//	any          yes                                    left out: it is the site's to say
//	none         a reservation, and it was taken        taken: it was so before the
//	             before that                            reservation, which may be cancelled
//
// A night that nobody told is taken, and not sold yet in as many listings as have no room
// taken on it. Those that are over stay as they are.
func (f *feed) publish(listings []listing, own map[string]map[hotel.Date]calendar.Kind, rooms roomsTaken, now time.Time, today hotel.Date) {
	if f.Listings == nil {
		f.Listings = map[string]*published{}
	}
	left, units := map[string]counts{}, map[string]int{}
	for _, l := range listings {
		units[l.room]++
	}
	rank := map[string]map[hotel.Date]int{} // of listings that the site has not sold, so far
	for _, l := range listings {
		if !f.tells(l.room) {
			continue
		}
		if l.number == 1 {
			left[l.room], rank[l.room] = f.counts(l.room, today), map[hotel.Date]int{}
		}
		p := f.Listings[l.name()]
		if p == nil {
			p = &published{}
			f.Listings[l.name()] = p
		}
		of := func(night hotel.Date) (busy, unsold bool) {
			if night < today {
				return p.has(night), false
			}
			n := left[l.room].of(night)
			switch own[l.name()][night] {
			case calendar.Reservation:
				return n <= 0 && p.has(night), false
			case calendar.Block:
				return false, false
			case calendar.Unclear:
			}
			rank[l.room][night]++
			if n == untold {
				return true, rooms != nil && rank[l.room][night] <= units[l.room]-rooms[l.room][night]
			}
			return n < rank[l.room][night], false
		}
		p.set(runs(today, of, p), now)
	}
}

// runs returns the stretches of nights that are taken, in order, those that are not sold yet
// apart. They reach to the end of a year.
func runs(today hotel.Date, of func(hotel.Date) (busy, unsold bool), p *published) []stretch {
	from := today - 1
	for _, b := range p.Busy {
		if b.Stay.CheckOut >= today {
			from = min(from, b.Stay.CheckIn)
		}
	}
	var out []stretch
	for night := from; night < windowEnd(today); night++ {
		busy, unsold := of(night)
		switch last := len(out) - 1; {
		case !busy:
		case last >= 0 && out[last].Stay.CheckOut == night && out[last].Unsold == unsold:
			out[last].Stay.CheckOut++
		default:
			out = append(out, stretch{hotel.Stay{CheckIn: night, CheckOut: night + 1}, unsold})
		}
	}
	return out
}

// windowEnd is the first night about which nothing is published.
func windowEnd(today hotel.Date) hotel.Date {
	return hotel.DateOf(today.Time().Year()+3, time.January, 1)
}

// has reports whether a night is published as taken.
func (p *published) has(night hotel.Date) bool {
	return slices.ContainsFunc(p.Busy, func(b busy) bool { return b.Stay.Contains(night) })
}

// set publishes stretches. One keeps the UID of what was published on its nights: of the
// same nights, else of the same first night, else of any of them.
func (p *published) set(to []stretch, now time.Time) {
	now = now.UTC().Truncate(time.Second)
	next := make([]busy, len(to))
	used := make([]bool, len(p.Busy))
	for _, alike := range []func(a, b hotel.Stay) bool{
		func(a, b hotel.Stay) bool { return a == b },
		func(a, b hotel.Stay) bool { return a.CheckIn == b.CheckIn },
		func(a, b hotel.Stay) bool { return a.CheckIn < b.CheckOut && b.CheckIn < a.CheckOut },
	} {
		for i, s := range to {
			for j, was := range p.Busy {
				if next[i].UID == 0 && !used[j] && alike(s.Stay, was.Stay) {
					next[i], used[j] = was, true
				}
			}
		}
	}
	changed := slices.Contains(used, false)
	for i, s := range to {
		switch {
		case next[i].UID == 0:
			p.UIDs++
			next[i] = busy{UID: p.UIDs, Changed: now, stretch: s}
		case next[i].stretch != s:
			next[i].Sequence, next[i].Changed, next[i].stretch = next[i].Sequence+1, now, s
		default:
			continue
		}
		changed = true
	}
	if changed || p.Changed.IsZero() {
		p.Changed = latest(now, p.Changed.Add(time.Second))
	}
	slices.SortFunc(next, func(a, b busy) int { return cmp.Compare(a.Stay.CheckIn, b.Stay.CheckIn) })
	p.Busy = next
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

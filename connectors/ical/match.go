package ical

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"time"

	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// reading is one calendar that was read whole, with what it comes to: an event for
// each reservation, and for each stretch of nights that is held.
type reading struct {
	listing string
	events  []calendar.Event
	leftOut []calendar.Event // they cannot be read: whose they are stays as it was
}

// few is how many entries may vanish from a calendar at once without being doubted.
const few = 2

// reconcile brings what the site was seen to have to what its calendars say now. The
// events that entries were recognised in are returned by their references.
//
// An event is the entry with the site's number, else with its UID and nights, else
// with its UID, else with its nights where the site gives UIDs anew. What is not
// found is gone: cancelled, or over when its check-out has come. A calendar that
// shows nothing any more or no reservation, or has lost more than half of what it
// had, is believed in that only when it says so twice.
func (b *bookings) reconcile(readings []reading, now time.Time, today hotel.Date) map[string]calendar.Event {
	m := matching{b: b, entries: map[*entry]*calendar.Event{}, of: map[*calendar.Event]*entry{}, hidden: map[string]calendar.Event{}}
	for i := range readings {
		for j := range readings[i].events {
			m.events = append(m.events, &readings[i].events[j])
			m.listings = append(m.listings, readings[i].listing)
		}
	}
	m.match(today)
	var gone []*entry
	for _, r := range readings {
		gone = append(gone, m.vanished(r, today)...)
	}
	for _, e := range gone { // what gives rooms back comes first
		e.Gone, e.Changed, e.Number = true, true, b.number(now)
	}
	seen, refs := m.hidden, b.references()
	for i, event := range m.events {
		e, known := m.of[event], m.of[event] != nil
		if !known {
			e = &entry{Ref: refs.take(*event, m.listings[i]), Number: b.number(now)}
			b.Entries = append(b.Entries, e)
		}
		if known && (e.Gone || e.Stay != event.Stay || e.Listing != m.listings[i] || e.Open != event.Tentative) {
			e.Changed, e.Number = true, b.number(now)
		}
		e.UID, e.Code, e.Kind, e.Listing, e.Stay, e.Open, e.Gone = event.UID, event.Code, event.Kind, m.listings[i], event.Stay, event.Tentative, false
		seen[e.Ref] = *event
	}
	b.forget(today)
	return seen
}

// matching pairs entries with events, each once.
type matching struct {
	b        *bookings
	events   []*calendar.Event
	listings []string // by event
	entries  map[*entry]*calendar.Event
	of       map[*calendar.Event]*entry
	hidden   map[string]calendar.Event // what cannot be read of an entry, by its reference
}

func (m *matching) match(today hotel.Date) {
	uids, known := map[string]bool{}, map[string]bool{}
	for i, e := range m.events {
		uids[m.listings[i]+"\n"+e.UID] = true
	}
	for _, e := range m.b.Entries {
		known[e.Listing+"\n"+e.UID] = true
	}
	x := m.b.index()
	for _, pass := range []struct {
		among func(event *calendar.Event, listing string) []*entry
		alike func(e *entry, event *calendar.Event, listing string) bool
	}{
		{
			func(event *calendar.Event, _ string) []*entry { return x.byCode[event.Code] },
			func(*entry, *calendar.Event, string) bool { return true },
		},
		{x.withUID, func(e *entry, event *calendar.Event, _ string) bool {
			return sameGuest(e, event) && e.Stay == event.Stay
		}},
		{x.withUID, func(e *entry, event *calendar.Event, _ string) bool {
			return sameGuest(e, event) && !e.Gone && e.Stay.CheckOut > today
		}},
		{x.withStay, func(e *entry, event *calendar.Event, listing string) bool {
			anew := (e.UID == "" || !uids[e.Listing+"\n"+e.UID]) && (event.UID == "" || !known[listing+"\n"+event.UID])
			return anew && !e.Gone && e.Kind == event.Kind && (e.Code == "" || event.Code == "")
		}},
		{x.blocksOf, func(e *entry, event *calendar.Event, _ string) bool { // one that slides, grows or shrinks
			return !e.Gone && event.Kind == calendar.Block && e.Stay.CheckIn < event.Stay.CheckOut && event.Stay.CheckIn < e.Stay.CheckOut
		}},
	} {
		for i, event := range m.events {
			if m.of[event] != nil {
				continue
			}
			for _, e := range pass.among(event, m.listings[i]) {
				if m.entries[e] == nil && pass.alike(e, event, m.listings[i]) {
					m.entries[e], m.of[event] = event, e
					break
				}
			}
		}
	}
}

// index finds the entries that an event may be, for a calendar may have thousands. Each
// list is in the order of the entries.
type index struct {
	byCode, byUID, byStay, blocks map[string][]*entry
}

func (b *bookings) index() index {
	x := index{map[string][]*entry{}, map[string][]*entry{}, map[string][]*entry{}, map[string][]*entry{}}
	add := func(to map[string][]*entry, key string, e *entry) { to[key] = append(to[key], e) }
	for _, e := range b.Entries {
		if e.Code != "" {
			add(x.byCode, e.Code, e)
		}
		if e.UID != "" {
			add(x.byUID, e.Listing+"\n"+e.UID, e)
		}
		add(x.byStay, e.Listing+"\n"+nights(e.Stay), e)
		if e.Kind == calendar.Block {
			add(x.blocks, e.Listing, e)
		}
	}
	return x
}

func (x index) withUID(event *calendar.Event, listing string) []*entry {
	return x.byUID[listing+"\n"+event.UID]
}

func (x index) withStay(event *calendar.Event, listing string) []*entry {
	return x.byStay[listing+"\n"+nights(event.Stay)]
}

func (x index) blocksOf(_ *calendar.Event, listing string) []*entry { return x.blocks[listing] }

func nights(s hotel.Stay) string { return s.CheckIn.String() + ".." + s.CheckOut.String() }

// sameGuest reports whether two with one UID can be one: they are not where the site
// has a number for each, and another.
func sameGuest(e *entry, event *calendar.Event) bool {
	return e.Code == "" || event.Code == "" || e.Code == event.Code
}

// vanished returns the entries that a calendar does not show any more and that are
// not over, if it is believed.
func (m *matching) vanished(r reading, today hotel.Date) []*entry {
	var gone []*entry
	had, reservations := 0, 0
	for _, e := range m.b.Entries {
		if e.Listing != r.listing || e.Gone || e.Stay.CheckOut <= today {
			continue
		}
		had++
		if m.entries[e] != nil {
			continue
		}
		if event, hides := r.hides(e); hides {
			m.hidden[e.Ref] = event
			continue
		}
		gone = append(gone, e)
		if e.Kind == calendar.Reservation {
			reservations++
		}
	}
	s := m.b.Sources[r.listing]
	said := r.fingerprint()
	emptied := len(gone) > 0 && len(r.events) == 0 || reservations > 0 && !r.reserves()
	if suspicious := emptied || len(gone) > few && 2*len(gone) > had; suspicious && s.Doubted != said {
		s.Doubted, s.Problem = said, fmt.Sprintf("%d of %d stays are not in it any more; it is believed when it says so again", len(gone), had)
		gone = nil
	} else {
		s.Doubted, s.Problem = "", ""
	}
	m.b.Sources[r.listing] = s
	return gone
}

// hides returns the event that may be the entry's and cannot be read; false: none.
func (r reading) hides(e *entry) (calendar.Event, bool) {
	for _, event := range r.leftOut {
		switch {
		case event.Code != "" && event.Code == e.Code, event.UID != "" && event.UID == e.UID:
			return event, true
		case event.Code == "" && event.UID == "" && event.Stay.CheckIn == e.Stay.CheckIn:
			return event, true
		}
	}
	return calendar.Event{}, false
}

// reserves reports whether there is a reservation.
func (r reading) reserves() bool {
	return slices.ContainsFunc(r.events, func(e calendar.Event) bool { return e.Kind == calendar.Reservation })
}

// fingerprint tells readings that say the same from others, whatever UIDs they give.
func (r reading) fingerprint() string {
	h := sha256.New()
	for _, e := range r.events {
		fmt.Fprintf(h, "%s %s %s %s\n", e.Code, e.Kind, e.Stay.CheckIn, e.Stay.CheckOut)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// references are those that are in use, hashed.
type references map[string]bool

func (b *bookings) references() references {
	refs := references{}
	for hash := range b.Used {
		refs[hash] = true
	}
	for _, e := range b.Entries {
		refs[hashed(e.Ref)] = true
	}
	return refs
}

// take names a new entry: by the site's number, else by its UID, else by the listing,
// and by its nights where that is not enough.
func (refs references) take(e calendar.Event, listing string) string {
	free := func(ref string) bool {
		used := refs[hashed(ref)]
		refs[hashed(ref)] = true
		return !used
	}
	from := cmp.Or(e.Code, e.UID, listing)
	if len(from) > maxRef {
		sum := sha256.Sum256([]byte(from))
		from = hex.EncodeToString(sum[:])
	}
	if from != listing && free(from) {
		return from
	}
	dated := from + "/" + e.Stay.CheckIn.String()
	for n := 1; ; n++ {
		ref := dated
		if n > 1 {
			ref += "/" + strconv.Itoa(n)
		}
		if free(ref) {
			return ref
		}
	}
}

// maxRef is the longest reference, in bytes.
const maxRef = 120

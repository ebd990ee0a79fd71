package ical

import (
	"maps"
	"slices"
	"time"

	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// bookings is what the site was seen to have, of all its calendars together: a
// reservation may move from one to another. No guest is named in it.
type bookings struct {
	Last    int64                 `json:"last"` // the newest number of an entry
	Entries []*entry              `json:"entries"`
	Used    map[string]hotel.Date `json:"used,omitempty"` // references of forgotten entries, hashed, and when these ended
	Sources map[string]source     `json:"sources"`        // by listing
}

// entry is one reservation, or one stretch of nights that is held for a block.
type entry struct {
	Ref     string        `json:"ref"` // what we call it: the site's number, or its UID
	UID     string        `json:"uid,omitempty"`
	Code    string        `json:"code,omitempty"`
	Kind    calendar.Kind `json:"kind"` // a reservation or a block
	Listing string        `json:"listing"`
	Stay    hotel.Stay    `json:"stay"`
	Open    bool          `json:"open,omitempty"`    // the site calls it tentative
	Gone    bool          `json:"gone,omitempty"`    // the site does not have it any more
	Changed bool          `json:"changed,omitempty"` // it was another, or gone, before
	Number  int64         `json:"number"`            // of its last change; rises over all entries
}

// source is how it stands with the reading of one calendar.
type source struct {
	Of       string    `json:"of,omitempty"`       // the address and settings it was read by, hashed
	Address  string    `json:"address,omitempty"`  // hashed
	Shown    string    `json:"shown,omitempty"`    // the stays whose echoes were left out of it, hashed
	Tag      string    `json:"tag,omitempty"`      // its ETag
	Modified string    `json:"modified,omitempty"` // its Last-Modified
	ReadAt   time.Time `json:"read_at,omitzero"`   // when it was last read to its end
	Next     time.Time `json:"next,omitzero"`      // when it is read again at the earliest
	Failures int       `json:"failures,omitempty"` // in a row
	Problem  string    `json:"problem,omitempty"`  // why it does not count, "" when it does
	Doubted  string    `json:"doubted,omitempty"`  // what it said when it was not believed

	Echoes []hotel.Stay `json:"echoes,omitempty"` // what was left out of it as such
	Edge   edge         `json:"edge,omitzero"`    // what it ends with
}

// own returns what the site has on each night, by listing.
func (b *bookings) own() map[string]map[hotel.Date]calendar.Kind {
	out := map[string]map[hotel.Date]calendar.Kind{}
	for _, e := range b.Entries {
		if e.Gone {
			continue
		}
		if out[e.Listing] == nil {
			out[e.Listing] = map[hotel.Date]calendar.Kind{}
		}
		for night := e.Stay.CheckIn; night < e.Stay.CheckOut; night++ {
			if out[e.Listing][night] != calendar.Reservation {
				out[e.Listing][night] = e.Kind
			}
		}
	}
	return out
}

// number returns the number of the next change. It rises with time, so that it is
// above every one that was given before the shelf was lost.
func (b *bookings) number(now time.Time) int64 {
	b.Last = max(b.Last+1, now.UnixMicro())
	return b.Last
}

// How many days after its end an entry is forgotten, and its reference may be given
// again: sites use a UID for more than one stay.
const (
	forgetAfter = 30
	reuseAfter  = 2 * 366
)

// forget forgets what is long over.
func (b *bookings) forget(today hotel.Date) {
	maps.DeleteFunc(b.Used, func(_ string, end hotel.Date) bool { return end < today-reuseAfter })
	b.Entries = slices.DeleteFunc(b.Entries, func(e *entry) bool {
		over := e.Stay.CheckOut < today-forgetAfter
		if over {
			if b.Used == nil {
				b.Used = map[string]hotel.Date{}
			}
			b.Used[hashed(e.Ref)] = e.Stay.CheckOut
		}
		return over
	})
}

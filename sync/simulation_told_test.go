package sync_test

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A room of a shared pool is sold twice only inside its window: between a sale and the
// channel's taking of what it is told of that. Who had heard of the sale, and tells a
// channel of the room all the same, makes a window that nothing explains, be it as short as
// a call. The oracle reads the counts of all calls, and knows what was heard when.

// derivesIn is how long the hotel may take from hearing of a sale until whatever it tells
// goes by that.
const derivesIn = 2 * time.Second

// toldCount is a count in a call.
type toldCount struct {
	f     *far
	at    counter
	rooms int
	left  time.Time
}

// heardWord is a message of a booking that the hotel has stored.
type heardWord struct {
	channel, reference string
	at                 time.Time
}

// notesCounts keeps the counts of a call for the oracle to look at. The caller holds mu.
func (w *world) notesCounts(f *far, body []byte) {
	var call struct {
		Updates []struct {
			Room      string
			From, To  hotel.Date
			Days      []string
			Available *int
		}
	}
	if err := json.Unmarshal(body, &call); err != nil {
		w.t.Error(err)
	}
	for _, u := range call.Updates {
		for d := u.From; d <= u.To && u.Available != nil; d++ {
			if len(u.Days) == 0 || slices.Contains(u.Days, strings.ToLower(d.Weekday().String()[:2])) {
				w.counted = append(w.counted, toldCount{f, counter{w.facts.house.RoomOf(u.Room), d}, *u.Available, time.Now()})
			}
		}
	}
}

// hears notes that the hotel has stored a message.
func (w *world) hears(channel, reference string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.words = append(w.words, heardWord{channel, reference, time.Now()})
}

// hear notes since when the hotel knows all of each night.
func (w *world) hear(words []heardWord) {
	for _, word := range words {
		for _, f := range w.far {
			if f.channel != word.channel {
				continue
			}
			b, _ := f.Book().Booking(word.reference)
			for _, b := range append(slices.Clone(w.moved[word.reference]), b) {
				for _, p := range b.Parts() {
					for d := p.CheckIn; d < p.CheckOut; d++ {
						w.knows[d] = later(w.knows[d], word.at)
					}
				}
			}
		}
	}
}

// most is the largest number of rooms of a type that were free on a night since an instant.
// Of a night that has just come within the horizon, and was not looked at before then,
// nobody had sold any.
func (w *world) most(at counter, since time.Time) int {
	pool, units := poolOf(at.room)
	most := 0
	for _, l := range slices.Backward(w.levels[poolNight{pool, at.night}]) {
		if most = max(most, l.free); l.at.Before(since) {
			return most / units
		}
	}
	return testkit.Doubles / units
}

// countsOwn reports whether nobody but the hotel counts the rooms of a type.
func (w *world) countsOwn(room int) bool { return !w.habits.pms || room != suiteRoom }

// checkCounts checks that no channel was told of rooms of whose sale the hotel had heard.
func (w *world) checkCounts() {
	w.mu.Lock()
	told, words := w.counted, w.words
	w.counted, w.words = nil, nil
	w.mu.Unlock()
	w.hear(words)
	if len(told) == 0 {
		return
	}
	unheard, today := w.unheard(), w.today()
	for _, c := range told {
		since := c.left.Add(-derivesIn)
		if unheard[c.at.night] || !w.knows[c.at.night].Before(since) || c.at.night < today || !w.countsOwn(c.at.room) {
			continue
		}
		if there := w.most(c.at, since); c.rooms > there {
			w.wrong(5, "%s is told at %s of %d rooms of %s on %s, there are %d, and the hotel has heard of every sale", c.f.channel, c.left.Format("15:04:05.000"), c.rooms, w.facts.house.Rooms[c.at.room].Code, c.at.night, there)
		}
	}
}

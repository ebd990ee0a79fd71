package sync_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// The troubles that no far side makes by itself.
const (
	diskFull       testkit.FaultKind = "disk_full"
	badCertificate testkit.FaultKind = "bad_certificate"
	untold         testkit.FaultKind = "not_taken_untold"
)

// troubles are what makes them.
var troubles = map[testkit.FaultKind]func(w *world, f *far){
	// Nothing that the engine stores is stored for a while: what it has sent it does not
	// know, and what it was told it must not say yes to.
	diskFull: func(w *world, _ *far) {
		lasts := time.Duration(1+w.dice.IntN(90)) * time.Second
		w.full.Store(time.Now().Add(lasts).UnixNano())
		w.count(string(diskFull))
		for _, f := range w.far {
			w.sicken(f, lasts)
		}
	},
	// The channel's certificate is not one to be trusted: no call is made.
	badCertificate: func(w *world, f *far) {
		lasts := time.Duration(1+w.dice.IntN(300)) * time.Second
		w.mu.Lock()
		f.distrusted = time.Now().Add(lasts)
		w.mu.Unlock()
		w.count(string(badCertificate))
		w.sicken(f, lasts)
	},
	// The channel says yes to a call and does nothing. Only what it shows tells: it must
	// not happen to rooms that are granted, for nobody could know what is sold of them
	// then, nor again and again, which somebody would be asked about.
	untold: func(w *world, f *far) {
		if w.grants() || time.Since(f.mistold) < 25*time.Hour {
			return
		}
		f.mistold, w.byHand = time.Now(), true
		f.Acquire(w.t, testkit.Habits{IgnoresNext: 1})
		w.count(string(untold))
		w.sicken(f, forReading)
	},
}

// tarry has something that a channel is told take effect late, when it may have been told
// otherwise. Channels that say nothing about that are left out.
func (w *world) tarry() {
	f := w.far[w.more.IntN(grantable)]
	f.Plant(w.t, testkit.Fault{Kind: testkit.Late, Count: 1 + w.more.IntN(2)})
	w.count(string(testkit.Late))
	w.sicken(f, lateEnds)
	w.lates, w.byHand = true, true
}

// lateEnds is how long what takes effect late may keep a channel wrong, from its call on.
const lateEnds = 4 * time.Minute

// expire lets what takes effect late do so, and be found.
func (w *world) expire() {
	if !w.lates {
		return
	}
	for _, f := range w.far {
		f.Calm()
	}
	w.lates = false
	w.pass(lateEnds)
}

// relieve ends the troubles.
func (w *world) relieve() {
	w.unlock()
	w.full.Store(0)
	for _, f := range w.far {
		f.Acquire(w.t, w.ways())
		w.mu.Lock()
		f.distrusted = time.Time{}
		w.mu.Unlock()
	}
}

// errFull is what SQLite says when the disk is full.
var errFull = errors.New("database or disk is full")

// isFull reports whether nothing can be written at the hotel.
func (w *world) isFull() bool { return time.Now().UnixNano() < w.full.Load() }

// hinders is what keeps a call to a channel from being made.
func (w *world) hinders(r *http.Request) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if f := w.at(r.URL.Host); f != nil && time.Now().Before(f.distrusted) {
		return &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
	}
	return nil
}

// What the channels sell and the hotel knows nothing of: a plan of theirs, in their own
// currency, of rooms that it knows, and a room. Where rooms are granted that is another
// code of one of them, for else nobody would have granted what is sold under it.
const (
	strangePlan = "P-strange"
	strangeRoom = "R-strange"
)

// strangers lists that.
func strangers(h testkit.House) []connectors.RemoteProduct {
	all := []connectors.RemoteProduct{{Room: strangeRoom, RoomName: "strange", Rate: strangePlan, RateName: "strange"}}
	for room := range h.Rooms {
		all = append(all, connectors.RemoteProduct{Room: h.RemoteRoom(room), RoomName: h.Rooms[room].Name, Rate: strangePlan, RateName: "strange"})
	}
	return all
}

// offerStrange puts it on sale for nights that are new.
func (w *world) offerStrange(nights hotel.Span) {
	if !w.habits.strangers {
		return
	}
	var all []connectors.Change
	for d := nights.From; d <= nights.To; d++ {
		for _, p := range strangers(w.facts.house) {
			key := connectors.Key{Room: p.Room, Rate: p.Rate, Group: hotel.Price, Night: d}
			all = append(all, connectors.Change{Key: key, Offer: hotel.Offer{Amount: hotel.Money{Minor: 12345, Currency: "USD"}}})
		}
		if !w.grants() {
			all = append(all, connectors.Change{Key: connectors.Key{Room: strangeRoom, Group: hotel.Availability, Night: d}, Offer: hotel.Offer{Available: 5}})
		}
	}
	for _, f := range w.far {
		_, _ = f.Book().Take(all, testkit.Receipt{})
	}
}

// strange has a guest want that instead, now and then.
func (w *world) strange(q testkit.Request) testkit.Request {
	if !w.habits.strangers || w.dice.IntN(8) > 0 {
		return q
	}
	if q.Rate = strangePlan; w.dice.IntN(3) == 0 {
		q.Room = strangeRoom
	}
	return q
}

// ways are how the channels always are.
func (w *world) ways() testkit.Habits {
	if !w.grants() {
		return testkit.Habits{}
	}
	return testkit.Habits{Recoded: map[string]string{strangeRoom: w.facts.house.RemoteRoom(w.sells(strangeRoom))}}
}

// sleeps is the room type of the house that a channel's room takes a room of: of a room
// that is not known the smallest one that there is.
func (w *world) sleeps(room string) int { return max(0, w.facts.house.RoomOf(room)) }

// sells is the room type that a channel sells under a code, whatever is held for it: of a
// code that is not known a suite, where these are granted one by one.
func (w *world) sells(room string) int {
	if w.facts.house.RoomOf(room) < 0 && w.habits.guarded[suitesPool] {
		return 2
	}
	return w.sleeps(room)
}

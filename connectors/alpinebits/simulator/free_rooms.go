package simulator

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

type freeRooms struct {
	UniqueID *struct {
		Type     string `xml:"Type,attr"`
		Instance string `xml:"Instance,attr"`
	} `xml:"UniqueID"`
	Inventories struct {
		Code      string      `xml:"HotelCode,attr"`
		Name      string      `xml:"HotelName,attr"`
		Inventory []inventory `xml:"Inventory"`
		stray
	} `xml:"Inventories"`
}

type inventory struct {
	Control *control `xml:"StatusApplicationControl"`
	Counts  []struct {
		Type  string `xml:"CountType,attr"`
		Count string `xml:"Count,attr"`
	} `xml:"InvCounts>InvCount"`
	stray
}

type control struct {
	Start    string `xml:"Start,attr"`
	End      string `xml:"End,attr"`
	Category string `xml:"InvTypeCode,attr"`
	Room     string `xml:"InvCode,attr"`
	All      string `xml:"AllInvCode,attr"`
	stray
}

// refusal is why a message cannot be taken, with the code of the error.
type refusal struct{ code, why string }

// Error implements error.
func (r refusal) Error() string { return r.why }

func refuse(code, format string, args ...any) error {
	return refusal{code, fmt.Sprintf(format, args...)}
}

const roomsAnswer = "OTA_HotelInvCountNotifRS"

// maxDays is how far ahead rooms are taken.
const maxDays = 3650

// price is what a night costs: this portal keeps the rates itself.
var price = hotel.Money{Minor: 12000, Currency: "EUR"}

// freeRooms takes counts, all of a message or none.
func (s *Simulator) freeRooms(c call) any {
	var q freeRooms
	if err := read(c.request, "OTA_HotelInvCountNotifRQ", &q); err != nil {
		return failure(roomsAnswer, "320", err.Error())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	said, err := s.counts(c.version, q)
	set := said.changes
	if bad := (refusal{}); errors.As(err, &bad) {
		return failure(roomsAnswer, bad.code, bad.why)
	}
	last := hotel.DateIn(s.o.Clock.Now(), time.UTC) + maxDays
	for _, change := range set {
		if change.Key.Night > last {
			return refused(roomsAnswer, fmt.Sprintf("nights behind %s are not taken", last))
		}
	}
	if said.complete {
		s.shut = said.closed
	}
	changes := s.priced(set)
	if q.UniqueID != nil {
		changes = append(s.cleared(set), changes...)
	}
	answer := s.take(roomsAnswer, changes)
	if said.complete {
		s.took(askRooms, answer)
	}
	return answer
}

// counts reads a message by the rules of the standard. A closing season stands until a
// complete set has none.
func (s *Simulator) counts(version string, q freeRooms) (b board, err error) {
	all := q.Inventories
	switch {
	case all.Code == "" && (version == newest || all.Name == ""):
		return b, refuse("321", "the code of the hotel is missing")
	case all.Code != "" && all.Code != s.o.Hotel:
		return b, refuse("392", "there is no hotel of that code")
	case q.UniqueID != nil && (q.UniqueID.Instance != "CompleteSet" || q.UniqueID.Type != "16" && q.UniqueID.Type != "35"):
		return b, refuse("320", "UniqueID marks a complete set or nothing")
	case q.UniqueID == nil && s.o.Preset == sets:
		return b, refuse("320", "single changes are not taken")
	case len(all.Inventory) == 0:
		return b, refuse("321", "there is no inventory in it")
	}
	if err := all.none(); err != nil {
		return b, refuse("320", "%v", err)
	}
	if q.UniqueID != nil && len(all.Inventory) == 1 && all.Inventory[0].Control == nil {
		return board{complete: true}, nil // an empty set: everything is sold out
	}
	b = board{sim: s, complete: q.UniqueID != nil, closed: map[hotel.Date]bool{}, free: map[connectors.Key]bool{}}
	if !b.complete {
		b.closed = s.shut
	}
	for _, one := range all.Inventory {
		if err := b.take(one); err != nil {
			return b, err
		}
	}
	return b, nil
}

// board is what has been read of a message.
type board struct {
	sim      *Simulator
	complete bool
	begun    bool // a category has come
	closed   map[hotel.Date]bool
	free     map[connectors.Key]bool
	changes  []connectors.Change
}

func (b *board) take(one inventory) error {
	at := one.Control
	if at == nil {
		return refuse("321", "an inventory does not say what it is about")
	}
	if err := errors.Join(one.none(), at.none()); err != nil {
		return refuse("320", "%v", err)
	}
	from, bad := hotel.ParseDate(at.Start)
	to, worse := hotel.ParseDate(at.End)
	if bad != nil || worse != nil || to < from || to-from > maxDays {
		return refuse("404", "invalid start/end date combination")
	}
	if at.All != "" && at.All != "false" && at.All != "0" {
		return b.season(one, from, to)
	}
	b.begun = true
	switch {
	case at.Room != "":
		return refuse("320", "rooms are told by category and not one by one")
	case !b.sim.kit.Book.Knows(at.Category, ""):
		return refuse("402", "there is no category of that code")
	}
	count, err := one.bookable()
	if err != nil {
		return err
	}
	for night := from; night <= to; night++ {
		k := connectors.Key{Room: at.Category, Group: hotel.Availability, Night: night}
		if b.free[k] || b.closed[night] && count > 0 {
			return refuse("404", "a night is told twice, or free while the hotel is closed")
		}
		b.free[k] = true
		b.changes = append(b.changes, connectors.Change{Key: k, Offer: hotel.Offer{Available: count}})
	}
	return nil
}

// season takes nights in which the hotel is closed.
func (b *board) season(one inventory, from, to hotel.Date) error {
	if !b.complete || b.begun || one.Control.Category != "" || one.Control.Room != "" || len(one.Counts) > 0 {
		return refuse("320", "closing seasons come first in a complete set, and say nothing else")
	}
	for night := from; night <= to; night++ {
		if b.closed[night] {
			return refuse("404", "closing seasons overlap")
		}
		b.closed[night] = true
	}
	return nil
}

// bookable is the number of rooms that can be booked; what is not told is none.
func (one inventory) bookable() (int, error) {
	seen, free := map[string]bool{}, 0
	for _, c := range one.Counts {
		n, err := strconv.Atoi(c.Count)
		if err != nil || n < 0 || seen[c.Type] {
			return 0, refuse("320", "a count makes no sense, or is told twice")
		}
		switch seen[c.Type] = true; c.Type {
		case "2":
			free = n
		case "6":
		default:
			return 0, refuse("320", "counts of the type %s are not taken", c.Type)
		}
	}
	return free, nil
}

// priced adds what nights cost that have just become known.
func (s *Simulator) priced(counts []connectors.Change) []connectors.Change {
	out := counts
	for _, p := range s.kit.Book.Products() {
		for _, c := range counts {
			k := connectors.Key{Room: p.Room, Rate: p.Rate, Group: hotel.Price, Night: c.Key.Night}
			if _, known := s.kit.Book.Shown(k); !known && c.Key.Room == p.Room {
				out = append(out, connectors.Change{Key: k, Offer: hotel.Offer{Amount: price}})
			}
		}
	}
	return out
}

// cleared is no room on every night that a complete set leaves out.
func (s *Simulator) cleared(set []connectors.Change) []connectors.Change {
	told := map[connectors.Key]bool{}
	for _, c := range set {
		told[c.Key] = true
	}
	var out []connectors.Change
	seen := map[string]bool{}
	for _, p := range s.kit.Book.Products() {
		if seen[p.Room] {
			continue
		}
		seen[p.Room] = true
		for _, c := range s.kit.Book.Changes(p.Room, hotel.Span{From: -1 << 30, To: 1 << 30}) {
			if c.Key.Group == hotel.Availability && !told[c.Key] {
				out = append(out, connectors.Change{Key: c.Key})
			}
		}
	}
	return out
}

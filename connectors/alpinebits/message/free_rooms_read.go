package message

import (
	"strconv"

	"ostler.example/hotel"
)

// FreeRoomsSet is what a message says of free rooms.
type FreeRoomsSet struct {
	Hotel    Hotel
	Complete bool         // what is not in it is sold out
	Closed   []hotel.Span // in which the house is closed; in complete sets alone
	Single   bool         // rooms were told one by one, and are added up to their category
	Rooms    []Rooms
}

// The types of counts: what can be booked, what is out of order, and what is free and
// not on sale.
const (
	bookable    = "2"
	outOfOrder  = "6"
	outOfMarket = "9"
)

type roomsMessage struct {
	UniqueID    *setID `xml:"UniqueID"`
	Inventories struct {
		Hotel
		Inventory []struct {
			Control *struct {
				Start    string  `xml:"Start,attr"`
				End      string  `xml:"End,attr"`
				Category *string `xml:"InvTypeCode,attr"`
				Room     *string `xml:"InvCode,attr"`
				All      string  `xml:"AllInvCode,attr"`
			} `xml:"StatusApplicationControl"`
			Counts []inventoryCount `xml:"InvCounts>InvCount"`
		} `xml:"Inventory"`
	} `xml:"Inventories"`
}

// ReadFreeRooms reads what somebody tells of free rooms. Single rooms are added up to
// their category. A message that says something that makes no sense is refused as a
// whole, with a [Refusal].
func ReadFreeRooms(raw []byte) (FreeRoomsSet, error) {
	var q roomsMessage
	if _, err := read(raw, "OTA_HotelInvCountNotifRQ", &q); err != nil {
		return FreeRoomsSet{}, err
	}
	out := FreeRoomsSet{Hotel: q.Inventories.Hotel}
	if u := q.UniqueID; u != nil {
		if u.Instance != completeSet.Instance || u.Type != "16" && u.Type != "35" {
			return out, refuse(CodeInvalid, "UniqueID marks a complete set or nothing")
		}
		out.Complete = true
	}
	all := q.Inventories.Inventory
	switch {
	case len(all) == 0:
		return out, refuse(CodeMissing, "there is no inventory in it")
	case len(all) == 1 && all[0].Control == nil && len(all[0].Counts) == 0:
		if !out.Complete {
			return out, refuse(CodeMissing, "an inventory does not say what it is about")
		}
		return out, nil // everything is sold out
	}
	tally := tally{told: map[placed]bool{}}
	for _, one := range all {
		if one.Control == nil {
			return out, refuse(CodeMissing, "an inventory does not say what it is about")
		}
		nights, err := spanOf(one.Control.Start, one.Control.End)
		if err != nil {
			return out, err
		}
		if tally.nights += nights.Days(); tally.nights > maxRoomNights {
			return out, refuse(CodeInvalid, "the message is about more than %d nights", maxRoomNights)
		}
		if on(one.Control.All) {
			if !out.Complete || len(tally.told) > 0 || one.Control.Category != nil || one.Control.Room != nil || len(one.Counts) > 0 {
				return out, refuse(CodeInvalid, "closing seasons come first in a complete set, and say nothing else")
			}
			out.Closed = append(out.Closed, nights)
			continue
		}
		free, err := free(one.Counts)
		if err != nil {
			return out, err
		}
		if err := tally.add(one.Control.Category, one.Control.Room, nights, free); err != nil {
			return out, err
		}
		if free > 0 {
			for _, closed := range out.Closed {
				if nights.From <= closed.To && nights.To >= closed.From {
					return out, refuse(CodeInvalid, "rooms are free on %s, when the house is closed", max(nights.From, closed.From))
				}
			}
		}
	}
	out.Rooms = tally.rooms
	place := func(s hotel.Span) (string, hotel.Span) { return "of closing seasons", s }
	if out.Single = tally.single; out.Single {
		out.Rooms = tally.sum()
	}
	return out, overlap(out.Closed, place)
}

// maxRoomNights bounds what one message makes somebody work out.
const maxRoomNights = 200_000

// on reports whether a flag is set.
func on(flag string) bool { return flag == "1" || flag == "true" }

// free is the number of rooms that can be booked; what is not told is none.
func free(counts []inventoryCount) (int, error) {
	seen, free := map[string]bool{}, 0
	for _, c := range counts {
		n, err := strconv.Atoi(c.Count)
		if err != nil || n < 0 || n > maxCount || seen[c.Type] {
			return 0, refuse(CodeInvalid, "a count makes no sense, or is told twice")
		}
		seen[c.Type] = true
		switch c.Type {
		case bookable:
			free = n
		case outOfOrder, outOfMarket:
		default:
			return 0, refuse(CodeInvalid, "there is no type %q of counts", c.Type)
		}
	}
	return free, nil
}

// maxCount is the most rooms of a category that anybody means.
const maxCount = 9999

// placed is one night of a category, or of a room in it.
type placed struct {
	category, room string
	night          hotel.Date
}

// tally adds up what is told.
type tally struct {
	single bool // rooms are told one by one
	nights int
	told   map[placed]bool
	rooms  []Rooms
}

func (t *tally) add(category, room *string, nights hotel.Span, free int) error {
	single := room != nil
	switch {
	case category == nil || *category == "" || single && *room == "":
		return refuse(CodeMissing, "an inventory does not say of which category")
	case len(t.told) > 0 && single != t.single:
		return refuse(CodeInvalid, "categories and single rooms are mixed")
	}
	t.single = single
	at := placed{category: *category}
	if single {
		at.room = *room
	}
	for at.night = nights.From; at.night <= nights.To; at.night++ {
		if t.told[at] {
			return refuse(CodeDates, "category %q is told twice of %s", at.category, at.night)
		}
		t.told[at] = true
	}
	t.rooms = append(t.rooms, Rooms{*category, nights, free})
	return nil
}

// sum adds single rooms up, night by night.
func (t *tally) sum() []Rooms {
	type night struct {
		category string
		night    hotel.Date
	}
	free := map[night]int{}
	var order []night
	for _, r := range t.rooms {
		for d := r.Nights.From; d <= r.Nights.To; d++ {
			at := night{r.Category, d}
			if _, known := free[at]; !known {
				order = append(order, at)
			}
			free[at] += r.Free
		}
	}
	rooms := make([]Rooms, 0, len(order))
	for _, at := range order {
		rooms = append(rooms, Rooms{at.category, hotel.Span{From: at.night, To: at.night}, free[at]})
	}
	return rooms
}

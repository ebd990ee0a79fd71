package message

import (
	"strconv"

	"ostler.example/hotel"
)

// Hotel is a property as both sides name it.
type Hotel struct {
	Code string `xml:"HotelCode,attr"`
	Name string `xml:"HotelName,attr,omitempty"`
}

// Rooms is how many rooms of a category are free on each night of a span. The span
// includes both ends.
type Rooms struct {
	Category string
	Nights   hotel.Span
	Free     int
}

type inventory struct {
	Control *inventoryControl `xml:"StatusApplicationControl"`
	Count   *inventoryCount   `xml:"InvCounts>InvCount"`
}

type inventoryControl struct {
	Start    string `xml:"Start,attr"`
	End      string `xml:"End,attr"`
	Category string `xml:"InvTypeCode,attr,omitempty"`
	All      string `xml:"AllInvCode,attr,omitempty"`
}

// inventoryCount is what is free; a category without one is sold out.
type inventoryCount struct {
	Type  string `xml:"CountType,attr"`
	Count string `xml:"Count,attr"`
}

// WriteFreeRooms tells counts and leaves those of all other nights as they are. Spans
// of a category must not overlap.
func WriteFreeRooms(h Hotel, rooms []Rooms) []byte { return writeRooms(h, nil, rooms, nil) }

// WriteAllFreeRooms tells counts in place of all that were told before: a night that is
// not named is sold out. On the nights of closed, which do not overlap and on which no
// room is free, the house is closed.
func WriteAllFreeRooms(h Hotel, closed []hotel.Span, rooms []Rooms) []byte {
	return writeRooms(h, closed, rooms, &completeSet)
}

func writeRooms(h Hotel, closed []hotel.Span, rooms []Rooms, set *setID) []byte {
	type inventories struct {
		Hotel
		Inventory []inventory
	}
	all := inventories{Hotel: h}
	if len(rooms)+len(closed) == 0 {
		all.Inventory = []inventory{{}} // how a set says that there is nothing
	}
	for _, c := range closed { // first
		all.Inventory = append(all.Inventory, inventory{Control: &inventoryControl{Start: c.From.String(), End: c.To.String(), All: "true"}})
	}
	for _, r := range rooms {
		of := inventory{Control: &inventoryControl{Start: r.Nights.From.String(), End: r.Nights.To.String(), Category: r.Category}}
		if r.Free > 0 {
			of.Count = &inventoryCount{bookable, strconv.Itoa(r.Free)}
		}
		all.Inventory = append(all.Inventory, of)
	}
	return write("OTA_HotelInvCountNotifRQ", "4", struct {
		UniqueID    *setID
		Inventories inventories
	}{set, all})
}

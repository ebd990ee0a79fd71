package channex

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"ostler.example/hotel"
)

// service is what a guest has booked beside the room, or is told to be within its price. Its
// name is left out: agencies write people's names into it.
type service struct {
	Kind      text          `json:"type"`
	Mode      text          `json:"price_mode"`
	Nights    text          `json:"nights"`
	Persons   text          `json:"persons"`
	PerUnit   text          `json:"price_per_unit"`
	Total     text          `json:"total_price"`
	Inclusive lenient[bool] `json:"is_inclusive"`
}

// cancellationFee is the kind of what a cancelled booking costs, which is no extra.
const cancellationFee = "Cancellation Fee"

// ofNoKind is the code of what is told without a kind.
const ofNoKind = "Service"

// extras are services as extras; where there are none, an empty list, which says so.
func extras(services []service, stay hotel.Stay, c hotel.Currency) []hotel.Extra {
	out := []hotel.Extra{}
	for _, s := range services {
		if e, ok := s.extra(stay, c); ok {
			out = append(out, e)
		}
	}
	return out
}

// bearerOf is the room at which stands what is said of the whole booking. In whatever order
// the rooms are told, it is the same one.
func bearerOf(rooms []hotel.ChannelRoom) *hotel.ChannelRoom {
	bearer := &rooms[0]
	for i := range rooms {
		if rooms[i].Ref < bearer.Ref {
			bearer = &rooms[i]
		}
	}
	return bearer
}

// extra reads a service as an extra. What is within the price of the room costs nothing
// more. Where the price of one, so many times, is not the total that is told, it is one for
// the whole stay at that total: the total is what the guest pays.
func (s service) extra(stay hotel.Stay, c hotel.Currency) (hotel.Extra, bool) {
	e := hotel.Extra{Code: cmp.Or(strings.TrimSpace(string(s.Kind)), ofNoKind), DateFrom: stay.CheckIn, DateTo: stay.CheckIn, Quantity: 1, UnitPrice: hotel.Money{Currency: c}}
	if e.Code == cancellationFee || !c.Known() {
		return hotel.Extra{}, false
	}
	if s.Inclusive.v {
		e.DateTo = stay.CheckOut - 1
		return e, true
	}
	total, err := parseAmount(s.Total, c)
	if err != nil || total.Minor < 0 {
		return e, true // what it costs is not told
	}
	e.UnitPrice = total
	each, err := parseAmount(s.PerUnit, c)
	if err != nil {
		return e, true
	}
	nights, persons := 1, 1
	if strings.Contains(string(s.Mode), "erson") {
		persons, _ = strconv.Atoi(string(s.Persons))
	}
	if strings.Contains(string(s.Mode), "night") || strings.Contains(string(s.Mode), "Night") {
		nights, _ = strconv.Atoi(string(s.Nights))
	}
	if nights >= 1 && nights <= stay.Nights() && persons >= 1 && persons <= 999 && each.Minor*int64(nights)*int64(persons) == total.Minor {
		e.Quantity, e.UnitPrice, e.DateTo = persons, each, stay.CheckIn+hotel.Date(nights-1)
	}
	return e, true
}

// arrival is when the guest means to come, "" where that is not told.
func (a attributes) arrival() string {
	for _, form := range []string{"15:04", "15:04:05"} {
		if at, err := time.Parse(form, string(a.ArrivalHour)); err == nil {
			return at.Format("15:04")
		}
	}
	return ""
}

package channex

import (
	"strconv"
	"strings"
	"time"

	"ostler.example/hotel"
)

// service is what a guest has booked beside the room, or is told to be within its price.
type service struct {
	Name      text          `json:"name"`
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

// joined adds services to extras, of which nil is that nothing was said.
func joined(extras []hotel.Extra, services []service, stay hotel.Stay, c hotel.Currency) []hotel.Extra {
	if services != nil && extras == nil {
		extras = []hotel.Extra{}
	}
	for _, s := range services {
		if e, ok := s.extra(stay, c); ok {
			extras = append(extras, e)
		}
	}
	return extras
}

// extra reads a service as an extra. What is within the price of the room costs nothing
// more. Where the price of one, so many times, is not the total that is told, it is one for
// the whole stay at that total: the total is what the guest pays.
func (s service) extra(stay hotel.Stay, c hotel.Currency) (hotel.Extra, bool) {
	name := strings.TrimSpace(string(s.Name))
	e := hotel.Extra{Code: strings.TrimSpace(string(s.Kind)), Name: name, DateFrom: stay.CheckIn, DateTo: stay.CheckIn, Quantity: 1, UnitPrice: hotel.Money{Currency: c}}
	if e.Code == "" {
		e.Code = name
	}
	if e.Code == "" || e.Code == cancellationFee || !c.Known() {
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

package main_test

import (
	"fmt"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// The nights that are compared: from the day after tomorrow, which is in the
// future in every time zone, as far as the sample hotel surely sells.
const (
	firstNight = 2
	lastNight  = 490
	window     = 400 // nights that one question may span
)

// ahead returns the night so many days from today.
func ahead(days int) hotel.Date { return hotel.DateIn(time.Now(), time.UTC) + hotel.Date(days) }

// settled waits until every channel shows exactly what the ledger offers it.
func (d *demo) settled(t *testing.T, within time.Duration) {
	t.Helper()
	eventually(t, within, 250*time.Millisecond, func() error {
		for _, f := range d.channels {
			state, err := f.state()
			if err != nil {
				return err
			}
			if state.Waiting > 0 {
				return fmt.Errorf("%d messages of %s wait", state.Waiting, f.id)
			}
		}
		return d.quiet()
	})
	if err := d.compare(); err != nil {
		t.Fatal(err)
	}
}

// compare reads all that the ledger offers and all that the channels show, and
// says where the two differ.
func (d *demo) compare() error {
	want, err := d.offers()
	if err != nil {
		return err
	}
	var differences []string
	for _, f := range d.channels {
		state, err := f.state()
		if err != nil {
			return err
		}
		if state.OverLimit > 0 {
			differences = append(differences, fmt.Sprintf("%s refused %d calls beyond its limit", f.id, state.OverLimit))
		}
		got := map[string]string{}
		for _, c := range state.Cells {
			if c.Date >= ahead(firstNight) && c.Date <= ahead(lastNight) {
				got[f.id+" "+c.Room+" "+c.Rate+" "+c.Date.String()] = c.text()
			}
		}
		differences = append(differences, differ(f.id, want, got)...)
	}
	if len(differences) == 0 {
		return nil
	}
	return fmt.Errorf("%d differences between ledger and channels:\n%s",
		len(differences), strings.Join(differences[:min(len(differences), 10)], "\n"))
}

// differ compares the cells of one channel.
func differ(channel string, want, got map[string]string) []string {
	var all []string
	for _, at := range slices.Sorted(maps.Keys(want)) {
		if strings.HasPrefix(at, channel+" ") && want[at] != got[at] {
			all = append(all, fmt.Sprintf("%s: shown %s, offered %s", at, got[at], want[at]))
		}
	}
	for _, at := range slices.Sorted(maps.Keys(got)) {
		if _, known := want[at]; !known {
			all = append(all, fmt.Sprintf("%s: shown %s, never offered", at, got[at]))
		}
	}
	return all
}

func (c cell) text() string { return fmt.Sprintf("%d %+v %v", c.Available, c.limits, c.Prices) }

// The house's values, as /v1 tells them.
type (
	stockCell struct {
		RoomTypeID string `json:"room_type_id"`
		Date       hotel.Date
		Sold       int
		Available  int
	}
	product struct {
		RoomTypeID string `json:"room_type_id"`
		RatePlanID string `json:"rate_plan_id"`
		Date       hotel.Date
	}
	priceCell struct {
		product
		Amount  struct{ Amount string }
		ByGuest map[string]string `json:"occupancy_amounts"`
	}
	limitCell struct {
		product
		limits
	}
)

// offers computes what each channel is to show, in plain words of its own: the
// house's values as /v1 tells them, the plan's derivation, the channel's markup,
// one rounding at the end.
func (d *demo) offers() (map[string]string, error) {
	h, err := d.house()
	if err != nil {
		return nil, err
	}
	channels, err := list[channel](&d.client, "/channels", url.Values{})
	if err != nil {
		return nil, err
	}
	stock, err := nights[stockCell](d, "/inventory")
	if err != nil {
		return nil, err
	}
	prices, err := nights[priceCell](d, "/rates")
	if err != nil {
		return nil, err
	}
	restrictions, err := nights[limitCell](d, "/restrictions")
	if err != nil {
		return nil, err
	}
	available := map[product]int{}
	for _, s := range stock {
		available[product{RoomTypeID: s.RoomTypeID, Date: s.Date}] = s.Available
	}
	price, limit := map[product]priceCell{}, map[product]limits{}
	for _, p := range prices {
		price[p.product] = p
	}
	for _, l := range restrictions {
		limit[l.product] = l.limits
	}
	all := map[string]string{}
	for _, ch := range channels {
		far := &farSide{id: ch.ID}
		for _, r := range h.rooms {
			for _, p := range h.plans {
				for night := ahead(firstNight); night <= ahead(lastNight); night++ {
					at := product{r.ID, p.ID, night}
					c := cell{Available: available[product{RoomTypeID: r.ID, Date: night}], limits: limit[at], Prices: map[string]string{}}
					source := price[at]
					if p.Derived != nil {
						source = price[product{r.ID, p.Derived.Parent, night}]
					}
					c.Prices["0"] = ch.price(p, source.Amount.Amount)
					for guests, amount := range source.ByGuest {
						c.Prices[guests] = ch.price(p, amount)
					}
					all[ch.ID+" "+far.room(r.Code)+" "+far.rate(p.Code)+" "+night.String()] = c.text()
				}
			}
		}
	}
	return all, nil
}

// nights reads all cells of a list by night.
func nights[E any](d *demo, path string) ([]E, error) {
	var all []E
	for from := ahead(firstNight); from <= ahead(lastNight); from += window {
		to := min(from+window-1, ahead(lastNight))
		some, err := list[E](&d.client, path, url.Values{
			"property_id": {property}, "date_from": {from.String()}, "date_to": {to.String()}, "limit": {"2000"},
		})
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// price returns what the channel is to show for a plan, from the amount that
// was typed for it or for its parent.
func (ch channel) price(p ratePlan, typed string) string {
	amount, ok := new(big.Rat).SetString(typed)
	if !ok {
		return "no price"
	}
	rounding := "none"
	if p.Derived != nil {
		amount, rounding = adjust(amount, p.Derived.Kind, p.Derived.Value), p.Derived.Rounding
	}
	if ch.Markup != nil {
		amount = adjust(amount, ch.Markup.Kind, ch.Markup.Value)
	}
	switch rounding {
	case "none", "":
		return nearest(amount, 0, "1/100")
	case "nearest_1":
		return nearest(amount, 0, "1")
	case "end_9":
		return nearest(amount, 9, "10")
	}
	return "no rounding " + rounding
}

func adjust(amount *big.Rat, kind, value string) *big.Rat {
	by, _ := new(big.Rat).SetString(value)
	if kind == "percent" {
		by.Mul(amount, by.Quo(by, big.NewRat(100, 1)))
	}
	return by.Add(amount, by)
}

// nearest returns the amount of the row first, first+step, … that is nearest,
// of two that are equally near the one with the even number.
func nearest(amount *big.Rat, first int64, step string) string {
	width, _ := new(big.Rat).SetString(step)
	start := big.NewRat(first, 1)
	at := new(big.Rat).Sub(amount, start)
	at.Quo(at, width)
	number := new(big.Int).Div(at.Num(), at.Denom()) // rounded down
	rest := new(big.Rat).Sub(at, new(big.Rat).SetInt(number))
	if c := rest.Cmp(big.NewRat(1, 2)); c > 0 || c == 0 && number.Bit(0) == 1 {
		number.Add(number, big.NewInt(1))
	}
	result := new(big.Rat).SetInt(number)
	return result.Mul(result, width).Add(result, start).FloatString(2)
}

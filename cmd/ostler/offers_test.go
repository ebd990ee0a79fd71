package main_test

import (
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// window is how many nights one question may span.
const window = 400

// everyNight is from the day after tomorrow, which is in the future in every
// time zone, as far as the sample hotel surely sells.
func everyNight() hotel.Span { return nights(2, 490) }

// nights is a span of nights, both days counted from today.
func nights(from, to int) hotel.Span { return hotel.Span{From: ahead(from), To: ahead(to)} }

// ahead returns the night so many days from today.
func ahead(days int) hotel.Date { return hotel.DateIn(time.Now(), time.UTC) + hotel.Date(days) }

// market is a hotel with the channels that sell its rooms: /v1, and what guests see at
// the far sides of the mock.
type market struct {
	client
	channels []*farSide
}

// settled waits until nobody has anything more to tell, and then compares all
// nights of the span with what the ledger offers each channel.
func (m *market) settled(t *testing.T, span hotel.Span) {
	t.Helper()
	m.settledWithin(t, patience, span)
}

func (m *market) settledWithin(t *testing.T, within time.Duration, span hotel.Span) {
	t.Helper()
	eventually(t, within, 250*time.Millisecond, func() error {
		if err := m.quiet(); err != nil {
			return err // to look inside all of them takes longer
		}
		for _, f := range m.channels {
			state, err := f.state()
			if err != nil {
				return err
			}
			if state.Waiting > 0 {
				return fmt.Errorf("%d messages of %s wait", state.Waiting, f.id)
			}
			if state.OverLimit > 0 {
				t.Errorf("%s refused %d calls beyond its limit", f.id, state.OverLimit)
			}
		}
		return m.quiet()
	})
	values, err := m.values(span)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.channels {
		var ch channel
		if err := m.get("/channels/"+f.id, &ch); err != nil {
			t.Fatal(err)
		}
		got, err := f.offers(span)
		if err != nil {
			t.Fatal(err)
		}
		differ(t, f.id, values.offers(ch, f), got)
	}
}

// differ reports where two sets of offers are not the same.
func differ(t *testing.T, channel string, want, got map[remote]offer) {
	t.Helper()
	different := 0
	for at, w := range want {
		if g, shown := got[at]; !shown || g != w {
			if different++; different <= 5 {
				t.Errorf("%s %s %s on %s: shown %+v, offered %+v", channel, at.room, at.rate, at.night, g, w)
			}
		}
	}
	if different > 0 || len(got) != len(want) {
		t.Errorf("%s: %d cells differ; %d are shown, %d are offered", channel, different, len(got), len(want))
	}
}

// remote is a product's night in the far side's words, offer what guests see.
type (
	remote struct {
		room, rate string
		night      hotel.Date
	}
	offer struct {
		available int
		limits
		prices string // by number of guests
	}
)

// offers reads what the channel shows.
func (f *farSide) offers(span hotel.Span) (map[remote]offer, error) {
	state, err := f.state()
	if err != nil {
		return nil, err
	}
	cells, err := state.cells()
	all := map[remote]offer{}
	for _, c := range cells {
		if span.Contains(c.Date) {
			all[remote{c.Room, c.Rate, c.Date}] = offer{c.Available, c.limits, joined(c.Prices)}
		}
	}
	return all, err
}

func joined(prices map[string]string) string {
	all := make([]string, 0, len(prices))
	for guests, amount := range prices {
		all = append(all, guests+": "+amount)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

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

// values are the house's, by night.
type values struct {
	house
	span      hotel.Span
	available map[product]int // by room type: the plan is empty
	price     map[product]priceCell
	limit     map[product]limits
}

// values reads them.
func (c *client) values(span hotel.Span) (v values, err error) {
	v = values{span: span, available: map[product]int{}, price: map[product]priceCell{}, limit: map[product]limits{}}
	if v.house, err = c.house(); err != nil {
		return v, err
	}
	stock, err := byNight[stockCell](c, span, "/inventory")
	if err != nil {
		return v, err
	}
	prices, err := byNight[priceCell](c, span, "/rates")
	if err != nil {
		return v, err
	}
	restrictions, err := byNight[limitCell](c, span, "/restrictions")
	if err != nil {
		return v, err
	}
	for _, s := range stock {
		v.available[product{RoomTypeID: s.RoomTypeID, Date: s.Date}] = s.Available
	}
	for _, p := range prices {
		v.price[p.product] = p
	}
	for _, l := range restrictions {
		v.limit[l.product] = l.limits
	}
	return v, nil
}

// offers computes what a channel is to show, in plain words of its own: the house's
// values as /v1 tells them, the plan's derivation, the channel's markup, one rounding at
// the end.
func (v values) offers(ch channel, far *farSide) map[remote]offer {
	all, prices := map[remote]offer{}, map[typed]string{}
	for _, r := range v.rooms {
		for _, p := range v.plans {
			for night := v.span.From; night <= v.span.To; night++ {
				at := product{r.ID, p.ID, night}
				source := v.price[at]
				if p.Derived != nil {
					source = v.price[product{r.ID, p.Derived.Parent, night}]
				}
				shown := map[string]string{"0": ch.price(p, source.Amount.Amount, prices)}
				for guests, amount := range source.ByGuest {
					shown[guests] = ch.price(p, amount, prices)
				}
				all[remote{far.room(r.Code), far.rate(p.Code), night}] = offer{
					v.available[product{RoomTypeID: r.ID, Date: night}], v.limit[at], joined(shown),
				}
			}
		}
	}
	return all
}

// byNight reads all cells of a list by night.
func byNight[E any](c *client, span hotel.Span, path string) ([]E, error) {
	var all []E
	for from := span.From; from <= span.To; from += window {
		to := min(from+window-1, span.To)
		some, err := list[E](c, path, url.Values{
			"property_id": {property}, "date_from": {from.String()}, "date_to": {to.String()}, "limit": {"2000"},
		})
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// typed is an amount that somebody typed, for a plan or for its parent.
type typed struct{ plan, amount string }

// price returns what the channel is to show for a plan, from the amount that
// was typed for it or for its parent. What was computed once is in known.
func (ch channel) price(p ratePlan, amount string, known map[typed]string) string {
	at := typed{p.ID, amount}
	if _, ok := known[at]; !ok {
		known[at] = ch.compute(p, amount)
	}
	return known[at]
}

func (ch channel) compute(p ratePlan, typed string) string {
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

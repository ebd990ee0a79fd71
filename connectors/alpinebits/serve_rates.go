package alpinebits

import (
	"context"
	"maps"
	"slices"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// mostRateNights is of how many nights prices are told at once.
const mostRateNights = 400

// giveRates tells what rooms cost: of all plans or of those that are asked for, on the
// nights that are asked for. There are no changes apart: without dates it is all.
func (s served) giveRates(ctx context.Context, v visit) ([]byte, error) {
	q, nights, err := s.cfg.ratesAsked(v.asked, hotel.Span{From: v.layout.Today, To: v.layout.Last})
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, code := range q.Plans {
		p, err := s.plan(v, code)
		if err != nil {
			return nil, err
		}
		wanted[p.ID] = true
	}
	told := map[string]map[string][]message.Rate{} // by plan and room type
	for from := nights.From; from <= nights.To; from += mostRateNights {
		cells, err := v.house.Rates(ctx, hotel.Span{From: from, To: min(nights.To, from+mostRateNights-1)})
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			if len(wanted) == 0 || wanted[c.RatePlanID] {
				s.price(v, told, c)
			}
		}
	}
	set := message.PlanSet{Hotel: message.Hotel{Code: s.cfg.Hotel, Name: s.cfg.HotelName}}
	for _, p := range v.layout.Plans {
		rates := told[p.ID]
		if len(rates) == 0 && !wanted[p.ID] {
			continue
		}
		meal := mealCode(p.MealPlan)
		plan := message.Plan{Code: s.cfg.RateCodes.from(p.Code), Kind: message.New, Currency: p.Currency, Basis: &message.PriceBasis{Meals: meal}}
		for _, room := range slices.Sorted(maps.Keys(rates)) {
			plan.Rates = append(plan.Rates, rates[room]...)
		}
		set.Plans = append(set.Plans, plan)
	}
	if len(set.Plans) == 0 {
		return nil, message.Refusal{Code: message.CodeRate, Why: "no rate plan has prices on these nights"}
	}
	return message.WriteBaseRates(set), nil
}

// price adds the prices of a night to those before it, if there are any.
func (s served) price(v visit, told map[string]map[string][]message.Rate, c hotel.RateCell) {
	at := slices.IndexFunc(v.layout.Rooms, func(r hotel.RoomType) bool { return r.ID == c.RoomTypeID })
	if at < 0 || c.Amount == nil || c.Amount.Minor <= 0 {
		return
	}
	room := v.layout.Rooms[at]
	code := category(s.cfg.RoomCodes.from(room.Code))
	if code == "" {
		return
	}
	by := map[int]int64{}
	for guests, amount := range c.ByOccupancy {
		if guests > 0 && amount.Minor > 0 {
			by[guests] = amount.Minor
		}
	}
	by[room.BaseOccupancy] = c.Amount.Minor
	r := message.Rate{Category: code, Nights: hotel.Span{From: c.Date, To: c.Date}}
	for _, guests := range slices.Sorted(maps.Keys(by)) {
		r.Prices = append(r.Prices, message.GuestPrice{Guests: guests, Minor: by[guests]})
	}
	if told[c.RatePlanID] == nil {
		told[c.RatePlanID] = map[string][]message.Rate{}
	}
	so := told[c.RatePlanID][code]
	if n := len(so); n > 0 && so[n-1].Nights.To+1 == c.Date && slices.Equal(so[n-1].Prices, r.Prices) {
		so[n-1].Nights.To = c.Date
		return
	}
	told[c.RatePlanID][code] = append(so, r)
}

package console

import (
	"cmp"
	"slices"
	"strings"

	"ostler.example/hotel"
)

// Effect is what rules make of the prices of some nights.
type Effect struct {
	Span     hotel.Span
	Lines    []effectLine // nights that become others, of every product
	More     int          // lines that there are besides
	Raised   int          // nights of products
	Lowered  int
	Products []effectProduct // that have a price on these nights
	Product  string          // the one that the chart is about
	Chart    *nightsChart    // nil: there is nothing to draw
}

// effectProduct is a product that has prices, and on how many nights they change.
type effectProduct struct {
	Line, Name string
	Changes    int
}

// effectLine is a night of a product whose price becomes another.
type effectLine struct {
	Date          hotel.Date
	Name          string
	Before, After hotel.Money
	By            []string // the rules that made it, by name
}

// effectNights is how many nights an effect is worked out for unless somebody asks for
// others.
const effectNights = 28

// effect works out what rules do: the given ones against the stored, or, without any, the
// stored ones against none. ask says for which nights, and which product is drawn.
func (v *visit) effect(ask func(string) string, try []hotel.PricingRule, n names, stored []hotel.PricingRule) (e Effect, err error) {
	today := v.c.desk.Today(v.house)
	e.Span = hotel.Span{From: today, To: today + effectNights - 1}
	if from, err := hotel.ParseDate(ask("sim_from")); err == nil {
		e.Span.From = max(from, today)
		e.Span.To = e.Span.From + effectNights - 1
	}
	if to, err := hotel.ParseDate(ask("sim_to")); err == nil && to >= e.Span.From {
		e.Span.To = min(to, e.Span.From+mostAltered-1)
	}
	var rules *[]hotel.PricingRule
	called := map[string]string{}
	for _, r := range stored {
		called[r.ID] = r.Name
	}
	if try != nil {
		rules = &try
	}
	cells, err := v.c.desk.SimulatePrices(v.r.Context(), v.caller, v.house.ID, e.Span, rules)
	if err != nil {
		return e, err
	}
	for _, r := range try { // which the simulation has numbered
		called[r.ID] = r.Name
	}
	drawn := map[string][]hotel.SimulatedPrice{}
	for _, c := range cells {
		line := lineOf(c.RoomTypeID, c.RatePlanID)
		i := slices.IndexFunc(e.Products, func(p effectProduct) bool { return p.Line == line })
		if i < 0 {
			i = len(e.Products)
			e.Products = append(e.Products, effectProduct{Line: line, Name: n.rooms[c.RoomTypeID] + " · " + n.plans[c.RatePlanID]})
		}
		drawn[line] = append(drawn[line], c)
		if c.Before == c.After {
			continue
		}
		e.Products[i].Changes++
		if c.After.Minor > c.Before.Minor {
			e.Raised++
		} else {
			e.Lowered++
		}
		l := effectLine{Date: c.Date, Name: e.Products[i].Name, Before: c.Before, After: c.After}
		for _, id := range c.Rules {
			l.By = append(l.By, cmp.Or(called[id], id))
		}
		e.Lines = append(e.Lines, l)
	}
	slices.SortStableFunc(e.Lines, func(a, b effectLine) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Date, b.Date))
	})
	e.More = max(0, len(e.Lines)-mostLines)
	e.Lines = e.Lines[:len(e.Lines)-e.More]
	e.Product = e.draws(ask("product"))
	if prices := drawn[e.Product]; len(prices) > 1 {
		chart := v.nightsChart(prices)
		e.Chart = &chart
	}
	return e, nil
}

// draws is the product that is drawn: the one that was asked for, else the one that most
// is different of.
func (e Effect) draws(asked string) string {
	if slices.ContainsFunc(e.Products, func(p effectProduct) bool { return p.Line == asked }) {
		return asked
	}
	if len(e.Products) == 0 {
		return ""
	}
	return slices.MaxFunc(e.Products, func(a, b effectProduct) int { return cmp.Compare(a.Changes, b.Changes) }).Line
}

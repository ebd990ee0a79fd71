package console

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
	"ostler.example/internal/auth"
)

// altered is a cell that is to be changed. Before and after are what is typed there.
type altered struct {
	room, plan    string
	night         hotel.Date
	version       int64
	before, after string
	guests        []int // for so many, other than the usual number, a price is typed
}

// cells are the cells that the form names as they stand, by line and night. Those whose
// price it would adjust, but has not been typed, are left out and counted.
func (v *visit) cells(f *alterForm) (cells []altered, untyped int, err error) {
	nights := map[hotel.Date]bool{}
	for _, n := range f.Dates.Nights() {
		nights[n] = true
	}
	mine := func(room, plan string, night hotel.Date) bool {
		return nights[night] && f.is(room, plan)
	}
	switch {
	case f.What.needs == auth.InventoryWrite:
		cells, err = v.stockCells(f, mine)
	case f.What.field == hotel.FieldAmount:
		cells, untyped, err = v.priceCells(f, mine)
	default:
		cells, err = v.ruleCells(f, mine)
	}
	if err == nil && len(cells) == 0 && untyped > 0 {
		err = hotel.Invalid("/value", "required", "no price is typed on these nights that could be adjusted: set one, or adjust the plan that they are derived from")
	} else if err == nil && len(cells) == 0 {
		err = hotel.Invalid("/from", "required", "no night is chosen, none of the rate plans sells these room types, or what is to change is not of the lines that were drawn over")
	}
	return cells, untyped, err
}

func (v *visit) stockCells(f *alterForm, mine func(room, plan string, night hotel.Date) bool) (cells []altered, err error) {
	after := ""
	if f.What.field == fieldOutOfOrder || f.Value != "" {
		n, err := f.number()
		if err != nil {
			return nil, err
		}
		after = v.words.number(n)
	}
	inv, err := v.c.desk.Inventory(v.r.Context(), v.caller, hotel.InventoryQuery{PropertyID: v.house.ID, Span: f.Dates.Span})
	for _, c := range inv.Cells {
		if !mine(c.RoomTypeID, "", c.Date) {
			continue
		}
		a := altered{room: c.RoomTypeID, night: c.Date, version: c.Version, before: v.words.number(c.OutOfOrder), after: after}
		if f.What.field == fieldSellLimit {
			a.before = v.numberOrNone(c.SellLimit)
		}
		cells = append(cells, a)
	}
	return cells, err
}

func (v *visit) numberOrNone(n *int) string {
	if n == nil {
		return ""
	}
	return v.words.number(*n)
}

func (v *visit) priceCells(f *alterForm, mine func(room, plan string, night hotel.Date) bool) (cells []altered, untyped int, err error) {
	list, err := v.c.desk.Rates(v.r.Context(), v.caller, hotel.CellQuery{PropertyID: v.house.ID, Span: f.Dates.Span})
	for _, c := range list {
		if !mine(c.RoomTypeID, c.RatePlanID, c.Date) {
			continue
		}
		to, step, err := f.priced(c.RatePlanID)
		if err != nil {
			return nil, 0, err
		}
		if step != nil && len(c.Typed) == 0 {
			untyped++
			continue
		}
		next, others := map[int]hotel.Money{}, []int{}
		for guests, m := range c.Typed {
			if guests > 0 {
				others = append(others, guests)
			}
			if to == nil && step == nil {
				continue // it is taken back
			}
			ok := true
			if step != nil {
				m, ok = price.Step(m, *step)
			}
			if next[guests] = m; !ok {
				return nil, 0, hotel.Invalid("/value", "range", "takes the price of %s below 0, or too high", c.Date)
			}
		}
		if to != nil {
			next[0] = *to
		}
		cells = append(cells, altered{
			room: c.RoomTypeID, plan: c.RatePlanID, night: c.Date, version: c.Version, before: v.typedPrices(c.Typed), after: v.typedPrices(next), guests: others,
		})
	}
	return cells, untyped, err
}

// typedPrices are the prices that are typed for a night, that of the base occupancy first.
func (v *visit) typedPrices(typed map[int]hotel.Money) string {
	var said []string
	for _, guests := range slices.Sorted(maps.Keys(typed)) {
		text := v.words.money(typed[guests])
		if guests > 0 {
			text = v.words.T("draft.price_for", guests, text)
		}
		said = append(said, text)
	}
	return strings.Join(said, ", ")
}

// priced is the price that the form sets, or how it changes what is typed; neither: what is
// typed is taken back.
func (f *alterForm) priced(plan string) (*hotel.Money, *hotel.PriceStep, error) {
	if f.What.Name == "price_set" && f.Value == "" {
		return nil, nil, nil
	}
	step := hotel.PriceStep{Kind: hotel.Amount, Value: f.decimal(), Rounding: hotel.RoundNone}
	of := f.AllPlans[slices.IndexFunc(f.AllPlans, func(p hotel.RatePlan) bool { return p.ID == plan })].Currency
	m, err := hotel.ParseMoney(f.decimal(), of)
	if f.What.Name != "price_percent" && (err != nil || m.Minor < 0) { // 1.000 is no 1 of a currency with two decimals
		return nil, nil, hotel.Invalid("/value", "format", "is not an amount of %s such as 129.50", of)
	}
	switch f.What.Name {
	case "price_set":
		return &m, nil, nil
	case "price_minus":
		step.Value = "-" + step.Value
	case "price_percent":
		step.Kind = hotel.Percent
	}
	if err := price.Check(step.Kind, step.Value); err != nil {
		return nil, nil, hotel.Invalid("/value", "format", "%v", err)
	}
	return nil, &step, nil
}

// flag is what somebody says of something that is or is not; "" for nothing.
func (v *visit) flag(is *bool) string {
	if is == nil {
		return ""
	}
	return v.words.T(fmt.Sprintf("flag.%t", *is))
}

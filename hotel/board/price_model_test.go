package board_test

import (
	"math/big"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
)

// modelled is a price before it is rounded, as the model has it.
type modelled struct {
	asked, base *big.Rat
	mode        hotel.Rounding
	low, high   int64
	acted       map[string]bool // the rules that made it
}

// each changes the price that was asked for and that of the base occupancy.
func (m *modelled) each(change func(*big.Rat) *big.Rat) {
	m.asked, m.base = change(m.asked), change(m.base)
}

// price is the exact amount and the rounding to come, or nil.
func (w *world) price(f facts, r hotel.RoomType, p hotel.RatePlan, guests int) *modelled {
	rate := f.rates[product{r.ID, p.ID}]
	m := &modelled{mode: hotel.RoundNone, acted: map[string]bool{}}
	if m.asked = typed(rate, r, p, guests); m.asked != nil {
		if m.base = typed(rate, r, p, r.BaseOccupancy); m.base == nil {
			m.base = m.asked
		}
	} else {
		if p.DerivedFrom == nil || rate.Amount != board.None {
			return nil
		}
		if m = w.price(f, r, w.plan(p.DerivedFrom.RatePlanID), guests); m == nil {
			return nil
		}
		m.each(func(x *big.Rat) *big.Rat { return changed(x, string(p.DerivedFrom.Kind), p.DerivedFrom.Value) })
		if p.DerivedFrom.Rounding != "" {
			m.mode = p.DerivedFrom.Rounding
		}
	}
	if rate.LockedTo < today {
		w.rule(m, f, r, p)
	}
	m.low, m.high = 0, 0
	for _, l := range p.PriceLimits {
		if l.DateFrom <= f.date && f.date <= l.DateTo {
			m.low, m.high = l.Floor.Minor, l.Ceiling.Minor
		}
	}
	m.each(func(x *big.Rat) *big.Rat {
		if m.high > 0 && x.Cmp(big.NewRat(m.high, 1)) > 0 {
			x = big.NewRat(m.high, 1)
		}
		if x.Cmp(big.NewRat(m.low, 1)) < 0 && m.low > 0 {
			x = big.NewRat(m.low, 1)
		}
		return x
	})
	return m
}

// typed lists what was typed by number of guests, and takes the smallest number
// that is large enough.
func typed(rate board.Rate, r hotel.RoomType, p hotel.RatePlan, guests int) *big.Rat {
	list := map[int]int64{}
	switch {
	case p.Pricing == hotel.PerRoomPrice && rate.Amount != board.None:
		list[guests] = rate.Amount
	case p.Pricing == hotel.PerOccupancy:
		for n, amount := range rate.ByOccupancy {
			if n == guests || rate.Amount != board.None {
				list[n] = amount
			}
		}
		if rate.Amount != board.None {
			list[r.BaseOccupancy] = rate.Amount
		}
	}
	for n := guests; n <= max(guests, r.MaxOccupancy, r.BaseOccupancy); n++ {
		if amount, ok := list[n]; ok {
			return big.NewRat(amount, 1)
		}
	}
	return nil
}

func changed(x *big.Rat, kind, value string) *big.Rat {
	by, _ := new(big.Rat).SetString(value)
	if kind == "percent" {
		by.Mul(by, x).Quo(by, big.NewRat(100, 1))
	} else {
		by.Mul(by, big.NewRat(100, 1))
	}
	return by.Add(by, x)
}

// rule lets every rule act that may.
func (w *world) rule(m *modelled, f facts, r hotel.RoomType, p hotel.RatePlan) {
	for _, rule := range w.rules {
		s := rule.Scope
		named := slices.Contains(s.RatePlanIDs, p.ID) || len(s.RatePlanIDs) == 0 && p.DerivedFrom == nil
		if !rule.Enabled || !named || len(s.RoomTypeIDs) > 0 && !slices.Contains(s.RoomTypeIDs, r.ID) || s.DateFrom != nil && f.date < *s.DateFrom {
			continue
		}
		if !m.acted[rule.ID] {
			if slices.ContainsFunc(rule.Conditions, func(c hotel.RuleCondition) bool { return !w.holds(f, r, c) }) {
				continue
			}
			m.acted[rule.ID] = true
			if rule.Action.Kind == "set" {
				apart := new(big.Rat).Sub(m.asked, m.base)
				m.base = changed(new(big.Rat), "amount", rule.Action.Value)
				m.asked = apart.Add(apart, m.base)
			} else {
				m.each(func(x *big.Rat) *big.Rat { return changed(x, rule.Action.Kind, rule.Action.Value) })
			}
			if rule.Rounding != "" {
				m.mode = rule.Rounding
			}
		}
		if rule.Stop {
			return
		}
	}
}

// holds counts what a condition is about.
func (w *world) holds(f facts, r hotel.RoomType, c hotel.RuleCondition) bool {
	left := func(f facts) int64 { // below 0: rooms that find no unit
		n := 0
		for w.fits(f, r, n+1) {
			n++
		}
		for n <= 0 && n > -f.rooms[r.ID].Sold-f.rooms[r.ID].Held && !w.fits(f, r, n) {
			n--
		}
		return int64(n)
	}
	physical := func(sold bool) facts {
		g := f
		g.pools, g.rooms = map[string]availability.PoolNight{}, map[string]availability.RoomNight{}
		for id, p := range f.pools {
			g.pools[id] = availability.PoolNight{Total: p.Total, OutOfInventory: p.OutOfInventory}
		}
		if sold {
			g.rooms = f.rooms
		}
		return g
	}
	var figure *big.Rat
	switch c.Metric {
	case hotel.RoomsLeft:
		figure = big.NewRat(max(0, left(f)), 1)
	case hotel.DaysToArrival:
		figure = big.NewRat(max(0, int64(f.date-today)), 1)
	case hotel.Pickup7d:
		picked := 0
		for _, m := range f.moved {
			if ago := today - m.On; ago >= 0 && ago < 7 {
				picked += m.Rooms
			}
		}
		figure = big.NewRat(int64(picked), 1)
	case hotel.OccupancyPct:
		taken, all := int64(0), int64(0)
		for _, p := range f.pools {
			all += int64(p.Total - p.OutOfInventory)
		}
		for _, room := range w.rooms {
			for _, d := range room.Consumes {
				taken += int64(d.Units * (f.rooms[room.ID].Sold + f.rooms[room.ID].Held))
			}
		}
		if all == 0 {
			return false
		}
		figure = big.NewRat(100*taken, all)
	case hotel.RoomOccupancyPct:
		all := left(physical(false))
		if all == 0 {
			return false
		}
		figure = big.NewRat(100*(all-left(physical(true))), all)
	}
	value, _ := new(big.Rat).SetString(c.Value[0])
	cmp := figure.Cmp(value)
	switch c.Op {
	case "lt":
		return cmp < 0
	case "lte":
		return cmp <= 0
	case "gt":
		return cmp > 0
	case "gte":
		return cmp >= 0
	}
	top, _ := new(big.Rat).SetString(c.Value[1])
	return cmp >= 0 && figure.Cmp(top) <= 0
}

// quoted rounds half-even to cents or to euros; what is below nothing is nothing,
// and what has left the limits goes to the nearest permitted amount within them.
func (w *world) quoted(f facts, r hotel.RoomType, p hotel.RatePlan, guests int) (int64, bool) {
	m := w.price(f, r, p, guests)
	if m == nil || !slices.Contains(p.RoomTypeIDs, r.ID) {
		return 0, false
	}
	step := int64(1)
	if m.mode == hotel.RoundNearest1 {
		step = 100
	}
	amount := max(0, step*halfEven(new(big.Rat).Quo(m.asked, big.NewRat(step, 1))))
	within := func(x int64) bool { return x >= m.low && (m.high == 0 || x <= m.high) }
	if within(amount) {
		return amount, true
	}
	for off := step; off <= 100; off += step {
		if within(amount+off) || within(amount-off) {
			if within(amount + off) {
				return amount + off, true
			}
			return amount - off, true
		}
	}
	if amount < m.low || m.high < m.low {
		return m.low, true
	}
	return m.high, true
}

package board_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
)

// A world is a random property. What was said is kept in lists and maps by id,
// as far as may be from the arrays of the board.

type product struct{ room, plan string }

type facts struct {
	date  hotel.Date
	pools map[string]availability.PoolNight
	rooms map[string]availability.RoomNight
	rates map[product]board.Rate
	rules map[product]hotel.Restriction // "" for every room, every plan
	moved []board.Moved
}

type world struct {
	pools  []hotel.Pool
	rooms  []hotel.RoomType
	plans  []hotel.RatePlan
	rules  []hotel.PricingRule // in the order in which they act
	nights []facts
}

func drawWorld(t *rapid.T) *world {
	number := func(low, high int) int { return rapid.IntRange(low, high).Draw(t, "n") }
	w := &world{}
	for i := range number(1, 2) {
		w.pools = append(w.pools, hotel.Pool{Entity: hotel.Entity{ID: fmt.Sprint("pool", i)}})
	}
	for i := range number(1, 3) {
		r := hotel.RoomType{
			Entity: hotel.Entity{ID: fmt.Sprint("room", i)}, Code: fmt.Sprint("code", i), Name: fmt.Sprint("Name", i),
			BaseOccupancy: number(1, 2), MinOccupancy: number(0, 2), MaxAdults: number(2, 3), MaxChildren: number(0, 1), MaxOccupancy: number(2, 4),
		}
		for _, p := range w.pools {
			if len(r.Consumes) == 0 || rapid.Bool().Draw(t, "two pools") {
				r.Consumes = append(r.Consumes, hotel.Draw{AnyOf: []string{p.ID}, Units: number(1, 2)})
			}
		}
		slices.Reverse(r.Consumes)
		w.rooms = append(w.rooms, r)
	}
	for i := range number(1, 4) {
		p := hotel.RatePlan{
			Entity: hotel.Entity{ID: fmt.Sprint("plan", i)}, Currency: "EUR",
			Pricing:      rapid.SampledFrom([]hotel.Pricing{hotel.PerRoomPrice, hotel.PerOccupancy}).Draw(t, "pricing"),
			Audience:     rapid.SampledFrom([]hotel.Audience{hotel.Public, hotel.Public, hotel.Restricted}).Draw(t, "audience"),
			SoldBy:       rapid.SampledFrom([][]string{nil, {"me"}, {"you", "me"}, {"you"}}).Draw(t, "sold by"),
			Restrictions: drawRestriction(t, 12),
		}
		for _, r := range w.rooms {
			if number(0, 4) > 0 {
				p.RoomTypeIDs = append(p.RoomTypeIDs, r.ID)
			}
		}
		if i > 0 && number(0, 2) > 0 {
			p.DerivedFrom = &hotel.Derivation{
				RatePlanID: w.plans[number(0, i-1)].ID,
				Kind:       rapid.SampledFrom([]hotel.AdjustmentKind{hotel.Percent, hotel.Amount}).Draw(t, "kind"),
				Value:      rapid.SampledFrom([]string{"-10", "-33.5", "7.25", "0"}).Draw(t, "value"),
				Rounding:   rapid.SampledFrom([]hotel.Rounding{"", "", hotel.RoundNone, hotel.RoundNearest1}).Draw(t, "rounding"),
			}
		}
		if number(0, 3) == 0 {
			p.PriceLimits = append(p.PriceLimits, hotel.PriceLimit{
				DateFrom: from, DateTo: from + hotel.Date(number(0, 3)),
				Floor: &hotel.Money{Minor: int64(number(0, 9050)), Currency: "EUR"}, Ceiling: &hotel.Money{Minor: int64(number(9000, 14000)), Currency: "EUR"},
			})
		}
		w.plans = append(w.plans, p)
	}
	for i := range number(0, 3) {
		w.rules = append(w.rules, drawRule(t, w, i))
	}
	for i := range number(1, 5) {
		w.nights = append(w.nights, drawFacts(t, w, i))
	}
	return w
}

func drawFacts(t *rapid.T, w *world, at int) facts {
	number := func(low, high int) int { return rapid.IntRange(low, high).Draw(t, "n") }
	f := facts{
		date:  from + hotel.Date(at),
		pools: map[string]availability.PoolNight{}, rooms: map[string]availability.RoomNight{},
		rates: map[product]board.Rate{}, rules: map[product]hotel.Restriction{},
	}
	for _, ago := range []hotel.Date{8, 7, 6, 0} {
		f.moved = append(f.moved, board.Moved{On: today - ago, Rooms: number(-1, 2)})
	}
	for _, p := range w.pools {
		f.pools[p.ID] = availability.PoolNight{Total: number(2, 9), OutOfOrder: number(0, 1), Overbooking: number(0, 1)}
	}
	places := []string{""}
	for _, r := range w.rooms {
		f.rooms[r.ID] = availability.RoomNight{
			Sold: number(0, 2), Held: number(0, 1),
			SellLimit: rapid.SampledFrom([]int{availability.NoLimit, availability.NoLimit, 3}).Draw(t, "limit"),
			Closed:    number(0, 14) == 0,
		}
		places = append(places, r.ID)
		for _, p := range w.plans {
			rate := board.Rate{Amount: board.None}
			often := 9
			if p.DerivedFrom != nil {
				often = 2
			}
			if number(1, 10) <= often {
				rate.Amount = int64(number(5000, 15000))
			}
			rate.LockedTo = rapid.SampledFrom([]hotel.Date{0, 0, 0, today - 1, today}).Draw(t, "locked to")
			for n := 1; n <= 4; n++ {
				if number(0, 5) == 0 {
					if rate.ByOccupancy == nil {
						rate.ByOccupancy = map[int]int64{}
					}
					rate.ByOccupancy[n] = int64(number(4000, 20000))
				}
			}
			f.rates[product{r.ID, p.ID}] = rate
		}
	}
	for range number(0, 2) {
		room := rapid.SampledFrom(places).Draw(t, "place")
		plan := rapid.SampledFrom(append([]hotel.RatePlan{{}}, w.plans...)).Draw(t, "plan").ID
		f.rules[product{room, plan}] = drawRestriction(t, 5)
	}
	return f
}

// today is what the boards take for the date.
var today = from - 2

// drawRule draws the i-th rule, in the order of priorities.
func drawRule(t *rapid.T, w *world, i int) hotel.PricingRule {
	r := hotel.PricingRule{
		Entity: hotel.Entity{ID: fmt.Sprint("rule", i)}, Name: "A rule", Enabled: rapid.IntRange(0, 7).Draw(t, "off") > 0,
		Priority: 1 + i/2, Stop: rapid.IntRange(0, 3).Draw(t, "stop") == 0,
		Rounding: rapid.SampledFrom([]hotel.Rounding{"", "", hotel.RoundNearest1}).Draw(t, "rounding"),
		Action: rapid.SampledFrom([]hotel.RuleAction{
			{Kind: "percent", Value: "10"},
			{Kind: "percent", Value: "-7.5"},
			{Kind: "amount", Value: "3.33"},
			{Kind: "set", Value: "95.50"},
		}).Draw(t, "action"),
	}
	for _, p := range w.plans {
		if rapid.IntRange(0, 2).Draw(t, "names a plan") == 0 {
			r.Scope.RatePlanIDs = append(r.Scope.RatePlanIDs, p.ID)
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "names a room") == 0 {
		r.Scope.RoomTypeIDs = []string{w.rooms[0].ID}
	}
	if rapid.IntRange(0, 3).Draw(t, "from a date") == 0 {
		r.Scope.DateFrom = new(from + 1)
	}
	for range rapid.IntRange(0, 2).Draw(t, "conditions") {
		r.Conditions = append(r.Conditions, rapid.SampledFrom([]hotel.RuleCondition{
			{Metric: hotel.RoomsLeft, Op: "lte", Value: []string{"3"}},
			{Metric: hotel.RoomsLeft, Op: "gt", Value: []string{"0"}},
			{Metric: hotel.DaysToArrival, Op: "between", Value: []string{"2", "3"}},
			{Metric: hotel.OccupancyPct, Op: "gte", Value: []string{"33.3"}},
			{Metric: hotel.RoomOccupancyPct, Op: "lt", Value: []string{"50"}},
			{Metric: hotel.Pickup7d, Op: "gte", Value: []string{"2"}},
		}).Draw(t, "condition"))
	}
	return r
}

// drawRestriction says something about one field in so many.
func drawRestriction(t *rapid.T, in int) hotel.Restriction {
	says := func() bool { return rapid.IntRange(1, in).Draw(t, "says") == 1 }
	flag := func() *bool {
		if !says() {
			return nil
		}
		return new(rapid.Bool().Draw(t, "flag"))
	}
	number := func(most int) *int {
		if !says() {
			return nil
		}
		return new(rapid.IntRange(0, most).Draw(t, "limit"))
	}
	return hotel.Restriction{
		Closed: flag(), ClosedToArrival: flag(), ClosedToDeparture: flag(),
		MinStayArrival: number(3), MinStayThrough: number(3), MaxStayArrival: number(4), MaxStayThrough: number(4),
		MinAdvance: number(5), MaxAdvance: number(9),
	}
}

// night puts the facts on a night of the board.
func (w *world) night(f facts) *board.Night {
	n := board.NewNight(len(w.pools), len(w.rooms), len(w.plans))
	n.Moved = f.moved
	for i, p := range w.pools {
		n.Pools[i] = f.pools[p.ID]
	}
	for i, r := range w.rooms {
		n.Rooms[i] = f.rooms[r.ID]
		for j, p := range w.plans {
			n.Rates[i][j] = f.rates[product{r.ID, p.ID}]
		}
	}
	for at, r := range f.rules {
		room := slices.IndexFunc(w.rooms, func(x hotel.RoomType) bool { return x.ID == at.room })
		plan := slices.IndexFunc(w.plans, func(x hotel.RatePlan) bool { return x.ID == at.plan })
		n.Restrict(room, plan, r) // an index of -1 is Every
	}
	return n
}

func (w *world) board(t *rapid.T, all []facts) *board.Board {
	nights := make([]*board.Night, len(all))
	for i, f := range all {
		nights[i] = w.night(f)
	}
	b, err := board.New(hotel.Property{Currency: "EUR"}, w.pools, w.rooms, w.plans, from, nights, 1)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = b.Ruled(w.rules); err != nil {
		t.Fatal(err)
	}
	b.Today = today
	return b
}

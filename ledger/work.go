package ledger

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
	"ostler.example/ledger/internal/ledgerdb"
)

// DeriveAtMost is how many cells one step of a channel's derivation covers. Only
// restrictions that are told together are never parted.
const DeriveAtMost = 1000

// Work is what a channel has to look at next: lines and nights whose house
// values may have moved, with those values as they are now.
type Work struct {
	Revision int64     // of the channel
	Now      time.Time // of the property's newest tick
	Property hotel.Property
	From, To Places
	First    int64 // the oldest entry that is not worked out everywhere
	Urgent   bool  // rooms were sold or given back, or are kept from the channel
	More     bool  // the journal holds more than this that the channel has not seen
	Stock    []StockWork
	Prices   []PriceWork
	Rules    []RulesWork

	closings bool // of the restrictions, what opens something is for later
	groups   [strands][]int
	newest   int64 // entry when it was read
	end      int64 // the newest entry that channels follow; 0: it was not reached
	changed  changedCodes
	took     []taken // what brought it, the oldest first
}

// Empty reports whether the channel has seen everything.
func (w Work) Empty() bool { return w.From == w.To }

// StockWork is the house value behind one counter on one night.
type StockWork struct {
	Line      int64
	Night     hotel.Date
	Available int
	Channel   availability.ChannelNight // what of it is kept from the channel, as far as the house says it
}

// PriceWork is the house prices behind one mapping on one night. A product
// without a price is not for sale.
type PriceWork struct {
	Line   int64
	Night  hotel.Date
	Room   string              // the room type's id
	Plan   *hotel.RatePlan     // nil: there is none any more
	Rate   string              // the far side's code
	Guests int                 // whom the price of occupancy 0 is for
	Prices map[int]price.House // by occupancy, 0 for the base; empty: no price, or the channel is not to sell the plan
}

// RulesWork is the restrictions behind mappings that are told together. What a
// channel is told about one night may depend on all others, so they are given,
// and told, from today to the horizon.
type RulesWork struct {
	Lines []int64
	Plans []*hotel.RatePlan // by line; nil: it is sold no more
	From  hotel.Date
	House [][]availability.NightRules // by line, then night from From on
}

// Reach is what the ledger has to know of a channel's terms.
type Reach struct {
	Together hotel.Level // which products are told their restrictions together: those of a remote room, or all
	Apart    bool        // even so a product can be closed by itself
	Days     int         // how far ahead it takes nights; 0: as far as the property sells
}

// Work returns the next part of the journal that a live channel has not seen: of
// the first strand that has any, and as much as one step covers.
func (l *Ledger) Work(ctx context.Context, channel string, reach Reach, how Turn) (w Work, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		w, err = l.nextWork(ctx, q, channel, reach, how)
		return err
	})
	if err != nil {
		return Work{}, fmt.Errorf("work of channel %s: %w", channel, err)
	}
	return w, nil
}

func (l *Ledger) nextWork(ctx context.Context, q *ledgerdb.Queries, channel string, reach Reach, how Turn) (Work, error) {
	row, err := q.GetChannel(ctx, channel)
	if err != nil {
		return Work{}, notFound(err)
	}
	w := Work{Revision: row.Revision}
	if w.From, _, err = placesOf(ctx, q, channel); err != nil {
		return Work{}, err
	}
	w.To = w.From
	oldest, ahead, err := entryAhead(ctx, q, row.PropertyID, w.From.least())
	if err != nil || !ahead {
		return w, err
	}
	w.First = oldest
	now, err := timeOf(ctx, q, row.PropertyID)
	if err != nil {
		return Work{}, err
	}
	list, err := newWorkList(ctx, q, row, now, reach)
	if err != nil {
		return Work{}, err
	}
	if err := list.next(ctx, q, &w, how); err != nil {
		return Work{}, err
	}
	w.took = list.took
	for s, groups := range list.rules {
		w.groups[s] = slices.Collect(maps.Keys(groups))
	}
	newest, err := q.NewestEntry(ctx)
	if err != nil {
		return Work{}, err
	}
	w.newest = newest.Sequence
	f, err := l.facts(ctx, q, row.PropertyID)
	if err != nil {
		return Work{}, err
	}
	return w, list.values(ctx, f, &w)
}

// timeOf returns the time that a property's offers go by: that of its newest tick,
// or of the newest entry while its clock has not begun to tick.
func timeOf(ctx context.Context, q *ledgerdb.Queries, property string) (time.Time, error) {
	now, err := lastTick(ctx, q, property)
	if err != nil || !now.IsZero() {
		return now, err
	}
	newest, err := q.NewestEntry(ctx)
	return instant(newest.At), err
}

// values reads the house values of what was collected.
func (l *workList) values(ctx context.Context, f facts, w *Work) error {
	w.Now, w.Property, w.changed = l.now, l.property, l.changed
	plans, err := readAll[hotel.RatePlan](f.q.ListRatePlans(ctx, l.property.ID))
	if err != nil {
		return err
	}
	l.plans = make(map[string]*hotel.RatePlan, len(plans))
	for i := range plans {
		l.plans[plans[i].ID] = &plans[i]
	}
	if err := l.stockValues(ctx, f, w); err != nil {
		return err
	}
	if err := l.priceValues(ctx, f.q, w); err != nil {
		return err
	}
	return l.ruleValues(ctx, f.q, w)
}

func (l *workList) stockValues(ctx context.Context, f facts, w *Work) error {
	available, shown := map[nightKey]int{}, map[factKey]board.Shown{}
	sold := map[hotel.Date]inAll{}
	for _, s := range l.stock.nights().spans() {
		rows, err := f.q.HouseStock(ctx, ledgerdb.HouseStockParams{PropertyID: l.property.ID, First: int64(s.From), Last: int64(s.To)})
		if err != nil {
			return err
		}
		for _, r := range rows {
			available[nightKey{hotel.Date(r.Night), product{room: r.RoomTypeID}}] = int(r.Available)
		}
		kept, err := readFacts[board.Shown](ctx, f, shownSheet, s.From, s.To)
		if err != nil {
			return err
		}
		for _, k := range kept {
			shown[k.factKey] = k.V
		}
		total, err := (&tx{ctx: ctx, q: f.q}).inAllOf(l.row, s)
		if err != nil {
			return err
		}
		for d := s.From; d <= s.To; d++ {
			sold[d] = total
		}
	}
	maps.Copy(available, l.foreseen.stock)
	for _, c := range l.counters {
		for _, d := range l.stock[c.Line].sorted() {
			rooms := available[nightKey{d, product{room: c.RoomTypeID}}]
			if l.closed || c.Retired {
				rooms = 0
			}
			kept := shown[factKey{d, c.RoomTypeID}].For(l.channel, "")
			kept.Sold = sold[d].of(hotel.Cell{Line: c.Line, Group: hotel.Availability, Night: d}, int64(rooms))
			w.Stock = append(w.Stock, StockWork{c.Line, d, rooms, kept})
		}
	}
	return nil
}

func (l *workList) priceValues(ctx context.Context, q *ledgerdb.Queries, w *Work) error {
	prices := map[nightKey]map[int]price.House{}
	for _, s := range l.prices.nights().spans() {
		rows, err := q.HousePrices(ctx, ledgerdb.HousePricesParams{PropertyID: l.property.ID, First: int64(s.From), Last: int64(s.To)})
		if err != nil {
			return err
		}
		for _, r := range rows {
			plan := l.plans[r.RatePlanID]
			if plan == nil {
				continue // it is not mapped
			}
			h, err := price.FromStored(r.Amount, r.Exact, hotel.Rounding(r.Rounding), plan.Currency)
			if err != nil {
				return err
			}
			k := nightKey{hotel.Date(r.Night), product{r.RoomTypeID, r.RatePlanID}}
			if prices[k] == nil {
				prices[k] = map[int]price.House{}
			}
			prices[k][int(r.Occupancy)] = h
		}
	}
	maps.Copy(prices, l.foreseen.prices)
	rooms, err := l.occupancies(ctx, q)
	if err != nil {
		return err
	}
	for _, m := range l.mappings {
		if m.Retired {
			continue // its price is of no more interest: it is closed
		}
		for _, d := range l.prices[m.Line].sorted() {
			of := product{m.RoomTypeID, m.RatePlanID}
			p := PriceWork{Line: m.Line, Night: d, Room: of.room, Plan: l.plans[of.plan], Rate: m.RemoteRate, Guests: rooms[of.room]}
			p.Guests = cmp.Or(m.Guests, p.Guests)
			if l.sells(m) && p.Plan != nil {
				p.Prices = pricesFor(prices[nightKey{d, of}], m.Guests, p.Plan.Pricing)
			}
			w.Prices = append(w.Prices, p)
		}
	}
	return nil
}

// pricesFor picks of the house prices of a product on a night those that a mapping
// is told: as 0 that for so many guests, 0 of them for the base occupancy, and of a plan
// by occupancy those for each number.
func pricesFor[P any](of map[int]P, guests int, by hotel.Pricing) map[int]P {
	base, priced := of[0]
	if guests > 0 {
		own, told := of[guests]
		switch {
		case told:
			base, priced = own, true
		case by == hotel.PerOccupancy:
			priced = false
		}
	}
	if !priced {
		return nil
	}
	out := map[int]P{0: base}
	if by == hotel.PerOccupancy {
		for n, p := range of {
			if n > 0 {
				out[n] = p
			}
		}
	}
	return out
}

// occupancies returns for how many guests the base price of each room type is,
// where prices are asked for.
func (l *workList) occupancies(ctx context.Context, q *ledgerdb.Queries) (map[string]int, error) {
	if len(l.prices) == 0 {
		return nil, nil
	}
	rooms, err := readAll[hotel.RoomType](q.ListRoomTypes(ctx, l.property.ID))
	if err != nil {
		return nil, err
	}
	base := make(map[string]int, len(rooms))
	for i := range rooms {
		base[rooms[i].ID] = rooms[i].BaseOccupancy
	}
	return base, nil
}

func (l *workList) ruleValues(ctx context.Context, q *ledgerdb.Queries, w *Work) error {
	for i, group := range l.groups {
		if !l.rules[closingsStrand][i] && !l.rules[rulesStrand][i] {
			continue
		}
		g := RulesWork{From: l.horizon.From}
		for _, m := range group {
			rules := make([]availability.NightRules, l.horizon.Days())
			if m.Retired {
				closeAll(rules)
				g.Lines, g.Plans, g.House = append(g.Lines, m.Line), append(g.Plans, nil), append(g.House, rules)
				continue
			}
			rows, err := q.ProductRestrictions(ctx, ledgerdb.ProductRestrictionsParams{
				PropertyID: l.property.ID, RoomTypeID: m.RoomTypeID, RatePlanID: m.RatePlanID,
				First: int64(l.horizon.From), Last: int64(l.horizon.To),
			})
			if err != nil {
				return err
			}
			for _, r := range rows {
				rules[hotel.Date(r.Night)-l.horizon.From] = rulesOf(r.Closures, r.Lengths)
			}
			for d := range rules {
				if of, has := l.foreseen.rules[nightKey{l.horizon.From + hotel.Date(d), product{m.RoomTypeID, m.RatePlanID}}]; has {
					rules[d] = of
				}
			}
			if !l.sells(m) {
				closeAll(rules)
			}
			g.Lines, g.Plans, g.House = append(g.Lines, m.Line), append(g.Plans, l.plans[m.RatePlanID]), append(g.House, rules)
		}
		w.Rules = append(w.Rules, g)
	}
	return nil
}

func closeAll(rules []availability.NightRules) {
	for i := range rules {
		rules[i].Closed.Closed = true
	}
}

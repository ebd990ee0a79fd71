package ledger

import (
	"context"
	"fmt"
	"maps"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
	"ostler.example/ledger/internal/ledgerdb"
)

// Foresight is the house values of a property that a bulk update would make others of,
// were it stored: by room type and night, or by product and night. What a guarded pool
// deals its channels then is not foreseen.
type Foresight struct {
	stock  map[nightKey]int
	prices map[nightKey]map[int]price.House // empty: no price
	rules  map[nightKey]availability.NightRules
	shown  []*layer // what would be kept from channels

	Closing, Opening int // nights of plans that restrictions would close, and that none would close any more
}

// Foresee works out what a bulk update would make of the house values. It stores nothing,
// and refuses what the update would be refused for.
func (l *Ledger) Foresee(ctx context.Context, u hotel.AnyUpdate) (f Foresight, err error) {
	in := requestOf(u)
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		s, err := loadStructure(ctx, q, in.property)
		if err != nil {
			return err
		}
		p, err := l.newProposal(ctx, q, s, in)
		if err != nil {
			return err
		}
		if err := p.refusal(); err != nil {
			return err
		}
		changes, _, err := p.changes()
		if err != nil || len(changes) == 0 {
			return err
		}
		laid, span := in.laid(p.facts, changes)
		var boards [2]*board.Board // as it is, and as it would be
		for i, of := range []facts{p.facts, laid} {
			nights, err := s.loadNights(ctx, of, span.From, span.To)
			if err != nil {
				return err
			}
			boards[i] = s.board(l.clock.Now(), span.From, nights, 0)
		}
		f.shown = laid.stock[len(p.facts.stock):]
		return f.compare(s, boards[0], boards[1])
	})
	if err != nil {
		return Foresight{}, fmt.Errorf("foresee an update of %s: %w", in.property, err)
	}
	return f, nil
}

func requestOf(u hotel.AnyUpdate) request {
	switch {
	case u.Inventory != nil:
		return stockRequest(*u.Inventory)
	case u.Rates != nil:
		return rateRequest(*u.Rates)
	}
	return ruleRequest(*u.Restrictions)
}

// compare notes the values in which two boards of the same nights differ.
func (f *Foresight) compare(s *structure, is, would *board.Board) error {
	f.stock, f.prices, f.rules = map[nightKey]int{}, map[nightKey]map[int]price.House{}, map[nightKey]availability.NightRules{}
	for d := is.From; d <= is.To(); d++ {
		was := is.House(d)
		for room, h := range would.House(d) {
			if h.Available != was[room].Available {
				f.stock[nightKey{d, product{room: s.rooms[room].ID}}] = h.Available
			}
		}
		for _, p := range s.selling(product{}) {
			room, known := is.Room(p.room)
			plan, also := is.Plan(p.plan)
			if !known || !also {
				continue
			}
			prices := housePrices(would, d, room, plan)
			if !maps.Equal(prices, housePrices(is, d, room, plan)) {
				of := map[int]price.House{}
				for guests, v := range prices {
					h, err := price.FromStored(v.amount, v.exact, hotel.Rounding(v.rounding), s.plans[plan].Currency)
					if err != nil {
						return err
					}
					of[guests] = h
				}
				f.prices[nightKey{d, p}] = of
			}
			rules, before := would.HouseRules(d, room, plan), is.HouseRules(d, room, plan)
			if rules == before {
				continue
			}
			f.rules[nightKey{d, p}] = rules
			switch {
			case rules.Closed.Closed && !before.Closed.Closed:
				f.Closing++
			case before.Closed.Closed && !rules.Closed.Closed:
				f.Opening++
			}
		}
	}
	for _, l := range f.shown {
		for _, run := range l.runs {
			for d := run.From; l.sheet == shownSheet && d <= run.To; d++ {
				k := nightKey{d, product{room: l.subject}}
				if room, known := would.Room(l.subject); known {
					f.stock[k] = would.House(d)[room].Available
				}
			}
		}
	}
	return nil
}

// Foreseen returns what a channel looks at behind a foresight: as it is, and as it would
// be. Whether it is told anything at present makes no difference.
func (l *Ledger) Foreseen(ctx context.Context, channel string, reach Reach, of Foresight) (is, would Work, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetChannel(ctx, channel)
		if err != nil {
			return notFound(err)
		}
		for _, w := range []*Work{&is, &would} {
			list, err := newWorkList(ctx, q, row, l.clock.Now(), reach)
			if err != nil {
				return err
			}
			list.closed = false
			list.foresee(of)
			f, err := l.facts(ctx, q, row.PropertyID)
			if err != nil {
				return err
			}
			if w == &would {
				list.foreseen, f.stock = of, append(f.stock, of.shown...)
			}
			w.Revision = row.Revision
			if err := list.values(ctx, f, w); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Work{}, Work{}, fmt.Errorf("what channel %s would look at: %w", channel, err)
	}
	return is, would, nil
}

// foresee takes in what would be another value. A night that gets a price, or loses it,
// opens or closes: the restrictions of its product are taken in as well.
func (l *workList) foresee(of Foresight) {
	within := func(d hotel.Date) bool { return d >= l.horizon.From && d <= l.horizon.To }
	for k := range of.stock {
		for _, c := range l.counters {
			if c.RoomTypeID == k.room && within(k.night) {
				l.stock.mark([]int64{c.Line}, k.night)
			}
		}
	}
	ruled := map[product]bool{}
	for k := range of.rules {
		ruled[k.product] = true
	}
	for k := range of.prices {
		ruled[k.product] = true
		for _, m := range l.mappings {
			if m.RoomTypeID == k.room && m.RatePlanID == k.plan && within(k.night) {
				l.prices.mark([]int64{m.Line}, k.night)
			}
		}
	}
	for _, p := range l.rulesOf(func(m hotel.Mapping) bool { return ruled[product{m.RoomTypeID, m.RatePlanID}] }) {
		l.take(p)
	}
}

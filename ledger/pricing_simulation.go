package ledger

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
)

// MaxSimulated is how many prices one simulation works out.
const MaxSimulated = 20_000

// SimulatePrices works out the prices of a property's products as they would be
// under other rules, ordered by room type, plan, then night. Before is as things
// are and after is with the given rules in place of the stored ones; without
// rules, before is without any and after as things are. Nights without a price
// are left out, and nothing is stored.
func (l *Ledger) SimulatePrices(ctx context.Context, property string, span hotel.Span, rules *[]hotel.PricingRule) (cells []hotel.SimulatedPrice, err error) {
	err = l.look(ctx, property, hotel.AsOf{}, span, func(v view) error {
		before, after, err := v.ruled(rules)
		if err != nil {
			return err
		}
		products := v.s.selling(product{})
		if n := span.Days() * len(products); n > MaxSimulated {
			return hotel.Invalid("/date_to", "max", "the span has %d prices; at most %d can be simulated at once", n, MaxSimulated)
		}
		v.products(hotel.CellQuery{}, func(room, plan int, p product) {
			for d := span.From; d <= span.To; d++ {
				was, priced := before.HousePrice(d, room, plan, 0)
				will, _ := after.Story(d, room, plan, 0)
				if !priced {
					continue // no rule makes a price where there is none
				}
				cells = append(cells, hotel.SimulatedPrice{
					RoomTypeID: p.room, RatePlanID: p.plan, Date: d,
					Before: price.Quote(was), After: price.Quote(will.Price), Rules: will.Rules,
				})
			}
		})
		return nil
	})
	return cells, err
}

// ruled returns the boards of a simulation.
func (v view) ruled(rules *[]hotel.PricingRule) (before, after *board.Board, err error) {
	if rules == nil {
		before, err = v.b.Ruled(nil)
		return before, v.b, err
	}
	for i := range *rules {
		r := &(*rules)[i]
		r.ID = fmt.Sprint(i)
		if err := v.s.checkRule(r); err != nil {
			return nil, nil, within(err, "/rules/"+r.ID)
		}
	}
	if after, err = v.b.Ruled(*rules); err != nil {
		return nil, nil, err
	}
	return v.b, v.remembering(after, *rules), nil
}

// remembering gives the rules of a simulation their switches: a rule that says what
// a stored one says has those of it, any other those that it would have if it were
// made now.
func (v view) remembering(b *board.Board, rules []hotel.PricingRule) *board.Board {
	stored := map[string]string{} // the simulated rule, by the one that says the same
	for i := range rules {
		for j := range v.s.rules {
			of := v.s.rules[j]
			of.Entity = rules[i].Entity
			if reflect.DeepEqual(of, rules[i]) {
				stored[v.s.rules[j].ID] = rules[i].ID
			}
		}
	}
	nights := map[hotel.Date]*board.Night{}
	for d := b.From; d <= b.To(); d++ {
		nights[d] = b.Night(d)
		for k, s := range b.Night(d).Switches {
			if id, ok := stored[k.Rule]; ok {
				nights[d] = nights[d].Turn(board.SwitchKey{Rule: id, Room: k.Room}, s)
			}
		}
	}
	b = b.With(b.Sequence, nights)
	for d := b.From; d <= b.To(); d++ {
		for _, k := range b.Turned(d) {
			nights[d] = nights[d].Turn(k.SwitchKey, k.To)
		}
	}
	return b.With(b.Sequence, nights)
}

// within puts the pointers of a refusal under another one.
func within(err error, pointer string) error {
	if r, ok := errors.AsType[*hotel.Refusal](err); ok {
		for i := range r.Items {
			r.Items[i].Pointer = pointer + r.Items[i].Pointer
		}
	}
	return err
}

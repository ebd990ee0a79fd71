package board

import (
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

// ruling is the pricing rules of a board.
type ruling struct {
	list    []price.Rule
	covers  [][][]int // by room type, then plan: the rules about the product, in their order
	plainly [][]bool  // by room type, then plan: neither a rule nor a limit acts on typed amounts
}

// Ruled returns the board with other pricing rules, the enabled ones of the list:
// by priority, of the same priority in the order of the list. It is an error when
// a rule cannot be read.
func (b *Board) Ruled(rules []hotel.PricingRule) (*Board, error) {
	r := &ruling{}
	for i := range rules {
		if !rules[i].Enabled {
			continue
		}
		rule, err := price.NewRule(&rules[i])
		if err != nil {
			return nil, err
		}
		r.list = append(r.list, rule)
	}
	slices.SortStableFunc(r.list, func(a, b price.Rule) int { return a.Priority - b.Priority })
	r.cover(b.RoomTypes, b.Plans)
	next, x := *b, *b.index
	x.ruling, next.index = r, &x
	return &next, nil
}

// cover works out which rules are about which product.
func (r *ruling) cover(rooms []hotel.RoomType, plans []hotel.RatePlan) {
	r.covers, r.plainly = make([][][]int, len(rooms)), make([][]bool, len(rooms))
	for i := range rooms {
		r.covers[i], r.plainly[i] = make([][]int, len(plans)), make([]bool, len(plans))
		for j := range plans {
			for k := range r.list {
				if r.list[k].Covers(rooms[i].ID, plans[j].ID, plans[j].DerivedFrom != nil) {
					r.covers[i][j] = append(r.covers[i][j], k)
				}
			}
			r.plainly[i][j] = len(r.covers[i][j]) == 0 && len(plans[j].PriceLimits) == 0
		}
	}
}

// Watches reports whether the price of a product follows from one of the figures,
// by a rule of its plan or of one that it is derived from; without figures,
// whether such a rule is about it at all. The price that a rule with a memory
// makes follows from its switch.
func (b *Board) Watches(room, plan int, figures ...hotel.RuleMetric) bool {
	for ; plan >= 0; plan = b.parents[plan] {
		for _, i := range b.covers[room][plan] {
			if len(figures) == 0 || !b.list[i].Remembers() && b.list[i].Asks(figures...) {
				return true
			}
		}
	}
	return false
}

// acts reports whether a rule acts on the night. With a memory it does where its
// switch is on, whatever the figures have come to since it was turned. The reason
// why a switch stands against them is told to a trace alone.
func (p *pricing) acts(rule *price.Rule) (bool, price.Hold) {
	at := p.b.figures(p.date, p.room)
	if !rule.Remembers() {
		return rule.Holds(at.figure), price.Follows
	}
	s, hold := p.night.Switches[SwitchKey{rule.ID, p.room}], price.Follows
	if p.trace != nil {
		_, hold = rule.Turn(s, p.b.Business, at.figure)
	}
	return s.On, hold
}

// reason is what an explanation adds about a rule that is held.
func reason(h price.Hold) string {
	if h == price.Follows {
		return ""
	}
	return ", " + string(h)
}

// rules lets the rules about a plan act on its price. One that has acted on the
// parent's price is in it already, and does not act again.
func (p *pricing) rules(h price.House, plan int) price.House {
	for _, i := range p.b.covers[p.room][plan] {
		rule := &p.b.list[i]
		if !rule.On(p.date) {
			continue
		}
		if !slices.Contains(p.acted, i) {
			acts, hold := p.acts(rule)
			if !acts {
				if hold != price.Follows {
					p.trace.AddText("rule", h.Text(), "does not act: "+string(hold))
					p.trace.Name(hotel.Acted{ID: rule.ID})
				}
				continue
			}
			h = rule.Act(h)
			p.acted, p.origin = append(p.acted, i), hotel.RulePrice
			if p.trace != nil {
				p.trace.AddText("rule", h.Text(), rule.By+reason(hold))
				p.trace.Name(hotel.Acted{ID: rule.ID})
			}
		}
		if rule.Stop {
			break
		}
	}
	return h
}

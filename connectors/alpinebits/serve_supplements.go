package alpinebits

import (
	"fmt"
	"slices"
	"strings"

	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// feeKinds are the fees of a property that say the same as a supplement.
var feeKinds = map[message.Charge]hotel.TaxKind{
	message.ChargeStay: hotel.PerStay, message.ChargeRoomStay: hotel.PerStay,
	message.ChargeRoomNight: hotel.PerRoomNight, message.ChargePersonNight: hotel.PerPersonTax,
}

// added returns what of a plan's supplements goes into the prices of its nights: all that is
// paid by night, for the room or for each guest. What is paid once for a stay, or in a way
// that no price says, has to be a fee of the property, which then has it already; so have
// those by night that are one. Of nights without a price nothing is asked.
func (w *writing) added(plan hotel.RatePlan, p message.Plan, kept []message.Supplement) ([]message.Supplement, error) {
	all := p.Supplements
	if p.Kind == message.Overlay {
		for _, s := range all {
			if s.Charge != "" || slices.ContainsFunc(kept, func(k message.Supplement) bool { return k.Code == s.Code }) {
				return nil, message.Refusal{Code: message.CodeInvalid, Why: fmt.Sprintf("rate plan %s changes the supplement %q, which is in its prices: tell the plan as a whole", p.Code, s.Code)}
			}
		}
		all = kept
	}
	var nightly []message.Supplement
	for _, s := range all {
		switch {
		case w.feeOf(s):
		case s.Charge == message.ChargeRoomNight || s.Charge == message.ChargePersonNight:
			nightly = append(nightly, s)
		default:
			for _, r := range p.Rates {
				if night, due := w.firstDue(s, r); due {
					return nil, message.Refusal{Code: message.CodeInvalid, Why: fmt.Sprintf("rate plan %s has the supplement %q, which everybody pays from %s on and no price of a night can say: make it a fee of the property with that code, or put it into the rates", plan.Code, s.Code, night)}
				}
			}
		}
	}
	return nightly, nil
}

// firstDue is the first night of a rate on which a supplement costs something, of those
// that are sold.
func (w *writing) firstDue(s message.Supplement, r message.Rate) (first hotel.Date, due bool) {
	for _, d := range s.Due {
		nights, some := common(w.shown, hotel.Span{From: max(d.Nights.From, r.Nights.From), To: min(d.Nights.To, r.Nights.To)})
		if !some || d.Minor == 0 {
			continue
		}
		for night := nights.From; night <= nights.To && night < nights.From+7; night++ {
			if d.On(r.Category, night) && (!due || night < first) {
				first, due = night, true
			}
		}
	}
	return first, due
}

// feeOf reports whether a supplement is a fee of the property, by its code: of the same
// kind, paid beside the prices, and of the same amount whenever it is due.
func (w *writing) feeOf(s message.Supplement) bool {
	return slices.ContainsFunc(w.v.layout.Property.Taxes, func(t hotel.Tax) bool {
		if !strings.EqualFold(t.Code, s.Code) || t.Kind != feeKinds[s.Charge] || t.Included {
			return false
		}
		amount, err := hotel.ParseMoney(t.Value, w.v.layout.Property.Currency)
		return err == nil && !slices.ContainsFunc(s.Due, func(d message.SupplementDue) bool { return d.Minor != amount.Minor })
	})
}

// sameDue cuts the nights of a rate where what is added to its price changes.
func sameDue(nights hotel.Span, category string, all []message.Supplement) []hotel.Span {
	var parts []hotel.Span
	var last [2]int64
	for night := nights.From; night <= nights.To; night++ {
		room, person := dueOn(night, category, all)
		if n := len(parts); n > 0 && last == [2]int64{room, person} {
			parts[n-1].To = night
			continue
		}
		last = [2]int64{room, person}
		parts = append(parts, hotel.Span{From: night, To: night})
	}
	return parts
}

// dueOn is what is added to the price of a night for the room, and for each guest.
func dueOn(night hotel.Date, category string, all []message.Supplement) (room, person int64) {
	for _, s := range all {
		for _, d := range s.Due {
			switch {
			case !d.On(category, night):
			case s.Charge == message.ChargePersonNight:
				person += d.Minor
			default:
				room += d.Minor
			}
		}
	}
	return room, person
}

// with adds to the prices of one night, which are for the room as a whole and of each
// further guest.
func with(r message.Rate, room, person int64) message.Rate {
	r.Prices, r.Extra = slices.Clone(r.Prices), slices.Clone(r.Extra)
	for i := range r.Prices {
		r.Prices[i].Minor += room + person*int64(r.Prices[i].Guests)
	}
	for i := range r.Extra {
		r.Extra[i].Minor += person
	}
	return r
}

package console

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// planLine is a rate plan in the list of them.
type planLine struct {
	hotel.RatePlan
	Depth   int      // how many plans it is derived over
	How     string   // likewise in words; "": it has prices of its own
	Sellers []string // names
	Rooms   int
	From    *hotel.Money // the lowest price tonight
	To      *hotel.Money // the highest
}

// planList is every rate plan of a house.
type planList struct {
	Lines []planLine
	Night hotel.Date
	May   bool
}

// rates lists the rate plans, each below the one that it is derived from.
func (c *Console) rates(v *visit) error {
	plans, err := v.c.desk.RatePlans(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return err
	}
	sellers, err := v.sellers()
	if err != nil {
		return err
	}
	l := planList{Night: c.desk.Today(v.house), May: v.may(auth.RatesWrite)}
	prices, err := c.desk.Rates(v.r.Context(), v.caller, hotel.CellQuery{PropertyID: v.house.ID, Span: hotel.Span{From: l.Night, To: l.Night}})
	if err != nil {
		return err
	}
	for _, p := range familyOrder(plans) {
		line := planLine{RatePlan: p.RatePlan, Depth: p.Depth, Rooms: len(p.RoomTypeIDs), Sellers: v.sellersOf(p.RatePlan, sellers)}
		if p.DerivedFrom != nil {
			line.How = v.derived(*p.DerivedFrom, p.Currency)
		}
		for _, cell := range prices {
			if cell.RatePlanID != p.ID || cell.Amount == nil {
				continue
			}
			if line.From == nil || cell.Amount.Minor < line.From.Minor {
				line.From = cell.Amount
			}
			if line.To == nil || cell.Amount.Minor > line.To.Minor {
				line.To = cell.Amount
			}
		}
		l.Lines = append(l.Lines, line)
	}
	return v.show("rates", http.StatusOK, l)
}

// relative is a plan with how far down its family it is.
type relative struct {
	hotel.RatePlan
	Depth int
}

// familyOrder puts each plan below the one that it is derived from, and those that are
// over last.
func familyOrder(plans []hotel.RatePlan) (list []relative) {
	var below func(parent string, depth int)
	below = func(parent string, depth int) {
		for _, p := range plans {
			from := ""
			if p.DerivedFrom != nil {
				from = p.DerivedFrom.RatePlanID
			}
			known := slices.ContainsFunc(plans, func(o hotel.RatePlan) bool { return o.ID == from })
			if from == parent || parent == "" && !known {
				list = append(list, relative{p, depth})
				below(p.ID, depth+1)
			}
		}
	}
	below("", 0)
	slices.SortStableFunc(list, func(a, b relative) int {
		return cmp.Compare(over(a.Status), over(b.Status))
	})
	return list
}

func over(s hotel.Status) int {
	if s == hotel.Active {
		return 0
	}
	return 1
}

// sellersOf are who sells a plan besides the house: channels by name, clients by id.
func (v *visit) sellersOf(p hotel.RatePlan, names map[string]string) (list []string) {
	for _, id := range p.SoldBy {
		list = append(list, cmp.Or(names[id], id))
	}
	return list
}

// derived is in words how a price is made from another.
func (v *visit) derived(d hotel.Derivation, c hotel.Currency) string {
	said := v.adjusted(string(d.Kind), d.Value, c)
	if d.Per == hotel.PerPerson {
		said = v.words.T("plan.per_person", said)
	}
	if d.Rounding != "" && d.Rounding != hotel.RoundNone {
		said += ", " + v.words.T("rounding."+string(d.Rounding))
	}
	return said
}

// adjusted is a change of a price in words: "−10 %", "+€5.00", or a price that is set.
func (v *visit) adjusted(kind, value string, c hotel.Currency) string {
	said := v.words.decimal(value)
	if kind != string(hotel.Percent) {
		if m, err := hotel.ParseMoney(value, c); err == nil {
			said = v.words.money(m)
		}
	} else {
		said = v.words.T("number.percent", said)
	}
	if kind != hotel.SetPrice && !strings.HasPrefix(value, "-") {
		said = "+" + said
	}
	return said
}

// percent is a share of a hundred as a decimal text.
func (v *visit) percent(value string) string {
	return v.words.T("number.percent", v.words.decimal(value))
}

// rateShelf is one of the pages about rates.
type rateShelf struct {
	Name, Path string
	needs      auth.Scope
}

var rateShelves = []rateShelf{
	{"plans", "rates", auth.RatesRead}, {"rules", "rates/rules", auth.RatesRead}, {"guards", "rates/guards", auth.ChannelsRead}, {"protection", "rates/protection", auth.PropertiesRead},
}

// RateShelves are the pages about rates that the user may see.
func (v view) RateShelves() []rateShelf {
	return slices.DeleteFunc(slices.Clone(rateShelves), func(s rateShelf) bool { return !v.may(s.needs) })
}

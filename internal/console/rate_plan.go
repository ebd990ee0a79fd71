package console

import (
	"maps"
	"net/http"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// planPage is a rate plan with all that there is to know of it.
type planPage struct {
	hotel.RatePlan
	Chain     []planLink // from the plan that it begins with, the last is this one
	Below     []planLink // what is derived from this one
	Rooms     []string   // names
	Sellers   []string
	Inherited []string // in words
	Policy    []string // likewise: what it costs to cancel, step by step
	Seasons   []planSeason
	NoShowIs  string
	Extras    []planExtra
	Limits    []planLimit
	Rules     []string // what restricts a night that says nothing else
	Terms     []string // when it can be booked
	Night     hotel.Date
	Guests    []int // the columns of Prices besides the room's own
	Prices    []planPrice
	Acting    []hotel.PricingRule // rules that may change its prices
	MayChange bool
}

// planLink is a plan in the chain of a derivation; How is how it is made from the one
// before it.
type planLink struct{ ID, Name, How string }

// planPrice is what a room type costs on a night.
type planPrice struct {
	Room     string
	Amount   *hotel.Money
	Origin   hotel.PriceOrigin
	ByGuests []*hotel.Money
}

type planLimit struct {
	hotel.PriceLimit
	Rooms []string // names; none: every one
}

type planSeason struct {
	hotel.Span
	Steps []string
}

type planExtra struct {
	Code, Per string
	Amounts   []string
}

// plan is the rate plan that the address names, in this house.
func (v *visit) plan() (hotel.RatePlan, error) {
	p, err := v.c.desk.RatePlan(v.r.Context(), v.caller, v.r.PathValue("id"))
	if err == nil && p.PropertyID != v.house.ID {
		err = hotel.Refuse("not_found", "there is no such rate plan in this house")
	}
	return p, err
}

// ratePlan shows one plan.
func (c *Console) ratePlan(v *visit) error {
	plan, err := v.plan()
	if err != nil {
		return err
	}
	p := planPage{RatePlan: plan, MayChange: v.may(auth.RatesWrite) && plan.Status == hotel.Active, Night: c.desk.Today(v.house)}
	if asked, err := hotel.ParseDate(v.r.URL.Query().Get("night")); err == nil {
		p.Night = asked
	}
	rooms, err := v.rooms()
	if err != nil {
		return err
	}
	sellers, err := v.sellers()
	if err != nil {
		return err
	}
	for _, id := range plan.RoomTypeIDs {
		p.Rooms = append(p.Rooms, rooms[id])
	}
	p.Sellers = v.sellersOf(plan, sellers)
	v.planWords(&p, rooms)
	if err := v.planChain(&p); err != nil {
		return err
	}
	if err := v.planPrices(&p, rooms); err != nil {
		return err
	}
	return v.show("rate_plan", http.StatusOK, p)
}

// planChain follows the derivation up and down.
func (v *visit) planChain(p *planPage) error {
	plans, err := v.c.desk.RatePlans(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return err
	}
	link := func(q hotel.RatePlan) planLink {
		l := planLink{ID: q.ID, Name: q.Name}
		if q.DerivedFrom != nil {
			l.How = v.derived(*q.DerivedFrom, q.Currency)
		}
		return l
	}
	for at := p.RatePlan; ; {
		p.Chain = append(p.Chain, link(at))
		if at.DerivedFrom == nil {
			break
		}
		i := slices.IndexFunc(plans, func(q hotel.RatePlan) bool { return q.ID == at.DerivedFrom.RatePlanID })
		if i < 0 {
			break
		}
		at = plans[i]
	}
	slices.Reverse(p.Chain)
	for _, q := range plans {
		if q.DerivedFrom != nil && q.DerivedFrom.RatePlanID == p.ID && q.Status == hotel.Active {
			p.Below = append(p.Below, link(q))
		}
	}
	rules, err := v.c.desk.PricingRules(v.r.Context(), v.caller, v.house.ID)
	for _, r := range rules {
		if named := r.Scope.RatePlanIDs; slices.Contains(named, p.ID) || len(named) == 0 && p.DerivedFrom == nil {
			p.Acting = append(p.Acting, r)
		}
	}
	return err
}

// planPrices are what the plan costs on a night, by room type and guests.
func (v *visit) planPrices(p *planPage, rooms map[string]string) error {
	cells, err := v.c.desk.Rates(v.r.Context(), v.caller, hotel.CellQuery{PropertyID: v.house.ID, Span: hotel.Span{From: p.Night, To: p.Night}, RatePlanIDs: []string{p.ID}})
	if err != nil {
		return err
	}
	guests := map[int]bool{}
	for _, c := range cells {
		for n := range c.ByOccupancy {
			guests[n] = true
		}
	}
	p.Guests = slices.Sorted(maps.Keys(guests))
	for _, c := range cells {
		line := planPrice{Room: rooms[c.RoomTypeID], Amount: c.Amount, Origin: c.Origin}
		for _, n := range p.Guests {
			if m, priced := c.ByOccupancy[n]; priced {
				line.ByGuests = append(line.ByGuests, &m)
			} else {
				line.ByGuests = append(line.ByGuests, nil)
			}
		}
		p.Prices = append(p.Prices, line)
	}
	return nil
}

// planWords puts in words what a plan says.
func (v *visit) planWords(p *planPage, rooms map[string]string) {
	t := v.words.T
	inherit := inheritances
	if p.Inherit != nil {
		inherit = *p.Inherit
	}
	if p.DerivedFrom != nil {
		for _, i := range inherit {
			p.Inherited = append(p.Inherited, t("inherit."+string(i)))
		}
	}
	if c := p.Cancellation; c != nil {
		p.Policy = v.cancelling(c.Steps, p.Currency)
		for _, s := range c.Seasons {
			p.Seasons = append(p.Seasons, planSeason{hotel.Span{From: s.DateFrom, To: s.DateTo}, v.cancelling(s.Steps, p.Currency)})
		}
	}
	if penalty := p.NoShowPenalty(); penalty != nil {
		p.NoShowIs = v.penalty(*penalty, p.Currency)
	}
	for _, x := range p.Included {
		e := planExtra{Code: x.Code, Per: t("per." + x.Per)}
		for _, band := range slices.Sorted(maps.Keys(x.Amount)) {
			said := v.words.money(x.Amount[band])
			if band != "" {
				said = band + ": " + said
			}
			e.Amounts = append(e.Amounts, said)
		}
		p.Extras = append(p.Extras, e)
	}
	for _, l := range p.PriceLimits {
		line := planLimit{PriceLimit: l}
		for _, id := range l.RoomTypeIDs {
			line.Rooms = append(line.Rooms, rooms[id])
		}
		p.Limits = append(p.Limits, line)
	}
	r := p.Restrictions
	p.Rules = v.restrictions(marksOf(
		hotel.Closed{Closed: is(r.Closed), Arrival: is(r.ClosedToArrival), Departure: is(r.ClosedToDeparture)},
		hotel.LengthLimits{
			MinStayArrival: count(r.MinStayArrival), MinStayThrough: count(r.MinStayThrough), MaxStayArrival: count(r.MaxStayArrival), MaxStayThrough: count(r.MaxStayThrough),
			MinAdvance: count(r.MinAdvance), MaxAdvance: count(r.MaxAdvance),
		},
	))
	p.Terms = v.restrictions(marksOf(hotel.Closed{}, hotel.LengthLimits{MinAdvance: count(p.MinAdvance), MaxAdvance: count(p.MaxAdvance)}))
	if p.CutOff != nil {
		p.Terms = append(p.Terms, v.words.T("plan.cut_off_is", v.before(*p.CutOff)))
	}
}

func is(flag *bool) bool { return flag != nil && *flag }

func count(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// before is a last minute before an arrival in words.
func (v *visit) before(c hotel.CutOff) string {
	if c.DaysBefore == 0 {
		return v.words.T("plan.on_arrival", c.Time)
	}
	return v.words.T("plan.before_arrival", v.words.count("days", c.DaysBefore), c.Time)
}

// cancelling is what it costs to cancel, step by step.
func (v *visit) cancelling(steps []hotel.CancellationStep, c hotel.Currency) (list []string) {
	for i, s := range steps {
		what := v.penalty(s.Penalty, c)
		switch {
		case s.Until != nil:
			list = append(list, v.words.T("plan.until", v.before(*s.Until), what))
		case i > 0:
			list = append(list, v.words.T("plan.after_that", what))
		default:
			list = append(list, what)
		}
	}
	return list
}

// penalty is what a cancellation costs.
func (v *visit) penalty(p hotel.Penalty, c hotel.Currency) string {
	switch p.Kind {
	case hotel.PercentPenalty:
		return v.words.T("penalty.percent_is", v.percent(p.Value))
	case hotel.AmountPenalty:
		if m, err := hotel.ParseMoney(p.Value, c); err == nil {
			return v.words.money(m)
		}
	case hotel.NoPenalty, hotel.FirstNight:
	}
	return v.words.T("penalty." + string(p.Kind))
}

package console

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// planForm is the form of a rate plan.
type planForm struct {
	form
	ID, Name string // "": a new one
	Rooms    []hotel.RoomType
	Parents  []hotel.RatePlan // that it may be derived from
	Sellers  []planSeller
	Fixed    hotel.Currency // that of the plan
	Steps    []int          // rows of what it costs to cancel
	Limits   []int          // rows of price limits
	mistakes
}

type planSeller struct{ ID, Name string }

// Choices are the words that a field of the form takes.
func (planForm) Choices(field string) []string { return planChoices[field] }

// At is the name of a field in a row.
func (planForm) At(group string, row int, field string) string { return at(group, row, field) }

// Has reports whether the field of a row is filled in.
func (f planForm) Has(group string, row int, field string) bool {
	return f.Get(at(group, row, field)) != ""
}

func at(group string, row int, field string) string {
	return fmt.Sprintf("%s.%d.%s", group, row, field)
}

var planChoices = map[string][]string{
	"meal_plan":     {"room_only", "breakfast", "half_board", "full_board", "all_inclusive"},
	"pricing_model": {string(hotel.PerRoomPrice), string(hotel.PerOccupancy)},
	"tax_mode":      {string(hotel.TaxInclusive), string(hotel.TaxExclusive)},
	"guarantee":     {"none", "card_on_file", "deposit", "prepaid"},
	"audience":      {string(hotel.Restricted), string(hotel.Public)},
	"kind":          {string(hotel.Percent), string(hotel.Amount)},
	"per":           {string(hotel.PerTheRoom), string(hotel.PerPerson)},
	"policy":        {"flexible", "non_refundable", "custom"},
	"penalty":       {string(hotel.NoPenalty), string(hotel.FirstNight), string(hotel.PercentPenalty), string(hotel.AmountPenalty)},
	"rounding":      roundings,
	"inherit":       {"closed", "closed_to_arrival", "closed_to_departure", "min_stay", "max_stay", "advance"},
}

// roundings are how a price may be rounded.
var roundings = []string{string(hotel.RoundNone), string(hotel.RoundNearest1), string(hotel.RoundNearest5), string(hotel.RoundEnd9), string(hotel.RoundEnd99)}

// inheritances are what a derived plan takes over unless it says otherwise.
var inheritances = []hotel.Inheritance{
	hotel.InheritClosed, hotel.InheritClosedToArrival, hotel.InheritClosedToDeparture, hotel.InheritMinStay, hotel.InheritMaxStay, hotel.InheritAdvance,
}

// spareRows are how many rows of a form are there to be filled in.
const spareRows = 2

// newPlan asks for a rate plan.
func (c *Console) newPlan(v *visit) error {
	f, err := v.planForm(hotel.RatePlan{Currency: v.house.Currency})
	if err != nil {
		return err
	}
	f.form = form{url.Values{"pricing_model": {string(hotel.PerRoomPrice)}, "meal_plan": {"room_only"}}}
	for _, i := range inheritances {
		f.Add("inherit", string(i))
	}
	f.rows(0, 0)
	return v.show("plan_form", http.StatusOK, f)
}

// editPlan asks what is to change of one.
func (c *Console) editPlan(v *visit) error {
	plan, err := v.plan()
	if err != nil {
		return err
	}
	f, err := v.planForm(plan)
	if err != nil {
		return err
	}
	f.form = planValues(v.words, plan)
	f.rows(len(planSteps(plan)), len(plan.PriceLimits))
	return v.show("plan_form", http.StatusOK, f)
}

// planForm is an empty form, with all that there is to choose.
func (v *visit) planForm(plan hotel.RatePlan) (f planForm, err error) {
	if !v.may(auth.RatesWrite) {
		return f, hotel.Refuse("insufficient_scope", "your role may not change rate plans")
	}
	f.ID, f.Name, f.Fixed = plan.ID, plan.Name, plan.Currency
	if f.Rooms, f.Parents, err = v.sold(); err != nil {
		return f, err
	}
	f.Parents = slices.DeleteFunc(f.Parents, func(p hotel.RatePlan) bool { return p.ID == plan.ID || p.Currency != plan.Currency })
	channels, err := v.c.desk.ChannelList(v.r.Context(), v.caller, v.house.ID)
	for _, c := range channels {
		f.Sellers = append(f.Sellers, planSeller{c.ID, c.Name})
	}
	for _, id := range plan.SoldBy {
		if !slices.ContainsFunc(f.Sellers, func(s planSeller) bool { return s.ID == id }) {
			f.Sellers = append(f.Sellers, planSeller{id, id}) // a client
		}
	}
	return f, err
}

// rows makes so many rows, and some to spare.
func (f *planForm) rows(steps, limits int) {
	for i := range steps + spareRows {
		f.Steps = append(f.Steps, i)
	}
	for i := range limits + spareRows {
		f.Limits = append(f.Limits, i)
	}
}

func planSteps(p hotel.RatePlan) []hotel.CancellationStep {
	if p.Cancellation == nil {
		return nil
	}
	return p.Cancellation.Steps
}

// planValues is the form as it is filled in for a plan.
func planValues(w *words, p hotel.RatePlan) form {
	f := form{url.Values{}}
	for name, value := range map[string]string{
		"code": p.Code, "name": p.Name, "pricing_model": string(p.Pricing), "meal_plan": p.MealPlan, "tax_mode": string(p.TaxMode), "guarantee": p.Guarantee, "audience": string(p.Audience),
		"position": strconv.Itoa(p.Position), "revision": strconv.FormatInt(p.Revision, 10),
	} {
		f.set(name, value)
	}
	f.Values["room"], f.Values["sold_by"] = p.RoomTypeIDs, p.SoldBy
	if d := p.DerivedFrom; d != nil {
		f.set("parent", d.RatePlanID)
		f.set("kind", string(d.Kind))
		f.setDecimal(w, "value", d.Value)
		f.set("per", string(d.Per))
		f.set("rounding", string(d.Rounding))
	}
	inherit := inheritances
	if p.Inherit != nil {
		inherit = *p.Inherit
	}
	for _, i := range inherit {
		f.Add("inherit", string(i))
	}
	if p.Cancellation != nil {
		f.set("policy", p.Cancellation.Kind)
	}
	for i, s := range planSteps(p) {
		if s.Until != nil {
			f.setNumber(at("step", i, "days"), &s.Until.DaysBefore)
			f.set(at("step", i, "time"), s.Until.Time)
		}
		f.set(at("step", i, "penalty"), string(s.Penalty.Kind))
		f.setDecimal(w, at("step", i, "value"), s.Penalty.Value)
	}
	if n := p.NoShowPenalty(); n != nil {
		f.set("no_show", string(n.Kind))
		f.setDecimal(w, "no_show_value", n.Value)
	}
	f.setNumber("min_advance_days", p.MinAdvance)
	f.setNumber("max_advance_days", p.MaxAdvance)
	if p.CutOff != nil {
		f.setNumber("cut_off_days", &p.CutOff.DaysBefore)
		f.set("cut_off_time", p.CutOff.Time)
	}
	for i, l := range p.PriceLimits {
		f.Values[at("limit", i, "room")] = l.RoomTypeIDs
		f.set(at("limit", i, "from"), l.DateFrom.String())
		f.set(at("limit", i, "to"), l.DateTo.String())
		f.setMoney(w, at("limit", i, "floor"), l.Floor)
		f.setMoney(w, at("limit", i, "ceiling"), l.Ceiling)
	}
	r := p.Restrictions
	f.tick("closed", is(r.Closed))
	f.tick("closed_to_arrival", is(r.ClosedToArrival))
	f.tick("closed_to_departure", is(r.ClosedToDeparture))
	for name, n := range map[string]*int{
		"min_stay_arrival": r.MinStayArrival, "min_stay_through": r.MinStayThrough, "max_stay_arrival": r.MaxStayArrival, "max_stay_through": r.MaxStayThrough,
	} {
		f.setNumber(name, n)
	}
	return f
}

// savePlan makes the plan of the form, or changes the one that the address names.
func (c *Console) savePlan(v *visit) error {
	var was hotel.RatePlan
	var err error
	if v.r.PathValue("id") == "" {
		was = hotel.RatePlan{PropertyID: v.house.ID, Currency: v.house.Currency, Status: hotel.Active}
	} else if was, err = v.plan(); err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	made, err := v.storePlan(was, r)
	would := was
	r.plan(&would)
	if m, ok := v.again(err, v.called(planFields), r.form, planValues(v.words, would), planValues(v.words, was)); ok {
		f, err := v.planForm(was)
		if err != nil {
			return err
		}
		f.form, f.mistakes = r.form, m
		f.rows(r.filled("step", "penalty"), r.filled("limit", "from"))
		return v.show("plan_form", m.status(), f)
	}
	if err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("rates/plans/"+made.ID)+"?done=saved", http.StatusSeeOther)
	return nil
}

// storePlan stores what the form says over a plan.
func (v *visit) storePlan(was hotel.RatePlan, r *reader) (hotel.RatePlan, error) {
	to := was
	r.plan(&to)
	var revision int64
	if was.ID != "" {
		revision = r.revision()
	}
	if err := r.refusal(); err != nil {
		return to, err
	}
	if was.ID == "" {
		made, _, err := v.c.desk.CreateRatePlan(v.r.Context(), v.caller, to)
		return made, err
	}
	made, _, err := v.c.desk.ChangeRatePlan(v.r.Context(), v.caller, was.ID, hotel.Change[hotel.RatePlan]{IfRevision: revision, Apply: func(p *hotel.RatePlan) error {
		r.plan(p)
		return nil
	}})
	return made, err
}

// filled is how many rows have a field that is filled in, up to the last of them.
func (r *reader) filled(group, field string) int {
	n := 0
	for i := range mostRows {
		if r.text(at(group, i, field)) != "" {
			n = i + 1
		}
	}
	return n
}

// mostRows is how many rows a form has at most.
const mostRows = 200

// plan lays what the form says over a plan. What the form does not ask for stays: what is
// included, seasons, values by age.
func (r *reader) plan(p *hotel.RatePlan) {
	p.Code, p.Name = r.text("code"), r.text("name")
	p.Pricing, p.MealPlan, p.TaxMode = hotel.Pricing(r.text("pricing_model")), r.text("meal_plan"), hotel.TaxMode(r.text("tax_mode"))
	p.Guarantee, p.Audience = r.text("guarantee"), hotel.Audience(r.text("audience"))
	if n := r.number("position"); n != nil {
		p.Position = *n
	}
	p.RoomTypeIDs, p.SoldBy = r.Values["room"], r.Values["sold_by"]
	r.derivation(p)
	r.cancellation(p)
	p.MinAdvance, p.MaxAdvance = r.number("min_advance_days"), r.number("max_advance_days")
	p.CutOff = r.cutOff("cut_off_days", "cut_off_time")
	p.PriceLimits = r.limits(p.Currency)
	own := &p.Restrictions
	own.Closed, own.ClosedToArrival, own.ClosedToDeparture = r.ticked("closed"), r.ticked("closed_to_arrival"), r.ticked("closed_to_departure")
	own.MinStayArrival, own.MinStayThrough = r.number("min_stay_arrival"), r.number("min_stay_through")
	own.MaxStayArrival, own.MaxStayThrough = r.number("max_stay_arrival"), r.number("max_stay_through")
}

// ticked is what a box says; nil: it says nothing.
func (r *reader) ticked(name string) *bool {
	if r.Get(name) == "" {
		return nil
	}
	return &yes
}

func (r *reader) derivation(p *hotel.RatePlan) {
	parent := r.text("parent")
	if parent == "" {
		p.DerivedFrom, p.Inherit = nil, nil
		return
	}
	d := hotel.Derivation{
		RatePlanID: parent, Kind: hotel.AdjustmentKind(r.text("kind")), Value: r.decimal("value"), Per: hotel.AdjustmentPer(r.text("per")), Rounding: hotel.Rounding(r.text("rounding")),
	}
	if p.DerivedFrom != nil && d.Per == hotel.PerPerson {
		d.ByAge = p.DerivedFrom.ByAge
	}
	inherit := []hotel.Inheritance{}
	for _, i := range r.Values["inherit"] {
		inherit = append(inherit, hotel.Inheritance(i))
	}
	p.DerivedFrom, p.Inherit = &d, &inherit
	if len(inherit) == len(inheritances) {
		p.Inherit = nil
	}
}

func (r *reader) cancellation(p *hotel.RatePlan) {
	policy := hotel.CancellationPolicy{Kind: r.text("policy")}
	if p.Cancellation != nil {
		policy.Seasons = p.Cancellation.Seasons
	}
	for i := range r.filled("step", "penalty") {
		kind := r.text(at("step", i, "penalty"))
		if kind == "" {
			continue
		}
		policy.Steps = append(policy.Steps, hotel.CancellationStep{
			Until: r.cutOff(at("step", i, "days"), at("step", i, "time")), Penalty: hotel.Penalty{Kind: hotel.PenaltyKind(kind), Value: r.decimal(at("step", i, "value"))},
		})
	}
	p.Cancellation = &policy
	if policy.Kind == "" {
		p.Cancellation = nil
	}
	p.NoShow = nil
	if kind := r.text("no_show"); kind != "" {
		p.NoShow = &hotel.NoShowPolicy{Penalty: hotel.Penalty{Kind: hotel.PenaltyKind(kind), Value: r.decimal("no_show_value")}}
	}
}

// cutOff is so many days before an arrival at a time; nil: neither is said.
func (r *reader) cutOff(days, clock string) *hotel.CutOff {
	n, text := r.number(days), r.text(clock)
	if n == nil && text == "" {
		return nil
	}
	return &hotel.CutOff{DaysBefore: count(n), Time: text}
}

func (r *reader) limits(c hotel.Currency) (list []hotel.PriceLimit) {
	for i := range mostRows {
		from, to := r.date(at("limit", i, "from")), r.date(at("limit", i, "to"))
		floor, ceiling := r.money(at("limit", i, "floor"), c), r.money(at("limit", i, "ceiling"), c)
		switch {
		case from == nil && to == nil && floor == nil && ceiling == nil:
			continue
		case from == nil || to == nil:
			r.fault(at("limit", i, "from"), "required", "a limit has a first and a last night")
			continue
		}
		list = append(list, hotel.PriceLimit{RoomTypeIDs: r.Values[at("limit", i, "room")], DateFrom: *from, DateTo: *to, Floor: floor, Ceiling: ceiling})
	}
	return list
}

// archivePlan ends a plan that nothing needs any more.
func (c *Console) archivePlan(v *visit) error {
	plan, err := v.plan()
	if err != nil {
		return err
	}
	seen, err := v.seen()
	if err != nil {
		return err
	}
	if _, _, err := c.desk.ArchiveRatePlan(v.r.Context(), v.caller, plan.ID, seen); err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("rates")+"?done=archived", http.StatusSeeOther)
	return nil
}

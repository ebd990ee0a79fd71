package hotel

import (
	"maps"
	"slices"
)

// The values of a rate plan's members that are plain words.
var (
	mealPlans    = []string{"room_only", "breakfast", "half_board", "full_board", "all_inclusive"}
	guarantees   = []string{"none", "card_on_file", "deposit", "prepaid"}
	policyKinds  = []string{"flexible", "non_refundable", "custom"}
	includedPers = []string{IncludedPerRoom, IncludedPerPerson, IncludedPerStay}
)

// Complete fills in what a rate plan need not say; its currency is the
// property's.
func (p *RatePlan) Complete(of *Property) {
	fill(&p.Currency, of.Currency)
	fill(&p.Pricing, PerRoomPrice)
	fill(&p.MealPlan, mealPlans[0])
	fill(&p.TaxMode, TaxInclusive)
	fill(&p.Guarantee, guarantees[0])
	fill(&p.Audience, Restricted)
	fill(&p.Status, Active)
	if p.DerivedFrom != nil {
		fill(&p.DerivedFrom.Per, PerTheRoom)
	}
}

// Check refuses a rate plan that cannot be, telling everything that is wrong
// with it. It may sell the given room types and be derived from the given plans,
// the active ones of its property; itself, as it was, may be among them.
func (p *RatePlan) Check(of *Property, rooms []RoomType, plans []RatePlan) error {
	f := newCheckup()
	f.matches("code", p.Code, codeForm, Say(codeWords))
	f.name("name", p.Name, maxName)
	p.checkProducts(f, rooms)
	f.currency("currency", p.Currency)
	if p.Currency != of.Currency && p.Audience != Restricted {
		f.add("currency", "currency_mismatch", "must be %s; only a restricted plan, for channels, may have another", of.Currency)
	}
	oneOf(f, "pricing_model", p.Pricing, PerRoomPrice, PerOccupancy)
	oneOf(f, "meal_plan", p.MealPlan, mealPlans...)
	oneOf(f, "tax_mode", p.TaxMode, TaxInclusive, TaxExclusive)
	if p.DerivedFrom != nil {
		p.checkDerivation(f.in("derived_from"), of, plans)
	}
	p.checkInherit(f)
	p.checkIncluded(f, of.AgeBands)
	if p.Cancellation != nil {
		p.Cancellation.check(f.in("cancellation_policy"), p.Currency)
	}
	if p.NoShow != nil {
		p.NoShow.Penalty.check(f.in("no_show_policy").in("penalty"), p.Currency)
	}
	oneOf(f, "guarantee", p.Guarantee, guarantees...)
	f.optional("min_advance_days", p.MinAdvance, 0, MaxAdvance)
	f.optional("max_advance_days", p.MaxAdvance, 1, MaxAdvance)
	f.ordered("max_advance_days", p.MinAdvance, p.MaxAdvance)
	f.in("cut_off").cutOff(p.CutOff)
	p.checkLimits(f)
	p.Restrictions.check(f.in("default_restrictions"))
	oneOf(f, "audience", p.Audience, Public, Restricted)
	f.count("sold_by", len(p.SoldBy), 0, 200)
	sellers := map[string]bool{}
	for i, id := range p.SoldBy {
		f.in("sold_by", i).matches("", id, idForm, Say("the id of a channel or a client"))
		f.in("sold_by", i).once(sellers, "", id)
	}
	f.metadata(p.Metadata)
	oneOf(f, "status", p.Status, Active, Archived)
	return f.refusal()
}

func (p *RatePlan) checkProducts(f checkup, rooms []RoomType) {
	f.count("room_type_ids", len(p.RoomTypeIDs), 1, 200)
	seen := map[string]bool{}
	for i, id := range p.RoomTypeIDs {
		at := f.in("room_type_ids", i)
		if !slices.ContainsFunc(rooms, func(r RoomType) bool { return r.ID == id }) {
			at.add("", "unknown_room_type", "the property has no active room type of that id")
		}
		at.once(seen, "", id)
	}
}

// maxDerivations is how many derivations may follow each other.
const maxDerivations = 3

func (p *RatePlan) checkDerivation(f checkup, of *Property, plans []RatePlan) {
	d := p.DerivedFrom
	oneOf(f, "kind", d.Kind, Percent, Amount)
	oneOf(f, "per", d.Per, PerTheRoom, PerPerson)
	if d.Per == PerPerson && d.Kind == Percent {
		f.add("per", "enum", "only an amount can be added per person")
	}
	if d.Rounding != "" {
		oneOf(f, "rounding", d.Rounding, RoundNone, RoundNearest1, RoundNearest5, RoundEnd9, RoundEnd99)
	}
	adjustment := func(f checkup, member, value string) {
		if d.Kind == Percent {
			f.number(member, value, -100, 1000, 4)
		} else {
			f.number(member, value, -maxAmount, maxAmount, p.Currency.Exponent())
		}
	}
	adjustment(f, "value", d.Value)
	if len(d.ByAge) > 0 && d.Per != PerPerson {
		f.add("by_age", "unknown_option", "counts only where the adjustment is per person")
	}
	for _, band := range slices.Sorted(maps.Keys(d.ByAge)) {
		f.in("by_age").band(band, of.AgeBands)
		adjustment(f.in("by_age"), band, d.ByAge[band])
	}
	p.checkChain(f, plans)
}

// checkChain follows the derivation upwards and, since the plan may have plans
// derived from it, that of every other plan too.
func (p *RatePlan) checkChain(f checkup, plans []RatePlan) {
	const member = "rate_plan_id"
	parent := func(q *RatePlan) *RatePlan {
		if q.DerivedFrom == nil {
			return nil
		}
		if q.DerivedFrom.RatePlanID == p.ID {
			return p
		}
		i := slices.IndexFunc(plans, func(o RatePlan) bool { return o.ID == q.DerivedFrom.RatePlanID })
		if i < 0 {
			return nil
		}
		return &plans[i]
	}
	up := parent(p)
	switch {
	case up == nil:
		f.add(member, "unknown_rate_plan", "the property has no active rate plan of that id")
		return
	case up.Currency != p.Currency:
		f.add(member, "currency_mismatch", "is a plan in %s, and this one is in %s", up.Currency, p.Currency)
	}
	for i := -1; i < len(plans); i++ {
		start := p
		if i >= 0 && plans[i].ID != p.ID {
			start = &plans[i]
		}
		depth := 0
		for q := parent(start); q != nil; q = parent(q) {
			if depth++; depth > maxDerivations {
				f.add(member, "max", "leads in a circle, or over more than %d derivations", maxDerivations)
				return
			}
		}
	}
}

func (p *RatePlan) checkInherit(f checkup) {
	if p.Inherit == nil {
		return
	}
	seen := map[string]bool{}
	for i, what := range *p.Inherit {
		at := f.in("inherit", i)
		oneOf(at, "", what, InheritClosed, InheritClosedToArrival, InheritClosedToDeparture, InheritMinStay, InheritMaxStay, InheritAdvance)
		at.once(seen, "", string(what))
	}
}

func (p *RatePlan) checkIncluded(f checkup, bands []AgeBand) {
	f.count("included", len(p.Included), 0, 50)
	for i, x := range p.Included {
		at := f.in("included", i)
		at.matches("code", x.Code, codeForm, Say(codeWords))
		oneOf(at, "per", x.Per, includedPers...)
		if x.VAT != "" {
			at.number("vat", x.VAT, 0, 100, 4)
		}
		if len(x.Amount) == 0 {
			at.add("amount", "required", "is missing")
		}
		for _, band := range slices.Sorted(maps.Keys(x.Amount)) {
			amount := x.Amount[band]
			if band != "" {
				at.in("amount").band(band, bands)
			}
			at.in("amount").money(band, &amount, p.Currency)
		}
	}
}

func (f checkup) band(code string, bands []AgeBand) {
	if !slices.ContainsFunc(bands, func(b AgeBand) bool { return b.Code == code }) {
		f.add(code, "enum", "the property has no age band of that code")
	}
}

func (p *RatePlan) checkLimits(f checkup) {
	f.count("price_limits", len(p.PriceLimits), 0, 200)
	for i, l := range p.PriceLimits {
		at := f.in("price_limits", i)
		for j, id := range l.RoomTypeIDs {
			if !slices.Contains(p.RoomTypeIDs, id) {
				at.in("room_type_ids", j).add("", "unknown_room_type", "the plan does not sell that room type")
			}
		}
		at.dates("date_to", l.DateFrom, l.DateTo)
		at.money("floor", l.Floor, p.Currency)
		at.money("ceiling", l.Ceiling, p.Currency)
		switch {
		case l.Floor == nil && l.Ceiling == nil:
			at.add("floor", "required", "a limit has a floor, a ceiling or both")
		case l.Floor != nil && l.Ceiling != nil && l.Floor.Minor > l.Ceiling.Minor:
			at.add("ceiling", "restriction_contradiction", "is below the floor")
		}
	}
}

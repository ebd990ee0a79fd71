package alpinebits

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// The rate plans of the setting whole_plans are ours: they are made at the portal, told as
// a whole where that is wanted, and taken away when nothing is sold at them any more.

// whole is a rate plan of ours as a whole, and its supplements as they are kept.
func (c *conn) whole(ctx context.Context, t terms, code string) (p message.Plan, supplements []byte, err error) {
	told, err := c.told.whole(ctx, together{code})
	if err != nil {
		return p, nil, err
	}
	p = message.Plan{Code: code, Kind: message.New, Basis: &message.PriceBasis{Meals: c.cfg.WholePlans[code]}, Rules: rules(told)}
	if slices.Contains(t.features, message.AcceptFull) {
		p.Kind = message.Full
	}
	rates := c.rates(told)
	if err := inOneCurrency(code, rates); err != nil {
		return p, nil, unsent("tell a rate plan as a whole", err)
	}
	for currency, list := range rates {
		p.Currency, p.Rates = currency, list
	}
	p.Rules = slices.DeleteFunc(p.Rules, func(r message.Rule) bool { return same(r, message.Rule{Category: r.Category}) })
	if p.Supplements, supplements, err = c.supplements(ctx, t); p.Currency == "" {
		p.Supplements = nil // nothing is sold at it yet
	}
	return p, supplements, err
}

// inOneCurrency is the error of a rate plan that has prices in several: a message says one of each
// plan.
func inOneCurrency(code string, rates map[hotel.Currency][]message.Rate) error {
	if len(rates) <= 1 {
		return nil
	}
	return fmt.Errorf("rate plan %s has prices in %v, and is told in one currency: map what is sold in another one to a rate plan of its own", code, slices.Sorted(maps.Keys(rates)))
}

// supplementsTold is where the supplements of a plan are on the shelf as they were told last.
func supplementsTold(code string) string { return fmt.Sprintf("supplements of plan %q", code) }

// wants reports whether a plan of ours is to be told as a whole, although the portal takes
// changes: it does not have it yet, has other supplements, or asks for it.
func (s *sending) wants(ctx context.Context, t terms) (bool, error) {
	if s.c.cfg.WholePlans[s.of.plan] == "" {
		return false, nil
	}
	_, now, err := s.c.supplements(ctx, t)
	if err != nil || len(s.before) == 0 || s.c.owed.asks(ctx, s.kind(), s.c.clock.Now()) {
		return true, err
	}
	told, err := s.c.told.shelf.Get(ctx, supplementsTold(s.of.plan))
	return string(told) != string(now), err
}

// plan is the rate plan of a call as a whole.
func (s *sending) plan(ctx context.Context, t terms) ([]byte, error) {
	p, supplements, err := s.c.whole(ctx, t, s.of.plan)
	if err != nil {
		return nil, err
	}
	if len(p.Supplements) > 0 || p.Currency != "" {
		s.supplements = supplements
	}
	return message.WriteRatePlans(message.PlanSet{Hotel: s.c.property(), Plans: []message.Plan{p}}), nil
}

// done notes what a portal that has taken a call has now.
func (s *sending) done(ctx context.Context, all bool) {
	if all {
		s.kept(ctx)
		s.c.owed.tried(ctx, s.kind(), true, s.c.clock.Now())
	}
	if s.supplements != nil {
		// If that fails, the plan is told as a whole once more.
		_ = s.c.told.shelf.Put(ctx, supplementsTold(s.of.plan), s.supplements)
	}
}

// kept notes the complete set of free rooms that the portal has taken. If that fails, all
// of it is told once more.
func (s *sending) kept(ctx context.Context) {
	_ = put(ctx, s.c.told.shelf, lastSet, roomSet{s.c.whom(), s.c.clock.Now(), s.seasons})
}

// supplements are the fees of the property as a portal is told them, and in the form in
// which they are kept. They are told for whole years, since a span that moved on with the
// nights on sale would be another one each day.
func (c *conn) supplements(ctx context.Context, t terms) ([]message.Supplement, []byte, error) {
	if !c.cfg.Fees || c.house == nil || !slices.Contains(t.features, message.AcceptSupplements) {
		return nil, []byte{}, nil
	}
	p, err := c.house(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("read the fees of the property: %w", err)
	}
	year := c.today().Time().Year()
	years := hotel.Span{From: hotel.DateOf(year, 1, 1), To: hotel.DateOf(year+3, 12, 31)}
	all := feesOf(p, years, c.cfg.Inventory)
	kept, err := json.Marshal(all)
	return all, kept, err
}

// longestSupplement is how many characters the code of a supplement may have.
const longestSupplement = 16

// feesOf are the fees that a supplement says: amounts that everybody pays beside the prices,
// whoever they are and however long they stay.
func feesOf(p hotel.Property, years hotel.Span, language string) []message.Supplement {
	charges := map[hotel.TaxKind]message.Charge{
		hotel.PerRoomNight: message.ChargeRoomNight, hotel.PerPersonTax: message.ChargePersonNight, hotel.PerStay: message.ChargeRoomStay,
	}
	var all []message.Supplement
	for _, t := range p.Taxes {
		charge, said := charges[t.Kind]
		amount, err := hotel.ParseMoney(t.Value, p.Currency)
		if !said || err != nil || amount.Minor == 0 || t.CountsAs != hotel.Fee || t.Included || t.AgeFrom > 0 || t.MaxNights > 0 || t.Cap != nil || t.CollectedBy == hotel.CollectedByChannel || len([]rune(t.Code)) > longestSupplement {
			continue
		}
		s := message.Supplement{Code: t.Code, Charge: charge, Titles: []message.Text{{Language: language, Text: t.Name}}}
		if t.Name == "" {
			s.Titles = nil
		}
		seasons := t.Seasons
		if len(seasons) == 0 {
			seasons = []hotel.Span{years}
		}
		for _, season := range seasons {
			if t.ValidFrom != nil {
				season.From = max(season.From, *t.ValidFrom)
			}
			if t.ValidTo != nil {
				season.To = min(season.To, *t.ValidTo)
			}
			if nights, some := common(season, years); some {
				s.Due = append(s.Due, message.SupplementDue{Nights: nights, Minor: amount.Minor})
			}
		}
		if len(s.Due) > 0 {
			all = append(all, s)
		}
	}
	return all
}

// sold is at which of the far side's rates something is sold; false: nobody knows.
func (c *conn) sold(ctx context.Context) (map[string]bool, bool) {
	if c.rooms == nil {
		return nil, false
	}
	rooms, err := c.rooms(ctx)
	rates := map[string]bool{}
	for _, r := range rooms {
		for _, rate := range r.Rates {
			rates[rate] = true
		}
	}
	return rates, err == nil && len(rates) > 0 // who sells nothing is setting something up
}

// ours lists the plans that were made at the portal, those that are sold or those that are
// not any more.
func (c *conn) ours(ctx context.Context, sold bool) ([]string, error) {
	if len(c.cfg.WholePlans) == 0 {
		return nil, nil
	}
	rates, known := c.sold(ctx)
	var codes []string
	for _, code := range slices.Sorted(maps.Keys(c.cfg.WholePlans)) {
		made, err := c.told.rooms(ctx, together{code})
		if err != nil {
			return nil, err
		}
		if len(made) > 0 && sold == (!known || rates[code]) {
			codes = append(codes, code)
		}
	}
	return codes, nil
}

// retire takes plans away from the portal at which nothing is sold any more. What does not
// succeed is tried again with the next call.
func (c *conn) retire(ctx context.Context, t terms) []message.Notice {
	codes, err := c.ours(ctx, false)
	if err != nil || len(codes) > 0 && !slices.Contains(t.features, message.RatePlans.Handshake) {
		return nil
	}
	var notices []message.Notice
	for _, code := range codes {
		notice := message.Notice{Type: message.Advisory, Text: "rate plan " + code + " is taken away"}
		body := message.WriteRatePlans(message.PlanSet{Hotel: c.property(), Plans: []message.Plan{{Code: code, Kind: message.Remove}}})
		said, err := c.ask(ctx, "take a rate plan away", message.RatePlans, t, body, message.Priced)
		gone := err == nil && !said.Refused() || err != nil && connectors.AsError(err).Kind == connectors.Unmapped
		switch {
		case gone:
			err = c.told.forget(ctx, together{code})
		case err == nil:
			notice.Text = "the portal does not take rate plan " + code + " away: " + said.Words()
		}
		if err != nil {
			notice.Text = "rate plan " + code + " could not be taken away: " + err.Error()
		}
		notices = append(notices, notice)
	}
	return notices
}

// retired reports whether a call is about a plan of ours that has been taken away, so that
// nothing is sold at it whatever the call says.
func (c *conn) retired(ctx context.Context, call connectors.Call) bool {
	plan := call.Keys[0].Rate
	if c.cfg.WholePlans[plan] == "" {
		return false
	}
	rates, known := c.sold(ctx)
	made, err := c.told.rooms(ctx, together{plan})
	return known && !rates[plan] && err == nil && len(made) == 0
}

// allPlans are messages that tell all plans of ours: one with all of them as a complete
// set, where the portal has no others, or one of each.
func (c *conn) allPlans(ctx context.Context, t terms) ([][]byte, error) {
	codes, err := c.ours(ctx, true)
	if err != nil {
		return nil, err
	}
	set := message.PlanSet{Hotel: c.property(), Complete: true}
	var each [][]byte
	for _, code := range codes {
		p, _, err := c.whole(ctx, t, code)
		if err != nil {
			return nil, err
		}
		set.Plans = append(set.Plans, p)
		each = append(each, message.WriteRatePlans(message.PlanSet{Hotel: c.property(), Plans: []message.Plan{p}}))
	}
	if c.cfg.CompletePlans && len(codes) > 0 {
		if all := message.WriteRatePlans(set); len(all) <= maxMessage {
			return [][]byte{all}, nil
		}
	}
	return each, nil
}

// again tells all that there is of a kind, because the portal asks for it. Nothing in it is
// new: whatever becomes of it, the portal has been told so before.
func (s *sending) again(ctx context.Context, t terms, op string, a message.Action, answer string) []message.Notice {
	ours := s.of.plan == "" && t.takesSets() || s.of.plan != "" && s.c.cfg.WholePlans[s.of.plan] != ""
	var notices []message.Notice
	if !ours {
		notices = append(notices, message.Notice{Type: message.Advisory, Text: "the portal asks for everything and takes changes alone: run ostler channel sync with --kind ari_full"})
	}
	var bodies [][]byte
	var err error
	switch {
	case s.of.plan != "":
		bodies, err = s.c.allPlans(ctx, t)
	case ours:
		bodies = make([][]byte, 1)
		if bodies[0], err = s.body(ctx, t, true); err == nil {
			err = s.risk(ctx)
		}
	}
	told := len(bodies) > 0 && err == nil
	for _, body := range bodies {
		if err != nil {
			break
		}
		said, failed := s.c.ask(ctx, op, a, t, body, answer)
		told = told && failed == nil && !said.Refused()
	}
	if told && s.of.plan == "" {
		s.kept(ctx)
	}
	s.c.owed.tried(ctx, s.kind(), told, s.c.clock.Now())
	switch {
	case told:
		notices = append(notices, message.Notice{Type: message.Advisory, Text: "all of it was told again"})
	case ours:
		notices = append(notices, message.Notice{Type: message.Advisory, Text: "to tell all of it again did not succeed"})
	}
	return notices
}

package ledger

import (
	"cmp"

	"ostler.example/hotel"
)

// typePrice types an amount as the price of the entry's product for a number of
// guests, 0 of them for the base occupancy. A plan by the room has one amount, from
// which all its prices follow.
func (s *structure) typePrice(e *hotel.RateEntry, guests int, amount hotel.Money) {
	room, plan := s.room(e.RoomTypeID), s.plan(e.RatePlanID)
	if guests == 0 || room == nil || plan == nil || guests == room.BaseOccupancy || plan.Pricing != hotel.PerOccupancy {
		e.Amount = hotel.Given(amount)
		return
	}
	e.Occupancies = map[int]hotel.Optional[hotel.Money]{guests: hotel.Given(amount)}
}

// typePrices returns the entries by which a product costs an amount on some nights for a
// number of guests, 0 of them for the base occupancy. Of a plan by the room that is its own
// amount and what further guests pay, so the amount is less by what they do. at points at
// the amount in what was asked for.
func (t *tx) typePrices(s *structure, at, roomID, planID string, nights hotel.Span, guests int, amount hotel.Money) ([]hotel.RateEntry, error) {
	typed := func(nights hotel.Span, amount hotel.Money) hotel.RateEntry {
		e := hotel.RateEntry{RoomTypeID: roomID, RatePlanID: planID, Dates: hotel.Dates{Span: nights}}
		s.typePrice(&e, guests, amount)
		return e
	}
	room, plan := s.room(roomID), s.plan(planID)
	if room == nil || plan == nil || guests <= room.BaseOccupancy || plan.Pricing == hotel.PerOccupancy || amount.Currency != plan.Currency {
		var list []hotel.RateEntry
		for _, part := range hotel.EntryDates(nights) {
			list = append(list, typed(part, amount))
		}
		return list, nil
	}
	f, err := t.l.facts(t.ctx, t.q, s.property.ID)
	if err != nil {
		return nil, err
	}
	over := s.emptyNights(nights.From, nights.To)
	if err := s.layPrices(t.ctx, f, nights.From, over, roomID); err != nil {
		return nil, err
	}
	b := s.board(t.now, nights.From, over, 0)
	ofRoom, _ := b.Room(roomID)
	ofPlan, _ := b.Plan(planID)
	var list []hotel.RateEntry
	for night := nights.From; night <= nights.To; night++ {
		further := b.Further(night, ofRoom, ofPlan, guests)
		rest := hotel.Money{Minor: amount.Minor - further, Currency: amount.Currency}
		if rest.Minor < 0 {
			least := hotel.Money{Minor: further, Currency: amount.Currency}
			return nil, hotel.Invalid(at, "min", "is for %d guests, who pay %s on %s beyond the amount for %d (extra_adult): say at least that, or change it first", guests, least, night, room.BaseOccupancy)
		}
		if last := len(list) - 1; last >= 0 && list[last].Amount.Value == rest && list[last].Days() < hotel.MaxEntryDates {
			list[last].To = night
			continue
		}
		list = append(list, typed(hotel.Span{From: night, To: night}, rest))
	}
	return list, nil
}

// atOdds returns a night for which entries of one product have different amounts.
func atOdds(entries []hotel.RateEntry) (night hotel.Date, odds bool) {
	for i, e := range entries {
		for _, other := range entries[:i] {
			both := hotel.Span{From: max(e.From, other.From), To: min(e.To, other.To)}
			if both.From <= both.To && e.Amount.Set && other.Amount.Set && e.Amount.Value != other.Amount.Value {
				return both.From, true
			}
		}
	}
	return 0, false
}

// pricedFor is for how many guests the price of a cell is, of a line of the mappings;
// 0: those of the base occupancy.
func pricedFor(mappings []hotel.Mapping, line int64, occupancy int) int {
	for _, m := range mappings {
		if m.Line == line {
			return cmp.Or(occupancy, m.Guests)
		}
	}
	return occupancy
}

package ledger

import "ostler.example/hotel"

// rejectedArguments are those of the options of a refused value.
type rejectedArguments struct {
	Values rejectedValues `json:"values"`
}

// rejectedValues is what is wanted in place of what is refused.
type rejectedValues struct {
	Amount         *hotel.Money `json:"amount"`
	Available      *int         `json:"available"`
	MinStayArrival *int         `json:"min_stay_arrival"`
	MinStayThrough *int         `json:"min_stay_through"`
	MaxStayArrival *int         `json:"max_stay_arrival"`
	MaxStayThrough *int         `json:"max_stay_through"`
}

// enactRejected has refused values sent again, left as they are, or replaced by
// others.
func (t *tx) enactRejected(c *hotel.Conflict, d hotel.ConflictDecision) error {
	switch d.Option {
	case hotel.OptionRetry:
		return t.sendAgain(c)
	case hotel.OptionChange:
		var a rejectedArguments
		if err := d.Read(&a); err != nil {
			return err
		}
		return t.changeRejected(c, a.Values)
	}
	return nil
}

// sendAgain has the refused cells of a conflict told again. What counts of a guarded
// pool are told is decided anew.
func (t *tx) sendAgain(c *hotel.Conflict) error {
	row, err := t.q.GetChannel(t.ctx, c.ChannelID)
	if err != nil {
		return notFound(err)
	}
	table, cells := t.cellsOf(row), cellsOfConflict(c)
	if err := table.load(cells); err != nil {
		return err
	}
	ordered := nightSet{}
	for _, cell := range cells {
		g := table.cells.at(cell)
		if g == nil {
			continue
		}
		if g.retry(t.heads.sequence); g.guarded {
			ordered[cell.Night] = struct{}{}
		}
	}
	if len(ordered) > 0 {
		t.redeal(row.PropertyID, ordered)
	}
	t.effects.touchOffers(row.PropertyID)
	return table.save()
}

// changeRejected has something else wanted on the refused nights: another price or
// length of stay of the product, or at most so many rooms at the channel.
func (t *tx) changeRejected(c *hotel.Conflict, v rejectedValues) error {
	s, err := t.structure(c.PropertyID)
	if err != nil {
		return err
	}
	stock := hotel.InventoryUpdate{PropertyID: c.PropertyID, Source: string(hotel.FromUser)}
	rates := hotel.RateUpdate{PropertyID: c.PropertyID, Source: string(hotel.FromUser)}
	rules := hotel.RestrictionUpdate{PropertyID: c.PropertyID, Source: string(hotel.FromUser)}
	_, mappings, err := loadLines(t.ctx, t.q, c.ChannelID)
	if err != nil {
		return err
	}
	today := s.property.BusinessDate(t.now)
	for _, cells := range c.Cells {
		dates := hotel.Dates{Span: hotel.Span{From: max(cells.From, today), To: cells.To}}
		room, plan := c.Subject.RoomTypeID, c.Subject.RatePlanID
		switch {
		case dates.From > dates.To:
		case cells.Group == hotel.Availability && v.Available != nil:
			stock.Entries = append(stock.Entries, hotel.InventoryEntry{
				RoomTypeID: room, Dates: dates, ChannelLimits: hotel.Given(hotel.ChannelQuantities{c.ChannelID: hotel.Given(*v.Available)}),
			})
		case cells.Group == hotel.Price && v.Amount != nil:
			typed, err := t.typePrices(s, "/values/amount", room, plan, dates.Span, pricedFor(mappings, cells.Line, cells.Occupancy), *v.Amount)
			if err != nil {
				return err
			}
			rates.Entries = append(rates.Entries, typed...)
		case cells.Group == hotel.Lengths && v.lengths():
			rules.Entries = append(rules.Entries, hotel.RestrictionEntry{
				RoomTypeID: room, RatePlanID: plan, Dates: dates, MinStayArrival: given(v.MinStayArrival), MinStayThrough: given(v.MinStayThrough),
				MaxStayArrival: given(v.MaxStayArrival), MaxStayThrough: given(v.MaxStayThrough),
			})
		}
	}
	switch {
	case len(stock.Entries) > 0:
		_, err = t.drawUp(s, stockRequest(stock))
	case len(rates.Entries) > 0:
		if night, odds := atOdds(rates.Entries); odds {
			return hotel.Invalid("/values/amount", "not_exact", "is refused for several numbers of guests on %s, who do not all pay the same of this plan: set its prices instead", night)
		}
		_, err = t.drawUp(s, rateRequest(rates))
	case len(rules.Entries) > 0:
		_, err = t.drawUp(s, ruleRequest(rules))
	default:
		return hotel.Invalid("/values", "required", "say a value of the group that is refused")
	}
	return err
}

func (v rejectedValues) lengths() bool {
	return v.MinStayArrival != nil || v.MinStayThrough != nil || v.MaxStayArrival != nil || v.MaxStayThrough != nil
}

// given is a member that is left out when there is no value.
func given[V any](v *V) hotel.Optional[V] {
	if v == nil {
		return hotel.Optional[V]{}
	}
	return hotel.Given(*v)
}

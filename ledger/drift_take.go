package ledger

import (
	"cmp"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
	"ostler.example/ledger/internal/ledgerdb"
)

// byChannel is the source of facts that were taken over from a channel.
func byChannel(id string) string { return "channel:" + id }

// shownCell is what a channel shows of a cell, some fields of which are to become the
// property's own: the price or the restrictions of the product, for every channel that
// sells it, or the most rooms that the channel is shown.
type shownCell struct {
	cell   hotel.Cell
	shown  int64
	fields []hotel.Field
	fault  DriftFault // why they cannot
}

// takeover is an update that is drawn up.
type takeover struct {
	request  request
	proposal *proposal
}

// takeShown makes what a channel shows of cells the property's own, or refuses it all.
func (t *tx) takeShown(row ledgerdb.Channel, cells []shownCell) error {
	c, err := t.compare(row, ledgerdb.Delivery{})
	if err != nil {
		return err
	}
	taken, err := c.drawTaken(cells)
	if err != nil {
		return err
	}
	for i := range cells {
		if f := cells[i].fault; f != (DriftFault{}) {
			return hotel.Invalid("/option", f.Code, "what the channel shows on %s cannot be taken over: %s", cells[i].cell.Night, f.Detail)
		}
	}
	return t.storeTaken(taken)
}

func (t *tx) storeTaken(list []takeover) error {
	for _, o := range list {
		if _, err := t.storeProposal(o.request, o.proposal); err != nil {
			return err
		}
	}
	return nil
}

// drawTaken draws up the updates that make what is shown the property's own, and finds
// which cells that cannot be done of: where somebody holds the night, where another
// system's word counts, and where the fact would not make the channel show just that.
func (c *comparison) drawTaken(cells []shownCell) (list []takeover, err error) {
	for _, groups := range [][]hotel.Group{{hotel.Availability}, {hotel.Price}, {hotel.Closures, hotel.Lengths}} {
		var of []*shownCell
		for i := range cells {
			if slices.Contains(groups, cells[i].cell.Group) {
				of = append(of, &cells[i])
			}
		}
		for more := true; more; { // what cannot be taken is left out of what the rest is tried with
			of = slices.DeleteFunc(of, func(s *shownCell) bool { return s.fault != (DriftFault{}) })
			if len(of) == 0 {
				break
			}
			var o takeover
			if o, more, err = c.tryTaken(of); err != nil {
				return nil, err
			}
			if !more {
				list = append(list, o)
			}
		}
	}
	return list, nil
}

// tryTaken draws up one update of cells of groups that go together, and reports whether
// any of them was found to have a fault.
func (c *comparison) tryTaken(of []*shownCell) (o takeover, faulty bool, err error) {
	f, err := c.t.l.facts(c.t.ctx, c.t.q, c.s.property.ID)
	if err != nil {
		return o, false, err
	}
	stock := hotel.InventoryUpdate{PropertyID: c.row.PropertyID, Source: byChannel(c.row.ID), Partial: true}
	rates := hotel.RateUpdate{PropertyID: c.row.PropertyID, Source: byChannel(c.row.ID), Partial: true}
	rules := hotel.RestrictionUpdate{PropertyID: c.row.PropertyID, Source: byChannel(c.row.ID), Partial: true}
	for _, s := range of {
		unread, err := c.held(f, s)
		if err != nil {
			return o, false, err
		}
		switch s.cell.Group {
		case hotel.Availability:
			stock.Entries = append(stock.Entries, c.limitShown(s, unread))
		case hotel.Price:
			rates.Entries = append(rates.Entries, c.priceShown(s, unread))
		case hotel.Closures, hotel.Lengths:
			rules.Entries = append(rules.Entries, c.rulesShown(s, unread))
		}
	}
	switch {
	case len(stock.Entries) > 0:
		o.request = stockRequest(stock)
	case len(rates.Entries) > 0:
		o.request = rateRequest(rates)
	default:
		o.request = ruleRequest(rules)
	}
	if o.proposal, err = c.t.l.newProposal(c.t.ctx, c.t.q, c.s, o.request); err != nil {
		return o, false, err
	}
	for i, r := range o.proposal.results {
		if len(r.Faults) > 0 {
			of[i].fault, faulty = DriftFault{r.Faults[0].Code, r.Faults[0].Detail}, true
		}
	}
	if faulty || o.request.due() == dueStock {
		return o, faulty, nil
	}
	b, err := c.boardOf(o)
	if err != nil {
		return o, false, err
	}
	for _, s := range of {
		if !c.comesOut(b, s) {
			s.fault, faulty = DriftFault{"not_exact", "no price or restriction of this product alone makes the channel show that: a rule, a limit, another level or the plan that this one is derived from has a say"}, true
		}
	}
	return o, faulty, nil
}

// boardOf is the property's nights as an update of prices or restrictions would have
// them.
func (c *comparison) boardOf(o takeover) (*board.Board, error) {
	changes, _, err := o.proposal.changes()
	if err != nil {
		return nil, err
	}
	f, span := o.proposal.facts, o.proposal.span
	if len(changes) > 0 {
		f, _ = o.request.laid(f, changes)
	}
	nights, err := c.s.loadNights(c.t.ctx, f, span.From, span.To)
	return c.s.board(c.t.now, span.From, nights, 0), err
}

// contested says that what another channel showed has become the property's own there within
// a day: two that are both taken at their word would set it back and forth. A number of rooms is
// a limit of one channel alone.
func (c *comparison) contested(cell hotel.Cell) (fault DriftFault, err error) {
	if cell.Group == hotel.Availability {
		return fault, nil
	}
	f, err := c.t.l.facts(c.t.ctx, c.t.q, c.s.property.ID)
	if err != nil {
		return fault, err
	}
	room, plan := c.names(cell)
	subject := product{room, plan}.subject()
	var source string
	var at int64
	if cell.Group == hotel.Price {
		var of []fact[priceFact]
		if of, err = readFactsOf[priceFact](c.t.ctx, f, priceSheet, cell.Night, cell.Night, subject, subject+"\x00"); len(of) > 0 {
			source, at = of[0].V.counts(of[0].source), of[0].V.stands(of[0].version, of[0].at).At
		}
	} else {
		var of []fact[hotel.Restriction]
		if of, err = readFactsOf[hotel.Restriction](c.t.ctx, f, ruleSheet, cell.Night, cell.Night, subject, subject+"\x00"); len(of) > 0 {
			source, at = of[0].source, of[0].at
		}
	}
	if strings.HasPrefix(source, byChannel("")) && source != byChannel(c.row.ID) && at > c.t.now.Add(-fightFor).UnixMicro() {
		fault = DriftFault{"contested", "what " + source + " shows has become the property's own there within a day, and this channel shows something else"}
	}
	return fault, err
}

// held says why a cell is nobody's to change but a person's, or another system's.
func (c *comparison) held(f facts, s *shownCell) ([]hotel.RefusedItem, error) {
	room, plan := c.names(s.cell)
	var owner hotel.Authority
	var lock *hotel.Lock
	var err error
	switch s.cell.Group {
	case hotel.Availability:
		owner = c.property.Truth.Stock
		var of []fact[roomFact]
		if of, err = readFactsOf[roomFact](c.t.ctx, f, roomSheet, s.cell.Night, s.cell.Night, room, room+"\x00"); len(of) > 0 {
			lock = of[0].V.Lock
		}
	case hotel.Price:
		owner = c.property.Truth.Prices
		subject := product{room, plan}.subject()
		var of []fact[priceFact]
		if of, err = readFactsOf[priceFact](c.t.ctx, f, priceSheet, s.cell.Night, s.cell.Night, subject, subject+"\x00"); len(of) > 0 {
			lock = of[0].V.Lock
		}
	case hotel.Closures, hotel.Lengths:
		owner = c.property.Truth.Restrictions
	}
	switch {
	case owner == hotel.ByPMS:
		return []hotel.RefusedItem{hotel.Wrong("", "owned_by_pms", "the property has given this to its PMS")}, err
	case lock != nil && (lock.Until == nil || *lock.Until >= c.property.Today(c.t.now)):
		return []hotel.RefusedItem{hotel.Wrong("", "locked", "the night is held by %s", lock.By)}, err
	}
	return nil, err
}

// limitShown has the channel shown at most as many rooms as it shows.
func (c *comparison) limitShown(s *shownCell, unread []hotel.RefusedItem) hotel.InventoryEntry {
	of := c.counters[s.cell.Line]
	for _, other := range c.counters {
		if other.Line != of.Line && other.RoomTypeID == of.RoomTypeID && !other.Retired {
			unread = append(unread, hotel.Wrong("", "not_exact", "the channel counts the rooms of this type in several places, and is limited in all together"))
			break
		}
	}
	return hotel.InventoryEntry{
		RoomTypeID: of.RoomTypeID, Dates: s.dates(), Unread: unread,
		ChannelLimits: hotel.Given(hotel.ChannelQuantities{c.row.ID: hotel.Given(int(s.shown))}),
	}
}

// priceShown types the price of which the channel makes what it shows.
func (c *comparison) priceShown(s *shownCell, unread []hotel.RefusedItem) hotel.RateEntry {
	e := hotel.RateEntry{Dates: s.dates(), Unread: unread}
	e.RoomTypeID, e.RatePlanID = c.names(s.cell)
	room, plan := c.s.room(e.RoomTypeID), c.s.plan(e.RatePlanID)
	if room == nil || plan == nil {
		return e // refused for its names
	}
	shown := hotel.Money{Minor: s.shown, Currency: c.currency(s.cell.Line)}
	of, typed, exact := c.prices(s.cell, room, plan), hotel.Money{}, false
	if of.Converts(plan.Currency) && s.shown > 0 {
		typed, exact = price.TypedFor(shown, plan.Currency, price.LimitsOf(plan, room.ID, s.cell.Night), of)
	}
	if !exact {
		e.Unread = append(e.Unread, hotel.Wrong("", "not_exact", "no price within the limits of the plan becomes that at the channel"))
		return e
	}
	c.s.typePrice(&e, c.guests(s.cell), typed)
	return e
}

// prices is what the channel makes of the prices of a product on a night.
func (c *comparison) prices(cell hotel.Cell, room *hotel.RoomType, plan *hotel.RatePlan) price.Channel {
	of := price.ChannelFor(&c.channel, &c.property, plan, cell.Night)
	bounds, in := c.terms.Fields[hotel.FieldAmount], c.currency(cell.Line)
	of.Min, of.Max = hotel.Money{Minor: int64(bounds.Min), Currency: in}, hotel.Money{Minor: int64(bounds.Max), Currency: in}
	of.Guests = cmp.Or(c.guests(cell), room.BaseOccupancy)
	return of
}

// guests is for how many the price of a cell is; 0: those of the base occupancy.
func (c *comparison) guests(cell hotel.Cell) int {
	return cmp.Or(cell.Occupancy, c.mappings[cell.Line].Guests)
}

// rulesShown restricts the product as the channel shows it, by the fields that differ.
func (c *comparison) rulesShown(s *shownCell, unread []hotel.RefusedItem) hotel.RestrictionEntry {
	e := hotel.RestrictionEntry{Dates: s.dates(), Unread: unread}
	e.RoomTypeID, e.RatePlanID = c.names(s.cell)
	o := hotel.DecodeOffer(s.cell.Group, s.shown, "")
	length := func(n int) hotel.Optional[int] { return hotel.Optional[int]{Set: true, Null: n == 0, Value: n} }
	for _, f := range s.fields {
		switch f { //nolint:exhaustive // the others are of other groups
		case hotel.FieldClosed:
			e.Closed = hotel.Given(o.Closed.Closed)
		case hotel.FieldClosedToArrival:
			e.ClosedToArrival = hotel.Given(o.Closed.Arrival)
		case hotel.FieldClosedToDeparture:
			e.ClosedToDeparture = hotel.Given(o.Closed.Departure)
		case hotel.FieldMinStayArrival:
			e.MinStayArrival = length(o.Lengths.MinStayArrival)
		case hotel.FieldMinStayThrough:
			e.MinStayThrough = length(o.Lengths.MinStayThrough)
		case hotel.FieldMaxStayArrival:
			e.MaxStayArrival = length(o.Lengths.MaxStayArrival)
		case hotel.FieldMaxStayThrough:
			e.MaxStayThrough = length(o.Lengths.MaxStayThrough)
		case hotel.FieldMinAdvance:
			e.MinAdvance = length(o.Lengths.MinAdvance)
		case hotel.FieldMaxAdvance:
			e.MaxAdvance = length(o.Lengths.MaxAdvance)
		}
	}
	return e
}

// comesOut reports whether the channel is to show, of what a board has, what it shows.
func (c *comparison) comesOut(b *board.Board, s *shownCell) bool {
	roomID, planID := c.names(s.cell)
	room, sold := b.Room(roomID)
	plan, known := b.Plan(planID)
	if !sold || !known {
		return false
	}
	if s.cell.Group == hotel.Price {
		h, priced := b.HousePrice(s.cell.Night, room, plan, c.guests(s.cell))
		return priced && price.Offer(h, c.prices(s.cell, &b.RoomTypes[room], &b.Plans[plan]), nil).Minor == s.shown
	}
	rules := b.HouseRules(s.cell.Night, room, plan)
	is := hotel.Offer{Closed: rules.Closed, Lengths: rules.Lengths}.Encode(s.cell.Group)
	return !differs(s.cell.Group, is, s.shown, s.fields)
}

func (s *shownCell) dates() hotel.Dates {
	return hotel.Dates{Span: hotel.Span{From: s.cell.Night, To: s.cell.Night}}
}

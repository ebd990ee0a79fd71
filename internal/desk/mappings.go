package desk

import (
	"cmp"
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/carriage"
	"ostler.example/hotel/mapping"
	"ostler.example/hotel/price"
	"ostler.example/internal/auth"
)

// Mappings is what a channel sells under which codes, and what is worth a look
// about it.
type Mappings struct {
	Revision int64 // of the channel
	Mappings []hotel.Mapping
	Coverage []Coverage
	Fields   map[hotel.Field]hotel.Carriage // as the channel takes them; missing: absent
	Absent   map[hotel.Field]hotel.AbsentPolicy
	Cost     map[hotel.Field]int // stays that the channel turns away for want of a field; see [carriage.Channel.Cost]

	Plan *hotel.ChannelPlan // of mappings that were tried: what the channel would be told; nil: it is not live
}

// Coverage is one thing worth a look.
type Coverage struct {
	Code, RoomTypeID, RatePlanID, Detail string
}

// Mappings returns a channel's mappings.
func (d *Desk) Mappings(ctx context.Context, c Caller, id string) (Mappings, error) {
	state, err := d.channel(ctx, c, auth.ChannelsRead, id)
	if err != nil {
		return Mappings{}, err
	}
	return d.mappings(ctx, state.Channel)
}

// toMap returns a channel whose mappings the caller may change, and completes m by what
// its far side keeps one stock for.
func (d *Desk) toMap(ctx context.Context, c Caller, id string, m *hotel.Remap) (hotel.ChannelState, error) {
	state, err := d.channel(ctx, c, auth.ChannelsWrite, id)
	if err != nil {
		return state, err
	}
	able, err := d.engine.Abilities(ctx, state.Channel)
	m.StockPer = able.StockPer
	return state, err
}

// TryMappings tells what a channel's mappings would be like, and what it would be told of
// them if it is live. It stores nothing.
func (d *Desk) TryMappings(ctx context.Context, c Caller, id string, m hotel.Remap) (Mappings, error) {
	state, err := d.toMap(ctx, c, id, &m)
	if err != nil {
		return Mappings{}, err
	}
	if err := d.ledger.TryMapping(ctx, c.by(), id, m); err != nil {
		return Mappings{}, said(err)
	}
	tried, err := d.mapped(ctx, state.Channel, m.Mappings)
	if err != nil || !state.Live() {
		return tried, err
	}
	plan, err := d.engine.Plan(ctx, id, hotel.PlanQuery{Kind: hotel.PlanMapping, As: &m})
	tried.Plan = &plan
	return tried, said(err)
}

// PutMappings replaces a channel's mappings: while it is live, by the plan that was tried.
func (d *Desk) PutMappings(ctx context.Context, c Caller, id string, m hotel.Remap) (Mappings, error) {
	state, err := d.toMap(ctx, c, id, &m)
	if err == nil {
		err = d.engine.Map(ctx, c.by(), id, m)
	}
	if err != nil {
		return Mappings{}, said(err)
	}
	if state, err = d.channel(ctx, c, auth.ChannelsWrite, id); err != nil {
		return Mappings{}, err
	}
	return d.mappings(ctx, state.Channel)
}

func (d *Desk) mappings(ctx context.Context, ch hotel.Channel) (Mappings, error) {
	all, err := d.ledger.Mappings(ctx, ch.ID)
	if err != nil {
		return Mappings{}, said(err)
	}
	return d.mapped(ctx, ch, all)
}

// mapped looks at mappings that a channel has or might have.
func (d *Desk) mapped(ctx context.Context, ch hotel.Channel, all []hotel.Mapping) (Mappings, error) {
	house, err := d.mappable(ctx, ch, all)
	if err != nil {
		return Mappings{}, err
	}
	of, err := d.property(ctx, ch.PropertyID)
	if err != nil {
		return Mappings{}, err
	}
	m := Mappings{Revision: ch.Revision, Mappings: all, Coverage: coverage(&ch, &of, all, house.Plans)}
	for _, g := range house.Gaps() {
		m.Coverage = append(m.Coverage, Coverage(g))
	}
	if able, err := d.engine.Abilities(ctx, ch); err == nil {
		m.Fields = map[hotel.Field]hotel.Carriage{}
		for _, f := range hotel.Fields {
			m.Fields[f] = able.Fields[f]
		}
		m.Absent = hotel.AbsentOf(ch.Policies, of.Policies)
		if m.Cost, err = d.cost(ctx, ch, able.Terms, m.Absent, all); err != nil {
			return Mappings{}, err
		}
	}
	return m, nil
}

// mappable is what a channel may sell.
func (d *Desk) mappable(ctx context.Context, ch hotel.Channel, now []hotel.Mapping) (mapping.House, error) {
	of, err := d.property(ctx, ch.PropertyID)
	if err != nil {
		return mapping.House{}, err
	}
	house := mapping.House{ChannelID: ch.ID, Currency: cmp.Or(ch.Pricing.Currency, of.Currency), Mappings: now}
	if house.Rooms, err = d.ledger.RoomTypes(ctx, ch.PropertyID); err != nil {
		return house, said(err)
	}
	if house.Plans, err = d.ledger.RatePlans(ctx, ch.PropertyID); err != nil {
		return house, said(err)
	}
	return house, nil
}

// Offered is a product of a far side: what it is sold as, or what of ours it may be.
type Offered struct {
	hotel.RemoteProduct
	Mapped   *hotel.Mapping
	Proposal *mapping.Proposal // nothing is mapped by it
	Doubts   []mapping.Reason  // what speaks against the one or the other
}

// RemoteProducts asks a channel's far side what it sells.
func (d *Desk) RemoteProducts(ctx context.Context, c Caller, id string) ([]Offered, error) {
	state, err := d.channel(ctx, c, auth.ChannelsRead, id)
	if err != nil {
		return nil, err
	}
	products, err := d.engine.Products(ctx, state.Channel)
	if err != nil {
		return nil, err
	}
	now, err := d.ledger.Mappings(ctx, id)
	if err != nil {
		return nil, said(err)
	}
	house, err := d.mappable(ctx, state.Channel, now)
	if err != nil {
		return nil, err
	}
	proposed := house.Propose(products)
	offered := make([]Offered, len(products))
	for i, p := range products {
		offered[i] = Offered{RemoteProduct: p, Proposal: proposed[i]}
		at := slices.IndexFunc(now, func(m hotel.Mapping) bool { return !m.Retired && m.RemoteRoom == p.Room && m.RemoteRate == p.Rate })
		switch q := proposed[i]; {
		case at >= 0:
			offered[i].Mapped = &now[at]
			offered[i].Doubts = house.Doubts(p, now[at].RoomTypeID, now[at].RatePlanID)
		case q != nil:
			offered[i].Doubts = house.Doubts(p, q.RoomTypeID, q.RatePlanID)
		}
	}
	return offered, nil
}

// cost counts the stays of the coming year that what is mapped loses at the
// channel, by the field that it cannot be told.
func (d *Desk) cost(ctx context.Context, ch hotel.Channel, terms hotel.Terms, absent map[hotel.Field]hotel.AbsentPolicy, mappings []hotel.Mapping) (map[hotel.Field]int, error) {
	b, err := d.ledger.Board(ctx, ch.PropertyID)
	if err != nil {
		return nil, said(err)
	}
	told := carriage.For(terms, absent)
	var groups [][]hotel.Mapping // those that share the channel's values
	for _, m := range mappings {
		at := slices.IndexFunc(groups, func(g []hotel.Mapping) bool {
			return told.Level() == hotel.PerProperty || told.Level() == hotel.PerRoomType && g[0].RemoteRoom == m.RemoteRoom
		})
		if at < 0 {
			at, groups = len(groups), append(groups, nil)
		}
		groups[at] = append(groups[at], m)
	}
	sum := map[hotel.Field]int{}
	for _, g := range groups {
		house := carriage.House{From: b.Today, Today: b.Today}
		for _, m := range g {
			room, sold := b.Room(m.RoomTypeID)
			plan, offered := b.Plan(m.RatePlanID)
			if !sold || !offered {
				continue
			}
			nights := make([]availability.NightRules, min(365, b.Property.HorizonDays+1))
			for i := range nights {
				nights[i] = b.HouseRules(b.Today+hotel.Date(i), room, plan)
			}
			house.Products = append(house.Products, nights)
		}
		for f, stays := range told.Cost(house) {
			sum[f] += stays
		}
	}
	return sum, nil
}

// coverage finds the products of mapped rooms that are sold at the channel and
// not mapped, those that are mapped and not sold there, and those whose price there
// lacks an amount for the stay.
func coverage(channel *hotel.Channel, of *hotel.Property, mappings []hotel.Mapping, plans []hotel.RatePlan) []Coverage {
	type product struct{ room, plan string }
	mapped, rooms := map[product]bool{}, []string{}
	for _, m := range mappings {
		mapped[product{m.RoomTypeID, m.RatePlanID}] = true
		if !slices.Contains(rooms, m.RoomTypeID) {
			rooms = append(rooms, m.RoomTypeID)
		}
	}
	var out []Coverage
	for _, p := range plans {
		sold := slices.Contains(p.SoldBy, channel.ID)
		for _, room := range rooms {
			if p.Status != hotel.Active || !slices.Contains(p.RoomTypeIDs, room) {
				continue
			}
			switch is := mapped[product{room, p.ID}]; {
			case sold && !is:
				out = append(out, Coverage{"product_not_mapped", room, p.ID, "the plan is sold by this channel for a room that is mapped, and has no code there"})
			case is && sold && price.LeavesOutStay(channel, of, &p):
				out = append(out, Coverage{"stay_amount_left_out", room, p.ID, "prices are taken to the channel's tax basis night by night, without what the plan or a tax has for the stay: set that at the channel"})
			case is && !sold:
				out = append(out, Coverage{"plan_not_sold_here", room, p.ID, "the plan does not name this channel in sold_by: name it there, or take the mapping away"})
			}
		}
	}
	return out
}

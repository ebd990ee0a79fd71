package desk

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Mappings is what a channel sells under which codes, and what is worth a look
// about it.
type Mappings struct {
	Mappings []hotel.Mapping
	Coverage []Coverage
	Fields   map[hotel.Field]hotel.Carriage // as the channel takes them; missing: absent
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

// PutMappings replaces a channel's mappings.
func (d *Desk) PutMappings(ctx context.Context, c Caller, id string, mappings []hotel.Mapping) (Mappings, error) {
	state, err := d.channel(ctx, c, auth.ChannelsWrite, id)
	if err != nil {
		return Mappings{}, err
	}
	configured, err := d.engine.Configure(state.Connector, state.Settings)
	if err != nil {
		return Mappings{}, err
	}
	if err := d.ledger.MapChannel(ctx, c.by(), id, configured.Abilities.StockPer, mappings); err != nil {
		return Mappings{}, said(err)
	}
	d.engine.Renew(id)
	return d.mappings(ctx, state.Channel)
}

func (d *Desk) mappings(ctx context.Context, ch hotel.Channel) (Mappings, error) {
	all, err := d.ledger.Mappings(ctx, ch.ID)
	if err != nil {
		return Mappings{}, said(err)
	}
	plans, err := d.ledger.RatePlans(ctx, ch.PropertyID)
	if err != nil {
		return Mappings{}, said(err)
	}
	m := Mappings{Mappings: all, Coverage: coverage(ch.ID, all, plans)}
	if configured, err := d.engine.Configure(ch.Connector, ch.Settings); err == nil {
		m.Fields = map[hotel.Field]hotel.Carriage{}
		for _, f := range hotel.Fields {
			m.Fields[f] = configured.Abilities.Fields[f]
		}
	}
	return m, nil
}

// coverage finds the products of mapped rooms that are sold at the channel and
// not mapped, and those that are mapped and not sold there.
func coverage(channel string, mappings []hotel.Mapping, plans []hotel.RatePlan) []Coverage {
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
		sold := slices.Contains(p.SoldBy, channel)
		for _, room := range rooms {
			if p.Status != hotel.Active || !slices.Contains(p.RoomTypeIDs, room) {
				continue
			}
			switch is := mapped[product{room, p.ID}]; {
			case sold && !is:
				out = append(out, Coverage{"product_not_mapped", room, p.ID, "the plan is sold by this channel for a room that is mapped, and has no code there"})
			case is && !sold:
				out = append(out, Coverage{"plan_not_sold_here", room, p.ID, "the plan does not name this channel in sold_by: name it there, or take the mapping away"})
			}
		}
	}
	return out
}

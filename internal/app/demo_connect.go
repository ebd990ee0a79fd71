package app

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/mapping"
)

// connectAll sets the channels live, the last first: those that are told the most keep
// the engine busy for a while.
func (d *Demo) connectAll(ctx context.Context) error {
	for _, f := range slices.Backward(d.farSides) {
		if err := d.connect(ctx, f); err != nil {
			return fmt.Errorf("connect channel %s: %w", f.channel, err)
		}
	}
	return nil
}

// connect sets a channel live that has never been. One that was mapped when the hotel
// was built shows no room on any night, which is its opening balance. The others take
// the steps that a person takes: they are tested, what they sell is mapped by its name,
// and they are activated by a plan; a demo that ends in between begins with them again.
func (d *Demo) connect(ctx context.Context, f channelFarSide) error {
	by := hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: "demo"}}
	s, err := d.Env.Ledger.Channel(ctx, f.channel)
	if err != nil || s.Status != hotel.Draft && s.Status != hotel.Testing {
		return err
	}
	if s.Connector == sampleChannels[0].driver() {
		err := d.Env.Ledger.GoLive(ctx, by, s.ID, 0)
		d.Env.Engine.Renew(s.ID)
		return err
	}
	if _, err := d.Env.Engine.Test(ctx, s.Channel); err != nil {
		return err
	}
	if _, err := d.Env.Ledger.ChannelReached(ctx, by, s.ID); err != nil {
		return err
	}
	d.Env.Engine.Renew(s.ID)
	if err := d.mapByName(ctx, by, s.Channel, f); err != nil {
		return err
	}
	d.Env.Engine.Renew(s.ID)
	plan, err := d.Env.Engine.Plan(ctx, s.ID, hotel.PlanQuery{Kind: hotel.PlanLive})
	if err != nil {
		return err
	}
	_, _, err = d.Env.Engine.Activate(ctx, by, hotel.Once{}, s.ID, hotel.Approval{
		PlanID: plan.ID, Accept: plan.Raises, Unchecked: plan.Unchecked, AcceptedBy: "demo",
	})
	return err
}

// mapByName maps what the far side offers, or what it has told on paper where it cannot
// be asked, to what is called the same.
func (d *Demo) mapByName(ctx context.Context, by hotel.By, c hotel.Channel, f channelFarSide) error {
	offered, err := d.Env.Engine.Products(ctx, c)
	if refusal, ok := errors.AsType[*hotel.Refusal](err); ok && refusal.Code == "not_implemented" {
		offered, err = f.instance.Products(), nil
	}
	if err != nil {
		return err
	}
	house := mapping.House{ChannelID: c.ID}
	if house.Rooms, err = d.Env.Ledger.RoomTypes(ctx, c.PropertyID); err != nil {
		return err
	}
	if house.Plans, err = d.Env.Ledger.RatePlans(ctx, c.PropertyID); err != nil {
		return err
	}
	configured, err := d.Env.Engine.Configure(c.Connector, c.Settings)
	if err != nil {
		return err
	}
	var mappings []hotel.Mapping
	for i, p := range house.Propose(offered) {
		if p == nil {
			return fmt.Errorf("nothing of the sample hotel is called like %s %s", offered[i].RoomName, offered[i].RateName)
		}
		mappings = append(mappings, hotel.Mapping{
			RoomTypeID: p.RoomTypeID, RatePlanID: p.RatePlanID, RemoteRoom: offered[i].Room, RemoteRate: offered[i].Rate,
		})
	}
	return d.Env.Ledger.MapChannel(ctx, by, c.ID, hotel.Remap{StockPer: configured.Abilities.StockPer, Mappings: mappings})
}

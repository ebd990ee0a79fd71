package desk

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// Engine is what the desk needs of the sync engine. Its errors that a caller can
// act on are refusals.
type Engine interface {
	// Connectors lists what is compiled in.
	Connectors() []hotel.Connector
	// Configure checks a channel's own settings over those of the configuration.
	Configure(connector string, settings []byte) (hotel.Configured, error)
	// Abilities tells what a channel can do, as far as its last handshake found out.
	Abilities(ctx context.Context, c hotel.Channel) (hotel.Abilities, error)
	// CheckKept refuses settings that have a secret go to another address than before
	// without being among what is given; for a new channel nothing was.
	CheckKept(connector string, was, is, given []byte) error
	// Seal returns a channel's own settings as they are kept, with the secrets in them sealed.
	Seal(connector string, was, is []byte) ([]byte, error)
	// Renew has a channel that is new or was changed looked at now.
	Renew(channelID string)
	// Link tells how a channel's way out stands.
	Link(channelID string) hotel.Link
	// Published tells when a channel last read what it comes to read; nil: it is told.
	Published(ctx context.Context, channelID string) ([]hotel.Published, error)
	// Test asks the far side of a channel whether it is there.
	Test(ctx context.Context, c hotel.Channel) (hotel.Reached, error)
	// Products asks it what it sells.
	Products(ctx context.Context, c hotel.Channel) ([]hotel.RemoteProduct, error)
	// Plan works out the calls that a channel would be told by.
	Plan(ctx context.Context, channelID string, q hotel.PlanQuery) (hotel.ChannelPlan, error)
	// Foresee works out the calls by which it would be told of an update that is not stored.
	Foresee(ctx context.Context, channelID string, of ledger.Foresight) (hotel.ChannelPlan, error)
	// Apply has it told what a plan says, if that still holds.
	Apply(ctx context.Context, by hotel.By, once hotel.Once, channelID, planID string) (run hotel.SyncRun, replayed bool, err error)
	// Explain tells why a channel is shown what it is shown.
	Explain(ctx context.Context, of hotel.ExplainQuery) (hotel.Explanation, error)
	// Map replaces what it sells under which codes: while it is live, by a plan.
	Map(ctx context.Context, by hotel.By, channelID string, m hotel.Remap) error
	// Activate sets a channel live by a plan.
	Activate(ctx context.Context, by hotel.By, once hotel.Once, channelID string, a hotel.Approval) (c hotel.Channel, replayed bool, err error)
	// Sync has a channel brought up to date.
	Sync(ctx context.Context, by hotel.By, once hotel.Once, channelID string, order hotel.SyncOrder) (run hotel.SyncRun, replayed bool, err error)
}

// ChannelView is a channel with all that is known of it. What it was configured
// with is nil while its settings cannot be used; the link says why.
type ChannelView struct {
	hotel.ChannelState
	Link       hotel.Link
	Configured *hotel.Configured
	Failing    bool                 // active, and not kept equal to the ledger until somebody does something
	Tally      *hotel.Tally         // nil unless one channel was asked for
	Health     *hotel.ChannelHealth // how well it keeps up; nil in lists but for [Desk.ChannelBoard]
	Published  []hotel.Published    // what it comes to read; nil unless one channel was asked for
}

// Connectors lists the connectors that channels can be made with, where the caller is.
func (d *Desk) Connectors(c Caller) ([]hotel.Connector, error) {
	if err := c.need(auth.ChannelsRead); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(d.engine.Connectors(), func(r hotel.Connector) bool { return !c.offered(r) }), nil
}

// offered reports whether the caller can make channels with a connector: in a sandbox with
// those that come with a pretend far side.
func (c Caller) offered(r hotel.Connector) bool {
	return c.Environment != auth.Sandbox || r.Simulator
}

// Channels lists the channels of a property, of every granted one when
// propertyID is "", and how far each is. A caller that stands for a channel sees
// that one alone.
func (d *Desk) Channels(ctx context.Context, c Caller, properties ...string) ([]ChannelView, error) {
	states, err := gather(ctx, d, c, auth.ChannelsRead, properties, d.ledger.Channels)
	if err != nil {
		return nil, err
	}
	var views []ChannelView
	for _, s := range states {
		if !c.seesChannel(s.ID) {
			continue
		}
		v, err := d.view(ctx, s)
		if err != nil {
			return nil, err
		}
		views = append(views, v)
	}
	return views, nil
}

// BriefChannel returns one channel and how far it is.
func (d *Desk) BriefChannel(ctx context.Context, c Caller, id string) (ChannelView, error) {
	state, err := d.channel(ctx, c, auth.ChannelsRead, id)
	if err != nil {
		return ChannelView{}, err
	}
	return d.view(ctx, state)
}

// Channel returns one channel, how far it is, how its cells stand, which takes a look at all of
// them, and how well it keeps up.
func (d *Desk) Channel(ctx context.Context, c Caller, id string) (ChannelView, error) {
	v, err := d.BriefChannel(ctx, c, id)
	if err != nil {
		return ChannelView{}, err
	}
	if v.Published, err = d.engine.Published(ctx, id); err != nil {
		return ChannelView{}, said(err)
	}
	sum, err := d.ledger.Tally(ctx, id)
	if err != nil {
		return ChannelView{}, said(err)
	}
	if d.standstill(v.Channel) != nil {
		sum.States[hotel.HeldBack] += sum.States[hotel.Pending]
		sum.States[hotel.Pending] = 0
	}
	v.Tally = &sum
	return v, d.measure(ctx, &v)
}

// ChannelList lists the channels of a property as they are set up. How far each is takes a look
// at all of its cells, which whoever wants their names spares.
func (d *Desk) ChannelList(ctx context.Context, c Caller, property string) ([]hotel.Channel, error) {
	list, err := gather(ctx, d, c, auth.ChannelsRead, []string{property}, d.ledger.ChannelList)
	return slices.DeleteFunc(list, func(ch hotel.Channel) bool { return !c.seesChannel(ch.ID) }), err
}

// ChannelBoard lists the channels of a property with how well each keeps up.
func (d *Desk) ChannelBoard(ctx context.Context, c Caller, property string) ([]ChannelView, error) {
	list, err := d.Channels(ctx, c, property)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if err := d.measure(ctx, &list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (d *Desk) measure(ctx context.Context, v *ChannelView) error {
	h, err := d.ledger.ChannelHealth(ctx, v.ID)
	v.Health = &h
	return said(err)
}

// channel reads a channel that the caller may see.
func (d *Desk) channel(ctx context.Context, c Caller, scope auth.Scope, id string) (hotel.ChannelState, error) {
	if err := c.need(scope); err != nil {
		return hotel.ChannelState{}, err
	}
	state, err := d.ledger.Channel(ctx, id)
	if err != nil {
		return hotel.ChannelState{}, said(err)
	}
	if !c.seesChannel(id) {
		return hotel.ChannelState{}, nothing()
	}
	return state, c.find(state.PropertyID)
}

func (d *Desk) view(ctx context.Context, s hotel.ChannelState) (ChannelView, error) {
	v := ChannelView{ChannelState: s, Link: d.engine.Link(s.ID)}
	configured, err := d.engine.Configure(s.Connector, s.Settings)
	if err == nil {
		configured.Abilities, err = d.engine.Abilities(ctx, s.Channel)
	}
	if err == nil {
		v.Configured = &configured
	} else if v.Link.Failure == "" {
		v.Link.Failure = err.Error()
	}
	if v.Failing = v.Told() && v.Link.Erring(d.clock.Now()); v.Failing { // what it shows is sold, and nobody can tell it otherwise
		open, err := d.ledger.OnSale(ctx, s.ID)
		if err != nil {
			return ChannelView{}, said(err)
		}
		v.RoomsAtRisk = open.Rooms
	}
	return v, nil
}

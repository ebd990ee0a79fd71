package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/robfig/cron/v3"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// DefaultSchedule is when a channel's bookings are fetched unless it says
// otherwise.
const DefaultSchedule = "@every 60s"

// CreateChannel stores a new channel. Its settings must be whole: the connector
// names every mistake.
func (d *Desk) CreateChannel(ctx context.Context, c Caller, ch hotel.Channel) (view ChannelView, replayed bool, err error) {
	if err := c.enter(auth.ChannelsWrite, ch.PropertyID); err != nil {
		return ChannelView{}, false, err
	}
	if c.ota() {
		return ChannelView{}, false, hotel.Refuse("not_found", "a client that stands for one channel makes no other")
	}
	if _, err := d.property(ctx, ch.PropertyID); err != nil {
		return ChannelView{}, false, err
	}
	for _, r := range d.engine.Connectors() {
		if r.Name == ch.Connector && !c.offered(r) {
			return ChannelView{}, false, hotel.Invalid("/connector", "enum", "in a sandbox channels are made with connectors that have a simulator; GET /connectors lists those")
		}
	}
	ch.Status = hotel.Draft
	if ch.Schedule == "" {
		ch.Schedule = DefaultSchedule
	}
	if err := d.configure(c, &ch); err != nil {
		return ChannelView{}, false, err
	}
	if err := d.engine.CheckKept(ch.Connector, []byte("{}"), ch.Settings, ch.Settings); err != nil {
		return ChannelView{}, false, err
	}
	sealed, err := d.engine.Seal(ch.Connector, []byte("{}"), ch.Settings)
	if err != nil {
		return ChannelView{}, false, err
	}
	ch.Settings = sealed
	made, replayed, err := d.ledger.CreateChannel(ctx, c.by(), c.Once, ch)
	return d.changed(ctx, made, replayed, err)
}

// ChannelChange is what is to be different about a channel; what is absent stays
// and null goes back to the default. Settings are laid over those of the channel
// key by key; a key that is null goes back to its default, and a secret of "***"
// stays what it is.
type ChannelChange struct {
	Name       *string
	Shadow     bool // from now on
	Settings   map[string]json.RawMessage
	Schedule   *string
	ReadBack   *string
	Days       hotel.Optional[int]
	Weight     hotel.Optional[int]
	Priority   *int
	Terms      func(*hotel.Channel) error // what is said of its prices and commission, laid over those it has; nil: nothing
	IfRevision int64                      // refuse as precondition_failed when the revision is another; 0: any
}

// ChangeChannel makes a channel different.
func (d *Desk) ChangeChannel(ctx context.Context, c Caller, id string, ch ChannelChange) (view ChannelView, replayed bool, err error) {
	if _, err := d.channel(ctx, c, auth.ChannelsWrite, id); err != nil {
		return ChannelView{}, false, err
	}
	changed, replayed, err := d.ledger.ChangeChannel(ctx, c.by(), c.Once, id, ch.IfRevision, func(now *hotel.Channel) error {
		was := now.Settings
		if err := ch.over(now); err != nil {
			return err
		}
		if err := d.configure(c, now); err != nil || ch.Settings == nil {
			return err
		}
		given, err := json.Marshal(ch.Settings)
		if err != nil {
			return err
		}
		if err := d.engine.CheckKept(now.Connector, was, now.Settings, given); err != nil {
			return err
		}
		now.Settings, err = d.engine.Seal(now.Connector, was, now.Settings)
		return err
	})
	return d.changed(ctx, changed, replayed, err)
}

// changed has the engine look at what was done to a channel, and shows it.
func (d *Desk) changed(ctx context.Context, ch hotel.Channel, replayed bool, err error) (ChannelView, bool, error) {
	if err != nil {
		return ChannelView{}, replayed, said(err)
	}
	d.engine.Renew(ch.ID)
	state, err := d.ledger.Channel(ctx, ch.ID)
	if err != nil {
		return ChannelView{}, replayed, said(err)
	}
	v, err := d.view(ctx, state)
	return v, replayed, err
}

// over lays the change over a channel.
func (ch ChannelChange) over(c *hotel.Channel) error {
	if ch.Name != nil {
		c.Name = *ch.Name
	}
	c.Shadow = c.Shadow || ch.Shadow
	if ch.Schedule != nil {
		c.Schedule = *ch.Schedule
	}
	if ch.ReadBack != nil {
		c.ReadBack = *ch.ReadBack
	}
	lay(&c.Days, ch.Days)
	lay(&c.Weight, ch.Weight)
	if ch.Priority != nil {
		c.Priority = *ch.Priority
	}
	if ch.Terms != nil {
		if err := ch.Terms(c); err != nil {
			return err
		}
	}
	if ch.Settings == nil {
		return nil
	}
	settings, err := laySettings(c.Settings, ch.Settings)
	c.Settings = settings
	return err
}

func lay[V any](into **V, o hotel.Optional[V]) {
	switch {
	case !o.Set:
	case o.Null:
		*into = nil
	default:
		v := o.Value
		*into = &v
	}
}

// masked is how a secret is shown, and so what says that it is to stay.
const masked = `"***"`

// laySettings lays settings over others, key by key and into objects.
func laySettings(own []byte, change map[string]json.RawMessage) ([]byte, error) {
	var now map[string]json.RawMessage
	if err := json.Unmarshal(own, &now); err != nil {
		return nil, hotel.Invalid("/settings", "type", "what is stored is no object")
	}
	if now == nil {
		now = map[string]json.RawMessage{}
	}
	for _, key := range slices.Sorted(maps.Keys(change)) {
		value := bytes.TrimSpace(change[key])
		var inner map[string]json.RawMessage
		switch {
		case string(value) == "null":
			delete(now, key)
		case string(value) == masked:
		case json.Unmarshal(value, &inner) == nil && len(now[key]) > 0 && now[key][0] == '{':
			laid, err := laySettings(now[key], inner)
			if err != nil {
				return nil, err
			}
			now[key] = laid
		default:
			now[key] = value
		}
	}
	return json.Marshal(now)
}

// ofHouse are the scopes of whoever sets up a channel for the hotel's own system, which
// is handed every booking of the house with its guests and writes what the house sells.
var ofHouse = []auth.Scope{auth.ReservationsRead, auth.GuestsRead, auth.InventoryWrite, auth.RatesWrite}

// configure checks a channel as a whole, and whether the caller may have it so, and notes
// whose account it is on and what it is joined to.
func (d *Desk) configure(c Caller, ch *hotel.Channel) error {
	configured, err := d.engine.Configure(ch.Connector, ch.Settings)
	if err != nil {
		return err
	}
	if configured.Abilities.Serves {
		for _, scope := range ofHouse {
			if err := c.need(scope); err != nil {
				return err
			}
		}
	}
	ch.Account, ch.Place = configured.Account, configured.Place
	faults := append(ch.Faults(), sellerFaults(ch, configured.Abilities)...)
	faults = append(faults, schedule("/sync/reservations_schedule", ch.Schedule)...)
	if ch.ReadBack != "" {
		faults = append(faults, schedule("/sync/read_back_schedule", ch.ReadBack)...)
	}
	if len(faults) == 0 {
		return nil
	}
	r := hotel.Refuse("validation_failed", "%d members cannot be so; nothing was stored", len(faults))
	r.Items = faults
	return r
}

// schedule checks when something is to be done again and again.
func schedule(pointer, text string) []hotel.RefusedItem {
	if _, err := cron.ParseStandard(text); err == nil {
		return nil
	}
	return []hotel.RefusedItem{hotel.Wrong(pointer, "format", "expected a cron expression, or @every with a time, such as @every 60s")}
}

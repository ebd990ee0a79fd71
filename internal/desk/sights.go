package desk

import (
	"cmp"
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// SightQuery asks for what a channel sees.
type SightQuery struct {
	hotel.SightQuery
	States []hotel.SightState // nights of which some group stands so; none: all
	Group  hotel.Group        // of these groups alone; 0: of all
}

// Sights tells what is known of the nights of a channel's products.
func (d *Desk) Sights(ctx context.Context, c Caller, q SightQuery) (hotel.Sights, error) {
	channel, err := d.setUp(ctx, c, q.ChannelID)
	if err != nil {
		return hotel.Sights{}, err
	}
	if q.Span.To < q.Span.From {
		return hotel.Sights{}, hotel.Invalid("/date_to", "date_order", "must not be before date_from")
	}
	stands := d.standstill(channel)
	var found []hotel.Sight
	for {
		part, err := d.ledger.Sights(ctx, q.SightQuery)
		if err != nil {
			return hotel.Sights{}, said(err)
		}
		found = append(found, q.among(slices.Clone(part.Cells), stands)...)
		if !part.More || len(found) >= q.AtLeast {
			part.Cells = found
			return part, nil
		}
		last := part.Cells[len(part.Cells)-1].Place()
		q.After = &last
	}
}

// ChannelStanding is a channel with how the nights of its products stand.
type ChannelStanding struct {
	hotel.Channel
	Nights []hotel.NightStanding
}

// Standings tells how nights stand at the channels of a property that are shown anything, in
// the order of their ids; of the query the channels are left out.
func (d *Desk) Standings(ctx context.Context, c Caller, q hotel.StandingQuery) ([]ChannelStanding, error) {
	channels, err := d.ChannelList(ctx, c, q.PropertyID)
	if err != nil {
		return nil, err
	}
	channels = slices.DeleteFunc(channels, func(ch hotel.Channel) bool { return !ch.Derived() })
	slices.SortFunc(channels, func(a, b hotel.Channel) int { return cmp.Compare(a.ID, b.ID) })
	q.ChannelIDs = nil
	for _, ch := range channels {
		q.ChannelIDs = append(q.ChannelIDs, ch.ID)
	}
	found, err := d.ledger.Standings(ctx, q)
	if err != nil {
		return nil, said(err)
	}
	list := make([]ChannelStanding, len(channels))
	for i, ch := range channels {
		list[i] = ChannelStanding{ch, found[i]}
		if d.standstill(ch) != nil {
			list[i].hold()
		}
	}
	return list, nil
}

// hold notes that what would be sent is not.
func (c ChannelStanding) hold() {
	for i, n := range c.Nights {
		if !slices.Contains(n.States, hotel.Pending) {
			continue
		}
		states := slices.Clone(n.States)
		for at, s := range states {
			if s == hotel.Pending {
				states[at] = hotel.HeldBack
			}
		}
		c.Nights[i].States = states
	}
}

// Explain tells why a channel is shown what it is shown of a product on a night. A caller
// that stands for the channel is told each number and not how the house came to it: the
// steps are its guests, its blocks and its prices before the channel's own.
func (d *Desk) Explain(ctx context.Context, c Caller, of hotel.ExplainQuery) (hotel.Explanation, error) {
	channel, err := d.setUp(ctx, c, of.ChannelID)
	if err != nil {
		return hotel.Explanation{}, err
	}
	if of.AsOf.Sequence != 0 && !of.AsOf.At.IsZero() {
		return hotel.Explanation{}, hotel.Invalid("/as_of", "type", "name an instant or a sequence, not both")
	}
	x, err := d.engine.Explain(ctx, of)
	if err != nil {
		return hotel.Explanation{}, said(err)
	}
	if of.AsOf.Now() {
		d.standstill(channel).hold(x.Groups)
	} else {
		waited(&x)
	}
	if c.ota() {
		for i := range x.Numbers {
			last := x.Numbers[i].Result()
			x.Numbers[i].Steps = []hotel.Step{{Name: last.Name, Count: last.Count, Text: last.Text}}
		}
		x.Conflicts = slices.DeleteFunc(x.Conflicts, func(id string) bool {
			_, err := d.conflict(ctx, c, auth.ChannelsRead, id)
			return err != nil // it reads as one that is not there
		})
	}
	return x, nil
}

// waited notes of a point of the past what was to be told then, and was not yet: the last call
// had carried something else, and was answered. Of rooms that cannot be said where a channel had
// a share of them, which is not kept, or is told something else in place of its rooms.
func waited(x *hotel.Explanation) {
	for i := range x.Groups {
		g := &x.Groups[i]
		if g.State != hotel.InSync || g.Desired == nil || g.Sent == nil || g.Desired.Value == g.Sent.Value {
			continue
		}
		vague := g.Group == hotel.Availability && !slices.ContainsFunc(x.Numbers, func(e hotel.Explained) bool {
			unshared := !slices.ContainsFunc(e.Steps, func(s hotel.Step) bool { return s.Share != nil && s.Share.NotKept })
			return e.Field == hotel.FieldAvailable && unshared && e.Result().Count == g.Desired.Value.Available
		})
		if !vague {
			g.State, g.Code, g.Reason = hotel.Pending, "waits", "something newer was to be told, and had not been sent by then"
		}
	}
}

// setUp reads a channel that the caller may see, as it is set up. How far it is takes a look at
// all of its cells.
func (d *Desk) setUp(ctx context.Context, c Caller, id string) (hotel.Channel, error) {
	if err := c.need(auth.ChannelsRead); err != nil {
		return hotel.Channel{}, err
	}
	channel, err := d.ledger.ChannelSetUp(ctx, id)
	if err != nil {
		return hotel.Channel{}, said(err)
	}
	if !c.seesChannel(id) {
		return hotel.Channel{}, nothing()
	}
	return channel, c.find(channel.PropertyID)
}

// among leaves the nights that are asked for.
func (q SightQuery) among(cells []hotel.Sight, stands *reason) []hotel.Sight {
	return slices.DeleteFunc(cells, func(s hotel.Sight) bool {
		stands.hold(s.Groups)
		return len(q.States) > 0 && !slices.ContainsFunc(s.Groups, func(g hotel.GroupSight) bool {
			return (q.Group == 0 || g.Group == q.Group) && slices.Contains(q.States, g.State)
		})
	})
}

// reason is why nothing is sent to a channel at present, though it is to be told.
type reason struct{ code, text string }

// standstill returns nil when a channel's way out is open.
func (d *Desk) standstill(s hotel.Channel) *reason {
	if !s.Told() {
		return nil // the ledger says so
	}
	link := d.engine.Link(s.ID)
	switch {
	case link.Circuit == "open":
		return &reason{"circuit_open", "calls to the channel failed so often that it is left alone for a while; it is told when it answers again"}
	case !link.Open && link.Failure != "":
		return &reason{"not_reached", "the channel cannot be opened: " + link.Failure}
	case !link.HeldUntil.IsZero():
		return &reason{"asked_to_wait", "the channel has asked to be left alone for a while"}
	}
	return nil
}

// hold notes that what would be sent is not.
func (r *reason) hold(groups []hotel.GroupSight) {
	for i := range groups {
		if g := &groups[i]; r != nil && g.State == hotel.Pending {
			g.State, g.Code, g.Reason = hotel.HeldBack, r.code, r.text
		}
	}
}

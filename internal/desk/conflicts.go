package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/mapping"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// conflicts is what is kept of what somebody has to decide.
type conflicts interface {
	Conflict(ctx context.Context, id string) (hotel.Conflict, error)
	Conflicts(ctx context.Context, f hotel.ConflictFilter) ([]hotel.Conflict, error)

	ResolveConflict(ctx context.Context, by hotel.By, once hotel.Once, id string, d hotel.ConflictDecision) (c hotel.Conflict, replayed bool, err error)
}

// Conflicts lists conflicts, the newest first, at most so many as the filter says:
// of some properties, of every granted one when none is named. A caller that stands for a channel
// sees those of that channel.
func (d *Desk) Conflicts(ctx context.Context, c Caller, properties []string, f hotel.ConflictFilter) ([]hotel.Conflict, error) {
	if c.ota() {
		if !hotel.AnyOf(f.ChannelIDs, c.ChannelID) {
			return nil, c.need(auth.ChannelsRead)
		}
		f.ChannelIDs = []string{c.ChannelID}
	}
	all, err := gather(ctx, d, c, auth.ChannelsRead, properties, func(ctx context.Context, id string) ([]hotel.Conflict, error) {
		of := f
		of.PropertyID = id
		return d.ledger.Conflicts(ctx, of)
	})
	slices.SortFunc(all, func(a, b hotel.Conflict) int { return cmp.Compare(b.ID, a.ID) })
	all = all[:min(len(all), f.Limit)]
	for i := range all {
		all[i] = c.toldOf(all[i])
	}
	return all, err
}

// Conflict returns one conflict.
func (d *Desk) Conflict(ctx context.Context, c Caller, id string) (hotel.Conflict, error) {
	k, err := d.conflict(ctx, c, auth.ChannelsRead, id)
	return c.toldOf(k), err
}

// toldOf returns a conflict as the caller is told it. One that stands for a channel learns
// nothing of what direct guests and other channels have booked.
func (c Caller) toldOf(k hotel.Conflict) hotel.Conflict {
	if c.ota() {
		return ledger.OwnFacts(k)
	}
	return k
}

func (d *Desk) conflict(ctx context.Context, c Caller, scope auth.Scope, id string) (hotel.Conflict, error) {
	if err := c.need(scope); err != nil {
		return hotel.Conflict{}, err
	}
	k, err := d.ledger.Conflict(ctx, id)
	if err != nil {
		return hotel.Conflict{}, said(err)
	}
	if c.ota() && k.ChannelID != c.ChannelID {
		return hotel.Conflict{}, nothing()
	}
	return k, c.find(k.PropertyID)
}

// ResolveConflict takes one of a conflict's options. What the option writes beside the
// conflict needs the scopes of whoever writes it directly.
func (d *Desk) ResolveConflict(ctx context.Context, c Caller, id string, decision hotel.ConflictDecision) (hotel.Conflict, bool, error) {
	of, err := d.conflict(ctx, c, auth.ChannelsWrite, id)
	if err != nil {
		return hotel.Conflict{}, false, err
	}
	if option, known := of.Kind.Option(decision.Option); known {
		if err := c.needAll(of.Needs(option)); err != nil {
			return hotel.Conflict{}, false, err
		}
	}
	// A property without a grant reads as one that does not exist, also where a guest
	// is to sleep in it.
	var named struct {
		PropertyID string `json:"property_id"`
	}
	if err := json.Unmarshal(decision.Arguments, &named); err == nil && named.PropertyID != "" && !c.Sees(named.PropertyID) {
		return hotel.Conflict{}, false, hotel.Within(hotel.Invalid("/property_id", "enum", "there is no property of that id"), "/arguments")
	}
	k, replayed, err := d.ledger.ResolveConflict(ctx, c.by(), c.Once, id, decision)
	return k, replayed, said(err)
}

// CrowdFacts is what a conflict about nights with more guests than rooms tells of them.
type CrowdFacts = ledger.CrowdFacts

// MoveTo is where a guest of such a night can be moved.
type MoveTo = ledger.MoveTo

// CrowdOf returns what a conflict about nights with more guests than rooms tells of them,
// and who can be moved where; false of a conflict about something else.
func CrowdOf(k hotel.Conflict) (facts CrowdFacts, is bool, err error) {
	if k.Kind != hotel.ConflictOversell && k.Kind != hotel.ConflictPlanned {
		return facts, false, nil
	}
	if err := json.Unmarshal(k.Facts, &facts); err != nil {
		return facts, false, fmt.Errorf("facts of conflict %s: %w", k.ID, err)
	}
	return facts, true, nil
}

// LikelySold proposes what a booking of codes that are not mapped is: what the channel's
// other codes say, and what is called like them. Nil where nothing is like it, or the
// conflict is about something else.
func (d *Desk) LikelySold(ctx context.Context, c Caller, k hotel.Conflict) (*mapping.Proposal, error) {
	if k.Kind != hotel.ConflictUnmapped {
		return nil, nil
	}
	state, err := d.channel(ctx, c, auth.ChannelsRead, k.ChannelID)
	if err != nil {
		return nil, err
	}
	codes, err := d.ledger.SoldAs(ctx, k.Subject.ID)
	if err != nil || codes == (hotel.RemoteProduct{}) {
		return nil, said(err)
	}
	all, err := d.ledger.Mappings(ctx, state.ID)
	if err != nil {
		return nil, said(err)
	}
	house, err := d.mappable(ctx, state.Channel, all)
	if err != nil {
		return nil, err
	}
	return house.Propose([]hotel.RemoteProduct{codes})[0], nil
}

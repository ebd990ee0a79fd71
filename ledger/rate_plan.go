package ledger

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

var ratePlans = housePart[hotel.RatePlan, *hotel.RatePlan]{
	noun: hotel.Say("rate plan"), created: RatePlanCreated, updated: RatePlanUpdated, archived: RatePlanArchived,
	property: func(p *hotel.RatePlan) string { return p.PropertyID },
	status:   func(p *hotel.RatePlan) *hotel.Status { return &p.Status },
	get: func(t *tx, id string) (hotel.RatePlan, error) {
		return readOne[hotel.RatePlan](t.q.GetRatePlan(t.ctx, id))
	},
	insert: func(t *tx, d document) error { return t.q.InsertRatePlan(t.ctx, ledgerdb.InsertRatePlanParams(d)) },
	update: func(t *tx, d document) error {
		return t.q.UpdateRatePlan(t.ctx, ledgerdb.UpdateRatePlanParams{Body: d.Body, UpdatedAt: d.UpdatedAt, Revision: d.Revision, ID: d.ID})
	},
	prepare: func(t *tx, s *structure, before, p *hotel.RatePlan) error {
		p.Complete(&s.property)
		if err := p.Check(&s.property, s.rooms, s.plans); err != nil {
			return err
		}
		if _, err := board.New(s.property, s.pools, s.rooms, replaced(s.plans, p), 0, nil, 0); err != nil {
			return hotel.Invalid("/currency", "currency_mismatch", "%v", err) // of a plan derived from it
		}
		if before == nil {
			return nil
		}
		if err := t.unpriced(before, p); err != nil {
			return err
		}
		return t.unmapped(before, p)
	},
	needed: func(t *tx, s *structure, p *hotel.RatePlan) error {
		var derived []string
		for _, o := range s.plans {
			if o.DerivedFrom != nil && o.DerivedFrom.RatePlanID == p.ID {
				derived = append(derived, o.ID)
			}
		}
		if err := inUse("rate_plan_ids", derived, "rate plans are derived from %s: derive them from another, or archive them first", p.ID); err != nil {
			return err
		}
		channels, err := t.q.ChannelsOfRatePlan(t.ctx, p.ID)
		return errors.Join(err, inUse("channel_ids", channels, "channels are mapped to rate plan %s: change their mapping first", p.ID))
	},
	reach: func(before, p *hotel.RatePlan) reach {
		if before == nil {
			return reach{products: true}
		}
		return reach{products: !reflect.DeepEqual(pricedBy(*before), pricedBy(*p)), offers: !reflect.DeepEqual(offeredBy(*before), offeredBy(*p))}
	},
}

// offeredBy returns of a plan what channels' offers follow from beside house
// values.
func offeredBy(p hotel.RatePlan) hotel.RatePlan {
	return hotel.RatePlan{TaxMode: p.TaxMode, Included: p.Included, PriceLimits: p.PriceLimits, CutOff: p.CutOff, SoldBy: p.SoldBy}
}

// pricedBy returns the plan without what no price and no restriction depends on.
func pricedBy(p hotel.RatePlan) hotel.RatePlan {
	p.Entity, p.Code, p.Name, p.Position, p.Metadata = hotel.Entity{}, "", "", 0, nil
	p.MealPlan, p.Included, p.Cancellation, p.NoShow, p.Guarantee = "", nil, nil, nil, ""
	p.Audience, p.SoldBy = "", nil
	return p
}

// unpriced refuses another currency for a plan that has prices.
func (t *tx) unpriced(before, p *hotel.RatePlan) error {
	if before.Currency == p.Currency {
		return nil
	}
	for _, room := range before.RoomTypeIDs {
		priced, err := t.q.WasTouched(t.ctx, ledgerdb.WasTouchedParams{Kind: string(PricesChanged), Subject: product{room, p.ID}.subject()})
		if err != nil {
			return err
		}
		if priced {
			return hotel.Invalid("/currency", "read_only", "cannot change: the plan has had prices in %s", before.Currency)
		}
	}
	return nil
}

// unmapped refuses to take room types out of a plan that channels sell by it.
func (t *tx) unmapped(before, p *hotel.RatePlan) error {
	for _, room := range before.RoomTypeIDs {
		if slices.Contains(p.RoomTypeIDs, room) {
			continue
		}
		channels, err := t.q.ChannelsOfProduct(t.ctx, ledgerdb.ChannelsOfProductParams{RoomTypeID: room, RatePlanID: p.ID})
		err = errors.Join(err, inUse("channel_ids", channels, "channels are mapped to room type %s of this plan: change their mapping first", room))
		if err != nil {
			return err
		}
	}
	return nil
}

// replaced returns the list with the resource in place of the one with its id,
// or behind the others.
func replaced[R any, P stored[R]](list []R, r *R) []R {
	next := slices.Clone(list)
	if at := byID[R, P](next, P(r).Stored().ID); at != nil {
		*at = *r
		return next
	}
	return append(next, *r)
}

// CreateRatePlan stores a rate plan. The bool tells that the key of once had its
// effect before.
func (l *Ledger) CreateRatePlan(ctx context.Context, by hotel.By, once hotel.Once, p hotel.RatePlan) (hotel.RatePlan, bool, error) {
	p.ID = hotel.NewID("rp")
	return ratePlans.create(ctx, l, by, once, p)
}

// ChangeRatePlan makes a rate plan different.
func (l *Ledger) ChangeRatePlan(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.RatePlan]) (hotel.RatePlan, bool, error) {
	return ratePlans.change(ctx, l, by, once, id, c)
}

// ArchiveRatePlan ends a rate plan that no other plan and no channel needs any
// more. What was booked by it stays booked.
func (l *Ledger) ArchiveRatePlan(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (hotel.RatePlan, bool, error) {
	return ratePlans.archive(ctx, l, by, once, id, ifRevision)
}

// RatePlans lists a property's rate plans, the archived ones too, ordered by
// position, then id.
func (l *Ledger) RatePlans(ctx context.Context, property string) ([]hotel.RatePlan, error) {
	return readAll[hotel.RatePlan](l.read.ListRatePlans(ctx, property))
}

// RatePlan returns one rate plan, or [ErrNotFound].
func (l *Ledger) RatePlan(ctx context.Context, id string) (hotel.RatePlan, error) {
	return readOne[hotel.RatePlan](l.read.GetRatePlan(ctx, id))
}

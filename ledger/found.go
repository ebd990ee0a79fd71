package ledger

import (
	"context"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
	"ostler.example/ledger/internal/ledgerdb"
)

// CreateProperty stores a new property. Its id may be given; an empty one is
// made.
func (l *Ledger) CreateProperty(ctx context.Context, by hotel.By, p hotel.Property) (hotel.Property, error) {
	if p.ID == "" {
		p.ID = hotel.NewID("prop")
	}
	switch {
	case !hotel.ValidID(p.ID):
		return p, hotel.Invalid("/id", "pattern", "%q is no id: letters, digits, dots, underscores and hyphens, at most 64", p.ID)
	case !p.Currency.Known():
		return p, hotel.Invalid("/currency", "enum", "%q is no ISO 4217 code", p.Currency)
	}
	if _, err := time.LoadLocation(p.TimeZone); err != nil || p.TimeZone == "" {
		return p, hotel.Invalid("/time_zone", "enum", "%q is no IANA time zone", p.TimeZone)
	}
	err := l.write(ctx, urgent, by, func(t *tx) error {
		if _, err := t.q.GetProperty(t.ctx, p.ID); err == nil {
			return hotel.Refuse("duplicate_code", "there is a property %s already", p.ID)
		}
		p.Entity = t.entity(p.ID)
		d, err := documentOf(&p)
		if err != nil {
			return err
		}
		if err := t.q.InsertProperty(t.ctx, ledgerdb.InsertPropertyParams(d)); err != nil {
			return fmt.Errorf("store property %s: %w", p.ID, err)
		}
		_, err = t.append(entry{property: p.ID, kind: PropertyCreated, subject: p.ID, body: Founding[hotel.Property]{Resource: p}})
		return err
	})
	if err != nil {
		return hotel.Property{}, err // p may still be written to when the outcome is unknown
	}
	return p, nil
}

// Founding is the body of an entry about a part of the house: the resource as
// it is from then on, and the nights whose house values follow from it.
type Founding[R any] struct {
	Resource R            `json:"resource"`
	Ranges   []hotel.Span `json:"ranges,omitempty"`
}

// CreatePool stores a pool that belongs to no single room type.
func (l *Ledger) CreatePool(ctx context.Context, by hotel.By, p hotel.Pool) (hotel.Pool, error) {
	p.ID = hotel.NewID("pl")
	err := l.write(ctx, urgent, by, func(t *tx) error {
		if _, err := t.structure(p.PropertyID); err != nil {
			return err
		}
		return t.storePool(&p)
	})
	if err != nil {
		return hotel.Pool{}, err // p may still be written to when the outcome is unknown
	}
	return p, nil
}

func (t *tx) storePool(p *hotel.Pool) error {
	p.Entity = t.entity(p.ID)
	d, err := documentOf(p)
	if err != nil {
		return err
	}
	if err := t.q.InsertPool(t.ctx, ledgerdb.InsertPoolParams(d)); err != nil {
		return fmt.Errorf("store pool %s: %w", p.Code, err)
	}
	t.rebuilt(p.PropertyID)
	_, err = t.append(entry{property: p.PropertyID, kind: PoolCreated, subject: p.ID, body: Founding[hotel.Pool]{Resource: *p}})
	return err
}

// CreateRoomType stores a room type. Without draws it gets a pool of its own
// with totalUnits units; with draws totalUnits is not looked at.
func (l *Ledger) CreateRoomType(ctx context.Context, by hotel.By, r hotel.RoomType, totalUnits int) (hotel.RoomType, error) {
	r.ID = hotel.NewID("rt")
	err := l.write(ctx, urgent, by, func(t *tx) error {
		s, err := t.structure(r.PropertyID)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(s.rooms, func(o hotel.RoomType) bool { return o.Code == r.Code }) {
			return hotel.Refuse("duplicate_code", "the property has a room type with code %q already", r.Code)
		}
		for i, d := range r.Consumes {
			for j, id := range d.AnyOf {
				if s.pool(id) == nil {
					return hotel.Invalid(fmt.Sprintf("/consumes/%d/any_of/%d", i, j), "unknown_pool", "the property has no pool %s", id)
				}
			}
		}
		own := hotel.Pool{PropertyID: r.PropertyID, Code: r.Code, Name: r.Name, TotalUnits: totalUnits, OwnOf: r.ID, Status: hotel.Active}
		alone := len(r.Consumes) == 0
		if alone {
			own.ID = hotel.NewID("pl")
			r.Consumes = []hotel.Draw{{AnyOf: []string{own.ID}, Units: 1}}
		}
		r.Entity = t.entity(r.ID)
		d, err := documentOf(&r)
		if err != nil {
			return err
		}
		if err := t.q.InsertRoomType(t.ctx, ledgerdb.InsertRoomTypeParams(d)); err != nil {
			return fmt.Errorf("store room type %s: %w", r.Code, err)
		}
		if alone {
			if err := t.storePool(&own); err != nil {
				return err
			}
		}
		return followStructure(t, r.PropertyID, RoomTypeCreated, r.ID, r)
	})
	if err != nil {
		return hotel.RoomType{}, err // r may still be written to when the outcome is unknown
	}
	return r, nil
}

// followStructure journals a new room type or rate plan and derives the house
// values of the whole horizon that come with it.
func followStructure[R any](t *tx, property string, kind Kind, subject string, resource R) error {
	t.rebuilt(property)
	s, err := t.structure(property)
	if err != nil {
		return err
	}
	today := s.property.BusinessDate(t.now)
	seq, err := t.append(entry{property: property, kind: kind, subject: subject, body: Founding[R]{
		Resource: resource,
		Ranges:   []hotel.Span{{From: today, To: today + hotel.Date(s.property.HorizonDays)}},
	}})
	if err != nil {
		return err
	}
	row, err := t.q.GetEntry(t.ctx, seq)
	if err != nil {
		return err
	}
	a, err := s.affectedBy(entryOf(row), nil)
	if err != nil {
		return err
	}
	return t.follow(s, a, seq)
}

// CreateRatePlan stores a rate plan.
func (l *Ledger) CreateRatePlan(ctx context.Context, by hotel.By, p hotel.RatePlan) (hotel.RatePlan, error) {
	p.ID = hotel.NewID("rp")
	if d := p.DerivedFrom; d != nil {
		if err := price.Check(d.Kind, d.Value); err != nil {
			return p, hotel.Invalid("/derived_from/value", "format", "%v", err)
		}
	}
	err := l.write(ctx, urgent, by, func(t *tx) error {
		s, err := t.structure(p.PropertyID)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(s.plans, func(o hotel.RatePlan) bool { return o.Code == p.Code }) {
			return hotel.Refuse("duplicate_code", "the property has a rate plan with code %q already", p.Code)
		}
		for i, id := range p.RoomTypeIDs {
			if s.room(id) == nil {
				return hotel.Invalid(fmt.Sprintf("/room_type_ids/%d", i), "unknown_room_type", "the property has no room type %s", id)
			}
		}
		if _, err := board.New(s.property, s.pools, s.rooms, append(slices.Clone(s.plans), p), 0, nil, 0); err != nil {
			return hotel.Invalid("/derived_from/rate_plan_id", "unknown_rate_plan", "%v", err)
		}
		p.Entity = t.entity(p.ID)
		d, err := documentOf(&p)
		if err != nil {
			return err
		}
		if err := t.q.InsertRatePlan(t.ctx, ledgerdb.InsertRatePlanParams(d)); err != nil {
			return fmt.Errorf("store rate plan %s: %w", p.Code, err)
		}
		return followStructure(t, p.PropertyID, RatePlanCreated, p.ID, p)
	})
	if err != nil {
		return hotel.RatePlan{}, err // p may still be written to when the outcome is unknown
	}
	return p, nil
}

// entity makes the members of a resource that is stored now.
func (t *tx) entity(id string) hotel.Entity {
	return hotel.Entity{ID: id, CreatedAt: t.now, UpdatedAt: t.now, Revision: 1}
}

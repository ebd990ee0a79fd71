package ledger

import (
	"context"
	"encoding/json"
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
		err := t.q.InsertProperty(t.ctx, ledgerdb.InsertPropertyParams{
			ID: p.ID, Name: p.Name, TimeZone: p.TimeZone, Currency: string(p.Currency), Country: p.Country,
			CheckIn: p.CheckIn, CheckOut: p.CheckOut, DayRoll: p.DayRoll, HorizonDays: int64(p.HorizonDays), Status: string(p.Status),
			CreatedAt: t.micros(), UpdatedAt: t.micros(), Revision: 1,
		})
		if err != nil {
			return fmt.Errorf("store property %s: %w", p.ID, err)
		}
		_, err = t.append(entry{property: p.ID, kind: PropertyCreated, subject: p.ID, body: map[string]any{
			"name": p.Name, "time_zone": p.TimeZone, "currency": p.Currency, "horizon_days": p.HorizonDays,
		}})
		return err
	})
	if err != nil {
		return hotel.Property{}, err // p may still be written to when the outcome is unknown
	}
	return p, nil
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
	err := t.q.InsertPool(t.ctx, ledgerdb.InsertPoolParams{
		ID: p.ID, PropertyID: p.PropertyID, Code: p.Code, Name: p.Name, TotalUnits: int64(p.TotalUnits),
		OwnOf: textOrNil(p.OwnOf), Status: string(p.Status), CreatedAt: t.micros(), UpdatedAt: t.micros(), Revision: 1,
	})
	if err != nil {
		return fmt.Errorf("store pool %s: %w", p.Code, err)
	}
	t.rebuilt(p.PropertyID)
	_, err = t.append(entry{property: p.PropertyID, kind: PoolCreated, subject: p.ID, body: map[string]any{
		"code": p.Code, "total_units": p.TotalUnits, "own_of": p.OwnOf,
	}})
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
		r.Entity = t.entity(r.ID)
		err = t.q.InsertRoomType(t.ctx, ledgerdb.InsertRoomTypeParams{
			ID: r.ID, PropertyID: r.PropertyID, Code: r.Code, Name: r.Name, Description: r.Description,
			BaseOccupancy: int64(r.BaseOccupancy), MaxAdults: int64(r.MaxAdults), MaxChildren: int64(r.MaxChildren), MaxOccupancy: int64(r.MaxOccupancy),
			Position: int64(r.Position), Status: string(r.Status), CreatedAt: t.micros(), UpdatedAt: t.micros(), Revision: 1,
		})
		if err != nil {
			return fmt.Errorf("store room type %s: %w", r.Code, err)
		}
		if len(r.Consumes) == 0 {
			own := hotel.Pool{PropertyID: r.PropertyID, Code: r.Code, Name: r.Name, TotalUnits: totalUnits, OwnOf: r.ID, Status: hotel.Active}
			own.ID = hotel.NewID("pl")
			if err := t.storePool(&own); err != nil {
				return err
			}
			r.Consumes = []hotel.Draw{{AnyOf: []string{own.ID}, Units: 1}}
		}
		for i, d := range r.Consumes {
			for _, id := range d.AnyOf {
				draw := ledgerdb.InsertDrawParams{RoomTypeID: r.ID, Entry: int64(i), PoolID: id, Units: int64(d.Units)}
				if err := t.q.InsertDraw(t.ctx, draw); err != nil {
					return fmt.Errorf("store room type %s: %w", r.Code, err)
				}
			}
		}
		t.rebuilt(r.PropertyID)
		return t.followStructure(r.PropertyID, RoomTypeCreated, r.ID, map[string]any{
			"code": r.Code, "name": r.Name, "consumes": r.Consumes,
		})
	})
	if err != nil {
		return hotel.RoomType{}, err // r may still be written to when the outcome is unknown
	}
	return r, nil
}

// followStructure journals a new room type or rate plan and derives the house
// values of the whole horizon that come with it.
func (t *tx) followStructure(property string, kind Kind, subject string, body map[string]any) error {
	s, err := t.structure(property)
	if err != nil {
		return err
	}
	today := s.property.BusinessDate(t.now)
	body["ranges"] = []hotel.Span{{From: today, To: today + hotel.Date(s.property.HorizonDays)}}
	seq, err := t.append(entry{property: property, kind: kind, subject: subject, body: body})
	if err != nil {
		return err
	}
	row, err := t.q.GetEntry(t.ctx, seq)
	if err != nil {
		return err
	}
	a, err := s.affectedBy(entryOf(row))
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
	restrictions, err := json.Marshal(p.Restrictions)
	if err != nil {
		return p, fmt.Errorf("restrictions of rate plan %s: %w", p.Code, err)
	}
	err = l.write(ctx, urgent, by, func(t *tx) error {
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
		row := ledgerdb.InsertRatePlanParams{
			ID: p.ID, PropertyID: p.PropertyID, Code: p.Code, Name: p.Name, Currency: string(p.Currency), Pricing: string(p.Pricing),
			MealPlan: p.MealPlan, TaxMode: string(p.TaxMode), Restrictions: string(restrictions), Audience: string(p.Audience),
			Position: int64(p.Position), Status: string(p.Status), CreatedAt: t.micros(), UpdatedAt: t.micros(), Revision: 1,
		}
		if d := p.DerivedFrom; d != nil {
			kind, rounding := string(d.Kind), string(d.Rounding)
			row.DerivedFrom, row.DeriveKind, row.DeriveValue, row.DeriveRounding = &d.RatePlanID, &kind, &d.Value, &rounding
		}
		if err := t.q.InsertRatePlan(t.ctx, row); err != nil {
			return fmt.Errorf("store rate plan %s: %w", p.Code, err)
		}
		for _, id := range p.RoomTypeIDs {
			if err := t.q.InsertRatePlanRoomType(t.ctx, ledgerdb.InsertRatePlanRoomTypeParams{RatePlanID: p.ID, RoomTypeID: id}); err != nil {
				return fmt.Errorf("store rate plan %s: %w", p.Code, err)
			}
		}
		for _, id := range p.SoldBy {
			if err := t.q.InsertRatePlanSeller(t.ctx, ledgerdb.InsertRatePlanSellerParams{RatePlanID: p.ID, SellerID: id}); err != nil {
				return fmt.Errorf("store rate plan %s: %w", p.Code, err)
			}
		}
		t.rebuilt(p.PropertyID)
		return t.followStructure(p.PropertyID, RatePlanCreated, p.ID, map[string]any{
			"code": p.Code, "name": p.Name, "derived_from": p.DerivedFrom, "audience": p.Audience, "sold_by": p.SoldBy,
		})
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

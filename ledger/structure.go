package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// structure is what a property is made of.
type structure struct {
	property hotel.Property
	zone     *time.Location
	pools    []hotel.Pool
	rooms    []hotel.RoomType
	plans    []hotel.RatePlan
}

// board makes a board of the property's given nights.
func (s *structure) board(from hotel.Date, nights []*board.Night, sequence int64) (*board.Board, error) {
	return board.New(s.property, s.pools, s.rooms, s.plans, from, nights, sequence)
}

// ownPool returns the pool on which the room type alone can write physical
// facts: its only draw, one unit of it.
func (s *structure) ownPool(room *hotel.RoomType) (string, bool) {
	if len(room.Consumes) != 1 || room.Consumes[0].Units != 1 {
		return "", false
	}
	if len(room.Consumes[0].AnyOf) != 1 {
		return "", false
	}
	id := room.Consumes[0].AnyOf[0]
	for _, p := range s.pools {
		if p.ID == id {
			return id, p.OwnOf == room.ID
		}
	}
	return "", false
}

// structure returns what the property is made of, as this item sees it.
func (t *tx) structure(property string) (*structure, error) {
	changed := t.effects.structure[property] || t.b.after.structure[property]
	if s := t.l.boards.structure(property); s != nil && !changed {
		return s, nil
	}
	s, err := loadStructure(t.ctx, t.q, property)
	if err != nil {
		return nil, fmt.Errorf("property %s: %w", property, err)
	}
	if !changed {
		t.l.boards.keep(s)
	}
	return s, nil
}

func (s *structure) room(id string) *hotel.RoomType {
	for i := range s.rooms {
		if s.rooms[i].ID == id {
			return &s.rooms[i]
		}
	}
	return nil
}

func (s *structure) plan(id string) *hotel.RatePlan {
	for i := range s.plans {
		if s.plans[i].ID == id {
			return &s.plans[i]
		}
	}
	return nil
}

func (s *structure) pool(id string) *hotel.Pool {
	for i := range s.pools {
		if s.pools[i].ID == id {
			return &s.pools[i]
		}
	}
	return nil
}

func loadStructure(ctx context.Context, q *ledgerdb.Queries, property string) (*structure, error) {
	row, err := q.GetProperty(ctx, property)
	if err != nil {
		return nil, notFound(err)
	}
	s := &structure{property: propertyOf(row)}
	if s.zone, err = time.LoadLocation(s.property.TimeZone); err != nil {
		return nil, fmt.Errorf("property %s: %w", property, err)
	}
	pools, err := q.ListPools(ctx, property)
	if err != nil {
		return nil, err
	}
	for _, r := range pools {
		s.pools = append(s.pools, poolOf(r))
	}
	if s.rooms, err = loadRooms(ctx, q, property); err != nil {
		return nil, err
	}
	s.plans, err = loadPlans(ctx, q, property)
	return s, err
}

func loadRooms(ctx context.Context, q *ledgerdb.Queries, property string) ([]hotel.RoomType, error) {
	rows, err := q.ListRoomTypes(ctx, property)
	if err != nil {
		return nil, err
	}
	draws, err := q.ListDraws(ctx, property)
	if err != nil {
		return nil, err
	}
	of := map[string][]hotel.Draw{}
	for _, d := range draws {
		of[d.RoomTypeID] = append(of[d.RoomTypeID], hotel.Draw{AnyOf: []string{d.PoolID}, Units: int(d.Units)})
	}
	rooms := make([]hotel.RoomType, len(rows))
	for i, r := range rows {
		rooms[i] = hotel.RoomType{
			Entity: entity(r.ID, r.CreatedAt, r.UpdatedAt, r.Revision), PropertyID: r.PropertyID,
			Code: r.Code, Name: r.Name, Description: r.Description, Consumes: of[r.ID],
			BaseOccupancy: int(r.BaseOccupancy), MaxAdults: int(r.MaxAdults), MaxChildren: int(r.MaxChildren), MaxOccupancy: int(r.MaxOccupancy),
			Position: int(r.Position), Status: hotel.Status(r.Status),
		}
	}
	return rooms, nil
}

func loadPlans(ctx context.Context, q *ledgerdb.Queries, property string) ([]hotel.RatePlan, error) {
	rows, err := q.ListRatePlans(ctx, property)
	if err != nil {
		return nil, err
	}
	rooms, err := q.ListRatePlanRoomTypes(ctx, property)
	if err != nil {
		return nil, err
	}
	sellers, err := q.ListRatePlanSellers(ctx, property)
	if err != nil {
		return nil, err
	}
	plans := make([]hotel.RatePlan, len(rows))
	at := make(map[string]*hotel.RatePlan, len(rows))
	for i, r := range rows {
		p := hotel.RatePlan{
			Entity: entity(r.ID, r.CreatedAt, r.UpdatedAt, r.Revision), PropertyID: r.PropertyID,
			Code: r.Code, Name: r.Name, Currency: hotel.Currency(r.Currency), Pricing: hotel.Pricing(r.Pricing),
			MealPlan: r.MealPlan, TaxMode: hotel.TaxMode(r.TaxMode), Audience: hotel.Audience(r.Audience), Position: int(r.Position), Status: hotel.Status(r.Status),
		}
		if r.DerivedFrom != nil {
			p.DerivedFrom = &hotel.Derivation{
				RatePlanID: *r.DerivedFrom, Kind: hotel.AdjustmentKind(orEmpty(r.DeriveKind)),
				Value: orEmpty(r.DeriveValue), Rounding: hotel.Rounding(orEmpty(r.DeriveRounding)),
			}
		}
		if err := json.Unmarshal([]byte(r.Restrictions), &p.Restrictions); err != nil {
			return nil, fmt.Errorf("restrictions of rate plan %s: %w", r.ID, err)
		}
		plans[i] = p
		at[r.ID] = &plans[i]
	}
	for _, r := range rooms {
		at[r.RatePlanID].RoomTypeIDs = append(at[r.RatePlanID].RoomTypeIDs, r.RoomTypeID)
	}
	for _, r := range sellers {
		at[r.RatePlanID].SoldBy = append(at[r.RatePlanID].SoldBy, r.SellerID)
	}
	return plans, nil
}

func entity(id string, created, updated, revision int64) hotel.Entity {
	return hotel.Entity{ID: id, CreatedAt: instant(created), UpdatedAt: instant(updated), Revision: revision}
}

func propertyOf(r ledgerdb.Property) hotel.Property {
	return hotel.Property{
		Entity: entity(r.ID, r.CreatedAt, r.UpdatedAt, r.Revision), Name: r.Name, TimeZone: r.TimeZone,
		Currency: hotel.Currency(r.Currency), Country: r.Country, CheckIn: r.CheckIn, CheckOut: r.CheckOut,
		DayRoll: r.DayRoll, HorizonDays: int(r.HorizonDays), Status: hotel.Status(r.Status),
	}
}

func poolOf(r ledgerdb.Pool) hotel.Pool {
	return hotel.Pool{
		Entity: entity(r.ID, r.CreatedAt, r.UpdatedAt, r.Revision), PropertyID: r.PropertyID, Code: r.Code, Name: r.Name,
		TotalUnits: int(r.TotalUnits), OwnOf: orEmpty(r.OwnOf), Status: hotel.Status(r.Status),
	}
}

// Properties lists every property, ordered by id.
func (l *Ledger) Properties(ctx context.Context) ([]hotel.Property, error) {
	rows, err := l.read.ListProperties(ctx)
	if err != nil {
		return nil, fmt.Errorf("list properties: %w", err)
	}
	out := make([]hotel.Property, len(rows))
	for i, r := range rows {
		out[i] = propertyOf(r)
	}
	return out, nil
}

// Property returns one property, or [ErrNotFound].
func (l *Ledger) Property(ctx context.Context, id string) (hotel.Property, error) {
	row, err := l.read.GetProperty(ctx, id)
	return propertyOf(row), notFound(err)
}

// Pools lists a property's pools, ordered by id.
func (l *Ledger) Pools(ctx context.Context, property string) ([]hotel.Pool, error) {
	rows, err := l.read.ListPools(ctx, property)
	if err != nil {
		return nil, fmt.Errorf("list pools: %w", err)
	}
	out := make([]hotel.Pool, len(rows))
	for i, r := range rows {
		out[i] = poolOf(r)
	}
	return out, nil
}

// Pool returns one pool, or [ErrNotFound].
func (l *Ledger) Pool(ctx context.Context, id string) (hotel.Pool, error) {
	row, err := l.read.GetPool(ctx, id)
	return poolOf(row), notFound(err)
}

// RoomTypes lists a property's room types, ordered by position, then id.
func (l *Ledger) RoomTypes(ctx context.Context, property string) (rooms []hotel.RoomType, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		rooms, err = loadRooms(ctx, q, property)
		return err
	})
	return rooms, err
}

// RoomType returns one room type, or [ErrNotFound].
func (l *Ledger) RoomType(ctx context.Context, id string) (hotel.RoomType, error) {
	row, err := l.read.GetRoomType(ctx, id)
	if err != nil {
		return hotel.RoomType{}, notFound(err)
	}
	rooms, err := l.RoomTypes(ctx, row.PropertyID)
	if err != nil {
		return hotel.RoomType{}, err
	}
	for _, r := range rooms {
		if r.ID == id {
			return r, nil
		}
	}
	return hotel.RoomType{}, ErrNotFound
}

// RatePlans lists a property's rate plans, ordered by position, then id.
func (l *Ledger) RatePlans(ctx context.Context, property string) (plans []hotel.RatePlan, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		plans, err = loadPlans(ctx, q, property)
		return err
	})
	return plans, err
}

// RatePlan returns one rate plan, or [ErrNotFound].
func (l *Ledger) RatePlan(ctx context.Context, id string) (hotel.RatePlan, error) {
	row, err := l.read.GetRatePlan(ctx, id)
	if err != nil {
		return hotel.RatePlan{}, notFound(err)
	}
	plans, err := l.RatePlans(ctx, row.PropertyID)
	if err != nil {
		return hotel.RatePlan{}, err
	}
	for _, p := range plans {
		if p.ID == id {
			return p, nil
		}
	}
	return hotel.RatePlan{}, ErrNotFound
}

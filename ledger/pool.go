package ledger

import (
	"cmp"
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

var pools = housePart[hotel.Pool, *hotel.Pool]{
	noun: hotel.Say("pool"), created: PoolCreated, updated: PoolUpdated, archived: PoolArchived,
	property: func(p *hotel.Pool) string { return p.PropertyID },
	status:   func(p *hotel.Pool) *hotel.Status { return &p.Status },
	get:      func(t *tx, id string) (hotel.Pool, error) { return readOne[hotel.Pool](t.q.GetPool(t.ctx, id)) },
	insert:   func(t *tx, d document) error { return t.q.InsertPool(t.ctx, ledgerdb.InsertPoolParams(d)) },
	update: func(t *tx, d document) error {
		return t.q.UpdatePool(t.ctx, ledgerdb.UpdatePoolParams{Body: d.Body, UpdatedAt: d.UpdatedAt, Revision: d.Revision, ID: d.ID})
	},
	prepare: func(t *tx, s *structure, before, p *hotel.Pool) error {
		p.Complete()
		if err := p.Check(); err != nil || before == nil || p.TotalUnits >= before.TotalUnits {
			return err
		}
		return t.holdsAway(s, p)
	},
	needed: func(_ *tx, s *structure, p *hotel.Pool) error {
		return inUse("room_type_ids", s.drawing(p.ID), "room types draw on pool %s: let them draw on another, or archive them first", p.ID)
	},
	reach: func(before, p *hotel.Pool) reach {
		return reach{stock: before != nil && (before.TotalUnits != p.TotalUnits || before.RoomsPerUnit != p.RoomsPerUnit)}
	},
}

// holdsAway refuses a pool that has fewer units than are out of order or out of
// inventory on a night to come.
func (t *tx) holdsAway(s *structure, p *hotel.Pool) error {
	f, err := t.l.facts(t.ctx, t.q, p.PropertyID)
	if err != nil {
		return err
	}
	span := s.property.Sells(t.now)
	list, err := readFacts[poolFact](t.ctx, f, poolSheet, span.From, span.To)
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b fact[poolFact]) int { return cmp.Compare(a.night, b.night) })
	for _, r := range list {
		if r.subject == p.ID && r.V.away() > r.V.total(p) {
			return hotel.Invalid("/total_units", "max", "on %s %d units are out of order or out of inventory: lower these first", r.night, r.V.away())
		}
	}
	return nil
}

// drawing lists the room types that draw on the pool.
func (s *structure) drawing(pool string) []string {
	var ids []string
	for _, r := range s.rooms {
		for _, d := range r.Consumes {
			for _, id := range d.AnyOf {
				if id == pool {
					ids = append(ids, r.ID)
				}
			}
		}
	}
	return ids
}

// CreatePool stores a pool that belongs to no single room type. The bool tells
// that the key of once had its effect before.
func (l *Ledger) CreatePool(ctx context.Context, by hotel.By, once hotel.Once, p hotel.Pool) (hotel.Pool, bool, error) {
	p.ID, p.OwnOf = hotel.NewID("pl"), ""
	return pools.create(ctx, l, by, once, p)
}

// ChangePool makes a pool different.
func (l *Ledger) ChangePool(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.Pool]) (hotel.Pool, bool, error) {
	return pools.change(ctx, l, by, once, id, c)
}

// ArchivePool ends a pool on which no room type draws any more.
func (l *Ledger) ArchivePool(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (hotel.Pool, bool, error) {
	return pools.archive(ctx, l, by, once, id, ifRevision)
}

// Pools lists a property's pools, the archived ones too, ordered by id.
func (l *Ledger) Pools(ctx context.Context, property string) ([]hotel.Pool, error) {
	return readAll[hotel.Pool](l.read.ListPools(ctx, property))
}

// Pool returns one pool, or [ErrNotFound].
func (l *Ledger) Pool(ctx context.Context, id string) (hotel.Pool, error) {
	return readOne[hotel.Pool](l.read.GetPool(ctx, id))
}

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

var roomTypes = housePart[hotel.RoomType, *hotel.RoomType]{
	noun: hotel.Say("room type"), created: RoomTypeCreated, updated: RoomTypeUpdated, archived: RoomTypeArchived,
	property: func(r *hotel.RoomType) string { return r.PropertyID },
	status:   func(r *hotel.RoomType) *hotel.Status { return &r.Status },
	insert:   func(t *tx, d document) error { return t.q.InsertRoomType(t.ctx, ledgerdb.InsertRoomTypeParams(d)) },
	update: func(t *tx, d document) error {
		return t.q.UpdateRoomType(t.ctx, ledgerdb.UpdateRoomTypeParams{Body: d.Body, UpdatedAt: d.UpdatedAt, Revision: d.Revision, ID: d.ID})
	},
	kept: func(r hotel.RoomType) hotel.RoomType {
		r.TotalUnits = 0 // its pools have them
		return r
	},
	prepare: func(t *tx, s *structure, before, r *hotel.RoomType) (err error) {
		r.Complete()
		if before == nil && slices.ContainsFunc(s.rooms, func(o hotel.RoomType) bool { return o.Code == r.Code }) {
			return hotel.Refuse("duplicate_code", "another room type of the property has this code")
		}
		if s, err = t.units(s, before, r); err != nil {
			return err
		}
		r.Sized = false
		if err := r.Check(s.pools); err != nil {
			return err
		}
		if _, err := board.New(s.property, s.pools, replaced(s.rooms, r), s.plans, 0, nil, 0); err != nil {
			return hotel.Invalid("/consumes", "unknown_option", "%v", err)
		}
		return nil
	},
	needed: func(t *tx, s *structure, r *hotel.RoomType) error {
		var plans []string
		for _, p := range s.plans {
			if slices.Contains(p.RoomTypeIDs, r.ID) {
				plans = append(plans, p.ID)
			}
		}
		if err := inUse("rate_plan_ids", plans, "rate plans sell room type %s: take it out of them first", r.ID); err != nil {
			return err
		}
		channels, err := t.q.ChannelsOfRoomType(t.ctx, r.ID)
		if err := errors.Join(err, inUse("channel_ids", channels, "channels are mapped to room type %s: change their mapping first", r.ID)); err != nil {
			return err
		}
		return t.booked(s, r.ID)
	},
	reach: func(before, r *hotel.RoomType) reach {
		if before == nil {
			return reach{stock: true}
		}
		ended := before.Status != r.Status
		return reach{
			stock:    ended || before.Mode != r.Mode || !reflect.DeepEqual(before.Consumes, r.Consumes) || !reflect.DeepEqual(before.Rooms, r.Rooms),
			products: ended || guests(before) != guests(r),
			offers:   before.BaseOccupancy != r.BaseOccupancy,
		}
	},
}

// Its get needs the structure, and so the part itself.
func init() {
	roomTypes.get = func(t *tx, id string) (hotel.RoomType, error) {
		r, err := readOne[hotel.RoomType](t.q.GetRoomType(t.ctx, id))
		if err != nil {
			return r, err
		}
		s, err := t.structure(r.PropertyID)
		if err != nil {
			return r, err
		}
		r.TotalUnits, err = s.units(t.ctx, t.q, &r)
		return r, err
	}
}

// guests lists what prices by the number of guests depend on.
func guests(r *hotel.RoomType) [7]int {
	infants := -1
	if r.MaxInfants != nil {
		infants = *r.MaxInfants
	}
	return [...]int{
		r.BaseOccupancy, r.MinOccupancy, r.StandardOccupancy, r.MaxAdults, r.MaxChildren, infants, r.MaxOccupancy,
	}
}

// units makes the pool of a room type that names none, unless it has one of its own, and
// passes a change of total units on to it. It returns the property as it is then.
func (t *tx) units(s *structure, before, r *hotel.RoomType) (*structure, error) {
	own := r.OwnPool(s.pools)
	if own != nil {
		r.Consumes = own.Alone()
	}
	switch {
	case len(r.Consumes) == 0:
		made := hotel.Pool{PropertyID: r.PropertyID, Code: r.Code, Name: r.Name, TotalUnits: r.TotalUnits, OwnOf: r.ID}
		made.ID = hotel.NewID("pl")
		if err := pools.store(t, nil, &made); err != nil {
			return nil, err
		}
		r.Consumes = made.Alone()
	case before == nil && r.TotalUnits != 0:
		return nil, notItsOwn()
	case before == nil || before.TotalUnits == r.TotalUnits && (own == nil || !r.Sized):
		return s, nil
	case own == nil:
		return nil, notItsOwn()
	default:
		was := *own
		if was.TotalUnits == r.TotalUnits {
			break
		}
		pool := was
		pool.TotalUnits = r.TotalUnits
		if err := pools.store(t, &was, &pool); err != nil {
			return nil, err
		}
	}
	return t.structure(r.PropertyID)
}

func notItsOwn() error {
	return hotel.Invalid("/total_units", "read_only", "follows from the pools that the room type draws on: change those")
}

// units returns how many of the room type an empty house has. Of one with a pool of its own
// that is the pool's size, though its rooms be given and not counted, or it be archived.
func (s *structure) units(ctx context.Context, q *ledgerdb.Queries, r *hotel.RoomType) (int, error) {
	if len(r.Consumes) == 1 && r.Consumes[0].Units == 1 && len(r.Consumes[0].AnyOf) == 1 {
		pool := s.pool(r.Consumes[0].AnyOf[0])
		if pool == nil { // archived, along with the room type
			p, err := readOne[hotel.Pool](q.GetPool(ctx, r.Consumes[0].AnyOf[0]))
			if err != nil {
				return 0, err
			}
			pool = &p
		}
		if pool.OwnOf == r.ID {
			return pool.TotalUnits, nil
		}
	}
	i, ok := s.empty.Room(r.ID)
	if !ok {
		return 0, nil // it is archived, and there is none
	}
	return s.empty.Capacity(i), nil
}

// CreateRoomType stores a room type. Without draws it gets a pool of its own
// with its total units; with draws it must not have any. The bool tells that the
// key of once had its effect before.
func (l *Ledger) CreateRoomType(ctx context.Context, by hotel.By, once hotel.Once, r hotel.RoomType) (hotel.RoomType, bool, error) {
	r.ID = hotel.NewID("rt")
	return roomTypes.create(ctx, l, by, once, r)
}

// ChangeRoomType makes a room type different. Its total units are those of its
// own pool, which is changed along with it.
func (l *Ledger) ChangeRoomType(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.RoomType]) (hotel.RoomType, bool, error) {
	return roomTypes.change(ctx, l, by, once, id, c)
}

// ArchiveRoomType ends a room type that no plan, no channel and no guest needs
// any more, and with it its own pool, unless another room type draws on that.
func (l *Ledger) ArchiveRoomType(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (hotel.RoomType, bool, error) {
	return roomTypes.step(ctx, l, by, once, id, ifRevision, func(t *tx, r hotel.RoomType) error {
		if err := roomTypes.end(t, r); err != nil {
			return err
		}
		s, err := t.structure(r.PropertyID)
		if err != nil {
			return err
		}
		for _, pool := range s.pools {
			if pool.OwnOf == r.ID && len(s.drawing(pool.ID)) == 0 {
				return pools.end(t, pool)
			}
		}
		return nil
	})
}

// RoomTypes lists a property's room types, the archived ones too, ordered by
// position, then id.
func (l *Ledger) RoomTypes(ctx context.Context, property string) (rooms []hotel.RoomType, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		if rooms, err = readAll[hotel.RoomType](q.ListRoomTypes(ctx, property)); err != nil || len(rooms) == 0 {
			return err
		}
		s, err := loadStructure(ctx, q, property)
		for i := 0; i < len(rooms) && err == nil; i++ {
			rooms[i].TotalUnits, err = s.units(ctx, q, &rooms[i])
		}
		return err
	})
	return rooms, err
}

// RoomType returns one room type, or [ErrNotFound].
func (l *Ledger) RoomType(ctx context.Context, id string) (r hotel.RoomType, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		if r, err = readOne[hotel.RoomType](q.GetRoomType(ctx, id)); err != nil {
			return err
		}
		s, err := loadStructure(ctx, q, r.PropertyID)
		if err == nil {
			r.TotalUnits, err = s.units(ctx, q, &r)
		}
		return err
	})
	return r, err
}

package ledger

import (
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/ledger/internal/ledgerdb"
)

const (
	// zoneRise is by how much more units than its threshold must be free before a
	// pool that is guarded at the last is shared again at once: else one cancellation
	// and one sale would close every channel twice.
	zoneRise = 2

	// defaultQuiet is how long fewer than that must be free without a sale before it
	// is shared again all the same.
	defaultQuiet = 30 * time.Minute
)

// zone is where a room type stands on a night: outside, guarded, or guarded only
// because it was, for more than the last units are free again.
type zone uint8

const (
	outside zone = iota
	inside
	rising
)

// zones returns where each room type stands on a night. was says whether its
// counters are guarded now. A type that draws on several pools is guarded as the
// best guarded of them is.
func (s *structure) zones(house []availability.House, was func(room int) bool) []zone {
	protections := s.protections()
	of := make([]zone, len(s.rooms))
	for i := range s.rooms {
		for _, d := range s.rooms[i].Consumes {
			at := outside
			switch p := protections[d.AnyOf[0]]; p.Kind {
			case hotel.Guarded:
				at = inside
			case hotel.GuardedLast:
				free, entered := s.freeUnits(d.AnyOf, house, was)
				if free <= p.N {
					at = inside
				} else if entered && free < p.N+zoneRise {
					at = rising
				}
			case hotel.Shared:
			}
			if at == inside || of[i] == outside {
				of[i] = at
			}
		}
	}
	return of
}

// freeUnits returns how many units of pools that stand in for each other are free
// on a night, and whether a room type that is sold from them is guarded there.
func (s *structure) freeUnits(pools []string, house []availability.House, was func(room int) bool) (free int, entered bool) {
	for i := range s.rooms {
		for _, d := range s.rooms[i].Consumes {
			if slices.ContainsFunc(d.AnyOf, func(id string) bool { return slices.Contains(pools, id) }) {
				free = max(free, house[i].Free*d.Units)
				entered = entered || was(i)
			}
		}
	}
	return free, entered
}

// calm is since when room types of a span are guarded only because they were.
type calm struct {
	t     *tx
	s     *structure
	since map[calmNight]time.Time
}

// calmNight is a night of a room type.
type calmNight struct {
	night hotel.Date
	room  string
}

func (t *tx) calmOf(s *structure, span hotel.Span) (calm, error) {
	c := calm{t, s, map[calmNight]time.Time{}}
	rows, err := t.q.Calm(t.ctx, ledgerdb.CalmParams{PropertyID: s.property.ID, First: int64(span.From), Last: int64(span.To)})
	if err != nil {
		return c, fmt.Errorf("read crossings of %s: %w", s.property.ID, err)
	}
	for _, r := range rows {
		c.since[calmNight{hotel.Date(r.Night), r.RoomTypeID}] = instant(r.Since)
	}
	return c, nil
}

// guarded reports for each room type whether its counters are guarded on a night,
// and notes since when they are only because they were. All of a night that are
// leave together: what they draw on may be the same.
func (c calm) guarded(night hotel.Date, zones []zone) ([]bool, error) {
	over := true
	for i, z := range zones {
		at := calmNight{night, c.s.rooms[i].ID}
		since, noted := c.since[at]
		switch {
		case z != rising && noted:
			if err := c.t.q.DeleteCalm(c.t.ctx, ledgerdb.DeleteCalmParams{PropertyID: c.s.property.ID, Night: int64(night), RoomTypeID: at.room}); err != nil {
				return nil, fmt.Errorf("forget a crossing: %w", err)
			}
		case z == rising && !noted:
			if err := c.t.q.InsertCalm(c.t.ctx, ledgerdb.InsertCalmParams{
				PropertyID: c.s.property.ID, Night: int64(night), RoomTypeID: at.room, Since: c.t.micros(),
			}); err != nil {
				return nil, fmt.Errorf("note a crossing: %w", err)
			}
			over = false
		case z == rising:
			over = over && !c.t.now.Before(since.Add(c.t.l.quiet))
		}
	}
	on := make([]bool, len(zones))
	for i, z := range zones {
		on[i] = z == inside || z == rising && !over
	}
	return on, nil
}

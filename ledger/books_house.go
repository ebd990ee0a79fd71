package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/ledger/internal/ledgerdb"
)

// booksOfHouse reads what the property is, what its channels take, and what rooms it
// has and had on the nights. A night that is over has the pools of its end, whatever
// became of them since.
func (l *Ledger) booksOfHouse(ctx context.Context, q BooksQuery) (b report.Books, err error) {
	err = l.look(ctx, q.PropertyID, hotel.AsOf{At: q.Stock}, q.Span, func(v view) error {
		b = report.Books{Property: v.s.property}
		channels, err := v.q.ListChannelsOf(ctx, q.PropertyID)
		if err != nil {
			return err
		}
		for _, row := range channels {
			c, err := channelOf(row)
			if err != nil {
				return err
			}
			b.NoteCommission(&c)
		}
		house, err := readPastHouse(ctx, v.q, q)
		if err != nil {
			return err
		}
		b.Rooms = house.roomsOfTypes()
		if q.NoRoom || q.ByBooked {
			return nil
		}
		written, err := written[poolFact](ctx, v, poolSheet)
		if err != nil {
			return err
		}
		b.Supply = house.supply(v, written)
		b.Blocked = blockedRooms(v, b.Rooms)
		return nil
	})
	return b, err
}

// pastHouse is the pools and room types of a property, each as it stood from an
// instant on, and the room types as they stand last.
type pastHouse struct {
	pools map[string][]since[hotel.Pool]
	rooms map[string]hotel.RoomType
}

// since is how something stands from an instant on.
type since[V any] struct {
	at time.Time
	is V
}

func readPastHouse(ctx context.Context, q *ledgerdb.Queries, of BooksQuery) (pastHouse, error) {
	h := pastHouse{pools: map[string][]since[hotel.Pool]{}, rooms: map[string]hotel.RoomType{}}
	rows, err := q.TouchedEntries(ctx, ledgerdb.TouchedEntriesParams{Kind: touchedStructure, Subject: of.PropertyID, Through: math.MaxInt64})
	if err != nil {
		return h, fmt.Errorf("read what it was made of: %w", err)
	}
	for _, e := range entriesOf(rows) {
		if !of.Stock.IsZero() && e.At.After(of.Stock) {
			break
		}
		body, err := decode[Founding[json.RawMessage]](e)
		if err != nil {
			return h, err
		}
		switch e.Kind.family() {
		case "pool":
			var p hotel.Pool
			if err := json.Unmarshal(body.Resource, &p); err != nil {
				return h, fmt.Errorf("journal entry %d: %w", e.Sequence, err)
			}
			h.pools[e.Subject] = append(h.pools[e.Subject], since[hotel.Pool]{e.At, p})
		case "room_type":
			var r hotel.RoomType
			if err := json.Unmarshal(body.Resource, &r); err != nil {
				return h, fmt.Errorf("journal entry %d: %w", e.Sequence, err)
			}
			h.rooms[e.Subject] = r
		}
	}
	return h, nil
}

// on is a pool as it stood when a night ended: as it was first where it was not there
// yet, for a house is older than its ledger.
func on(pool []since[hotel.Pool], end time.Time) hotel.Pool {
	p := pool[0].is
	for _, s := range pool[1:] {
		if s.at.Before(end) {
			p = s.is
		}
	}
	return p
}

// supply lists what each pool has on each night.
func (h pastHouse) supply(v view, written map[factKey]fact[poolFact]) (list []report.Supply) {
	for id, pool := range h.pools {
		alone := h.soldAlone(id)
		for d := v.span.From; d <= v.span.To; d++ {
			p := on(pool, (d+1).At(0, 0, v.s.zone))
			if p.Status == hotel.Archived {
				continue
			}
			f, rooms := written[factKey{d, id}].V, max(1, p.RoomsPerUnit)
			units := p.TotalUnits
			if f.Total != nil {
				units = *f.Total
			}
			list = append(list, report.Supply{
				Night: d, RoomTypeID: alone, Total: units * rooms, Available: (units - f.OutOfInventory) * rooms, OutOfOrder: f.OutOfOrder * rooms,
			})
		}
	}
	return list
}

// soldAlone returns the room type that a pool is sold as, when it is sold as one
// alone, and that draws on no pool that others draw on; else "".
func (h pastHouse) soldAlone(pool string) string {
	sold := h.drawing(pool)
	if len(sold) != 1 {
		return ""
	}
	for _, d := range h.rooms[sold[0]].Consumes {
		for _, other := range d.AnyOf {
			if len(h.drawing(other)) != 1 {
				return ""
			}
		}
	}
	return sold[0]
}

// drawing lists the room types on sale that draw on a pool.
func (h pastHouse) drawing(pool string) (list []string) {
	for id, r := range h.rooms {
		if r.Status != hotel.Archived && drawsOn(&r, []string{pool}) {
			list = append(list, id)
		}
	}
	return list
}

// roomsOfTypes is how many physical rooms each room type counts as: what is said of
// it, else what its units have. Where pools of more and of fewer rooms may serve, the
// fewer count.
func (h pastHouse) roomsOfTypes() map[string]int {
	out := make(map[string]int, len(h.rooms))
	for id, r := range h.rooms {
		if r.Rooms != nil {
			out[id] = *r.Rooms
			continue
		}
		for _, d := range r.Consumes {
			fewest := func(a, b string) int { return h.perUnit(a) - h.perUnit(b) }
			out[id] += max(1, d.Units) * h.perUnit(slices.MinFunc(d.AnyOf, fewest))
		}
	}
	return out
}

func (h pastHouse) perUnit(pool string) int {
	p := h.pools[pool]
	if len(p) == 0 {
		return 1
	}
	return max(1, p[len(p)-1].is.RoomsPerUnit)
}

// blockedRooms lists what blocks hold.
func blockedRooms(v view, rooms map[string]int) (list []report.Blocked) {
	for d := v.span.From; d <= v.span.To; d++ {
		for i, n := range v.b.Night(d).Rooms {
			if id := v.s.rooms[i].ID; n.Blocked > 0 {
				list = append(list, report.Blocked{Night: d, RoomTypeID: id, Rooms: n.Blocked * max(1, rooms[id])})
			}
		}
	}
	return list
}

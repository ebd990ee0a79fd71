package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// Verify checks the open ledger as [Verify] checks a file, from one state of it
// while others write on, and then every board in memory against what its tables
// come to.
func (l *Ledger) Verify(ctx context.Context, o VerifyOptions) (Verification, error) {
	v, err := l.verify(ctx, o)
	if err != nil {
		return v, err
	}
	for _, property := range l.boards.inMemory() {
		o.Report("board of "+property, 1)
		if err := l.verifyBoard(ctx, property, &v); err != nil {
			return v, fmt.Errorf("board of %s: %w", property, err)
		}
	}
	return v, nil
}

// inMemory lists the properties that have a board.
func (b *boards) inMemory() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.shown))
}

// onWriter has f run between two commits, when every board is as the last one has
// left it.
func (l *Ledger) onWriter(ctx context.Context, f func()) error {
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		t.effects.publish = append(t.effects.publish, f)
		return nil
	})
}

// verifyBoard compares a board with its tables. Nights that commits touch while
// the tables are read are left to the next time.
func (l *Ledger) verifyBoard(ctx context.Context, property string, v *Verification) error {
	var seen *board.Board
	var meanwhile *watch
	if err := l.onWriter(ctx, func() { seen, meanwhile = l.boards.current(property), l.boards.watch(property) }); err != nil {
		return err
	}
	defer l.boards.unwatch(property, meanwhile)
	if seen == nil {
		return nil // forgotten since, for something has changed that all of it rests on
	}
	var fresh *board.Board
	if err := l.snapshot(ctx, func(q *ledgerdb.Queries) (err error) {
		fresh, err = l.boardOf(ctx, q, property, seen)
		return err
	}); err != nil {
		return err
	}
	var touched nightSet
	var rebuilt bool
	if err := l.onWriter(ctx, func() { touched, rebuilt = l.boards.noted(meanwhile) }); err != nil {
		return err
	}
	if rebuilt {
		v.leaveOut("%s: its board in memory, which was changed too much to be compared", property)
		return nil
	}
	boards := check{v: v, property: property}
	if made, is := partsText(fresh), partsText(seen); made != is {
		v.differs("board", Difference{property, "in memory: what the property is made of", byTables, made, is})
		return nil // nights are laid out for it
	}
	for d := seen.From; d <= seen.To(); d++ {
		if _, moved := touched[d]; moved {
			continue
		}
		if reflect.DeepEqual(fresh.Night(d), seen.Night(d)) {
			v.Compared++
			continue
		}
		boards.compare(byTables, nightContent(fresh, d), nightContent(seen, d))
	}
	return nil
}

// boardOf reads a board for the nights of another, as if nothing were in memory.
func (l *Ledger) boardOf(ctx context.Context, q *ledgerdb.Queries, property string, like *board.Board) (*board.Board, error) {
	s, err := loadStructure(ctx, q, property)
	if err != nil {
		return nil, err
	}
	f, err := l.facts(ctx, q, property)
	if err != nil {
		return nil, err
	}
	nights, err := s.loadNights(ctx, f, like.From, like.To())
	if err != nil {
		return nil, err
	}
	return s.board(l.clock.Now(), like.From, nights, like.Sequence), nil
}

// partsText writes what a board is laid out for.
func partsText(b *board.Board) string {
	return textOf([]any{b.Property, b.Pools, b.RoomTypes, b.Plans})
}

// nightContent returns what a board says of a night, in places.
func nightContent(b *board.Board, d hotel.Date) content {
	out, n := content{}, b.Night(d)
	put := func(what, subject string, value any) {
		out[spot{"in memory: " + what, d, subject}] = textOf(value)
	}
	put("house limit", b.Property.ID, n.HouseLimit)
	put("pickup", b.Property.ID, n.Moved)
	for i, p := range n.Pools {
		put("pool", b.Pools[i].ID, p)
	}
	for i := range n.Rooms {
		room := b.RoomTypes[i].ID
		put("stock", room, n.Rooms[i])
		put("announced stock", room, n.Announced[i])
		if n.Shown != nil {
			put("what is kept from channels", room, n.Shown[i])
		}
		for j := range b.Plans {
			at := product{room, b.Plans[j].ID}.subject()
			put("price", at, n.Rates[i][j])
			put("restrictions", at, b.HouseRules(d, i, j))
		}
	}
	return out
}

func textOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

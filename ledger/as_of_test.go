package ledger

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// cells is everything that can be seen of a house by night.
type cells struct {
	Stock []hotel.InventoryCell
	Rates []hotel.RateCell
	Rules []hotel.RestrictionCell
}

func (h *house) cells(t tb, at hotel.AsOf) cells {
	t.Helper()
	ctx, span := context.Background(), h.span(0, 9).Span
	return cells{
		must(h.Inventory(ctx, hotel.InventoryQuery{PropertyID: h.property.ID, Span: span, AsOf: at}))(t).Cells,
		must(h.RateCells(ctx, hotel.CellQuery{PropertyID: h.property.ID, AsOf: at, Span: span}))(t),
		must(h.RestrictionCells(ctx, hotel.CellQuery{PropertyID: h.property.ID, AsOf: at, Span: span}))(t),
	}
}

// What is seen as of any point is what was seen then.
func TestAsOfIsWhatWasSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		h.newFarSide(t, 5)
		type moment struct {
			at   hotel.AsOf
			seen cells
		}
		var made []hotel.Reservation
		var moments []moment
		note := func() {
			at := hotel.AsOf{Sequence: must(h.Sequence(context.Background()))(t)}
			if rapid.Bool().Draw(t, "by the clock") {
				at = hotel.AsOf{At: h.clock.Now()}
			}
			moments = append(moments, moment{at, h.cells(t, hotel.AsOf{})})
		}
		note()
		for range rapid.IntRange(1, 12).Draw(t, "writes") {
			h.clock.move(time.Second)
			if rapid.IntRange(0, 3).Draw(t, "blocks") == 0 {
				from := hotel.Date(rapid.IntRange(0, 4).Draw(t, "from"))
				room := rapid.SampledFrom([]hotel.RoomType{h.double, h.suite}).Draw(t, "room")
				h.block(t, rapid.SampledFrom([]hotel.BlockStatus{hotel.Tentative, hotel.Definite}).Draw(t, "status"), h.line(room, from, from+2, 1))
			}
			h.drawWrite(t, &made)
			if rapid.Bool().Draw(t, "derived") {
				h.deriveAll(t)
			}
			note()
		}
		for _, m := range moments {
			if diff := cmp.Diff(m.seen, h.cells(t, m.at), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("as of %+v (-seen then +seen now):\n%s", m.at, diff)
			}
		}
	})
}

func TestAsOfPointsThatAreNone(t *testing.T) {
	h := newHouse(t)
	ctx, span := context.Background(), h.span(0, 9).Span
	newest := must(h.Sequence(ctx))(t)
	for _, test := range []struct {
		name string
		at   hotel.AsOf
		want string
	}{
		{"a sequence to come", hotel.AsOf{Sequence: newest + 1}, "/as_of_sequence"},
		{"an instant to come", hotel.AsOf{At: h.clock.Now().Add(time.Second)}, "/as_of"},
	} {
		_, err := h.Inventory(ctx, hotel.InventoryQuery{PropertyID: h.property.ID, Span: span, AsOf: test.at})
		refusal := (*hotel.Refusal)(nil)
		if !errors.As(err, &refusal) || refusal.Items[0].Pointer != test.want {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if _, err := h.Inventory(ctx, hotel.InventoryQuery{PropertyID: h.property.ID, Span: span, AsOf: hotel.AsOf{At: opening.Add(-time.Hour)}}); refusedAs(err) != "as_of_expired" {
		t.Errorf("before the property was there: %v", err)
	}
}

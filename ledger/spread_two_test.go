package ledger

import (
	"context"
	"slices"
	"testing"

	"ostler.example/hotel"
)

// TestTwoLargeChangesInOneStep: of a channel that looks only when both are stored,
// nothing of either is told before somebody has decided about it, whatever is decided
// about the other.
func TestTwoLargeChangesInOneStep(t *testing.T) {
	const shown, first, second = 9000, 100, 90
	for name, test := range map[string]struct {
		same       bool // both are about the same rooms
		one, other string
		want       [2]int64 // what doubles and twins are told in the end
	}{
		"apart, both sent":                                   {one: hotel.OptionSend, other: hotel.OptionSend, want: [2]int64{first, second}},
		"apart, one taken back":                              {one: hotel.OptionUndo, other: hotel.OptionSend, want: [2]int64{shown, second}},
		"apart, the other taken back":                        {one: hotel.OptionSend, other: hotel.OptionUndo, want: [2]int64{first, shown}},
		"apart, both taken back":                             {one: hotel.OptionUndo, other: hotel.OptionUndo, want: [2]int64{shown, shown}},
		"over each other, sent":                              {same: true, other: hotel.OptionSend, want: [2]int64{second, shown}},
		"over each other, taken back, what is under it sent": {same: true, other: hotel.OptionUndo, one: hotel.OptionSend, want: [2]int64{first, shown}},
		"over each other, both taken back":                   {same: true, other: hotel.OptionUndo, one: hotel.OptionUndo, want: [2]int64{shown, shown}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			h := newHouse(t)
			f := h.newFarSide(t, 5)
			nights := hotel.Span{From: h.today + 5, To: h.today + 44}
			price := func(room hotel.RoomType, minor int64) string {
				return must2(h.UpdateRates(ctx, tester, hotel.Once{}, hotel.RateUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.RateEntry{
					{RoomTypeID: room.ID, RatePlanID: h.flex.ID, Dates: hotel.Dates{Span: nights}, Amount: h.euros(minor)},
				}}))(t).ID
			}
			price(h.double, shown)
			price(h.twin, shown)
			f.goLive(t)
			f.catchUp(t)
			h.policies(t, hotel.Policies{BlastRadius: &hotel.BlastRadiusPolicy{Cells: 30}})
			f.catchUp(t)

			room := h.twin
			if test.same {
				room = h.double
			}
			changes := map[string]string{price(h.double, first): test.one, price(room, second): test.other}
			h.deriveAll(t)
			decided := map[string]bool{}
			told := func() map[int64]map[int64]bool { // by line, prices that the channel is told or shows
				of := map[int64]map[int64]bool{}
				for cell, g := range f.groups(t) {
					if cell.Group == hotel.Price && g.held != nil && nights.From <= cell.Night && cell.Night <= nights.To {
						if of[cell.Line] == nil {
							of[cell.Line] = map[int64]bool{}
						}
						of[cell.Line][*g.held] = true
					}
				}
				return of
			}
			was := told()
			for range 8 {
				h.deriveAll(t)
				for f.derive(t) {
				}
				var cells []SentCell
				for _, d := range must(h.Brake(ctx, f.id, must(h.Dirty(ctx, f.id, h.today, 20000))(t)))(t) {
					cells = append(cells, SentCell{d.Cell, d.Want, d.Sold})
				}
				if len(cells) > 0 {
					f.begin(t, cells)
					f.take(0, nil)
					f.settle(t, 0, Settlement{State: DeliveryApplied})
				}
				if err := h.FollowChanges(ctx); err != nil {
					t.Fatal(err)
				}
				if is := told(); len(decided) == 0 && len(was) > 0 {
					for line, values := range is {
						for v := range values {
							if !was[line][v] {
								t.Fatalf("%d is told of line %d, and nobody was asked", v, line)
							}
						}
					}
				}
				for _, c := range h.conflicts(t, hotel.ConflictBlastRadius) {
					if c.Status != hotel.ConflictOpen || decided[c.ID] {
						continue
					}
					option := changes[c.Topic]
					if option == "" {
						option = test.one // what comes to light when the other is taken back
					}
					decided[c.ID] = true
					h.resolve(t, c, option, "")
					break
				}
			}
			for i, line := range []string{"D", "T"} {
				at := slices.IndexFunc(f.mappings, func(m hotel.Mapping) bool { return m.RemoteRoom == line && m.RemoteRate == "F" })
				for cell, g := range f.groups(t) {
					if cell.Group == hotel.Price && cell.Line == f.mappings[at].Line && nights.From <= cell.Night && cell.Night <= nights.To && *g.held != test.want[i] {
						t.Fatalf("%s shows %d on %s, want %d (%d decisions)", line, *g.held, cell.Night, test.want[i], len(decided))
					}
				}
			}
			h.sound(t)
		})
	}
}

// TestAPriceWaitsForAChangeThatIsHeld: while the change that it is of is only counted, a price
// that is kept back is so for another reason.
func TestAPriceWaitsForAChangeThatIsHeld(t *testing.T) {
	price, stock := hotel.Cell{Line: 1, Group: hotel.Price, Occupancy: 2, Night: 9}, hotel.Cell{Line: 2, Group: hotel.Availability, Night: 9}
	for state, want := range map[spreadState]bool{spreadCounting: false, spreadHeld: true, spreadUndone: true} {
		of, beside := newSpread("ch", "c", 1), newSpread("ch", "d", 2)
		of.State, beside.State = string(state), string(spreadHeld)
		of.add(spreadCell{Cell: price})
		if got := waitsOf([]*spread{beside, of}, price); got != want || !waitsOf([]*spread{of}, stock) {
			t.Errorf("%s: the price waits of the change: %t, want %t", state, got, want)
		}
	}
}

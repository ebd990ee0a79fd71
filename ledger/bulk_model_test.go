package ledger

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// typed is what the model knows of the prices: by room type and night of the
// plan flex, without an entry where there is none.
type typed map[string]int64

// apply lays one entry over the prices, or says that it is at fault, the plain
// way: night by night, over a copy.
func (p typed) apply(e hotel.RateEntry, today hotel.Date) (typed, int, bool) {
	next, changed := maps.Clone(p), 0
	if e.RoomTypeID == "x" || e.From < today || e.To < e.From {
		return p, 0, false
	}
	for d := e.From; d <= e.To; d++ {
		if e.Weekdays != [7]bool{} && !e.Weekdays[d.Weekday()] {
			continue
		}
		k := fmt.Sprint(e.RoomTypeID, d)
		old, had := next[k]
		switch {
		case e.Adjust != nil && !had:
			return p, 0, false
		case e.Adjust != nil:
			next[k] = old + 100
		case e.Amount.Null:
			delete(next, k)
		default:
			next[k] = e.Amount.Value.Minor
		}
		if now, has := next[k]; now != old || has != had {
			changed++
		}
	}
	return next, changed, true
}

// Any updates, small and large, whole, in part and dry, with house values derived
// in between or not and restarts at any time, leave what a plain map says.
func TestBulkUpdatesModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := newHouse(r)
		ctx := context.Background()
		h.exec(r, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 249)")
		h.property.HorizonDays = 249
		model := typed{}
		for _, room := range []hotel.RoomType{h.double, h.suite, h.twin} {
			for d := range hotel.Date(61) {
				model[fmt.Sprint(room.ID, h.today+d)] = 10000
			}
		}
		number := func(low, high int) int { return rapid.IntRange(low, high).Draw(r, "n") }
		entry := func() hotel.RateEntry {
			room := rapid.SampledFrom([]string{h.double.ID, h.suite.ID, h.double.ID, h.suite.ID, "x"}).Draw(r, "room")
			from := number(-1, 20)
			to := from + number(-1, 12)
			if number(0, 2) == 0 {
				to = 249
			}
			e := hotel.RateEntry{RoomTypeID: room, RatePlanID: h.flex.ID, Dates: h.span(hotel.Date(from), hotel.Date(to))}
			if number(0, 2) == 0 {
				e.Weekdays[number(0, 6)] = true
			}
			switch number(0, 4) {
			case 0:
				e.Adjust = &hotel.PriceStep{Kind: hotel.Amount, Value: "1"}
			case 1:
				e.Amount = null[hotel.Money]()
			default:
				e.Amount = h.euros(int64(number(1, 3) * 1000))
			}
			return e
		}
		for range number(1, 6) {
			u := hotel.RateUpdate{PropertyID: h.property.ID, Source: "api", Partial: number(0, 1) == 1, DryRun: number(0, 4) == 0}
			next, faults, want := model, 0, []int{}
			for range number(1, 3) {
				e := entry()
				u.Entries = append(u.Entries, e)
				after, changed, ok := next.apply(e, h.today)
				if !ok {
					faults++
				}
				next, want = after, append(want, changed)
			}
			upd, _, err := h.UpdateRates(ctx, tester, hotel.Once{}, u)
			if refused := faults > 0 && !u.Partial; refused != (err != nil) {
				r.Fatalf("%d faults, and told %v", faults, err)
			}
			if err == nil {
				if got := fmt.Sprint(changedBy(upd)); got != fmt.Sprint(want) {
					r.Fatalf("entries changed %s, want %v", got, want)
				}
				if !u.DryRun {
					model = next
				}
			}
			switch number(0, 3) {
			case 0:
				must(h.DeriveDue(ctx))(r)
			case 1:
				h.deriveAll(r)
			case 2:
				h.reopen(r)
			}
			for _, room := range []hotel.RoomType{h.double, h.suite} {
				for _, c := range must(h.RateCells(ctx, hotel.CellQuery{PropertyID: h.property.ID, Span: h.span(0, 249).Span, RoomTypeIDs: []string{room.ID}, RatePlanIDs: []string{h.flex.ID}}))(r) {
					want, had := model[fmt.Sprint(room.ID, c.Date)]
					if had != (c.Base != nil) || had && c.Base.Minor != want {
						r.Fatalf("%s of %s: %v, want %d (%v)", c.Date, room.Code, c.Base, want, had)
					}
				}
			}
		}
		h.deriveAll(r)
		if diff := sameBoard(h.freshBoard(r), must(h.Board(ctx, h.property.ID))(r)); diff != "" {
			r.Fatal(diff)
		}
	})
}

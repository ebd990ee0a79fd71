package ledger

import (
	"fmt"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit/figures"
	"ostler.example/ledger/internal/ledgerdb"
)

// benchDifference prints how long it takes to find, of what has been worked out of
// 100,000 cells, what a channel is not wanted to show already, beside a loop that
// compares as many pairs of numbers.
func benchDifference(b *testing.B) {
	const lines, nights, turns = 50, 500, 41
	for b.Loop() {
		table := (&tx{}).cellsOf(ledgerdb.Channel{})
		var wanted []Wanted
		var pairs [][2]*int64
		differ := 0
		for line := range int64(lines) {
			for night := range hotel.Date(nights) {
				v := 10000 + line
				told := int64(0)
				table.offers.stored.put(lineNight{line, night}.cell(), &offered{told: &told, tells: TellsClosures})
				for _, of := range []hotel.Group{hotel.Availability, hotel.Closures, hotel.Lengths, hotel.Price} {
					cell := hotel.Cell{Line: line, Group: of, Night: night}
					is := v
					if of == hotel.Closures {
						is = 0
					}
					table.put(cell, group{want: &is, held: &is})
					if of == hotel.Availability {
						table.stocks.put(cell, &stocked{told: is})
					}
					to := is
					if len(wanted)%100 == 7 { // most of what is worked out is as it was
						to++
						differ++
					}
					w := Wanted{Cell: cell, Value: &to}
					if of == hotel.Closures {
						w.Tells = TellsClosures
					}
					wanted, pairs = append(wanted, w), append(pairs, [2]*int64{&is, &to})
				}
			}
		}
		var ours []time.Duration
		slower := figures.Ratio(turns, func(int) time.Duration { // the loop is what is beside it
			begun, n := time.Now(), 0
			for _, p := range pairs {
				if !same(p[0], p[1]) {
					n++
				}
			}
			took := time.Since(begun)
			if n != differ {
				b.Fatalf("%d pairs differ, want %d", n, differ)
			}
			return took
		}, func(int) time.Duration {
			begun := time.Now()
			news := table.news(wanted)
			took := time.Since(begun)
			if len(news) != differ {
				b.Fatalf("%d cells differ, want %d", len(news), differ)
			}
			ours = append(ours, took)
			return took
		})
		median := figures.Quantile(ours, 0.5)
		figures.Row(fmt.Sprintf("the difference of %d cells in memory", len(wanted)), figures.Millis(median), figures.AtMost(5*time.Millisecond, median),
			fmt.Sprintf("one in 100 differs; %.1f times a bare loop over as many pairs", slower))
	}
}

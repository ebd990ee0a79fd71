// Package figures prints what benchmarks measure as rows of one table, which
// tools/figures.sh sets.
package figures

import (
	"fmt"
	"os"
	"slices"
	"time"
)

// Row prints one measured figure, the aim ("" when it has none) with whether it
// is met, and under which conditions it was measured.
func Row(what, figure, aim, conditions string) {
	fmt.Fprintf(os.Stdout, "| %s | %s | %s | %s\n", what, figure, aim, conditions)
}

// AtLeast writes an aim that a ratio is not to fall below, and whether it is met.
func AtLeast(aim, ratio float64) string {
	return fmt.Sprintf("at least %.2f: %s", aim, met(ratio >= aim))
}

// NoMore writes an aim that a ratio is not to exceed, and whether it is met.
func NoMore(aim, ratio float64) string {
	return fmt.Sprintf("at most %.2f: %s", aim, met(ratio <= aim))
}

// AtMost writes an aim that a time is not to exceed, and whether it is met.
func AtMost(aim, took time.Duration) string {
	return fmt.Sprintf("at most %s: %s", Millis(aim), met(took <= aim))
}

func met(is bool) string {
	if is {
		return "met"
	}
	return "MISSED"
}

// Ratio runs ours and bare by turns and returns the median of how many times as
// fast as bare ours was: by turns, since other work on the machine comes and
// goes.
func Ratio(turns int, ours, bare func(turn int) time.Duration) float64 {
	ratios := make([]float64, turns)
	for i := range ratios {
		b := bare(i)
		ratios[i] = b.Seconds() / ours(i).Seconds()
	}
	slices.Sort(ratios)
	return ratios[turns/2]
}

// Quantile returns the value below which the share q of the values lies.
func Quantile(values []time.Duration, q float64) time.Duration {
	slices.Sort(values)
	return values[min(len(values)-1, int(q*float64(len(values))))]
}

// Millis writes a duration in milliseconds.
func Millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }

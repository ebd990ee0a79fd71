package price

import (
	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// The comparisons of a condition, and the names of the days in scopes by
// time.Weekday.
var (
	comparisons = []string{"lt", "lte", "gt", "gte", "eq", "between"}
	weekdays    = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}
)

// condition compares a figure with a value; between has both ends, inclusive.
type condition struct {
	metric   hotel.RuleMetric
	op       string
	low, top decimal.Decimal
}

func newCondition(c *hotel.RuleCondition) condition {
	out := condition{metric: c.Metric, op: c.Op, low: decimal.RequireFromString(c.Value[0])}
	if c.Op == "between" {
		out.top = decimal.RequireFromString(c.Value[1])
	}
	return out
}

// met reports whether the figure is as asked, or beyond it by at most so many per
// cent of the value. How many days are left never comes back, so that it has no
// such margin.
func (c *condition) met(f Figure, margin decimal.Decimal) bool {
	if f.Den < 1 {
		return false
	}
	if c.metric == hotel.DaysToArrival {
		margin = decimal.Zero
	}
	// Compared as products, since a quotient may not be a finite decimal.
	num, den := decimal.NewFromInt(f.Num), decimal.NewFromInt(f.Den)
	above := func(end decimal.Decimal) int { return num.Cmp(end.Sub(share(end, margin)).Mul(den)) }
	below := func(end decimal.Decimal) int { return num.Cmp(end.Add(share(end, margin)).Mul(den)) }
	switch c.op {
	case "lt":
		return below(c.low) < 0
	case "lte":
		return below(c.low) <= 0
	case "gt":
		return above(c.low) > 0
	case "gte":
		return above(c.low) >= 0
	case "eq":
		return above(c.low) >= 0 && below(c.low) <= 0
	}
	return above(c.low) >= 0 && below(c.top) <= 0
}

// share is so many per cent of a value, whichever its sign.
func share(of, pct decimal.Decimal) decimal.Decimal { return of.Abs().Mul(pct).Shift(-2) }

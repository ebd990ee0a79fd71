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

func (c *condition) met(f Figure) bool {
	if f.Den < 1 {
		return false
	}
	// Compared as products, since a quotient may not be a finite decimal.
	num, den := decimal.NewFromInt(f.Num), decimal.NewFromInt(f.Den)
	cmp := num.Cmp(c.low.Mul(den))
	switch c.op {
	case "lt":
		return cmp < 0
	case "lte":
		return cmp <= 0
	case "gt":
		return cmp > 0
	case "gte":
		return cmp >= 0
	case "eq":
		return cmp == 0
	}
	return cmp >= 0 && num.Cmp(c.top.Mul(den)) <= 0
}

package price

import (
	"slices"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// GuardNights is how far around a night the prices lie that a first price is
// compared with: those of the same weekday.
const GuardNights = 28

// Known is what a channel shows, or is known to have shown, around a night.
type Known struct {
	Last   *hotel.Money  // the last acknowledged price of the night itself; nil: there was none
	Around []hotel.Money // the last acknowledged prices of the same weekday, at most GuardNights away
}

// Verdict is what becomes of a price, and why. The zero Verdict lets it pass.
type Verdict struct {
	Rule   hotel.GuardRule // "" or GuardSend: it is sent
	Reason string          // stable: one of the reasons below, "" when nothing is odd
	By     string          // what it was compared with, for an explanation
}

// The reasons of a verdict. A price is told of whenever there is one, also when
// it is sent.
const (
	BelowFloor   = "below_floor"
	AboveCeiling = "above_ceiling"
	FellTooFar   = "fell_too_far"
	RoseTooFar   = "rose_too_far"
)

// Guard judges a finished price that is to be sent. Below the guard's floor, or
// lower than the known price by more than the guard allows, it is held. Above its
// ceiling, or higher by more than allowed, it is held, closed or sent as the
// guard says.
//
// The known price is the last one of the night; where there is none, the median
// of those around it, of two in the middle their mean. Prices in another currency
// and prices of 0 are no measure; without a measure only floor and ceiling judge.
// A price in another currency than a floor or ceiling is not judged by it.
func Guard(g hotel.PriceGuard, next hotel.Money, known Known) Verdict {
	tooHigh := g.TooHigh
	if tooHigh == "" {
		tooHigh = hotel.GuardHold
	}
	if f := g.Floor; f != nil && f.Currency == next.Currency && next.Minor < f.Minor {
		return Verdict{hotel.GuardHold, BelowFloor, "floor " + f.Amount()}
	}
	if c := g.Ceiling; c != nil && c.Currency == next.Currency && next.Minor > c.Minor {
		return Verdict{tooHigh, AboveCeiling, "ceiling " + c.Amount()}
	}
	twice := measure(next.Currency, known)
	if g.MaxChangePct == "" || twice == 0 {
		return Verdict{}
	}
	pct := decimal.RequireFromString(g.MaxChangePct)
	by := g.MaxChangePct + " percent of " + major(decimal.New(5*twice, -1), next.Currency)
	// 200 × next against (100 ± percent) × twice the measure.
	scaled, hundred := decimal.NewFromInt(next.Minor).Mul(decimal.NewFromInt(200)), decimal.NewFromInt(100)
	if scaled.LessThan(hundred.Sub(pct).Mul(decimal.NewFromInt(twice))) {
		return Verdict{hotel.GuardHold, FellTooFar, by}
	}
	if scaled.GreaterThan(hundred.Add(pct).Mul(decimal.NewFromInt(twice))) {
		return Verdict{tooHigh, RoseTooFar, by}
	}
	return Verdict{}
}

// Nearest returns the price nearest to one that is to be sent at which a guard finds
// nothing; false: there is none above 0.
func Nearest(g hotel.PriceGuard, next hotel.Money, known Known) (hotel.Money, bool) {
	next.Minor = max(next.Minor, 1)
	if twice := measure(next.Currency, known); g.MaxChangePct != "" && twice != 0 {
		half, hundred := decimal.NewFromInt(twice).Div(decimal.NewFromInt(200)), decimal.NewFromInt(100)
		pct := decimal.RequireFromString(g.MaxChangePct)
		lowest, highest := half.Mul(hundred.Sub(pct)).Ceil().IntPart(), half.Mul(hundred.Add(pct)).Floor().IntPart()
		next.Minor = min(max(next.Minor, lowest), highest)
	}
	if f := g.Floor; f != nil && f.Currency == next.Currency {
		next.Minor = max(next.Minor, f.Minor)
	}
	if c := g.Ceiling; c != nil && c.Currency == next.Currency {
		next.Minor = min(next.Minor, c.Minor)
	}
	return next, next.Minor > 0 && Guard(g, next, known).Reason == ""
}

// measure returns twice the price that the next one is compared with, in minor
// units, so that a mean of two is whole; 0 when there is none.
func measure(c hotel.Currency, known Known) int64 {
	if last := known.Last; last != nil && last.Currency == c && last.Minor > 0 {
		return 2 * last.Minor
	}
	var around []int64
	for _, m := range known.Around {
		if m.Currency == c && m.Minor > 0 {
			around = append(around, m.Minor)
		}
	}
	if len(around) == 0 {
		return 0
	}
	slices.Sort(around)
	return around[(len(around)-1)/2] + around[len(around)/2]
}

package price

import (
	"time"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// CancelPenalty returns what a policy asks for when a stay is cancelled at an
// instant: the penalty of the step with the nearest deadline that has not passed.
// Deadlines are local times in the zone, so many days before the arrival; the
// instant itself is still in time. The steps are those of the first season that
// the arrival lies in. After the last deadline the last step holds. Without a
// policy, or without a step, nothing is due, unless the policy is not refundable.
func CancelPenalty(p *hotel.CancellationPolicy, arrival hotel.Date, at time.Time, zone *time.Location) hotel.Penalty {
	steps := stepsFor(p, arrival)
	var best *hotel.CancellationStep
	var nearest time.Time
	for i := range steps {
		step := &steps[i]
		if step.Until == nil {
			if best == nil {
				best = step
			}
			continue
		}
		deadline := Deadline(*step.Until, arrival, zone)
		if !at.After(deadline) && (nearest.IsZero() || deadline.Before(nearest)) {
			best, nearest = step, deadline
		}
	}
	switch {
	case best != nil:
		return best.Penalty
	case len(steps) > 0:
		return steps[len(steps)-1].Penalty
	case p != nil && p.Kind == nonRefundable:
		return everything
	}
	return hotel.Penalty{Kind: hotel.NoPenalty}
}

// NoShowPenalty returns what is due when the guest does not come: the plan's own
// fee, else the penalty of the last step of its policy.
func NoShowPenalty(own *hotel.Penalty, p *hotel.CancellationPolicy, arrival hotel.Date) hotel.Penalty {
	steps := stepsFor(p, arrival)
	switch {
	case own != nil:
		return *own
	case len(steps) > 0:
		return steps[len(steps)-1].Penalty
	case p != nil && p.Kind == nonRefundable:
		return everything
	}
	return hotel.Penalty{Kind: hotel.NoPenalty}
}

const nonRefundable = "non_refundable"

var everything = hotel.Penalty{Kind: hotel.PercentPenalty, Value: "100"}

func stepsFor(p *hotel.CancellationPolicy, arrival hotel.Date) []hotel.CancellationStep {
	if p == nil {
		return nil
	}
	for i := range p.Seasons {
		if s := &p.Seasons[i]; s.DateFrom <= arrival && arrival <= s.DateTo {
			return s.Steps
		}
	}
	return p.Steps
}

// Deadline returns the instant of a local time so many days before an arrival.
func Deadline(c hotel.CutOff, arrival hotel.Date, zone *time.Location) time.Time {
	var hour, minute int
	if t, err := time.Parse("15:04", c.Time); err == nil {
		hour, minute = t.Hour(), t.Minute()
	}
	return (arrival - hotel.Date(c.DaysBefore)).At(hour, minute, zone)
}

// Fee returns what a penalty comes to for a stay, in the tax mode and currency of
// its nightly prices, rounded half-even and never more than they sum up to. An
// amount is in the currency c. It reports false when that cannot be said: the
// stay has no price, or the amount is in another currency.
func Fee(p hotel.Penalty, c hotel.Currency, nightly []hotel.NightPrice) (hotel.Money, bool) {
	if len(nightly) == 0 {
		return hotel.Money{}, false
	}
	total := hotel.Money{Currency: nightly[0].Amount.Currency}
	for i := range nightly {
		total.Minor += nightly[i].Amount.Minor
	}
	fee := hotel.Money{Currency: total.Currency}
	switch p.Kind {
	case hotel.NoPenalty:
	case hotel.FirstNight:
		fee.Minor = nightly[0].Amount.Minor
	case hotel.PercentPenalty:
		fee.Minor = decimal.NewFromInt(total.Minor).Mul(decimal.RequireFromString(p.Value)).Shift(-2).RoundBank(0).IntPart()
	case hotel.AmountPenalty:
		if total.Currency != c {
			return hotel.Money{}, false
		}
		fee.Minor = decimal.RequireFromString(p.Value).Shift(int32(c.Exponent())).RoundBank(0).IntPart()
	}
	fee.Minor = min(fee.Minor, total.Minor)
	return fee, true
}

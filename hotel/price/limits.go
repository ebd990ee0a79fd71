package price

import (
	"slices"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// Limits are the lowest and the highest price of a product on a night, in minor
// units of the plan's currency; 0 is no limit. Where the two contradict each
// other the floor holds.
type Limits struct{ Floor, Ceiling int64 }

// LimitsOf returns what the plan's limits say about a room type on a night; where
// several speak, the strictest.
func LimitsOf(p *hotel.RatePlan, room string, night hotel.Date) Limits {
	var l Limits
	for i := range p.PriceLimits {
		limit := &p.PriceLimits[i]
		if night < limit.DateFrom || night > limit.DateTo || len(limit.RoomTypeIDs) > 0 && !slices.Contains(limit.RoomTypeIDs, room) {
			continue
		}
		if limit.Floor != nil {
			l.Floor = max(l.Floor, limit.Floor.Minor)
		}
		if limit.Ceiling != nil && (l.Ceiling == 0 || limit.Ceiling.Minor < l.Ceiling) {
			l.Ceiling = limit.Ceiling.Minor
		}
	}
	return l
}

// By puts the limits into words, "" when there are none.
func (l Limits) By(c hotel.Currency) string {
	return bounds(hotel.Money{Minor: l.Floor, Currency: c}, hotel.Money{Minor: l.Ceiling, Currency: c})
}

func (l Limits) clamp(minor decimal.Decimal) decimal.Decimal {
	if ceiling := decimal.NewFromInt(l.Ceiling); l.Ceiling > 0 && minor.GreaterThan(ceiling) {
		minor = ceiling
	}
	if floor := decimal.NewFromInt(l.Floor); l.Floor > 0 && minor.LessThan(floor) {
		minor = floor
	}
	return minor
}

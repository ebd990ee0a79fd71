package hotel

import (
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// Faults lists what is wrong with a channel whatever its connector is.
func (c Channel) Faults() []RefusedItem {
	var f faults
	if c.Markup != nil && !isDecimal(c.Markup.Value) {
		f.add("/markup/value", "format", "expected a decimal number, such as 12.5")
	}
	if c.Commission != nil && !isPercent(c.Commission.Pct) {
		f.add("/commission/pct", "format", wantsPercent)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Sellers)) {
		at := "/sellers/" + pointerText.Replace(name)
		if strings.TrimSpace(name) == "" || len(name) > maxSellerName {
			f.add(at, "length", "a seller's name has 1 to %d bytes, as its bookings name it", maxSellerName)
		}
		if of := c.Sellers[name].Commission; of != nil && !isPercent(of.Pct) {
			f.add(at+"/commission/pct", "format", wantsPercent)
		}
	}
	if c.Days != nil {
		f.within("/sync/horizon_days", Optional[int]{Set: true, Value: *c.Days}, 1, MaxAdvance)
	}
	c.Pricing.faults(&f)
	return append(f, c.Policies.checkAbsent()...)
}

func (p ChannelPricing) faults(f *faults) {
	if p.Currency != "" && !p.Currency.Known() {
		f.add("/currency", "enum", "is no currency of ISO 4217")
	}
	if p.Exchange != nil {
		if rate, err := decimal.NewFromString(p.Exchange.Rate); err != nil || !rate.IsPositive() {
			f.add("/exchange_rate/rate", "format", "expected a decimal number above zero: so many of the channel's units for one of the property's")
		}
	}
	if p.Guard.MaxChangePct != "" && !isPercent(p.Guard.MaxChangePct) {
		f.add("/price_guard/max_change_pct", "format", wantsPercent)
	}
	if low, high := p.Guard.Floor, p.Guard.Ceiling; low != nil && high != nil && (low.Currency != high.Currency || low.Minor > high.Minor) {
		f.add("/price_guard/ceiling", "min", "must be in the floor's currency and not below it")
	}
}

// maxSellerName is how long the name of a seller may be.
const maxSellerName = 100

// wantsPercent is what is said of what isPercent does not take.
const wantsPercent = "expected 0 to 100 percent, with two decimals at most"

func isPercent(s string) bool {
	d, err := decimal.NewFromString(s)
	return err == nil && !d.IsNegative() && !d.GreaterThan(decimal.NewFromInt(100)) && d.Equal(d.Truncate(2))
}

func isDecimal(s string) bool {
	_, err := decimal.NewFromString(s)
	return err == nil
}

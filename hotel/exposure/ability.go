package exposure

import (
	"time"

	"ostler.example/hotel"
)

// Ability is what a channel's way of changing and telling its count permits.
type Ability struct {
	Once        bool          // one request takes effect once at the most
	Versions    bool          // an older request is turned down
	Lifetime    time.Duration // a request takes effect within it, counted from when it can last have been sent, or never; 0: no promise
	Replenishes bool          // its own cancellation, or a stay that is shortened there, raises its count; also when that is not known
	Extends     bool          // a longer stay lowers its count
	Loose       bool          // its count does not go down by itself when it sells, or nobody knows
	Total       bool          // a value is the most it may sell in all, its own sales included
	Sites       int           // at so many places the count is shown, each of which sells it by itself; 0 or 1: at one
	Lag         time.Duration // from a sale to the moment at which a read shows it
}

// Of reads the ability off a channel's terms.
func Of(t hotel.Terms) Ability {
	return Ability{
		Once: t.AtMostOnce, Versions: t.Versions, Lifetime: t.Lifetime,
		Replenishes: gives(t.AdjustsOn.Cancel) || gives(t.AdjustsOn.Modify),
		Extends:     t.AdjustsOn.Modify == hotel.AdjustYes || t.AdjustsOn.Modify == hotel.AdjustNever,
		Loose:       t.AdjustsOn.Book != hotel.AdjustYes && !t.TotalLimit,
		Total:       t.TotalLimit,
		Sites:       t.Places(),
		Lag:         t.SaleSettle,
	}
}

// gives reports whether the count may go up on such an event: a stay that is shortened
// gives rooms back as one that is cancelled does.
func gives(on hotel.Adjust) bool { return on == hotel.AdjustYes || on == hotel.AdjustUnknown }

// weight is how many rooms a count of one puts on sale.
func (a Ability) weight() int { return max(1, a.Sites) }

// OnSale returns how many rooms a party may sell whose count may say so many; live is the
// number of its recorded bookings.
func (a Ability) OnSale(count, live int) int {
	if a.Total {
		return max(0, count-live)
	}
	return count * a.weight()
}

// Contracted is the ability where a contract promises rooms: whatever a channel does to
// its count, such a room is sold again when it is cancelled.
func (a Ability) Contracted() Ability {
	a.Replenishes = true
	return a
}

// Weaker reports whether a channel may be selling more than an account says that was kept by
// what it promised before: its count is sold at more places, comes back or stays by itself,
// or means something else; requests may act later, again, or in another order; a sale is
// seen later.
func (a Ability) Weaker(was Ability) bool {
	return a.Sites != was.Sites && (a.Sites < 1 || a.Sites > max(1, was.Sites)) ||
		a.Total != was.Total || a.Loose && !was.Loose || a.Replenishes && !was.Replenishes || !a.Extends && was.Extends ||
		!a.Once && was.Once || !a.Versions && was.Versions || was.Lifetime > 0 && (a.Lifetime <= 0 || a.Lifetime > was.Lifetime) ||
		was.Lag >= 0 && (a.Lag < 0 || a.Lag > was.Lag)
}

// Level is what a guarded pool can promise about a channel.
type Level string

// The levels, from the best to the least.
const (
	// Guaranteed: what it was granted can be taken back, and is never sold twice.
	Guaranteed Level = "guaranteed"
	// OneWay: never sold twice, but what it was granted comes back only by being
	// sold or cancelled there.
	OneWay Level = "one_way"
	// BoundedRisk: more can be sold than granted, by what we have not heard of yet.
	BoundedRisk Level = "bounded_risk"
	// CloseOnly: no number above 0 is safe.
	CloseOnly Level = "close_only"
)

// LevelOf works out the level from what a channel promises. Whatever is not
// promised counts as not so.
//
//	the count on a booking   on an extension    requests                  bookings                 level
//	lowers itself            lowers, or never   once, versions, totals;   listed by date, and      guaranteed
//	                                            none acts for ever        an answer is the sellers'
//	lowers itself            lowers, or never   once, or totals; nobody   any                      one_way
//	                                            knows until when
//	lowers itself            lowers, or never   once, versions, totals    notices, or a relay's    one_way
//	                                                                      answer
//	lowers itself            does not lower     any                       any                      bounded_risk
//	lowers itself            any                a copy may act again      any                      bounded_risk
//	of a relay, shown at     any                any                       any                      bounded_risk
//	nobody knows how many
//	sellers, or what a
//	cancellation does
//	does not, or unknown     any                any                       any                      close_only
//
// Without versions and without a lifetime a request that was never answered may act
// however late, so that no list proves a closing that came after it: what such a channel
// was granted cannot be taken back for certain.
func LevelOf(t hotel.Terms) Level {
	a := Of(t)
	sound := a.Versions || a.Once || a.Total
	switch {
	case t.AdjustsOn.Book != hotel.AdjustYes && !a.Total:
		return CloseOnly
	case !a.Extends || !sound, a.Sites < 1, a.Sites > 1 && (a.Total || t.AdjustsOn.Cancel == hotel.AdjustUnknown):
		return BoundedRisk // of a relay's count nobody knows what it puts on sale
	case !a.Versions && a.Lifetime <= 0, !t.ListsByDate || t.Acknowledges != hotel.BySeller || t.SaleSettle < 0:
		return OneWay
	}
	return Guaranteed
}

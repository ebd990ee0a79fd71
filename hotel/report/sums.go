package report

// sum names something that is added up. Rooms are physical ones, nights are room
// nights unless they are said to be others, and money is in minor units.
type sum int

const (
	roomsTotal sum = iota
	roomsAvailable
	roomsOutOfOrder
	roomsBlocked
	nightsSold
	nightsUnpriced // of those that are sold
	nightsUnknown  // nights of which it is not known how many rooms were sold
	nightsFree
	nightsHouse
	guestNights
	arrivals
	departures
	stayovers
	staysBegun
	staysNights // of the stays that begin: how long each is

	roomRevenue
	extrasRevenue
	cancellationFees
	vat
	cityTax
	commission
	roomRevenueUnknown // the part of room revenue of which the commission is not known
	unconverted        // reservations

	booked // reservations, as are those that follow
	cancelled
	noShows
	onBooks
	lostNights
	lostRevenue
	cancelLead  // days from cancellation to arrival
	leadDays    // days from booking to arrival, of those on the books
	wholeNights // of whole stays of those on the books
	wholeUnpriced
	wholeRevenue

	nightsAdded
	nightsCancelled
	nightsNetUnpriced
	revenueNet
	otbNights
	otbRevenue
	otbLastYear

	answers // of the service itself
	answersGood
	answersRefused
	answersLimited
	answersFailed
	pushes
	pushesFailed
	circuitSeconds
	webhooks
	webhooksGood
	driftFound
	driftRepaired

	sumCount
)

// sums is all that figures are worked out of.
type sums struct {
	n     [sumCount]int64
	told  bool          // the supply is known
	leads map[int]int64 // reservations on the books, by days from booking to arrival
	took  map[took]int64
}

// add adds what another has.
func (s *sums) add(o *sums) {
	for i := range s.n {
		s.n[i] += o.n[i]
	}
	s.told = s.told || o.told
	if s.leads == nil && len(o.leads) > 0 {
		s.leads = map[int]int64{}
	}
	for days, n := range o.leads {
		s.leads[days] += n
	}
	if s.took == nil && len(o.took) > 0 {
		s.took = map[took]int64{}
	}
	for long, n := range o.took {
		s.took[long] += n
	}
}

// of is sums with a few of them.
func of(values map[sum]int64) sums {
	var s sums
	for i, n := range values {
		s.n[i] = n
	}
	return s
}

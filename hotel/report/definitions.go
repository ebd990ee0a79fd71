package report

// Definition is a report that can be asked for.
type Definition struct {
	Name      string
	Text      string
	Figures   []Figure
	OfService bool        // it is about the service itself: worked out of [Set.Work], without money
	always    []Dimension // by which it is grouped whatever is asked for
	tally     func(*tally, *Set)
}

// Set is what a report is worked out of: the books of its properties, or what the
// service did.
type Set struct {
	Work     []Worked
	Books    []Books
	Since    []Books // pickup: as they stood when it begins
	LastYear []Books // pickup: of the nights a year before, as they stood a year before
}

func each(books []Books, do ...func(*Books, *tally)) func(*tally) {
	return func(t *tally) {
		for i := range books {
			for _, f := range do {
				f(&books[i], t)
			}
		}
	}
}

// Definitions are all reports.
var Definitions = []Definition{
	{
		Name: "occupancy", Text: "How full the house is, by night.", Figures: occupancy,
		tally: func(t *tally, s *Set) { each(s.Books, (*Books).house, (*Books).stays, (*Books).history)(t) },
	},
	{
		Name: "revenue", Text: "What nights bring, without taxes.", Figures: revenue,
		tally: func(t *tally, s *Set) { each(s.Books, (*Books).house, (*Books).stays, (*Books).history)(t) },
	},
	{
		Name: "pickup", Text: "What came onto the books and went off them between two instants, by night.", Figures: pickedUp,
		tally: func(t *tally, s *Set) {
			for i := range s.Books {
				pickup(t, &s.Since[i], &s.Books[i])
				lastYear(t, &s.LastYear[i])
				s.LastYear[i].historyLastYear(t)
			}
		},
	},
	{
		Name: "channels", Text: "Who sells the rooms. Nights and revenue are of the dates asked for; reservations, cancellations and lead times are of arrivals on them.", Figures: channels,
		tally: func(t *tally, s *Set) { each(s.Books, (*Books).stays, (*Books).history, (*Books).bookings)(t) },
	},
	{
		Name: "cancellations", Text: "What was cancelled, and who did not come, of the reservations that were to arrive on the dates asked for, or that were made on them.", Figures: cancellations,
		tally: func(t *tally, s *Set) { each(s.Books, (*Books).bookings)(t) },
	},
	{
		Name: "lead-time", Text: "How long ahead guests book, of the reservations on the books that arrive on the dates asked for. Each row is a range of days.", Figures: leadTimes,
		always: []Dimension{byLeadRange},
		tally:  func(t *tally, s *Set) { each(s.Books, (*Books).leads)(t) },
	},
	{
		Name: "service", Text: "How well the service itself worked, by day in UTC.", Figures: service,
		OfService: true,
		tally:     func(t *tally, s *Set) { work(t, s.Work) },
	},
}

var occupancy = []Figure{
	{"rooms_total", Count, "Rooms that the house has: of every pool the units of the night, with the rooms of each. A pool counts once, however many room types are sold from it.", supplied(roomsTotal)},
	{"rooms_available", Count, "rooms_total less rooms that are out of inventory. Rooms that are out of order are among them.", supplied(roomsAvailable)},
	{"rooms_out_of_order", Count, "Rooms that are out of order.", supplied(roomsOutOfOrder)},
	{"rooms_sold", Count, "Nights of rooms that confirmed, checked-in and checked-out reservations hold, without those that are complimentary or for house use. No-shows hold none. A room type counts as its number of rooms. With what was imported in sum of nights that are over.", counted(nightsSold)},
	{"rooms_sold_without_price", Count, "Those of rooms_sold whose price is not known, or is in another currency than the report and has no exchange into that.", counted(nightsUnpriced)},
	{"rooms_complimentary", Count, "Nights that were given away.", counted(nightsFree)},
	{"rooms_house_use", Count, "Nights that the house used itself.", counted(nightsHouse)},
	{"rooms_blocked", Count, "Rooms that blocks take from what is for sale, less what was picked up from them.", func(f *figured) Value { return Value{f.house, f.n[roomsBlocked]}.orNothing() }},
	{"occupancy_pct", Percent, "rooms_sold / rooms_available × 100.", perRoom(100*100, func(s *sums) int64 { return s.n[nightsSold] })},
	{"arrivals", Count, "Rooms into which guests move, complimentary and house use included.", counted(arrivals)},
	{"departures", Count, "Rooms that guests leave.", counted(departures)},
	{"stayovers", Count, "Rooms in which guests stay on from the night before.", counted(stayovers)},
	{"guests", Count, "Guests, children included, for each night that they sleep here.", counted(guestNights)},
	{"average_length_of_stay", Mean, "Nights of the stays that begin on the dates, by their number.", rate(staysNights, 100, staysBegun)},
}

var revenue = []Figure{
	{"room_revenue", Amount, "What nights cost without VAT, fees, city tax, and what a plan includes beside the room; before commission, which is added where prices are net of it and it is known. A stay's total is spread over its nights in proportion to their prices. What guests are charged for not coming is among it, on the date of arrival.", counted(roomRevenue)},
	{"extras_revenue", Amount, "Extras, what plans include beside the room, and fees, without VAT, spread likewise.", counted(extrasRevenue)},
	{"cancellation_fees", Amount, "What guests are charged for cancelling, without VAT, on the date of arrival.", counted(cancellationFees)},
	{"total_revenue", Amount, "room_revenue + extras_revenue + cancellation_fees.", func(f *figured) Value { return known(f.revenue()) }},
	{"adr", Amount, "Average daily rate: room_revenue / (rooms_sold - rooms_sold_without_price).", func(f *figured) Value { return ratio(f.n[roomRevenue], 1, f.priced()) }},
	{"revpar", Amount, "room_revenue / rooms_available.", perRoom(1, func(s *sums) int64 { return s.n[roomRevenue] })},
	{"trevpar", Amount, "total_revenue / rooms_available.", perRoom(1, (*sums).revenue)},
	{"vat", Amount, "VAT on all of it.", counted(vat)},
	{"city_tax", Amount, "City tax due at the property; in no revenue.", counted(cityTax)},
	{"commission", Amount, "What channels take, as they told it or else by the terms noted of the channel.", counted(commission)},
	{"commission_unknown_share_pct", Percent, "The part of room_revenue whose commission is not known.", func(f *figured) Value { return f.unknownPct() }},
	{"net_room_revenue", Amount, "room_revenue - commission; null when commission_unknown_share_pct is above 5.", func(f *figured) Value { return f.net(1) }},
	{"net_adr", Amount, "net_room_revenue / (rooms_sold - rooms_sold_without_price).", func(f *figured) Value { return f.net(f.priced()) }},
	{"unconverted_reservations", Count, "Reservations left out of the money, as their price is in another currency and has no exchange into the report's.", counted(unconverted)},
}

var pickedUp = []Figure{
	{"rooms_added", Count, "Room nights that came onto the books. One that moved to another room type, plan or channel was added there and cancelled here.", counted(nightsAdded)},
	{"rooms_cancelled", Count, "Room nights that went off the books.", counted(nightsCancelled)},
	{"rooms_net", Count, "rooms_added - rooms_cancelled.", func(f *figured) Value { return known(f.n[nightsAdded] - f.n[nightsCancelled]) }},
	{"revenue_net", Amount, "Room revenue on the books at the end, less that at the beginning.", counted(revenueNet)},
	{"adr_pickup", Amount, "revenue_net / rooms_net, over nights with a price.", func(f *figured) Value {
		return ratio(f.n[revenueNet], 1, f.n[nightsAdded]-f.n[nightsCancelled]-f.n[nightsNetUnpriced])
	}},
	{"otb_rooms", Count, "Room nights on the books at the end.", counted(otbNights)},
	{"otb_revenue", Amount, "Room revenue on the books at the end.", counted(otbRevenue)},
	{"otb_last_year", Count, "Room nights that were on the books 364 days earlier, of the nights 364 days before; null where those were imported in sum and were still to come then.", counted(otbLastYear)},
}

var channels = []Figure{
	{"reservations", Count, "Reservations on the books that arrive on the dates.", counted(onBooks)},
	{"room_nights", Count, "Nights sold, as rooms_sold of the occupancy report.", counted(nightsSold)},
	{"share_room_nights_pct", Percent, "Part of the whole report's room nights.", part(nightsSold)},
	{"room_revenue", Amount, "As in the revenue report.", counted(roomRevenue)},
	{"share_revenue_pct", Percent, "Part of the whole report's room revenue.", part(roomRevenue)},
	{"adr", Amount, "room_revenue / room nights with a price.", func(f *figured) Value { return ratio(f.n[roomRevenue], 1, f.priced()) }},
	{"commission", Amount, "What the channel takes; null when that of some nights is not known.", func(f *figured) Value {
		return Value{f.n[roomRevenueUnknown] == 0, f.n[commission]}.orNothing()
	}},
	{"cancellation_rate_pct", Percent, "As in the report of cancellations, of arrivals on the dates.", rate(cancelled, 100*100, booked)},
	{"average_lead_time_days", Mean, "Days from booking to arrival, of the reservations.", rate(leadDays, 100, onBooks)},
}

var cancellations = []Figure{
	{"booked", Count, "All reservations but those that were only asked for, waitlisted or declined.", counted(booked)},
	{"cancelled", Count, "Those of them that were cancelled.", counted(cancelled)},
	{"no_shows", Count, "Those of them whose guests did not come.", counted(noShows)},
	{"cancellation_rate_pct", Percent, "cancelled / booked × 100.", rate(cancelled, 100*100, booked)},
	{"no_show_rate_pct", Percent, "no_shows / booked × 100.", rate(noShows, 100*100, booked)},
	{"lost_room_nights", Count, "Room nights of whole stays that were cancelled or did not come about.", counted(lostNights)},
	{"lost_revenue", Amount, "Room revenue of those stays, before any charge for them.", counted(lostRevenue)},
	{"average_cancel_lead_days", Mean, "Days from cancellation to arrival, of those that were cancelled.", rate(cancelLead, 100, cancelled)},
}

var leadTimes = []Figure{
	{"reservations", Count, "Reservations on the books that arrive on the dates.", counted(onBooks)},
	{"room_nights", Count, "Room nights of their whole stays, without those that are complimentary or for house use.", counted(wholeNights)},
	{"adr", Amount, "Room revenue of the whole stays / their room nights with a price.", func(f *figured) Value {
		return ratio(f.n[wholeRevenue], 1, f.n[wholeNights]-f.n[wholeUnpriced])
	}},
	{"mean_days", Mean, "Days from the date of booking to that of arrival, never below 0, on average.", rate(leadDays, 100, onBooks)},
	{"median_days", Mean, "The middle of them.", func(f *figured) Value { return f.median() }},
}

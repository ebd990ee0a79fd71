package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// read makes a row into a reservation, and finds all that is wrong with it.
func (p *importing) read(row *hotel.ImportRow) (hotel.Reservation, []hotel.RefusedItem, error) {
	if len(row.Invalid) > 0 {
		return hotel.Reservation{}, row.Invalid, nil
	}
	today := p.s.property.BusinessDate(p.t.now)
	n := row.NewReservation
	n.PropertyID = p.s.property.ID
	if n.Status == "" {
		n.Status = hotel.Confirmed
		if n.Stay.CheckOut <= today {
			n.Status = hotel.CheckedOut
		}
	}
	r := p.t.asked(p.s, &n)
	r.Imported = true
	w := p.place(&r)
	w.days(&r, today)
	w.expiry(&r, p.t.now)
	w.details(p.s, &r)
	w.deposit(p.s, &r)
	w.commission(p.s, &r)
	w.prices(p.s, &r, row)
	w.past(p.s, &r, row, p.t.now)
	if err := p.people(&w, &r, row); err != nil {
		return r, nil, err
	}
	if err := p.t.checkSource(&w, &r); err != nil {
		return r, nil, err
	}
	if len(w) == 0 {
		p.settle(&r, row, today)
	}
	return r, w, nil
}

// people finds who the row is for, beside whom, and in which group. An id in another
// system that the row tells of says who it is, where a guest has it.
func (p *importing) people(w *wrong, r *hotel.Reservation, row *hotel.ImportRow) error {
	guest := row.GuestID
	if part := row.Profile; part != nil {
		says := part.Over(hotel.GuestProfile{PropertyID: r.PropertyID, Guest: r.Guest, Status: hotel.GuestActive})
		w.refused(hotel.Within(says.Check(nil, p.s.property.Today(p.t.now)), "/guest"))
		for _, system := range slices.Sorted(maps.Keys(says.ExternalIDs)) {
			known, err := p.t.guestKnownAs(r.PropertyID, system, says.ExternalIDs[system])
			if err != nil {
				return err
			}
			if known == "" {
				continue
			}
			if guest = cmp.Or(guest, known); guest != known {
				w.add("/guest/external_ids", "enum", "two guests have these ids: merge them, or leave one out")
			}
		}
	}
	if guest != "" {
		if err := p.t.giveTo(w, r, guest); err != nil {
			return err
		}
	}
	if err := p.t.checkCompanions(w, r); err != nil || row.GroupID == "" {
		return err
	}
	err := p.t.joins(r.PropertyID, row.GroupID, r.Source, hotel.Seller{})
	if _, refused := errors.AsType[*hotel.Refusal](err); err != nil && !refused {
		return err
	}
	w.refused(err)
	return nil
}

// refused adds what a refusal, nil for none, says is wrong.
func (w *wrong) refused(err error) {
	if refusal, is := errors.AsType[*hotel.Refusal](err); is {
		*w = append(*w, refusal.Items...)
	}
}

// block has a reservation draw from the block that its row names. Where the block
// has no room of the type left on a night to come, the reservation stands outside of
// it, which is told: nothing is refused for want of a room. What is over draws from
// nothing any more and keeps its block.
func (p *importing) block(r *hotel.Reservation) ([]hotel.RefusedItem, error) {
	if r.BlockID == "" {
		return nil, nil
	}
	rooms, today := map[hotel.Date]string{}, p.s.property.BusinessDate(p.t.now)
	for _, h := range heldRooms(r) {
		for d := max(h.From, today); d <= h.To; d++ {
			rooms[d] = h.RoomTypeID
		}
	}
	_, err := p.t.pickUpBeside(p.s, r.BlockID, rooms, p.tried[r.BlockID])
	refusal, refused := errors.AsType[*hotel.Refusal](err)
	switch {
	case !refused:
		return nil, err
	case len(refusal.Items) > 0:
		return refusal.Items, nil
	}
	r.BlockID = ""
	r.Issues = append(r.Issues, hotel.Issue{Code: "block_exceeded", Detail: refusal.Detail + "; it takes a room of the house"})
	return nil, nil
}

// place finds the room type and the plan, by id or by code.
func (p *importing) place(r *hotel.Reservation) (w wrong) {
	rooms, plans := p.s.rooms, p.s.plans
	room := slices.IndexFunc(rooms, func(x hotel.RoomType) bool { return x.ID == r.RoomTypeID || x.Code == r.RoomTypeID })
	if room < 0 {
		w.add("/room_type_id", "unknown_room_type", "the property has no room type of that id or code")
	} else {
		r.RoomTypeID, r.BookedRoom = rooms[room].ID, rooms[room].ID
	}
	if r.RatePlanID == "" {
		return w
	}
	plan := slices.IndexFunc(plans, func(x hotel.RatePlan) bool { return x.ID == r.RatePlanID || x.Code == r.RatePlanID })
	if plan < 0 {
		w.add("/rate_plan_id", "unknown_rate_plan", "the property has no rate plan of that id or code")
		return w
	}
	r.RatePlanID, r.TaxMode = plans[plan].ID, plans[plan].TaxMode
	r.Policy, r.NoShowFee = plans[plan].Cancellation, plans[plan].NoShowPenalty()
	if r.Guarantee == "" {
		r.Guarantee = plans[plan].Guarantee
	}
	return w
}

// furthest is how many days before and behind today a stay is believed to be.
const furthest = 20 * 366

// days checks the dates, and that a guest who came or did not has had the time to.
func (w *wrong) days(r *hotel.Reservation, today hotel.Date) {
	switch s := r.Stay; {
	case s.CheckOut <= s.CheckIn:
		w.add("/check_out", "date_order", "must be after check_in (%s)", s.CheckIn)
	case s.Nights() > mostHeld:
		w.add("/check_out", "stay_too_long", "a stay has at most %d nights", mostHeld)
	case s.CheckIn < today-furthest:
		w.add("/check_in", "date_in_past", "is more than 20 years ago")
	case s.CheckOut > today+furthest:
		w.add("/check_out", "date_horizon", "is more than 20 years ahead")
	}
	switch r.Status {
	case hotel.CheckedIn, hotel.CheckedOut, hotel.NoShow:
		if r.Stay.CheckIn > today {
			w.add("/status", "enum", "a stay that begins after the business date (%s) cannot be %s yet", today, r.Status)
		}
	case hotel.Enquired, hotel.Requested, hotel.Held, hotel.Waitlisted, hotel.Confirmed, hotel.Cancelled, hotel.Declined:
	default:
		w.add("/status", "enum", "is no status of a reservation")
	}
}

// prices takes over what the nights cost, where that is told.
func (w *wrong) prices(s *structure, r *hotel.Reservation, row *hotel.ImportRow) {
	amounts := row.Overrides
	switch {
	case len(amounts) > 0 && row.RoomTotal != nil:
		w.add("/room_total", "enum", "send nightly or room_total, not both")
		return
	case row.RoomTotal != nil:
		amounts = evenly(*row.RoomTotal, r.Stay)
	case len(amounts) == 0:
		return
	}
	r.Total = hotel.Money{Currency: amounts[0].Amount.Currency}
	if len(amounts) != r.Stay.Nights() {
		w.add("/nightly", "length", "names %d nights of %d: a price for every night, or for none", len(amounts), r.Stay.Nights())
		return
	}
	for i, a := range amounts {
		if !r.Stay.Contains(a.Date) || slices.ContainsFunc(amounts[:i], func(o hotel.NightAmount) bool { return o.Date == a.Date }) {
			w.add(fmt.Sprintf("/nightly/%d/date", i), "enum", "is no night of the stay, or stands there twice")
		}
		if a.RoomTypeID != "" && a.RoomTypeID != r.RoomTypeID && a.RoomTypeID != row.RoomTypeID {
			w.add(fmt.Sprintf("/nightly/%d/room_type_id", i), "enum", "is another than that of the row: a guest who moves is imported as two rows")
		}
		plan := r.RatePlanID
		if at := slices.IndexFunc(s.plans, func(x hotel.RatePlan) bool { return x.ID == a.RatePlanID || x.Code == a.RatePlanID }); at >= 0 {
			plan = s.plans[at].ID
		} else if a.RatePlanID != "" {
			w.add(fmt.Sprintf("/nightly/%d/rate_plan_id", i), "unknown_rate_plan", "the property has no rate plan of that id or code")
		}
		r.Nightly = append(r.Nightly, hotel.NightPrice{Date: a.Date, RatePlanID: plan, Amount: a.Amount, Override: true})
	}
	slices.SortFunc(r.Nightly, func(a, b hotel.NightPrice) int { return int(a.Date - b.Date) })
	w.refused(sumUp(r))
	r.PriceKnown = len(*w) == 0
	if r.PriceKnown && r.Total.Currency != s.property.Currency {
		r.Issues = append(r.Issues, hotel.Issue{Code: "currency", Detail: fmt.Sprintf("booked in %s, the property sells in %s", r.Total.Currency, s.property.Currency)})
	}
}

// evenly gives each night its share of a total, the first the odd units.
func evenly(total hotel.Money, s hotel.Stay) []hotel.NightAmount {
	n := int64(s.Nights())
	if n <= 0 || n > mostHeld {
		return []hotel.NightAmount{{Date: s.CheckIn, Amount: total}} // the dates are refused
	}
	out := make([]hotel.NightAmount, n)
	for i := range out {
		out[i] = hotel.NightAmount{Date: s.CheckIn + hotel.Date(i), Amount: hotel.Money{Minor: total.Minor / n, Currency: total.Currency}}
	}
	out[0].Amount.Minor += total.Minor % n
	return out
}

// cancelImported is the reason of a cancellation of which nobody here knows when it was.
const cancelImported = "imported"

// importedAsBooked is when a reservation was booked by the word of its import, zero where that
// says nothing: then it stands for booked when it was stored.
func importedAsBooked(r *hotel.Reservation) time.Time {
	if !r.Imported || !r.Source.BookedAt.Before(r.CreatedAt) {
		return time.Time{}
	}
	return r.Source.BookedAt
}

// past checks what a row tells of what has happened to its stay: by its status it has, and
// by the clock it can have.
func (w *wrong) past(s *structure, r *hotel.Reservation, row *hotel.ImportRow, now time.Time) {
	came := r.Status == hotel.CheckedIn || r.Status == hotel.CheckedOut
	for _, of := range []struct {
		at   string
		told bool
		fits bool
		when time.Time
	}{
		{"/cancel", row.Cancel != nil, r.Status == hotel.Cancelled || r.Status == hotel.NoShow, time.Time{}},
		{"/decline_reason", row.Refused != "", r.Status == hotel.Declined, time.Time{}},
		{"/actual_check_in_at", !row.Arrived.IsZero(), came, row.Arrived},
		{"/actual_check_out_at", !row.Departed.IsZero(), r.Status == hotel.CheckedOut, row.Departed},
	} {
		switch {
		case of.told && !of.fits:
			w.add(of.at, "enum", "does not go with the status %s", r.Status)
		case of.when.After(now):
			w.add(of.at, "max", "must not be in the future")
		}
	}
	if !row.Departed.IsZero() && row.Departed.Before(row.Arrived) {
		w.add("/actual_check_out_at", "date_order", "must not be before actual_check_in_at")
	}
	if c := row.Cancel; c != nil {
		if c.At.After(now) {
			w.add("/cancel/at", "max", "must not be in the future")
		}
		switch booked := currencyOf(s, r); {
		case c.Penalty == nil:
		case c.Penalty.Currency != booked:
			w.add("/cancel/penalty", "currency_mismatch", "must be in %s, as the price is", booked)
		case c.Penalty.Minor < 0:
			w.add("/cancel/penalty", "min", "must not be negative")
		}
	}
}

// settle notes what has happened to a stay by its status. Nobody here saw it: what the row
// says of it counts.
func (p *importing) settle(r *hotel.Reservation, row *hotel.ImportRow, today hotel.Date) {
	passage := func(seen time.Time) *hotel.Passage {
		if seen.IsZero() {
			return &hotel.Passage{At: p.t.now, Assumed: true}
		}
		return &hotel.Passage{At: seen}
	}
	r.Arrived = nil
	if r.Status == hotel.CheckedIn || r.Status == hotel.CheckedOut {
		r.Arrived = passage(row.Arrived)
		r.Arrived.On, r.Arrived.Room = r.Stay.CheckIn, r.RoomTypeID
	}
	switch r.Status { //nolint:exhaustive // nothing has happened to the others
	case hotel.CheckedOut:
		r.Stay, r.RoomUntil = stay.Leave(r.Stay, max(today, r.Stay.CheckIn+1), false)
		r.Departed = passage(row.Departed)
		r.Departed.On, r.Departed.Booked = r.Stay.CheckOut, r.Stay
	case hotel.Cancelled, hotel.NoShow:
		r.Cancel = &hotel.Cancellation{At: p.t.now, By: p.t.by.Actor}
		r.CancelReason = cancelImported
		if c := row.Cancel; c != nil {
			r.Cancel.At, r.Cancel.Penalty, r.Cancel.Waived = c.At, c.Penalty, c.Waived
			r.CancelReason, r.CancelNote = c.Reason, c.Note
		}
	case hotel.Declined:
		r.Refused = cmp.Or(row.Refused, hotel.ByProperty)
	}
}

package alpinebits

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// planKept is what is kept of a plan that the far side has told as a whole: what the
// amounts of its changes are for, and what is paid beside them.
type planKept struct {
	PerPerson   bool                 `json:"per_person"`
	Supplements []message.Supplement `json:"supplements,omitempty"`
	Epoch       int64                `json:"epoch,omitempty"` // of the ledger, when it was told as a whole last
}

// plansKept is where that is on the shelf, by the far side's codes.
const plansKept = "rate plans"

// takePlans writes down prices and restrictions of rate plans. A whole plan takes the
// place of all that stood there from today on; a plan that is taken away has no prices,
// so that nobody sells it.
func (s served) takePlans(ctx context.Context, v visit) ([]byte, error) {
	set, err := message.ReadRatePlans(v.request)
	if err != nil {
		return nil, unread(err)
	}
	if err := s.cfg.isFor(v.version, set.Hotel); err != nil {
		return nil, err
	}
	kept, err := fetch[map[string]planKept](ctx, s.shelf, plansKept)
	if err != nil {
		return nil, err
	}
	if kept == nil {
		kept = map[string]planKept{}
	}
	lengths, err := fetch[map[string][]through](ctx, s.shelf, throughKept)
	if err != nil {
		return nil, err
	}
	if lengths == nil {
		lengths = map[string][]through{}
	}
	w := writing{s: s, v: v, kept: kept, through: lengths, shown: hotel.Span{From: v.layout.Today, To: v.layout.Last}}
	if set.Complete {
		listed := map[string]bool{}
		for _, p := range set.Plans {
			listed[p.Code] = true
		}
		for _, code := range slices.Sorted(maps.Keys(kept)) {
			if !listed[code] {
				set.Plans = append(set.Plans, message.Plan{Code: code, Kind: message.Remove})
			}
		}
	}
	var whole []words
	said := map[string]bool{}
	for _, p := range set.Plans {
		if said[p.Code] { // what one says of a plan stands before what the next says of it
			whole, w.words, said = append(whole, w.words), words{}, map[string]bool{}
		}
		said[p.Code] = true
		if err := w.plan(p); err != nil {
			return nil, err
		}
	}
	// Of a message that breaks off in the middle all comes again.
	for _, part := range append(whole, w.words) {
		if err := part.write(ctx, v.house); err != nil {
			return nil, err
		}
	}
	if err := put(ctx, s.shelf, throughKept, lengths); err != nil {
		return nil, err
	}
	if err := put(ctx, s.shelf, plansKept, kept); err != nil {
		return nil, err
	}
	return s.done(ctx, v, message.Priced)
}

// words are what is to be written of plans.
type words struct {
	rates []hotel.RateEntry
	rules []hotel.RestrictionEntry
}

// write writes first what closes, then the prices and the lengths of stays, and then what may
// open: a night that opens with another price is not on sale as it was before meanwhile.
func (w words) write(ctx context.Context, house connectors.House) error {
	closings, lengths, openings := []hotel.RestrictionEntry{}, []hotel.RestrictionEntry{}, []hotel.RestrictionEntry{}
	for _, e := range w.rules {
		switch {
		case closes(e):
			closings = append(closings, e)
		case e.Closed.Set || e.ClosedToArrival.Set || e.ClosedToDeparture.Set:
			openings = append(openings, e)
		default:
			lengths = append(lengths, e)
		}
	}
	rules := func(of []hotel.RestrictionEntry) error {
		return inBatches(of, func(e hotel.RestrictionEntry) int { return e.Days() }, func(part []hotel.RestrictionEntry) error { return house.WriteRestrictions(ctx, part) })
	}
	if err := rules(closings); err != nil {
		return err
	}
	if err := inBatches(w.rates, rateCells, func(part []hotel.RateEntry) error { return house.WriteRates(ctx, part) }); err != nil {
		return err
	}
	return rules(append(lengths, openings...))
}

// closes reports whether an entry closes something.
func closes(e hotel.RestrictionEntry) bool {
	return e.Closed.Value || e.ClosedToArrival.Value || e.ClosedToDeparture.Value
}

// rateCells is how many cells an entry counts as.
func rateCells(e hotel.RateEntry) int { return e.Days() * max(1, len(e.Occupancies)) }

// inBatches writes entries in order, as many at a time as may be.
func inBatches[E any](entries []E, cells func(E) int, write func([]E) error) error {
	for len(entries) > 0 {
		n, sum := 0, 0
		for n < len(entries) && n < hotel.MaxUpdateEntries && (n == 0 || sum+cells(entries[n]) <= hotel.MaxUpdateCells) {
			sum += cells(entries[n])
			n++
		}
		if err := write(entries[:n]); err != nil {
			return err
		}
		entries = entries[n:]
	}
	return nil
}

// writing is a message on its way into the ledger.
type writing struct {
	s       served
	v       visit
	kept    map[string]planKept
	shown   hotel.Span
	through map[string][]through // lengths of stays through, by the far side's codes
	words
}

func (w *writing) plan(p message.Plan) error {
	plan, err := w.s.plan(w.v, p.Code)
	if p.Kind == message.Remove {
		delete(w.kept, p.Code)
		delete(w.through, p.Code)
		if err != nil {
			return nil //nolint:nilerr // it is gone here already
		}
		for _, room := range plan.RoomTypeIDs {
			w.unpriced(plan, room, nil)
		}
		return nil
	}
	if err != nil {
		return err
	}
	if len(p.Rates) > 0 && p.Currency != plan.Currency {
		return message.Refusal{Code: message.CodeInvalid, Why: fmt.Sprintf("rate plan %s is in %s here, not in %s", p.Code, plan.Currency, p.Currency)}
	}
	whole := p.Kind != message.Overlay
	added, err := w.added(plan, p, w.kept[p.Code].Supplements)
	if err != nil {
		return err
	}
	basis, known := w.kept[p.Code]
	if p.Basis != nil {
		basis.PerPerson, known = p.Basis.PerPerson, true
	}
	if whole {
		basis.Supplements, basis.Epoch = p.Supplements, w.v.layout.Epoch
	}
	if known {
		w.kept[p.Code] = basis
	}
	if !known && len(p.Rates) > 0 {
		return message.Refusal{Code: message.CodeInvalid, Why: fmt.Sprintf("rate plan %s was not told as a whole yet: nobody knows what its amounts are for", p.Code), Asks: message.AskRatePlans}
	}
	priced := map[string][]hotel.Span{}
	for _, r := range p.Rates {
		nights, some := common(r.Nights, w.shown)
		room, err := w.roomOf(plan, r.Category)
		if err != nil {
			return err
		}
		if !some {
			continue
		}
		priced[room.ID] = append(priced[room.ID], nights)
		if basis.PerPerson {
			r = forRoom(r)
		}
		for _, part := range sameDue(nights, r.Category, added) {
			extra, each := dueOn(part.From, r.Category, added)
			if err := w.rate(plan, room, with(r, extra, each), part); err != nil {
				return err
			}
		}
	}
	if whole {
		for _, room := range plan.RoomTypeIDs {
			w.unpriced(plan, room, priced[room])
		}
	}
	return w.restrict(plan, p.Code, p.Rules, whole)
}

// roomOf finds the room type of a category, which has to be in the plan.
func (w *writing) roomOf(plan hotel.RatePlan, category string) (hotel.RoomType, error) {
	room, err := w.s.room(w.v, category)
	if err == nil && !slices.Contains(plan.RoomTypeIDs, room.ID) {
		err = message.Refusal{Code: message.CodeRoom, Why: fmt.Sprintf("room type %s is not sold in rate plan %s", room.Code, plan.Code)}
	}
	return room, err
}

// unpriced takes the prices away of all nights but those that have one.
func (w *writing) unpriced(plan hotel.RatePlan, room string, priced []hotel.Span) {
	e := hotel.RateEntry{RoomTypeID: room, RatePlanID: plan.ID, Amount: none}
	if at := slices.IndexFunc(w.v.layout.Rooms, func(r hotel.RoomType) bool { return r.ID == room }); at >= 0 && plan.Pricing == hotel.PerOccupancy {
		e.Occupancies = map[int]hotel.Optional[hotel.Money]{}
		for guests := 1; guests <= w.v.layout.Rooms[at].MaxAdults; guests++ {
			e.Occupancies[guests] = none
		}
		delete(e.Occupancies, w.v.layout.Rooms[at].BaseOccupancy)
	}
	for _, gap := range gaps(w.shown, priced) {
		for _, part := range hotel.EntryDates(gap) {
			e.Dates = hotel.Dates{Span: part}
			w.rates = append(w.rates, e)
		}
	}
}

// gaps are the nights of a span that are in none of others.
func gaps(of hotel.Span, others []hotel.Span) (left []hotel.Span) {
	others = slices.Clone(others)
	slices.SortFunc(others, func(a, b hotel.Span) int { return int(a.From) - int(b.From) })
	for _, o := range others {
		if o.From > of.To {
			break
		}
		if o.From > of.From {
			left = append(left, hotel.Span{From: of.From, To: o.From - 1})
		}
		of.From = max(of.From, o.To+1)
	}
	if of.From <= of.To {
		left = append(left, of)
	}
	return left
}

// forRoom multiplies amounts for each guest by their number.
func forRoom(r message.Rate) message.Rate {
	r.Prices = slices.Clone(r.Prices)
	for i := range r.Prices {
		r.Prices[i].Minor *= int64(r.Prices[i].Guests)
	}
	return r
}

// rate writes down what a room costs.
func (w *writing) rate(plan hotel.RatePlan, room hotel.RoomType, r message.Rate, nights hotel.Span) error {
	by := map[int]hotel.Money{}
	for _, p := range r.Prices {
		by[p.Guests] = hotel.Money{Minor: p.Minor, Currency: plan.Currency}
	}
	base, said := by[room.BaseOccupancy]
	if !said {
		return message.Refusal{Code: message.CodeMissing, Why: fmt.Sprintf("category %s costs nothing for %d adults on %s: the price of the standard number is missing", r.Category, room.BaseOccupancy, r.Nights.From)}
	}
	e := hotel.RateEntry{RoomTypeID: room.ID, RatePlanID: plan.ID, Amount: hotel.Given(base), ExtraAdult: none, ExtraChild: map[string]hotel.Optional[hotel.Money]{}}
	if plan.Pricing == hotel.PerOccupancy {
		e.Occupancies = map[int]hotel.Optional[hotel.Money]{}
		for guests := 1; guests <= room.MaxAdults; guests++ {
			if amount, told := by[guests]; guests != room.BaseOccupancy && told {
				e.Occupancies[guests] = hotel.Given(amount)
			} else if guests != room.BaseOccupancy {
				e.Occupancies[guests] = none
			}
		}
	}
	for _, band := range w.v.layout.Property.AgeBands {
		if band.CountsAs != hotel.Adult {
			e.ExtraChild[band.Code] = none
		}
	}
	for _, extra := range r.Extra {
		amount := hotel.Money{Minor: extra.Minor, Currency: plan.Currency}
		if !extra.Child {
			e.ExtraAdult = hotel.Given(amount)
			continue
		}
		w.child(e.ExtraChild, extra, amount)
	}
	for _, part := range hotel.EntryDates(nights) {
		e.Dates = hotel.Dates{Span: part}
		w.rates = append(w.rates, e)
	}
	return nil
}

// none takes an amount away.
var none = hotel.Optional[hotel.Money]{Set: true, Null: true}

// child sets the price of children in all age bands of the house that have an age of the
// far side's bracket in them. Where a band has several prices the highest counts: nobody
// is sold a bed for less than the hotel wants.
func (w *writing) child(to map[string]hotel.Optional[hotel.Money], extra message.ExtraGuest, amount hotel.Money) {
	for _, band := range w.v.layout.Property.AgeBands {
		if band.CountsAs == hotel.Adult || extra.FromAge >= band.ToAge || extra.BelowAge != 0 && extra.BelowAge <= band.FromAge {
			continue
		}
		if was := to[band.Code]; was.Null || was.Value.Minor < amount.Minor {
			to[band.Code] = hotel.Given(amount)
		}
	}
}

// roomRule is a rule with the room type that it is for, "" for all.
type roomRule struct {
	message.Rule
	room string
}

// restrict writes down booking rules, of the whole plan or of each category. A whole plan
// leaves nothing of what restricted it before.
func (w *writing) restrict(plan hotel.RatePlan, code string, all []message.Rule, whole bool) error {
	general := slices.ContainsFunc(all, func(r message.Rule) bool { return r.Category == "" })
	if general && slices.ContainsFunc(all, func(r message.Rule) bool { return r.Category != "" }) {
		return message.Refusal{Code: message.CodeInvalid, Why: fmt.Sprintf("rate plan %s has rules for all categories and rules for some, which are not taken together", plan.Code)}
	}
	written := map[string][]hotel.Span{} // by room, "" for all: each night is written once, so that nothing is open in between
	var rules []roomRule
	for _, r := range all {
		room := ""
		if r.Category != "" {
			of, err := w.roomOf(plan, r.Category)
			if err != nil {
				return err
			}
			room = of.ID
		}
		rules = append(rules, roomRule{r, room})
		if nights, some := common(r.Nights, w.shown); some {
			w.rule(plan, room, r, nights)
			written[room] = append(written[room], nights)
		}
	}
	if whole {
		for _, room := range append([]string{""}, plan.RoomTypeIDs...) {
			for _, gap := range gaps(w.shown, written[room]) {
				w.rule(plan, room, message.Rule{}, gap)
			}
		}
	}
	w.lengths(plan, code, rules, whole)
	return nil
}

// rule writes one down: whether it closes, what it says of arrivals, and on which days of the
// week nobody comes or goes.
func (w *writing) rule(plan hotel.RatePlan, room string, r message.Rule, nights hotel.Span) {
	for _, part := range hotel.EntryDates(nights) {
		at := hotel.RestrictionEntry{RoomTypeID: room, RatePlanID: plan.ID, Dates: hotel.Dates{Span: part}}
		e := at
		e.Closed = hotel.Given(r.Closed)
		e.MinStayArrival, e.MaxStayArrival = limit(r.Lengths.MinStayArrival), limit(r.Lengths.MaxStayArrival)
		w.rules = append(w.rules, e)
		for days, shut := range byDay(r.Arrival) {
			e = at
			e.Weekdays, e.ClosedToArrival = days, hotel.Given(shut)
			w.rules = append(w.rules, e)
		}
		for days, shut := range byDay(r.Departure) {
			e = at
			e.Weekdays, e.ClosedToDeparture = days, hotel.Given(shut)
			w.rules = append(w.rules, e)
		}
	}
}

// byDay tells of which days of the week something is shut, and of which it is not. No day
// stands for all of them.
func byDay(shut [7]bool) iter.Seq2[[7]bool, bool] {
	var open [7]bool
	for day, s := range shut {
		open[day] = !s
	}
	return func(yield func([7]bool, bool) bool) {
		switch {
		case shut == [7]bool{}:
			yield([7]bool{}, false)
		case open == [7]bool{}:
			yield([7]bool{}, true)
		default:
			_ = yield(shut, true) && yield(open, false)
		}
	}
}

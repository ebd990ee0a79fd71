package dispatch

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/carriage"
	"ostler.example/hotel/price"
	"ostler.example/ledger"
)

// progress is what a step towards the end of the journal came to.
type progress struct {
	moved  bool // something was worked out
	urgent bool // it was about rooms sold
	more   bool // something is left
}

// mostPassed is how many steps in a row may leave the strand where it is that has
// read least of the journal.
const mostPassed = 3

// derive brings what the channel is to show one step towards the end of the
// journal. What is urgent goes first, but a stream of it lets the rest through.
func (w *Worker) derive(ctx context.Context) (progress, error) {
	how := ledger.Turn{Done: &w.done}
	if w.passed >= mostPassed {
		how.First = ledger.OldestFirst
	}
	work, err := w.Ledger.Work(ctx, w.Channel.ID, w.reach(), how)
	if err != nil || work.Empty() || work.Revision != w.Channel.Revision {
		return progress{}, err // of another revision the worker that follows this one knows more
	}
	if err := w.Ledger.Desire(ctx, w.Channel.ID, work, w.offers(work)); err != nil {
		return progress{}, err
	}
	w.done.Add(work)
	if w.passed++; !work.PassedOver() {
		w.passed = 0
	}
	return progress{moved: true, urgent: work.Urgent, more: work.More}, nil
}

// Step returns what a worker of the channel tells the ledger of its terms, and how
// it makes of house values what the channel is to show, for whoever verifies what
// workers have derived.
func Step(c hotel.Channel, caps connectors.Capabilities) (ledger.Reach, func(ledger.Work) []ledger.Wanted) {
	w := New(Options{Channel: c, Caps: caps})
	return w.reach(), w.offers
}

// reach is what the ledger has to know of the channel's terms.
func (w *Worker) reach() ledger.Reach {
	closed := w.Caps.Fields[hotel.FieldClosed]
	return ledger.Reach{
		Together: w.carried.Level(), Apart: closed.As == hotel.Exact && closed.Level == hotel.PerRate, Days: w.Caps.HorizonDays,
	}
}

// carry takes over what the property and its channel have done about fields that the
// channel cannot be told.
func (w *Worker) carry(p *hotel.Property) {
	if absent := hotel.AbsentOf(w.Channel.Policies, p.Policies); !maps.Equal(absent, w.carried.Absent) {
		w.carried.Absent = absent
		clear(w.told)
	}
}

// offers is the channel stage: house values and the channel's terms become what
// it is to show. Nights that are over, or further ahead than it takes, are left
// out.
func (w *Worker) offers(work ledger.Work) []ledger.Wanted {
	w.carry(&work.Property)
	today := work.Property.Today(work.Now)
	reaches := func(night hotel.Date) bool { return night >= today && w.Caps.Takes(night, today) }
	var out []ledger.Wanted
	for _, s := range work.Stock {
		if reaches(s.Night) {
			out = append(out, w.stock(s, today, nil))
		}
	}
	for _, p := range work.Prices {
		if reaches(p.Night) {
			out = append(out, w.prices(&work.Property, p, nil)...)
		}
	}
	for _, r := range work.Rules {
		out = append(out, w.rules(work, r)...)
	}
	return out
}

// stock works out how many rooms a counter is to show on a night.
func (w *Worker) stock(s ledger.StockWork, today hotel.Date, tr *hotel.Trace) ledger.Wanted {
	s.Channel.Beyond = w.Channel.Days != nil && s.Night > today+hotel.Date(*w.Channel.Days)
	s.Channel.Most = w.most()
	v := wanted(s.Line, hotel.Availability, 0, s.Night, hotel.Offer{Available: availability.Offer(s.Available, s.Channel, tr)})
	v.Closes = w.tells() != ledger.TellsClosures
	return v
}

// prices works out what a product is to cost on a night. Without a price it is
// not for sale. traces takes down the steps by occupancy.
func (w *Worker) prices(of *hotel.Property, p ledger.PriceWork, traces map[int]*hotel.Trace) []ledger.Wanted {
	base, priced := p.Prices[0]
	byGuests := w.Caps.ByOccupancy(p.Rate)
	var shown price.Channel
	if priced {
		shown = price.ChannelFor(&w.Channel, of, p.Plan, p.Night)
		priced = shown.Converts(base.Currency)
	}
	if !priced || !w.carries(hotel.Price) {
		return []ledger.Wanted{{
			Cell: hotel.Cell{Line: p.Line, Group: hotel.Price, Night: p.Night}, Missing: !priced && w.carries(hotel.Price), Occupancies: byGuests,
		}}
	}
	bounds, in := w.Caps.Fields[hotel.FieldAmount], cmp.Or(shown.Currency, base.Currency)
	shown.Min, shown.Max = hotel.Money{Minor: int64(bounds.Min), Currency: in}, hotel.Money{Minor: int64(bounds.Max), Currency: in}
	amount := func(h price.House, guests int, tr *hotel.Trace) hotel.Offer {
		shown.Guests = guests
		h.Limits = price.LimitsOf(p.Plan, p.Room, p.Night)
		return hotel.Offer{Amount: price.Offer(h, shown, tr)}
	}
	out := []ledger.Wanted{wanted(p.Line, hotel.Price, 0, p.Night, amount(base, p.Guests, traces[0]))}
	out[0].Occupancies = byGuests
	for occupancy, h := range p.Prices {
		if occupancy > 0 && byGuests {
			out = append(out, wanted(p.Line, hotel.Price, occupancy, p.Night, amount(h, occupancy, traces[occupancy])))
		}
	}
	return out
}

// rules works out the restrictions that some products are told.
func (w *Worker) rules(work ledger.Work, r ledger.RulesWork) []ledger.Wanted {
	told := w.compile(work, r)
	var out []ledger.Wanted
	for i, line := range r.Lines {
		for at, told := range told.Products[i] {
			night := r.From + hotel.Date(at)
			closures := wanted(line, hotel.Closures, 0, night, hotel.Offer{Closed: told.Closed})
			closures.Tells = w.tells()
			lengths := wanted(line, hotel.Lengths, 0, night, hotel.Offer{Lengths: told.Lengths})
			if !w.carries(hotel.Lengths) || r.Plans[i] == nil { // what is closed for good has none, and may share those of others
				lengths.Value = nil
			}
			out = append(out, closures, lengths)
		}
	}
	return out
}

// compile makes of restrictions what the channel can be told. What is past its
// cut-off is closed in them.
func (w *Worker) compile(work ledger.Work, r ledger.RulesWork) carriage.Told {
	for i := range r.Lines {
		w.cutOff(work, r.Plans[i], r.From, r.House[i])
	}
	return w.tell(r.Lines[0], carriage.House{From: r.From, Today: work.Property.Today(work.Now), Products: r.House})
}

// toldOf is what was last worked out for products that are told together.
type toldOf struct {
	house carriage.House
	told  carriage.Told
}

// tell works out what products are told that go together, of which line is the
// first. Often the same was asked before: what moves restrictions is looked at twice.
func (w *Worker) tell(line int64, h carriage.House) carriage.Told {
	same := func(a, b []availability.NightRules) bool { return slices.Equal(a, b) }
	last := w.told[line]
	if last.house.From != h.From || last.house.Today != h.Today || !slices.EqualFunc(last.house.Products, h.Products, same) {
		last = toldOf{h, w.carried.Tell(h)}
		w.told[line] = last
	}
	return last.told
}

// cutOff closes the arrivals for which it is too late by now. A later arrival has
// a later cut-off.
func (w *Worker) cutOff(work ledger.Work, plan *hotel.RatePlan, from hotel.Date, rules []availability.NightRules) {
	cutOffs := []*hotel.CutOff{work.Property.CutOff, w.Channel.CutOff}
	if plan != nil {
		cutOffs = append(cutOffs, plan.CutOff)
	}
	for i := range rules {
		if !availability.PastCutOff(from+hotel.Date(i), work.Property.Zone(), work.Now, cutOffs...) {
			return
		}
		rules[i] = availability.CloseToArrival(rules[i], w.Caps.Fields)
	}
}

func wanted(line int64, g hotel.Group, occupancy int, night hotel.Date, o hotel.Offer) ledger.Wanted {
	v := o.Encode(g)
	return ledger.Wanted{Cell: hotel.Cell{Line: line, Group: g, Occupancy: occupancy, Night: night}, Value: &v}
}

// tells says how much of the closures the channel can be told.
func (w *Worker) tells() ledger.Tells {
	switch {
	case w.Caps.Fields[hotel.FieldClosed].As == hotel.Exact:
		return ledger.TellsClosures
	case w.carries(hotel.Closures):
		return ledger.TellsAllButClosed
	}
	return ledger.TellsNothing
}

// carries reports whether the channel takes any field of the group.
func (w *Worker) carries(g hotel.Group) bool {
	for f, c := range w.Caps.Fields {
		if f.Group() == g && c.As == hotel.Exact {
			return true
		}
	}
	return false
}

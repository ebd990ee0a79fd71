package dispatch

import (
	"context"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/carriage"
	"ostler.example/ledger"
)

// Explain tells how what the channel is shown of a product on a night comes about.
// The house's steps and the channel's are taken down by the functions that work
// out what is sent, by a worker of its own: this one may run meanwhile.
func (w *Worker) Explain(ctx context.Context, of hotel.ExplainQuery) (hotel.Explanation, error) {
	in, err := w.Ledger.Insight(ctx, of, w.reach())
	if err != nil {
		return hotel.Explanation{}, err
	}
	w = New(w.with(in.Channel))
	w.carry(&in.Work.Property)
	in.Silenced = in.Silenced && w.tells() != ledger.TellsClosures
	x := hotel.Explanation{
		ChannelID: of.ChannelID, RoomTypeID: in.Mapping.RoomTypeID, RatePlanID: in.Mapping.RatePlanID,
		RemoteRoom: in.Mapping.RemoteRoom, RemoteRate: in.Mapping.RemoteRate, Channel: in.Channel.Status,
		Night: of.Night, At: in.Work.Now, Sequence: in.Sequence, Told: in.Told, Groups: in.Groups, Calls: in.Calls, Conflicts: in.Conflicts,
	}
	x.Numbers = slices.Concat(w.explainStock(in), w.explainRules(in, of.Night), w.explainPrices(in))
	if of.AsOf.Now() {
		return x, nil
	}
	if w.keptClosed() || in.Silenced { // behind the steps, which tell what there would be to sell
		for i := range in.Work.Stock {
			in.Work.Stock[i].Available = 0
		}
	}
	for i := range x.Groups {
		g := &x.Groups[i]
		g.Desired = w.derived(in, *g, of.Night)
		if g.State == hotel.HeldBack && g.Desired != nil && g.Sent != nil && g.Desired.Value == g.Sent.Value {
			g.State, g.Code, g.Reason = hotel.InSync, "", "" // nothing newer waited
		}
	}
	return x, nil
}

// with is the worker's own options for the channel as it was at some point.
func (w *Worker) with(c hotel.Channel) Options {
	o := w.Options
	o.Channel = c
	return o
}

// derived is what the offers say of a group on a night.
func (w *Worker) derived(in ledger.Insight, g hotel.GroupSight, night hotel.Date) *hotel.ShownFact {
	for _, v := range closeUnpriced(w.offers(in.Work)) {
		mine := v.Cell.Night == night && (v.Cell.Group == hotel.Availability || v.Cell.Line == in.Mapping.Line)
		if mine && v.Cell.Group == g.Group && v.Value != nil && (g.Group != hotel.Price || w.guests(in, v.Cell.Occupancy) == g.Occupancy) {
			return &hotel.ShownFact{Value: hotel.DecodeOffer(g.Group, *v.Value, w.currencyOf(in))}
		}
	}
	return nil
}

// currencyOf is the currency of the product's prices at the channel.
func (w *Worker) currencyOf(in ledger.Insight) hotel.Currency {
	c := w.Channel.Pricing.Currency
	if plan := in.Work.Prices; c == "" && len(plan) > 0 && plan[0].Plan != nil {
		c = plan[0].Plan.Currency
	}
	return c
}

// guests is for how many the price of an occupancy is.
func (w *Worker) guests(in ledger.Insight, occupancy int) int {
	if occupancy == 0 {
		return in.Guests
	}
	return occupancy
}

func (w *Worker) explainStock(in ledger.Insight) []hotel.Explained {
	if len(in.Work.Stock) == 0 {
		return nil
	}
	tr, of := &hotel.Trace{Steps: in.Stock}, in.Work.Stock[0]
	of.Channel.CutOff = in.Silenced && availability.PastCutOff(of.Night, in.Work.Property.Zone(), in.Work.Now, in.Work.Property.CutOff, w.Channel.CutOff)
	w.stock(of, in.Work.Property.Today(in.Work.Now), tr)
	for i := range tr.Steps {
		switch s := &tr.Steps[i]; s.Name {
		case "keep_back", "channel_limit":
			s.Sequence = in.Kept
		case "closed":
			s.Sequence = in.Closing
		case "protection_share":
			s.By, s.Share = shareWords(in.Share), in.Share
			s.Acted.Kind = string(in.Pools)
		}
	}
	if in.Silenced && !of.Channel.CutOff {
		tr.AddCount("closed", 0, "a rate plan of the room is closed or has no price, which this channel can only be told as no rooms")
	}
	if w.keptClosed() {
		tr.AddCount("paused", 0, "the channel is paused and kept closed")
	}
	if in.Total != nil {
		inAll(*in.Total, tr)
	}
	return []hotel.Explained{{Field: hotel.FieldAvailable, Group: hotel.Availability, Steps: tr.Steps}}
}

// inAll adds what a channel is told that is told the most that it sells in all. Where
// it is to sell no more it is told none, whatever it has sold.
func inAll(sold int, tr *hotel.Trace) {
	left := tr.Steps[len(tr.Steps)-1].Count
	total, by := 0, "told none in all, for it is to sell no more"
	if left > 0 {
		total = left + sold
		by = fmt.Sprintf("told %d in all, of which %d are sold there", total, sold)
	}
	tr.AddCount("total_limit", left, by)
	tr.Name(hotel.Acted{Limit: &total, Counted: &sold})
}

// keptClosed reports whether the channel is told that nothing is for sale.
func (w *Worker) keptClosed() bool { return w.Channel.Status == hotel.Paused && !w.Channel.Frozen }

// shareWords says what a channel was granted.
func shareWords(s *hotel.Share) string {
	switch {
	case s == nil:
		return ""
	case s.NotKept:
		return "its share of the guarded rooms then is not kept: it was shown that much at the most"
	case s.Unknown:
		return fmt.Sprintf("nobody knows what it has sold: it is closed until that is known; undealt %d", s.Undealt)
	}
	return fmt.Sprintf("granted %d, of which %d sold here; undealt %d", s.Account, s.Sold, s.Undealt)
}

// forcedWords says why the channel is told a closing that the house does not want.
func forcedWords(cause hotel.Field, house hotel.LengthLimits) string {
	for _, of := range [][2]int{{house.MinStayArrival, house.MaxStayArrival}, {house.MinStayThrough, house.MaxStayThrough}} {
		if least, most := of[0], of[1]; most > 0 && least > most {
			return fmt.Sprintf("closed, for the shortest stay (%d nights) is longer than the longest (%d)", least, most)
		}
	}
	return fmt.Sprintf("closed, for the channel cannot be told %s as the house has it", cause)
}

func (w *Worker) explainRules(in ledger.Insight, night hotel.Date) []hotel.Explained {
	if len(in.Work.Rules) == 0 {
		return nil
	}
	r := in.Work.Rules[0]
	line, at := slices.Index(r.Lines, in.Mapping.Line), int(night-r.From)
	told := w.compile(in.Work, r)
	house := carriage.House{From: r.From, Today: in.Work.Property.Today(in.Work.Now), Products: r.House}
	tr := &hotel.Trace{Steps: in.Rules}
	r.House[line][at].Record("cut_off", "", tr)
	told.Products[line][at].Record("capability_clamp", "", tr)
	lost := map[hotel.Field]int{}
	for _, l := range w.carried.Lost(house, told) {
		if l.Product == line && l.Night == night {
			lost[l.Field] += l.Stays
		}
	}
	forced := map[hotel.Field]hotel.Field{}
	for _, f := range told.Forced {
		if f.Product == line && f.Night == night {
			forced[f.Field] = f.Cause
		}
	}
	var out []hotel.Explained
	for _, f := range hotel.Fields {
		steps := tr.OfField(f)
		if len(steps) == 0 {
			continue
		}
		last := &steps[len(steps)-1]
		switch tells := w.Caps.Fields[f].As; {
		case lost[f] > 0:
			last.By = fmt.Sprintf("turns away %d stays of up to %d nights that the house allows, for want of another field", lost[f], told.Longest)
		case tells == hotel.Coarser:
			last.By = "not told itself: other fields are tightened in its place"
		case tells == hotel.Absent && f != hotel.FieldClosed:
			last.By = "the channel cannot be told; " + absentWords[w.carried.Absent[f]]
		}
		if cause, only := forced[f]; only {
			if last.By != "" {
				last.By += "; "
			}
			last.By += forcedWords(cause, r.House[line][at].Lengths)
		}
		if f == hotel.FieldClosed {
			steps = w.priced(in, steps)
		}
		steps = standing(in, f, steps)
		if restricts(steps) || slices.Contains(in.Told, f) {
			out = append(out, hotel.Explained{Field: f, Group: f.Group(), Steps: steps})
		}
	}
	return out
}

// absentWords says what is done about a field that a channel cannot be told.
var absentWords = map[hotel.AbsentPolicy]string{
	"":                  "the hotel keeps it there itself",
	hotel.KeptAtChannel: "the hotel keeps it there itself",
	hotel.CloseNights:   "the nights that need it are closed",
}

// restricts reports whether any step says something.
func restricts(steps []hotel.Step) bool {
	return slices.ContainsFunc(steps, func(s hotel.Step) bool { return s.Text != "false" && s.Text != "0" })
}

// priced adds that a night is closed for want of a price, or of a count.
func (w *Worker) priced(in ledger.Insight, steps []hotel.Step) []hotel.Step {
	if steps[len(steps)-1].Text == "true" {
		return steps
	}
	for _, v := range w.offers(in.Work) {
		if v.Cell.Group == hotel.Price && v.Missing {
			return append(steps, hotel.Step{Name: "missing_price", Text: "true", By: "the night has no price"})
		}
	}
	for _, g := range in.Groups {
		if g.Group != hotel.Closures || g.Desired == nil || !g.Desired.Value.Closed.Closed {
			continue
		}
		if !g.CutAt.IsZero() {
			return append(steps, hotel.Step{
				Name: "other_route", Text: "true", Sequence: g.Desired.Sequence,
				By: "the channel may show more rooms than it is to: closed until it has confirmed the count",
			})
		}
		return append(steps, hotel.Step{Name: "price_unconfirmed", Text: "true", By: "it opens when the channel has confirmed its price"})
	}
	return steps
}

// standing adds that of what the channel shows a field is left standing.
func standing(in ledger.Insight, f hotel.Field, steps []hotel.Step) []hotel.Step {
	for _, g := range in.Groups {
		if g.Group != f.Group() || g.House == nil || g.Desired == nil {
			continue
		}
		shows := availability.NightRules{Closed: g.Desired.Value.Closed, Lengths: g.Desired.Value.Lengths}
		if text, _ := shows.Text(f); text != steps[len(steps)-1].Text {
			steps = append(steps, hotel.Step{Name: "left_standing", Text: text, By: "the channel showed it when it was asked, and that stands until something else is wanted"})
		}
	}
	return steps
}

func (w *Worker) explainPrices(in ledger.Insight) []hotel.Explained {
	if len(in.Work.Prices) == 0 || !w.carries(hotel.Price) {
		return nil
	}
	p := in.Work.Prices[0]
	traces := make(map[int]*hotel.Trace, len(p.Prices))
	for occupancy := range p.Prices {
		traces[occupancy] = &hotel.Trace{Steps: in.Prices[occupancy]}
	}
	var out []hotel.Explained
	for _, v := range w.prices(&in.Work.Property, p, traces) {
		if v.Value == nil {
			continue
		}
		guests, steps := w.guests(in, v.Cell.Occupancy), traces[v.Cell.Occupancy].Steps
		for i := len(in.Prices[v.Cell.Occupancy]); i < len(steps); i++ { // what the channel makes of the house's price
			switch s := &steps[i]; s.Name {
			case "markup", "tax_basis", "currency":
				s.Sequence = in.ChannelSet
			case "rounding", "floor_ceiling":
				s.Sequence = in.PlanSet
			}
		}
		guard := hotel.Step{Name: "price_guard", Text: steps[len(steps)-1].Text}
		for _, g := range in.Groups {
			switch {
			case g.Group != hotel.Price || g.Occupancy != guests:
			case g.House != nil && g.Desired != nil:
				guard.Text, guard.By = g.Desired.Value.Amount.Amount(), "capped: "+guard.Text+" is what the house asks for"
			case g.State == hotel.HeldBack && g.Code == "price_guard":
				guard.By = g.Reason
			}
		}
		n := hotel.Explained{Field: hotel.FieldAmount, Group: hotel.Price, Occupancy: guests, Steps: append(steps, guard)}
		if v.Cell.Occupancy == 0 {
			n.Mapped = in.Mapping.Guests
		}
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b hotel.Explained) int { return a.Occupancy - b.Occupancy })
	return out
}

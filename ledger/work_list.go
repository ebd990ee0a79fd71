package ledger

import (
	"context"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// workList collects what entries touch, each line and night once.
type workList struct {
	channel  string
	property hotel.Property
	closed   bool       // the channel is paused and kept closed: it sells nothing, and is told nothing else
	now      time.Time  // of the property's newest tick
	days     int        // how far ahead the channel takes nights; 0: as far as the property sells
	horizon  hotel.Span // what is told restrictions, from the calendar today on
	counters []Counter
	mappings []hotel.Mapping
	groups   [][]hotel.Mapping // those that are told their restrictions together

	changed              changedCodes
	plans                map[string]*hotel.RatePlan
	stock, prices, rules lineNights
	size                 int
}

// lineNights is a set of nights for each line.
type lineNights map[int64]nightSet

// part is what an entry touches: the same nights of some lines.
type part struct {
	stock, prices, rules []int64
	ranges               []hotel.Span
}

func newWorkList(ctx context.Context, q *ledgerdb.Queries, c ledgerdb.Channel, p hotel.Property, now time.Time, reach Reach) (*workList, error) {
	of, err := channelOf(c)
	if err != nil {
		return nil, err
	}
	list := &workList{
		channel: c.ID, property: p, closed: of.Status == hotel.Paused && !of.Frozen, now: now, days: reach.Days, horizon: p.Shows(now),
		stock: lineNights{}, prices: lineNights{}, rules: lineNights{},
	}
	if reach.Days > 0 {
		list.horizon.To = min(list.horizon.To, list.horizon.From+hotel.Date(reach.Days))
	}
	list.counters, list.mappings, err = loadLines(ctx, q, c.ID)
	for _, m := range list.mappings {
		if m.Retired && reach.Together != hotel.PerRate && !reach.Apart {
			continue // closing it would close what is told together with it
		}
		with := slices.IndexFunc(list.groups, func(g []hotel.Mapping) bool {
			return !m.Retired && !g[0].Retired && (reach.Together == hotel.PerProperty || reach.Together == hotel.PerRoomType && g[0].RemoteRoom == m.RemoteRoom)
		})
		if with < 0 {
			with, list.groups = len(list.groups), append(list.groups, nil)
		}
		list.groups[with] = append(list.groups[with], m)
	}
	return list, err
}

// add takes in an entry from its skip-th night on. It returns how many of the
// entry's nights have been taken in, and whether that is all of them: there may
// be no room for the rest, or for any. A night counts once for each part.
func (l *workList) add(e Entry, skip int64) (read int64, whole bool, err error) {
	parts, err := l.touched(e)
	if err != nil {
		return 0, false, err
	}
	for _, p := range parts {
		for _, r := range p.ranges {
			if passed := min(skip-read, int64(r.Days())); passed > 0 {
				read += passed
				r.From += hotel.Date(passed)
			}
			for d := r.From; d <= r.To; d++ {
				further := l.stock.missing(p.stock, d) + l.prices.missing(p.prices, d) + l.rules.missing(p.rules, d)
				if l.size > 0 && further > 0 && l.size+further > DeriveAtMost {
					return read, false, nil
				}
				read++
				l.size += further
				l.mark(p, hotel.Span{From: d, To: d})
			}
		}
	}
	return read, true, nil
}

// touched says what of the channel an entry may have moved.
func (l *workList) touched(e Entry) ([]part, error) {
	body, err := decode[struct {
		Ranges  []hotel.Span `json:"ranges"`
		Horizon hotel.Span   `json:"horizon"`
		Offers  bool         `json:"offers"`
		changedCodes
	}](e)
	if err != nil {
		return nil, err
	}
	var parts []part
	switch e.Kind {
	case InventoryUpdated, ShownChanged:
		p := part{ranges: body.Ranges}
		for _, c := range l.counters {
			if c.RoomTypeID == e.Subject {
				p.stock = append(p.stock, c.Line)
			}
		}
		parts = append(parts, p)
	case RatesUpdated:
		p := part{ranges: body.Ranges}
		for _, m := range l.mappings {
			if subjectOf(m) == e.Subject {
				p.prices = append(p.prices, m.Line)
			}
		}
		parts = append(parts, p)
	case HouseRulesUpdated:
		// What is told about a night can follow from the rules of any other.
		for _, g := range l.groups {
			if slices.ContainsFunc(g, func(m hotel.Mapping) bool { return subjectOf(m) == e.Subject }) {
				parts = append(parts, part{rules: linesOf(g), ranges: []hotel.Span{l.horizon}})
			}
		}
	case PropertyUpdated, RoomTypeUpdated, RatePlanUpdated:
		if body.Offers {
			parts = l.terms(e, body.Ranges)
		}
	case ChannelActivated, ChannelUpdated, ChannelPaused, ChannelMapped:
		if e.Subject == l.channel {
			parts = l.everything(body.Horizon)
			l.changed.Counters = append(l.changed.Counters, body.Counters...)
			l.changed.Lines = append(l.changed.Lines, body.Lines...)
		}
	case ClockTick:
		if parts, err = l.timePassed(e); err != nil {
			return nil, err
		}
	default: // moves nothing that this channel shows
	}
	if l.closed {
		for i := range parts {
			parts[i].prices, parts[i].rules = nil, nil
		}
	}
	return slices.DeleteFunc(parts, func(p part) bool { return len(p.stock)+len(p.prices)+len(p.rules) == 0 }), nil
}

// terms is what follows from the property's taxes and cut-off, from how many guests
// pay them in a room type, or from what a plan says to channels beside its prices:
// all that it is sold as.
func (l *workList) terms(e Entry, ranges []hotel.Span) []part {
	var parts []part
	for _, g := range l.groups {
		p := part{rules: linesOf(g), ranges: ranges}
		for _, m := range g {
			if e.Kind == PropertyUpdated || m.RatePlanID == e.Subject || m.RoomTypeID == e.Subject {
				p.prices = append(p.prices, m.Line)
			}
		}
		if len(p.prices) > 0 {
			parts = append(parts, p)
		}
	}
	return parts
}

// timePassed is what follows from the time alone: cut-offs and advance days
// decide anew what is told of any night, and nights come within the channel's
// own horizon that the property has sold for long.
func (l *workList) timePassed(e Entry) ([]part, error) {
	now, err := decode[Time](e)
	if err != nil {
		return nil, err
	}
	var parts []part
	if days := hotel.Date(l.days); l.days > 0 && now.Before < now.Today {
		fresh := hotel.Span{From: max(now.Before+days+1, now.Today), To: min(now.Today+days, now.Today+hotel.Date(l.property.HorizonDays))}
		for _, p := range l.everything(fresh) {
			p.rules = nil
			parts = append(parts, p)
		}
	}
	for _, g := range l.groups {
		parts = append(parts, part{rules: linesOf(g), ranges: []hotel.Span{l.horizon}})
	}
	return parts, nil
}

// everything is all lines, one after the other: the restrictions of a line are
// worked out for all of its nights at once.
func (l *workList) everything(nights hotel.Span) []part {
	ranges := []hotel.Span{nights}
	var parts []part
	for _, c := range l.counters {
		parts = append(parts, part{stock: []int64{c.Line}, ranges: ranges})
	}
	for _, g := range l.groups {
		parts = append(parts, part{prices: linesOf(g), rules: linesOf(g), ranges: ranges})
	}
	return parts
}

// sells reports whether the channel is to sell what a mapping is about: its plan
// names the channel.
func (l *workList) sells(m hotel.Mapping) bool {
	plan := l.plans[m.RatePlanID]
	return plan != nil && slices.Contains(plan.SoldBy, l.channel)
}

func subjectOf(m hotel.Mapping) string { return product{m.RoomTypeID, m.RatePlanID}.subject() }

func linesOf(group []hotel.Mapping) []int64 {
	lines := make([]int64, len(group))
	for i, m := range group {
		lines[i] = m.Line
	}
	return lines
}

// mark takes in nights of a part's lines.
func (l *workList) mark(p part, nights hotel.Span) {
	for d := nights.From; d <= nights.To; d++ {
		l.stock.mark(p.stock, d)
		l.prices.mark(p.prices, d)
		l.rules.mark(p.rules, d)
	}
}

func (n lineNights) mark(lines []int64, d hotel.Date) {
	for _, line := range lines {
		if n[line] == nil {
			n[line] = nightSet{}
		}
		n[line][d] = struct{}{}
	}
}

// missing counts the lines for which the night is not marked.
func (n lineNights) missing(lines []int64, d hotel.Date) int {
	count := 0
	for _, line := range lines {
		if _, marked := n[line][d]; !marked {
			count++
		}
	}
	return count
}

// nights is the union over the lines.
func (n lineNights) nights() nightSet {
	all := nightSet{}
	for _, set := range n {
		for d := range set {
			all[d] = struct{}{}
		}
	}
	return all
}

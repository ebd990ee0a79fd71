package ledger

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// workList collects what entries touch, each line and night once.
type workList struct {
	channel  string
	row      ledgerdb.Channel // as it was read
	property hotel.Property
	closed   bool       // the channel is paused and kept closed: it sells nothing, and is told nothing else
	now      time.Time  // of the property's newest tick
	days     []int      // how far ahead the channel takes nights, it is sold, and the property is; a limit that there is not is missing
	horizon  hotel.Span // what is told restrictions, from the calendar today on
	counters []Counter
	mappings []hotel.Mapping
	groups   [][]hotel.Mapping // those that are told their restrictions together

	changed       changedCodes
	plans         map[string]*hotel.RatePlan
	stock, prices lineNights
	rules         map[strand]map[int]bool // by group
	parts         map[int64][]part        // of entries, by sequence
	took          []taken
	size          int

	foreseen Foresight // values that there are not yet, over those that are stored
}

// lineNights is a set of nights for each line.
type lineNights map[int64]nightSet

// newWorkList returns a list for a channel that has read up to an entry.
func newWorkList(ctx context.Context, q *ledgerdb.Queries, c ledgerdb.Channel, now time.Time, reach Reach) (*workList, error) {
	of, err := channelOf(c)
	if err != nil {
		return nil, err
	}
	p, err := readOne[hotel.Property](q.GetProperty(ctx, c.PropertyID))
	if err != nil {
		return nil, err
	}
	list := &workList{
		channel: c.ID, row: c, property: p, closed: of.Status == hotel.Paused && !of.Frozen, now: now, horizon: p.Shows(now),
		stock: lineNights{}, prices: lineNights{}, rules: map[strand]map[int]bool{closingsStrand: {}, rulesStrand: {}}, parts: map[int64][]part{},
	}
	if of.Days != nil {
		list.days = append(list.days, *of.Days)
	}
	if reach.Days > 0 {
		list.days = append(list.days, reach.Days)
		list.horizon.To = min(list.horizon.To, list.horizon.From+hotel.Date(reach.Days))
	}
	// What was worked out when the horizon was longer is as it was: no entry about rooms or
	// prices says of it that the night has come within the horizon.
	list.days = append(list.days, p.HorizonDays)
	list.counters, list.mappings, err = loadLines(ctx, q, c.ID)
	list.gather(reach)
	return list, err
}

// gather puts the mappings together that are told their restrictions together.
func (l *workList) gather(reach Reach) {
	for _, m := range l.mappings {
		if m.Retired && reach.Together != hotel.PerRate && !reach.Apart {
			continue // closing it would close what is told together with it
		}
		with := slices.IndexFunc(l.groups, func(g []hotel.Mapping) bool {
			return !m.Retired && !g[0].Retired && (reach.Together == hotel.PerProperty || reach.Together == hotel.PerRoomType && g[0].RemoteRoom == m.RemoteRoom)
		})
		if with < 0 {
			with, l.groups = len(l.groups), append(l.groups, nil)
		}
		l.groups[with] = append(l.groups[with], m)
	}
}

// add takes in an entry, on a strand, from its skip-th night on. It returns how
// many of the entry's nights have been taken in, and whether that is all of them:
// there may be no room for the rest, or for any. A night counts once for each
// part, and a group of restrictions as one, which is never parted. What was done
// already counts for nothing.
func (l *workList) add(s strand, e Entry, skip int64, full bool, done *Done) (read int64, whole bool, err error) {
	parts, known := l.parts[e.Sequence]
	if !known {
		if parts, err = l.touched(e); err != nil {
			return 0, false, err
		}
		l.parts[e.Sequence] = parts
	}
	fits := func(further int) bool {
		return further == 0 || !full && (l.size == 0 || l.size+further <= DeriveAtMost)
	}
	for _, p := range parts {
		if p.strand != s {
			continue
		}
		l.took = append(l.took, l.taken(p))
		for _, g := range p.groups {
			if read < skip || done.has(s, g, e) {
				read++
				continue
			}
			further := 0
			if !l.rules[s][g] {
				further = len(l.groups[g]) * l.horizon.Days()
			}
			if !fits(further) {
				return read, false, nil
			}
			read++
			l.size += further
			l.rules[s][g] = true
		}
		for _, r := range p.nights {
			if passed := min(skip-read, int64(r.Days())); passed > 0 {
				read += passed
				r.From += hotel.Date(passed)
			}
			for d := r.From; d <= r.To; d++ {
				further := l.of(s).missing(p.lines, d)
				if !fits(further) {
					return read, false, nil
				}
				read++
				l.size += further
				l.of(s).mark(p.lines, d)
			}
		}
	}
	return read, true, nil
}

// of returns the nights of lines that are looked at on a strand.
func (l *workList) of(s strand) lineNights {
	if s == pricesStrand {
		return l.prices
	}
	return l.stock
}

// touched says what of the channel an entry may have moved.
func (l *workList) touched(e Entry) ([]part, error) {
	body, err := decode[struct {
		Ranges  []hotel.Span `json:"ranges"`
		Horizon hotel.Span   `json:"horizon"`
		Offers  bool         `json:"offers"`
		Cause   int64        `json:"cause"`
		changedCodes
	}](e)
	if err != nil {
		return nil, err
	}
	var parts []part
	switch e.Kind {
	case InventoryUpdated, ShownChanged:
		p := part{strand: soldStrand, nights: body.Ranges}
		for _, c := range l.counters {
			if c.RoomTypeID == e.Subject {
				p.lines = append(p.lines, c.Line)
			}
		}
		parts = append(parts, p)
	case RatesUpdated:
		parts = []part{l.pricesOf(func(m hotel.Mapping) bool { return subjectOf(m) == e.Subject }, body.Ranges)}
	case HouseRulesUpdated:
		// What is told about a night can follow from the rules of any other.
		parts = l.rulesOf(func(m hotel.Mapping) bool { return subjectOf(m) == e.Subject })
	case PropertyUpdated: // its taxes, its cut-off, or which nights there are: all that it is sold as
		if body.Offers {
			parts = l.rulesOf(anyMapping)
			for _, nights := range body.Ranges {
				parts = append(parts, l.nights(nights)...)
			}
		}
	case RatePlanUpdated:
		if body.Offers {
			parts = l.terms(e.Subject, body.Ranges)
		}
	case RoomTypeUpdated: // for how many guests its base price is: what is taken in by the head is in that
		if body.Offers {
			parts = []part{l.pricesOf(func(m hotel.Mapping) bool { return m.RoomTypeID == e.Subject }, body.Ranges)}
		}
	case ChannelActivated, ChannelUpdated, ChannelPaused, ChannelMapped: // as ofChannel says
		if e.Subject == l.channel {
			parts = append(l.nights(body.Horizon), l.rulesOf(anyMapping)...)
			l.changed.Counters = append(l.changed.Counters, body.Counters...)
			l.changed.Lines = append(l.changed.Lines, body.Lines...)
		}
	case ClockTick:
		if parts, err = l.timePassed(e); err != nil {
			return nil, err
		}
	default: // moves nothing that this channel shows
	}
	for i := range parts {
		parts[i].cause = cmp.Or(body.Cause, e.Sequence)
	}
	return l.told(parts), nil
}

// ofChannel reports whether an entry is about a channel, and moves all that it shows.
func ofChannel(kind Kind) bool {
	return kind == ChannelActivated || kind == ChannelUpdated || kind == ChannelPaused || kind == ChannelMapped
}

// rulesOf is the restrictions of all groups that have such a mapping.
func (l *workList) rulesOf(has func(hotel.Mapping) bool) []part {
	var groups []int
	for i, g := range l.groups {
		if slices.ContainsFunc(g, has) {
			groups = append(groups, i)
		}
	}
	return []part{{strand: closingsStrand, groups: groups}, {strand: rulesStrand, groups: groups}}
}

func anyMapping(hotel.Mapping) bool { return true }

// terms is what follows from what a plan says to channels beside its prices: all that it is
// sold as.
func (l *workList) terms(plan string, nights []hotel.Span) []part {
	sold := func(m hotel.Mapping) bool { return m.RatePlanID == plan }
	return append(l.rulesOf(sold), l.pricesOf(sold, nights))
}

// pricesOf is the prices of such mappings on some nights.
func (l *workList) pricesOf(has func(hotel.Mapping) bool, nights []hotel.Span) part {
	p := part{strand: pricesStrand, nights: nights}
	for _, m := range l.mappings {
		if has(m) {
			p.lines = append(p.lines, m.Line)
		}
	}
	return p
}

// timePassed is what follows from the time alone: cut-offs and advance days
// decide anew what is told of any night, and nights come within the horizon, or within
// one of the channel's own that the property has sold for long.
func (l *workList) timePassed(e Entry) ([]part, error) {
	now, err := decode[Time](e)
	if err != nil {
		return nil, err
	}
	parts := l.rulesOf(anyMapping)
	for _, ahead := range l.days {
		days := hotel.Date(ahead)
		if fresh := (hotel.Span{From: max(now.Before+days+1, now.Today), To: min(now.Today+days, now.Today+hotel.Date(l.property.HorizonDays))}); now.Before < now.Today {
			parts = append(parts, l.nights(fresh)...)
		}
	}
	return parts, nil
}

// nights is all counters and prices on some nights, the nearest first.
func (l *workList) nights(nights hotel.Span) []part {
	stock := part{strand: stockStrand, nights: []hotel.Span{nights}}
	for _, c := range l.counters {
		stock.lines = append(stock.lines, c.Line)
	}
	prices := part{strand: pricesStrand, nights: []hotel.Span{nights}}
	for _, m := range l.mappings {
		prices.lines = append(prices.lines, m.Line)
	}
	return []part{stock, prices}
}

// everything takes in all that the channel is told, on all nights up to the
// horizon.
func (l *workList) everything() {
	for _, p := range l.told(append(l.nights(l.horizon), l.rulesOf(anyMapping)...)) {
		l.take(p)
	}
}

// remap lays other mappings over those of the channel, and takes in what it is told of
// that: all lines that are not as they were, counters with others behind them than before,
// which may show none for a product that was closed, and the restrictions of products
// that are told theirs together with others than before.
func (l *workList) remap(as hotel.Remap, reach Reach) {
	counters, mappings, groups := l.counters, l.mappings, l.groups
	l.counters, l.mappings, l.changed = remapped(l.channel, counters, mappings, as.StockPer, as.Mappings)
	l.groups = nil
	l.gather(reach)
	others := slices.DeleteFunc(slices.Clone(l.mappings), func(m hotel.Mapping) bool { return slices.Contains(mappings, m) })
	for _, m := range others {
		l.take(part{strand: pricesStrand, lines: []int64{m.Line}, nights: []hotel.Span{l.horizon}})
	}
	for _, c := range l.counters {
		if !slices.Contains(counters, c) || slices.ContainsFunc(others, c.behind) {
			l.take(part{strand: stockStrand, lines: []int64{c.Line}, nights: []hotel.Span{l.horizon}})
		}
	}
	for i, g := range l.groups {
		if !slices.ContainsFunc(groups, func(was []hotel.Mapping) bool { return slices.Equal(was, g) }) {
			l.take(part{strand: rulesStrand, groups: []int{i}})
		}
	}
}

// told leaves out what the channel has nothing of, and what one that is kept closed
// is not told.
func (l *workList) told(parts []part) []part {
	return slices.DeleteFunc(parts, func(p part) bool { return p.empty() || l.closed && p.strand > stockStrand })
}

// take takes in a part.
func (l *workList) take(p part) {
	for _, g := range p.groups {
		l.rules[p.strand][g] = true
	}
	for _, nights := range p.nights {
		for d := nights.From; d <= nights.To; d++ {
			l.of(p.strand).mark(p.lines, d)
		}
	}
}

// has reports whether a cell was taken in.
func (l *workList) has(c hotel.Cell) bool {
	of := l.prices
	switch c.Group {
	case hotel.Availability:
		of = l.stock
	case hotel.Closures, hotel.Lengths:
		for i, g := range l.groups {
			if (l.rules[closingsStrand][i] || l.rules[rulesStrand][i]) && slices.ContainsFunc(g, func(m hotel.Mapping) bool { return m.Line == c.Line }) {
				return true
			}
		}
		return false
	case hotel.Price:
	}
	_, taken := of[c.Line][c.Night]
	return taken
}

// sells reports whether the channel is to sell what a mapping is about: its plan
// names the channel.
func (l *workList) sells(m hotel.Mapping) bool {
	plan := l.plans[m.RatePlanID]
	return plan != nil && slices.Contains(plan.SoldBy, l.channel)
}

func subjectOf(m hotel.Mapping) string { return product{m.RoomTypeID, m.RatePlanID}.subject() }

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

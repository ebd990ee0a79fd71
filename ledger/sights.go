package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/ledger/internal/ledgerdb"
)

// Sights tells what is known of a channel's products, night by night. Nights for
// which nothing was worked out yet are left out. It reads whole products, so that
// there may be more of them than were asked for.
func (l *Ledger) Sights(ctx context.Context, of hotel.SightQuery) (seen hotel.Sights, err error) {
	if days := of.Span.Days(); days == 0 || days > MaxCellNights {
		return seen, hotel.Invalid("/date_to", "date_order", "the span must have 1 to %d nights, it has %d", MaxCellNights, days)
	}
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		s, err := newSighting(ctx, q, of.ChannelID)
		if err != nil {
			return err
		}
		seen, err = s.all(of)
		return err
	})
	if err != nil {
		return hotel.Sights{}, fmt.Errorf("what channel %s sees: %w", of.ChannelID, err)
	}
	return seen, nil
}

// sighting is one look at a channel.
type sighting struct {
	ctx     context.Context
	q       *ledgerdb.Queries
	row     ledgerdb.Channel
	channel hotel.Channel
	terms   hotel.Terms
	s       *structure
	newest  int64 // entry of the journal
	changes []*spread

	counters []Counter
	mappings []hotel.Mapping
	book     *callBook
	parties  map[partyNight]*holding
	times    map[int64]ledgerdb.EntryBeforeRow
	stock    struct { // of the counter that was read last
		line int64 // 0: none was
		span hotel.Span
		rows []ledgerdb.StockCell
	}
}

func newSighting(ctx context.Context, q *ledgerdb.Queries, channel string) (*sighting, error) {
	s, err := newSightingIn(ctx, q, channel, nil)
	if err != nil {
		return nil, err
	}
	if s.s, err = loadStructure(ctx, q, s.row.PropertyID); err != nil {
		return nil, err
	}
	newest, err := q.NewestEntry(ctx)
	if err != nil {
		return nil, err
	}
	s.newest = newest.Sequence
	s.changes, err = spreadsOf(q.SpreadsOf(ctx, channel))
	return s, err
}

// newSightingIn is one that tells states alone, in a house that was read.
func newSightingIn(ctx context.Context, q *ledgerdb.Queries, channel string, house *structure) (*sighting, error) {
	s := &sighting{ctx: ctx, q: q, s: house, book: newCallBook(ctx, q, channel), times: map[int64]ledgerdb.EntryBeforeRow{}}
	var err error
	if s.row, err = q.GetChannel(ctx, channel); err != nil {
		return nil, notFound(err)
	}
	if s.channel, err = channelOf(s.row); err != nil {
		return nil, err
	}
	if s.terms, err = termsOf(s.row); err != nil {
		return nil, err
	}
	s.counters, s.mappings, err = loadLines(ctx, q, channel)
	return s, err
}

// sightLine is a product of the channel, or a counter where it carries stock
// alone.
type sightLine struct {
	hotel.Mapping
	counter *Counter // nil: nothing counts it
}

// lines lists what the channel has under its codes, in the order of its room
// types, plans and codes.
func (s *sighting) lines() []sightLine {
	var out []sightLine
	if s.carriesStockAlone() {
		for i := range s.counters {
			c := &s.counters[i]
			out = append(out, sightLine{hotel.Mapping{RoomTypeID: c.RoomTypeID, RemoteRoom: c.RemoteRoom, RemoteRate: c.RemoteRate, Retired: c.Retired}, c})
		}
	} else {
		for _, m := range s.mappings {
			at := slices.IndexFunc(s.counters, func(c Counter) bool {
				return c.RemoteRoom == m.RemoteRoom && (c.RemoteRate == "" || c.RemoteRate == m.RemoteRate)
			})
			line := sightLine{Mapping: m}
			if at >= 0 {
				line.counter = &s.counters[at]
			}
			out = append(out, line)
		}
	}
	rooms, plans := map[string]int{}, map[string]int{} // the place of each, from 1 on; 0: it is no more
	for i, r := range s.s.rooms {
		rooms[r.ID] = i + 1
	}
	for i, p := range s.s.plans {
		plans[p.ID] = i + 1
	}
	slices.SortFunc(out, func(a, b sightLine) int {
		return cmp.Or(cmp.Compare(rooms[a.RoomTypeID], rooms[b.RoomTypeID]), cmp.Compare(plans[a.RatePlanID], plans[b.RatePlanID]),
			cmp.Compare(a.RemoteRoom, b.RemoteRoom), cmp.Compare(a.RemoteRate, b.RemoteRate))
	})
	return out
}

// carriesStockAlone reports whether the channel can be told how many rooms there
// are and nothing else. Of one that was never opened nobody knows.
func (s *sighting) carriesStockAlone() bool {
	for f, c := range s.terms.Fields {
		if f != hotel.FieldAvailable && c.As == hotel.Exact {
			return false
		}
	}
	return len(s.terms.Fields) > 0
}

func (s *sighting) all(of hotel.SightQuery) (hotel.Sights, error) {
	out := hotel.Sights{Sequence: s.newest, Told: s.toldFields()}
	lines := slices.DeleteFunc(s.lines(), func(l sightLine) bool {
		return !hotel.AnyOf(of.RoomTypeIDs, l.RoomTypeID) || !hotel.AnyOf(of.RatePlanIDs, l.RatePlanID)
	})
	span := of.Span
	if of.After != nil {
		at := slices.IndexFunc(lines, func(l sightLine) bool { return l.at(of.After.Night) == *of.After })
		if at < 0 {
			return out, hotel.Refuse("cursor_invalid", "what the cursor names is no longer listed: begin again")
		}
		lines, span.From = lines[at:], max(span.From, of.After.Night+1)
	}
	if err := s.loadParties(of.Span); err != nil {
		return out, err
	}
	for i, line := range lines {
		if len(out.Cells) >= of.AtLeast {
			out.More = true
			return out, nil
		}
		if i > 0 {
			span = of.Span
		}
		if span.Days() == 0 {
			continue
		}
		cells, err := s.line(line, span)
		if err != nil {
			return out, err
		}
		out.Cells = append(out.Cells, cells...)
	}
	return out, nil
}

// at names a night of the line.
func (l sightLine) at(night hotel.Date) hotel.SightPlace {
	return hotel.SightPlace{RoomTypeID: l.RoomTypeID, RatePlanID: l.RatePlanID, RemoteRoom: l.RemoteRoom, RemoteRate: l.RemoteRate, Night: night}
}

// loadParties reads what is granted on the nights.
func (s *sighting) loadParties(span hotel.Span) error {
	held, err := (&tx{ctx: s.ctx, q: s.q}).holdings(s.row.PropertyID, span)
	if err == nil {
		s.parties = held.of
	}
	return err
}

// line tells of every night of a line of which something is known.
func (s *sighting) line(line sightLine, span hotel.Span) ([]hotel.Sight, error) {
	groups, err := s.groups(line, span)
	if err != nil {
		return nil, err
	}
	rules, err := s.rules(line, span)
	if err != nil {
		return nil, err
	}
	calls := s.calls(groups)
	out := make([]hotel.Sight, 0, len(groups))
	for night := span.From; night <= span.To; night++ {
		of := groups[night]
		if len(of) == 0 {
			continue
		}
		sight := hotel.Sight{
			RoomTypeID: line.RoomTypeID, RatePlanID: line.RatePlanID, RemoteRoom: line.RemoteRoom, RemoteRate: line.RemoteRate,
			Retired: line.Retired, Night: night, Groups: make([]hotel.GroupSight, 0, len(of)),
		}
		sight.KeptAtChannel, sight.Clamped = s.beyond(rules[night])
		for _, known := range of {
			g, err := s.sightOf(known, calls)
			if err != nil {
				return nil, err
			}
			sight.Groups = append(sight.Groups, g)
			if known.cell.Group == hotel.Availability {
				sight.Guarded, sight.Exposure = known.guarded, s.exposure(known)
			}
		}
		out = append(out, sight)
	}
	return out, nil
}

// rules reads what the house says of a product's nights.
func (s *sighting) rules(line sightLine, span hotel.Span) (map[hotel.Date]*availability.NightRules, error) {
	rows, err := s.q.ProductRestrictions(s.ctx, ledgerdb.ProductRestrictionsParams{
		PropertyID: s.row.PropertyID, RoomTypeID: line.RoomTypeID, RatePlanID: line.RatePlanID, First: int64(span.From), Last: int64(span.To),
	})
	if err != nil {
		return nil, fmt.Errorf("read restrictions: %w", err)
	}
	out := make(map[hotel.Date]*availability.NightRules, len(rows))
	for _, r := range rows {
		rules := rulesOf(r.Closures, r.Lengths)
		out[hotel.Date(r.Night)] = &rules
	}
	return out, nil
}

func rulesOf(closures, lengths int64) availability.NightRules {
	return availability.NightRules{
		Closed:  hotel.DecodeOffer(hotel.Closures, closures, "").Closed,
		Lengths: hotel.DecodeOffer(hotel.Lengths, lengths, "").Lengths,
	}
}

// beyond lists what the house says of a night that the channel is not told as it
// is.
func (s *sighting) beyond(r *availability.NightRules) (kept, clamped []hotel.Field) {
	absent := hotel.AbsentOf(s.channel.Policies, s.s.property.Policies)
	for _, f := range hotel.Fields {
		if r == nil || !r.Says(f) {
			continue
		}
		switch c := s.terms.Fields[f]; {
		case c.As == hotel.Coarser, c.As == hotel.Absent && (f == hotel.FieldClosed || absent[f] == hotel.CloseNights):
			clamped = append(clamped, f)
		case c.As == hotel.Absent:
			kept = append(kept, f)
		}
	}
	return kept, clamped
}

// toldFields lists the fields that the channel is told as they are.
func (s *sighting) toldFields() []hotel.Field {
	return slices.DeleteFunc(slices.Clone(hotel.Fields), func(f hotel.Field) bool { return s.terms.Fields[f].As != hotel.Exact })
}

// exposure is how many rooms may still be sold there, nil when nobody knows.
func (s *sighting) exposure(known knownGroup) *int {
	if !known.guarded {
		return intOrNil(known.may)
	}
	party := s.parties[partyNight{known.cell.Line, known.cell.Night}]
	if party == nil {
		return nil
	}
	if e, ok := party.now.Exposure(party.live); ok {
		return &e
	}
	return nil
}

func intOrNil(v *int64) *int {
	if v == nil {
		return nil
	}
	n := int(*v)
	return &n
}

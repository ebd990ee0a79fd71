package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Standings tells how the nights of products stand at some channels of a property, in the order
// of the channels, where something is sold under their codes. It is what [Ledger.Sights] says of
// their states, for next to nothing: a line at rest, as most are, is told of without a look at
// its nights.
func (l *Ledger) Standings(ctx context.Context, of hotel.StandingQuery) (list [][]hotel.NightStanding, err error) {
	if days := of.Span.Days(); days == 0 || days > MaxCellNights {
		return nil, hotel.Invalid("/date_to", "date_order", "the span must have 1 to %d nights, it has %d", MaxCellNights, days)
	}
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		house, err := loadStructure(ctx, q, of.PropertyID)
		if err != nil {
			return notFound(err)
		}
		for _, id := range of.ChannelIDs {
			s, err := newSightingIn(ctx, q, id, house)
			if err != nil {
				return err
			}
			nights, err := s.standings(of)
			if err != nil {
				return fmt.Errorf("how channel %s stands: %w", id, err)
			}
			list = append(list, nights)
		}
		return nil
	})
	return list, err
}

func (s *sighting) standings(of hotel.StandingQuery) ([]hotel.NightStanding, error) {
	lines := slices.DeleteFunc(s.lines(), func(l sightLine) bool { return l.Retired || !hotel.AnyOf(of.RoomTypeIDs, l.RoomTypeID) })
	seen, err := s.glance(lines, of.Span)
	if err != nil {
		return nil, err
	}
	out := make([]hotel.NightStanding, 0, len(lines)*of.Span.Days())
	for _, line := range lines {
		if seen.stirs(line) {
			out, err = s.standing(out, line, of.Span)
			if err != nil {
				return nil, err
			}
			continue
		}
		for night := of.Span.From; night <= of.Span.To; night++ {
			if seen.knows(line, night) {
				out = append(out, line.stands(night, atRest))
			}
		}
	}
	return out, nil
}

// atRest are the states of a night of which nothing is to be told.
var atRest = []hotel.SightState{hotel.InSync}

func (l sightLine) stands(night hotel.Date, states []hotel.SightState) hotel.NightStanding {
	return hotel.NightStanding{RoomTypeID: l.RoomTypeID, RatePlanID: l.RatePlanID, RemoteRoom: l.RemoteRoom, Night: night, States: states}
}

// standing looks at every night of a line, and adds those of which something is known.
func (s *sighting) standing(out []hotel.NightStanding, line sightLine, span hotel.Span) ([]hotel.NightStanding, error) {
	if s.parties == nil {
		if err := s.loadParties(span); err != nil {
			return nil, err
		}
	}
	groups, err := s.groups(line, span)
	if err != nil {
		return nil, err
	}
	for night := span.From; night <= span.To; night++ {
		of := groups[night]
		if len(of) == 0 {
			continue
		}
		states := make([]hotel.SightState, len(of))
		for i, k := range of {
			states[i] = s.stands(k)
		}
		out = append(out, line.stands(night, states))
	}
	return out, nil
}

// glance is what is known of lines at first sight.
type glance struct {
	stock, prices map[int64]glanced // of counters, of products
}

// glanced is how many nights of a line are known.
type glanced struct {
	known hotel.Span
	stirs bool // it takes a look at its nights to say how they stand
}

func newGlanced(earliest, latest, nights, stirs int64) glanced {
	return glanced{hotel.Span{From: hotel.Date(earliest), To: hotel.Date(latest)}, stirs != 0 || nights != latest-earliest+1}
}

func (s *sighting) glance(lines []sightLine, span hotel.Span) (g glance, err error) {
	var counters, products []int64
	for _, l := range lines {
		if l.counter != nil {
			counters = append(counters, l.counter.Line)
		}
		if l.Line != 0 {
			products = append(products, l.Line)
		}
	}
	listed := func(lines []int64) string {
		text, _ := json.Marshal(lines) //nolint:errchkjson // numbers
		return string(text)
	}
	g.stock, g.prices = make(map[int64]glanced, len(counters)), make(map[int64]glanced, len(products))
	stock, err := s.q.GlanceStock(s.ctx, ledgerdb.GlanceStockParams{ChannelID: s.row.ID, Lines: listed(counters), First: int64(span.From), Last: int64(span.To)})
	if err != nil {
		return g, fmt.Errorf("read counters: %w", err)
	}
	for _, r := range stock {
		g.stock[r.Line] = newGlanced(r.Earliest, r.Latest, r.Nights, r.Stirs)
	}
	at := ledgerdb.GlancePricesParams{ChannelID: s.row.ID, Lines: listed(products), First: int64(span.From), Last: int64(span.To)}
	prices, err := s.q.GlancePrices(s.ctx, at)
	if err != nil {
		return g, fmt.Errorf("read prices: %w", err)
	}
	for _, r := range prices {
		g.prices[r.Line] = newGlanced(r.Earliest, r.Latest, r.Nights, r.Stirs)
	}
	further, err := s.q.StirringOccupancies(s.ctx, ledgerdb.StirringOccupanciesParams(at))
	if err != nil {
		return g, fmt.Errorf("read prices by occupancy: %w", err)
	}
	for _, line := range further {
		p := g.prices[line]
		p.stirs = true
		g.prices[line] = p
	}
	return g, nil
}

func (g glance) stirs(l sightLine) bool {
	return g.prices[l.Line].stirs || l.counter != nil && g.stock[l.counter.Line].stirs
}

// knows reports whether something is known of a night of a line.
func (g glance) knows(l sightLine, night hotel.Date) bool {
	if p, ok := g.prices[l.Line]; ok && p.known.Contains(night) {
		return true
	}
	if l.counter == nil {
		return false
	}
	c, ok := g.stock[l.counter.Line]
	return ok && c.known.Contains(night)
}

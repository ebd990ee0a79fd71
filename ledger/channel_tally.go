package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Tally counts how the nights of a channel's products stand, from today on. It goes
// through all of them.
func (l *Ledger) Tally(ctx context.Context, channel string) (sum hotel.Tally, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		s, err := newSighting(ctx, q, channel)
		if err != nil {
			return err
		}
		today := s.s.property.Today(l.clock.Now())
		if sum.States, err = s.tallyStates(today); err != nil {
			return err
		}
		sum.Kept, err = s.tallyKept(today)
		return err
	})
	if err != nil {
		return hotel.Tally{}, fmt.Errorf("tally of channel %s: %w", channel, err)
	}
	return sum, nil
}

// How a group may stand beside its state: its value is still to be told, or it is
// not carried.
const (
	tallyWaits  = 7
	tallyAbsent = 8
)

func (s *sighting) tallyStates(today hotel.Date) (map[hotel.SightState]int, error) {
	states := make(map[hotel.SightState]int, len(hotel.SightStates))
	for _, word := range hotel.SightStates {
		states[word] = 0
	}
	add := func(g hotel.Group, stands, cells int64) {
		if stands != tallyAbsent {
			states[s.tallied(g, stands)] += int(cells)
		}
	}
	first := ledgerdb.TallyStockParams{ChannelID: s.row.ID, First: int64(today)}
	stock, err := s.q.TallyStock(s.ctx, first)
	if err != nil {
		return nil, err
	}
	for _, r := range stock {
		add(hotel.Availability, r.Stands, r.Cells)
	}
	prices, err := s.q.TallyPrices(s.ctx, ledgerdb.TallyPricesParams(first))
	if err != nil {
		return nil, err
	}
	for _, r := range prices {
		add(hotel.Closures, r.Closures, r.Cells)
		add(hotel.Lengths, r.Lengths, r.Cells)
		add(hotel.Price, r.Price, r.Cells)
	}
	further, err := s.q.TallyOccupancies(s.ctx, ledgerdb.TallyOccupanciesParams(first))
	if err != nil {
		return nil, err
	}
	for _, r := range further {
		add(hotel.Price, r.Stands, r.Cells)
	}
	return states, nil
}

// tallied is the word for how groups stand, the one that judge finds for each.
func (s *sighting) tallied(g hotel.Group, stands int64) hotel.SightState {
	told := s.told(knownGroup{cell: hotel.Cell{Group: g}})
	if stands == tallyWaits {
		if told {
			return hotel.Pending
		}
		return hotel.HeldBack
	}
	switch state(stands) {
	case inFlight:
		return hotel.InFlight
	case unknown:
		return hotel.Unclear
	case rejected:
		return hotel.Rejected
	case withheld:
		return hotel.HeldBack
	case left:
		return hotel.Drifted
	case seen:
		if told {
			return hotel.Drifted
		}
		return hotel.HeldBack
	case settled:
	}
	return hotel.InSync
}

func (s *sighting) tallyKept(today hotel.Date) ([]hotel.KeptNights, error) {
	rows, err := s.q.TallyRules(s.ctx, ledgerdb.TallyRulesParams{PropertyID: s.row.PropertyID, Today: int64(today), ChannelID: s.row.ID})
	if err != nil {
		return nil, err
	}
	of := map[hotel.Field]hotel.KeptNights{}
	for _, r := range rows {
		rules := rulesOf(r.Closures, r.Lengths)
		kept, _ := s.beyond(&rules)
		for _, f := range kept {
			k, known := of[f]
			if !known {
				k = hotel.KeptNights{Field: f, From: hotel.Date(r.Earliest), To: hotel.Date(r.Latest)}
			}
			k.Nights, k.From, k.To = k.Nights+int(r.Nights), min(k.From, hotel.Date(r.Earliest)), max(k.To, hotel.Date(r.Latest))
			of[f] = k
		}
	}
	var out []hotel.KeptNights
	for _, f := range hotel.Fields {
		if k, kept := of[f]; kept {
			out = append(out, k)
		}
	}
	return out, nil
}

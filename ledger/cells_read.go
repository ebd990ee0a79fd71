package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// MaxCellNights is the longest span of nights that one read of cells covers.
const MaxCellNights = 400

// view is a property's span of nights as one snapshot shows it.
type view struct {
	facts
	s    *structure
	b    *board.Board
	span hotel.Span
}

// look shows a span of nights, with the facts and what follows from them, as they
// are or were.
func (l *Ledger) look(ctx context.Context, property string, at hotel.AsOf, span hotel.Span, f func(view) error) error {
	if span.Days() == 0 || span.Days() > MaxCellNights {
		return hotel.Invalid("/date_to", "date_order", "the span must have 1 to %d nights, it has %d", MaxCellNights, span.Days())
	}
	if now := l.clock.Now(); at.At.After(now) {
		return hotel.Invalid("/as_of", "max", "must not be after now (%s)", now.UTC().Format(time.RFC3339))
	}
	return l.snapshot(ctx, func(q *ledgerdb.Queries) (err error) {
		var seen scene
		if at.Now() {
			seen, err = l.present(ctx, q, property)
		} else {
			seen, err = asOf(ctx, q, property, at, span)
		}
		if err != nil {
			return err
		}
		nights, err := seen.s.loadNights(ctx, seen.facts, span.From, span.To)
		if err != nil {
			return err
		}
		return f(view{seen.facts, seen.s, seen.s.board(seen.now, span.From, nights, 0), span})
	})
}

// RestrictionCells lists what holds for a property's products, ordered by room
// type, plan, then night. "" means every room type or plan.
func (l *Ledger) RestrictionCells(ctx context.Context, q hotel.CellQuery) (cells []hotel.RestrictionCell, err error) {
	err = l.look(ctx, q.PropertyID, q.AsOf, q.Span, func(v view) error {
		rules, err := written[hotel.Restriction](ctx, v, ruleSheet)
		if err != nil {
			return err
		}
		told, err := v.toldRules(ctx, q)
		if err != nil {
			return err
		}
		v.products(q, func(room, plan int, p product) {
			for d := q.Span.From; d <= q.Span.To; d++ {
				house, base := v.b.HouseRules(d, room, plan), v.b.BaseRules(d, room, plan)
				c := hotel.RestrictionCell{RoomTypeID: p.room, RatePlanID: p.plan, Date: d, Closed: house.Closed, Lengths: house.Lengths, Base: hotel.Rules(base)}
				c.Told = told[factKey{d, p.subject()}]
				if f, ok := rules[factKey{d, p.subject()}]; ok {
					c.Own, c.Version, c.Source, c.UpdatedAt = f.V, f.version, f.source, instant(f.at)
				}
				cells = append(cells, c)
			}
		})
		return nil
	})
	return cells, err
}

// channel reads a channel of the property, by which cells are asked for.
func (v view) channel(ctx context.Context, id string) (ledgerdb.Channel, error) {
	row, err := v.q.GetChannel(ctx, id)
	if err = notFound(err); errors.Is(err, ErrNotFound) || err == nil && row.PropertyID != v.s.property.ID {
		return row, hotel.Invalid("/channel_id", "enum", "the property has no channel of that id")
	}
	return row, err
}

// toldRules returns what the channel that was asked for, if any, is to show of each product
// and night. Of the past that is not kept by night.
func (v view) toldRules(ctx context.Context, of hotel.CellQuery) (map[factKey]*hotel.Rules, error) {
	c, err := v.preview(ctx, of.ChannelID)
	if c == nil || err != nil {
		return nil, err
	}
	if !of.AsOf.Now() {
		return nil, hotel.Invalid("/channel_id", "type", "what a channel was to show in the past is told of one night at a time: ask for explain of the channel with as_of, or leave channel_id out")
	}
	rows, err := v.q.WantedRestrictions(ctx, ledgerdb.WantedRestrictionsParams{ChannelID: of.ChannelID, First: int64(of.Span.From), Last: int64(of.Span.To)})
	if err != nil {
		return nil, fmt.Errorf("read what channel %s is to show: %w", of.ChannelID, err)
	}
	told := make(map[factKey]*hotel.Rules, len(rows))
	for _, r := range rows {
		rules := hotel.Rules{Closed: hotel.DecodeOffer(hotel.Closures, *r.ClosuresWant, "").Closed}
		if r.LengthsWant != nil {
			rules.Lengths = hotel.DecodeOffer(hotel.Lengths, *r.LengthsWant, "").Lengths
		}
		told[factKey{hotel.Date(r.Night), product{r.RoomTypeID, r.RatePlanID}.subject()}] = &rules
	}
	return told, nil
}

// written reads the facts of a sheet that the view covers.
func written[V any](ctx context.Context, v view, of sheet) (map[factKey]fact[V], error) {
	list, err := readFacts[V](ctx, v.facts, of, v.span.From, v.span.To)
	by := make(map[factKey]fact[V], len(list))
	for _, f := range list {
		by[f.factKey] = f
	}
	return by, err
}

// products calls f for every product that is asked for.
func (v view) products(of hotel.CellQuery, f func(room, plan int, p product)) {
	for i := range v.s.rooms {
		for j := range v.s.plans {
			p := product{v.s.rooms[i].ID, v.s.plans[j].ID}
			if v.b.Offers(i, j) && hotel.AnyOf(of.RoomTypeIDs, p.room) && hotel.AnyOf(of.RatePlanIDs, p.plan) {
				f(i, j, p)
			}
		}
	}
}

package ledger

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// mostTold is how many runs are told of one call.
const mostTold = 200

// ChannelCalls lists calls of a channel with what they carried, the newest first.
func (l *Ledger) ChannelCalls(ctx context.Context, f hotel.CallFilter) ([]hotel.ChannelCall, error) {
	channel, err := l.Channel(ctx, f.ChannelID)
	if err != nil {
		return nil, err
	}
	property, err := l.Property(ctx, channel.PropertyID)
	if err != nil {
		return nil, err
	}
	troubled := int64(0)
	if f.Troubled {
		troubled = 1
	}
	rows, err := l.read.ListDeliveries(ctx, ledgerdb.ListDeliveriesParams{
		ChannelID: f.ChannelID, Before: cmp.Or(f.Before, math.MaxInt64), Kind: f.Kind, Troubled: troubled, AtMost: int64(f.Limit),
	})
	if err != nil {
		return nil, fmt.Errorf("list calls of channel %s: %w", f.ChannelID, err)
	}
	list := make([]hotel.ChannelCall, len(rows))
	for i, row := range rows {
		if list[i], err = callOf(row, cmp.Or(channel.Pricing.Currency, property.Currency)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func callOf(row ledgerdb.Delivery, in hotel.Currency) (hotel.ChannelCall, error) {
	c := hotel.ChannelCall{
		ID: row.ID, Version: row.Version, Kind: row.Kind, Operation: row.Operation, SentAt: instant(row.SentAt), AnsweredAt: instantOrZero(row.AnsweredAt),
		Outcome: row.State, HTTPStatus: int(row.HttpStatus), Reference: row.Reference, Excerpt: row.Excerpt, Words: row.Error,
	}
	if CallKind(row.Kind) != Push {
		return c, nil
	}
	told := func(text string, into *[]hotel.ToldNight) (cells int, err error) {
		if text == "" {
			return 0, nil
		}
		runs, err := unpackRuns(text)
		if err != nil {
			return 0, fmt.Errorf("cells of call %s: %w", row.ID, err)
		}
		for i, r := range runs {
			cells += int(r.To-r.From) + 1
			if i < mostTold {
				*into = append(*into, hotel.ToldNight{
					Line: r.Line, Group: r.Group, Occupancy: r.Occupancy, Span: hotel.Span{From: r.From, To: r.To}, Value: hotel.DecodeOffer(r.Group, r.Value, in), Words: r.Words,
				})
			}
		}
		return cells, nil
	}
	var err error
	if c.Cells, err = told(row.Cells, &c.Told); err != nil {
		return c, err
	}
	_, err = told(row.Refused, &c.Refused)
	return c, err
}

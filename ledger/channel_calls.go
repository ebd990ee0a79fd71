package ledger

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

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
		if list[i], err = callOf(row, cmp.Or(channel.Pricing.Currency, property.Currency), f.Runs); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// callOf tells of what a call carried the first so many runs.
func callOf(row ledgerdb.Delivery, in hotel.Currency, most int) (hotel.ChannelCall, error) {
	c := hotel.ChannelCall{
		ID: row.ID, Version: row.Version, Kind: row.Kind, Operation: row.Operation, SentAt: instant(row.SentAt), AnsweredAt: instantOrZero(row.AnsweredAt),
		Outcome: row.State, HTTPStatus: int(row.HttpStatus), Reference: row.Reference, Excerpt: row.Excerpt, Words: row.Error,
	}
	if CallKind(row.Kind) != Push {
		return c, nil
	}
	told := func(text string) (list []hotel.ToldNight, leftOut, cells int, err error) {
		if text == "" {
			return nil, 0, 0, nil
		}
		runs, err := unpackRuns(text)
		if err != nil {
			return nil, 0, 0, fmt.Errorf("cells of call %s: %w", row.ID, err)
		}
		for i, r := range runs {
			cells += int(r.To-r.From) + 1
			if i < most {
				list = append(list, hotel.ToldNight{
					Line: r.Line, Group: r.Group, Occupancy: r.Occupancy, Span: hotel.Span{From: r.From, To: r.To}, Value: hotel.DecodeOffer(r.Group, r.Value, in), Words: r.Words,
				})
			}
		}
		return list, len(runs) - len(list), cells, nil
	}
	var err error
	if c.Told, c.LeftOut, c.Cells, err = told(row.Cells); err != nil {
		return c, err
	}
	c.Refused, c.RefusedLeftOut, _, err = told(row.Refused)
	return c, err
}

// AnswerTimes lists how long the last calls took that told a channel something, all of which
// it took, the newest first.
func (l *Ledger) AnswerTimes(ctx context.Context, channel string, most int) ([]time.Duration, error) {
	rows, err := l.read.AnswerTimes(ctx, ledgerdb.AnswerTimesParams{ChannelID: channel, AtMost: int64(most)})
	if err != nil {
		return nil, fmt.Errorf("list times of answers of channel %s: %w", channel, err)
	}
	list := make([]time.Duration, len(rows))
	for i, r := range rows {
		list[i] = instantOrZero(r.AnsweredAt).Sub(instant(r.SentAt))
	}
	return list, nil
}

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
	counters, mappings, err := l.Lines(ctx, f.ChannelID)
	if err != nil {
		return nil, err
	}
	tells := teller{in: cmp.Or(channel.Pricing.Currency, property.Currency), most: f.Runs, counted: map[int64]product{}, sold: map[int64]product{}}
	for _, c := range counters {
		tells.counted[c.Line] = product{room: c.RoomTypeID}
	}
	for _, m := range mappings {
		tells.sold[m.Line] = product{m.RoomTypeID, m.RatePlanID}
	}
	list := make([]hotel.ChannelCall, len(rows))
	for i, row := range rows {
		if list[i], err = tells.call(row); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// teller tells of the calls of one channel.
type teller struct {
	in            hotel.Currency
	most          int               // runs of each call
	counted, sold map[int64]product // by line: of counters and of mappings, whose numbers are the same
}

func (t teller) call(row ledgerdb.Delivery) (hotel.ChannelCall, error) {
	c := hotel.ChannelCall{
		ID: row.ID, Version: row.Version, Kind: row.Kind, Operation: row.Operation, SentAt: instant(row.SentAt), AnsweredAt: instantOrZero(row.AnsweredAt),
		Outcome: row.State, HTTPStatus: int(row.HttpStatus), Reference: row.Reference, Excerpt: row.Excerpt, Words: row.Error,
	}
	if CallKind(row.Kind) != Push {
		return c, nil
	}
	var err error
	if c.Told, c.LeftOut, c.Cells, err = t.runs(row.Cells); err == nil {
		c.Refused, c.RefusedLeftOut, _, err = t.runs(row.Refused)
	}
	if err != nil {
		return c, fmt.Errorf("cells of call %s: %w", row.ID, err)
	}
	return c, nil
}

// runs tells of packed runs the first, how many are left out, and how many cells all are.
func (t teller) runs(text string) (list []hotel.ToldNight, leftOut, cells int, err error) {
	if text == "" {
		return nil, 0, 0, nil
	}
	runs, err := unpackRuns(text)
	if err != nil {
		return nil, 0, 0, err
	}
	for i, r := range runs {
		cells += int(r.To-r.From) + 1
		if i >= t.most {
			continue
		}
		of := t.sold[r.Line]
		if r.Group == hotel.Availability {
			of = t.counted[r.Line]
		}
		list = append(list, hotel.ToldNight{
			RoomTypeID: of.room, RatePlanID: of.plan, Group: r.Group, Occupancy: r.Occupancy, Span: hotel.Span{From: r.From, To: r.To},
			Value: hotel.DecodeOffer(r.Group, r.Value, t.in), Words: r.Words,
		})
	}
	return list, len(runs) - len(list), cells, nil
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

package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Channel returns one channel and how far it is.
func (l *Ledger) Channel(ctx context.Context, id string) (state hotel.ChannelState, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetChannel(ctx, id)
		if err != nil {
			return notFound(err)
		}
		state, err = l.channelState(ctx, q, row)
		return err
	})
	if err != nil {
		return hotel.ChannelState{}, fmt.Errorf("state of channel %s: %w", id, err)
	}
	return state, nil
}

// Channels lists the channels of a property ("" for all) and how far each is.
func (l *Ledger) Channels(ctx context.Context, property string) (out []hotel.ChannelState, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		var rows []ledgerdb.Channel
		if property == "" {
			rows, err = q.ListChannels(ctx)
		} else {
			rows, err = q.ListChannelsOf(ctx, property)
		}
		if err != nil {
			return fmt.Errorf("list channels: %w", err)
		}
		for _, r := range rows {
			state, err := l.channelState(ctx, q, r)
			if err != nil {
				return fmt.Errorf("state of channel %s: %w", r.ID, err)
			}
			out = append(out, state)
		}
		return nil
	})
	return out, err
}

// ChannelSetUp returns one channel as it is set up, without how far it is.
func (l *Ledger) ChannelSetUp(ctx context.Context, id string) (hotel.Channel, error) {
	row, err := l.read.GetChannel(ctx, id)
	if err != nil {
		return hotel.Channel{}, fmt.Errorf("channel %s: %w", id, notFound(err))
	}
	return channelOf(row)
}

// ChannelList lists the channels of a property as they are set up, without how far each is.
func (l *Ledger) ChannelList(ctx context.Context, property string) (list []hotel.Channel, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		rows, err := q.ListChannelsOf(ctx, property)
		if err != nil {
			return fmt.Errorf("list channels: %w", err)
		}
		for _, r := range rows {
			c, err := channelOf(r)
			if err != nil {
				return err
			}
			list = append(list, c)
		}
		return nil
	})
	return list, err
}

func (l *Ledger) channelState(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.Channel) (hotel.ChannelState, error) {
	c, err := channelOf(r)
	if err != nil {
		return hotel.ChannelState{}, err
	}
	state := hotel.ChannelState{Channel: c, LastPullAt: instantOrZero(r.PolledAt), LastReadAt: instantOrZero(r.ReadAt), SilentSince: instantOrZero(r.SilentSince)}
	lag, err := l.lagOf(ctx, q, r)
	if err != nil {
		return state, err
	}
	state.DerivedThrough, state.SyncedThrough, state.Deriving, state.Lag, state.Unknown = lag.derived, lag.synced, lag.deriving, lag.cells, lag.unknown
	if state.StaleSince, err = l.staleSince(ctx, q, state, l.clock.Now()); err != nil {
		return state, err
	}
	if state.Flags, err = flagsOf(ctx, q, r.ID); err != nil {
		return state, err
	}
	rejected, err := q.RejectedCells(ctx, r.ID)
	if err != nil {
		return state, err
	}
	state.Rejected = int(rejected)
	held, err := q.HeldCells(ctx, r.ID)
	if err != nil {
		return state, err
	}
	state.Held = int(held)
	pushed, err := q.LastAnswered(ctx, r.ID)
	if err != nil {
		return state, err
	}
	if pushed > 0 {
		state.LastPushAt = instant(pushed)
	}
	failure, err := q.LastFailure(ctx, ledgerdb.LastFailureParams{ChannelID: r.ID, Since: l.clock.Now().Add(-failureKept).UnixMicro()})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return state, err
	}
	if err == nil {
		state.LastError, state.LastErrorAt = failure.Error, instantOrZero(failure.AnsweredAt)
	}
	conflicts, err := q.CountOpenConflicts(ctx, ledgerdb.CountOpenConflictsParams{PropertyID: r.PropertyID, ChannelID: &r.ID})
	if err != nil {
		return state, err
	}
	state.OpenConflicts = int(conflicts)
	if c.Status == hotel.Paused || c.Status == hotel.Disconnected || c.Shadow {
		open, err := onSale(ctx, q, c, l.clock.Now())
		if err != nil {
			return state, err
		}
		state.RoomsAtRisk = open.Rooms
	}
	return state, nil
}

// failureKept is how long a call that went wrong is told of.
const failureKept = 48 * time.Hour

// lag is how far a channel is behind.
type lag struct {
	derived, synced int64 // entries up to which it is worked out, and told
	counted         int64 // entry up to which its counters are told
	deriving        bool  // entries are ahead of derived
	cells, unknown  int   // still to be told, and how many of them may show anything
}

func (l *Ledger) lagOf(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.Channel) (lag, error) {
	return l.lagWithin(ctx, q, r, hotel.Span{To: finalNight})
}

// toldThrough reports whether a channel has been told all up to an entry, as synced of its
// lag does, without counting what it is still to be told.
func (l *Ledger) toldThrough(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.Channel, sequence int64) (bool, error) {
	place, err := placeOf(ctx, q, r)
	if err != nil || place.through < sequence {
		return false, err
	}
	property, err := readOne[hotel.Property](q.GetProperty(ctx, r.PropertyID))
	if err != nil {
		return false, err
	}
	untold, err := q.UntoldThrough(ctx, ledgerdb.UntoldThroughParams{ChannelID: r.ID, First: int64(property.Today(l.clock.Now())), Through: sequence})
	if err != nil {
		return false, fmt.Errorf("look for what %s is to be told: %w", r.ID, err)
	}
	return untold == 0, nil
}

// lagWithin looks at some nights alone, from today on.
func (l *Ledger) lagWithin(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.Channel, nights hotel.Span) (lag, error) {
	place, err := placeOf(ctx, q, r)
	if err != nil {
		return lag{}, err
	}
	property, err := readOne[hotel.Property](q.GetProperty(ctx, r.PropertyID))
	if err != nil {
		return lag{}, err
	}
	of := ledgerdb.StockLagParams{ChannelID: r.ID, First: int64(max(nights.From, property.Today(l.clock.Now()))), Last: int64(nights.To)}
	stock, err := q.StockLag(ctx, of)
	if err != nil {
		return lag{}, err
	}
	prices, err := q.PriceLag(ctx, ledgerdb.PriceLagParams(of))
	if err != nil {
		return lag{}, err
	}
	occupancies, err := q.OccupancyLag(ctx, ledgerdb.OccupancyLagParams(of))
	if err != nil {
		return lag{}, err
	}
	v := lag{
		derived: place.through, synced: place.through, counted: place.sold, deriving: place.through < place.newest,
		cells: int(stock.Cells + prices.Cells + occupancies.Cells), unknown: int(stock.Unknown + prices.Unknown + occupancies.Unknown),
	}
	if stock.Cells > 0 {
		v.counted = min(v.counted, stock.Oldest-1)
	}
	for _, of := range []struct{ cells, oldest int64 }{{stock.Cells, stock.Oldest}, {prices.Cells, prices.Oldest}, {occupancies.Cells, occupancies.Oldest}} {
		if of.cells > 0 && of.oldest != math.MaxInt64 {
			v.synced = min(v.synced, of.oldest-1)
		}
	}
	return v, nil
}

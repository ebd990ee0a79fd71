package ledger

import (
	"context"
	"fmt"
	"math"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// CreateChannel stores a new channel of a property, in testing: it receives
// bookings and is sent nothing.
func (l *Ledger) CreateChannel(ctx context.Context, by hotel.By, c hotel.Channel) (hotel.Channel, error) {
	if c.ID == "" {
		c.ID = hotel.NewID("ch")
	}
	c.Status = hotel.Testing
	err := l.write(ctx, urgent, by, func(t *tx) error {
		if _, err := t.structure(c.PropertyID); err != nil {
			return err
		}
		if _, err := t.q.GetChannel(t.ctx, c.ID); err == nil {
			return hotel.Refuse("duplicate_code", "there is a channel %s already", c.ID)
		}
		c.Entity = t.entity(c.ID)
		row := ledgerdb.InsertChannelParams{
			ID: c.ID, PropertyID: c.PropertyID, Connector: c.Connector, Name: c.Name, Status: string(c.Status), Settings: string(c.Settings),
			Account: c.Account, Schedule: c.Schedule, CreatedAt: t.micros(), UpdatedAt: t.micros(),
		}
		if c.Markup != nil {
			kind := string(c.Markup.Kind)
			row.MarkupKind, row.MarkupValue = &kind, &c.Markup.Value
		}
		if err := t.q.InsertChannel(t.ctx, row); err != nil {
			return fmt.Errorf("store channel %s: %w", c.ID, err)
		}
		_, err := t.append(entry{property: c.PropertyID, kind: ChannelCreated, subject: c.ID, body: map[string]any{"connector": c.Connector, "name": c.Name}})
		return err
	})
	if err != nil {
		return hotel.Channel{}, err // c may still be written to when the outcome is unknown
	}
	return c, nil
}

// SetChannelSettings replaces the settings of a channel: where its far side is
// reached and with what credentials.
func (l *Ledger) SetChannelSettings(ctx context.Context, by hotel.By, id string, settings []byte, account string) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		row, err := t.q.GetChannel(t.ctx, id)
		if err != nil {
			return notFound(err)
		}
		if err := t.q.SetChannelSettings(t.ctx, ledgerdb.SetChannelSettingsParams{Settings: string(settings), Account: account, UpdatedAt: t.micros(), ID: id}); err != nil {
			return fmt.Errorf("store settings of channel %s: %w", id, err)
		}
		_, err = t.append(entry{property: row.PropertyID, kind: ChannelUpdated, subject: id, body: map[string]any{"changed": []string{"settings"}}})
		return err
	})
}

// MapChannel stores what of the property the channel sells under which codes.
// stockPer says which of its numbers are counters.
func (l *Ledger) MapChannel(ctx context.Context, by hotel.By, id string, stockPer hotel.StockPer, mappings []hotel.Mapping) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		row, err := t.q.GetChannel(t.ctx, id)
		if err != nil {
			return notFound(err)
		}
		s, err := t.structure(row.PropertyID)
		if err != nil {
			return err
		}
		rooms := map[string]string{} // a remote room is one room type
		for i, m := range mappings {
			if _, err := s.checkProduct(i, m.RoomTypeID, m.RatePlanID); err != nil {
				return err
			}
			if was, ok := rooms[m.RemoteRoom]; ok && was != m.RoomTypeID {
				return hotel.Invalid(fmt.Sprintf("/%d/remote_room_id", i), "ambiguous_mapping", "remote room %s is mapped to two room types", m.RemoteRoom)
			}
			rooms[m.RemoteRoom] = m.RoomTypeID
			counter := ledgerdb.InsertCounterParams{ChannelID: id, RemoteRoom: m.RemoteRoom, RoomTypeID: m.RoomTypeID}
			if stockPer == hotel.PerProduct {
				counter.RemoteRate = m.RemoteRate
			}
			if err := t.q.InsertCounter(t.ctx, counter); err != nil {
				return fmt.Errorf("store counter: %w", err)
			}
			err := t.q.InsertMapping(t.ctx, ledgerdb.InsertMappingParams{
				ChannelID: id, RemoteRoom: m.RemoteRoom, RemoteRate: m.RemoteRate, RoomTypeID: m.RoomTypeID, RatePlanID: m.RatePlanID,
			})
			if err != nil {
				return fmt.Errorf("store mapping: %w", err)
			}
		}
		_, err = t.append(entry{property: row.PropertyID, kind: ChannelMapped, subject: id, offers: true, body: map[string]any{"mappings": mappings}})
		return err
	})
}

// GoLive makes a channel active. opening is what it shows now on every night,
// as somebody states it; the rest it is sent.
func (l *Ledger) GoLive(ctx context.Context, by hotel.By, id string, opening int) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		row, err := t.q.GetChannel(t.ctx, id)
		if err != nil {
			return notFound(err)
		}
		balance := int64(opening)
		if err := t.q.ActivateChannel(t.ctx, ledgerdb.ActivateChannelParams{Opening: &balance, UpdatedAt: t.micros(), ID: id}); err != nil {
			return fmt.Errorf("activate channel %s: %w", id, err)
		}
		s, err := t.structure(row.PropertyID)
		if err != nil {
			return err
		}
		today := s.property.Today(t.now)
		seq, err := t.append(entry{property: row.PropertyID, kind: ChannelActivated, subject: id, offers: true, body: Activation{
			Opening: opening, Horizon: hotel.Span{From: today, To: today + hotel.Date(s.property.HorizonDays)},
		}})
		if err != nil {
			return err
		}
		// The channel has seen nothing of what was before.
		return t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: channelReader(id), Sequence: seq - 1})
	})
}

// Activation is the body of a [ChannelActivated] entry.
type Activation struct {
	Opening int        `json:"opening_available"` // rooms shown on every night, as stated
	Horizon hotel.Span `json:"horizon"`
}

func channelReader(id string) string { return "channel:" + id }

func channelOf(r ledgerdb.Channel) hotel.Channel {
	c := hotel.Channel{
		Entity: entity(r.ID, r.CreatedAt, r.UpdatedAt, r.Revision), PropertyID: r.PropertyID, Connector: r.Connector, Name: r.Name,
		Status: hotel.ChannelStatus(r.Status), Settings: []byte(r.Settings), Account: r.Account, Schedule: r.Schedule,
	}
	if r.MarkupKind != nil {
		c.Markup = &hotel.Markup{Kind: hotel.AdjustmentKind(*r.MarkupKind), Value: orEmpty(r.MarkupValue)}
	}
	return c
}

// Channels lists the channels of a property ("" for all) and how far each is.
func (l *Ledger) Channels(ctx context.Context, property string) (out []hotel.ChannelState, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		rows, err := q.ListChannels(ctx)
		if err != nil {
			return fmt.Errorf("list channels: %w", err)
		}
		for _, r := range rows {
			if property != "" && r.PropertyID != property {
				continue
			}
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

func (l *Ledger) channelState(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.Channel) (hotel.ChannelState, error) {
	state := hotel.ChannelState{Channel: channelOf(r), LastPullAt: instantOrZero(r.PolledAt)}
	place, err := placeOf(ctx, q, r)
	if err != nil {
		return state, err
	}
	state.DerivedThrough = place.through
	property, err := readOne[hotel.Property](q.GetProperty(ctx, r.PropertyID))
	if err != nil {
		return state, err
	}
	today := int64(property.Today(l.clock.Now()))
	stock, err := q.StockLag(ctx, ledgerdb.StockLagParams{ChannelID: r.ID, First: today})
	if err != nil {
		return state, err
	}
	prices, err := q.PriceLag(ctx, ledgerdb.PriceLagParams{ChannelID: r.ID, First: today})
	if err != nil {
		return state, err
	}
	occupancies, err := q.OccupancyLag(ctx, ledgerdb.OccupancyLagParams{ChannelID: r.ID, First: today})
	if err != nil {
		return state, err
	}
	state.Lag = int(stock.Cells + prices.Cells + occupancies.Cells)
	state.Unknown = int(stock.Unknown + prices.Unknown + occupancies.Unknown)
	state.SyncedThrough = state.DerivedThrough
	for _, lag := range []struct{ cells, oldest int64 }{{stock.Cells, stock.Oldest}, {prices.Cells, prices.Oldest}, {occupancies.Cells, occupancies.Oldest}} {
		if lag.cells > 0 && lag.oldest != math.MaxInt64 {
			state.SyncedThrough = min(state.SyncedThrough, lag.oldest-1)
		}
	}
	rejected, err := q.RejectedCells(ctx, r.ID)
	if err != nil {
		return state, err
	}
	state.Rejected = int(rejected)
	pushed, err := q.LastAnswered(ctx, r.ID)
	if err != nil {
		return state, err
	}
	if pushed > 0 {
		state.LastPushAt = instant(pushed)
	}
	return state, nil
}

// Counter is one number that a channel lowers by itself.
type Counter struct {
	Line       int64
	RemoteRoom string
	RemoteRate string // "" where the channel keeps one count for the room
	RoomTypeID string
}

// Lines lists a channel's counters and mappings, each ordered by line.
func (l *Ledger) Lines(ctx context.Context, channel string) (counters []Counter, mappings []hotel.Mapping, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		counters, mappings, err = loadLines(ctx, q, channel)
		return err
	})
	return counters, mappings, err
}

func loadLines(ctx context.Context, q *ledgerdb.Queries, channel string) ([]Counter, []hotel.Mapping, error) {
	counterRows, err := q.ListCounters(ctx, channel)
	if err != nil {
		return nil, nil, fmt.Errorf("list counters of %s: %w", channel, err)
	}
	mappingRows, err := q.ListMappings(ctx, channel)
	if err != nil {
		return nil, nil, fmt.Errorf("list mappings of %s: %w", channel, err)
	}
	counters := make([]Counter, len(counterRows))
	for i, r := range counterRows {
		counters[i] = Counter{r.ID, r.RemoteRoom, r.RemoteRate, r.RoomTypeID}
	}
	mappings := make([]hotel.Mapping, len(mappingRows))
	for i, r := range mappingRows {
		mappings[i] = hotel.Mapping{
			Line: r.ID, ChannelID: channel, RoomTypeID: r.RoomTypeID, RatePlanID: r.RatePlanID, RemoteRoom: r.RemoteRoom, RemoteRate: r.RemoteRate,
		}
	}
	return counters, mappings, nil
}

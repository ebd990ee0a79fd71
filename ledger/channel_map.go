package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

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

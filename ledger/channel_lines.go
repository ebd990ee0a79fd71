package ledger

import (
	"context"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Counter is one number that a channel lowers by itself.
type Counter struct {
	Line       int64
	RemoteRoom string
	RemoteRate string // "" where the channel keeps one count for the room
	RoomTypeID string
	Retired    bool // nothing is sold there any more: it is kept closed
}

// behind reports whether the counter is what a sale of the mapping lowers.
func (c Counter) behind(m hotel.Mapping) bool {
	return c.RemoteRoom == m.RemoteRoom && (c.RemoteRate == "" || c.RemoteRate == m.RemoteRate)
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
		counters[i] = Counter{r.ID, r.RemoteRoom, r.RemoteRate, r.RoomTypeID, r.Retired == 1}
	}
	mappings := make([]hotel.Mapping, len(mappingRows))
	for i, r := range mappingRows {
		mappings[i] = hotel.Mapping{
			Line: r.ID, ChannelID: channel, RoomTypeID: r.RoomTypeID, RatePlanID: r.RatePlanID, RemoteRoom: r.RemoteRoom, RemoteRate: r.RemoteRate,
			Guests: int(r.Guests), Retired: r.Retired == 1,
		}
	}
	return counters, mappings, nil
}

// remapped returns the lines that a channel has once mappings replace all that it sells,
// and which of its codes stand for something else then. A code keeps its line, with all
// that is known of what it shows, also where nothing is sold under it any more; one that
// is new has a number below zero until it is stored.
func remapped(channel string, counters []Counter, lines []hotel.Mapping, stockPer hotel.StockPer, mappings []hotel.Mapping) ([]Counter, []hotel.Mapping, changedCodes) {
	was := lines
	counters, lines = slices.Clone(counters), slices.Clone(lines)
	for i := range counters {
		counters[i].Retired = true
	}
	for i := range lines {
		lines[i].Retired = true
	}
	var changed changedCodes
	for _, m := range mappings {
		c := Counter{RemoteRoom: m.RemoteRoom, RemoteRate: m.RemoteRate, RoomTypeID: m.RoomTypeID}
		if stockPer != hotel.PerProduct {
			c.RemoteRate = ""
		}
		at := slices.IndexFunc(counters, func(k Counter) bool { return k.RemoteRoom == c.RemoteRoom && k.RemoteRate == c.RemoteRate })
		if at < 0 {
			at, counters = len(counters), append(counters, c)
			counters[at].Line = -int64(len(counters))
		}
		if k := counters[at]; k.RoomTypeID != c.RoomTypeID && !slices.Contains(changed.Counters, k.Line) {
			changed.Counters = append(changed.Counters, k.Line)
		}
		c.Line = counters[at].Line
		counters[at] = c

		at = slices.IndexFunc(lines, func(k hotel.Mapping) bool { return k.RemoteRoom == m.RemoteRoom && k.RemoteRate == m.RemoteRate })
		m.ChannelID, m.Retired = channel, false
		if at < 0 {
			m.Line = -int64(len(lines) + 1)
			lines = append(lines, m)
			continue
		}
		if m.Line = lines[at].Line; was[at] != m {
			changed.Lines = append(changed.Lines, m.Line)
		}
		lines[at] = m
	}
	return counters, lines, changed
}

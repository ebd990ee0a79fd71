package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// MapChannel replaces what of the property the channel sells under which codes.
// stockPer says which of its numbers are counters. A code that nothing maps to
// any more is kept closed, if the channel was ever told anything under it. Bookings
// that came under codes which were not mapped become what those mean now. The
// refusal names every mistake.
func (l *Ledger) MapChannel(ctx context.Context, by hotel.By, id string, ifRevision int64, stockPer hotel.StockPer, mappings []hotel.Mapping) error {
	return l.write(ctx, urgent, by, func(t *tx) error { return t.mapChannel(id, ifRevision, stockPer, mappings) })
}

// TryMapping refuses what [Ledger.MapChannel] would refuse, and stores nothing.
func (l *Ledger) TryMapping(ctx context.Context, by hotel.By, id string, ifRevision int64, stockPer hotel.StockPer, mappings []hotel.Mapping) error {
	err := l.write(ctx, bulk, by, func(t *tx) error {
		if err := t.mapChannel(id, ifRevision, stockPer, mappings); err != nil {
			return err
		}
		return errDryRun
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return err
}

func (t *tx) mapChannel(id string, ifRevision int64, stockPer hotel.StockPer, mappings []hotel.Mapping) error {
	_, c, err := t.channel(id)
	if err != nil {
		return err
	}
	if err := c.Expect(ifRevision); err != nil {
		return err
	}
	s, err := t.structure(c.PropertyID)
	if err != nil {
		return err
	}
	if err := checkMappings(s, mappings); err != nil {
		return err
	}
	changed, err := t.putMappings(id, stockPer, mappings)
	if err != nil {
		return fmt.Errorf("store mappings of channel %s: %w", id, err)
	}
	if err := t.renewParties(c.PropertyID, id); err != nil {
		return err
	}
	if err := t.q.EstrangeParties(t.ctx, ledgerdb.EstrangePartiesParams{Now: microsOrNil(t.steady), ChannelID: id}); err != nil {
		return fmt.Errorf("parties of channel %s: %w", id, err)
	}
	if err := t.redealAll(c.PropertyID); err != nil {
		return err
	}
	// Whoever is at work on the channel knows its codes by its revision.
	if err := t.q.TouchChannel(t.ctx, ledgerdb.TouchChannelParams{UpdatedAt: t.micros(), ID: id}); err != nil {
		return fmt.Errorf("store channel %s: %w", id, err)
	}
	body := mappingsBody{Horizon: s.property.Shows(t.now), Mappings: []mappingBody{}, changedCodes: changed}
	for _, m := range mappings {
		body.Mappings = append(body.Mappings, mappingBody{m.RoomTypeID, m.RatePlanID, m.RemoteRoom, m.RemoteRate, m.Guests})
	}
	if _, err := t.append(entry{property: c.PropertyID, kind: ChannelMapped, subject: id, offers: true, body: body}); err != nil {
		return err
	}
	return t.adopt(s, id)
}

// mappingsBody is the body of a [ChannelMapped] entry: all mappings from then on,
// and the nights whose offers are to be worked out again.
type mappingsBody struct {
	Mappings []mappingBody `json:"mappings"`
	Horizon  hotel.Span    `json:"horizon"`
	changedCodes
}

// changedCodes are the lines of codes that stand for something else now, so that
// what the channel shows under them says nothing about that.
type changedCodes struct {
	Counters []int64 `json:"changed_counters,omitempty"`
	Lines    []int64 `json:"changed_lines,omitempty"` // of mappings
}

type mappingBody struct {
	RoomTypeID string `json:"room_type_id"`
	RatePlanID string `json:"rate_plan_id"`
	RemoteRoom string `json:"remote_room_id"`
	RemoteRate string `json:"remote_rate_id"`
	Guests     int    `json:"occupancy,omitempty"`
}

func (c changedCodes) covers(cell hotel.Cell) bool {
	if cell.Group == hotel.Availability {
		return slices.Contains(c.Counters, cell.Line)
	}
	return slices.Contains(c.Lines, cell.Line)
}

// checkMappings finds everything that is wrong with mappings.
func checkMappings(s *structure, mappings []hotel.Mapping) error {
	var items []hotel.RefusedItem
	wrong := func(i int, member, code, format string, args ...any) {
		items = append(items, hotel.RefusedItem{Pointer: fmt.Sprintf("/mappings/%d/%s", i, member), Code: code, Detail: fmt.Sprintf(format, args...)})
	}
	rooms := map[string]string{}    // a remote room is one room type
	products := map[[2]string]int{} // a remote product is one of ours
	for i, m := range mappings {
		room, plan := s.room(m.RoomTypeID), s.plan(m.RatePlanID)
		switch {
		case room == nil:
			wrong(i, "room_type_id", "unknown_room_type", "the property has no room type of that id")
		case plan == nil:
			wrong(i, "rate_plan_id", "unknown_rate_plan", "the property has no rate plan of that id")
		case !slices.Contains(plan.RoomTypeIDs, m.RoomTypeID):
			wrong(i, "rate_plan_id", "unknown_rate_plan", "rate plan %s does not sell room type %s", plan.Code, m.RoomTypeID)
		}
		switch {
		case m.Guests < 0:
			wrong(i, "occupancy", "min", "a price is for one guest at least; leave it out for those of the base occupancy")
		case room != nil && m.Guests > room.MaxOccupancy:
			wrong(i, "occupancy", "occupancy_exceeded", "room type %s takes %d guests", room.Code, room.MaxOccupancy)
		}
		if was, ok := rooms[m.RemoteRoom]; ok && was != m.RoomTypeID {
			wrong(i, "remote_room_id", "ambiguous_mapping", "remote room %s is mapped to another room type above", m.RemoteRoom)
			continue
		}
		rooms[m.RemoteRoom] = m.RoomTypeID
		remote := [2]string{m.RemoteRoom, m.RemoteRate}
		if at, ok := products[remote]; ok {
			wrong(i, "remote_rate_id", "ambiguous_mapping", "rate %s of remote room %s is mapped above, by entry %d", m.RemoteRate, m.RemoteRoom, at)
		}
		products[remote] = i
	}
	if len(items) == 0 {
		return nil
	}
	r := hotel.Refuse("validation_failed", "%d of the mappings cannot be; nothing was stored", len(items))
	r.Items = items
	return r
}

func (t *tx) putMappings(id string, stockPer hotel.StockPer, mappings []hotel.Mapping) (changedCodes, error) {
	counters, lines, err := loadLines(t.ctx, t.q, id)
	if err != nil {
		return changedCodes{}, err
	}
	var changed changedCodes
	if err := errors.Join(t.q.RetireCounters(t.ctx, id), t.q.RetireMappings(t.ctx, id)); err != nil {
		return changed, err
	}
	for _, m := range mappings {
		rate := m.RemoteRate
		if stockPer != hotel.PerProduct {
			rate = ""
		}
		if err := t.putCounter(ledgerdb.InsertCounterParams{ChannelID: id, RemoteRoom: m.RemoteRoom, RemoteRate: rate, RoomTypeID: m.RoomTypeID}); err != nil {
			return changed, err
		}
		for _, c := range counters {
			if c.RemoteRoom == m.RemoteRoom && c.RemoteRate == rate && c.RoomTypeID != m.RoomTypeID && !slices.Contains(changed.Counters, c.Line) {
				changed.Counters = append(changed.Counters, c.Line)
			}
		}
		for _, was := range lines {
			if was.RemoteRoom == m.RemoteRoom && was.RemoteRate == m.RemoteRate && (was.Retired || was.RoomTypeID != m.RoomTypeID || was.RatePlanID != m.RatePlanID || was.Guests != m.Guests) {
				changed.Lines = append(changed.Lines, was.Line)
			}
		}
		err := t.putMapping(ledgerdb.InsertMappingParams{
			ChannelID: id, RemoteRoom: m.RemoteRoom, RemoteRate: m.RemoteRate, RoomTypeID: m.RoomTypeID, RatePlanID: m.RatePlanID,
			Guests: int64(m.Guests),
		})
		if err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// putCounter stores a counter. A code keeps its line, with all that is known of
// what it shows.
func (t *tx) putCounter(c ledgerdb.InsertCounterParams) error {
	known, err := t.q.UpdateCounter(t.ctx, ledgerdb.UpdateCounterParams{
		RoomTypeID: c.RoomTypeID, ChannelID: c.ChannelID, RemoteRoom: c.RemoteRoom, RemoteRate: c.RemoteRate,
	})
	if err != nil || known > 0 {
		return err
	}
	return t.q.InsertCounter(t.ctx, c)
}

func (t *tx) putMapping(m ledgerdb.InsertMappingParams) error {
	known, err := t.q.UpdateMapping(t.ctx, ledgerdb.UpdateMappingParams{
		RoomTypeID: m.RoomTypeID, RatePlanID: m.RatePlanID, Guests: m.Guests, ChannelID: m.ChannelID, RemoteRoom: m.RemoteRoom, RemoteRate: m.RemoteRate,
	})
	if err != nil || known > 0 {
		return err
	}
	return t.q.InsertMapping(t.ctx, m)
}

// Mappings lists what a channel sells under which codes, in the order of its
// codes.
func (l *Ledger) Mappings(ctx context.Context, channel string) ([]hotel.Mapping, error) {
	_, all, err := l.Lines(ctx, channel)
	all = slices.DeleteFunc(all, func(m hotel.Mapping) bool { return m.Retired })
	slices.SortFunc(all, func(a, b hotel.Mapping) int {
		return cmp.Or(cmp.Compare(a.RemoteRoom, b.RemoteRoom), cmp.Compare(a.RemoteRate, b.RemoteRate))
	})
	return all, err
}

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

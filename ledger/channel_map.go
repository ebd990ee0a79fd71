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

// ErrUnplanned refuses another mapping of a channel that is live without a plan.
var ErrUnplanned error = hotel.Invalid("/plan_id", "required", "the channel is live, and would be told of it: try the mapping first (dry_run), look at its plan, and send its plan_id")

// MapChannel replaces what of the property the channel sells under which codes. A code
// that nothing maps to any more is kept closed, if the channel was ever told anything
// under it. Bookings that came under codes which were not mapped become what those mean
// now. The refusal names every mistake. A channel that is live is [ErrUnplanned]: see
// [Ledger.RemapLive].
func (l *Ledger) MapChannel(ctx context.Context, by hotel.By, id string, m hotel.Remap) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		_, c, err := t.channel(id)
		if err != nil {
			return err
		}
		if c.Live() {
			return ErrUnplanned
		}
		return t.mapChannel(c, m)
	})
}

// RemapLive is MapChannel for a channel that is live, by a plan. [ErrOutrun] says that
// something has happened since the plan's sequence that may make it another.
func (l *Ledger) RemapLive(ctx context.Context, by hotel.By, id string, sequence int64, m hotel.Remap) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		_, c, err := t.channel(id)
		if err != nil {
			return err
		}
		moved, err := t.movedSince(c, sequence)
		if err != nil {
			return err
		}
		if moved {
			return ErrOutrun
		}
		return t.mapChannel(c, m)
	})
}

// TryMapping refuses mistakes as [Ledger.MapChannel] does, and stores nothing.
func (l *Ledger) TryMapping(ctx context.Context, by hotel.By, id string, m hotel.Remap) error {
	err := l.write(ctx, bulk, by, func(t *tx) error {
		_, c, err := t.channel(id)
		if err != nil {
			return err
		}
		if err := t.mapChannel(c, m); err != nil {
			return err
		}
		return errDryRun
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return err
}

func (t *tx) mapChannel(c hotel.Channel, m hotel.Remap) error {
	if err := c.Expect(m.IfRevision); err != nil {
		return err
	}
	s, err := t.structure(c.PropertyID)
	if err != nil {
		return err
	}
	if err := checkMappings(s, m.Mappings); err != nil {
		return err
	}
	changed, err := t.putMappings(c.ID, m)
	if err != nil {
		return fmt.Errorf("store mappings of channel %s: %w", c.ID, err)
	}
	if err := t.renewParties(c.PropertyID, c.ID); err != nil {
		return err
	}
	if err := t.q.EstrangeParties(t.ctx, ledgerdb.EstrangePartiesParams{Now: microsOrNil(t.steady), ChannelID: c.ID}); err != nil {
		return fmt.Errorf("parties of channel %s: %w", c.ID, err)
	}
	if err := t.redealAll(c.PropertyID); err != nil {
		return err
	}
	// Whoever is at work on the channel knows its codes by its revision.
	if err := t.q.TouchChannel(t.ctx, ledgerdb.TouchChannelParams{UpdatedAt: t.micros(), ID: c.ID}); err != nil {
		return fmt.Errorf("store channel %s: %w", c.ID, err)
	}
	body := mappingsBody{Horizon: s.property.Shows(t.now), Mappings: []mappingBody{}, changedCodes: changed, AcceptedBy: m.AcceptedBy}
	for _, of := range m.Mappings {
		body.Mappings = append(body.Mappings, mappingBody{of.RoomTypeID, of.RatePlanID, of.RemoteRoom, of.RemoteRate, of.Guests})
	}
	if _, err := t.append(entry{property: c.PropertyID, kind: ChannelMapped, subject: c.ID, offers: true, body: body}); err != nil {
		return err
	}
	return t.adopt(s, c.ID)
}

// mappingsBody is the body of a [ChannelMapped] entry: all mappings from then on,
// and the nights whose offers are to be worked out again.
type mappingsBody struct {
	Mappings []mappingBody `json:"mappings"`
	Horizon  hotel.Span    `json:"horizon"`

	AcceptedBy string `json:"accepted_by,omitempty"` // who answers for nights that a live channel shows more rooms on
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
		items = append(items, hotel.Wrong(fmt.Sprintf("/mappings/%d/%s", i, member), code, format, args...))
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

func (t *tx) putMappings(id string, m hotel.Remap) (changedCodes, error) {
	counters, lines, err := loadLines(t.ctx, t.q, id)
	if err != nil {
		return changedCodes{}, err
	}
	counters, lines, changed := remapped(id, counters, lines, m.StockPer, m.Mappings)
	if err := errors.Join(t.q.RetireCounters(t.ctx, id), t.q.RetireMappings(t.ctx, id)); err != nil {
		return changed, err
	}
	for _, c := range counters {
		if c.Retired {
			continue
		}
		if err := t.putCounter(ledgerdb.InsertCounterParams{ChannelID: id, RemoteRoom: c.RemoteRoom, RemoteRate: c.RemoteRate, RoomTypeID: c.RoomTypeID}); err != nil {
			return changed, err
		}
	}
	for _, m := range lines {
		if m.Retired {
			continue
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

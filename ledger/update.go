package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// longestHorizon is how many days ahead any property can be booked, and a day on
// either side.
const longestHorizon = 1095 + 2

// bulkUpdate is what the three kinds of bulk update have in common while they
// are stored.
type bulkUpdate struct {
	t     *tx
	s     *structure
	upd   hotel.AriUpdate
	first hotel.Date
	last  hotel.Date
}

// update runs one bulk update as one item, under its idempotency key.
func (l *Ledger) update(
	ctx context.Context, by hotel.By, once hotel.Once, property, kind string, entries []hotel.Dates, store func(*bulkUpdate) error,
) (hotel.AriUpdate, bool, error) {
	cells := 0
	for _, d := range entries {
		if d.Days() <= longestHorizon { // a longer one is refused for its dates, and too long to be counted
			cells += len(d.Nights())
		}
	}
	if cells > hotel.MaxUpdateCells {
		return hotel.AriUpdate{}, false, &hotel.Refusal{
			Code: "body_too_large", Detail: fmt.Sprintf("the update names %d cells; one call takes at most %d: send it in parts", cells, hotel.MaxUpdateCells),
		}
	}
	var upd hotel.AriUpdate // no named results, as in CreateReservation
	var replayed bool
	err := l.write(ctx, bulk, by, func(t *tx) error {
		id, done, err := t.begin(once)
		replayed = done
		if err != nil {
			return err
		}
		if done {
			row, err := t.q.GetAriUpdate(t.ctx, id)
			upd = ariUpdateOf(row)
			return err
		}
		s, err := t.structure(property)
		if err != nil {
			return err
		}
		u := &bulkUpdate{t: t, s: s, upd: hotel.AriUpdate{
			ID: hotel.NewID("ari"), PropertyID: property, Kind: kind, Entries: len(entries),
			Changed: make([]int, len(entries)), CreatedAt: t.now,
		}}
		if err := u.span(entries); err != nil {
			return err
		}
		if err := store(u); err != nil {
			return err
		}
		for _, n := range u.upd.Changed {
			u.upd.CellsChanged += n
		}
		upd = u.upd
		err = t.q.InsertAriUpdate(t.ctx, ledgerdb.InsertAriUpdateParams{
			ID: upd.ID, PropertyID: property, Kind: kind, Sequence: t.heads.sequence, Entries: int64(upd.Entries),
			CellsMatched: int64(upd.CellsMatched), CellsChanged: int64(upd.CellsChanged), CreatedAt: t.micros(),
		})
		if err != nil {
			return fmt.Errorf("store update: %w", err)
		}
		upd.Sequence = t.heads.sequence
		return t.keep(upd.ID)
	})
	if err != nil {
		return hotel.AriUpdate{}, !errors.Is(err, ErrUnknown) && replayed, err
	}
	upd.Channels, err = l.progress(ctx, upd)
	return upd, replayed, err
}

// span checks every entry's dates and finds the nights that they lie between.
func (u *bulkUpdate) span(entries []hotel.Dates) error {
	today := u.s.property.BusinessDate(u.t.now)
	horizon := today + hotel.Date(u.s.property.HorizonDays)
	for i, d := range entries {
		at := func(field string) string { return fmt.Sprintf("/entries/%d/%s", i, field) }
		switch {
		case d.To < d.From:
			return hotel.Invalid(at("date_to"), "date_order", "must not be before date_from (%s)", d.From)
		case d.From < today:
			return hotel.Invalid(at("date_from"), "date_in_past", "must not be before the business date (%s)", today)
		case d.To > horizon:
			return hotel.Invalid(at("date_to"), "date_horizon", "must not be after the booking horizon (%s)", horizon)
		}
		if i == 0 {
			u.first, u.last = d.From, d.To
		}
		u.first, u.last = min(u.first, d.From), max(u.last, d.To)
		u.upd.CellsMatched += len(d.Nights())
	}
	return nil
}

// checkVersion refuses an entry that was made for another version of the cell.
func checkVersion(entry int, expected, version int64, night hotel.Date) error {
	if expected == 0 || expected == version {
		return nil
	}
	r := hotel.Refuse("version_conflict", "entry %d expects version %d of %s, which has version %d: read the cell again", entry, expected, night, version)
	r.Members = map[string]any{"entry": entry, "date": night.String(), "version": version}
	return r
}

func (s *structure) checkRoom(entry int, id string) (*hotel.RoomType, error) {
	if r := s.room(id); r != nil {
		return r, nil
	}
	return nil, hotel.Invalid(fmt.Sprintf("/entries/%d/room_type_id", entry), "unknown_room_type", "the property has no room type %q", id)
}

func (s *structure) checkProduct(entry int, room, plan string) (*hotel.RatePlan, error) {
	if _, err := s.checkRoom(entry, room); err != nil {
		return nil, err
	}
	p := s.plan(plan)
	if p == nil {
		return nil, hotel.Invalid(fmt.Sprintf("/entries/%d/rate_plan_id", entry), "unknown_rate_plan", "the property has no rate plan %q", plan)
	}
	if slices.Contains(p.RoomTypeIDs, room) {
		return p, nil
	}
	return nil, hotel.Invalid(fmt.Sprintf("/entries/%d/rate_plan_id", entry), "unknown_rate_plan", "rate plan %s does not sell room type %s", plan, room)
}

// set lays a member of a partial value over what is stored; null puts the
// default back.
func set[V any](cell *V, o hotel.Optional[V], standard V) {
	switch {
	case !o.Set:
	case o.Null:
		*cell = standard
	default:
		*cell = o.Value
	}
}

// setPointer is set for cells whose default is that they say nothing.
func setPointer[V any](cell **V, o hotel.Optional[V]) {
	switch {
	case !o.Set:
	case o.Null:
		*cell = nil
	default:
		v := o.Value
		*cell = &v
	}
}

func ariUpdateOf(r ledgerdb.AriUpdate) hotel.AriUpdate {
	return hotel.AriUpdate{
		ID: r.ID, PropertyID: r.PropertyID, Kind: r.Kind, Sequence: r.Sequence, Entries: int(r.Entries),
		CellsMatched: int(r.CellsMatched), CellsChanged: int(r.CellsChanged), CreatedAt: instant(r.CreatedAt),
	}
}

// AriUpdate returns a bulk update and how far the channels are with it, or
// [ErrNotFound].
func (l *Ledger) AriUpdate(ctx context.Context, id string) (hotel.AriUpdate, error) {
	row, err := l.read.GetAriUpdate(ctx, id)
	if err != nil {
		return hotel.AriUpdate{}, notFound(err)
	}
	upd := ariUpdateOf(row)
	upd.Channels, err = l.progress(ctx, upd)
	return upd, err
}

// progress says which of the property's live channels have been told of it.
func (l *Ledger) progress(ctx context.Context, upd hotel.AriUpdate) ([]hotel.UpdateProgress, error) {
	channels, err := l.Channels(ctx, upd.PropertyID)
	if err != nil {
		return nil, err
	}
	var out []hotel.UpdateProgress
	for _, c := range channels {
		if c.Status == hotel.ChannelActive {
			out = append(out, hotel.UpdateProgress{ChannelID: c.ID, Done: c.SyncedThrough >= upd.Sequence})
		}
	}
	return out, nil
}

package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

func ariUpdateOf(r ledgerdb.AriUpdate) hotel.AriUpdate {
	return hotel.AriUpdate{
		ID: r.ID, PropertyID: r.PropertyID, Kind: r.Kind, Sequence: r.Sequence, Status: hotel.UpdateStatus(r.Status), Entries: int(r.Entries),
		CellsMatched: int(r.CellsMatched), CellsChanged: int(r.CellsChanged), CreatedAt: instant(r.CreatedAt), UpdatedAt: instant(r.UpdatedAt), Revision: r.Revision,
	}
}

// AriUpdate returns a bulk update and how far the channels are with it, or
// [ErrNotFound].
func (l *Ledger) AriUpdate(ctx context.Context, id string) (upd hotel.AriUpdate, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetAriUpdate(ctx, id)
		if err != nil {
			return notFound(err)
		}
		upd = ariUpdateOf(row)
		if upd.Results, err = entryResults(ctx, q, id); err != nil {
			return err
		}
		upd.Channels, err = l.progress(ctx, q, row)
		return err
	})
	return upd, err
}

// AriUpdates lists bulk updates in the order in which they were taken.
func (l *Ledger) AriUpdates(ctx context.Context, f hotel.AriUpdateFilter) (list []hotel.AriUpdate, err error) {
	since := int64(0)
	if !f.CreatedSince.IsZero() {
		since = f.CreatedSince.UnixMicro()
	}
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		rows, err := q.ListAriUpdates(ctx, ledgerdb.ListAriUpdatesParams{
			PropertyID: f.PropertyID, After: f.AfterID, Kinds: jsonList(f.Kinds), Statuses: jsonList(f.Statuses), Since: since, AtMost: int64(f.Limit),
		})
		if err != nil {
			return fmt.Errorf("list updates of %s: %w", f.PropertyID, err)
		}
		for _, r := range rows {
			upd := ariUpdateOf(r)
			if upd.Channels, err = l.progress(ctx, q, r); err != nil {
				return err
			}
			list = append(list, upd)
		}
		return nil
	})
	return list, err
}

// LatestAriUpdates lists the newest bulk updates of a property first, those before one of
// them where it is named, with who asked for each; how far each channel is with it is left out.
func (l *Ledger) LatestAriUpdates(ctx context.Context, property, before string, limit int) (list []hotel.MadeUpdate, err error) {
	before = cmp.Or(before, "\x7f") // behind every id
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		rows, err := q.LatestAriUpdates(ctx, ledgerdb.LatestAriUpdatesParams{PropertyID: property, Before: before, AtMost: int64(limit)})
		if err != nil {
			return fmt.Errorf("list the latest updates of %s: %w", property, err)
		}
		for _, r := range rows {
			list = append(list, hotel.MadeUpdate{AriUpdate: ariUpdateOf(r.AriUpdate), By: actorOf(r.Actor)})
		}
		return nil
	})
	return list, err
}

// progress says how far each channel is with an update: what was noted when it
// was done, else what its place in the journal tells.
func (l *Ledger) progress(ctx context.Context, q *ledgerdb.Queries, upd ledgerdb.AriUpdate) ([]hotel.UpdateProgress, error) {
	noted, err := q.ListAriUpdateChannels(ctx, upd.ID)
	if err != nil {
		return nil, fmt.Errorf("read progress of %s: %w", upd.ID, err)
	}
	done := map[string]ledgerdb.AriUpdateChannel{}
	for _, r := range noted {
		done[r.ChannelID] = r
	}
	touches, err := l.touchedBy(ctx, q, upd)
	if err != nil {
		return nil, err
	}
	channels, err := q.ListChannelsOf(ctx, upd.PropertyID)
	if err != nil {
		return nil, fmt.Errorf("list channels: %w", err)
	}
	var out []hotel.UpdateProgress
	for _, row := range channels {
		p := hotel.UpdateProgress{ChannelID: row.ID, Status: hotel.UpdateSkipped}
		if r, ok := done[row.ID]; ok {
			p.Status, p.DoneAt, p.Rejected, p.Held = hotel.UpdateDone, instant(r.DoneAt), int(r.Rejected), int(r.Held)
			if r.ErrorCode != "" {
				p.LastError = &hotel.UpdateFault{Code: r.ErrorCode, Detail: r.ErrorDetail}
			}
		} else if upd.Status == string(hotel.UpdateSyncing) {
			if err := l.unnoted(ctx, q, upd, row, touches, &p); err != nil {
				return nil, err
			}
		}
		out = append(out, p)
	}
	return out, nil
}

// unnoted finds out how far a channel is that was not noted as done.
func (l *Ledger) unnoted(
	ctx context.Context, q *ledgerdb.Queries, upd ledgerdb.AriUpdate, row ledgerdb.Channel, touches func(channel string) (bool, error), p *hotel.UpdateProgress,
) error {
	c, err := channelOf(row)
	if err != nil || !c.Told() {
		return err
	}
	if sells, err := touches(row.ID); err != nil || !sells {
		return err
	}
	p.Status = hotel.UpdatePending
	if upd.Followed != nil {
		rejected, err := q.RejectedBetween(ctx, ledgerdb.RejectedBetweenParams{ChannelID: row.ID, First: upd.First, Last: *upd.Followed})
		if err != nil {
			return fmt.Errorf("count rejected cells of %s: %w", row.ID, err)
		}
		held, err := q.HeldBetween(ctx, ledgerdb.HeldBetweenParams{ChannelID: row.ID, First: upd.First, Last: *upd.Followed})
		if err != nil {
			return fmt.Errorf("count held cells of %s: %w", row.ID, err)
		}
		p.Rejected, p.Held = int(rejected), int(held)
		told, err := l.toldThrough(ctx, q, row, *upd.Followed)
		if err != nil {
			return err
		}
		if told {
			p.Status = hotel.UpdateDone
		}
	}
	failure, err := q.LastFailure(ctx, ledgerdb.LastFailureParams{ChannelID: row.ID, Since: upd.CreatedAt})
	switch {
	case err == nil:
		p.LastError = &hotel.UpdateFault{Code: failure.State, Detail: failure.Error}
	case !errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("read calls to %s: %w", row.ID, err)
	}
	return nil
}

// touchedBy returns what tells whether a channel sells anything of an update.
func (l *Ledger) touchedBy(ctx context.Context, q *ledgerdb.Queries, upd ledgerdb.AriUpdate) (func(channel string) (bool, error), error) {
	subjects, err := q.FactSubjects(ctx, ledgerdb.FactSubjectsParams{First: upd.First, Last: upd.Sequence})
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	s, err := loadStructure(ctx, q, upd.PropertyID)
	if err != nil {
		return nil, err
	}
	rooms, products := map[string]bool{}, map[product]bool{}
	for _, subject := range subjects {
		if upd.Kind == "inventory" {
			rooms[subject] = true
			for i := range s.rooms {
				if subject == upd.PropertyID || slices.ContainsFunc(s.rooms[i].Consumes, func(d hotel.Draw) bool { return slices.Contains(d.AnyOf, subject) }) {
					rooms[s.rooms[i].ID] = true
				}
			}
			continue
		}
		for _, p := range s.selling(productOf(subject)) {
			products[p] = true
		}
	}
	return func(channel string) (bool, error) {
		counters, mappings, err := loadLines(ctx, q, channel)
		if err != nil {
			return false, err
		}
		for _, c := range counters {
			if rooms[c.RoomTypeID] {
				return true, nil
			}
		}
		for _, m := range mappings {
			if products[product{m.RoomTypeID, m.RatePlanID}] {
				return true, nil
			}
		}
		return false, nil
	}, nil
}

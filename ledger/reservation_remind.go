package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger/internal/ledgerdb"
)

const (
	remindAfter  = 30 * time.Minute // without an acknowledgement
	remindWithin = 24 * time.Hour   // of what is older than that nobody is reminded any more
	remindAtOnce = 100
)

// RemindUnacknowledged journals, once for each revision, the channels' bookings that
// a client which acknowledges bookings has not acknowledged for half an hour.
func (l *Ledger) RemindUnacknowledged(ctx context.Context) error {
	since, err := l.acknowledgedSince(ctx)
	if err != nil {
		return err
	}
	for property, from := range since {
		ids, err := l.read.UnacknowledgedBetween(ctx, ledgerdb.UnacknowledgedBetweenParams{
			PropertyID: property, After: from.UnixMicro(), Before: l.clock.Now().Add(-remindAfter).UnixMicro(), AtMost: remindAtOnce,
		})
		if err != nil {
			return fmt.Errorf("look for bookings that nobody acknowledged: %w", err)
		}
		for _, id := range ids {
			if err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.remind(id) }); err != nil {
				return fmt.Errorf("remind of reservation %s: %w", id, err)
			}
		}
	}
	return nil
}

// acknowledgedSince is from when on somebody acknowledges the bookings of a property,
// but not from before the time that anybody is reminded of.
func (l *Ledger) acknowledgedSince(ctx context.Context) (map[string]time.Time, error) {
	endpoints, err := l.LiveWebhooks(ctx)
	if err != nil {
		return nil, err
	}
	since := map[string]time.Time{}
	for _, e := range endpoints {
		c, known, err := l.clients.Client(ctx, e.ClientID)
		if err != nil {
			return nil, err
		}
		if !e.Acknowledges || !known || c.Status != auth.ClientActive {
			continue
		}
		properties, err := l.Properties(ctx)
		if err != nil {
			return nil, err
		}
		for _, p := range properties {
			first, there := since[p.ID]
			if c.Who().Sees(p.ID) && e.Wants(string(ReservationUnacknowledged), p.ID) && (!there || e.CreatedAt.Before(first)) {
				since[p.ID] = e.CreatedAt
			}
		}
	}
	oldest := l.clock.Now().Add(-remindWithin)
	for property, from := range since {
		if from.Before(oldest) {
			since[property] = oldest
		}
	}
	return since, nil
}

func (t *tx) remind(id string) error {
	r, err := t.reservation(id)
	if err != nil {
		return err
	}
	if r.Imported || r.Acknowledged != nil && r.Acknowledged.Revision == r.Revision {
		return nil
	}
	_, err = t.append(entry{property: r.PropertyID, kind: ReservationUnacknowledged, subject: id, body: map[string]any{
		"channel_id": r.Source.ChannelID, "revision": r.Revision,
	}})
	if err != nil {
		return err
	}
	return t.q.PutReminder(t.ctx, ledgerdb.PutReminderParams{ReservationID: id, Revision: r.Revision})
}

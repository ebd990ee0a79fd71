package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// EventQuery asks for what happened. Zero fields do not filter.
type EventQuery struct {
	After       *int64    // a sequence; nil: from the beginning of the window, or Since
	Since       time.Time // at or after
	Types       []string  // names, or reservation.* for a whole group
	PropertyIDs []string  // of these; none: of every granted one
	Limit       int
	Wait        time.Duration // for the first event, when there is none yet
}

// EventPage is a piece of the journal as one reader sees it.
type EventPage struct {
	Events   []Event
	Next     int64 // the sequence to go on behind
	CaughtUp bool  // nothing was there behind it
}

// Event is something that happened, as the journal has it.
type Event = ledger.Entry

// journal is what happened.
type journal interface {
	Entries(ctx context.Context, after int64, limit int) ([]ledger.Entry, error)
	Entry(ctx context.Context, id string) (ledger.Entry, error)
	NextEntryAt(ctx context.Context, after int64) (time.Time, bool, error)
	Sequence(ctx context.Context) (int64, error)
	SequenceBefore(ctx context.Context, at time.Time) (int64, error)
	Lost(ctx context.Context, after int64) (bool, error)
	Changed() <-chan struct{}
}

// scanned is how many entries are looked through for one answer.
const scanned = 2000

// Events returns events behind a place in the journal, in order. With a wait it
// answers as soon as there is one, when the wait is over or when stop is closed.
// It holds nothing while it waits.
func (d *Desk) Events(ctx context.Context, c Caller, q EventQuery, stop <-chan struct{}) (EventPage, error) {
	if err := d.enterFeed(ctx, c, q); err != nil {
		return EventPage{}, err
	}
	after, err := d.feedStart(ctx, q)
	if err != nil {
		return EventPage{}, err
	}
	over := time.NewTimer(q.Wait)
	defer over.Stop()
	for {
		changed := d.ledger.Changed() // asked before reading, so that no commit slips by
		page, err := d.eventsBehind(ctx, c, q, after)
		if err != nil || len(page.Events) > 0 || !page.CaughtUp || q.Wait == 0 {
			return page, err
		}
		select {
		case <-changed:
			after = page.Next
		case <-over.C:
			return page, nil
		case <-stop:
			return page, nil
		case <-ctx.Done():
			return page, context.Cause(ctx)
		}
	}
}

func (d *Desk) enterFeed(ctx context.Context, c Caller, q EventQuery) error {
	if err := c.need(auth.EventsRead); err != nil || len(q.PropertyIDs) == 0 {
		return err
	}
	_, err := d.among(ctx, c, q.PropertyIDs)
	return err
}

// feedStart returns the sequence to begin behind, and refuses one whose
// followers have left the window.
func (d *Desk) feedStart(ctx context.Context, q EventQuery) (int64, error) {
	oldest := d.clock.Now().Add(-d.eventWindow)
	if q.After == nil {
		return d.startSince(ctx, q.Since, oldest)
	}
	lost, err := d.ledger.Lost(ctx, *q.After)
	if err != nil {
		return 0, err
	}
	if lost {
		return 0, hotel.Refuse("cursor_expired", "a backup was restored that ends before %d: what was told of then may not have happened; begin without after, and read what you keep again", *q.After)
	}
	next, there, err := d.ledger.NextEntryAt(ctx, *q.After)
	if err != nil {
		return 0, err
	}
	if !there {
		if end, err := d.ledger.Sequence(ctx); err != nil || *q.After > end {
			return 0, cmp.Or(err, error(hotel.Refuse("cursor_expired", "the journal has come to %d, not to %d: that is a place in another one, such as that of a sandbox before it was reset; begin without after, and read what you keep again", end, *q.After)))
		}
	}
	if there && next.Before(oldest) {
		return 0, hotel.Refuse("cursor_expired", "what follows %d is older than the window of the feed; begin without after, and read what you keep again", *q.After)
	}
	return *q.After, nil
}

// startSince returns the sequence behind which the feed begins at an instant, or at that
// of its window where none is named. It refuses one whose followers have left the window:
// begun later, what lies between would be missing and nobody told.
func (d *Desk) startSince(ctx context.Context, since, oldest time.Time) (int64, error) {
	begin, err := d.ledger.SequenceBefore(ctx, oldest)
	if err != nil || since.IsZero() {
		return begin, err
	}
	after, err := d.ledger.SequenceBefore(ctx, since)
	if err == nil && after < begin {
		err = hotel.Refuse("cursor_expired", "the window of the feed begins at %s, and something happened between; begin without since, and read what you keep again", oldest.UTC().Format(time.RFC3339))
	}
	return after, err
}

// eventsBehind reads one page.
func (d *Desk) eventsBehind(ctx context.Context, c Caller, q EventQuery, after int64) (EventPage, error) {
	page := EventPage{Next: after}
	for read := 0; read < scanned; {
		entries, err := d.ledger.Entries(ctx, page.Next, 500)
		if err != nil {
			return page, said(err)
		}
		for _, e := range entries {
			page.Next = e.Sequence
			if !q.wants(e) || !c.Hears(e) {
				continue
			}
			if page.Events = append(page.Events, e); len(page.Events) == q.Limit {
				return page, nil
			}
		}
		if len(entries) < 500 {
			page.CaughtUp = true
			return page, nil
		}
		read += len(entries)
	}
	return page, nil
}

// wants reports whether the entry is among those that were asked for.
func (q EventQuery) wants(e ledger.Entry) bool {
	if !hotel.AnyOf(q.PropertyIDs, e.PropertyID) {
		return false
	}
	return len(q.Types) == 0 || hotel.MatchesEvent(q.Types, string(e.Kind))
}

// Hears reports whether the caller may learn of the entry: it has a public type,
// is of a granted property, and its scope is there. What is of no property is told
// to the client that it is about. A caller that stands for an external channel
// hears of that channel and its bookings alone.
func (c Caller) Hears(e ledger.Entry) bool {
	i := slices.IndexFunc(EventScopes(string(e.Kind)), c.Scopes.Has)
	if i < 0 {
		return false
	}
	if e.PropertyID == "" {
		return c.isAbout(e)
	}
	return c.Sees(e.PropertyID) && (!c.ota() || c.ownEvent(EventScopes(string(e.Kind))[i], e))
}

// isAbout reports whether the entry is about something of the caller's own.
func (c Caller) isAbout(e ledger.Entry) bool {
	var fact ledger.WebhookFact
	return json.Unmarshal(e.Body, &fact) == nil && fact.ClientID == c.ClientID
}

// ownEvent reports whether the entry is about the channel that the caller stands
// for: itself, a conflict at it, a booking of it, or rooms promised to it.
func (c Caller) ownEvent(scope auth.Scope, e ledger.Entry) bool {
	switch scope {
	case auth.ChannelsRead:
		var fact ledger.ConflictBody
		return e.Subject == c.ChannelID || EventGroup(string(e.Kind)) == "sync" && json.Unmarshal(e.Body, &fact) == nil && fact.Conflict.ChannelID == c.ChannelID
	case auth.InventoryRead:
		var fact ledger.BlockFact
		return EventGroup(string(e.Kind)) == "block" && json.Unmarshal(e.Body, &fact) == nil && fact.Block.ChannelID == c.ChannelID
	case auth.ReservationsRead:
		var fact ledger.ReservationFact
		return json.Unmarshal(e.Body, &fact) == nil && fact.Reservation.Source.ChannelID == c.ChannelID
	default:
		return false
	}
}

// Event returns one event.
func (d *Desk) Event(ctx context.Context, c Caller, id string) (Event, error) {
	if err := c.need(auth.EventsRead); err != nil {
		return Event{}, err
	}
	e, err := d.ledger.Entry(ctx, id)
	if errors.Is(err, ledger.ErrNotFound) || err == nil && !c.Hears(e) {
		return Event{}, nothing()
	}
	return e, said(err)
}

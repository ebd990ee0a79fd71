package ledger

import (
	"context"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// A channel's life. What is not here is refused as invalid_transition.
//
//	from           to
//	draft          testing, disconnected
//	testing        active, disconnected
//	active         paused, disconnected
//	paused         active, paused the other way, disconnected
//	disconnected   testing
var channelTurns = map[hotel.ChannelStatus][]hotel.ChannelStatus{
	hotel.Draft:         {hotel.Testing, hotel.Disconnected},
	hotel.Testing:       {hotel.ChannelActive, hotel.Disconnected},
	hotel.ChannelActive: {hotel.Paused, hotel.Disconnected},
	hotel.Paused:        {hotel.ChannelActive, hotel.Paused, hotel.Disconnected},
	hotel.Disconnected:  {hotel.Testing},
}

// GoLive makes a channel active. opening is what it shows now on every night,
// as somebody states it; the rest it is sent.
func (l *Ledger) GoLive(ctx context.Context, by hotel.By, id string, opening int) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		balance := int64(opening)
		if err := t.q.SetOpening(t.ctx, ledgerdb.SetOpeningParams{Opening: &balance, ID: id}); err != nil {
			return fmt.Errorf("opening balance of channel %s: %w", id, err)
		}
		return t.activate(id, ChannelBody{Opening: &opening})
	})
}

// ActivateChannel makes a channel active by a plan. [ErrOutrun] says that
// something has happened since the plan's sequence that may make it another.
// What the channel shows on nights of which nothing is known stays unknown: it
// is told every one of them.
func (l *Ledger) ActivateChannel(ctx context.Context, by hotel.By, once hotel.Once, id string, sequence int64, a hotel.Approval) (hotel.Channel, bool, error) {
	return l.turn(ctx, by, once, id, 0, func(t *tx, c hotel.Channel) error {
		if err := mayTurn(c, hotel.ChannelActive); err != nil && (c.Status != hotel.ChannelActive || !c.Shadow) {
			return err
		}
		if err := t.expectAudited(c.PropertyID); err != nil {
			return err
		}
		moved, err := t.movedSince(c, sequence)
		if err != nil {
			return err
		}
		if moved {
			return ErrOutrun
		}
		if err := t.q.SetOpening(t.ctx, ledgerdb.SetOpeningParams{ID: id}); err != nil {
			return fmt.Errorf("opening balance of channel %s: %w", id, err)
		}
		return t.activate(id, ChannelBody{AcceptedBy: a.AcceptedBy, Unchecked: a.Unchecked})
	})
}

// ChannelUnderKey returns the channel that a request under this key has changed before;
// false when none has.
func (l *Ledger) ChannelUnderKey(ctx context.Context, by hotel.By, once hotel.Once) (hotel.Channel, bool, error) {
	return underKey(ctx, l, urgent, by, once, func(t *tx, id string, done bool) (hotel.Channel, error) {
		if !done {
			return hotel.Channel{}, nil
		}
		return t.storedChannel(id)
	})
}

// ShadowChannel has what a channel is to show worked out beside whoever runs it.
// It is told nothing. One that is live keeps what it shows, and what it may sell
// goes on counting.
func (l *Ledger) ShadowChannel(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (hotel.Channel, bool, error) {
	return l.turn(ctx, by, once, id, ifRevision, func(t *tx, c hotel.Channel) error {
		if err := mayTurn(c, hotel.ChannelActive); err != nil && c.Status != hotel.ChannelActive {
			return err
		}
		if err := t.expectAudited(c.PropertyID); err != nil {
			return err
		}
		body := ChannelBody{}
		body.Shadow = true
		return t.activate(id, body)
	})
}

// movedSince reports whether anything happened behind a sequence that a
// channel's offers follow from.
func (t *tx) movedSince(c hotel.Channel, sequence int64) (bool, error) {
	entries, err := t.q.OffersAfter(t.ctx, ledgerdb.OffersAfterParams{PropertyID: c.PropertyID, After: sequence, AtMost: 1})
	if err != nil {
		return false, fmt.Errorf("read the journal behind %d: %w", sequence, err)
	}
	for _, of := range []dueKind{dueStock, duePrices} {
		waiting, err := listDue(t.ctx, t.q, c.PropertyID, of)
		if err != nil || len(waiting) > 0 {
			return true, err
		}
	}
	return len(entries) > 0, nil
}

// PauseChannel stops a channel's sales: it is told that no night has a room, and
// kept so; with freeze it keeps what it shows and is told nothing. Pausing a
// channel that is paused this way changes nothing.
func (l *Ledger) PauseChannel(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, freeze bool,
) (hotel.Channel, bool, error) {
	return l.turn(ctx, by, once, id, ifRevision, func(t *tx, c hotel.Channel) error { return t.pause(c, freeze) })
}

// pause stops a channel's sales.
func (t *tx) pause(c hotel.Channel, freeze bool) error {
	if err := mayTurn(c, hotel.Paused); err != nil {
		return err
	}
	if freeze && c.Audit.Running() {
		return t.expectAudited(c.PropertyID)
	}
	if !freeze && !c.Shadow { // else it goes on showing what it shows
		if err := t.q.RememberShown(t.ctx, c.ID); err != nil {
			return fmt.Errorf("remember what channel %s shows: %w", c.ID, err)
		}
	}
	nights, err := t.horizon(c.PropertyID)
	if err != nil {
		return err
	}
	_, err = t.changeChannel(c.ID, func(c *hotel.Channel) error {
		c.Status, c.Frozen = hotel.Paused, freeze
		return nil
	}, func(c hotel.Channel) entry {
		return entry{property: c.PropertyID, kind: ChannelPaused, subject: c.ID, offers: true, body: ChannelBody{Channel: c, Horizon: &nights}}
	})
	return err
}

// DisconnectChannel ends a channel: nothing goes either way. A channel that may
// still show a room, or may have sold one of a guarded pool that nobody has heard of,
// is refused as closing_unacknowledged unless force is set.
func (l *Ledger) DisconnectChannel(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, force bool,
) (hotel.Channel, bool, error) {
	return l.turn(ctx, by, once, id, ifRevision, func(t *tx, c hotel.Channel) error {
		if c.Status == hotel.Disconnected {
			return nil
		}
		if !force {
			if err := t.expectClosed(c, hotel.Say("wait until it has taken the closing and its bookings are listed, or force it")); err != nil {
				return err
			}
		}
		_, err := t.changeChannel(id, func(c *hotel.Channel) error {
			c.Status, c.Frozen, c.Audit = hotel.Disconnected, false, nil
			return nil
		}, func(c hotel.Channel) entry {
			return entry{property: c.PropertyID, kind: ChannelDisconnected, subject: id, body: ChannelBody{Channel: c}}
		})
		return err
	})
}

// ChannelReached notes that a channel's far side has answered. A draft, or what
// was disconnected, is in testing from then on; others stay what they are.
func (l *Ledger) ChannelReached(ctx context.Context, by hotel.By, id string) (hotel.Channel, error) {
	c, _, err := l.turn(ctx, by, hotel.Once{}, id, 0, func(t *tx, c hotel.Channel) error {
		if mayTurn(c, hotel.Testing) != nil {
			return nil
		}
		_, err := t.changeChannel(id, func(c *hotel.Channel) error {
			c.Status = hotel.Testing
			return nil
		}, func(c hotel.Channel) entry {
			return entry{property: c.PropertyID, kind: ChannelUpdated, subject: id, body: ChannelBody{Channel: c}}
		})
		return err
	})
	return c, err
}

// turn changes where a channel stands in its life, once for a request's key.
func (l *Ledger) turn(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, f func(t *tx, c hotel.Channel) error,
) (hotel.Channel, bool, error) {
	return storeUnderKey(ctx, l, by, once, func(t *tx) (string, error) {
		_, c, err := t.channel(id)
		if err != nil {
			return "", err
		}
		if err := c.Expect(ifRevision); err != nil {
			return "", err
		}
		return id, f(t, c)
	}, (*tx).storedChannel)
}

func mayTurn(c hotel.Channel, to hotel.ChannelStatus) error {
	allowed := channelTurns[c.Status]
	if slices.Contains(allowed, to) {
		return nil
	}
	r := hotel.Refuse("invalid_transition", "a channel that is %s cannot become %s", c.Status, to)
	r.Members = map[string]any{"from": c.Status, "to": to, "allowed": allowed}
	return r
}

// activate makes a channel active, in shadow if the body says so, and has
// everything up to the horizon worked out.
func (t *tx) activate(id string, body ChannelBody) error {
	_, c, err := t.channel(id)
	if err != nil {
		return err
	}
	nights, err := t.horizon(c.PropertyID)
	if err != nil {
		return err
	}
	shadow := body.Shadow
	if c.Status != hotel.Paused && !shadow {
		// What it has sold and shown since it was last live nobody knows, unless that
		// was stated.
		if err := t.estrange(c.PropertyID, id); err != nil {
			return err
		}
		if body.Opening != nil {
			if err := t.q.DeleteChannelParties(t.ctx, id); err != nil {
				return fmt.Errorf("forget what channel %s was granted: %w", id, err)
			}
		}
	}
	if err := t.q.SetUnproven(t.ctx, ledgerdb.SetUnprovenParams{ID: id}); err != nil {
		return fmt.Errorf("note what channel %s proves: %w", id, err)
	}
	seq, err := t.changeChannel(id, func(c *hotel.Channel) error {
		c.Status, c.Frozen, c.Shadow, c.Moved, c.Audit = hotel.ChannelActive, false, shadow, false, nil
		return nil
	}, func(c hotel.Channel) entry {
		body.Channel, body.Horizon = c, &nights
		return entry{property: c.PropertyID, kind: ChannelActivated, subject: id, offers: true, body: body}
	})
	if err != nil || seq == 0 { // 0: it was active
		return err
	}
	if err := t.redealAll(c.PropertyID); err != nil {
		return err
	}
	// The channel has seen nothing of what was before.
	for s := range strands {
		if err := t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: s.reader(id), Sequence: seq - 1}); err != nil {
			return fmt.Errorf("note how far channel %s is: %w", id, err)
		}
	}
	return nil
}

// expectClosed refuses while a channel may show a room, or may have sold one of a
// guarded pool that nobody has heard of, and says what to do.
func (t *tx) expectClosed(c hotel.Channel, remedy hotel.Phrase) error {
	open, err := onSale(t.ctx, t.q, c, t.now)
	if err != nil || open == (OnSale{}) {
		return err
	}
	what := hotel.Say("%d rooms may still be on sale there", open.Rooms)
	members := map[string]any{"cells": open.Cells, "rooms_at_risk": open.Rooms, "undrained": open.Undrained}
	if open.Undrained > 0 {
		members["date_from"], members["date_to"] = open.Nights.From, open.Nights.To
	}
	if open.Cells == 0 && open.Undrained > 0 {
		row, err := t.q.GetChannel(t.ctx, c.ID)
		if err != nil {
			return notFound(err)
		}
		terms, err := termsOf(row)
		if err != nil {
			return err
		}
		what = hotel.Say("it is closed, and of the rooms that were dealt to it between %s and %s %d may have been sold before that, which no list of its bookings has shown yet",
			open.Nights.From, open.Nights.To, open.Rooms)
		if exposure.LevelOf(terms) != exposure.Guaranteed {
			what = hotel.Say("%s, nor will one: its lists do not prove what it has sold", what)
		}
	}
	r := hotel.Refuse("closing_unacknowledged", "%s: %s", what, remedy)
	r.Members = members
	return r
}

// horizon is the nights that a property sells, from its calendar today on.
func (t *tx) horizon(property string) (hotel.Span, error) {
	s, err := t.structure(property)
	if err != nil {
		return hotel.Span{}, err
	}
	return s.property.Shows(t.now), nil
}

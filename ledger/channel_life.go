package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// GoLive makes a channel active. opening is what it shows now on every night,
// as somebody states it; the rest it is sent.
func (l *Ledger) GoLive(ctx context.Context, by hotel.By, id string, opening int) error {
	return l.write(ctx, urgent, by, func(t *tx) error {
		balance := int64(opening)
		if err := t.q.SetOpening(t.ctx, ledgerdb.SetOpeningParams{Opening: &balance, ID: id}); err != nil {
			return fmt.Errorf("opening balance of channel %s: %w", id, err)
		}
		return t.activate(id, &opening)
	})
}

// activate makes a channel active and has it told everything up to the horizon.
func (t *tx) activate(id string, opening *int) error {
	_, c, err := t.channel(id)
	if err != nil {
		return err
	}
	nights, err := t.horizon(c.PropertyID)
	if err != nil {
		return err
	}
	seq, err := t.changeChannel(id, func(c *hotel.Channel) error {
		c.Status, c.Frozen = hotel.ChannelActive, false
		return nil
	}, func(c hotel.Channel) entry {
		body := ChannelBody{Channel: c, Horizon: &nights, Opening: opening}
		return entry{property: c.PropertyID, kind: ChannelActivated, subject: id, offers: true, body: body}
	})
	if err != nil || seq == 0 { // 0: it was active
		return err
	}
	// The channel has seen nothing of what was before.
	return t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: channelReader(id), Sequence: seq - 1})
}

// horizon is the nights that a property sells, from its calendar today on.
func (t *tx) horizon(property string) (hotel.Span, error) {
	s, err := t.structure(property)
	if err != nil {
		return hotel.Span{}, err
	}
	today := s.property.Today(t.now)
	return hotel.Span{From: today, To: today + hotel.Date(s.property.HorizonDays)}, nil
}

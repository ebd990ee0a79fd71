package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// trust takes the closing of strange parties at its word whose channels can prove
// no more: otherwise nothing of their pools could ever be dealt. Where it is known when
// an earlier raise acts no more, that is waited for, and the closing sent once more,
// unless somebody has accepted what such a channel may sell. One that comes to read what
// it is told has had the time to do so. One whose requests may act
// for ever is not trusted where its rooms were dealt away while it could not be
// reached: it stays closed there. After a restored backup it waits until somebody takes
// such a channel live again.
//
// What such a channel sold before it was closed nobody may ever hear of: never in silence.
func (d *dealing) trust() error {
	for i := range d.sellers {
		c := &d.sellers[i]
		if exposure.LevelOf(c.terms) == exposure.Guaranteed || c.row.Unproven != 0 {
			continue
		}
		risk, lists := c.atRisk(d.s), c.proves() && exposure.LevelOf(c.terms) != exposure.OneWay
		never := !c.terms.Versions && c.terms.Lifetime <= 0 // is known of a raise that it acts no more
		endless := c.terms.AtMostOnce && never
		unreachable, applied := hotel.UnreachableOf(c.of.Policies, d.s.property.Policies)
		var trusted, strange []*holding
		for _, h := range d.held.of {
			atOnce := (risk || h.now.Accepted > 0) && !lists && (!endless || h.now.Accepted == 0)
			shut := h.now.Doing == exposure.Closed && (h.now.Clean || never || risk)
			read := unreachable == hotel.AcceptRisk || !d.t.steady.Before(h.now.Since.Add(c.terms.TheirPollInterval))
			if h.row.ChannelID != c.row.ID || !h.now.Unknown && !atOnce || !shut || !read {
				continue
			}
			if trusted = append(trusted, h); h.now.Unknown {
				strange = append(strange, h)
			}
		}
		if err := d.t.noteRisk(c.row, exposedUnproven, strange, applied, nil); err != nil {
			return err
		}
		for _, h := range trusted {
			h.now = h.now.Trust(h.sold())
		}
	}
	return d.held.save()
}

// haveRead adds the nights on which a channel that comes to read what it is told has had the
// time to read that it is closed.
func (l *Ledger) haveRead(ctx context.Context, row ledgerdb.Channel, of hotel.Terms, nights map[string]nightSet) error {
	if of.TheirPollInterval <= 0 {
		return nil
	}
	closed, err := l.read.StrangersClosed(ctx, ledgerdb.StrangersClosedParams{ChannelID: row.ID, Before: new(l.clock.Steady().Add(-of.TheirPollInterval).UnixMicro())})
	if err != nil {
		return fmt.Errorf("look for closings that were read: %w", err)
	}
	for _, night := range closed {
		markNight(nights, row.PropertyID, night)
	}
	return nil
}

package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
)

// exchange notes the rate of a booking whose price is in another currency than the
// property's: that which was typed for its channel. A rate that is noted stays.
func (t *tx) exchange(s *structure, r *hotel.Reservation) error {
	if r.Totals == nil || r.Totals.Gross.Currency == s.property.Currency {
		r.Exchange = nil
		return nil
	}
	from := r.Totals.Gross.Currency
	if r.Exchange != nil && r.Exchange.From == from && r.Exchange.To == s.property.Currency || r.Source.ChannelID == hotel.Direct {
		return nil
	}
	r.Exchange = nil
	row, err := t.q.GetChannel(t.ctx, r.Source.ChannelID)
	if err != nil {
		return ignoreNotFound(notFound(err))
	}
	c, err := channelOf(row)
	if err != nil || c.Pricing.Exchange == nil || c.Pricing.Currency != from {
		return err
	}
	x, err := c.Pricing.Exchange.BackFrom(from, s.property.Currency, t.now)
	if err != nil {
		return fmt.Errorf("exchange rate of channel %s: %w", c.ID, err)
	}
	r.Exchange = &x
	return nil
}

// CommissionTerms returns what a channel takes of the bookings of a source, by the terms
// of the seller where it has some of its own. Nil: nobody said, or there is no such channel.
func (l *Ledger) CommissionTerms(ctx context.Context, of hotel.Source) (*hotel.Commission, error) {
	row, err := l.read.GetChannel(ctx, of.ChannelID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read channel %s: %w", of.ChannelID, err)
	}
	c, err := channelOf(row)
	if err != nil {
		return nil, err
	}
	var b report.Books
	b.NoteCommission(&c)
	return b.TermsOf(of), nil
}

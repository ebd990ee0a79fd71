package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// SoldAs returns the channel's codes under which a reservation was sold, of its first
// night; empty ones of a reservation that takes no rooms of a channel.
func (l *Ledger) SoldAs(ctx context.Context, reservation string) (codes hotel.RemoteProduct, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		nights, err := q.CountedNights(ctx, reservation)
		if err != nil {
			return fmt.Errorf("what reservation %s was sold as: %w", reservation, err)
		}
		if len(nights) > 0 {
			codes = hotel.RemoteProduct{Room: nights[0].RemoteRoom, Rate: nights[0].RemoteRate}
		}
		return nil
	})
	return codes, err
}

package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
)

// MessagesOfGuest lists what channels sent about bookings of which every room is
// the guest's and was nobody else's before, the oldest first.
func (l *Ledger) MessagesOfGuest(ctx context.Context, guest string) ([]hotel.GuestMessage, error) {
	rows, err := l.read.MessagesOfGuest(ctx, guest)
	if err != nil {
		return nil, fmt.Errorf("read messages about guest %s: %w", guest, err)
	}
	out := make([]hotel.GuestMessage, len(rows))
	for i, r := range rows {
		out[i] = hotel.GuestMessage{ChannelID: r.ChannelID, Reference: r.Ref, ReceivedAt: instant(r.ReceivedAt), Content: r.Raw}
	}
	return out, nil
}

package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// ChannelCalls lists the calls that were made to a channel, the newest first. What they
// carried and were answered is kept without secrets and guests' data.
func (d *Desk) ChannelCalls(ctx context.Context, c Caller, f hotel.CallFilter) ([]hotel.ChannelCall, error) {
	if _, err := d.channel(ctx, c, auth.ChannelsRead, f.ChannelID); err != nil {
		return nil, err
	}
	list, err := d.ledger.ChannelCalls(ctx, f)
	return list, said(err)
}

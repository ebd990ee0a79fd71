package desk

import (
	"context"
	"time"

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

// AnswerTimes lists how long the last calls took that told a channel something, all of which
// it took, the newest first.
func (d *Desk) AnswerTimes(ctx context.Context, c Caller, channelID string, most int) ([]time.Duration, error) {
	if _, err := d.channel(ctx, c, auth.ChannelsRead, channelID); err != nil {
		return nil, err
	}
	list, err := d.ledger.AnswerTimes(ctx, channelID, most)
	return list, said(err)
}

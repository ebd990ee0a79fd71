package inbound

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/hotel/card"
)

// Reports keeps what connectors report.
type Reports interface {
	Report(ctx context.Context, channel string, r hotel.ChannelReport) error
}

// Report keeps what a channel's connector reports, without card numbers: the words are
// somebody else's.
func Report(ctx context.Context, to Reports, channel string, r hotel.ChannelReport) error {
	for _, text := range []*string{&r.Code, &r.Of, &r.Reason} {
		*text = string(card.Mask([]byte(*text)))
	}
	return to.Report(ctx, channel, r)
}

package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Channels lists the channels of a property, of every granted one when
// propertyID is "", and how far each is.
func (d *Desk) Channels(ctx context.Context, c Caller, propertyID string) ([]hotel.ChannelState, error) {
	return gather(ctx, d, c, auth.ChannelsRead, propertyID, d.ledger.Channels)
}

// Channel returns one channel and how far it is.
func (d *Desk) Channel(ctx context.Context, c Caller, id string) (hotel.ChannelState, error) {
	all, err := d.Channels(ctx, c, "")
	if err != nil {
		return hotel.ChannelState{}, err
	}
	for _, ch := range all {
		if ch.ID == id {
			return ch, nil
		}
	}
	return hotel.ChannelState{}, nothing()
}

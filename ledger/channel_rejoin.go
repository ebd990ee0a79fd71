package ledger

import (
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// mayLeave refuses to join a channel to another place while a room may still be
// sold where it is joined to, whose bookings would no longer be heard of.
func (t *tx) mayLeave(c hotel.Channel) error {
	if !c.Told() && !c.Frozen {
		return nil
	}
	return t.expectClosed(c, "pause it and wait until it has taken the closing, or disconnect it by force, before it is joined to another place")
}

// rejoin forgets what a channel was told, granted and asked at the place that it
// was joined to: another one shows nobody knows what, and is told everything.
// Calls under way end with an outcome that nobody waits for.
func (t *tx) rejoin(was hotel.Channel) error {
	if err := t.abandonCalls(was.ID); err != nil {
		return err
	}
	err := errors.Join(
		t.q.DeleteChannelStock(t.ctx, was.ID), t.q.DeleteChannelPrices(t.ctx, was.ID), t.q.DeleteChannelOccupancies(t.ctx, was.ID),
		t.q.DeleteChannelParties(t.ctx, was.ID), t.q.SetOpening(t.ctx, ledgerdb.SetOpeningParams{ID: was.ID}), t.q.SetPolled(t.ctx, ledgerdb.SetPolledParams{ID: was.ID}),
	)
	if err != nil {
		return fmt.Errorf("forget what channel %s was told: %w", was.ID, err)
	}
	return t.redealAll(was.PropertyID)
}

// abandonCalls ends a channel's calls that are under way.
func (t *tx) abandonCalls(channel string) error {
	rows, err := t.q.OpenDeliveries(t.ctx)
	if err != nil {
		return fmt.Errorf("list open calls: %w", err)
	}
	for _, d := range rows {
		if d.ChannelID != channel {
			continue
		}
		if err := t.settleAll(d, Settlement{State: DeliveryUnknown, Error: "the channel was joined to another place meanwhile"}); err != nil {
			return err
		}
	}
	return nil
}

package ledger

import (
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// estrangeAll is for a ledger that was restored from a backup, before anything is
// told to anybody: what channels were granted, told and have sold since the backup
// was made nobody knows. Every counter of every guarded night becomes a stranger:
// nothing of its pool is raised, dealt or sold directly until it was closed, after
// whatever may still act of what the lost ledger has sent was closed again, and its
// bookings were listed by date. What channels were stated to show when they went live
// counts no more. The word of one that lists nothing that would prove its closing is
// taken only when somebody takes it live again. A disconnected channel is told
// nothing: what it was granted stays out of reach until it is connected again.
//
// Counters of shared pools keep what is known of them: that is for whoever restores
// to put in doubt.
func (t *tx) estrangeAll() error {
	rows, err := t.q.ListChannels(t.ctx)
	if err != nil {
		return fmt.Errorf("list channels: %w", err)
	}
	for _, row := range rows {
		if err := t.estrange(row.PropertyID, row.ID); err != nil {
			return err
		}
		if err := t.q.SetOpening(t.ctx, ledgerdb.SetOpeningParams{ID: row.ID}); err != nil {
			return fmt.Errorf("opening balance of channel %s: %w", row.ID, err)
		}
		if err := t.q.SetUnproven(t.ctx, ledgerdb.SetUnprovenParams{Unproven: 1, ID: row.ID}); err != nil {
			return fmt.Errorf("note what channel %s proves: %w", row.ID, err)
		}
	}
	properties, err := readAll[hotel.Property](t.q.ListProperties(t.ctx))
	if err != nil {
		return err
	}
	for _, p := range properties {
		nights := nightSet{}
		nights.addSpan(p.Shows(t.now))
		t.renewed(p.ID, nights)
	}
	return nil
}

// estrange makes every party of a channel one of which nobody knows what it has
// sold and shows.
func (t *tx) estrange(property, channel string) error {
	if err := t.renewParties(property, channel); err != nil {
		return err
	}
	if err := t.q.EstrangeChannel(t.ctx, ledgerdb.EstrangeChannelParams{Now: microsOrNil(t.steady), ChannelID: channel}); err != nil {
		return fmt.Errorf("forget what channel %s was granted: %w", channel, err)
	}
	return nil
}

// renewParties notes that a channel's parties become others than they were, so that the
// nights in memory follow.
func (t *tx) renewParties(property, channel string) error {
	list, err := t.q.ChannelPartyNights(t.ctx, channel)
	if err != nil {
		return fmt.Errorf("nights that channel %s was granted: %w", channel, err)
	}
	if len(list) == 0 {
		return nil
	}
	nights := make(nightSet, len(list))
	for _, night := range list {
		nights[hotel.Date(night)] = struct{}{}
	}
	t.renewed(property, nights)
	return nil
}

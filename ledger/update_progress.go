package ledger

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

func ariUpdateOf(r ledgerdb.AriUpdate) hotel.AriUpdate {
	return hotel.AriUpdate{
		ID: r.ID, PropertyID: r.PropertyID, Kind: r.Kind, Sequence: r.Sequence, Entries: int(r.Entries),
		CellsMatched: int(r.CellsMatched), CellsChanged: int(r.CellsChanged), CreatedAt: instant(r.CreatedAt),
	}
}

// AriUpdate returns a bulk update and how far the channels are with it, or
// [ErrNotFound].
func (l *Ledger) AriUpdate(ctx context.Context, id string) (hotel.AriUpdate, error) {
	row, err := l.read.GetAriUpdate(ctx, id)
	if err != nil {
		return hotel.AriUpdate{}, notFound(err)
	}
	upd := ariUpdateOf(row)
	upd.Channels, err = l.progress(ctx, upd)
	return upd, err
}

// progress says which of the property's live channels have been told of it.
func (l *Ledger) progress(ctx context.Context, upd hotel.AriUpdate) ([]hotel.UpdateProgress, error) {
	channels, err := l.Channels(ctx, upd.PropertyID)
	if err != nil {
		return nil, err
	}
	var out []hotel.UpdateProgress
	for _, c := range channels {
		if c.Status == hotel.ChannelActive {
			out = append(out, hotel.UpdateProgress{ChannelID: c.ID, Done: c.SyncedThrough >= upd.Sequence})
		}
	}
	return out, nil
}

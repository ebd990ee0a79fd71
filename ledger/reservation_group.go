package ledger

import (
	"database/sql"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// insertGroup stores the group of a booking, unless it has one, and returns its
// id. booker is the id of a guest, "" when nobody is known to have booked it.
func (t *tx) insertGroup(property, booker string, source hotel.Source) (string, error) {
	if source.Reference != "" {
		id, err := t.q.GroupOfBooking(t.ctx, ledgerdb.GroupOfBookingParams{
			PropertyID: property, ChannelID: source.ChannelID, ChannelRef: source.Reference, SubChannel: source.SubChannel,
		})
		if !errors.Is(err, sql.ErrNoRows) {
			return id, err
		}
	}
	id := hotel.NewID("grp")
	err := t.q.InsertGroup(t.ctx, ledgerdb.InsertGroupParams{
		ID: id, PropertyID: property, Booker: textOrNil(booker), ChannelID: source.ChannelID, SubChannel: source.SubChannel, ChannelRef: source.Reference,
		CreatedAt: t.micros(), UpdatedAt: t.micros(), Revision: 1,
	})
	if err != nil {
		return "", fmt.Errorf("store group: %w", err)
	}
	return id, nil
}

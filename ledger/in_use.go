package ledger

import (
	"database/sql"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// inUse refuses to archive what something else needs.
func inUse(needs string, by []string, format string, args ...any) error {
	if len(by) == 0 {
		return nil
	}
	refusal := hotel.Refuse("resource_in_use", format, args...)
	refusal.Members = map[string]any{needs: by}
	return refusal
}

// booked refuses to archive what guests are still to sleep in: a room type, or
// with "" the whole property.
func (t *tx) booked(s *structure, roomType string) error {
	first, err := t.q.NextBookedNight(t.ctx, ledgerdb.NextBookedNightParams{
		PropertyID: s.property.ID, First: int64(s.property.BusinessDate(t.now)), RoomTypeID: roomType,
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for reservations: %w", err)
	}
	refusal := hotel.Refuse("resource_in_use", "there are reservations from the night of %s on: move or cancel them first", hotel.Date(first))
	refusal.Members = map[string]any{"first_night": hotel.Date(first).String()}
	return refusal
}

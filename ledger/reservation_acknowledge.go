package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// AcknowledgeReservation notes that a client has stored the newest revision of a
// reservation. It makes no revision of its own. An older one is refused as
// version_conflict: whoever acknowledges has to have seen what stands now.
func (l *Ledger) AcknowledgeReservation(
	ctx context.Context, by hotel.By, once hotel.Once, id string, q hotel.AcknowledgeRequest,
) (hotel.Reservation, bool, error) {
	return l.change(ctx, by, once, id, 0, func(t *tx, _ *structure, r *hotel.Reservation) (Kind, error) {
		if q.Revision != r.Revision {
			refusal := hotel.Refuse("version_conflict", "the reservation is at revision %d, not %d: read it again", r.Revision, q.Revision)
			refusal.Members = map[string]any{"revision": r.Revision}
			return "", refusal
		}
		if was := r.Acknowledged; was != nil && was.Revision == q.Revision && was.Reference == q.Reference {
			return "", nil
		}
		r.Acknowledged = &hotel.Acknowledgement{Revision: q.Revision, At: t.now, Reference: q.Reference}
		body, err := jsonText(r)
		if err != nil {
			return "", fmt.Errorf("store acknowledgement: %w", err)
		}
		if err := t.q.AcknowledgeReservation(t.ctx, ledgerdb.AcknowledgeReservationParams{Acknowledged: q.Revision, Body: body, ID: r.ID}); err != nil {
			return "", fmt.Errorf("store acknowledgement: %w", err)
		}
		news, err := t.untoldForeign(r.ID)
		if err != nil {
			return "", err
		}
		seq, err := t.append(entry{property: r.PropertyID, kind: ReservationAcknowledged, subject: r.ID, nights: news, body: r.Acknowledged})
		if err != nil {
			return "", err
		}
		return "", t.toldForeign(r.ID, seq)
	})
}

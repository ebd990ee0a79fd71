package ledger

import (
	"context"
	"fmt"
	"maps"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// AcknowledgeReservation notes that a client has stored the newest revision of a
// reservation. It makes no revision of its own. An older one is refused as
// version_conflict: whoever acknowledges has to have seen what stands now. Rooms that
// it has given back are no longer subtracted from numbers that the client gives: these
// never had it in them, or another one follows.
func (l *Ledger) AcknowledgeReservation(
	ctx context.Context, by hotel.By, once hotel.Once, id string, q hotel.AcknowledgeRequest,
) (hotel.Reservation, bool, error) {
	return l.change(ctx, by, once, id, q.IfRevision, func(t *tx, s *structure, r *hotel.Reservation) (Kind, error) {
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
		left, err := t.leftForeign(r)
		if err != nil {
			return "", err
		}
		nights := maps.Clone(left)
		for _, span := range news {
			nights.addSpan(span)
		}
		seq, err := t.append(entry{property: r.PropertyID, kind: ReservationAcknowledged, subject: r.ID, nights: nights.spans(), body: r.Acknowledged})
		if err != nil {
			return "", err
		}
		if err := t.toldForeign(r.ID, seq); err != nil || len(left) == 0 {
			return "", err
		}
		return "", t.follow(s, affected{property: r.PropertyID, stock: true, nights: left}, seq)
	})
}

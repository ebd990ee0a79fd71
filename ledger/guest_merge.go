package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
)

// MergeGuest makes two profiles of one person one: what the source knows goes into
// the other, and what was booked under it follows. Nothing personal is left in the
// source, which names the other from then on. There is no way back.
func (l *Ledger) MergeGuest(ctx context.Context, by hotel.By, once hotel.Once, id string, m hotel.GuestMerger) (hotel.GuestProfile, bool, error) {
	return l.writeGuest(ctx, by, once, func(t *tx) (string, error) {
		p, err := t.activeGuest(id)
		if err != nil {
			return "", err
		}
		if err := expectGuest(&p, m.IfRevision); err != nil {
			return "", err
		}
		source, err := t.activeGuest(m.SourceID)
		if err != nil || source.PropertyID != p.PropertyID || source.ID == p.ID {
			return "", hotel.Invalid("/source_guest_id", "enum", "the property has no other guest by this id, or no longer")
		}
		if err := t.endIn(id, &source); err != nil {
			return "", err
		}
		before := p
		p.Merge(source)
		p.SaidBy = ""
		if err := t.putGuest(GuestUpdated, &before, &p, GuestFact{}); err != nil {
			return "", err
		}
		return id, t.bringBookings(source.ID, &p)
	})
}

// endIn ends a profile, and those that had come to an end in it, in another.
func (t *tx) endIn(id string, source *hotel.GuestProfile) error {
	parts, err := readAll[hotel.GuestProfile](t.q.GuestsMergedInto(t.ctx, &source.ID))
	if err != nil {
		return fmt.Errorf("list what was merged into guest %s: %w", source.ID, err)
	}
	for _, p := range append(parts, *source) {
		end := hotel.GuestProfile{Entity: p.Entity, PropertyID: p.PropertyID, Status: hotel.GuestMerged, MergedInto: id}
		if err := t.putGuest(GuestWasMerged, &p, &end, GuestFact{MergedInto: id}); err != nil {
			return err
		}
	}
	return nil
}

// bringBookings has what was booked under one profile be booked under another.
func (t *tx) bringBookings(from string, p *hotel.GuestProfile) error {
	rows, err := t.q.BookedByGuest(t.ctx, from)
	if err != nil {
		return fmt.Errorf("list what guest %s has booked: %w", from, err)
	}
	s, err := t.structure(p.PropertyID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		r, err := t.reservation(row.ID)
		if err != nil {
			return err
		}
		before := r
		r.GuestID, r.Guest, r.SuggestedGuests = p.ID, p.Guest, nil
		if err := t.bookEntry(ReservationUpdated, s, &r, &before); err != nil {
			return err
		}
	}
	return nil
}

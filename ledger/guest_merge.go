package ledger

import (
	"context"
	"fmt"
	"slices"

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

// bringBookings has what was booked under one profile be booked under another, which comes
// along where that one did.
func (t *tx) bringBookings(from string, p *hotel.GuestProfile) error {
	rows, err := t.q.BookedByGuest(t.ctx, from)
	if err != nil {
		return fmt.Errorf("list what guest %s has booked: %w", from, err)
	}
	for _, row := range rows {
		if err := t.rebook(row.ID, func(r *hotel.Reservation) { r.GuestID, r.Guest, r.SuggestedGuests = p.ID, p.Guest, nil }); err != nil {
			return err
		}
	}
	along, err := t.q.AlongWith(t.ctx, from)
	if err != nil {
		return fmt.Errorf("list whom guest %s comes along with: %w", from, err)
	}
	for _, id := range along {
		if err := t.rebook(id, func(r *hotel.Reservation) { r.Companions = inPlace(r.Companions, from, p.ID) }); err != nil {
			return err
		}
	}
	return nil
}

// rebook changes whose a stored reservation is. Whom it is for does not come along too.
func (t *tx) rebook(id string, change func(*hotel.Reservation)) error {
	r, err := t.reservation(id)
	if err != nil {
		return err
	}
	s, err := t.structure(r.PropertyID)
	if err != nil {
		return err
	}
	before := r
	change(&r)
	if i := slices.Index(r.Companions, r.GuestID); i >= 0 {
		r.Companions = slices.Delete(slices.Clone(r.Companions), i, i+1)
	}
	return t.bookEntry(ReservationUpdated, s, &r, &before)
}

// inPlace returns ids with one in the place of another, and no id twice.
func inPlace(ids []string, of, id string) []string {
	var out []string
	for _, x := range ids {
		if x == of {
			x = id
		}
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

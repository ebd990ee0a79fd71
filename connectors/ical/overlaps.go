package ical

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// overlapping is the code of what is reported of two stays in one unit.
const overlapping = "overlapping_stays"

// mostOverlaps is how many pairs are reported at once.
const mostOverlaps = 50

// overlap is two reservations of one listing, which is one unit, with a night in common:
// both are taken in, and one of the two guests has no bed there.
type overlap struct {
	Of string `json:"of"` // the listing, and the nights

	reason string
}

// overlaps finds those to come, in the order of listings and nights.
func (b *bookings) overlaps(today hotel.Date) []overlap {
	var stays []*entry
	for _, e := range b.Entries {
		if !e.Gone && e.Kind == calendar.Reservation && e.Stay.CheckOut > today {
			stays = append(stays, e)
		}
	}
	slices.SortFunc(stays, func(x, y *entry) int {
		return cmp.Or(cmp.Compare(x.Listing, y.Listing), cmp.Compare(x.Stay.CheckIn, y.Stay.CheckIn), cmp.Compare(x.Stay.CheckOut, y.Stay.CheckOut), cmp.Compare(x.Ref, y.Ref))
	})
	var out []overlap
	for i, x := range stays {
		for _, y := range stays[i+1:] {
			if y.Listing != x.Listing || y.Stay.CheckIn >= x.Stay.CheckOut || len(out) == mostOverlaps {
				break
			}
			common := hotel.Stay{CheckIn: y.Stay.CheckIn, CheckOut: min(x.Stay.CheckOut, y.Stay.CheckOut)}
			o := overlap{
				Of:     fmt.Sprintf("%s, %s", x.Listing, nights(common)),
				reason: fmt.Sprintf("%s (%s), %s (%s)", x.Ref, nights(x.Stay), y.Ref, nights(y.Stay)),
			}
			if !slices.ContainsFunc(out, func(p overlap) bool { return p.Of == o.Of }) {
				out = append(out, o)
			}
		}
	}
	return out
}

// tellOverlaps reports stays that overlap since they were last looked at, and those that do
// no more. What somebody has seen to is not asked about again while it stands.
func (c *conn) tellOverlaps(ctx context.Context, b bookings) error {
	if c.tell == nil || b.Sources == nil { // nothing was looked at, and so nothing has changed
		return nil
	}
	told, err := load[[]overlap](ctx, c.shelf, overlapsName)
	if err != nil {
		return err
	}
	now := b.overlaps(c.today())
	known := func(list []overlap, o overlap) bool {
		return slices.ContainsFunc(list, func(p overlap) bool { return p.Of == o.Of })
	}
	changed := false
	for _, o := range now {
		if known(told, o) {
			continue
		}
		changed = true
		if err := c.tell(ctx, hotel.ChannelReport{Code: overlapping, Of: o.Of, Reason: o.reason, Severity: hotel.Warning}); err != nil {
			return fmt.Errorf("report stays that overlap: %w", err)
		}
	}
	for _, o := range told {
		if known(now, o) {
			continue
		}
		changed = true
		if err := c.tell(ctx, hotel.ChannelReport{Code: overlapping, Of: o.Of, Over: true}); err != nil {
			return fmt.Errorf("report stays that overlap: %w", err)
		}
	}
	if !changed {
		return nil
	}
	return save(ctx, c.shelf, overlapsName, now)
}

package ledger

import (
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// count notes by which counter of its channel an imported room was sold, where the
// channel is told the most that it sells in all: the room is in that number, whether
// or not the channel tells of the booking too. Any other channel is told what is left,
// and counts a booking when it names it.
func (p *importing) count(r *hotel.Reservation) error {
	if r.Source.ChannelID == hotel.Direct || !stay.Live(r.Status) {
		return nil
	}
	row, err := p.t.q.GetChannel(p.t.ctx, r.Source.ChannelID)
	if err != nil {
		return notFound(err)
	}
	terms, err := termsOf(row)
	if err != nil || !terms.TotalLimit {
		return err
	}
	counters, mappings, err := loadLines(p.t.ctx, p.t.q, row.ID)
	if err != nil {
		return err
	}
	c, sure := soldBy(counters, mappings, r)
	if !sure {
		return nil
	}
	nights := nightSet{}
	for d := max(r.Stay.CheckIn, p.s.property.Today(p.t.now)); d < r.Stay.CheckOut; d++ {
		nights[d] = struct{}{}
		if err := p.t.q.InsertCounted(p.t.ctx, ledgerdb.InsertCountedParams{
			PropertyID: row.PropertyID, Night: int64(d), ChannelID: row.ID, RemoteRoom: c.RemoteRoom, RemoteRate: c.RemoteRate, ReservationID: r.ID,
		}); err != nil {
			return fmt.Errorf("count %s: %w", r.ID, err)
		}
	}
	on, err := p.t.guarding(p.s)
	if err == nil && on {
		p.t.renewed(row.PropertyID, nights)
	}
	return err
}

// soldBy finds the counter that has sold a room of which a file says the room type, and
// perhaps the plan. False: there is none, or it may be one of several; the channel is
// told less then than it could be, and never more.
func soldBy(counters []Counter, mappings []hotel.Mapping, r *hotel.Reservation) (by Counter, sure bool) {
	of := func(plan string) (list []Counter) {
		for _, c := range counters {
			mapped := slices.ContainsFunc(mappings, func(m hotel.Mapping) bool {
				return !m.Retired && c.behind(m) && m.RoomTypeID == r.RoomTypeID && m.RatePlanID == plan
			})
			if !c.Retired && c.RoomTypeID == r.RoomTypeID && (plan == "" || mapped) {
				list = append(list, c)
			}
		}
		return list
	}
	list := of(r.RatePlanID)
	if len(list) == 0 {
		list = of("")
	}
	if len(list) != 1 {
		return by, false
	}
	return list[0], true
}

package ledger

import (
	"errors"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// checkOutCancelled has a guest leave whose stay the channel has cancelled.
func (t *tx) checkOutCancelled(c *hotel.Conflict, d hotel.ConflictDecision) error {
	if d.Option != hotel.OptionCancelAndCheckOut {
		return nil
	}
	return t.rewriteOf(c.PropertyID, c.Subject.ID, func(s *structure, r *hotel.Reservation) (Kind, error) {
		return t.enter(s, r, stay.CheckOut, t.facts(s, r), hotel.StepRequest{ReleaseTonight: true})
	})
}

// enactOverstay has a guest who should have left stay on, or leave.
func (t *tx) enactOverstay(c *hotel.Conflict, d hotel.ConflictDecision) error {
	var a struct {
		CheckOut hotel.Date `json:"check_out"`
	}
	if err := d.Read(&a); err != nil {
		return err
	}
	return t.rewriteOf(c.PropertyID, c.Subject.ID, func(s *structure, r *hotel.Reservation) (Kind, error) {
		if d.Option == hotel.OptionExtend {
			return t.alter(s, r, hotel.ReservationChange{CheckOut: &a.CheckOut, Override: true}) // they have slept here
		}
		return t.enter(s, r, stay.CheckOut, t.facts(s, r), hotel.StepRequest{ReleaseTonight: true})
	})
}

// unmappedArguments say what a booking is whose codes are not mapped.
type unmappedArguments struct {
	RoomTypeID string `json:"room_type_id"`
	RatePlanID string `json:"rate_plan_id"`
	Remember   bool   `json:"remember"`
}

// enactUnmapped makes a booking what somebody says that it is, as if its codes had
// been mapped so when it came; where that is to be remembered they are.
func (t *tx) enactUnmapped(c *hotel.Conflict, d hotel.ConflictDecision) error {
	if d.Option != hotel.OptionMap {
		return nil
	}
	var a unmappedArguments
	if err := d.Read(&a); err != nil {
		return err
	}
	s, err := t.structure(c.PropertyID)
	if err != nil {
		return err
	}
	sold, err := t.q.CountedNights(t.ctx, c.Subject.ID)
	if err != nil {
		return err
	}
	of := hotel.Mapping{RoomTypeID: a.RoomTypeID, RatePlanID: a.RatePlanID}
	if len(sold) > 0 {
		of.RemoteRoom, of.RemoteRate = sold[0].RemoteRoom, sold[0].RemoteRate
	}
	if err := checkMappings(s, []hotel.Mapping{of}); err != nil {
		return asArgument(err)
	}
	if a.Remember {
		return t.remember(c.ChannelID, of)
	}
	m, err := t.adopting(s, c.ChannelID)
	if err != nil {
		return err
	}
	before, err := t.reservation(c.Subject.ID)
	if err != nil {
		return err
	}
	m.mappings = append([]hotel.Mapping{of}, m.mappings...)
	return m.adopt(&before)
}

// remember adds a mapping to those of a channel, by which its bookings become what
// they are. A channel that is live is told of a mapping by a plan alone.
func (t *tx) remember(channel string, of hotel.Mapping) error {
	_, c, err := t.channel(channel)
	if err != nil {
		return err
	}
	if c.Live() {
		return hotel.Invalid("/remember", "enum", "the channel is live, and would be told of it unseen: map %s/%s of it by its plan, by which the booking becomes what it is; or leave remember out", of.RemoteRoom, of.RemoteRate)
	}
	counters, mappings, err := loadLines(t.ctx, t.q, channel)
	if err != nil {
		return err
	}
	if len(counters) == 0 || of.RemoteRoom == "" {
		return hotel.Invalid("/remember", "enum", "nothing of the channel is mapped yet: map it by PUT /v1/channels/%s/mappings", channel)
	}
	all := hotel.Remap{StockPer: hotel.PerRoom}
	if counters[0].RemoteRate != "" {
		all.StockPer = hotel.PerProduct
	}
	for _, m := range mappings {
		if !m.Retired {
			all.Mappings = append(all.Mappings, m)
		}
	}
	all.Mappings = append(all.Mappings, of)
	return asArgument(t.mapChannel(c, all))
}

// asArgument says of a refused mapping which argument is at fault.
func asArgument(err error) error {
	r, refused := errors.AsType[*hotel.Refusal](err)
	if !refused || len(r.Items) == 0 {
		return err
	}
	member := "/room_type_id"
	if r.Items[0].Code == "unknown_rate_plan" {
		member = "/rate_plan_id"
	}
	return hotel.Invalid(member, r.Items[0].Code, "%s", r.Items[0])
}

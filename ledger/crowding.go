package ledger

import (
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/stay"
)

// CrowdFacts is what was seen of nights on which more rooms are sold than there
// are.
type CrowdFacts struct {
	BookingFacts              // the latest of the bookings that take a room on them
	Crowded      []CrowdNight `json:"nights"`
	Movable      []MovableTo  `json:"movable"` // whom to move, the cheapest first
}

// CrowdNight is a run of nights on which equally many rooms are missing.
type CrowdNight struct {
	hotel.Span
	Net int `json:"net"` // below 0: rooms that are missing; of a planned overbooking those beyond the house
}

// crowdKinds are the conflicts about nights with more guests than rooms.
var crowdKinds = []hotel.ConflictKind{hotel.ConflictOversell, hotel.ConflictPlanned}

// crowdingBooking raises that a booking takes rooms that there are not, where it
// did not before, and ends what is no longer so.
func (t *tx) crowdingBooking(s *structure, r, before *hotel.Reservation) error {
	today := s.property.BusinessDate(t.now)
	fresh := freshNights(r, before, today)
	if len(fresh) > 0 && stay.Live(r.Status) && r.BlockID == "" { // a block's room is counted as taken already
		b, err := t.spanBoard(s, fresh[0], fresh[len(fresh)-1])
		if err != nil {
			return err
		}
		of := map[hotel.ConflictKind][]CrowdNight{}
		for _, d := range fresh {
			room, known := b.Room(r.RoomOn(d))
			if !known {
				continue
			}
			oversold, planned := b.Crowd(d, room)
			if oversold > 0 {
				if err := t.tellOverbooked(s, b, r, d); err != nil {
					return err
				}
			}
			of[hotel.ConflictOversell] = addCrowd(of[hotel.ConflictOversell], d, oversold)
			of[hotel.ConflictPlanned] = addCrowd(of[hotel.ConflictPlanned], d, planned)
		}
		for _, kind := range crowdKinds {
			if err := t.raiseCrowd(s, kind, r, r.ID, takes(r), of[kind]); err != nil {
				return err
			}
		}
	}
	if before == nil {
		return nil
	}
	return t.endCrowds(s, func(c *hotel.Conflict) bool { return c.Topic == r.ID })
}

func addCrowd(list []CrowdNight, d hotel.Date, missing int) []CrowdNight {
	if missing == 0 {
		return list
	}
	if n := len(list) - 1; n >= 0 && list[n].To+1 == d && list[n].Net == -missing {
		list[n].To = d
		return list
	}
	return append(list, CrowdNight{hotel.Span{From: d, To: d}, -missing})
}

// raiseCrowd raises a conflict about nights of a room type: by the booking that
// found no room, or by a fact that took rooms away, in which the latest booking is
// named.
func (t *tx) raiseCrowd(s *structure, kind hotel.ConflictKind, r *hotel.Reservation, topic, room string, nights []CrowdNight) error {
	if len(nights) == 0 {
		return nil
	}
	facts := CrowdFacts{Crowded: nights}
	crowd, err := t.crowdOf(s, room, nights)
	if err != nil {
		return err
	}
	if facts.Movable, err = crowd.movable(); err != nil {
		return err
	}
	channel := ""
	if r == nil {
		r = crowd.latest()
	}
	if r != nil {
		facts.BookingFacts = factsOfBooking(r)
		if r.Source.ChannelID != hotel.Direct {
			channel = r.Source.ChannelID
		}
	}
	body, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	c := hotel.Conflict{
		PropertyID: s.property.ID, ChannelID: channel, Kind: kind, Topic: topic, Severity: hotel.Critical, Facts: body,
		Subject: hotel.ConflictSubject{Type: "cell", RoomTypeID: room, Date: nights[0].From},
	}
	if topic == facts.ReservationID {
		c.Subject.Type, c.Subject.ID, c.Subject.RatePlanID = "reservation", topic, r.RatePlanID
	}
	if kind == hotel.ConflictPlanned {
		if c.Severity, err = t.plannedSeverity(s, channel, nights[0].From); err != nil {
			return err
		}
	}
	if err := t.raise(c); err != nil {
		return fmt.Errorf("%s of %s on %s: %w", kind, room, nights[0].From, err)
	}
	return nil
}

// endCrowds ends the open conflicts about crowded nights that are let through and
// of which no night is crowded any more, or for which the booking that raised
// them needs no room any more.
func (t *tx) endCrowds(s *structure, of func(*hotel.Conflict) bool) error {
	for _, kind := range crowdKinds {
		open, err := t.openConflicts(s.property.ID, kind)
		if err != nil {
			return err
		}
		for i := range open {
			if !of(&open[i]) {
				continue
			}
			crowded, err := t.crowded(s, &open[i])
			if err != nil {
				return err
			}
			if crowded {
				continue
			}
			if err := t.over(&open[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// crowded reports whether nights of a conflict to come are still as it says.
func (t *tx) crowded(s *structure, c *hotel.Conflict) (bool, error) {
	var facts CrowdFacts
	if err := json.Unmarshal(c.Facts, &facts); err != nil {
		return false, fmt.Errorf("facts of conflict %s: %w", c.ID, err)
	}
	rooms := func(hotel.Date) string { return c.Subject.RoomTypeID }
	if c.Subject.Type == "reservation" {
		r, err := t.reservation(c.Subject.ID)
		if err != nil {
			return false, err
		}
		held := map[hotel.Date]string{}
		for _, h := range heldRooms(&r) {
			for d := h.From; d <= h.To; d++ {
				held[d] = h.RoomTypeID
			}
		}
		rooms = func(d hotel.Date) string { return held[d] }
	}
	first, last := max(facts.Crowded[0].From, s.property.BusinessDate(t.now)), facts.Crowded[len(facts.Crowded)-1].To
	if first > last {
		return false, nil
	}
	b, err := t.spanBoard(s, first, last)
	if err != nil {
		return false, err
	}
	for _, n := range facts.Crowded {
		for d := max(n.From, first); d <= n.To; d++ {
			room, known := b.Room(rooms(d))
			if !known {
				continue
			}
			oversold, planned := b.Crowd(d, room)
			if c.Kind == hotel.ConflictOversell && oversold > 0 || c.Kind == hotel.ConflictPlanned && oversold+planned > 0 {
				return true, nil
			}
		}
	}
	return false, nil
}

// crowding follows how many rooms are missing while house values are derived.
type crowding struct {
	t      *tx
	s      *structure
	b      *board.Board
	nights map[int][]CrowdNight // by room type, that a fact has brought
	eased  bool                 // rooms are free that were not
}

// moved takes in that the house has another number of rooms of a type.
func (c *crowding) moved(d hotel.Date, room int, was, is board.Announced, booking bool) {
	switch {
	case !was.Known:
	case is.Net > was.Net:
		c.eased = true
	case is.Net < 0 && was.Net >= 0 && !booking:
		if c.nights == nil {
			c.nights = map[int][]CrowdNight{}
		}
		c.nights[room] = addCrowd(c.nights[room], d, -is.Net)
	}
}

// follow raises what a fact has brought, once for the room types that are sold
// from the same rooms, and ends what is no longer so.
func (c *crowding) follow() error {
	sharing, raised := c.b.Sharing(), map[int]bool{}
	for i, room := range c.b.RoomTypes {
		nights := slices.DeleteFunc(c.nights[i], func(n CrowdNight) bool { return n.To < c.s.property.BusinessDate(c.t.now) })
		if len(nights) == 0 || raised[sharing[i]] {
			continue
		}
		taken, err := c.t.crowdOf(c.s, room.ID, nights)
		if err != nil {
			return err
		}
		if len(taken.bookings) == 0 {
			continue // another room type of the same rooms has been sold
		}
		raised[sharing[i]] = true
		if err := c.t.raiseCrowd(c.s, hotel.ConflictOversell, nil, fmt.Sprintf("%s/%s", room.ID, nights[0].From), room.ID, nights); err != nil {
			return err
		}
	}
	if !c.eased {
		return nil
	}
	return c.t.endCrowds(c.s, func(*hotel.Conflict) bool { return true })
}

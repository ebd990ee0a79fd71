package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// CrowdFacts is what was seen of nights on which more rooms are sold than there
// are.
type CrowdFacts struct {
	BookingFacts              // the latest of the bookings that take a room on them
	Crowded      []CrowdNight `json:"nights"`
	House        bool         `json:"house_limit"` // the limit of the house is passed, whatever the types of the rooms are
	Sequence     int64        `json:"sequence"`    // of the journal entry by which rooms came to be missing last: the booking, or what took rooms away
	Movable      []MovableTo  `json:"movable"`     // whom to move, the cheapest first
}

// CrowdNight is a run of nights on which equally many rooms are missing.
type CrowdNight struct {
	hotel.Span
	Net int `json:"net"` // below 0: rooms that are missing; of a planned overbooking those beyond the house
}

// crowdFactsOf reads the facts of a conflict about crowded nights.
func crowdFactsOf(c *hotel.Conflict) (facts CrowdFacts, err error) {
	if err := json.Unmarshal(c.Facts, &facts); err != nil {
		return facts, fmt.Errorf("facts of conflict %s: %w", c.ID, err)
	}
	return facts, nil
}

// crowdKinds are the conflicts about nights with more guests than rooms.
var crowdKinds = []hotel.ConflictKind{hotel.ConflictOversell, hotel.ConflictPlanned}

// missing is how many rooms a conflict of a kind tells of.
func missing(kind hotel.ConflictKind, c board.Crowd) int {
	if kind == hotel.ConflictPlanned {
		return c.Planned
	}
	return c.Oversold
}

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
		of, house := map[hotel.ConflictKind][]CrowdNight{}, false
		for _, d := range fresh {
			room, known := b.Room(r.RoomOn(d))
			if !known {
				continue
			}
			crowd := b.Crowd(d, room)
			if crowd.Oversold > 0 {
				house = house || b.Beyond(d) > 0
				if err := t.tellOverbooked(s, b, r, d); err != nil {
					return err
				}
			}
			for _, kind := range crowdKinds {
				of[kind] = addCrowd(of[kind], d, missing(kind, crowd))
			}
		}
		for _, kind := range crowdKinds {
			cause := crowdCause{kind: kind, topic: r.ID, room: takes(r), house: house && kind == hotel.ConflictOversell, booking: r, entry: r.Sequence}
			if err := t.raiseCrowd(s, cause, of[kind]); err != nil {
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

// crowdCause is why nights have more guests than rooms: a booking that found none,
// or, without one, a fact that took rooms of a type away, or of the whole house.
type crowdCause struct {
	kind        hotel.ConflictKind
	topic, room string
	house       bool
	booking     *hotel.Reservation
	entry       int64 // of the booking or of the fact
}

// raiseCrowd raises a conflict about nights, beside those that are crowded still of
// an open one about the same. That of a fact names the latest booking.
func (t *tx) raiseCrowd(s *structure, of crowdCause, nights []CrowdNight) error {
	if len(nights) == 0 {
		return nil
	}
	was, err := readOne[hotel.Conflict](t.q.OpenConflict(t.ctx, ledgerdb.OpenConflictParams{PropertyID: s.property.ID, Kind: string(of.kind), Topic: of.topic}))
	switch {
	case err == nil:
		still, err := t.stillCrowded(s, &was)
		if err != nil {
			return err
		}
		nights = joinCrowds(still, nights)
	case !errors.Is(err, ErrNotFound):
		return err
	}
	facts := CrowdFacts{Crowded: nights, House: of.house, Sequence: of.entry}
	crowd, err := t.crowdOf(s, of.room, facts)
	if err != nil {
		return err
	}
	if facts.Movable, err = crowd.movable(); err != nil {
		return err
	}
	r, channel := of.booking, ""
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
		PropertyID: s.property.ID, ChannelID: channel, Kind: of.kind, Topic: of.topic, Severity: hotel.Critical, Facts: body,
		Subject: hotel.ConflictSubject{Type: "cell", RoomTypeID: of.room, Date: nights[0].From},
	}
	if of.booking != nil {
		c.Subject.Type, c.Subject.ID, c.Subject.RatePlanID = "reservation", of.topic, r.RatePlanID
	}
	if of.kind == hotel.ConflictPlanned {
		if c.Severity, err = t.plannedSeverity(s, channel, nights[0].From); err != nil {
			return err
		}
	}
	if err := t.raise(c); err != nil {
		return fmt.Errorf("%s of %s on %s: %w", of.kind, of.room, nights[0].From, err)
	}
	return nil
}

// endCrowds ends the open conflicts about crowded nights that are let through and
// of which no night is crowded any more, or for which the booking that raised
// them needs no room any more. Where fewer nights or rooms are left, it says so.
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
			still, err := t.stillCrowded(s, &open[i])
			if err != nil {
				return err
			}
			if len(still) > 0 {
				err = t.recrowd(s, &open[i], still)
			} else {
				err = t.over(&open[i])
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// recrowd brings the nights of an open conflict up to date.
func (t *tx) recrowd(s *structure, c *hotel.Conflict, nights []CrowdNight) error {
	facts, err := crowdFactsOf(c)
	if err != nil {
		return err
	}
	if slices.Equal(facts.Crowded, nights) {
		return nil
	}
	facts.Crowded, c.Subject.Date = nights, nights[0].From
	crowd, err := t.crowdOf(s, c.Subject.RoomTypeID, facts)
	if err != nil {
		return err
	}
	if facts.Movable, err = crowd.movable(); err != nil {
		return err
	}
	if c.Facts, err = json.Marshal(facts); err != nil {
		return err
	}
	return t.changeConflict(ConflictChanged, c)
}

// stillCrowded returns the nights of a conflict that are to come and still as it
// says, with how many rooms are missing by now.
func (t *tx) stillCrowded(s *structure, c *hotel.Conflict) ([]CrowdNight, error) {
	facts, err := crowdFactsOf(c)
	if err != nil {
		return nil, err
	}
	rooms, err := t.crowdRooms(c)
	if err != nil {
		return nil, err
	}
	first, last := max(facts.Crowded[0].From, s.property.BusinessDate(t.now)), facts.Crowded[len(facts.Crowded)-1].To
	if first > last {
		return nil, nil
	}
	b, err := t.spanBoard(s, first, last)
	if err != nil {
		return nil, err
	}
	var still []CrowdNight
	for _, n := range facts.Crowded {
		for d := max(n.From, first); d <= n.To; d++ {
			room, known := b.Room(rooms(d))
			if !known {
				continue
			}
			switch {
			case ofBooking(c):
				still = addCrowd(still, d, stillMissing(c.Kind, b.Crowd(d, room)))
			case facts.House:
				still = addCrowd(still, d, b.Beyond(d))
			default:
				still = addCrowd(still, d, missingIn(b, c.Kind, d, room))
			}
		}
	}
	return still, nil
}

// ofBooking reports whether a booking raised a conflict about crowded nights, not a
// fact.
func ofBooking(c *hotel.Conflict) bool { return c.Subject.Type == "reservation" }

// crowdRooms returns of which room type a conflict tells on a night: one of a booking
// of that which it takes by now, "" where it takes none.
func (t *tx) crowdRooms(c *hotel.Conflict) (func(hotel.Date) string, error) {
	if !ofBooking(c) {
		return func(hotel.Date) string { return c.Subject.RoomTypeID }, nil
	}
	r, err := t.reservation(c.Subject.ID)
	if err != nil {
		return nil, err
	}
	held := map[hotel.Date]string{}
	for _, h := range heldRooms(&r) {
		for d := h.From; d <= h.To; d++ {
			held[d] = h.RoomTypeID
		}
	}
	return func(d hotel.Date) string { return held[d] }, nil
}

// joinCrowds returns the nights of both lists in order; of a night in both, what
// the second says.
func joinCrowds(a, b []CrowdNight) (joined []CrowdNight) {
	nights := map[hotel.Date]int{}
	for _, n := range slices.Concat(a, b) {
		for d := n.From; d <= n.To; d++ {
			nights[d] = -n.Net
		}
	}
	for _, d := range slices.Sorted(maps.Keys(nights)) {
		joined = addCrowd(joined, d, nights[d])
	}
	return joined
}

// stillMissing is how many rooms a conflict of a kind goes on telling of: a planned
// overbooking has not ended where even that is not enough any more.
func stillMissing(kind hotel.ConflictKind, c board.Crowd) int {
	if kind == hotel.ConflictPlanned {
		return max(c.Oversold, c.Planned)
	}
	return c.Oversold
}

// missingIn returns how many rooms are missing on a night of a type, or of another
// that is sold from the same rooms.
func missingIn(b *board.Board, kind hotel.ConflictKind, d hotel.Date, room int) (most int) {
	sharing := b.Sharing()
	for i, c := range b.Crowds(d, b.House(d)) {
		if sharing[i] == sharing[room] {
			most = max(most, stillMissing(kind, c))
		}
	}
	return most
}

// crowding follows how many rooms are missing while house values are derived.
type crowding struct {
	t        *tx
	s        *structure
	b        *board.Board
	cause    int64        // sequence of the entry that the values follow from
	types    [2]shortages // by kind as in crowdKinds: that a fact has brought
	surfaced shortages    // planned overbookings that were hidden: more than planned was sold
	beyond   shortage     // of the whole house, that a fact has brought
	eased    bool         // rooms are free that were not
}

// shortage is nights on which rooms have come to be missing, in order, and the room
// type of which it was seen first.
type shortage struct {
	room   int
	nights []CrowdNight
}

func (s *shortage) add(d hotel.Date, room, missing int) {
	switch n := len(s.nights); {
	case n == 0:
		s.room = room
	case s.nights[n-1].To == d:
		return
	}
	s.nights = addCrowd(s.nights, d, missing)
}

// shortages are one for the room types that are sold from the same rooms, by the number
// that these have in common.
type shortages map[int]*shortage

// lack notes that rooms of a type are missing on a night.
func (c *crowding) lack(of *shortages, kind hotel.ConflictKind, d hotel.Date, room int) {
	if *of == nil {
		*of = shortages{}
	}
	group := c.b.Sharing()[room]
	if (*of)[group] == nil {
		(*of)[group] = &shortage{}
	}
	(*of)[group].add(d, room, missingIn(c.b, kind, d, room))
}

// moved takes in that the house has another number of rooms of a type. Nights come
// in order. A booking tells by itself of the rooms that it takes, and nobody of what
// surfaces where it gives one back.
func (c *crowding) moved(d hotel.Date, room int, was, is board.Announced, booking bool) {
	if !was.Known {
		return
	}
	c.eased = c.eased || is.Oversold < was.Oversold || is.Planned < was.Planned
	if n := c.b.Night(d).Rooms[room]; n.Sold+n.Held+n.Blocked == 0 {
		return
	}
	surfaced := is.Oversold < was.Oversold && is.Planned > was.Planned
	if surfaced {
		c.lack(&c.surfaced, hotel.ConflictPlanned, d, room)
	}
	if booking {
		return
	}
	if beyond := c.b.Beyond(d); is.Oversold > was.Oversold && beyond > -is.Net {
		c.beyond.add(d, room, beyond)
	}
	for i, more := range []bool{is.Net < min(0, was.Net), is.Planned > was.Planned && !surfaced} {
		if more {
			c.lack(&c.types[i], crowdKinds[i], d, room)
		}
	}
}

// follow raises what a fact has brought, once for the house and once for the room
// types that are sold from the same rooms, and ends what is no longer so. What has
// surfaced is raised where no conflict that is left tells of it.
func (c *crowding) follow() error {
	if err := c.raise(hotel.ConflictOversell, &c.beyond, true); err != nil {
		return err
	}
	for i, kind := range crowdKinds {
		if err := c.raiseAll(kind, c.types[i]); err != nil {
			return err
		}
	}
	if !c.eased {
		return nil
	}
	if err := c.t.endCrowds(c.s, func(*hotel.Conflict) bool { return true }); err != nil {
		return err
	}
	for _, short := range c.surfaced {
		if err := c.leaveUntold(short); err != nil {
			return err
		}
	}
	return c.raiseAll(hotel.ConflictPlanned, c.surfaced)
}

func (c *crowding) raiseAll(kind hotel.ConflictKind, of shortages) error {
	for _, group := range slices.Sorted(maps.Keys(of)) {
		if err := c.raise(kind, of[group], false); err != nil {
			return err
		}
	}
	return nil
}

func (c *crowding) raise(kind hotel.ConflictKind, short *shortage, house bool) error {
	nights := slices.DeleteFunc(short.nights, func(n CrowdNight) bool { return n.To < c.s.property.BusinessDate(c.t.now) })
	if len(nights) == 0 {
		return nil
	}
	of := crowdCause{kind: kind, room: c.b.RoomTypes[short.room].ID, house: house, entry: c.cause}
	subject := of.room
	if house {
		subject = "house"
	}
	of.topic = fmt.Sprintf("%s/%s", subject, nights[0].From)
	return c.t.raiseCrowd(c.s, of, nights)
}

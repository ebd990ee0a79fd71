package ledger

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// records is what a journal says of reservations, beside the nights that they
// take. What was last said of them before a cut is not known any more.
type records struct {
	cut     cut
	rooms   map[string]bool // whether another system counts a room type; emptied when the house changes
	newest  map[string]*hotel.Reservation
	content content // revisions, groups, and what the system that counts was told

	foreign map[string]map[foreignNight]int64 // by reservation; 0: not acknowledged
}

type foreignNight struct {
	night hotel.Date
	room  string
}

func newRecords(at cut) *records {
	return &records{cut: at, newest: map[string]*hotel.Reservation{}, content: content{}, foreign: map[string]map[foreignNight]int64{}}
}

// apply takes in the next entry. before is the property as it was.
func (r *records) apply(e Entry, before *past) error {
	if e.Kind.structural() {
		r.rooms = nil
	}
	if e.Sequence <= r.cut.sequence {
		return nil
	}
	switch e.Kind {
	case ReservationAcknowledged:
		said, err := decode[hotel.Acknowledgement](e)
		if err != nil || r.newest[e.Subject] == nil {
			return err
		}
		r.newest[e.Subject].Acknowledged = &said
		for at, acknowledged := range r.foreign[e.Subject] {
			if acknowledged == 0 {
				r.foreign[e.Subject][at] = e.Sequence
			}
		}
		return nil
	case GroupCreated:
		r.content[spot{table: "reservation group", subject: e.Subject}] = string(e.Body)
		return nil
	case ReservationWaitlist, ReservationUnmapped:
		return nil
	default:
		if e.Kind.family() != touchedStays {
			return nil
		}
	}
	fact, err := decode[ReservationFact](e)
	if err != nil {
		return err
	}
	r.content[revisionSpot(e.Subject, e.Sequence)] = "there"
	fact.Reservation.ID, fact.Reservation.Sequence = e.Subject, e.Sequence
	r.newest[e.Subject] = &fact.Reservation
	return r.tell(e.Subject, fact.Held, before)
}

// tell notes the rooms that a reservation has taken since, of types that another
// system counts.
func (r *records) tell(reservation string, held []HeldRoom, before *past) error {
	was, known := before.stays[reservation]
	if known && was.sequence <= r.cut.sequence {
		return nil // what was told before the cut is not known
	}
	for _, h := range held {
		given, err := r.given(h.RoomTypeID, before)
		if err != nil || !given {
			return err
		}
		for d := h.From; d <= h.To; d++ {
			if slices.ContainsFunc(was.held, func(o HeldRoom) bool { return o.RoomTypeID == h.RoomTypeID && o.From <= d && d <= o.To }) {
				continue
			}
			if r.foreign[reservation] == nil {
				r.foreign[reservation] = map[foreignNight]int64{}
			}
			r.foreign[reservation][foreignNight{d, h.RoomTypeID}] = 0
		}
	}
	return nil
}

// given reports whether another system counts a room type, as the house is just
// then.
func (r *records) given(room string, p *past) (bool, error) {
	if r.rooms == nil {
		properties, err := partsOf[hotel.Property](p, "property")
		if err != nil {
			return false, err
		}
		rooms, err := partsOf[hotel.RoomType](p, "room_type")
		if err != nil {
			return false, err
		}
		r.rooms = map[string]bool{}
		for i := range rooms {
			r.rooms[rooms[i].ID] = len(properties) > 0 && rooms[i].Given(properties[0])
		}
	}
	return r.rooms[room], nil
}

// said adds what should stand in the tables.
func (r *records) said(into content) error {
	maps.Copy(into, r.content)
	for id, reservation := range r.newest {
		c, err := reservationColumns(reservation)
		if err != nil {
			return err
		}
		c.Sequence = reservation.Sequence
		into[spot{table: "reservation", subject: id}] = reservationText(c, reservation.Tags)
	}
	for id, nights := range r.foreign {
		for at, acknowledged := range nights {
			into[foreignSpot(id, at)] = foreignText(acknowledged)
		}
	}
	return nil
}

// records reads the reservations with their tags, revisions and groups.
func (c *check) records(ctx context.Context, into content) error {
	tags := map[string][]string{}
	tagRows, err := c.q.AllReservationTags(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read tags: %w", err)
	}
	for _, r := range tagRows {
		tags[r.ReservationID] = append(tags[r.ReservationID], r.Tag)
	}
	rows, err := c.q.AllReservations(ctx, ledgerdb.AllReservationsParams{PropertyID: c.property, After: c.cut.sequence})
	if err != nil {
		return fmt.Errorf("read reservations: %w", err)
	}
	for _, r := range rows {
		into[spot{table: "reservation", subject: r.ID}] = reservationText(ledgerdb.UpdateReservationParams{
			GroupID: r.GroupID, BlockID: r.BlockID, Status: r.Status, HoldExpiresAt: r.HoldExpiresAt, RoomTypeID: r.RoomTypeID, RatePlanID: r.RatePlanID,
			HeldRoom: r.HeldRoom, CheckIn: r.CheckIn, CheckOut: r.CheckOut, Acknowledged: r.Acknowledged, Body: r.Body, Sequence: r.Sequence,
		}, tags[r.ID])
	}
	revisions, err := c.q.AllRevisions(ctx, ledgerdb.AllRevisionsParams{PropertyID: c.property, After: c.cut.sequence})
	if err != nil {
		return fmt.Errorf("read revisions: %w", err)
	}
	for _, r := range revisions {
		into[revisionSpot(r.ReservationID, r.Sequence)] = "there"
	}
	groups, err := c.q.AllGroups(ctx, ledgerdb.AllGroupsParams{PropertyID: c.property, Since: c.cut.earliestMicros()})
	if err != nil {
		return fmt.Errorf("read groups: %w", err)
	}
	for _, g := range groups {
		text, err := jsonText(GroupFact{g.ChannelID, g.SubChannel, g.ChannelRef, orEmpty(g.Booker)})
		if err != nil {
			return err
		}
		into[spot{table: "reservation group", subject: g.ID}] = text
	}
	return nil
}

// toldForeign reads what the system that counts was told, of reservations that
// the journal tells of from their beginning.
func (c *check) toldForeign(ctx context.Context, into content) error {
	rows, err := c.q.AllForeignNights(ctx, ledgerdb.AllForeignNightsParams{PropertyID: c.property, Since: c.cut.earliestMicros()})
	if err != nil {
		return fmt.Errorf("read what the system that counts was told: %w", err)
	}
	for _, r := range rows {
		into[foreignSpot(r.ReservationID, foreignNight{hotel.Date(r.Night), r.RoomTypeID})] = foreignText(r.Acknowledged)
	}
	return nil
}

// reservationText writes what is stored of a reservation: what it is found by in
// words, the rest as a digest.
func reservationText(c ledgerdb.UpdateReservationParams, tags []string) string {
	slices.Sort(tags)
	expires := int64(0)
	if c.HoldExpiresAt != nil {
		expires = *c.HoldExpiresAt
	}
	digest := sha256.Sum256([]byte(compact([]byte(c.Body))))
	return fmt.Sprintf("%s %s to %s room %q plan %q held %q block %q group %q until %d revision %d acknowledged tags %q, written by entry %d as %x…",
		c.Status, hotel.Date(c.CheckIn), hotel.Date(c.CheckOut), orEmpty(c.RoomTypeID), orEmpty(c.RatePlanID), orEmpty(c.HeldRoom), orEmpty(c.BlockID),
		orEmpty(c.GroupID), expires, c.Acknowledged, strings.Join(tags, " "), c.Sequence, digest[:4])
}

func revisionSpot(reservation string, sequence int64) spot {
	return spot{table: "revision", subject: fmt.Sprintf("of %s by entry %d", reservation, sequence)}
}

func foreignSpot(reservation string, at foreignNight) spot {
	return spot{"told the system that counts", at.night, reservation + " in " + at.room}
}

func foreignText(acknowledged int64) string {
	if acknowledged == 0 {
		return "not acknowledged"
	}
	return fmt.Sprintf("acknowledged by entry %d", acknowledged)
}

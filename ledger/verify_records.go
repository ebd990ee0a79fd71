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
// take. A cut takes none of it away.
type records struct {
	newest  map[string]*hotel.Reservation
	content content // revisions and groups
}

func newRecords() *records {
	return &records{newest: map[string]*hotel.Reservation{}, content: content{}}
}

// apply takes in the next entry.
func (r *records) apply(e Entry) error {
	switch e.Kind { //nolint:exhaustive // the others are of something else
	case ReservationAcknowledged:
		said, err := decode[hotel.Acknowledgement](e)
		if err != nil || r.newest[e.Subject] == nil {
			return err
		}
		r.newest[e.Subject].Acknowledged = &said
		return nil
	case GroupCreated:
		r.content[spot{table: "reservation group", subject: e.Subject}] = string(e.Body)
		return nil
	case HistoryImported:
		body, err := decode[HistoryBody](e)
		for i := range body.Nights {
			s := &body.Nights[i]
			r.content[pastSalesSpot(s, e.Sequence)] = pastSalesText(s)
		}
		return err
	}
	if !e.Kind.revises() {
		return nil
	}
	fact, err := decode[ReservationFact](e)
	if err != nil {
		return err
	}
	r.content[revisionSpot(e.Subject, e.Sequence)] = "there"
	fact.Reservation.ID, fact.Reservation.Sequence = e.Subject, e.Sequence
	r.newest[e.Subject] = &fact.Reservation
	return nil
}

// said adds what should stand in the tables.
func (r *records) said(into content, foreign map[string]map[factKey]known) error {
	maps.Copy(into, r.content)
	for id, reservation := range r.newest {
		c, err := reservationColumns(reservation)
		if err != nil {
			return err
		}
		c.Sequence = reservation.Sequence
		into[spot{table: "reservation", subject: id}] = reservationText(c, reservation.Tags)
	}
	for id, nights := range foreign {
		for at, of := range nights {
			into[foreignSpot(id, at)] = foreignText(of.acknowledged)
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
	rows, err := c.q.AllReservations(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read reservations: %w", err)
	}
	for _, r := range rows {
		into[spot{table: "reservation", subject: r.ID}] = reservationText(ledgerdb.UpdateReservationParams{
			GroupID: r.GroupID, BlockID: r.BlockID, Status: r.Status, HoldExpiresAt: r.HoldExpiresAt, RoomTypeID: r.RoomTypeID, RatePlanID: r.RatePlanID,
			HeldRoom: r.HeldRoom, CheckIn: r.CheckIn, CheckOut: r.CheckOut, Acknowledged: r.Acknowledged, AskedUntil: r.AskedUntil, Body: r.Body, Sequence: r.Sequence,
		}, tags[r.ID])
	}
	revisions, err := c.q.AllRevisions(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read revisions: %w", err)
	}
	for _, r := range revisions {
		into[revisionSpot(r.ReservationID, r.Sequence)] = "there"
	}
	groups, err := c.q.AllGroups(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read groups: %w", err)
	}
	for _, g := range groups {
		text, err := jsonText(GroupFact{g.ChannelID, g.SubChannel, g.ChannelRef, int(g.Reuse), orEmpty(g.Booker)})
		if err != nil {
			return err
		}
		into[spot{table: "reservation group", subject: g.ID}] = text
	}
	return nil
}

// pastSales reads what an earlier system sold.
func (c *check) pastSales(ctx context.Context, into content) error {
	rows, err := c.q.PastSales(ctx, ledgerdb.PastSalesParams{PropertyID: c.property, First: int64(zeroNight), Last: int64(finalNight)})
	if err != nil {
		return fmt.Errorf("read past sales: %w", err)
	}
	for _, r := range rows {
		s := pastSalesOf(r)
		into[pastSalesSpot(&s, r.Sequence)] = pastSalesText(&s)
	}
	return nil
}

// pastSalesSpot is the place of one version. It is of no night: a cut takes none away.
func pastSalesSpot(s *hotel.PastSales, sequence int64) spot {
	return spot{table: "past sales", subject: fmt.Sprintf("of %s in %q by %q %q by entry %d", s.Night, s.RoomTypeID, s.ChannelID, s.Seller, sequence)}
}

func pastSalesText(s *hotel.PastSales) string {
	if s.Revenue == nil {
		return fmt.Sprintf("%d rooms", s.Rooms)
	}
	return fmt.Sprintf("%d rooms for %s", s.Rooms, s.Revenue)
}

// toldForeign reads what the system that counts was told.
func (c *check) toldForeign(ctx context.Context, into content) error {
	rows, err := c.q.AllForeignNights(ctx, c.property)
	if err != nil {
		return fmt.Errorf("read what the system that counts was told: %w", err)
	}
	for _, r := range rows {
		into[foreignSpot(r.ReservationID, factKey{hotel.Date(r.Night), r.RoomTypeID})] = foreignText(r.Acknowledged)
	}
	return nil
}

// reservationText writes what is stored of a reservation: what it is found by in
// words, the rest as a digest.
func reservationText(c ledgerdb.UpdateReservationParams, tags []string) string {
	slices.Sort(tags)
	expires, asked := int64(0), int64(0)
	if c.HoldExpiresAt != nil {
		expires = *c.HoldExpiresAt
	}
	if c.AskedUntil != nil {
		asked = *c.AskedUntil
	}
	digest := sha256.Sum256([]byte(compact([]byte(c.Body))))
	return fmt.Sprintf("%s %s to %s room %q plan %q held %q block %q group %q until %d asked until %d revision %d acknowledged tags %q, written by entry %d as %x…",
		c.Status, hotel.Date(c.CheckIn), hotel.Date(c.CheckOut), orEmpty(c.RoomTypeID), orEmpty(c.RatePlanID), orEmpty(c.HeldRoom), orEmpty(c.BlockID),
		orEmpty(c.GroupID), expires, asked, c.Acknowledged, strings.Join(tags, " "), c.Sequence, digest[:4])
}

func revisionSpot(reservation string, sequence int64) spot {
	return spot{table: "revision", subject: fmt.Sprintf("of %s by entry %d", reservation, sequence)}
}

func foreignSpot(reservation string, at factKey) spot {
	return spot{"told the system that counts", at.night, reservation + " in " + at.subject}
}

func foreignText(acknowledged int64) string {
	if acknowledged == 0 {
		return "not acknowledged"
	}
	return fmt.Sprintf("acknowledged by entry %d", acknowledged)
}

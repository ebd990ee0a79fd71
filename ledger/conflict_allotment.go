package ledger

import (
	"encoding/json"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// enactAllotment has a channel told its number again, or gives it what it goes on
// selling: a block promises it these rooms, for good or until a date.
func (t *tx) enactAllotment(c *hotel.Conflict, d hotel.ConflictDecision) error {
	if d.Option == string(hotel.Ours) {
		return t.enactDrift(c, true)
	}
	var a struct {
		Until *hotel.Date `json:"until"`
	}
	if err := d.Read(&a); err != nil {
		return err
	}
	s, err := t.structure(c.PropertyID)
	if err != nil {
		return err
	}
	if today := s.property.Today(t.now); a.Until != nil && *a.Until <= today {
		return hotel.Invalid("/until", "date_in_past", "must be after today (%s)", today)
	}
	if err := t.enactDrift(c, false); err != nil {
		return err
	}
	lines, err := t.promisedTo(s, c)
	if err != nil || len(lines) == 0 {
		return err
	}
	b := hotel.Block{
		Entity: t.entity(hotel.NewID("blk")), PropertyID: c.PropertyID, Name: "Allotment that the channel goes on selling",
		BlockStatus: hotel.Definite, Lines: lines, ChannelID: c.ChannelID, ReleaseOn: a.Until,
	}
	err = t.putBlock(s, BlockCreated, nil, &b)
	if r, refused := errors.AsType[*hotel.Refusal](err); refused && a.Until != nil && len(r.Items) > 0 {
		return hotel.Invalid("/until", r.Items[0].Code, "%s", r.Items[0])
	}
	return err
}

// promisedTo works out what a channel has to be promised on the nights to come of a
// conflict, so that it may sell what it shows: that, and what it has sold, less what
// other blocks promise it.
func (t *tx) promisedTo(s *structure, c *hotel.Conflict) (lines []hotel.BlockLine, err error) {
	var facts DriftFacts
	if err := json.Unmarshal(c.Facts, &facts); err != nil {
		return nil, fmt.Errorf("facts of conflict %s: %w", c.ID, err)
	}
	today, room := s.property.Today(t.now), c.Subject.RoomTypeID
	for _, n := range facts.Nights {
		var shown struct {
			Available int `json:"available"`
		}
		text, err := json.Marshal(n.Theirs)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &shown); err != nil {
			return nil, fmt.Errorf("facts of conflict %s: %w", c.ID, err)
		}
		span := hotel.Span{From: max(n.From, today), To: n.To}
		if span.From > span.To {
			continue
		}
		before, err := allotments(t.ctx, t.q, s.property.ID, span)
		if err != nil {
			return nil, err
		}
		rows, err := t.q.SoldOfAllotment(t.ctx, ledgerdb.SoldOfAllotmentParams{PropertyID: s.property.ID, First: int64(span.From), Last: int64(span.To), ChannelID: c.ChannelID})
		if err != nil {
			return nil, fmt.Errorf("read what channel %s has sold: %w", c.ChannelID, err)
		}
		sold := map[hotel.Date]int{}
		for _, r := range rows {
			if r.RoomTypeID == room {
				sold[hotel.Date(r.Night)] = int(r.Rooms)
			}
		}
		for d := span.From; d <= span.To; d++ {
			units := shown.Available + sold[d] - before[allotmentNight{roomNight{d, room}, c.ChannelID}].units
			if at := len(lines) - 1; at >= 0 && lines[at].DateTo+1 == d && lines[at].Units == units {
				lines[at].DateTo = d
			} else if units > 0 {
				lines = append(lines, hotel.BlockLine{RoomTypeID: room, DateFrom: d, DateTo: d, Units: units})
			}
		}
	}
	return lines, nil
}

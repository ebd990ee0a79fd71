package ledger

import (
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// BlastFacts is what was seen of a change that goes far.
type BlastFacts struct {
	Sequence  int64          `json:"sequence"`            // of a journal entry by which it was made
	Change    Kind           `json:"change"`              // that entry's kind
	Subject   string         `json:"changed_id"`          // what that entry is about
	UpdateID  string         `json:"update_id,omitempty"` // the update that made it
	ChangedBy string         `json:"changed_by"`
	Channels  []BlastChannel `json:"channels"`
}

// BlastChannel is what of a change waits at a channel.
type BlastChannel struct {
	ChannelID string      `json:"channel_id"`
	Cells     int         `json:"cells"` // nights of rooms that are raised and of products that are opened or repriced
	Limit     int         `json:"limit"`
	Nights    hotel.Span  `json:"nights"` // from the first to the last
	Sample    []BlastCell `json:"sample"`
}

// BlastCell is one of the cells.
type BlastCell struct {
	RoomTypeID string     `json:"room_type_id"`
	RatePlanID string     `json:"rate_plan_id,omitempty"`
	Date       hotel.Date `json:"date"`
	Occupancy  int        `json:"occupancy,omitempty"`
	Shown      any        `json:"shown"` // null: nothing that is known
	Wanted     any        `json:"wanted"`
}

// raiseBlast asks whether a change is meant, of all channels at which it is too
// much.
func (t *tx) raiseBlast(property, change string) error {
	list, err := spreadsOf(t.q.SpreadsOfChange(t.ctx, change))
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(s *spread) bool { return !s.is(spreadHeld) })
	row, err := t.q.GetEntry(t.ctx, list[0].Sequence)
	if err != nil {
		return fmt.Errorf("read journal entry %d: %w", list[0].Sequence, err)
	}
	e := entryOf(row)
	facts := BlastFacts{Sequence: e.Sequence, Change: e.Kind, Subject: e.Subject, ChangedBy: actorText(e.Actor)}
	if change != fmt.Sprint(e.Sequence) {
		facts.UpdateID = change
	}
	for _, s := range list {
		of, err := t.blastOf(s)
		if err != nil {
			return err
		}
		facts.Channels = append(facts.Channels, of)
	}
	c := hotel.Conflict{PropertyID: property, Kind: hotel.ConflictBlastRadius, Topic: change, Severity: hotel.Critical, Subject: hotel.ConflictSubject{Type: "cell"}}
	if len(list) == 1 {
		c.ChannelID = list[0].ChannelID
	}
	if first := facts.Channels[0]; len(first.Sample) > 0 {
		c.Subject.RoomTypeID, c.Subject.RatePlanID, c.Subject.Date = first.Sample[0].RoomTypeID, first.Sample[0].RatePlanID, first.Nights.From
	}
	if c.Facts, err = json.Marshal(facts); err != nil {
		return err
	}
	return t.raise(c)
}

// blastOf describes what of a change waits at a channel.
func (t *tx) blastOf(s *spread) (of BlastChannel, err error) {
	row, err := t.q.GetChannel(t.ctx, s.ChannelID)
	if err != nil {
		return of, notFound(err)
	}
	c, err := t.compare(row, ledgerdb.Delivery{})
	if err != nil {
		return of, err
	}
	limit, _ := hotel.BlastRadiusOf(c.channel.Policies, c.property.Policies)
	of = BlastChannel{ChannelID: s.ChannelID, Cells: s.size(), Limit: limit.Cells}
	for _, nights := range []nightSet{s.stock.nights(), s.rates.nights()} {
		for _, d := range nights.sorted() {
			if of.Nights == (hotel.Span{}) {
				of.Nights = hotel.Span{From: d, To: d}
			}
			of.Nights = hotel.Span{From: min(of.Nights.From, d), To: max(of.Nights.To, d)}
		}
	}
	for _, cell := range s.sample {
		room, plan := c.names(cell.Cell)
		of.Sample = append(of.Sample, BlastCell{room, plan, cell.Night, cell.Occupancy, c.words(cell.Cell, cell.Shown), c.words(cell.Cell, &cell.Wanted)})
	}
	return of, nil
}

// enactBlast has a change told, or taken back. What was taken back is held at the
// channels until they are to show again what they do.
func (t *tx) enactBlast(c *hotel.Conflict, d hotel.ConflictDecision) error {
	if d.Option == hotel.OptionUndo {
		facts, err := blastFacts(c)
		if err != nil {
			return err
		}
		if err := t.takeBack(facts.UpdateID); err != nil {
			return err
		}
		if err := t.q.SetSpreads(t.ctx, ledgerdb.SetSpreadsParams{State: string(spreadUndone), Change: c.Topic}); err != nil {
			return fmt.Errorf("hold change %s: %w", c.Topic, err)
		}
		return nil
	}
	list, err := spreadsOf(t.q.SpreadsOfChange(t.ctx, c.Topic))
	if err != nil {
		return err
	}
	for _, s := range list {
		if err := t.dropSpread(s, c.PropertyID); err != nil {
			return err
		}
	}
	return nil
}

package ledger

import (
	"encoding/json"
	"fmt"
	"time"

	"ostler.example/hotel"
)

// ExposedFacts is what a channel may sell that does not know how few rooms are left.
type ExposedFacts struct {
	Reason      string            `json:"reason"`                // one of the exposures
	Since       time.Time         `json:"since"`                 // of the oldest change of its counters that it has not confirmed; else when it came about
	Sequence    int64             `json:"sequence,omitempty"`    // of that change's journal entry; else where the journal stood then
	Unavailable []hotel.StaleStep `json:"unavailable,omitempty"` // what the policy would rather have done, and the channel cannot
	Tried       []hotel.StaleStep `json:"tried,omitempty"`       // what was done first, and the channel has not confirmed
	Nights      []ExposedNights   `json:"nights"`
}

// Why a channel may sell more than is left for it.
const (
	exposedStale       = "out_of_date" // it has not been told how few rooms are left
	exposedUnreachable = "unreachable" // what it may sell of guarded rooms nobody knows, and others were dealt them
	exposedUnsafe      = "unsafe"      // it was granted guarded rooms though it promises too little
	exposedUnproven    = "unproven"    // what it had sold before it was closed nobody may ever hear of, and others were dealt the rooms
	exposedRemoved     = "removed"     // rooms that channels were granted are gone: a fact has taken them
	exposedSold        = "sold_dealt"  // a room that a channel was granted was sold knowingly
)

// ExposedNights is a run of nights of a room type that are alike.
type ExposedNights struct {
	RoomTypeID string `json:"room_type_id"`
	hotel.Span
	Shown *int64 `json:"shown"` // the most rooms that one counter there may still show; null: nobody knows. Of rooms that are gone or sold knowingly: that all channels may sell
	Free  int    `json:"free"`  // rooms that are left
}

func exposedFactsOf(c *hotel.Conflict) (facts ExposedFacts, err error) {
	if err := json.Unmarshal(c.Facts, &facts); err != nil {
		return facts, fmt.Errorf("facts of conflict %s: %w", c.ID, err)
	}
	return facts, nil
}

// conflict describes the nights. It is critical where the channel may sell more
// than there is.
func (f ExposedFacts) conflict(c hotel.Channel, applied hotel.Applied) (*hotel.Conflict, error) {
	body, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	k := &hotel.Conflict{
		PropertyID: c.PropertyID, ChannelID: c.ID, Kind: hotel.ConflictExposed, Topic: c.ID, Severity: hotel.Warning, Facts: body,
		Subject: hotel.ConflictSubject{Type: "channel", ID: c.ID}, Applied: &applied,
	}
	for _, n := range f.Nights {
		if n.Shown == nil || *n.Shown > int64(n.Free) {
			k.Severity = hotel.Critical
		}
	}
	return k, nil
}

// enactExposed notes what of granted rooms is left as it is, and closes the nights at every
// channel, for all that is sold from the same rooms, so that nobody but the channel that
// cannot be told sells them.
func (t *tx) enactExposed(c *hotel.Conflict, d hotel.ConflictDecision) error {
	facts, err := exposedFactsOf(c)
	if err == nil && (facts.Reason == exposedRemoved || facts.Reason == exposedSold) {
		err = t.leaveOvergranted(c.PropertyID, facts)
	}
	if err != nil || d.Option != hotel.OptionCloseAll {
		return err
	}
	s, err := t.structure(c.PropertyID)
	if err != nil {
		return err
	}
	sharing, closed := s.empty.Sharing(), make([]nightSet, len(s.rooms))
	for _, n := range facts.Nights {
		at, known := s.empty.Room(n.RoomTypeID)
		n.From = max(n.From, s.property.BusinessDate(t.now))
		for i := range s.rooms {
			if known && sharing[i] == sharing[at] {
				if closed[i] == nil {
					closed[i] = nightSet{}
				}
				closed[i].addSpan(n.Span)
			}
		}
	}
	u := hotel.InventoryUpdate{PropertyID: c.PropertyID, Source: string(hotel.FromUser)}
	for i, nights := range closed {
		for _, span := range nights.spans() {
			u.Entries = append(u.Entries, hotel.InventoryEntry{RoomTypeID: s.rooms[i].ID, Dates: hotel.Dates{Span: span}, Closed: hotel.Given(true)})
		}
	}
	if len(u.Entries) == 0 {
		return hotel.Refuse("not_available", "the nights are over")
	}
	_, err = t.drawUp(s, stockRequest(u))
	return err
}

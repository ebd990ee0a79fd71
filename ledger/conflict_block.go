package ledger

import (
	"encoding/json"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// blockWarning is how many days before rooms of a block go back somebody is asked.
const blockWarning = 3

// BlockFacts is what of a block goes back soon.
type BlockFacts struct {
	BlockID    string         `json:"block_id"`
	ReleasesOn hotel.Date     `json:"releases_on"` // the first of the dates
	Nights     []BlockDueRoom `json:"nights"`
}

// BlockDueRoom is the rooms of one type that nobody has picked up on a night.
type BlockDueRoom struct {
	Date       hotel.Date `json:"date"`
	RoomTypeID string     `json:"room_type_id"`
	Remaining  int        `json:"remaining"`
}

// blocksDue raises that rooms of blocks go back soon which nobody has picked up, and
// ends what is no longer so.
func (t *tx) blocksDue(s *structure) error {
	limit := s.property.Today(t.now) + blockWarning
	ids, err := t.q.ReleasingBlocks(t.ctx, ledgerdb.ReleasingBlocksParams{PropertyID: s.property.ID, Today: new(int64(limit))})
	if err != nil {
		return fmt.Errorf("read blocks to release: %w", err)
	}
	for _, id := range ids {
		b, err := loadBlock(t.ctx, t.q, id)
		if err != nil {
			return err
		}
		if err := t.blockDue(s, &b); err != nil {
			return err
		}
	}
	open, err := t.openConflicts(s.property.ID, hotel.ConflictBlockDue)
	if err != nil {
		return err
	}
	for i := range open {
		b, err := loadBlock(t.ctx, t.q, open[i].Topic)
		if err != nil {
			return err
		}
		if err := t.overBlockDue(s, &b); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) blockDue(s *structure, b *hotel.Block) error {
	facts := dueOfBlock(b, s.property.Today(t.now)+blockWarning)
	last, err := readOne[hotel.Conflict](t.q.LastConflict(t.ctx, ledgerdb.LastConflictParams{PropertyID: s.property.ID, Kind: string(hotel.ConflictBlockDue), Topic: b.ID}))
	if len(facts.Nights) == 0 || err == nil && askedBefore(&last, facts) {
		return nil
	}
	body, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	return t.raise(hotel.Conflict{
		PropertyID: s.property.ID, ChannelID: b.ChannelID, Kind: hotel.ConflictBlockDue, Topic: b.ID, Severity: hotel.Warning, Facts: body,
		Subject: hotel.ConflictSubject{Type: "block", ID: b.ID, Date: facts.Nights[0].Date},
	})
}

// askedBefore reports whether somebody has decided about all of the nights.
func askedBefore(last *hotel.Conflict, now BlockFacts) bool {
	var was BlockFacts
	if last.Status == hotel.ConflictOpen || json.Unmarshal(last.Facts, &was) != nil || was.ReleasesOn != now.ReleasesOn {
		return false
	}
	decided := map[hotel.Date]bool{}
	for _, n := range was.Nights {
		decided[n.Date] = true
	}
	for _, n := range now.Nights {
		if !decided[n.Date] {
			return false
		}
	}
	return true
}

// dueOfBlock lists what of a block goes back by a date.
func dueOfBlock(b *hotel.Block, by hotel.Date) BlockFacts {
	facts := BlockFacts{BlockID: b.ID}
	for _, l := range b.Lines {
		for _, n := range l.Nights {
			on, releases := b.ReleasesOn(n.Date)
			if !releases || on > by || n.Remaining == 0 {
				continue
			}
			if len(facts.Nights) == 0 || on < facts.ReleasesOn {
				facts.ReleasesOn = on
			}
			facts.Nights = append(facts.Nights, BlockDueRoom{n.Date, l.RoomTypeID, n.Remaining})
		}
	}
	return facts
}

// overBlockDue ends the conflict about a block of which nothing goes back soon any
// more.
func (t *tx) overBlockDue(s *structure, b *hotel.Block) error {
	now, err := loadBlock(t.ctx, t.q, b.ID)
	if err != nil || len(dueOfBlock(&now, s.property.Today(t.now)+blockWarning).Nights) > 0 {
		return err
	}
	return t.overTopic(s.property.ID, hotel.ConflictBlockDue, b.ID)
}

// enactBlock releases the rooms that go back soon, later, or never by themselves.
func (t *tx) enactBlock(c *hotel.Conflict, d hotel.ConflictDecision) error {
	b, err := loadBlock(t.ctx, t.q, c.Subject.ID)
	if err != nil {
		return err
	}
	s, err := t.structure(c.PropertyID)
	if err != nil {
		return err
	}
	none := hotel.Optional[int]{Set: true, Null: true}
	switch d.Option {
	case hotel.OptionRelease:
		nights := nightSet{}
		for _, n := range dueOfBlock(&b, s.property.Today(t.now)+blockWarning).Nights {
			nights[n.Date] = struct{}{}
		}
		return t.giveBack(s, &b, nights)
	case hotel.OptionExtend:
		var a struct {
			ReleaseOn hotel.Date `json:"release_on"`
		}
		if err := d.Read(&a); err != nil {
			return err
		}
		return t.changeBlock(s, &b, hotel.BlockChange{ReleaseOn: hotel.Given(a.ReleaseOn), ReleaseDays: none})
	case hotel.OptionKeep:
		return t.changeBlock(s, &b, hotel.BlockChange{ReleaseOn: hotel.Optional[hotel.Date]{Set: true, Null: true}, ReleaseDays: none})
	}
	return nil
}

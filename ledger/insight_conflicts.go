package ledger

import (
	"encoding/json"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// conflicts adds the conflicts about the night that are open, or were then.
func (i *insight) conflicts() error {
	open, err := readAll[hotel.Conflict](i.q.OpenConflictsOf(i.ctx, i.row.PropertyID))
	if !i.of.AsOf.Now() {
		open, err = readAll[hotel.Conflict](i.q.ConflictsAt(i.ctx, ledgerdb.ConflictsAtParams{PropertyID: i.row.PropertyID, At: i.at.UnixMicro()}))
	}
	if err != nil {
		return fmt.Errorf("open conflicts: %w", err)
	}
	for at := range open {
		decided := open[at].DecidedAt != nil && !open[at].DecidedAt.After(i.at)
		if !decided && i.concerns(&open[at]) {
			i.out.Conflicts = append(i.out.Conflicts, open[at].ID)
		}
	}
	return nil
}

// concerns reports whether a conflict is about the night that is looked at: by the
// cells that it names, else by its room type, plan and nights.
func (i *insight) concerns(c *hotel.Conflict) bool {
	if c.ChannelID != "" && c.ChannelID != i.row.ID {
		return false
	}
	for _, run := range c.Cells {
		line := i.line.Line
		if run.Group == hotel.Availability {
			if i.line.counter == nil {
				continue
			}
			line = i.line.counter.Line
		}
		if run.Line == line && run.From <= i.of.Night && i.of.Night <= run.To {
			return true
		}
	}
	of := c.Subject
	if len(c.Cells) > 0 || of.Type != "cell" || of.RoomTypeID != i.line.RoomTypeID || of.RatePlanID != "" && of.RatePlanID != i.line.RatePlanID {
		return false
	}
	var facts struct {
		Nights []hotel.Span `json:"nights"`
	}
	if json.Unmarshal(c.Facts, &facts) != nil || len(facts.Nights) == 0 {
		return of.Date == i.of.Night
	}
	for _, s := range facts.Nights {
		if s.From <= i.of.Night && i.of.Night <= s.To {
			return true
		}
	}
	return false
}

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
// cells that it names, else by its room type, plan and nights, or those that one about
// the channel names.
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
	if len(c.Cells) > 0 {
		return false
	}
	var facts struct {
		Nights []struct {
			RoomTypeID string `json:"room_type_id"` // "": that of the subject
			hotel.Span
		} `json:"nights"`
	}
	if json.Unmarshal(c.Facts, &facts) != nil {
		facts.Nights = nil
	}
	of := c.Subject
	mine := of.Type == "cell" && of.RoomTypeID == i.line.RoomTypeID && (of.RatePlanID == "" || of.RatePlanID == i.line.RatePlanID)
	if len(facts.Nights) == 0 {
		return mine && of.Date == i.of.Night
	}
	for _, n := range facts.Nights {
		named := of.Type == "channel" && n.RoomTypeID == i.line.RoomTypeID
		if (mine || named) && n.From <= i.of.Night && i.of.Night <= n.To {
			return true
		}
	}
	return false
}

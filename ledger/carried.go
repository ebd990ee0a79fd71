package ledger

import (
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// lineMonth names the nights of a line in one month: of a counter's where stock
// is set, else of a mapping's.
type lineMonth struct {
	line  int64
	stock bool
	month int64
}

func lineMonthOf(c hotel.Cell) lineMonth {
	return lineMonth{c.Line, c.Group == hotel.Availability, monthOf(c.Night)}
}

// carries notes which nights of which lines a call carries.
func (t *tx) carries(channel string, version int64, cells []SentCell) error {
	noted := map[lineMonth]bool{}
	for _, c := range cells {
		k := lineMonthOf(c.Cell)
		if noted[k] {
			continue
		}
		noted[k] = true
		row := ledgerdb.InsertCarriedParams{ChannelID: channel, Stock: flag(k.stock), Line: k.line, Month: k.month, Version: version}
		if err := t.q.InsertCarried(t.ctx, row); err != nil {
			return fmt.Errorf("note what call %d to channel %s carries: %w", version, channel, err)
		}
	}
	return nil
}

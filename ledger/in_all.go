package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// inAll says what the counters of a channel have sold that is told the most that it
// sells in all. Its cells count what is left of that, as those of any other channel do
// and as it shows itself; what it is told is more by what it has sold. So a sale of its
// own costs no call, and one that we hear of late makes what it was told no other.
//
// The zero value is of a channel that is told what is left.
type inAll struct {
	sold map[partyNight]int
	held *holdings // what was granted on guarded nights is in the number, sold or not
}

// inAllOf reads what a channel's counters have sold on the nights.
func (t *tx) inAllOf(channel ledgerdb.Channel, nights hotel.Span) (a inAll, err error) {
	terms, err := termsOf(channel)
	if err != nil || !terms.TotalLimit || nights.Days() == 0 {
		return a, err
	}
	rows, err := t.q.SoldByCounters(t.ctx, ledgerdb.SoldByCountersParams{
		PropertyID: channel.PropertyID, ChannelID: channel.ID, First: int64(nights.From), Last: int64(nights.To),
	})
	if err != nil {
		return a, fmt.Errorf("count what channel %s has sold: %w", channel.ID, err)
	}
	a.sold = make(map[partyNight]int, len(rows))
	for _, r := range rows {
		a.sold[partyNight{r.Line, hotel.Date(r.Night)}] = int(r.Rooms)
	}
	a.held, err = t.holdings(channel.PropertyID, nights)
	return a, err
}

// inAllOfRows is [tx.inAllOf] for the nights of stored counters.
func inAllOfRows(ctx context.Context, q *ledgerdb.Queries, channel ledgerdb.Channel, rows []ledgerdb.StockCell) (inAll, error) {
	if len(rows) == 0 {
		return inAll{}, nil
	}
	nights := hotel.Span{From: hotel.Date(rows[0].Night), To: hotel.Date(rows[0].Night)}
	for _, r := range rows {
		nights = hotel.Span{From: min(nights.From, hotel.Date(r.Night)), To: max(nights.To, hotel.Date(r.Night))}
	}
	return (&tx{ctx: ctx, q: q}).inAllOf(channel, nights)
}

// of returns what a counter is told beside the rooms that it is to sell. Where it is to
// sell none it is told none: it would sell again what is cancelled there.
func (a inAll) of(cell hotel.Cell, rooms int64) int {
	if a.sold == nil || rooms == 0 || cell.Group != hotel.Availability {
		return 0
	}
	at := partyNight{cell.Line, cell.Night}
	if h := a.held.of[at]; h != nil {
		of := exposure.Holder{Party: h.now, Ability: exposure.Ability{Total: true}, Live: h.live, Strays: h.strays}
		return of.Before()
	}
	return a.sold[at]
}

package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// ReadScope says which nights of a channel are to be read back.
type ReadScope uint8

// Every night of which anything is known, those on which the channel is to show
// no rooms, or those on which nobody knows what it shows.
const (
	ReadAll ReadScope = iota
	ReadSoldOut
	ReadDoubts
)

// RemoteNights is a span of nights of one room, by the far side's code.
type RemoteNights struct {
	Room   string
	Nights hotel.Span
}

// nearNights is how many nights between two in question are read along with them:
// a longer call is cheaper than a second one.
const nearNights = 7

// ToRead lists what of a channel is to be read back from a night on, by room, the
// nearest nights first.
func (l *Ledger) ToRead(ctx context.Context, channel string, of ReadScope, from hotel.Date) (out []RemoteNights, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		switch of {
		case ReadAll:
			rows, err := q.KnownNights(ctx, ledgerdb.KnownNightsParams{ChannelID: channel, First: int64(from)})
			for _, r := range rows {
				out = append(out, RemoteNights{r.RemoteRoom, hotel.Span{From: hotel.Date(r.FirstNight), To: hotel.Date(r.LastNight)}})
			}
			return err
		case ReadSoldOut:
			rows, err := q.SoldOutNights(ctx, ledgerdb.SoldOutNightsParams{ChannelID: channel, First: int64(from)})
			for _, r := range rows {
				out = alsoNight(out, r.RemoteRoom, hotel.Date(r.Night))
			}
			return err
		case ReadDoubts:
			rows, err := q.UnknownNights(ctx, ledgerdb.UnknownNightsParams{ChannelID: channel, First: int64(from)})
			for _, r := range rows {
				out = alsoNight(out, r.RemoteRoom, hotel.Date(r.Night))
			}
			return err
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("nights of channel %s to read back: %w", channel, err)
	}
	return out, nil
}

// alsoNight lengthens the last span up to the night, or begins another.
func alsoNight(spans []RemoteNights, room string, night hotel.Date) []RemoteNights {
	if n := len(spans) - 1; n >= 0 && spans[n].Room == room && night <= spans[n].Nights.To+nearNights {
		spans[n].Nights.To = night
		return spans
	}
	return append(spans, RemoteNights{room, hotel.Span{From: night, To: night}})
}

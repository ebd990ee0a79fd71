package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// strays are the bookings of a span under codes of their channels that no counter has.
// Which counter has sold one nobody knows before its code is mapped, so each of its
// channel's may have.
type strays struct {
	all  map[channelNight]int
	held map[allotmentNight]int // of these, by the room type that a room is kept of until somebody says which it is
}

// channelNight names a channel on one night.
type channelNight struct {
	channel string
	night   hotel.Date
}

func straysOf(ctx context.Context, q *ledgerdb.Queries, property string, span hotel.Span) (strays, error) {
	rows, err := q.Strays(ctx, ledgerdb.StraysParams{PropertyID: property, First: int64(span.From), Last: int64(span.To)})
	if err != nil {
		return strays{}, fmt.Errorf("read bookings of %s that no counter has sold: %w", property, err)
	}
	of := strays{map[channelNight]int{}, map[allotmentNight]int{}}
	for _, r := range rows {
		night := hotel.Date(r.Night)
		of.all[channelNight{r.ChannelID, night}] += int(r.Rooms)
		of.held[allotmentNight{roomNight{night, r.RoomTypeID}, r.ChannelID}] = int(r.Held)
	}
	return of, nil
}

// of adds to a party those of its night. A room of its type that is kept for one is in here at
// the first of the channel's counters of the type: as much less is taken for what it was
// granted. A room that somebody gave a guest is his whichever counter has sold his booking.
func (s strays) of(h *holding) {
	night := hotel.Date(h.row.Night)
	h.strays = s.all[channelNight{h.row.ChannelID, night}]
	at := allotmentNight{roomNight{night, h.row.RoomTypeID}, h.row.ChannelID}
	h.here += s.held[at]
	delete(s.held, at)
}

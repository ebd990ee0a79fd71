package inbound

import (
	"context"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Lists fetches the bookings of a channel in shadow. Nothing of them is
// acknowledged or taken out of a queue: all that hold a night from today on are
// listed, each time.
type Lists struct {
	List     connectors.Lister
	Property hotel.Property
	Clock    hotel.Clock
}

// Poll implements [connectors.Poller]. The cursor of the feed stays where it is.
func (l Lists) Poll(ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
	nights := l.Property.Shows(l.Clock.Now())
	return cursor, l.List.List(ctx, nights.From, nights.To+1, sink)
}

package sync

import (
	"context"
	"errors"

	"ostler.example/hotel"
)

// pursuit is a run while it is under way. One that is for some nights of what a channel
// shows or has sold is an errand of the channel's own reader or lister, which tells
// how it went: nothing that is stored says that just these nights were read.
type pursuit struct {
	e   *Engine
	run hotel.SyncRun

	of      *channel   // as it was open when it was sent
	answer  chan error // what came of it
	failure error      // why the run is over without what it was for
}

// errand reports whether the channel has been where the run sends it. A channel that
// was opened anew meanwhile is sent again.
func (p *pursuit) errand() bool {
	c := p.e.running(p.run.ChannelID)
	if c == nil {
		return false
	}
	if c != p.of {
		answer := make(chan error, 1)
		p.of, p.answer = c, answer
		told := func(err error) { answer <- err }
		switch {
		case p.run.Kind == hotel.SyncReadBack && c.reader != nil:
			c.reader.ReadNights(p.run.Nights, told)
		case p.run.Kind == hotel.SyncReservations && c.lister != nil:
			c.lister.ListNights(p.run.Nights, told)
		}
	}
	select {
	case p.failure = <-p.answer:
		if errors.Is(p.failure, context.Canceled) { // the channel is about to be opened anew
			p.of, p.failure = nil, nil
			return false
		}
		return true
	default:
		return false
	}
}

// able refuses a run that the channel, as far as it is open, has no way to do.
func (e *Engine) able(id string, order hotel.SyncOrder) error {
	c := e.running(id)
	if c == nil || !c.Readable() {
		return nil // the ledger knows why not
	}
	switch {
	case order.Kind == hotel.SyncReadBack && c.reader == nil:
		return hotel.Refuse("not_implemented", "connector %s cannot ask what its far side shows: have everything told again with ari_full", c.Connector)
	case order.Kind == hotel.SyncReservations && order.Nights != (hotel.Span{}) && c.lister == nil && c.Told():
		return hotel.Refuse("not_implemented", "connector %s cannot ask for bookings by date: leave the dates out", c.Connector)
	}
	return nil
}

// Package inbound takes reservations in: messages that channels push to us,
// mounted under /inbound/{channel_id}/, and messages that we fetch. Whatever
// comes is stored before the channel is told that we have it. What a message
// does to a reservation is the ledger's business; which protocol it came in is
// the connector's.
package inbound

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/hotel/card"
	"ostler.example/ledger"
	"ostler.example/sync/gate"
)

// Sink takes one channel's messages into the ledger.
type Sink struct {
	Ledger  Ledger
	Channel string
	Terms   hotel.Terms
	Log     *zap.Logger
	Stored  func() // called after the commit of what was new; nil: nobody is told
	Hinted  func() // called when there is something to fetch; nil: nobody fetches
	Stuck   *Stuck // shared by all of a channel's sinks
}

var _ connectors.Sink = (*Sink)(nil)

// Deliver stores and applies a message. nil means that it is durable, or was
// before; after an error the far side must send it again.
func (s *Sink) Deliver(ctx context.Context, m connectors.Message) error {
	_, err := s.take(ctx, "", m)
	return err
}

// watched is the sink of one call: it notes how much of what comes nobody can read, whether
// any of it is new, and whether something could not be kept.
type watched struct {
	*Sink
	unread atomic.Int64
	fresh  atomic.Bool           // something came that had not come before
	lost   atomic.Pointer[error] // why a message was not taken
	unkept atomic.Bool           // not for want of time
}

// Deliver is [Sink.Deliver].
func (s *watched) Deliver(ctx context.Context, m connectors.Message) error {
	got, err := s.take(ctx, "", m)
	if got.Unread {
		s.unread.Add(1)
	}
	if err == nil && !got.Duplicate {
		s.fresh.Store(true)
	}
	if err != nil {
		s.lost.Store(&err)
		if ctx.Err() == nil {
			s.unkept.Store(true)
		}
	}
	return err
}

// failed returns the error of the call, as our own where it is for want of the ledger:
// that is no word on how the far side is. A call of which not everything was taken has
// failed, also where its connector does not say so.
func (s *watched) failed(err error) error {
	if lost := s.lost.Load(); err == nil && lost != nil {
		err = *lost
	}
	if err != nil && s.unkept.Load() {
		return &gate.OurOwn{Err: err}
	}
	return err
}

// whole returns an error unless all that came could be read: what somebody has yet to
// look at may be a booking of any night.
func (s *watched) whole() error {
	if n := s.unread.Load(); n > 0 {
		return &connectors.Error{Kind: connectors.Invalid, Op: listOperation, Err: fmt.Errorf(
			"%d messages in it cannot be read, so that it does not prove what was sold: look at these bookings at the channel, and decide the conflicts unread_message", n)}
	}
	return nil
}

// mostRooms is how many rooms a booking may have. One of more is somebody's mistake, and
// would keep everybody else from the ledger meanwhile.
const mostRooms = 250

// take stores and applies a message that the channel sends, or one that was kept under a
// key because it could not be read.
func (s *Sink) take(ctx context.Context, again string, m connectors.Message) (ledger.Received, error) {
	raw := card.Mask(m.Raw)
	if n := len(m.Booking.Rooms); n > mostRooms && m.Problem == "" {
		m.Problem, m.Booking = fmt.Sprintf("it books %d rooms at once; at most %d are taken", n, mostRooms), hotel.ChannelBooking{}
	}
	if m.Key == "" { // what has no name is known by its bytes
		sum := sha256.Sum256(m.Raw)
		m.Key = "sha256:" + hex.EncodeToString(sum[:])
	}
	r := ledger.Receipt{
		ChannelID: s.Channel, Key: m.Key, Ref: m.Ref, Revision: m.Revision, Event: string(m.Event), At: m.At.UTC().Truncate(time.Microsecond),
		Booking: withoutCards(m.Booking), Raw: raw, Problem: string(card.Mask([]byte(m.Problem))), Order: s.Terms.FeedOrder, Adjusts: s.Terms.Moves(),
		Partial: s.Terms.PartialGroups, Again: again,
	}
	got, err := s.Ledger.Receive(ctx, r)
	switch {
	case err == nil:
		s.Stuck.taken(m.Key)
	case ledger.IsItsOwn(err) && s.Stuck.failed(m.Key):
		s.Log.Error("a message of the channel could not be taken again and again, for what it is: it is kept as it came, so that what is behind it gets through",
			zap.String("channel", s.Channel), zap.String("message", m.Key), zap.Error(err))
		r.Problem, r.Booking = string(card.Mask([]byte(whyStuck(err)))), hotel.ChannelBooking{}
		got, err = s.Ledger.Receive(ctx, r)
	}
	if err != nil {
		s.Log.Error("message not taken; the channel has to send it again", zap.String("channel", s.Channel), zap.String("message", m.Key), zap.Error(err))
		return got, err
	}
	if got.Unread && !got.Duplicate {
		s.Log.Error("a message of the channel cannot be read: it is kept as it came, and the conflict unread_message asks about it; look at the booking at the channel",
			zap.String("channel", s.Channel), zap.String("message", m.Key), zap.String("channel_reference", m.Ref))
	}
	if !got.Duplicate && s.Stored != nil {
		s.Stored()
	}
	return got, nil
}

// Hint implements [connectors.Sink].
func (s *Sink) Hint() {
	if s.Hinted != nil {
		s.Hinted()
	}
}

// withoutCards masks card numbers that somebody typed where a guest's name or
// address belongs, or where a wish is written.
func withoutCards(b hotel.ChannelBooking) hotel.ChannelBooking {
	b.Guest, b.Seller = guestWithoutCards(b.Guest), string(card.Mask([]byte(b.Seller)))
	if b.Requests != nil {
		b.Requests = new(string(card.Mask([]byte(*b.Requests))))
	}
	b.Rooms = slices.Clone(b.Rooms)
	for i := range b.Rooms {
		r := &b.Rooms[i]
		r.Guest = guestWithoutCards(r.Guest)
		r.Companions, r.Extras = slices.Clone(r.Companions), slices.Clone(r.Extras)
		for j := range r.Companions {
			r.Companions[j] = *guestWithoutCards(&r.Companions[j])
		}
		for j := range r.Extras {
			r.Extras[j].Code, r.Extras[j].Name = string(card.Mask([]byte(r.Extras[j].Code))), string(card.Mask([]byte(r.Extras[j].Name)))
		}
	}
	b.Payment = paymentWithoutCards(b.Payment)
	return b
}

// paymentWithoutCards masks card numbers in what is said of a card, and leaves out
// what has no meaning here.
func paymentWithoutCards(p hotel.ChannelPayment) hotel.ChannelPayment {
	if p.Card != nil {
		c := *p.Card
		for _, text := range []*string{&c.Brand, &c.Last4, &c.TokenRef} {
			*text = string(card.Mask([]byte(*text)))
		}
		p.Card = &c
	}
	if p.Access != nil {
		a := *p.Access
		a.URL = string(card.Mask([]byte(a.URL)))
		p.Access = &a
	}
	return p.Known()
}

func guestWithoutCards(g *hotel.Guest) *hotel.Guest {
	if g == nil {
		return nil
	}
	masked := *g
	for _, text := range masked.Texts() {
		*text = string(card.Mask([]byte(*text)))
	}
	return &masked
}

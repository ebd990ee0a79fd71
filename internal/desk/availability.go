package desk

import (
	"context"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// StayQuery asks what a party can be sold.
type StayQuery struct {
	PropertyID   string
	Stay         hotel.Stay
	RoomType     string // code or name; "" for every room type
	Adults       int    // 0: as many as each room type's base occupancy
	ChildrenAges []int  // negative: only that there is a child
	Details      bool   // tell every plan with its nights, too
}

// StayAnswer says which rooms a stay finds.
type StayAnswer struct {
	board.Answer
	Details *StayDetails // nil unless they are asked for
}

// Availability answers from the property's board. A room type that does not
// exist is refused and never answered as full: a mistyped name must not look
// sold out.
func (d *Desk) Availability(ctx context.Context, c Caller, q StayQuery) (StayAnswer, error) {
	if err := c.enter(auth.AvailabilityRead, q.PropertyID); err != nil {
		return StayAnswer{}, err
	}
	b, err := d.board(ctx, q.PropertyID)
	if err != nil {
		return StayAnswer{}, err
	}
	sells := d.sells(&b.Property)
	if err := checkStay(q.Stay, sells); err != nil {
		return StayAnswer{}, err
	}
	room := board.Every
	if q.RoomType != "" {
		i, ok := b.RoomByName(q.RoomType)
		if !ok {
			return StayAnswer{}, hotel.Invalid("/room_type", "unknown_room_type", "the property has no room type of this name")
		}
		room = i
	}
	party := board.Party{Adults: q.Adults, Ages: q.ChildrenAges}
	by := board.Asker{Seller: c.seller(), Today: sells.From, Now: d.clock.Now()}
	var sold []board.Sale
	var shown []int
	if c.ota() {
		own, err := d.ledger.Channel(ctx, c.ChannelID)
		if err != nil {
			return StayAnswer{}, said(err)
		}
		by.CutOff = own.CutOff
		sold = b.StayTo(q.Stay, c.ChannelID)
		for _, room := range sold {
			shown = append(shown, room.Now)
		}
	}
	a := StayAnswer{Answer: b.Availability(q.Stay, room, party, by, shown)}
	if q.Details {
		a.Details = stayDetails(b, by, q.Stay, room, party, sold)
	}
	return a, nil
}

// board returns the board of a property that the caller was granted.
func (d *Desk) board(ctx context.Context, propertyID string) (*board.Board, error) {
	b, err := d.ledger.Board(ctx, propertyID)
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, noProperty()
	}
	if err != nil {
		return nil, fmt.Errorf("read the board of property %s: %w", propertyID, err)
	}
	return b, nil
}

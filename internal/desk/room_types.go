package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// RoomTypes lists the room types of a property, of every granted one when
// propertyID is "".
func (d *Desk) RoomTypes(ctx context.Context, c Caller, propertyID string) ([]hotel.RoomType, error) {
	return gather(ctx, d, c, auth.PropertiesRead, propertyID, d.ledger.RoomTypes)
}

// RoomType returns one room type.
func (d *Desk) RoomType(ctx context.Context, c Caller, id string) (hotel.RoomType, error) {
	if err := c.need(auth.PropertiesRead); err != nil {
		return hotel.RoomType{}, err
	}
	r, err := d.ledger.RoomType(ctx, id)
	if err != nil {
		return hotel.RoomType{}, said(err)
	}
	if err := c.find(r.PropertyID); err != nil {
		return hotel.RoomType{}, err
	}
	return r, nil
}

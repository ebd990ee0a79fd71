package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// RoomTypes lists the room types of a property, of every granted one when
// propertyID is "".
func (d *Desk) RoomTypes(ctx context.Context, c Caller, properties ...string) ([]hotel.RoomType, error) {
	return gather(ctx, d, c, auth.PropertiesRead, properties, d.ledger.RoomTypes)
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

// CreateRoomType makes a room type. Replayed tells that the request's key had its effect
// before.
func (d *Desk) CreateRoomType(ctx context.Context, c Caller, r hotel.RoomType) (made hotel.RoomType, replayed bool, err error) {
	return create(ctx, d, c, auth.PropertiesWrite, r.PropertyID, r, d.ledger.CreateRoomType)
}

// ChangeRoomType makes a room type different. How many there are of it is stock.
func (d *Desk) ChangeRoomType(ctx context.Context, c Caller, id string, to hotel.Change[hotel.RoomType]) (hotel.RoomType, bool, error) {
	do := func(ctx context.Context, by hotel.By, once hotel.Once, id string, to hotel.Change[hotel.RoomType]) (hotel.RoomType, bool, error) {
		r, err := d.ledger.RoomType(ctx, id)
		if err != nil {
			return r, false, err
		}
		pools, err := d.ledger.Pools(ctx, r.PropertyID)
		if err != nil {
			return r, false, err
		}
		stock := func(r *hotel.RoomType) any {
			of := *r
			of.ID = id // a change is said without it
			own := of.OwnPool(pools)
			return []any{r.TotalUnits, r.Sized && own != nil && own.TotalUnits != r.TotalUnits}
		}
		if to, err = leaves(ctx, d, c, r.PropertyID, ofStock, stock, to); err != nil {
			return r, false, err
		}
		return d.ledger.ChangeRoomType(ctx, by, once, id, to)
	}
	return change(ctx, c, auth.PropertiesWrite, id, to, d.ledger.RoomType, propertyOfRoomType, do)
}

// ArchiveRoomType ends a room type that nothing needs any more.
func (d *Desk) ArchiveRoomType(ctx context.Context, c Caller, id string, ifRevision int64) (hotel.RoomType, bool, error) {
	return change(ctx, c, auth.PropertiesWrite, id, ifRevision, d.ledger.RoomType, propertyOfRoomType, d.ledger.ArchiveRoomType)
}

func propertyOfRoomType(r hotel.RoomType) string { return r.PropertyID }

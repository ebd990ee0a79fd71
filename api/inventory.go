package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

type inventoryBody struct {
	RoomTypeID string `json:"room_type_id"`
	CellDates
	PoolID           *string `json:"pool_id" doc:"The room type's own pool; null when it draws on others, whose facts are not shown here."`
	Total            int     `json:"total" doc:"Physical units."`
	OutOfOrder       int     `json:"out_of_order"`
	OutOfInventory   int     `json:"out_of_inventory"`
	OverbookingLimit int     `json:"overbooking_limit"`
	SellLimit        *int    `json:"sell_limit" doc:"The most rooms of the type sold on all channels together."`
	Closed           bool    `json:"closed"`
	Sold             int     `json:"sold"`
	Net              int     `json:"net" doc:"How many more fit; below 0 when some find no room."`
	Free             int     `json:"free" doc:"net, never below 0."`
	Available        int     `json:"available" doc:"What may be sold."`
	Version          int64   `json:"version" doc:"Journal sequence of the last change; 0 when nothing was ever written."`
	Source           *string `json:"source"`
	UpdatedAt        *string `json:"updated_at" format:"date-time"`
}

func inventoryOf(c hotel.InventoryCell) inventoryBody {
	return inventoryBody{
		RoomTypeID: c.RoomTypeID, CellDates: nightOf(c.Date), PoolID: orNull(c.PoolID), Total: c.Total, OutOfOrder: c.OutOfOrder,
		OutOfInventory: c.OutOfInventory, OverbookingLimit: c.Overbooking, SellLimit: c.SellLimit, Closed: c.Closed,
		Sold: c.Sold, Net: c.Net, Free: c.Free, Available: c.Available,
		Version: c.Version, Source: orNull(c.Source), UpdatedAt: stampOrNull(c.UpdatedAt),
	}
}

// CellsIn are the parameters of lists by night.
type CellsIn struct {
	CellPaging
	PropertyID string `query:"property_id" required:"true"`
	DateFrom   string `query:"date_from" required:"true" format:"date" doc:"Inclusive."`
	DateTo     string `query:"date_to" required:"true" format:"date" doc:"Inclusive; at most 400 days."`
	RoomTypeID string `query:"room_type_id"`
	AsOf       string `query:"as_of" format:"date-time" doc:"Answers as it was at this instant, worked out from the journal."`
	AsOfEntry  int64  `query:"as_of_sequence" minimum:"1" doc:"Answers as it was behind this entry of the journal; instead of as_of."`
}

func (in CellsIn) query() desk.CellQuery {
	q := desk.CellQuery{PropertyID: in.PropertyID, RoomTypeID: in.RoomTypeID, AsOf: hotel.AsOf{Sequence: in.AsOfEntry}}
	q.AsOf.At, _ = time.Parse(time.RFC3339, in.AsOf) // validated by its format
	q.Span.From, _ = hotel.ParseDate(in.DateFrom)    // validated by their format
	q.Span.To, _ = hotel.ParseDate(in.DateTo)
	return q
}

type inventoryEntry struct {
	RoomTypeID string `json:"room_type_id,omitempty" doc:"This, or pool_id."`
	PoolID     string `json:"pool_id,omitempty"`
	EntryDates
	Values inventoryValues `json:"values"`
}

type inventoryValues struct {
	Total            optional[int]  `json:"total,omitzero"`
	OutOfOrder       optional[int]  `json:"out_of_order,omitzero"`
	OutOfInventory   optional[int]  `json:"out_of_inventory,omitzero"`
	OverbookingLimit optional[int]  `json:"overbooking_limit,omitzero"`
	SellLimit        optional[int]  `json:"sell_limit,omitzero"`
	Closed           optional[bool] `json:"closed,omitzero"`
}

func (s *server) registerInventory() {
	list := huma.Operation{
		OperationID: "list-inventory", Method: http.MethodGet, Path: "/inventory",
		Summary: "Stock by room type and night", Tags: []string{tagInventory},
	}
	register(s, list, needs(auth.InventoryRead), func(ctx context.Context, in *CellsIn) (*listOf[inventoryBody], error) {
		cells, err := s.desk.Inventory(ctx, callerOf(ctx), in.query())
		if err != nil {
			return nil, inParameters(err)
		}
		at := func(c hotel.InventoryCell) position { return position{int64(c.Date), c.RoomTypeID} }
		return cellPage(ctx, s, in.CellPaging, cells, at, inventoryOf)
	})
	update := huma.Operation{
		OperationID: "update-inventory", Method: http.MethodPost, Path: "/inventory/updates",
		Summary: "Change stock in bulk", Description: updateText, Tags: []string{tagInventory}, DefaultStatus: http.StatusOK,
	}
	register(s, update, bulk(auth.InventoryWrite), func(ctx context.Context, in *updateIn[inventoryEntry]) (*updated, error) {
		u, err := updateOf(in.Body, readInventory)
		if err != nil {
			return nil, err
		}
		upd, replayed, err := s.desk.UpdateInventory(ctx, callerOf(ctx), u)
		return s.updated(ctx, upd, replayed, err)
	})
}

func readInventory(i int, e inventoryEntry) (hotel.InventoryEntry, error) {
	dates, err := e.read(i, e.Values == inventoryValues{})
	v := e.Values
	return hotel.InventoryEntry{
		RoomTypeID: e.RoomTypeID, PoolID: e.PoolID, Dates: dates, ExpectedVersion: e.ExpectedVersion.pointer(),
		Total: v.Total.Optional, OutOfOrder: v.OutOfOrder.Optional, OutOfInventory: v.OutOfInventory.Optional,
		Overbooking: v.OverbookingLimit.Optional, SellLimit: v.SellLimit.Optional, Closed: v.Closed.Optional,
	}, err
}

package api

import (
	"context"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type inventoryBody struct {
	RoomTypeID string `json:"room_type_id"`
	CellDates
	*HouseCell
	ChannelAvailable *int    `json:"channel_available,omitempty" doc:"With channel_id: what that channel is shown, before it is cut to what it can express: of a guarded pool no more than it was granted. Left out for the past of such a pool, of which that is not known."`
	ChannelBookable  *int    `json:"channel_bookable,omitempty" doc:"With channel_id: how many rooms a client of kind ota that stands for that channel can book here. As any direct sale these are rooms that are granted to no channel; what the channel was granted it sells itself. Left out as channel_available is."`
	ChannelSynced    *int64  `json:"channel_synced_version,omitempty" doc:"With channel_id: the entry of the journal that it has confirmed; 0 when none."`
	ChannelSyncedAt  *string `json:"channel_synced_at,omitempty" format:"date-time" doc:"With channel_id: when it did; absent when it never has."`
}

// HouseCell is what the house knows of a room type on a night. A client of kind
// ota is not told.
type HouseCell struct {
	PoolID           *string   `json:"pool_id" doc:"The room type's own pool; null, with the four numbers, when it draws on others: include=pools shows those."`
	Total            *int      `json:"total" doc:"Physical units."`
	OutOfOrder       *int      `json:"out_of_order"`
	OutOfInventory   *int      `json:"out_of_inventory"`
	OverbookingLimit *int      `json:"overbooking_limit"`
	SellLimit        *int      `json:"sell_limit" doc:"The most rooms of the type sold on all channels together."`
	Given            *int      `json:"given" doc:"Net availability as the PMS has it, where it counts the rooms."`
	Closed           bool      `json:"closed"`
	KeepBack         counts    `json:"keep_back" doc:"Rooms that a channel, or with * every channel, is not shown."`
	ChannelLimits    counts    `json:"channel_limits" doc:"The most rooms that a channel is ever shown."`
	Lock             *lockBody `json:"lock" doc:"A hold by hand: what acts by itself leaves the cell alone; null when there is none."`
	Sold             int       `json:"sold"`
	Held             int       `json:"held" doc:"For guests who have yet to decide."`
	Blocked          int       `json:"blocked" doc:"By blocks that deduct, less what is picked up."`
	Net              int       `json:"net" doc:"How many more fit; below 0 when some find no room."`
	Free             int       `json:"free" doc:"net, never below 0."`
	Available        int       `json:"available" doc:"What may be sold."`
	Exposed          *int      `json:"exposed" doc:"Rooms of a guarded night that channels could sell beyond what is free, at a risk that a policy accepts too; 0 when all is well, null of the past, since what was granted is not kept."`
	ExposedExact     *bool     `json:"exposed_exact" doc:"Whether they can sell no more than that. False where a policy keeps a channel open that promises too little: it may sell what it was granted more than once before it is heard of. Null of the past."`
	Version          int64     `json:"version" doc:"Journal sequence of the last change; 0 when nothing was ever written."`
	Source           *string   `json:"source" doc:"Who wrote it last: api, user (somebody of the house), pms or channel:ch_…; undo where a bulk update was taken back."`
	UpdatedAt        *string   `json:"updated_at" format:"date-time"`
}

// counts are numbers by channel.
type counts map[string]int

func inventoryOf(c hotel.InventoryCell) inventoryBody {
	house := HouseCell{
		PoolID: orNull(c.PoolID), SellLimit: c.SellLimit, Given: c.Given, Closed: c.Closed,
		KeepBack: counts{}, ChannelLimits: counts{}, Lock: lockOf(c.Lock), Sold: c.Sold, Held: c.Held, Blocked: c.Blocked,
		Net: c.Net, Free: c.Free, Available: c.Available, Exposed: &c.Exposed, ExposedExact: new(!c.AtLeast),
		Version: c.Version, Source: orNull(c.Source), UpdatedAt: stampOrNull(c.UpdatedAt),
	}
	if c.PoolID != "" {
		house.Total, house.OutOfOrder, house.OutOfInventory, house.OverbookingLimit = &c.Total, &c.OutOfOrder, &c.OutOfInventory, &c.Overbooking
	}
	maps.Copy(house.KeepBack, c.KeepBack)
	maps.Copy(house.ChannelLimits, c.ChannelLimits)
	b := channelInventoryOf(c)
	b.HouseCell = &house
	return b
}

// pastInventoryOf is a cell as it was.
func pastInventoryOf(c hotel.InventoryCell) inventoryBody {
	b := inventoryOf(c)
	b.Exposed, b.ExposedExact = nil, nil
	return b
}

// channelInventoryOf is a cell for the eyes of a channel.
func channelInventoryOf(c hotel.InventoryCell) inventoryBody {
	b := inventoryBody{RoomTypeID: c.RoomTypeID, CellDates: nightOf(c.Date)}
	if c.Channel != nil {
		b.ChannelAvailable, b.ChannelBookable = c.Channel.Available, c.Channel.Bookable
		b.ChannelSynced, b.ChannelSyncedAt = &c.Channel.SyncedVersion, stampOrNull(c.Channel.SyncedAt)
	}
	return b
}

type houseBody struct {
	Date       string  `json:"date" format:"date"`
	HouseLimit *int    `json:"house_limit" doc:"The most rooms sold, held and blocked in the whole house."`
	Sold       int     `json:"sold" doc:"Rooms; a type of several counts as so many."`
	Held       int     `json:"held"`
	Blocked    int     `json:"blocked"`
	Net        int     `json:"net" doc:"Rooms that nobody has, within the limit."`
	Version    int64   `json:"version"`
	Source     *string `json:"source" doc:"Who wrote it last: api, user (somebody of the house), pms or channel:ch_…; undo where a bulk update was taken back."`
	UpdatedAt  *string `json:"updated_at" format:"date-time"`
}

func houseOf(n hotel.HouseNight) houseBody {
	return houseBody{
		Date: n.Date.String(), HouseLimit: n.Limit, Sold: n.Sold, Held: n.Held, Blocked: n.Blocked, Net: n.Net,
		Version: n.Version, Source: orNull(n.Source), UpdatedAt: stampOrNull(n.UpdatedAt),
	}
}

type poolNightBody struct {
	PoolID           string  `json:"pool_id"`
	Date             string  `json:"date" format:"date"`
	Total            int     `json:"total" doc:"Physical units."`
	OutOfOrder       int     `json:"out_of_order"`
	OutOfInventory   int     `json:"out_of_inventory"`
	OverbookingLimit int     `json:"overbooking_limit"`
	Version          int64   `json:"version" doc:"Journal sequence of the last change; 0 when nothing was ever written."`
	Source           *string `json:"source" doc:"Who wrote it last: api, user (somebody of the house), pms or channel:ch_…; undo where a bulk update was taken back."`
	UpdatedAt        *string `json:"updated_at" format:"date-time"`
}

func poolNightOf(n hotel.PoolNight) poolNightBody {
	return poolNightBody{
		PoolID: n.PoolID, Date: n.Date.String(), Total: n.Total, OutOfOrder: n.OutOfOrder, OutOfInventory: n.OutOfInventory, OverbookingLimit: n.Overbooking,
		Version: n.Version, Source: orNull(n.Source), UpdatedAt: stampOrNull(n.UpdatedAt),
	}
}

// inventoryPage is a page of cells, with the house and its pools where they were asked for.
type inventoryPage struct {
	Link string `header:"Link" doc:"Addresses of the next and the first page (RFC 8288)."`
	Body inventoryList
}

type inventoryList struct {
	ListBody[inventoryBody]
	House []houseBody     `json:"house,omitempty" doc:"With include=house: the whole house, by night."`
	Pools []poolNightBody `json:"pools,omitempty" doc:"With include=pools: the pools, or those of pool_id, by night. They follow behind all cells and count as entries of a page."`
}

// inventoryIn are the parameters of the list.
type inventoryIn struct {
	CellsIn
	PoolID    []string `query:"pool_id" doc:"Only room types that draw on one of these pools."`
	ChannelID string   `query:"channel_id" doc:"Adds what this channel is shown."`
	Include   []string `query:"include" enum:"house,pools"`
}

// CellsIn are the parameters of lists by night.
type CellsIn struct {
	CellPaging
	PropertyID string   `query:"property_id" required:"true"`
	DateFrom   string   `query:"date_from" required:"true" format:"date" doc:"Inclusive."`
	DateTo     string   `query:"date_to" required:"true" format:"date" doc:"Inclusive; at most 400 days."`
	RoomTypeID []string `query:"room_type_id" doc:"One of several."`
	AsOf       string   `query:"as_of" format:"date-time" doc:"Answers as it was at this instant, worked out from the journal."`
	AsOfEntry  int64    `query:"as_of_sequence" minimum:"1" doc:"Answers as it was behind this entry of the journal; instead of as_of."`
}

func (in CellsIn) query() hotel.CellQuery {
	q := hotel.CellQuery{PropertyID: in.PropertyID, RoomTypeIDs: in.RoomTypeID, AsOf: hotel.AsOf{Sequence: in.AsOfEntry}}
	q.AsOf.At, _ = time.Parse(time.RFC3339, in.AsOf) // validated by its format
	q.Span.From, _ = hotel.ParseDate(in.DateFrom)    // validated by their format
	q.Span.To, _ = hotel.ParseDate(in.DateTo)
	return q
}

type inventoryEntry struct {
	RoomTypeID string `json:"room_type_id,omitempty" doc:"This, or pool_id; neither for the whole house."`
	PoolID     string `json:"pool_id,omitempty"`
	EntryDates
	Values inventoryValues `json:"values"`
}

type inventoryValues struct {
	Total            optional[int]                      `json:"total,omitzero"`
	OutOfOrder       optional[int]                      `json:"out_of_order,omitzero"`
	OutOfInventory   optional[int]                      `json:"out_of_inventory,omitzero"`
	OverbookingLimit optional[int]                      `json:"overbooking_limit,omitzero"`
	SellLimit        optional[int]                      `json:"sell_limit,omitzero"`
	Closed           optional[bool]                     `json:"closed,omitzero"`
	HouseLimit       optional[int]                      `json:"house_limit,omitzero" doc:"Of the whole house."`
	Given            optional[int]                      `json:"given,omitzero" doc:"The PMS's net, where it counts the rooms."`
	KeepBack         optional[map[string]optional[int]] `json:"keep_back,omitzero" doc:"By channel, or * for every one; laid over what is there, null takes a number away."`
	ChannelLimits    optional[map[string]optional[int]] `json:"channel_limits,omitzero" doc:"By channel; laid over what is there, null takes a number away."`
	Lock             optional[lockBody]                 `json:"lock,omitzero"`
}

func (s *server) registerInventory() {
	s.registerInventoryList()
	s.registerInventoryUpdate()
}

func (s *server) registerInventoryList() {
	list := huma.Operation{
		OperationID: "list-inventory", Method: http.MethodGet, Path: "/inventory",
		Summary: "Stock by room type and night", Tags: []string{tagInventory},
		Description: "A client of kind ota is told what its own channel is shown and has confirmed, what it can book here (channel_bookable), and nothing else of a night.",
	}
	register(s, list, needs(auth.InventoryRead), func(ctx context.Context, in *inventoryIn) (*inventoryPage, error) {
		inv, err := s.desk.Inventory(ctx, callerOf(ctx), hotel.InventoryQuery{
			PropertyID: in.PropertyID, Span: in.query().Span, AsOf: in.query().AsOf, RoomTypeIDs: in.RoomTypeID, PoolIDs: in.PoolID, ChannelID: in.ChannelID,
			House: slices.Contains(in.Include, "house"), Pools: slices.Contains(in.Include, "pools"),
		})
		if err != nil {
			return nil, inParameters(err)
		}
		at := func(c hotel.InventoryCell) position { return position{int64(c.Date), c.RoomTypeID} }
		body := inventoryOf
		switch {
		case inv.ChannelOnly:
			body = channelInventoryOf
		case !in.query().AsOf.Now():
			body = pastInventoryOf
		}
		from, err := s.readCursor(callOf(ctx).url, in.Cursor)
		if err != nil {
			return nil, err
		}
		pools := inv.Pools
		switch {
		case from == nil || !strings.HasPrefix(from.id, poolsBehind):
			inv.Cells, err = behind(inv.Cells, at, from)
		case from.id == poolsBehind:
			inv.Cells = nil
		default:
			inv.Cells = nil
			pools, err = behind(pools, positionOfPool, from)
		}
		if err != nil {
			return nil, err
		}
		cells, last := foldCells(in.CellPaging, inv.Cells, at, body)
		pools, last = poolsOnPage(pools, in.Limit-len(cells), last)
		list := page(ctx, s, cells, last)
		out := &inventoryPage{Link: list.Link, Body: inventoryList{ListBody: list.Body}}
		for _, n := range inv.House {
			out.Body.House = append(out.Body.House, houseOf(n))
		}
		for _, n := range pools {
			out.Body.Pools = append(out.Body.Pools, poolNightOf(n))
		}
		return out, nil
	})
	schemas := s.api.OpenAPI().Components.Schemas
	cell := schemas.SchemaFromRef(schemas.Schema(reflect.TypeFor[inventoryBody](), true, "").Ref)
	cell.Required = []string{"room_type_id"}
	cell.PrecomputeMessages()
}

// poolsBehind begins the places of pools in a list: they stand behind all cells, whose
// places are ids.
const poolsBehind = "pools/"

func positionOfPool(n hotel.PoolNight) position {
	return position{0, poolsBehind + n.PoolID + "/" + n.Date.String()}
}

// poolsOnPage cuts the pools to the room that the cells of a page leave. last is the place
// of the last cell, nil when no cells are behind it; so is what it returns, of both.
func poolsOnPage(pools []hotel.PoolNight, room int, last *position) ([]hotel.PoolNight, *position) {
	switch {
	case last != nil:
		return nil, last
	case len(pools) <= room:
		return pools, nil
	case room == 0:
		return nil, &position{0, poolsBehind}
	}
	end := positionOfPool(pools[room-1])
	return pools[:room], &end
}

func (s *server) registerInventoryUpdate() {
	update := huma.Operation{
		OperationID: "update-inventory", Method: http.MethodPost, Path: "/inventory/updates",
		Summary: "Change stock in bulk", Description: updateText, Tags: []string{tagInventory}, DefaultStatus: http.StatusOK,
		Metadata: map[string]any{cellKey: reflect.TypeFor[inventoryBody]()},
	}
	register(s, update, bulk(auth.InventoryWrite), func(ctx context.Context, in *updateIn[inventoryEntry]) (*updated, error) {
		upd, replayed, err := s.desk.UpdateInventory(ctx, callerOf(ctx), updateOf(in.Body, readInventory))
		return s.updated(ctx, upd, replayed, err)
	})
}

func readInventory(e inventoryEntry) hotel.InventoryEntry {
	var faults unread
	v := e.Values
	dates := e.read(reflect.ValueOf(v).IsZero(), &faults)
	lock := faults.lock(v.Lock)
	return hotel.InventoryEntry{
		Unread:     faults,
		RoomTypeID: e.RoomTypeID, PoolID: e.PoolID, Dates: dates, ExpectedVersion: e.ExpectedVersion.pointer(),
		Total: v.Total.Optional, OutOfOrder: v.OutOfOrder.Optional, OutOfInventory: v.OutOfInventory.Optional,
		Overbooking: v.OverbookingLimit.Optional, SellLimit: v.SellLimit.Optional, Closed: v.Closed.Optional,
		HouseLimit: v.HouseLimit.Optional, Given: v.Given.Optional, KeepBack: byChannel(v.KeepBack), ChannelLimits: byChannel(v.ChannelLimits), Lock: lock,
	}
}

func byChannel(o optional[map[string]optional[int]]) hotel.Optional[hotel.ChannelQuantities] {
	out := hotel.Optional[hotel.ChannelQuantities]{Set: o.Set, Null: o.Null}
	if len(o.Value) > 0 {
		out.Value = make(hotel.ChannelQuantities, len(o.Value))
		for id, n := range o.Value {
			out.Value[id] = n.Optional
		}
	}
	return out
}

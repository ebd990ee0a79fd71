package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

type blockBody struct {
	EntityBody
	PropertyID  string          `json:"property_id"`
	Name        string          `json:"name"`
	Contact     string          `json:"contact"`
	Notes       string          `json:"notes"`
	Status      string          `json:"status" enum:"tentative,definite,released" doc:"released: none of its nights is left to it. A block of which all was due to go back when it was made is so at once."`
	Deducts     bool            `json:"deducts" doc:"It takes its rooms from what is free, less what is picked up."`
	Lines       []blockLineBody `json:"lines"`
	RatePlanID  *string         `json:"rate_plan_id" doc:"Whose prices were agreed; null where amounts were, or nothing."`
	Amounts     []blockAmount   `json:"amounts"`
	ReleaseOn   *string         `json:"release_on" format:"date" doc:"At this date's midnight the whole block goes back."`
	ReleaseDays *int            `json:"release_days" doc:"So many days before each night what is left of it goes back."`
	ChannelID   *string         `json:"channel_id" doc:"Set for a contracted allotment."`
}

type blockLineBody struct {
	BlockLine
	Nights []blockNightBody `json:"nights"`
}

// BlockLine is a line as it is sent.
type BlockLine struct {
	RoomTypeID string     `json:"room_type_id"`
	DateFrom   hotel.Date `json:"date_from" format:"date" doc:"Inclusive."`
	DateTo     hotel.Date `json:"date_to" format:"date" doc:"Inclusive."`
	Units      int        `json:"units" minimum:"1" maximum:"9999"`
}

type blockNightBody struct {
	Date      string `json:"date" format:"date"`
	PickedUp  int    `json:"picked_up" doc:"Rooms that reservations have drawn."`
	Remaining int    `json:"remaining" doc:"Rooms that may still be drawn; 0 once the night is released."`
}

type blockAmount struct {
	RoomTypeID string `json:"room_type_id"`
	Amount     money  `json:"amount"`
}

func blockOf(b hotel.Block) blockBody {
	body := blockBody{
		EntityBody: entityOf(b.Entity), PropertyID: b.PropertyID, Name: b.Name, Contact: b.Contact, Notes: b.Notes,
		Status: string(b.BlockStatus), Deducts: b.TakesRooms(), RatePlanID: orNull(b.RatePlanID), Amounts: []blockAmount{},
		ReleaseDays: b.ReleaseDays, ChannelID: orNull(b.ChannelID),
	}
	if b.ReleaseOn != nil {
		body.ReleaseOn = new(b.ReleaseOn.String())
	}
	for _, a := range b.Amounts {
		body.Amounts = append(body.Amounts, blockAmount{a.RoomTypeID, moneyOf(a.Amount)})
	}
	for _, l := range b.Lines {
		line := blockLineBody{BlockLine: BlockLine{l.RoomTypeID, l.DateFrom, l.DateTo, l.Units}, Nights: make([]blockNightBody, len(l.Nights))}
		for i, n := range l.Nights {
			line.Nights[i] = blockNightBody{n.Date.String(), n.PickedUp, n.Remaining}
		}
		body.Lines = append(body.Lines, line)
	}
	return body
}

// showBlock is blockOf for an answer: who speaks for a group, and what was written about
// it, is people's data.
func showBlock(ctx context.Context, b hotel.Block) blockBody {
	if b.Contact != "" || b.Notes != "" {
		shows(ctx, b.ID)
	}
	return blockOf(b)
}

// blocksIn are the filters of the list. They narrow it together.
type blocksIn struct {
	Paging
	OfProperties
	Status    []string `query:"status" enum:"tentative,definite,released" doc:"One of several."`
	ChannelID []string `query:"channel_id" doc:"One of several."`
	StayingOn string   `query:"staying_on" format:"date" doc:"It has a line for this night, released or not."`
}

func (s *server) registerBlocks() {
	list := huma.Operation{
		OperationID: "list-blocks", Method: http.MethodGet, Path: "/blocks",
		Summary: "Rooms promised to groups, tour operators and channels", Tags: []string{tagInventory},
	}
	register(s, list, needs(auth.InventoryRead), func(ctx context.Context, in *blocksIn) (*listOf[blockBody], error) {
		all, err := s.desk.Blocks(ctx, callerOf(ctx), in.PropertyID, hotel.BlockFilter{
			Statuses: several[hotel.BlockStatus](in.Status), ChannelIDs: in.ChannelID, StayingOn: dateOrNone(in.StayingOn),
		})
		if err != nil {
			return nil, inParameters(err)
		}
		return pageOf(ctx, s, in.Paging, all, func(b hotel.Block) position { return position{id: b.ID} },
			func(b hotel.Block) blockBody { return showBlock(ctx, b) })
	})
	get := huma.Operation{
		OperationID: "get-block", Method: http.MethodGet, Path: "/blocks/{id}",
		Summary: "One block", Tags: []string{tagInventory},
	}
	register(s, get, needs(auth.InventoryRead), func(ctx context.Context, in *byID) (*resource[blockBody], error) {
		b, err := s.desk.Block(ctx, callerOf(ctx), in.ID)
		if err != nil {
			return nil, err
		}
		return blockResource(ctx, in.IfNoneMatch, b), nil
	})
	s.registerBlockWrites()
}

func blockResource(ctx context.Context, ifNoneMatch string, b hotel.Block) *resource[blockBody] {
	return resourceOf(ifNoneMatch, b.Revision, showBlock(ctx, b))
}

package api

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// blockInput is a block that somebody promises.
type blockInput struct {
	PropertyID  string        `json:"property_id"`
	Name        string        `json:"name" minLength:"1" maxLength:"200"`
	Contact     string        `json:"contact,omitempty" maxLength:"500"`
	Notes       string        `json:"notes,omitempty" maxLength:"2000"`
	Status      string        `json:"status,omitempty" enum:"tentative,definite" default:"tentative"`
	Deducts     *bool         `json:"deducts,omitempty" doc:"Left out: a definite block does, a tentative one does not."`
	Lines       []BlockLine   `json:"lines" minItems:"1" maxItems:"100"`
	RatePlanID  string        `json:"rate_plan_id,omitempty"`
	Amounts     []blockAmount `json:"amounts,omitempty" maxItems:"100"`
	ReleaseOn   *hotel.Date   `json:"release_on,omitempty" format:"date" doc:"Not with release_days."`
	ReleaseDays *int          `json:"release_days,omitempty" minimum:"0" maximum:"365"`
	ChannelID   string        `json:"channel_id,omitempty"`
}

// blockPatch is a merge patch: what is left out stays, null clears, a list
// replaces the list.
type blockPatch struct {
	Name        optional[string]        `json:"name,omitzero" minLength:"1" maxLength:"200"`
	Contact     optional[string]        `json:"contact,omitzero" maxLength:"500"`
	Notes       optional[string]        `json:"notes,omitzero" maxLength:"2000"`
	Status      optional[string]        `json:"status,omitzero" enum:"tentative,definite" doc:"A definite block stays definite; it is released through its own address."`
	Deducts     optional[bool]          `json:"deducts,omitzero"`
	Lines       optional[[]BlockLine]   `json:"lines,omitzero" minItems:"1" maxItems:"100"`
	RatePlanID  optional[string]        `json:"rate_plan_id,omitzero"`
	Amounts     optional[[]blockAmount] `json:"amounts,omitzero" maxItems:"100"`
	ReleaseOn   optional[hotel.Date]    `json:"release_on,omitzero" format:"date"`
	ReleaseDays optional[int]           `json:"release_days,omitzero" minimum:"0" maximum:"365"`
	ChannelID   optional[string]        `json:"channel_id,omitzero"`
}

// blockRelease says which nights go back.
type blockRelease struct {
	DateFrom *hotel.Date `json:"date_from,omitempty" format:"date" doc:"Inclusive; both or neither."`
	DateTo   *hotel.Date `json:"date_to,omitempty" format:"date" doc:"Inclusive."`
}

func (s *server) registerBlockWrites() {
	create := huma.Operation{
		OperationID: "create-block", Method: http.MethodPost, Path: "/blocks",
		Summary: "Promise rooms", Tags: []string{tagInventory}, DefaultStatus: http.StatusCreated,
		Description: "A block may promise more than is free: the nights then show it in their net. Nights whose date of release has come already go back at once, and a block of which that is all of them is released as soon as it is made.",
	}
	register(s, create, needs(auth.InventoryWrite), func(ctx context.Context, in *struct{ Body blockInput }) (*created[blockBody], error) {
		b, err := in.Body.read()
		if err != nil {
			return nil, err
		}
		made, replayed, err := s.desk.CreateBlock(ctx, callerOf(ctx), b)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return madeAt(ctx, "/blocks/"+made.ID, made.Revision, showBlock(ctx, made)), nil
	})

	type changeIn struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the block is at another revision."`
		Body    blockPatch
	}
	change := huma.Operation{
		OperationID: "update-block", Method: http.MethodPatch, Path: "/blocks/{id}",
		Summary: "Change a block", Tags: []string{tagInventory},
		Description: "A merge patch, sent as application/merge-patch+json or application/json.",
	}
	register(s, change, needs(auth.InventoryWrite), func(ctx context.Context, in *changeIn) (*resource[blockBody], error) {
		c, err := in.Body.read()
		if err != nil {
			return nil, err
		}
		if c.IfRevision, err = s.ifMatch(in.IfMatch); err != nil {
			return nil, err
		}
		b, replayed, err := s.desk.ChangeBlock(ctx, callerOf(ctx), in.ID, c)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return blockResource(ctx, "", b), nil
	})
	content := s.api.OpenAPI().Paths[change.Path].Patch.RequestBody.Content
	content[mediaMergePatch] = content[mediaJSON]

	type releaseIn struct {
		ID      string `path:"id"`
		IfMatch string `header:"If-Match" doc:"Refused as precondition_failed when the block is at another revision."`
		Body    *blockRelease
	}
	release := huma.Operation{
		OperationID: "release-block", Method: http.MethodPost, Path: "/blocks/{id}/release",
		Summary: "Give rooms of a block back", Tags: []string{tagInventory}, DefaultStatus: http.StatusOK,
		Description: "What is picked up stays. Without dates the whole block goes back; when no night is left it is released. Releasing it again changes nothing.",
	}
	register(s, release, needs(auth.InventoryWrite), func(ctx context.Context, in *releaseIn) (*resource[blockBody], error) {
		span, err := in.Body.span()
		if err != nil {
			return nil, err
		}
		revision, err := s.ifMatch(in.IfMatch)
		if err != nil {
			return nil, err
		}
		b, replayed, err := s.desk.ReleaseBlock(ctx, callerOf(ctx), in.ID, revision, span)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return blockResource(ctx, "", b), nil
	})
}

func (b *blockInput) read() (hotel.Block, error) {
	amounts, err := readBlockAmounts(b.Amounts)
	return hotel.Block{
		PropertyID: b.PropertyID, Name: b.Name, Contact: b.Contact, Notes: b.Notes, BlockStatus: hotel.BlockStatus(b.Status),
		Deducts: b.Deducts, Lines: readBlockLines(b.Lines), RatePlanID: b.RatePlanID, Amounts: amounts,
		ReleaseOn: b.ReleaseOn, ReleaseDays: b.ReleaseDays, ChannelID: b.ChannelID,
	}, err
}

func (p *blockPatch) read() (hotel.BlockChange, error) {
	for name, null := range map[string]bool{"/name": p.Name.Null, "/status": p.Status.Null, "/lines": p.Lines.Null} {
		if null {
			return hotel.BlockChange{}, hotel.Invalid(name, "required", "cannot be cleared")
		}
	}
	amounts, err := readBlockAmounts(p.Amounts.Value)
	return hotel.BlockChange{
		Name: p.Name.Optional, Contact: p.Contact.Optional, Notes: p.Notes.Optional,
		Status: hotel.Optional[hotel.BlockStatus]{Set: p.Status.Set, Value: hotel.BlockStatus(p.Status.Value)}, Deducts: p.Deducts.Optional,
		Lines:      hotel.Optional[[]hotel.BlockLine]{Set: p.Lines.Set, Value: readBlockLines(p.Lines.Value)},
		RatePlanID: p.RatePlanID.Optional,
		Amounts:    hotel.Optional[[]hotel.BlockAmount]{Set: p.Amounts.Set, Null: p.Amounts.Null, Value: amounts},
		ReleaseOn:  p.ReleaseOn.Optional, ReleaseDays: p.ReleaseDays.Optional, ChannelID: p.ChannelID.Optional,
	}, err
}

func readBlockLines(lines []BlockLine) []hotel.BlockLine {
	out := make([]hotel.BlockLine, len(lines))
	for i, l := range lines {
		out[i] = hotel.BlockLine{RoomTypeID: l.RoomTypeID, DateFrom: l.DateFrom, DateTo: l.DateTo, Units: l.Units}
	}
	return out
}

func readBlockAmounts(amounts []blockAmount) ([]hotel.BlockAmount, error) {
	var out []hotel.BlockAmount
	for i, a := range amounts {
		m, err := a.Amount.read(fmt.Sprintf("/amounts/%d/amount", i))
		if err != nil {
			return nil, err
		}
		out = append(out, hotel.BlockAmount{RoomTypeID: a.RoomTypeID, Amount: m})
	}
	return out, nil
}

// span is nil for the whole block.
func (r *blockRelease) span() (*hotel.Span, error) {
	switch {
	case r == nil || r.DateFrom == nil && r.DateTo == nil:
		return nil, nil
	case r.DateFrom == nil:
		return nil, hotel.Invalid("/date_from", "required", "name both dates, or neither for the whole block")
	case r.DateTo == nil:
		return nil, hotel.Invalid("/date_to", "required", "name both dates, or neither for the whole block")
	case *r.DateTo < *r.DateFrom:
		return nil, hotel.Invalid("/date_to", "date_order", "must not be before date_from (%s)", *r.DateFrom)
	}
	return &hotel.Span{From: *r.DateFrom, To: *r.DateTo}, nil
}

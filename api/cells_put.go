package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

const putText = "The same as a bulk update of this one cell: a value that is left out stays as it is, null puts the default back. " +
	"ETag is the version of the cell, which lists show as version."

// CellPath is what the addresses of single cells have in common.
type CellPath struct {
	RoomTypeID string `path:"room_type_id"`
	Date       string `path:"date" format:"date"`
	IfMatch    string `header:"If-Match" doc:"Refused as precondition_failed when the cell has another ETag."`
}

// ProductCellPath is the address of a product on one night.
type ProductCellPath struct {
	RatePlanID string `path:"rate_plan_id"`
	CellPath
}

// dates returns the night as the entry of a bulk update names it.
func (in CellPath) dates() EntryDates {
	night, _ := hotel.ParseDate(in.Date) // validated by its format
	return EntryDates{DateFrom: night, DateTo: night}
}

// noVersion is one that no cell has.
const noVersion = -1

// expected reads the version that If-Match names: nil for any, [noVersion] for what is
// no version.
func (s *server) expected(in CellPath) (*int64, error) {
	header := strings.TrimSpace(in.IfMatch)
	if err := s.mustMatch(header); err != nil || header == "" || header == "*" {
		return nil, err
	}
	digits, ok := strings.CutPrefix(header, `"v`)
	digits, quoted := strings.CutSuffix(digits, `"`)
	version, err := strconv.ParseInt(digits, 10, 64)
	if !ok || !quoted || err != nil || version < 0 {
		version = noVersion
	}
	return &version, nil
}

// cellTag is the validator of a cell.
func cellTag(version int64) string { return `"v` + itoa(version) + `"` }

// cellAnswer answers with a cell as it is now, or with why it was not changed.
func cellAnswer[T any](body T, version int64, err error) (*resource[T], error) {
	if r, ok := errors.AsType[*hotel.Refusal](err); ok && r.Code == "version_conflict" {
		p := refused(hotel.Refuse("precondition_failed", "the cell has another version than If-Match names: read it again"))
		if now, known := number(r.Members["version"]); known {
			p.setHeader("ETag", cellTag(now))
		}
		return nil, p
	}
	if err != nil {
		return nil, alone(err)
	}
	return &resource[T]{Status: http.StatusOK, ETag: cellTag(version), Cache: revalidate, Body: body}, nil
}

// alone says what is wrong with the only entry of an update as if its values were the
// whole body: its night and its product stand in the address.
func alone(err error) error {
	p, ok := asRefused(err)
	if !ok {
		return err
	}
	for i := range p.Errors {
		at := &p.Errors[i]
		at.Pointer = strings.TrimPrefix(strings.TrimPrefix(at.Pointer, "/entries/0"), "/values")
		switch at.Pointer {
		case "/date_from", "/date_to":
			at.Parameter, at.Pointer = "date", ""
		case "/room_type_id", "/rate_plan_id":
			at.Parameter, at.Pointer = at.Pointer[1:], ""
		}
		at.whole = at.Pointer == "" && at.Parameter == ""
	}
	return p
}

func putOperation(id, path, summary string) huma.Operation {
	return huma.Operation{OperationID: id, Method: http.MethodPut, Path: path, Summary: summary, Description: putText, Tags: []string{tagInventory}}
}

func (s *server) registerCellPuts() {
	stock := putOperation("put-inventory", "/inventory/{room_type_id}/{date}", "Change the stock of one room type on one night")
	register(s, stock, needs(auth.InventoryWrite), func(ctx context.Context, in *struct {
		CellPath
		Body inventoryValues
	},
	) (*resource[inventoryBody], error) {
		e := readInventory(inventoryEntry{RoomTypeID: in.RoomTypeID, EntryDates: in.dates(), Values: in.Body})
		var err error
		if e.ExpectedVersion, err = s.expected(in.CellPath); err != nil {
			return nil, err
		}
		cell, err := s.desk.PutInventory(ctx, callerOf(ctx), e)
		return cellAnswer(inventoryOf(cell), cell.Version, err)
	})
	rate := putOperation("put-rate", "/rates/{rate_plan_id}/{room_type_id}/{date}", "Change the prices of one product on one night")
	register(s, rate, needs(auth.RatesWrite), func(ctx context.Context, in *struct {
		ProductCellPath
		Body rateValues
	},
	) (*resource[rateBody], error) {
		currency := hotel.Currency("")
		if len(in.Body.OccupancyAmounts) > 0 {
			var err error
			if currency, err = s.desk.PlanCurrency(ctx, callerOf(ctx), in.RatePlanID); err != nil {
				return nil, err
			}
		}
		e := rateEntry{RoomTypeID: in.RoomTypeID, RatePlanID: in.RatePlanID, EntryDates: in.dates(), Values: in.Body}.readRate(currency)
		var err error
		if e.ExpectedVersion, err = s.expected(in.CellPath); err != nil {
			return nil, err
		}
		cell, err := s.desk.PutRate(ctx, callerOf(ctx), e)
		return cellAnswer(rateOf(cell, false), cell.Version, err)
	})
	rule := putOperation("put-restriction", "/restrictions/{rate_plan_id}/{room_type_id}/{date}", "Change the restrictions of one product on one night")
	register(s, rule, needs(auth.RatesWrite), func(ctx context.Context, in *struct {
		ProductCellPath
		Body restrictionValues
	},
	) (*resource[restrictionCellBody], error) {
		e := readRestriction(restrictionEntry{RoomTypeID: in.RoomTypeID, RatePlanID: in.RatePlanID, EntryDates: in.dates(), Values: in.Body})
		var err error
		if e.ExpectedVersion, err = s.expected(in.CellPath); err != nil {
			return nil, err
		}
		cell, err := s.desk.PutRestriction(ctx, callerOf(ctx), e)
		return cellAnswer(restrictionCellOf(cell), cell.Version, err)
	})
}

package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// importInput is the body of an import.
type importInput struct {
	PropertyID string       `json:"property_id"`
	DryRun     bool         `json:"dry_run,omitempty" doc:"Tells what would be done, and stores nothing."`
	Rows       []importRow  `json:"rows,omitempty" minItems:"1" maxItems:"5000" doc:"At most 5,000. The JSON of a request has 200,000 values at most, counting every member, object and list: where rows say much of a booking send fewer at once, or text/csv, which has no such limit. A member that is null in a row is taken as left out: so a reservation shows what there is not."`
	History    []historyRow `json:"history,omitempty" minItems:"1" maxItems:"20000" doc:"What was sold of nights that are over, in sum, for last year's figures: beside the reservations of rows, not again. A row replaces what an earlier one said of its date, room type, channel and seller."`
}

// historyRow is what was sold of a night, in sum.
type historyRow struct {
	Date        hotel.Date `json:"date" format:"date" example:"2025-12-01" doc:"A night before the business date."`
	RoomTypeID  string     `json:"room_type_id,omitempty" maxLength:"64" doc:"The id or the code of the room type; left out when they are not told apart."`
	ChannelID   string     `json:"channel_id,omitempty" maxLength:"64" doc:"A channel of the property, or direct; left out when they are not told apart."`
	Seller      string     `json:"seller,omitempty" maxLength:"100" doc:"Who showed the rooms to guests, where the channel is not enough."`
	RoomsSold   int        `json:"rooms_sold" minimum:"0" maximum:"100000" doc:"Rooms, without those that were complimentary or for house use and without no-shows."`
	RoomRevenue *money     `json:"room_revenue,omitempty" doc:"What they brought, without taxes."`
}

func (b *historyRow) read() (hotel.HistoryRow, error) {
	row := hotel.HistoryRow{PastSales: hotel.PastSales{Night: b.Date, RoomTypeID: b.RoomTypeID, ChannelID: b.ChannelID, Seller: b.Seller, Rooms: b.RoomsSold}}
	var err error
	row.Revenue, err = readMoney(b.RoomRevenue, "/room_revenue")
	return row, err
}

// importRow is one room that was booked elsewhere.
type importRow struct {
	Status          string            `json:"status,omitempty" enum:"enquired,requested,held,waitlisted,confirmed,checked_in,checked_out,cancelled,no_show,declined" doc:"Left out: confirmed, or checked_out when the stay is over."`
	HoldExpiresAt   *time.Time        `json:"hold_expires_at,omitempty" doc:"A held room needs it."`
	RoomTypeID      string            `json:"room_type_id" minLength:"1" maxLength:"64" doc:"The id or the code of the room type."`
	RatePlanID      string            `json:"rate_plan_id,omitempty" maxLength:"64" doc:"The id or the code of the rate plan; left out when it is not known."`
	GroupID         string            `json:"group_id,omitempty" maxLength:"64" doc:"A group of the property that the room joins; of your own bookings. Rooms of one channel_reference are a group by themselves."`
	BlockID         string            `json:"block_id,omitempty" maxLength:"64" doc:"The block from whose lines it draws. Where that has no room left it is stored outside of it, with the issue block_exceeded."`
	RoomNumber      string            `json:"room_number,omitempty" maxLength:"20"`
	CheckIn         hotel.Date        `json:"check_in" format:"date" example:"2026-12-01"`
	CheckOut        hotel.Date        `json:"check_out" format:"date" example:"2026-12-03"`
	ExpectedArrival string            `json:"expected_arrival_time,omitempty" pattern:"^([01]\\d|2[0-3]):[0-5]\\d$" patternDescription:"a local time, such as 17:30"`
	Adults          int               `json:"adults" minimum:"1" maximum:"20"`
	ChildrenAges    []*int            `json:"children_ages,omitempty" maxItems:"20" minimum:"0" maximum:"17" doc:"Null: nobody has said how old."`
	GuestID         string            `json:"guest_id,omitempty" maxLength:"64" doc:"Of a guest of the property; in place of guest."`
	Guest           *bookedGuest      `json:"guest,omitempty"`
	Companions      []string          `json:"additional_guest_ids,omitempty" maxItems:"20" doc:"Profiles of further guests."`
	Source          *sourceInput      `json:"source,omitempty" doc:"Left out for a booking of your own. With channel_reference the row is known by it; where the channel has given that to several bookings, booked_at tells them apart."`
	Nightly         []importNight     `json:"nightly,omitempty" maxItems:"1095" doc:"What each night costs; every night, or none."`
	RoomTotal       *money            `json:"room_total,omitempty" doc:"What the nights cost together, in place of nightly; they get equal shares."`
	Extras          []extraBody       `json:"extras,omitempty" maxItems:"50"`
	Complimentary   bool              `json:"complimentary,omitempty" doc:"Free of charge."`
	HouseUse        bool              `json:"house_use,omitempty" doc:"Used by the house itself, free of charge."`
	Guarantee       *guaranteeBody    `json:"guarantee,omitempty" doc:"What the plan asks for when it is left out."`
	Commission      *money            `json:"commission,omitempty"`
	AmountBasis     string            `json:"amount_basis,omitempty" enum:"guest_price,net_of_commission" default:"guest_price" doc:"What the prices are: what the guest pays, or what is left of that after the commission."`
	DepositPaid     *money            `json:"deposit_paid,omitempty"`
	MarketSegment   string            `json:"market_segment,omitempty" maxLength:"64"`
	Tags            []string          `json:"tags,omitempty" maxItems:"10" minLength:"1" maxLength:"40"`
	Notes           string            `json:"notes,omitempty" maxLength:"2000"`
	GuestRequests   string            `json:"guest_requests,omitempty" maxLength:"2000"`
	InvoiceAddress  *invoiceBody      `json:"invoice_address,omitempty"`
	Metadata        map[string]string `json:"metadata,omitempty" maxProperties:"20" doc:"The client's own; values of at most 500 characters."`
	Cancel          *importCancel     `json:"cancel,omitempty" doc:"Of a cancelled stay or a no-show; left out: nobody knows when or why."`
	DeclineReason   string            `json:"decline_reason,omitempty" enum:"property,guest,expired" doc:"Of a declined one; property when it is left out."`
	ActualCheckIn   *time.Time        `json:"actual_check_in_at,omitempty" doc:"When the guest was seen to come, of who is in the house or has left it."`
	ActualCheckOut  *time.Time        `json:"actual_check_out_at,omitempty" doc:"When the guest was seen to go, of who has left."`
}

// importCancel is how a reservation came to an end, as a reservation shows it, too.
type importCancel struct {
	At      time.Time `json:"at"`
	Reason  string    `json:"reason" minLength:"1" maxLength:"100"`
	Note    string    `json:"note,omitempty" maxLength:"2000"`
	Penalty *money    `json:"penalty,omitempty" doc:"What the guest owes for it, in the currency of the price; left out when it is not known."`
	Waived  bool      `json:"waived,omitempty" doc:"The guest does not have to pay the penalty."`
}

// pastInto reads what a row tells of what has happened to its stay.
func (b *importRow) pastInto(row *hotel.ImportRow) (err error) {
	row.Refused, row.Arrived, row.Departed = hotel.DeclineReason(b.DeclineReason), instantOf(b.ActualCheckIn), instantOf(b.ActualCheckOut)
	if c := b.Cancel; c != nil {
		row.Cancel = &hotel.ImportedCancel{At: instantOf(&c.At), Reason: c.Reason, Note: c.Note, Waived: c.Waived}
		row.Cancel.Penalty, err = readMoney(c.Penalty, "/cancel/penalty")
	}
	return err
}

// importNight is a night as a reservation shows it, too: what is exported can be imported.
type importNight struct {
	Date       hotel.Date `json:"date" format:"date"`
	RoomTypeID string     `json:"room_type_id,omitempty" doc:"As that of the row, by id or code: a guest who moves is imported as two rows."`
	RatePlanID string     `json:"rate_plan_id,omitempty" nullable:"true" doc:"As that of the row, if it is left out or null."`
	Amount     money      `json:"amount"`
	Override   bool       `json:"override,omitempty" doc:"Makes no difference: what is imported is never priced again."`
}

// read makes a row that its schema allows into one to be stored.
func (b *importRow) read() (hotel.ImportRow, error) {
	row := hotel.ImportRow{NewReservation: hotel.NewReservation{
		Status: hotel.ReservationStatus(b.Status), HoldExpires: instantOf(b.HoldExpiresAt), RoomTypeID: b.RoomTypeID, RatePlanID: b.RatePlanID, GroupID: b.GroupID, BlockID: b.BlockID,
		RoomNumber: b.RoomNumber, Stay: hotel.Stay{CheckIn: b.CheckIn, CheckOut: b.CheckOut}, ArrivalTime: b.ExpectedArrival,
		Adults: b.Adults, ChildrenAges: readAges(b.ChildrenAges), GuestID: b.GuestID, Companions: b.Companions, Source: b.Source.read(), Segment: b.MarketSegment, Tags: b.Tags,
		Free: b.Complimentary, HouseUse: b.HouseUse, NetAmounts: hotel.AmountBasis(b.AmountBasis) == hotel.NetOfCommission,
		Words: hotel.Words{Notes: b.Notes, Requests: b.GuestRequests, Invoice: b.InvoiceAddress.read(), Metadata: b.Metadata},
	}}
	switch {
	case b.Guest == nil && b.GuestID == "":
		return row, hotel.Invalid("/guest/last_name", "required", "name the guest, or one of the property's guests by guest_id")
	case b.Guest != nil && b.GuestID != "":
		return row, hotel.Invalid("/guest_id", "enum", "send guest or guest_id, not both")
	case b.Guest != nil:
		row.Guest, row.Profile = hotel.Guest(b.Guest.NamedGuest), b.Guest.profile()
	}
	for i, n := range b.Nightly {
		amount, err := n.Amount.read("/nightly/" + itoa(int64(i)) + "/amount")
		if err != nil {
			return row, err
		}
		row.Overrides = append(row.Overrides, hotel.NightAmount{Date: n.Date, RoomTypeID: n.RoomTypeID, RatePlanID: n.RatePlanID, Amount: amount})
	}
	var err error
	if row.RoomTotal, err = readMoney(b.RoomTotal, "/room_total"); err != nil {
		return row, err
	}
	if row.Commission, err = readMoney(b.Commission, "/commission"); err != nil {
		return row, err
	}
	if row.DepositPaid, err = readMoney(b.DepositPaid, "/deposit_paid"); err != nil {
		return row, err
	}
	if row.Extras, err = readExtras(b.Extras); err != nil {
		return row, err
	}
	return row, cmp.Or(b.pastInto(&row), b.Guarantee.readInto(&row.NewReservation), checkMetadata(b.Metadata))
}

type importedBody struct {
	DryRun         bool              `json:"dry_run"`
	Rows           int               `json:"rows"`
	Created        int               `json:"created"`
	Attached       int               `json:"attached" doc:"Known from their channel already."`
	Duplicates     int               `json:"duplicates" doc:"Imported before."`
	Invalid        int               `json:"invalid"`
	OversoldNights []string          `json:"oversold_nights" doc:"Nights to come on which there are fewer rooms than are sold now."`
	Results        []importedRowBody `json:"results"`

	History *importedHistoryBody `json:"history,omitempty" doc:"Of the rows of past nights, where there were any."`
}

type importedHistoryBody struct {
	Rows      int                `json:"rows"`
	Stored    int                `json:"stored"`
	Replaced  int                `json:"replaced" doc:"Said something else before."`
	Unchanged int                `json:"unchanged" doc:"Said the same before."`
	Invalid   []wrongHistoryBody `json:"invalid" doc:"Rows that were not stored."`
}

type wrongHistoryBody struct {
	Index  int    `json:"index"`
	Line   *int   `json:"line,omitempty" doc:"Of a CSV file, from 1 on."`
	Errors []item `json:"errors" doc:"In a CSV file parameter is the column."`
}

type importedRowBody struct {
	Index         int     `json:"index"`
	Line          *int    `json:"line,omitempty" doc:"Of a CSV file, from 1 on."`
	Status        string  `json:"status" enum:"created,attached,duplicate,invalid"`
	ReservationID *string `json:"reservation_id"`
	Errors        []item  `json:"errors,omitempty" doc:"In a CSV file parameter is the column."`
}

// rowsRead are the rows of a request, with what is wrong with each as it was
// written.
type rowsRead struct {
	hotel.Import
	lines []int // of a CSV file
}

func (s *server) registerImports() {
	op := huma.Operation{
		OperationID: "import-reservations", Method: http.MethodPost, Path: "/imports/reservations",
		Summary: "Take over reservations that exist already", Tags: []string{tagReservations}, DefaultStatus: http.StatusOK,
		Description: "As JSON, or as text/csv with property_id, kind and dry_run in the query. Rows that cannot be stored keep back no others. " +
			"The same rows may be sent again: each is stored once. So a request that is sent again with its Idempotency-Key is done again, which completes one that was cut off, " +
			"and has the header Idempotent-Replayed where that stored nothing; a dry run keeps no key. Nothing is refused for want of a room.",
	}
	type input struct {
		ContentType string `header:"Content-Type" doc:"application/json or text/csv."`
		PropertyID  string `query:"property_id" doc:"With text/csv."`
		Kind        string `query:"kind" enum:"reservations,history" default:"reservations" doc:"With text/csv: what its rows are."`
		DryRun      bool   `query:"dry_run" doc:"With text/csv."`
		RawBody     []byte
	}
	a := bulk(auth.ReservationsWrite)
	a.csv, a.also = true, []auth.Scope{auth.ReservationsOverride}
	rows := newRowReader()
	register(s, op, a, func(ctx context.Context, in *input) (*struct{ Body importedBody }, error) {
		var read rowsRead
		var err error
		if media, _, _ := mime.ParseMediaType(in.ContentType); media == mediaCSV {
			read, err = rows.csv(in.RawBody, in.Kind == "history", in.PropertyID, in.DryRun)
		} else if err = withoutQuery(callOf(ctx).url); err == nil {
			read, err = rows.json(in.RawBody)
		}
		if err != nil {
			return nil, err
		}
		out, replayed, err := s.desk.Import(ctx, callerOf(ctx), read.Import)
		replay(ctx, replayed)
		if err != nil {
			return nil, err
		}
		return &struct{ Body importedBody }{importedOf(read, out)}, nil
	})
	doc := s.api.OpenAPI()
	doc.Paths[op.Path].Post.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		mediaJSON: {Schema: doc.Components.Schemas.Schema(reflect.TypeFor[importInput](), true, "")},
		mediaCSV:  {Schema: &huma.Schema{Type: huma.TypeString, Description: "A row for each room, or of history one for each night, room type, channel and seller; the first line names the columns."}},
	}}
}

func importedOf(in rowsRead, out hotel.Imported) importedBody {
	b := importedBody{DryRun: in.DryRun, Rows: len(out.Rows), OversoldNights: []string{}, Results: []importedRowBody{}}
	for i, r := range out.Rows {
		row := importedRowBody{Index: i, Status: string(r.Outcome), ReservationID: orNull(r.ReservationID), Line: in.line(i), Errors: in.wrong("/rows", i, r.Items, csvColumns)}
		switch r.Outcome {
		case hotel.RowCreated:
			b.Created++
		case hotel.RowAttached:
			b.Attached++
		case hotel.RowDuplicate:
			b.Duplicates++
		case hotel.RowInvalid:
			b.Invalid++
		}
		b.Results = append(b.Results, row)
	}
	for _, d := range out.Oversold {
		b.OversoldNights = append(b.OversoldNights, d.String())
	}
	if len(out.History) > 0 {
		b.History = historyImported(in, out.History)
	}
	return b
}

func historyImported(in rowsRead, out []hotel.ImportedHistory) *importedHistoryBody {
	b := importedHistoryBody{Rows: len(out), Invalid: []wrongHistoryBody{}}
	for i, r := range out {
		switch r.Outcome {
		case hotel.HistoryStored:
			b.Stored++
		case hotel.HistoryReplaced:
			b.Replaced++
		case hotel.HistoryUnchanged:
			b.Unchanged++
		case hotel.HistoryInvalid:
			b.Invalid = append(b.Invalid, wrongHistoryBody{Index: i, Line: in.line(i), Errors: in.wrong("/history", i, r.Items, historyColumns)})
		}
	}
	return &b
}

// line is where a row stands in a CSV file.
func (in *rowsRead) line(i int) *int {
	if in.lines == nil {
		return nil
	}
	return &in.lines[i]
}

// wrong tells what is wrong with a row: where in the body, or of a file by its columns.
func (in *rowsRead) wrong(list string, i int, faults []hotel.RefusedItem, columns csvSheet) []item {
	if in.lines == nil {
		return bound(itemsOf(list+"/"+strconv.Itoa(i), faults))
	}
	items := itemsOf("", faults)
	for i := range items {
		items[i] = item{Parameter: columns.of(items[i].Pointer), Code: items[i].Code, Detail: items[i].Detail}
	}
	return items
}

// rowReader checks the rows of a body one by one against their schema, so that one
// that is wrong keeps back no other.
type rowReader struct {
	registry            huma.Registry
	frame, row, history *huma.Schema
}

func newRowReader() *rowReader {
	r := &rowReader{registry: huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)}
	r.row, r.history = r.resolved(reflect.TypeFor[importRow]()), r.resolved(reflect.TypeFor[historyRow]())
	frame := *r.resolved(reflect.TypeFor[importInput]())
	properties := make(map[string]*huma.Schema, len(frame.Properties))
	for name, p := range frame.Properties {
		properties[name] = p
		if p.Type == huma.TypeArray {
			loose := *p
			loose.Items = &huma.Schema{}
			loose.Items.PrecomputeMessages()
			loose.PrecomputeMessages()
			properties[name] = &loose
		}
	}
	frame.Properties = properties
	frame.PrecomputeMessages()
	r.frame = &frame
	return r
}

func (r *rowReader) resolved(t reflect.Type) *huma.Schema {
	s := r.registry.Schema(t, true, "")
	if s.Ref != "" {
		s = r.registry.SchemaFromRef(s.Ref)
	}
	return s
}

// faults lists what a schema says is wrong with a value.
func (r *rowReader) faults(s *huma.Schema, v any) []hotel.RefusedItem {
	path, result := huma.NewPathBuffer([]byte{}, 0), huma.ValidateResult{}
	path.Push("body")
	huma.Validate(r.registry, s, path, huma.ModeWriteToServer, forLocations(v), &result)
	var items []hotel.RefusedItem
	for _, err := range result.Errors {
		it := itemOf(err)
		items = append(items, hotel.RefusedItem{Pointer: it.Pointer, Code: it.Code, Detail: it.Detail})
	}
	return items
}

// withoutQuery refuses parameters of a table beside a JSON body, which says all of it
// itself: to pass over dry_run would store what was only to be tried.
func withoutQuery(u *url.URL) error {
	for _, name := range []string{"property_id", "kind", "dry_run"} {
		if u.Query().Has(name) {
			return inParameters(hotel.Invalid("/"+name, "unknown_field", "goes with text/csv: in JSON it is a member of the body"))
		}
	}
	return nil
}

// json reads a JSON body.
func (r *rowReader) json(raw []byte) (rowsRead, error) {
	if err := checkJSON(raw); err != nil {
		if malformed, is := errors.AsType[*malformedError](err); is {
			return rowsRead{}, malformed.problem()
		}
		return rowsRead{}, err
	}
	var whole any
	if err := json.Unmarshal(raw, &whole); err != nil {
		return rowsRead{}, (&malformedError{detail: "The body has a number that is too large to be read."}).problem()
	}
	if items := r.faults(r.frame, whole); len(items) > 0 {
		refusal := hotel.Refuse(codeInvalid, "%s", "The request cannot be meant so.")
		refusal.Items = items[:min(len(items), maxItems)]
		return rowsRead{}, refusal
	}
	body, _ := whole.(map[string]any)
	read := rowsRead{}
	read.PropertyID, _ = body["property_id"].(string)
	read.DryRun, _ = body["dry_run"].(bool)
	rows, _ := body["rows"].([]any)
	history, _ := body["history"].([]any)
	if len(rows)+len(history) == 0 {
		return rowsRead{}, hotel.Invalid("/rows", "required", "is missing, and so is history: send one of them, or both")
	}
	for _, v := range rows {
		row, err := r.booking(v)
		if err != nil {
			return rowsRead{}, err
		}
		read.Rows = append(read.Rows, row)
	}
	for _, v := range history {
		row, err := r.sum(v)
		if err != nil {
			return rowsRead{}, err
		}
		read.History = append(read.History, row)
	}
	return read, nil
}

// booking makes one row, or what is wrong with it.
func (r *rowReader) booking(v any) (hotel.ImportRow, error) {
	var b importRow
	dropNulls(v)
	row, wrong, err := readRow(r, r.row, v, &b, b.read)
	row.Invalid = wrong
	for i, it := range wrong {
		if it.Code == "unknown_field" && hasMember(reflect.TypeFor[reservationBody](), it.Pointer) {
			wrong[i].Code, wrong[i].Detail = "read_only", setByServer
		}
	}
	return row, err
}

// dropNulls takes the members out of an object that are null, however deep; entries of
// lists stay, for they count.
func dropNulls(v any) {
	switch v := v.(type) {
	case []any:
		for _, of := range v {
			dropNulls(of)
		}
	case map[string]any:
		maps.DeleteFunc(v, func(_ string, of any) bool { return of == nil })
		for _, of := range v {
			dropNulls(of)
		}
	}
}

// sum makes one row of history, or what is wrong with it.
func (r *rowReader) sum(v any) (hotel.HistoryRow, error) {
	var b historyRow
	row, wrong, err := readRow(r, r.history, v, &b, b.read)
	row.Invalid = wrong
	return row, err
}

// readRow reads a value into a body that its schema describes, and makes a row of that.
func readRow[Row any](r *rowReader, s *huma.Schema, v, into any, of func() (Row, error)) (row Row, wrong []hotel.RefusedItem, err error) {
	if items := r.faults(s, v); len(items) > 0 {
		return row, items[:min(len(items), maxItems)], nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return row, nil, err
	}
	if err = decode(raw, into); err == nil {
		var made Row
		if made, err = of(); err == nil {
			return made, nil, nil
		}
	}
	if refusal, ok := errors.AsType[*hotel.Refusal](err); ok && len(refusal.Items) > 0 {
		return row, refusal.Items, nil
	}
	return row, []hotel.RefusedItem{{Code: "type", Detail: "cannot be read"}}, nil
}

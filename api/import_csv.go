package api

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ostler.example/hotel"
)

const mediaCSV = "text/csv"

// maxRows and maxHistory are how many rows one import has at most.
const (
	maxRows    = 5000
	maxHistory = 20000
)

// csvSheet is the columns of a file, by name: the member that each sets, and how its
// text is read.
type csvSheet map[string]struct {
	member string // a pointer
	read   func(text string) (any, bool)
}

// historyColumns are those of past nights in sum.
var historyColumns = csvSheet{
	"date": {"/date", csvText}, "room_type": {"/room_type_id", csvText}, "channel_id": {"/channel_id", csvText}, "seller": {"/seller", csvText},
	"rooms_sold": {"/rooms_sold", csvNumber}, "room_revenue": {"/room_revenue", csvMoney},
}

// csvColumns are those of reservations.
var csvColumns = csvSheet{
	"status": {"/status", csvText}, "hold_expires_at": {"/hold_expires_at", csvText},
	"room_type": {"/room_type_id", csvText}, "rate_plan": {"/rate_plan_id", csvText}, "block": {"/block_id", csvText}, "group_id": {"/group_id", csvText}, "room_number": {"/room_number", csvText},
	"check_in": {"/check_in", csvText}, "check_out": {"/check_out", csvText}, "expected_arrival_time": {"/expected_arrival_time", csvText},
	"adults": {"/adults", csvNumber}, "children_ages": {"/children_ages", csvNumbers},
	"guest_id": {"/guest_id", csvText}, "additional_guest_ids": {"/additional_guest_ids", csvWords},
	"first_name": {"/guest/first_name", csvText}, "last_name": {"/guest/last_name", csvText}, "email": {"/guest/email", csvText},
	"phone": {"/guest/phone", csvText}, "language": {"/guest/language", csvText}, "country": {"/guest/country", csvText},
	"channel_id": {"/source/channel_id", csvText}, "sub_channel": {"/source/sub_channel", csvText},
	"channel_reference": {"/source/channel_reference", csvText}, "room_reference": {"/source/room_reference", csvText},
	"booked_at": {"/source/booked_at", csvText}, "collect": {"/source/collect", csvText},
	"room_total": {"/room_total", csvMoney}, "commission": {"/commission", csvMoney}, "deposit_paid": {"/deposit_paid", csvMoney},
	"amount_basis": {"/amount_basis", csvText}, "guarantee": {"/guarantee/kind", csvText},
	"complimentary": {"/complimentary", csvBool}, "house_use": {"/house_use", csvBool},
	"market_segment": {"/market_segment", csvText}, "tags": {"/tags", csvWords}, "notes": {"/notes", csvText}, "guest_requests": {"/guest_requests", csvText},
	"cancelled_at": {"/cancel/at", csvText}, "cancel_reason": {"/cancel/reason", csvText}, "cancel_note": {"/cancel/note", csvText},
	"penalty": {"/cancel/penalty", csvMoney}, "penalty_waived": {"/cancel/waived", csvBool}, "decline_reason": {"/decline_reason", csvText},
	"actual_check_in_at": {"/actual_check_in_at", csvText}, "actual_check_out_at": {"/actual_check_out_at", csvText},
}

func csvText(text string) (any, bool) { return text, true }

func csvNumber(text string) (any, bool) {
	n, err := strconv.Atoi(text)
	return float64(n), err == nil
}

func csvBool(text string) (any, bool) {
	yes := strings.EqualFold(text, "true")
	return yes, yes || strings.EqualFold(text, "false")
}

func csvWords(text string) (any, bool) {
	var words []any
	for w := range strings.FieldsSeq(text) {
		words = append(words, w)
	}
	return words, true
}

func csvNumbers(text string) (any, bool) {
	var numbers []any
	for w := range strings.FieldsSeq(text) {
		n, ok := csvNumber(w)
		if !ok {
			return nil, false
		}
		numbers = append(numbers, n)
	}
	return numbers, true
}

// csvMoney reads an amount with its currency, such as 250.00 EUR.
func csvMoney(text string) (any, bool) {
	amount, currency, ok := strings.Cut(text, " ")
	return map[string]any{"amount": amount, "currency": strings.TrimSpace(currency)}, ok
}

// of names the column of a member, or the nearest that there is.
func (s csvSheet) of(pointer string) string {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if member := s[name].member; pointer == member || strings.HasPrefix(pointer, member+"/") {
			return name
		}
	}
	return strings.TrimPrefix(pointer, "/")
}

// csv reads a file of reservations, or of history.
func (r *rowReader) csv(raw []byte, history bool, property string, dryRun bool) (rowsRead, error) {
	read := rowsRead{Import: hotel.Import{PropertyID: property, DryRun: dryRun}}
	if property == "" {
		return read, inParameters(hotel.Invalid("/property_id", "required", "is missing: name the property in the query"))
	}
	sheet, most := csvColumns, maxRows
	if history {
		sheet, most = historyColumns, maxHistory
	}
	err := sheet.read(raw, most, func(line int, row any, wrong []hotel.RefusedItem) error {
		read.lines = append(read.lines, line)
		if history {
			sum, err := hotel.HistoryRow{Invalid: wrong}, error(nil)
			if len(wrong) == 0 {
				sum, err = r.sum(row)
			}
			read.History = append(read.History, sum)
			return err
		}
		booking, err := hotel.ImportRow{Invalid: wrong}, error(nil)
		if len(wrong) == 0 {
			booking, err = r.booking(row)
		}
		read.Rows = append(read.Rows, booking)
		return err
	})
	return read, err
}

// read hands out the rows of a file, each as a JSON value or with what cannot be read
// of it: the first line names the columns, separated by commas or semicolons.
func (s csvSheet) read(raw []byte, most int, take func(line int, row any, wrong []hotel.RefusedItem) error) error {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(raw) {
		return csvFault(1, "the file is not UTF-8")
	}
	file := csv.NewReader(bytes.NewReader(raw))
	first, _, _ := bytes.Cut(raw, []byte("\n"))
	if bytes.Count(first, []byte(";")) > bytes.Count(first, []byte(",")) {
		file.Comma = ';'
	}
	columns, err := file.Read()
	if err != nil {
		return csvBroken(err, "the file is empty: its first line names the columns")
	}
	for i, name := range columns {
		columns[i] = strings.TrimSpace(strings.ToLower(name))
		if _, known := s[columns[i]]; !known || slices.Contains(columns[:i], columns[i]) {
			return csvFault(1, "column %d has no known name, or one that another has; there are: %s", i+1, strings.Join(slices.Sorted(maps.Keys(s)), ", "))
		}
	}
	for rows := 0; ; rows++ {
		record, err := file.Read()
		switch {
		case errors.Is(err, io.EOF) && rows == 0:
			return csvFault(2, "the file has no row")
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return csvBroken(err, "")
		case rows == most:
			return csvFault(most+2, "a file has at most %d rows: cut it into several", most)
		}
		line, _ := file.FieldPos(0)
		row, wrong := s.record(columns, record)
		if err := take(line, row, wrong); err != nil {
			return err
		}
	}
}

// record makes one line into a JSON value.
func (s csvSheet) record(columns, record []string) (row map[string]any, wrong []hotel.RefusedItem) {
	row = map[string]any{}
	for i, text := range record {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		column := s[columns[i]]
		v, ok := column.read(text)
		if !ok {
			wrong = append(wrong, hotel.RefusedItem{Pointer: column.member, Code: "format", Detail: "cannot be read; see docs/operating.md"})
			continue
		}
		within, name := row, strings.TrimPrefix(column.member, "/")
		if object, member, nested := strings.Cut(name, "/"); nested {
			inner, _ := row[object].(map[string]any)
			if inner == nil {
				inner = map[string]any{}
				row[object] = inner
			}
			within, name = inner, member
		}
		within[name] = v
	}
	return row, wrong
}

func csvFault(line int, format string, args ...any) error {
	return hotel.Invalid("", "format", "line %d: %s", line, fmt.Sprintf(format, args...))
}

// csvBroken tells of a file that is not CSV.
func csvBroken(err error, empty string) error {
	if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
		return hotel.Invalid("", "format", "line %d, column %d: %v", wrong.Line, wrong.Column, wrong.Err)
	}
	return hotel.Invalid("", "format", "%s", empty)
}

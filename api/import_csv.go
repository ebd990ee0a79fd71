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

// maxRows is how many rows one import has at most.
const maxRows = 5000

// csvColumns are the columns of a file, by name: the member that each sets, and
// how its text is read.
var csvColumns = map[string]struct {
	member string // a pointer
	read   func(text string) (any, bool)
}{
	"status": {"/status", csvText}, "hold_expires_at": {"/hold_expires_at", csvText},
	"room_type": {"/room_type_id", csvText}, "rate_plan": {"/rate_plan_id", csvText}, "block": {"/block_id", csvText}, "room_number": {"/room_number", csvText},
	"check_in": {"/check_in", csvText}, "check_out": {"/check_out", csvText}, "expected_arrival_time": {"/expected_arrival_time", csvText},
	"adults": {"/adults", csvNumber}, "children_ages": {"/children_ages", csvNumbers},
	"first_name": {"/guest/first_name", csvText}, "last_name": {"/guest/last_name", csvText}, "email": {"/guest/email", csvText},
	"phone": {"/guest/phone", csvText}, "language": {"/guest/language", csvText}, "country": {"/guest/country", csvText},
	"channel_id": {"/source/channel_id", csvText}, "sub_channel": {"/source/sub_channel", csvText},
	"channel_reference": {"/source/channel_reference", csvText}, "room_reference": {"/source/room_reference", csvText},
	"booked_at": {"/source/booked_at", csvText}, "collect": {"/source/collect", csvText},
	"room_total": {"/room_total", csvMoney}, "commission": {"/commission", csvMoney}, "deposit_paid": {"/deposit_paid", csvMoney},
	"market_segment": {"/market_segment", csvText}, "tags": {"/tags", csvWords}, "notes": {"/notes", csvText}, "guest_requests": {"/guest_requests", csvText},
}

func csvText(text string) (any, bool) { return text, true }

func csvNumber(text string) (any, bool) {
	n, err := strconv.Atoi(text)
	return float64(n), err == nil
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

// columnOf names the column of a member, or the nearest that there is.
func columnOf(pointer string) string {
	for _, name := range slices.Sorted(maps.Keys(csvColumns)) {
		if member := csvColumns[name].member; pointer == member || strings.HasPrefix(pointer, member+"/") {
			return name
		}
	}
	return strings.TrimPrefix(pointer, "/")
}

// csv reads a file: its first line names the columns, separated by commas or
// semicolons.
func (r *rowReader) csv(raw []byte, property string, dryRun bool) (rowsRead, error) {
	read := rowsRead{Import: hotel.Import{PropertyID: property, DryRun: dryRun}}
	if property == "" {
		return read, inParameters(hotel.Invalid("/property_id", "required", "is missing: name the property in the query"))
	}
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(raw) {
		return read, csvFault(1, "the file is not UTF-8")
	}
	file := csv.NewReader(bytes.NewReader(raw))
	first, _, _ := bytes.Cut(raw, []byte("\n"))
	if bytes.Count(first, []byte(";")) > bytes.Count(first, []byte(",")) {
		file.Comma = ';'
	}
	columns, err := file.Read()
	if err != nil {
		return read, csvBroken(err, "the file is empty: its first line names the columns")
	}
	for i, name := range columns {
		columns[i] = strings.TrimSpace(strings.ToLower(name))
		if _, known := csvColumns[columns[i]]; !known || slices.Contains(columns[:i], columns[i]) {
			return read, csvFault(1, "column %d has no known name, or one that another has; there are: %s", i+1, strings.Join(slices.Sorted(maps.Keys(csvColumns)), ", "))
		}
	}
	for {
		record, err := file.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return read, csvBroken(err, "")
		}
		if len(read.Rows) == maxRows {
			return read, csvFault(maxRows+2, "a file has at most %d rows: cut it into several", maxRows)
		}
		line, _ := file.FieldPos(0)
		row, err := r.record(columns, record)
		if err != nil {
			return read, err
		}
		read.Rows, read.lines = append(read.Rows, row), append(read.lines, line)
	}
	if len(read.Rows) == 0 {
		return read, csvFault(2, "the file has no row")
	}
	return read, nil
}

// record makes one line into a row.
func (r *rowReader) record(columns, record []string) (hotel.ImportRow, error) {
	row, wrong := map[string]any{}, []hotel.RefusedItem(nil)
	for i, text := range record {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		column := csvColumns[columns[i]]
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
	if len(wrong) > 0 {
		return hotel.ImportRow{Invalid: wrong}, nil
	}
	return r.read(row)
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

package api

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/desk"
)

// stayFields are the members of the question, in the order in which faults are
// reported; the first stayRequired of them are needed.
var stayFields = [...]string{"property_id", "check_in", "check_out", "room_type", "adults", "children", "children_ages"}

const (
	stayRequired = 3
	typeField    = 3
	agesField    = len(stayFields) - 1
)

// What may be asked for beside the answer, in the query alone.
const (
	includeParameter = "include"
	includeDetails   = "stay_details"
)

// The most guests that a question may name.
const maxGuests = 20

// stayQuestion is a question about availability while it is read from its two
// carriers.
type stayQuestion struct {
	desk.StayQuery
	children int

	given  [len(stayFields)]string // what each field was given as, in one spelling for both carriers
	has    [len(stayFields)]bool   // it was given
	inBody bool
	items  []item
}

// unknownAge stands for a child of whom only a count was given.
const unknownAge = -1

// readAges are the ages of children as they are written, null for one of whom nobody has
// said how old.
func readAges(written []*int) []int {
	if written == nil {
		return nil
	}
	ages := make([]int, len(written))
	for i, age := range written {
		if ages[i] = unknownAge; age != nil {
			ages[i] = *age
		}
	}
	return ages
}

// readStay reads the question from the body, the query, or both.
func readStay(body []byte, rawQuery string) (desk.StayQuery, error) {
	var q stayQuestion
	if len(body) > 0 {
		q.inBody = true
		if err := q.readBody(body); err != nil {
			return desk.StayQuery{}, err
		}
	}
	if rawQuery != "" {
		if err := q.readParameters(rawQuery); err != nil {
			return desk.StayQuery{}, err
		}
	}
	for i, name := range stayFields[:stayRequired] {
		if !q.has[i] && !q.faulty(name) {
			q.fault(name, "required", "is missing")
		}
	}
	if len(q.items) > 0 {
		return desk.StayQuery{}, &problem{Code: codeInvalid, Detail: "The question cannot be answered as it is.", Errors: q.items}
	}
	if !q.has[agesField] && q.children > 0 {
		q.ChildrenAges = slices.Repeat([]int{unknownAge}, q.children)
	}
	return q.StayQuery, nil
}

// readBody takes the members of a JSON object. A member that is null counts as
// left out.
func (q *stayQuestion) readBody(body []byte) error {
	if err := checkJSON(body); err != nil {
		return err.(*malformedError).problem() //nolint:errorlint,forcetypeassert // checkJSON makes no other
	}
	w := walker{b: body}
	if w.space(); body[w.at] != '{' {
		return &problem{Code: codeInvalid, Detail: "The body must be a JSON object.", Errors: []item{{whole: true, Code: "type", Detail: "must be an object"}}}
	}
	w.object(func(name []byte) {
		w.space()
		start := w.at
		w.value()
		q.member(name, bytes.TrimSpace(body[start:w.at]))
	})
	return nil
}

func (q *stayQuestion) member(name, value []byte) {
	field := fieldOf(string(name))
	if field < 0 {
		q.items = append(q.items, item{Pointer: "/" + hotel.PointerPart(string(name)), Code: "unknown_field", Detail: "is not known"})
		return
	}
	if string(value) == "null" {
		return
	}
	text := string(value)
	switch stayFields[field] {
	case "children_ages":
		var ages []json.RawMessage
		if value[0] != '[' || json.Unmarshal(value, &ages) != nil {
			q.fault(stayFields[field], "type", "must be a list of whole numbers")
			return
		}
		for i, age := range ages {
			if whole, ok := wholeNumber(age); ok {
				ages[i] = json.RawMessage(whole)
			}
		}
		text = joinTexts(ages)
	case "adults", "children":
		if whole, ok := wholeNumber(value); ok {
			text = whole
		}
		if _, err := strconv.Atoi(text); err != nil {
			q.fault(stayFields[field], "type", "must be a whole number")
			return
		}
	default:
		if value[0] != '"' {
			q.fault(stayFields[field], "type", "must be a string")
			return
		}
		text = string(plain(value))
	}
	q.take(field, text)
}

// fieldOf is the index of a field, below 0 when there is none of that name.
func fieldOf(name string) int { return slices.Index(stayFields[:], name) }

// readParameters takes the query, which may repeat what the body says.
func (q *stayQuestion) readParameters(rawQuery string) error {
	defer func(was bool) { q.inBody = was }(q.inBody)
	q.inBody = false
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return errIllegible
	}
	for name, list := range values {
		if fieldOf(name) < 0 && name != includeParameter {
			return unknownParameter(name)
		}
		if len(list) > 1 {
			return repeatedParameter([]item{sentTwice(name)})
		}
	}
	switch values.Get(includeParameter) {
	case includeDetails:
		q.Details = true
	case "":
	default:
		return &problem{Code: "invalid_parameter", Detail: "A query parameter has a value that is not known.", Errors: []item{
			{Parameter: includeParameter, Code: "enum", Detail: "must be " + includeDetails},
		}}
	}
	for i, name := range stayFields { // in order, so that faults are reported in order
		list, sent := values[name]
		if !sent || list[0] == "" && i != agesField && i != typeField {
			continue
		}
		text := list[0]
		if q.has[i] && q.given[i] != text {
			return &problem{Code: "ambiguous_parameters", Detail: "The query and the body say different things.", Errors: []item{
				{Parameter: name, Code: "ambiguous_parameters", Detail: "is another in the body"},
			}}
		}
		if !q.has[i] {
			q.take(i, text)
		}
	}
	return nil
}

// take reads one field from its text.
func (q *stayQuestion) take(field int, text string) {
	name := stayFields[field]
	q.given[field], q.has[field] = text, true
	switch name {
	case "property_id":
		q.PropertyID = text
	case "room_type":
		if text == "" { // a name that its sender lost is not the wish for every type
			q.fault(name, "length", "must not be empty: left out, it is every room type")
		}
		q.RoomType = text
	case "check_in":
		q.date(name, text, &q.Stay.CheckIn)
	case "check_out":
		q.date(name, text, &q.Stay.CheckOut)
	case "adults":
		q.number(name, text, 1, &q.Adults)
	case "children":
		q.number(name, text, 0, &q.children)
	case "children_ages":
		q.readAges(text)
	}
}

func (q *stayQuestion) date(name, text string, into *hotel.Date) {
	d, err := hotel.ParseDate(text)
	if err != nil {
		q.fault(name, "format", "must be a date, YYYY-MM-DD")
		return
	}
	*into = d
}

func (q *stayQuestion) number(name, text string, least int, into *int) {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		q.fault(name, "type", "must be a whole number")
	case n < least:
		q.fault(name, "min", "must be at least "+strconv.Itoa(least))
	case n > maxGuests:
		q.fault(name, "max", "must be at most "+strconv.Itoa(maxGuests))
	}
	*into = n
}

func (q *stayQuestion) readAges(text string) {
	const name = "children_ages"
	if text == "" {
		return
	}
	for i, part := range strings.Split(text, ",") {
		at := name
		if q.inBody {
			at += "/" + strconv.Itoa(i)
		}
		var age int
		if q.number(at, part, 0, &age); age > 17 && age <= maxGuests {
			q.fault(at, "max", "must be at most 17")
		}
		q.ChildrenAges = append(q.ChildrenAges, age)
	}
	if len(q.ChildrenAges) > maxGuests {
		q.fault(name, "length", "must have at most "+strconv.Itoa(maxGuests)+" entries")
	}
}

// fault notes what is wrong with a field, where it was sent.
func (q *stayQuestion) fault(name, code, detail string) {
	it := item{Code: code, Detail: detail}
	if q.inBody {
		it.Pointer = "/" + name
	} else {
		it.Parameter = name
	}
	q.items = append(q.items, it)
}

func (q *stayQuestion) faulty(name string) bool {
	return slices.ContainsFunc(q.items, func(i item) bool { return i.Pointer == "/"+name || i.Parameter == name })
}

// joinTexts writes a list as a query has it.
func joinTexts(list []json.RawMessage) string {
	var b strings.Builder
	for i, text := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(text)
	}
	return b.String()
}

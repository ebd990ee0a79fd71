package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// methodQuery is the method of RFC 10008: a GET whose question is its body.
const methodQuery = "QUERY"

func (s *server) registerAvailability() {
	a := needs(auth.AvailabilityRead)
	a.operation = "get-availability"
	s.route(http.MethodGet, prefix+"/availability", a, s.availability)
	s.route(methodQuery, prefix+"/availability", a, s.availability)
	s.documentAvailability(a)
}

// availability answers the question that stands in the body, in the query, or
// in both alike.
func (s *server) availability(w http.ResponseWriter, r *http.Request) {
	c := callOf(r.Context())
	h := w.Header()
	h["Accept-Query"] = valueJSON
	body, err := readBody(r)
	if err != nil {
		s.refuse(w, c, fmt.Errorf("read the body: %w", err))
		return
	}
	q, err := readStay(body, r.URL.RawQuery)
	if err != nil {
		s.refuse(w, c, err)
		return
	}
	found, err := s.desk.Availability(r.Context(), c.caller, q)
	if err != nil {
		s.refuse(w, c, fromQuery(err, len(body) == 0))
		return
	}
	reply, err := appendAvailability(make([]byte, 0, 256), q.PropertyID, found)
	if err != nil {
		s.refuse(w, c, fmt.Errorf("write the details of a stay: %w", err))
		return
	}
	if len(body) == 0 && r.Method != methodQuery {
		// Caches know an answer by its address alone, so only an answer whose
		// question is in the address may be kept.
		sum := sha256.Sum256(reply)
		tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
		h["Etag"] = []string{tag}
		h["Cache-Control"] = valueRevalidate
		if matches(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h["Content-Type"] = valueJSON
	_, _ = w.Write(reply) // whoever asked has gone
}

// readBody reads the whole body, at once where its length is told.
func readBody(r *http.Request) ([]byte, error) {
	if r.ContentLength == 0 { // none; one of unknown length is below 0
		return nil, nil
	}
	if r.ContentLength < 0 || r.ContentLength > usualBody {
		return io.ReadAll(r.Body)
	}
	body := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, body)
	return body, err
}

// fromQuery names parameters in place of members when the question came in the
// address. Its codes are those of the body all the same.
func fromQuery(err error, query bool) error {
	p, ok := asRefused(err)
	if !ok || !query {
		return err
	}
	p.inQuery()
	return p
}

// appendAvailability writes the answer: exactly these members, unless more were
// asked for, and the rate as a number made of its digits, never of a float.
func appendAvailability(b []byte, propertyID string, found desk.StayAnswer) ([]byte, error) {
	b = append(b, `{"status":"success","property_id":`...)
	b = appendText(b, propertyID)
	b = append(b, `,"available":`...)
	b = strconv.AppendBool(b, found.Available)
	b = append(b, `,"rooms":[`...)
	for i := range found.Rooms {
		room := &found.Rooms[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"type":`...)
		b = appendText(b, capital(room.RoomType.Name))
		b = append(b, `,"available":`...)
		b = strconv.AppendInt(b, int64(room.Available), 10)
		b = append(b, `,"rate":`...)
		b = append(b, shortest(room.Rate.Amount())...)
		b = append(b, '}')
	}
	b = append(b, ']')
	if found.Details != nil {
		var err error
		if b, err = appendDetails(b, found.Details); err != nil {
			return nil, err
		}
	}
	return append(b, "}\n"...), nil
}

// capital writes the name with its first letter in upper case.
func capital(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	if upper := unicode.ToUpper(first); upper != first && first != utf8.RuneError {
		return string(upper) + name[size:]
	}
	return name
}

// shortest drops what a number need not say: 189.00 is 189, 189.50 is 189.5.
func shortest(amount string) string {
	if strings.IndexByte(amount, '.') < 0 {
		return amount
	}
	return strings.TrimSuffix(strings.TrimRight(amount, "0"), ".")
}

// appendText appends a JSON string.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := json.Marshal(text)
			if err != nil {
				return append(b, `""`...) // a string is always written
			}
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

// stayBody and the two below are for the document; the handler writes its
// answer by hand.
type stayBody struct {
	PropertyID   string `json:"property_id" example:"hotel_123"`
	CheckIn      string `json:"check_in" format:"date" example:"2026-12-01"`
	CheckOut     string `json:"check_out" format:"date" example:"2026-12-03" doc:"No night of the stay; at most 90 nights after check_in."`
	RoomType     string `json:"room_type,omitempty" nullable:"true" minLength:"1" example:"deluxe" doc:"Code or name of a room type; every room type when it is left out."`
	Adults       int    `json:"adults,omitempty" minimum:"1" maximum:"20" doc:"As many as the room type's base occupancy when left out."`
	Children     int    `json:"children,omitempty" minimum:"0" maximum:"20"`
	ChildrenAges []int  `json:"children_ages,omitempty" doc:"In place of children."`
}

type availabilityBody struct {
	Status     string             `json:"status" enum:"success"`
	PropertyID string             `json:"property_id" example:"hotel_123"`
	Available  bool               `json:"available" doc:"Some room type has at least one room for the whole stay."`
	Rooms      []availabilityRoom `json:"rooms"`
	Stay       *stayDetailsBody   `json:"stay,omitempty" doc:"Only with include=stay_details."`
}

type availabilityRoom struct {
	Type      string  `json:"type" example:"Deluxe"`
	Available int     `json:"available" example:"3" doc:"Rooms for the whole stay."`
	Rate      float64 `json:"rate" example:"189.5" doc:"Average price of a night in the property's currency, of the cheapest rate plan that the caller may sell."`
}

func (s *server) documentAvailability(a access) {
	doc := s.api.OpenAPI()
	reply := doc.Components.Schemas.Schema(reflect.TypeFor[availabilityBody](), true, "")
	question := doc.Components.Schemas.Schema(reflect.TypeFor[stayBody](), true, "")
	op := huma.Operation{
		OperationID: "get-availability", Method: http.MethodGet, Path: "/availability",
		Summary: "What a party can be sold", Tags: []string{tagAvailability},
		Description: "The question stands in the body, although the method is GET, or in the query, which caches and " +
			"proxies understand better. QUERY takes the same body. Both together must say the same.",
		RequestBody: &huma.RequestBody{Content: map[string]*huma.MediaType{mediaJSON: {Schema: question}}},
		Responses: map[string]*huma.Response{"200": {
			Description: "OK", Content: map[string]*huma.MediaType{mediaJSON: {Schema: reply}},
		}},
	}
	members := doc.Components.Schemas.SchemaFromRef(question.Ref)
	for _, name := range stayFields {
		p := &huma.Param{Name: name, In: "query", Schema: members.Properties[name]}
		if p.Schema.Type == huma.TypeArray {
			p.Explode = new(false) // with commas, as every list in a query
		}
		op.Parameters = append(op.Parameters, p)
	}
	op.Parameters = append(op.Parameters, &huma.Param{
		Name: includeParameter, In: "query", Description: "Tells every rate plan with its nights and its total, too.",
		Schema: &huma.Schema{Type: huma.TypeString, Enum: []any{includeDetails}},
	}, &huma.Param{
		Name: "If-None-Match", In: "header", Description: "Of a question in the query: answers 304 when the answer still has this ETag.",
		Schema: &huma.Schema{Type: huma.TypeString},
	})
	a.describe(&op)
	for _, status := range append(op.Errors, http.StatusUnsupportedMediaType) {
		op.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status),
			Content:     map[string]*huma.MediaType{mediaProblem: {Schema: doc.Components.Schemas.Schema(reflect.TypeFor[problem](), true, "")}},
		}
	}
	doc.AddOperation(&op)
}

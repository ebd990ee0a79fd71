package api

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"ostler.example/hotel"
)

// humaProblem turns what huma found wrong into a problem. huma answers 422 to
// everything; ours are 400 for the query and headers.
func humaProblem(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
	if ctx == nil {
		return &problem{} // a sample for the document
	}
	c := callOf(ctx.Context())
	if tooLong, ok := errors.AsType[*http.MaxBytesError](errors.Join(errs...)); ok || status == http.StatusRequestEntityTooLarge {
		return tooLarge(tooLong).complete(c)
	}
	p := &problem{}
	if message == bodyAbsent {
		if lacks := lacking(ctx.Operation()); len(lacks) > 0 {
			status, errs = http.StatusUnprocessableEntity, append(errs, lacks...) // parameters may be wrong besides
		}
	}
	for _, err := range errs {
		if malformed := malformedIn(status, err); malformed != nil {
			return malformed.problem().complete(c)
		}
		if detail, is := errors.AsType[*huma.ErrorDetail](err); is && detail.Message == validation.MsgExpectedMatchExactlyOneSchema {
			for _, of := range sharper(ctx.Operation(), detail) {
				p.Errors = append(p.Errors, itemOf(of))
			}
			continue
		}
		p.Errors = append(p.Errors, itemOf(err))
	}
	markReadOnly(ctx.Operation(), p.Errors)
	// huma goes through objects in no order.
	slices.SortStableFunc(p.Errors, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.Parameter, b.Parameter), cmp.Compare(a.Pointer, b.Pointer))
	})
	p.Code, p.Detail = summary(status, p.Errors)
	return p.complete(c)
}

// malformedIn returns what keeps a body from being read, nil for another fault.
// huma tells of such a fault in words alone, which may repeat what was sent.
func malformedIn(status int, err error) *malformedError {
	detail, ok := errors.AsType[*huma.ErrorDetail](err)
	if !ok || status != http.StatusBadRequest || detail.Location != "body" {
		return nil
	}
	sent, _ := detail.Value.(string)
	if malformed, ok := errors.AsType[*malformedError](checkJSON([]byte(sent))); ok {
		return malformed
	}
	return &malformedError{detail: "The body has a number that is too large to be read."}
}

// tooLarge refuses a body for its length; nil: it is not said how long it may be.
func tooLarge(err *http.MaxBytesError) *problem {
	p := &problem{Code: "body_too_large", Detail: "The body is larger than this address takes."}
	if err != nil {
		p.Detail = fmt.Sprintf("The body is larger than the %d bytes that this address takes.", err.Limit)
	}
	return p
}

// summary chooses the code of the whole.
func summary(status int, items []item) (code, detail string) {
	switch {
	case status == http.StatusRequestTimeout:
		return "request_timeout", "The body did not arrive in time."
	case status == http.StatusUnsupportedMediaType:
		return "unsupported_media_type", "A body must be sent as application/json."
	case status >= http.StatusInternalServerError:
		return "internal_error", "This is our fault. Name the request id when you report it."
	}
	for _, i := range items {
		if i.Code == "unknown_parameter" {
			return "unknown_parameter", "A query parameter is not known."
		}
	}
	for _, i := range items {
		if i.Parameter != "" || i.Header != "" {
			return "invalid_parameter", "A parameter cannot be used."
		}
	}
	if status == http.StatusBadRequest {
		return "malformed_json", "The body must be a JSON object."
	}
	return codeInvalid, "The request cannot be meant so."
}

// messages tells huma's messages apart. A message is matched up to its first
// placeholder; where quote is set it tells nothing but what the schema says and
// is passed on, else detail stands in its place.
var messages = []struct {
	start, code, detail string
	quote               bool
}{
	{validation.MsgUnexpectedProperty, "unknown_field", "is not known", false},
	{"unknown query parameter", "unknown_parameter", "is not known", false},
	{"expected required property", "required", "is missing", false},
	{"required ", "required", "is missing", false},
	{validation.MsgExpectedRFC3339Date, "format", "must be a date, YYYY-MM-DD", false},
	{validation.MsgExpectedRFC3339DateTime, "format", "must be a timestamp of RFC 3339, such as 2026-11-21T00:00:00Z", false},
	{"expected string to be RFC 5322 email", "format", "must be an e-mail address", false},
	{"expected string to be RFC", "format", "does not have the form of its kind", false},
	{validation.MsgExpectedBoolean, "type", "must be true or false", false},
	{validation.MsgExpectedNumber, "type", "must be a number", false},
	{validation.MsgExpectedInteger, "type", "must be a whole number", false},
	{validation.MsgExpectedString, "type", "must be a string", false},
	{validation.MsgExpectedArray, "type", "must be a list", false},
	{validation.MsgExpectedObject, "type", "must be an object", false},
	{"expected value to be one of", "enum", "", true},
	{"expected value to match", "type", "has none of the forms that it may have", false},
	{"expected number >", "min", "", true},
	{"expected number <", "max", "", true},
	{"expected length", "length", "", true},
	{"expected array length", "length", "", true},
	{"expected object with at", "length", "", true},
	{"expected string to match pattern", "pattern", "", true},
	{"expected string to be ", "pattern", "", true},
	{"invalid integer", "type", "must be a whole number", false},
	{"invalid boolean", "type", "must be true or false", false},
	{"invalid date/time for format", "format", "must be a timestamp of RFC 3339, such as 2026-11-21T00:00:00Z", false},
	{"invalid", "format", "does not have the form of its kind", false},
}

// exact are messages that begin like another one.
var exact = map[string]bool{
	validation.MsgExpectedString: true, validation.MsgExpectedNumber: true, validation.MsgExpectedArray: true,
	validation.MsgExpectedRFC3339Date: true, validation.MsgExpectedObject: true,
}

// itemOf turns one of huma's errors into an item. A message that is not known
// may hold what the client sent and is left out.
func itemOf(err error) item {
	it := item{Code: "type", Detail: "cannot be read"}
	detail, ok := errors.AsType[*huma.ErrorDetail](err)
	if !ok {
		return it
	}
	for _, m := range messages {
		if detail.Message == m.start || !exact[m.start] && strings.HasPrefix(detail.Message, m.start) {
			it.Code, it.Detail = m.code, m.detail
			if m.quote {
				it.Detail = inDigits(detail.Message)
			}
			break
		}
	}
	place(&it, detail)
	return it
}

// inDigits writes out the number at the end of a message. huma keeps bounds as floats and
// says large ones with an exponent, as no client would write them.
func inDigits(message string) string {
	start := strings.LastIndexByte(message, ' ') + 1
	n, err := strconv.ParseFloat(message[start:], 64)
	if err != nil {
		return message
	}
	return message[:start] + strconv.FormatFloat(n, 'f', -1, 64)
}

// place says where in the request the fault is: huma writes body.a[0].b.
func place(it *item, detail *huma.ErrorDetail) {
	where, rest, _ := strings.Cut(detail.Location, ".")
	switch where {
	case "query", "path":
		it.Parameter, _, _ = strings.Cut(rest, "[") // which of several values it was, the parameter's name does not say
	case "header":
		it.Header = rest
	default:
		it.Pointer = pointer(rest)
		if it.Code == "required" {
			// The location is that of the object which lacks the member.
			name := strings.TrimPrefix(detail.Message, "expected required property ")
			it.Pointer += "/" + strings.TrimSuffix(name, " to be present")
		}
		it.whole = where == "body" && it.Pointer == ""
	}
}

func pointer(location string) string {
	if location == "" {
		return ""
	}
	var b strings.Builder
	for part := range strings.SplitSeq(strings.ReplaceAll(location, "[", "."), ".") {
		b.WriteByte('/')
		b.WriteString(hotel.PointerPart(outLocation.Replace(strings.TrimSuffix(part, "]"))))
	}
	return b.String()
}

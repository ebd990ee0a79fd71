package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// jsonFormat reads strict JSON. huma decodes a body twice: once to validate it,
// which is where it is checked, and once into the operation's type.
var jsonFormat = huma.Format{
	Marshal: func(w io.Writer, v any) error {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(v)
	},
	Unmarshal: func(b []byte, v any) error {
		if first, is := v.(*any); is {
			odd, err := lookThrough(b)
			if err != nil {
				return err
			}
			if err := json.Unmarshal(b, v); err != nil || !odd {
				return err
			}
			*first = forLocations(*first)
			return nil
		}
		return json.Unmarshal(wholeNumbers(b), v)
	},
}

// malformedError says why a body is not the JSON that is taken here.
type malformedError struct {
	detail string
	large  bool // it may be valid, and is too much of it
}

// Error returns the reason.
func (m *malformedError) Error() string { return m.detail }

func (m *malformedError) problem() *problem {
	code := "malformed_json"
	if m.large {
		code = "body_too_large"
	}
	return &problem{Code: code, Detail: m.detail}
}

// checkJSON refuses what encoding/json lets through in silence: a member that
// is named twice, of which it takes the last, and text that is not UTF-8.
func checkJSON(b []byte) error {
	_, err := lookThrough(b)
	return err
}

// lookThrough is checkJSON, and reports whether a member has an odd name.
func lookThrough(b []byte) (odd bool, err error) {
	if len(bytes.TrimSpace(b)) == 0 {
		return false, &malformedError{detail: "The body is empty."}
	}
	if !utf8.Valid(b) {
		return false, &malformedError{detail: "The body is not UTF-8."}
	}
	if !json.Valid(b) {
		return false, &malformedError{detail: invalidJSON(b)}
	}
	w := walker{b: b}
	w.value()
	if w.deep {
		return false, &malformedError{detail: fmt.Sprintf("The body is nested more than %d deep, at byte %d.", maxDepth, w.at)}
	}
	if w.values > maxValues {
		return false, &malformedError{detail: fmt.Sprintf("The body has more than %d values: send it in parts.", maxValues), large: true}
	}
	if w.twice {
		return false, &malformedError{detail: fmt.Sprintf("A member is named twice in one object, at byte %d.", w.at)}
	}
	return w.odd, nil
}

// maxValues is how many values the JSON of a request may have, at every depth. A body
// of many tiny ones is small, and what is wrong with each of them is not.
const maxValues = 200_000

// maxDepth is how deep the JSON of a request may be nested: deeper than any that means
// something.
const maxDepth = 64

func invalidJSON(b []byte) string {
	var v any
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(b, &v)); ok {
		return fmt.Sprintf("The body is not valid JSON; reading stopped at byte %d.", syntax.Offset)
	}
	return "The body is not valid JSON."
}

// walker goes through valid JSON.
type walker struct {
	b     []byte
	at    int
	twice bool // a member was named twice, at at
	odd   bool // a member was named so that a location cannot have the name as it is

	values int // that were passed
	depth  int // of what is being passed
	deep   bool
}

// over reports whether there is no need to go on.
func (w *walker) over() bool { return w.twice || w.deep || w.values > maxValues }

// value passes one value.
func (w *walker) value() {
	w.values++
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > maxDepth {
		w.deep = true
		return
	}
	w.space()
	switch w.b[w.at] {
	case '{':
		w.object(func([]byte) { w.value() })
	case '[':
		w.array()
	case '"':
		w.text()
	default:
		for w.at < len(w.b) && !bytes.ContainsRune([]byte(",]} \t\r\n"), rune(w.b[w.at])) {
			w.at++
		}
	}
}

// object passes an object. For each member it calls member with the name, in
// quotes; member passes the value.
func (w *walker) object(member func(name []byte)) {
	var few [16][]byte
	names := few[:0]
	var many map[string]bool
	for w.at++; ; {
		w.space()
		switch w.b[w.at] {
		case '}':
			w.at++
			return
		case ',':
			w.at++
			continue
		}
		start := w.at
		name := plain(w.text()) // so that an escape hides no second naming
		w.odd = w.odd || oddName(name)
		switch {
		case many != nil:
			w.twice = many[string(name)]
			many[string(name)] = true
		case slices.ContainsFunc(names, func(n []byte) bool { return bytes.Equal(n, name) }):
			w.twice = true
		case len(names) == cap(few[:]):
			many = make(map[string]bool, 2*len(names))
			for _, n := range names {
				many[string(n)] = true
			}
			many[string(name)] = true
		default:
			names = append(names, name)
		}
		if w.twice {
			w.at = start
			return
		}
		w.space()
		w.at++ // the colon
		member(name)
		if w.over() {
			return
		}
	}
}

func (w *walker) array() {
	for w.at++; ; {
		w.space()
		switch w.b[w.at] {
		case ']':
			w.at++
			return
		case ',':
			w.at++
			continue
		}
		if w.value(); w.over() {
			return
		}
	}
}

// text passes a string and returns it with its quotes.
func (w *walker) text() []byte {
	start := w.at
	w.at = textEnd(w.b, start)
	return w.b[start:w.at]
}

func (w *walker) space() {
	for w.at < len(w.b) && (w.b[w.at] == ' ' || w.b[w.at] == '\t' || w.b[w.at] == '\n' || w.b[w.at] == '\r') {
		w.at++
	}
}

// plain is what the quoted text says, escapes resolved.
func plain(quoted []byte) []byte {
	inside := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inside, '\\') < 0 {
		return inside
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		return inside
	}
	return []byte(s)
}

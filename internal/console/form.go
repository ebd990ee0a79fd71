package console

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ostler.example/hotel"
)

// form is what somebody has typed, or what is there to be typed over.
type form struct{ url.Values }

// Is reports whether a choice of the form is made.
func (f form) Is(name, value string) bool { return slices.Contains(f.Values[name], value) }

// set notes what a field says, nothing where it says nothing.
func (f form) set(name, value string) {
	if value != "" {
		f.Add(name, value)
	}
}

// setNumber notes a number that may be left out.
func (f form) setNumber(name string, n *int) {
	if n != nil {
		f.Add(name, strconv.Itoa(*n))
	}
}

// tick notes that a box is ticked.
func (f form) tick(name string, is bool) {
	if is {
		f.Add(name, "true")
	}
}

// mistakes are why a form was not taken as it was filled in: the pieces of pages that
// say so are "faults".
type mistakes struct {
	Problem string    // "": it was taken, or not sent yet
	Faults  []mistake // field by field; a single one is the problem, unless somebody has changed what it is about
	Changed bool      // nothing is wrong in it: somebody has changed meanwhile what it is about
}

// status is that of the page that the form is shown on.
func (m mistakes) status() int {
	switch {
	case m.Changed:
		return http.StatusConflict
	case m.Problem != "":
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// mistakesIn are what is wrong in a form, whose fields have the labels; ok is false for an
// error that is about something else, such as that somebody changed meanwhile what the form is
// about.
func (v *visit) mistakesIn(err error, of labels) (m mistakes, ok bool) {
	refused, is := v.refusal(err)
	if !is || statuses[refused.Code] != 0 {
		return m, false
	}
	return v.mistakesOf(refused, of), true
}

// again is why a form is shown again as it was filled in: there are mistakes in it, or
// somebody has changed meanwhile what it is about. Then it says what is there now where that
// is something else than it would store, and belongs to that, so that whoever sends it once
// more knows what is written over.
func (v *visit) again(err error, of labels, typed, would, now form) (m mistakes, ok bool) {
	if m, ok = v.mistakesIn(err, of); ok {
		return m, true
	}
	if refused, is := v.refusal(err); !is || refused.Code != "precondition_failed" {
		return m, false
	}
	m = mistakes{Problem: v.words.T("form.changed"), Changed: true}
	other := func(name, said string) {
		m.Faults = append(m.Faults, v.mistakeIn(hotel.Wrong("/"+name, "changed", "%s", said), of))
	}
	for _, name := range slices.Sorted(maps.Keys(now.Values)) {
		if is, to := now.said(name), would.said(name); name != "revision" && is != to {
			other(name, v.byName(v.words.T("form.now", is)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(would.Values)) {
		if would.said(name) != "" && !now.Has(name) && name != "revision" {
			other(name, v.words.T("form.now_empty"))
		}
	}
	typed.Set("revision", now.Get("revision"))
	return m, true
}

// said is all that a field says.
func (f form) said(name string) string {
	said := slices.DeleteFunc(slices.Clone(f.Values[name]), func(s string) bool { return s == "" })
	return strings.ReplaceAll(strings.TrimSpace(strings.Join(said, ", ")), "\r\n", "\n")
}

// mistakesOf are what was refused of a form.
func (v *visit) mistakesOf(refused *hotel.Refusal, of labels) mistakes {
	m := mistakes{Problem: refused.Detail}
	for _, item := range refused.Items {
		m.Faults = append(m.Faults, v.mistakeIn(item, of))
	}
	if len(m.Faults) == 1 {
		m.Problem = m.Faults[0].Said
	}
	return m
}

// Wrong is what is wrong with a field.
func (m mistakes) Wrong(field string) wrong {
	for _, f := range m.Faults {
		if f.Pointer[strings.LastIndexByte(f.Pointer, '/')+1:] == field {
			return wrong{field, f.Detail}
		}
	}
	return wrong{}
}

// wrong is what is wrong with a field of a form: the pieces "invalid" and "wrong" say so at
// it. Without a detail nothing is.
type wrong struct{ Field, Detail string }

// reader reads a form, and notes everything in it that cannot be read.
type reader struct {
	form
	words  *words // of whoever has typed
	faults []hotel.RefusedItem
}

// readForm reads the form of a request.
func readForm(r *http.Request) (*reader, error) {
	err := r.ParseForm()
	if most, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, hotel.Refuse("payload_too_large", "the form has more than %d KiB, which is the most that is read of it; nothing was stored", most.Limit>>10)
	}
	if err != nil {
		return nil, hotel.Refuse("malformed", "the form cannot be read")
	}
	return &reader{form: form{r.PostForm}, words: wordsFor(r)}, nil
}

// text is what a field says.
func (r *reader) text(name string) string {
	return strings.TrimSpace(strings.ReplaceAll(r.Get(name), "\r\n", "\n"))
}

// fault notes what is wrong with a field.
func (r *reader) fault(name, code, format string, args ...any) {
	r.faults = append(r.faults, hotel.Wrong("/"+name, code, format, args...))
}

// number is a whole number; nil: the field is empty.
func (r *reader) number(name string) *int {
	text := r.text(name)
	if text == "" {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		r.fault(name, "type", "is a whole number")
		return nil
	}
	return &n
}

// decimal is a number as it is written everywhere, whichever ways of the language it was
// typed with.
func (r *reader) decimal(name string) string { return r.words.plain(r.text(name)) }

// money is an amount; nil: the field is empty.
func (r *reader) money(name string, in hotel.Currency) *hotel.Money {
	text := r.decimal(name)
	if text == "" {
		return nil
	}
	m, err := hotel.ParseMoney(text, in)
	if err != nil {
		r.fault(name, "format", "is an amount of %s such as 129.50", in)
		return nil
	}
	return &m
}

// date is a day; nil: the field is empty.
func (r *reader) date(name string) *hotel.Date {
	text := r.text(name)
	if text == "" {
		return nil
	}
	d, err := hotel.ParseDate(text)
	if err != nil {
		r.fault(name, "date", "is a date")
		return nil
	}
	return &d
}

// instant is a date with a time by the clock of a zone; the zero time: the field is empty.
func (r *reader) instant(name string, zone *time.Location) time.Time {
	text := r.text(name)
	if text == "" {
		return time.Time{}
	}
	at, err := parseMoment(text, zone)
	if err != nil {
		r.fault(name, "format", "is a date with a time, such as 2026-11-21T09:20")
	}
	return at.UTC()
}

// parseMoment reads a moment that was typed by the clock of a zone. Some browsers add the
// seconds, which nobody types.
func parseMoment(text string, zone *time.Location) (time.Time, error) {
	if len(text) == len(localMoment)+len(":00") {
		text = strings.TrimSuffix(text, ":00")
	}
	return time.ParseInLocation(localMoment, text, zone)
}

// revision is the one that the form was shown with, so that nobody writes over what
// somebody else has changed meanwhile.
func (r *reader) revision() int64 {
	n, err := strconv.ParseInt(r.Get("revision"), 10, 64)
	if err != nil || n < 1 {
		r.fault("revision", "type", "the form does not say which state it is about")
	}
	return n
}

// refusal is nil when all of the form could be read.
func (r *reader) refusal() error {
	if len(r.faults) == 0 {
		return nil
	}
	refused := hotel.Refuse("validation_failed", "not everything on the form can be read; nothing was stored")
	refused.Items = r.faults
	return refused
}

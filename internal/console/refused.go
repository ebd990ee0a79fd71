package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// refusals are the sentences of refusals in the languages of the pages, by the language and
// the English format. English itself needs none.
var refusals = func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, l := range languages[1:] {
		raw, err := wordFiles.ReadFile("words/refusals." + l + ".json")
		if err != nil {
			panic(err) // it is compiled in
		}
		texts := map[string]string{}
		if err := json.Unmarshal(raw, &texts); err != nil {
			panic(fmt.Sprintf("words/refusals.%s.json: %v", l, err))
		}
		all[l] = texts
	}
	return all
}()

// refusal is what was refused, in the language of the page.
func (v *visit) refusal(err error) (*hotel.Refusal, bool) {
	r, ok := errors.AsType[*hotel.Refusal](err)
	if !ok {
		return nil, false
	}
	told := v.words.refused(r)
	told.Detail = v.byName(told.Detail)
	for i := range told.Items {
		told.Items[i].Detail = v.byName(told.Items[i].Detail)
	}
	return told, true
}

// byName puts the names of room types and rate plans for their ids: where nobody has named one
// in a sentence the domain tells the id.
func (v *visit) byName(text string) string {
	if v.house.ID == "" || !strings.Contains(text, "rt_") && !strings.Contains(text, "rp_") {
		return text
	}
	names, err := v.productNames()
	if err != nil {
		return text // ids are better than no answer
	}
	for id, name := range names {
		text = strings.ReplaceAll(text, id, name)
	}
	return text
}

// refused is a refusal in the language.
func (w *words) refused(r *hotel.Refusal) *hotel.Refusal {
	told := *r
	told.Detail = w.sentence(r, r.Detail)
	told.Items = nil
	for _, i := range r.Items {
		i.Detail = w.sentence(i, i.Detail)
		told.Items = append(told.Items, i)
	}
	return &told
}

// phrase is something that was said in English, in its parts.
type phrase interface {
	Said() (format string, args []any)
}

// sentence says a phrase in the language. One that was kept without its parts, such as the
// answer to a request that was sent before, stays as it is.
func (w *words) sentence(p phrase, english string) string {
	format, args := p.Said()
	texts := refusals[w.language]
	if format == "" || texts == nil {
		return english
	}
	if text, ok := texts[format]; ok {
		format = text
	}
	told := make([]any, len(args))
	for i, a := range args {
		told[i] = w.argument(a)
	}
	return fmt.Sprintf(format, told...)
}

// argument is what stands in a sentence, as pages show it.
func (w *words) argument(a any) any {
	switch a := a.(type) {
	case phrase:
		return asIs(w.sentence(a, fmt.Sprint(a)))
	case hotel.Date:
		return asIs(w.date(a))
	case hotel.Money:
		return asIs(w.money(a))
	case hotel.ReservationStatus:
		return w.known("status.", a)
	case stay.Action:
		return w.known("step.", a)
	case int, int64:
		return asIs(w.numbers.Sprintf("%d", a))
	}
	return a
}

// known is a word for a value, where there is one.
func (w *words) known(key string, value any) any {
	if text, ok := w.texts[key+fmt.Sprint(value)]; ok {
		return asIs(text)
	}
	return value
}

// asIs is a text in a sentence, whichever verb it stands for.
type asIs string

// Format writes the text.
func (t asIs) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, string(t)) }

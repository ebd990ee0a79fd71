package console

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"ostler.example/hotel"
)

//go:embed words
var wordFiles embed.FS

// languages are those of the pages; the first is spoken where nobody asked.
var languages = []string{"en", "de", "it"}

var matcher = func() language.Matcher {
	var tags []language.Tag
	for _, l := range languages {
		tags = append(tags, language.MustParse(l))
	}
	return language.NewMatcher(tags)
}()

// catalogue is what there is to say, by language and key.
var catalogue = func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, l := range languages {
		raw, err := wordFiles.ReadFile("words/" + l + ".json")
		if err != nil {
			panic(err) // it is compiled in
		}
		texts := map[string]string{}
		if err := json.Unmarshal(raw, &texts); err != nil {
			panic(fmt.Sprintf("words/%s.json: %v", l, err))
		}
		all[l] = texts
	}
	return all
}()

// words says things in one language.
type words struct {
	language string
	texts    map[string]string
	numbers  *message.Printer
}

// wordsFor are the words of whoever asks: the language chosen, else what the browser
// prefers.
func wordsFor(r *http.Request) *words {
	for _, name := range []string{languageCookie, "__Host-" + languageCookie} {
		if chosen, err := r.Cookie(name); err == nil && catalogue[chosen.Value] != nil {
			return wordsIn(chosen.Value)
		}
	}
	_, i := language.MatchStrings(matcher, r.Header.Get("Accept-Language"))
	return wordsIn(languages[i])
}

func wordsIn(l string) *words {
	return &words{l, catalogue[l], message.NewPrinter(language.MustParse(l))}
}

func (w *words) has(key string) bool { _, ok := w.texts[key]; return ok }

// T is a text, with the arguments in the places of {0}, {1} and so on. One that there
// is not is its key, which a test finds.
func (w *words) T(key string, args ...any) string {
	text, ok := w.texts[key]
	if !ok {
		return key
	}
	for i, a := range args {
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i)+"}", fmt.Sprint(a))
	}
	return text
}

// count is a number of things: the key has a text for one and one for all others.
func (w *words) count(key string, n int) string {
	if n == 1 {
		return w.T(key+".one", w.number(n))
	}
	return w.T(key+".other", w.number(n))
}

func (w *words) number(n int) string { return w.numbers.Sprintf("%d", n) }

// signed is a change of a number.
func (w *words) signed(n int) string {
	if n < 0 {
		return "−" + w.number(-n)
	}
	return "+" + w.number(n)
}

// money is an amount as it is written in the language.
func (w *words) money(m hotel.Money) string { return w.written(m, w.amount) }

// round likewise, whole ones without decimals.
func (w *words) round(m hotel.Money) string { return w.written(m, w.price) }

func (w *words) written(m hotel.Money, amount func(hotel.Money) string) string {
	if m.Currency == "" {
		return ""
	}
	minus := m.Minor < 0
	m.Minor = max(m.Minor, -m.Minor)
	sign := string(m.Currency)
	if unit, err := currency.ParseISO(sign); err == nil {
		sign = w.numbers.Sprint(currency.NarrowSymbol(unit))
	}
	text := w.T("number.money", amount(m), sign)
	if minus {
		text = "−" + text
	}
	return text
}

// amount is an amount of 0 or more without its currency.
func (w *words) amount(m hotel.Money) string {
	whole, fraction, _ := strings.Cut(m.Amount(), ".")
	n, _ := strconv.ParseInt(whole, 10, 64) // it is made of digits
	text := w.numbers.Sprintf("%d", n)
	if fraction != "" {
		text += w.T("number.point") + fraction
	}
	return text
}

// tenths is a number of hundredths with one decimal, or without one where it is 0.
func (w *words) tenths(hundredths int64) string {
	minus := hundredths < 0
	n := (max(hundredths, -hundredths) + 5) / 10
	text := w.number(int(n / 10))
	if n%10 != 0 {
		text += w.T("number.point") + strconv.FormatInt(n%10, 10)
	}
	if minus && n != 0 {
		text = "−" + text
	}
	return text
}

// percent is a share in hundredths of a per cent.
func (w *words) percent(hundredths int64) string { return w.T("number.percent", w.tenths(hundredths)) }

// price is an amount as it stands in a narrow place: whole ones without decimals.
func (w *words) price(m hotel.Money) string {
	none := w.T("number.point") + strings.Repeat("0", m.Currency.Exponent())
	return strings.TrimSuffix(w.amount(m), none)
}

// date is a day as it is written in the language, with its weekday.
func (w *words) date(d hotel.Date) string {
	return w.T("date.form", w.weekday(d), d.Time().Day(), w.month(d), d.Time().Year())
}

func (w *words) month(d hotel.Date) string {
	return w.T("month." + strconv.Itoa(int(d.Time().Month())))
}

// monthOf is the month of a day, with its year.
func (w *words) monthOf(d hotel.Date) string { return w.month(d) + " " + strconv.Itoa(d.Time().Year()) }

func (w *words) weekday(d hotel.Date) string { return w.T("weekday." + strconv.Itoa(int(d.Weekday()))) }

// duration is how long something takes, roughly.
func (w *words) duration(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return w.T("span.seconds", int(d.Round(time.Second)/time.Second))
	case d < 90*time.Minute:
		return w.T("span.minutes", int(d.Round(time.Minute)/time.Minute))
	case d < 48*time.Hour:
		return w.T("span.hours", int(d.Round(time.Hour)/time.Hour))
	}
	return w.T("span.days", int(d.Round(24*time.Hour)/(24*time.Hour)))
}

// ago is how long something is over.
func (w *words) ago(d time.Duration) string { return w.T("span.ago", w.duration(max(0, d))) }

// Date, Month, Weekday, Money, Number, Percent, Machine, Ago, Left and Lasts show values on pages.
func (v view) Date(d hotel.Date) string        { return v.words.date(d) }
func (v view) Month(d hotel.Date) string       { return v.words.month(d) }
func (v view) Weekday(d hotel.Date) string     { return v.words.weekday(d) }
func (v view) Money(m hotel.Money) string      { return v.words.money(m) }
func (v view) Number(n int) string             { return v.words.number(n) }
func (v view) Percent(hundredths int64) string { return v.words.percent(hundredths) }
func (v view) Machine(t time.Time) string      { return t.UTC().Format(time.RFC3339) }
func (v view) Ago(t time.Time) string          { return v.words.ago(v.c.clock.Now().Sub(t)) }
func (v view) Left(t time.Time) string         { return v.words.duration(max(0, t.Sub(v.c.clock.Now()))) }
func (v view) Lasts(d time.Duration) string    { return v.words.duration(d) }

// decimal is a decimal number as it is written in the language.
func (w *words) decimal(text string) string {
	return strings.NewReplacer(".", w.T("number.point"), "-", "−").Replace(text)
}

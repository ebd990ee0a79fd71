package notify

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ostler.example/hotel"
)

//go:embed words
var wordFiles embed.FS

// words says things in one language.
type words struct {
	texts map[string]string
	day   string // how a date is written
}

// catalogue is what there is to say, by language.
var catalogue = func() map[string]*words {
	all := map[string]*words{}
	for language, day := range map[string]string{"en": "Mon 2 Jan 2006", "de": "02.01.2006", "it": "02/01/2006"} {
		raw, err := wordFiles.ReadFile("words/" + language + ".json")
		if err != nil {
			panic(err) // it is compiled in
		}
		w := &words{day: day}
		if err := json.Unmarshal(raw, &w.texts); err != nil {
			panic(fmt.Sprintf("words/%s.json: %v", language, err))
		}
		all[language] = w
	}
	return all
}()

func wordsOf(language string) *words { return cmp.Or(catalogue[language], catalogue["en"]) }

// of returns the words of a key, with what is given by name and value in them.
func (w *words) of(key string, args ...any) string {
	text := w.texts[key]
	for i := 0; i+1 < len(args); i += 2 {
		text = strings.ReplaceAll(text, fmt.Sprintf("{%s}", args[i]), fmt.Sprint(args[i+1]))
	}
	return text
}

func (w *words) date(d hotel.Date) string { return d.Time().Format(w.day) }

// instant is one on the property's clock.
func (w *words) instant(t time.Time, p *hotel.Property) string {
	zone, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		zone = time.UTC // it was checked when it was stored
	}
	return t.In(zone).Format(w.day + " 15:04")
}

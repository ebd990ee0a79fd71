package mapping

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// name is what a room or rate is called, taken apart.
type name struct {
	words  []string // sorted, each once, in the words of the table
	guests int      // how many it says it is for; 0: nothing
	beds   string   // double or twin, where it says
	board  string   // as hotel.RatePlan.MealPlan, where it says
}

// said are words and abbreviations for the same thing, in the languages and codes that
// hotels and portals write. A word for nothing says nothing.
var said = table(map[string]string{
	"single":     "single sgl ez einzelzimmer einzel singola individual simple",
	"double":     "double dbl dz doppelzimmer doppel doppia matrimoniale doble",
	"twin":       "twin twn tw zweibettzimmer zweibett",
	"triple":     "triple tpl trp dreibettzimmer dreibett tripla",
	"quad":       "quad quadruple vierbettzimmer vierbett quadrupla",
	"family":     "family fam familienzimmer familie famiglia familiar familiale",
	"suite":      "suite sui ste junior_suite",
	"apartment":  "apartment apt ferienwohnung fewo appartement appartamento wohnung",
	"studio":     "studio stu",
	"standard":   "standard std classic klassik",
	"deluxe":     "deluxe dlx luxury luxus",
	"superior":   "superior sup",
	"economy":    "economy eco budget",
	"breakfast":  "breakfast bb fruehstueck fruhstuck colazione desayuno dejeuner ubernachtung_fruhstuck",
	"half":       "half hb halbpension mezza demi media",
	"full":       "full fb vollpension",
	"all":        "all ai inklusive inclusive",
	"room_only":  "ro roomonly ohne",
	"flexible":   "flexible flex refundable best bar available stornierbar",
	"fixed":      "saver nonref nonrefundable nrf prepaid advance stornierbarkeit sparpreis",
	"long":       "long longstay weekly wochenrate",
	"business":   "business corporate firmen",
	"sea":        "sea meerblick seaview seeblick",
	"mountain":   "mountain bergblick",
	"balcony":    "balcony balkon",
	"accessible": "accessible barrierefrei",
	"": "room rooms zimmer camera habitacion chambre rate rates plan price tarif tarifa tariffa preis the a an and und with mit con of our for fur für per " + //nolint:misspell // other languages
		"guest guests adult adults erwachsene person persons personen bed beds bett betten included inkl incl board only pension stay type kategorie",
})

func table(groups map[string]string) map[string]string {
	out := map[string]string{}
	for means, words := range groups {
		for word := range strings.FieldsSeq(words) {
			out[word] = means
		}
	}
	return out
}

// guestsOf are the words that say for how many a room is.
var guestsOf = map[string]int{"single": 1, "double": 2, "twin": 2, "triple": 3, "quad": 4}

// counted are the words behind or before a number of guests.
var counted = []string{"guest", "guests", "adult", "adults", "person", "persons", "personen", "erwachsene", "pax", "people", "for", "fur"}

// read takes what something is called apart.
func read(text string) name {
	var n name
	raw := split(text)
	has := func(words ...string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(raw, w) })
	}
	for i, word := range raw {
		if count, err := strconv.Atoi(word); err == nil && count > 0 && count < 20 {
			if i+1 < len(raw) && slices.Contains(counted, raw[i+1]) || i > 0 && slices.Contains(counted, raw[i-1]) {
				n.guests = count
				continue
			}
		}
		means, known := said[word]
		if !known {
			means = word
		}
		if means != "" {
			n.words = append(n.words, means)
		}
		if n.guests == 0 {
			n.guests = guestsOf[means]
		}
		if means == "double" || means == "twin" {
			n.beds = means
		}
	}
	slices.Sort(n.words)
	n.words = slices.Compact(n.words)
	is := func(word string) bool { return slices.Contains(n.words, word) }
	switch {
	case has("non", "refundable") || has("not", "refundable") || has("nicht", "stornierbar"):
		n.words = slices.DeleteFunc(n.words, func(w string) bool { return slices.Contains([]string{"non", "not", "nicht", "flexible"}, w) })
		n.words = append(n.words, "fixed")
		slices.Sort(n.words)
	}
	switch {
	case is("all"):
		n.board = "all_inclusive"
	case is("full"):
		n.board = "full_board"
	case is("half"):
		n.board = "half_board"
	case is("breakfast"):
		n.board = "breakfast"
	case is("room_only") || has("room", "only"):
		n.board = "room_only"
	}
	return n
}

// split returns the words of a text in small letters, without accents, taken apart
// where letters meet digits.
func split(text string) []string {
	var out []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	digit := false
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		switch {
		case unicode.Is(unicode.Mn, r): // what an accent leaves
		case unicode.IsLetter(r), unicode.IsDigit(r):
			if word.Len() > 0 && digit != unicode.IsDigit(r) {
				end()
			}
			digit = unicode.IsDigit(r)
			word.WriteRune(r)
		default:
			end()
		}
	}
	end()
	return out
}

// alike tells how much two names have in common, from 0 to 100. Words that many of the
// house's names have count less; weigh says how much.
func alike(a, b name, weigh func(word string) float64) float64 {
	var common, all float64
	for _, w := range a.words {
		all += weigh(w)
		if slices.Contains(b.words, w) {
			common += 2 * weigh(w)
		}
	}
	for _, w := range b.words {
		all += weigh(w)
	}
	if all == 0 {
		return 0
	}
	return 100 * common / all
}

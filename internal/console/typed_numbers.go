package console

import (
	"regexp"
	"strings"

	"ostler.example/hotel"
)

// How numbers with decimals are typed. Each language writes them with a point of its own, and
// the other mark between groups of three: 1,234.50 in English, 1.234,50 in German and
// Italian. What is typed is read by these rules, of which the first that fits holds:
//
//   - blanks, hard ones too, stand between groups and say nothing;
//   - apostrophes between groups of three do so too, with either mark for the point: 1'234.50;
//   - the group mark of the language stands between groups where there are nothing but whole
//     groups of three behind a first one of one to three digits that is not 0, and then only
//     the language's own point: 1.234 is 1234 in German, and 1.234 in English;
//   - what cannot be groups has its only mark for a point, whichever it is: 129.50 and 1.5 are
//     in German what they are everywhere, and so is 0.125.
//
// Anything else, such as 1,234.50 in German, is left as it is, and refused as no number.
var (
	apostropheGroups = regexp.MustCompile(`^-?[1-9]\d{0,2}(?:['’]\d{3})+(?:[.,]\d+)?$`)
	languageGroups   = map[string]*regexp.Regexp{ // by the point
		".": regexp.MustCompile(`^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$`),
		",": regexp.MustCompile(`^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$`),
	}
)

// groupMarks stand between groups, by the point.
var groupMarks = map[string]string{".": ",", ",": "."}

// plain is a number that was typed in the language, without its ways.
func (w *words) plain(typed string) string {
	text := strings.TrimPrefix(strings.NewReplacer("−", "-", " ", "", "\u00a0", "", "\u202f", "").Replace(typed), "+")
	point := w.T("number.point")
	switch {
	case apostropheGroups.MatchString(text):
		text = strings.NewReplacer("'", "", "’", "").Replace(text)
	case languageGroups[point].MatchString(text):
		text = strings.ReplaceAll(text, groupMarks[point], "")
	}
	return strings.ReplaceAll(text, ",", ".")
}

// typed is a number as somebody would type it in the language.
func (w *words) typed(number string) string {
	return strings.ReplaceAll(number, ".", w.T("number.point"))
}

// setDecimal notes a number as it would be typed, nothing where there is none.
func (f form) setDecimal(w *words, name, number string) { f.set(name, w.typed(number)) }

// setMoney notes an amount that may be left out, likewise.
func (f form) setMoney(w *words, name string, m *hotel.Money) {
	if m != nil {
		f.setDecimal(w, name, m.Amount())
	}
}

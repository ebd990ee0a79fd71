package console

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
)

// keptSentences are sentences that are stored as they were said, in English: what is odd about a
// booking, and why a webhook was not reached. By the language, with the pattern that each
// is known again by; English itself needs none.
var keptSentences = func() map[string][]keptSentence {
	all := map[string][]keptSentence{}
	for _, l := range languages[1:] {
		raw, err := wordFiles.ReadFile("words/kept." + l + ".json")
		if err != nil {
			panic(err) // it is compiled in
		}
		texts := map[string]string{}
		if err := json.Unmarshal(raw, &texts); err != nil {
			panic(fmt.Sprintf("words/kept.%s.json: %v", l, err))
		}
		for _, format := range slices.Sorted(maps.Keys(texts)) {
			all[l] = append(all[l], keptSentence{keptPattern(format), texts[format]})
		}
	}
	return all
}()

// keptSentence is one of them. Its text shows what the pattern finds, in order.
type keptSentence struct {
	pattern *regexp.Regexp
	text    string
}

// A quoted argument is found without its marks: each language has its own.
var (
	keptQuoted = regexp.MustCompile(`%q`)
	keptVerb   = regexp.MustCompile(`%[sdv]`)
)

// keptPattern finds what a format was filled in with.
func keptPattern(format string) *regexp.Regexp {
	text := regexp.QuoteMeta(format)
	text = keptQuoted.ReplaceAllLiteralString(text, `"((?:[^"\\]|\\.)*)"`)
	return regexp.MustCompile("^" + keptVerb.ReplaceAllLiteralString(text, "(.*)") + "$")
}

// kept says a stored sentence in the language; one that is not known stays as it is.
func (w *words) kept(english string) string {
	for _, s := range keptSentences[w.language] {
		found := s.pattern.FindStringSubmatch(english)
		if found == nil {
			continue
		}
		args := make([]any, len(found)-1)
		for i, arg := range found[1:] {
			args[i] = w.kept(arg)
		}
		return fmt.Sprintf(s.text, args...)
	}
	return english
}

// Kept is a sentence that was stored in English, in the language of the page.
func (v view) Kept(english string) string { return v.words.kept(english) }

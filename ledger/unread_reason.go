package ledger

import (
	"regexp"
	"strings"
)

// mostReason is how much is kept of a reason, in runes.
const mostReason = 300

var (
	quotation = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*(?:\"|$)|`[^`]*(?:`|$)|(?:^|[\\s(:=])'[^']*(?:'|$)")
	wording   = regexp.MustCompile(`[\pL\pN@_+]+`)
	nameOf    = regexp.MustCompile(`"[^"\\]{1,60}"\s*:|</?[\w:.-]+|[\w:.-]+\s*=\s*["']|(?m:^[A-Z-]+[;:])`)
	number    = regexp.MustCompile(`\d{5,}|@`)
)

// reasonWithoutWords is why a message could not be read, without anything that the
// message says: quotations, long numbers and addresses are left out, and so is each word
// that is among the values of the message. Names of its fields stay. What is said in
// another alphabet than that of programs was not said by one.
func reasonWithoutWords(problem string, raw []byte) string {
	const left = "…"
	said := map[string]bool{}
	for _, w := range wording.FindAllString(nameOf.ReplaceAllString(strings.ToLower(string(raw)), " "), -1) {
		said[w] = true
	}
	out := quotation.ReplaceAllString(problem, " "+left)
	out = wording.ReplaceAllStringFunc(out, func(w string) string {
		if said[strings.ToLower(w)] || number.MatchString(w) || strings.ContainsFunc(w, func(r rune) bool { return r > 127 }) {
			return left
		}
		return w
	})
	out = strings.Join(strings.Fields(out), " ")
	if runes := []rune(out); len(runes) > mostReason {
		out = string(runes[:mostReason]) + left
	}
	return out
}

package alpinebits

import (
	"strings"
	"testing"

	"ostler.example/connectors/alpinebits/message"
)

// TestThereAndBackAgain: a booking that is changed back to what it was before is a change
// of its own, and one that comes again is none, however answers were lost.
func TestThereAndBackAgain(t *testing.T) {
	a, b := changed(`"Reserved"`, `"Modify"`), changed(`"Reserved"`, `"Modify"`, "2027-02-03", "2027-02-05")
	type answer struct {
		told []string
		lost bool // the acknowledgement
		keys int  // how many messages there have been by then
	}
	for name, answers := range map[string][]answer{
		"one by one":                      {{[]string{a}, false, 1}, {[]string{b}, false, 2}, {[]string{a}, false, 3}, {[]string{a}, false, 3}, {[]string{b}, false, 4}},
		"in one answer":                   {{[]string{a, b, a}, false, 3}, {[]string{a}, false, 3}},
		"in one answer that comes again":  {{[]string{a, b, a}, true, 3}, {[]string{a, b, a}, false, 3}},
		"a queue that grows":              {{[]string{a}, true, 1}, {[]string{a, b}, true, 2}, {[]string{a, b}, true, 2}, {[]string{a, b, a}, false, 3}},
		"the last word, nobody listening": {{[]string{a}, true, 1}, {[]string{b}, true, 2}, {[]string{a}, true, 3}, {[]string{a}, false, 3}},
		"with a time, the content is enough": {
			{[]string{timed(a, "01"), timed(b, "02")}, true, 2}, {[]string{timed(a, "03")}, false, 3}, {[]string{timed(a, "01")}, false, 3},
		},
	} {
		script, conn := talk(t, map[string]string{})
		keys := map[string]bool{}
		for i, of := range answers {
			script.answers[message.ReadRequests.Name] = list(of.told...)
			script.answers[message.Acknowledge.Name] = rs(message.Acknowledged, `<Success/>`)
			if of.lost {
				script.answers[message.Acknowledge.Name] = ""
			}
			var k kept
			if _, err := conn.Poll(t.Context(), "", &k); (err != nil) != of.lost {
				t.Errorf("%s: %v", name, err)
			}
			for _, m := range k {
				keys[m.Key] = true
			}
			if len(keys) != of.keys {
				t.Errorf("%s: after answer %d there are %d messages, want %d", name, i+1, len(keys), of.keys)
			}
		}
	}
}

// timed is a reservation that was changed at that minute.
func timed(r, minute string) string {
	return strings.ReplaceAll(r, `ResStatus=`, `LastModifyDateTime="2027-01-02T03:`+minute+`:05Z" ResStatus=`)
}

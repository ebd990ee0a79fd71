package mapping

import (
	"slices"
	"strconv"
	"strings"
)

// Reason is why something is proposed, or what speaks against it, by a code. Of are what
// it is about, in the order of the words.
type Reason struct {
	Code string
	Of   []string
}

// reasonWords are the reasons there are, in English with what they are about in the places
// of {0}, {1} and so on.
var reasonWords = map[string]string{
	"room_mapped": "the room is mapped to {0} already", // the name of ours
	"room_code":   "the room has the code {0}",
	"room_name":   "{0} is called like {1}", // the names of theirs and ours
	"beds":        "their beds are {0}, ours {1}",
	"guests_more": "theirs is for {0} guests, ours takes {1}",
	"guests_same": "both are for {0} guests",
	"adults_same": "both take up to {0} adults",
	"adults_not":  "theirs takes up to {0} adults, ours {1}",

	"no_rates":    "it has no rates: {0} says when it is closed",
	"rate_mapped": "the rate is mapped to {0} of another room already",
	"rate_code":   "the rate has the code {0}",
	"rate_name":   "{0} is called like {1}",
	"board_same":  "both come with {0}", // as [hotel.RatePlan] has it
	"board_not":   "theirs comes with {0}, ours with {1}",
	"not_sold":    "{0} does not name this channel in sold_by",
	"near":        "it could as well be {0}",

	"adults_more":  "it is sold to up to {0} adults, {1} takes {2}",
	"currency_not": "its prices are in {0}, the channel is told {1}: set one to the other before it goes live",
}

// ReasonCodes lists the codes of reasons, sorted.
func ReasonCodes() []string {
	codes := make([]string, 0, len(reasonWords))
	for code := range reasonWords {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return codes
}

// String is the reason in English.
func (r Reason) String() string {
	text := reasonWords[r.Code]
	for i, of := range r.Of {
		if strings.HasPrefix(r.Code, "board_") {
			of = strings.ReplaceAll(of, "_", " ")
		}
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i)+"}", of)
	}
	return text
}

// because makes a reason.
func because(code string, of ...string) Reason { return Reason{code, of} }

// Sentences are reasons in English.
func Sentences(reasons []Reason) []string {
	var list []string
	for _, r := range reasons {
		list = append(list, r.String())
	}
	return list
}

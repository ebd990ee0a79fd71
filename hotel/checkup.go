package hotel

import (
	"net/mail"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// checkup collects what is wrong with a resource, member by member, so that its
// sender hears all of it at once.
type checkup struct {
	items *[]RefusedItem
	at    string // pointer of the object that is looked at
}

func newCheckup() checkup { return checkup{items: new([]RefusedItem)} }

// in looks at a member that is an object, or of one of a list.
func (f checkup) in(member string, index ...int) checkup {
	f.at += "/" + PointerPart(member)
	for _, i := range index {
		f.at += "/" + strconv.Itoa(i)
	}
	return f
}

var pointerText = strings.NewReplacer("~", "~0", "/", "~1")

// PointerPart writes the name of a member as a JSON pointer has it.
func PointerPart(member string) string { return pointerText.Replace(member) }

func (f checkup) add(member, code, format string, args ...any) {
	at := f.at
	if member != "" {
		at = f.in(member).at
	}
	*f.items = append(*f.items, Wrong(at, code, format, args...))
}

// maxFaults is how many faults are told at once.
const maxFaults = 100

// refusal is nil when nothing is wrong.
func (f checkup) refusal() error {
	items := *f.items
	if len(items) == 0 {
		return nil
	}
	r := Refuse("validation_failed", "%d members cannot be as they are; nothing was stored", len(items))
	if len(items) == 1 {
		r = Refuse("validation_failed", "%s %s", strings.TrimPrefix(items[0].Pointer, "/"), items[0])
	}
	r.Items = items[:min(len(items), maxFaults)]
	return r
}

// text looks at a text of at most so many characters that may be empty.
func (f checkup) text(member, s string, most int) {
	if n := utf8.RuneCountInString(s); n > most {
		f.add(member, "length", "has %d characters; at most %d are kept", n, most)
	}
}

// name looks at a text that must be there.
func (f checkup) name(member, s string, most int) {
	if strings.TrimSpace(s) == "" {
		f.add(member, "required", "is missing")
		return
	}
	f.text(member, s, most)
}

// matches looks at a text that must have a form; say puts the form in words.
func (f checkup) matches(member, s string, form *regexp.Regexp, say Phrase) {
	switch {
	case s == "":
		f.add(member, "required", "is missing")
	case !form.MatchString(s):
		f.add(member, "pattern", "must be %s", say)
	}
}

// within looks at a number from least to most, both included.
func (f checkup) within(member string, n, least, most int) {
	switch {
	case n < least:
		f.add(member, "min", "is %d; the least is %d", n, least)
	case n > most:
		f.add(member, "max", "is %d; the most is %d", n, most)
	}
}

// optional looks at a number that may be left out.
func (f checkup) optional(member string, n *int, least, most int) {
	if n != nil {
		f.within(member, *n, least, most)
	}
}

// count looks at how many a list has.
func (f checkup) count(member string, n, least, most int) {
	if n < least || n > most {
		f.add(member, "length", "has %d entries; it takes %d to %d", n, least, most)
	}
}

// oneOf looks at a text that must be one of some.
func oneOf[S ~string](f checkup, member string, s S, allowed ...S) {
	switch {
	case slices.Contains(allowed, s):
	case s == "":
		f.add(member, "required", "is missing")
	default:
		f.add(member, "enum", "must be one of: %s", list(allowed))
	}
}

func list[S ~string](words []S) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(w))
	}
	return b.String()
}

var clockForm = regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d$`)

// clock looks at a local time.
func (f checkup) clock(member, s string) {
	if !clockForm.MatchString(s) {
		f.add(member, "format", "must be a local time, HH:MM")
	}
}

// cutOff looks at a last minute before an arrival, if there is one.
func (f checkup) cutOff(c *CutOff) {
	if c != nil {
		f.within("days_before", c.DaysBefore, 0, MaxAdvance)
		f.clock("time", c.Time)
	}
}

// number looks at a decimal from least to most, both included, of at most so
// many decimals.
func (f checkup) number(member, s string, least, most int64, decimals int) {
	if !amountForm.MatchString(s) {
		f.add(member, "format", "must be a decimal number such as 12.5")
		return
	}
	switch v := decimal.RequireFromString(s); {
	case v.LessThan(decimal.NewFromInt(least)):
		f.add(member, "min", "is %s; the least is %d", s, least)
	case v.GreaterThan(decimal.NewFromInt(most)):
		f.add(member, "max", "is %s; the most is %d", s, most)
	case -int(v.Exponent()) > decimals:
		f.add(member, "amount_precision", "has at most %d decimals", decimals)
	}
}

// maxAmount is the largest number of whole units that an amount may have.
const maxAmount = 999_999_999_999

// money looks at an amount that must not be negative and must be in the
// currency.
func (f checkup) money(member string, m *Money, c Currency) {
	switch {
	case m == nil:
	case m.Currency != c:
		f.add(member, "currency_mismatch", "must be in %s", c)
	case m.Minor < 0:
		f.add(member, "min", "must not be negative")
	}
}

// dates looks at two dates of which the second must not come first.
func (f checkup) dates(member string, from, to Date) {
	if to < from {
		f.add(member, "date_order", "must not be before %s", from)
	}
}

// once looks for a value that comes twice in a list.
func (f checkup) once(seen map[string]bool, member, value string) {
	if seen[value] {
		f.add(member, "enum", "stands there twice")
	}
	seen[value] = true
}

var (
	codeForm     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_ -]{0,39}$`)
	roomCodeForm = regexp.MustCompile(`^[a-z0-9][a-z0-9_ -]{0,39}$`)
	phoneForm    = regexp.MustCompile(`^\+[1-9]\d{4,14}$`)
)

const codeWords = "1 to 40 letters, digits, spaces, hyphens and underscores, with a letter or digit in front"

// ValidMailbox reports whether a text is an e-mail address and nothing else.
func ValidMailbox(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s && len(s) <= 254
}

// email looks at an address that may be empty.
func (f checkup) email(member, s string) {
	if s == "" {
		return
	}
	if !ValidMailbox(s) {
		f.add(member, "format", "must be an e-mail address")
	}
}

// The limits of a resource's metadata.
const (
	maxMetadataKeys  = 20
	maxMetadataKey   = 40
	maxMetadataValue = 500
)

func (f checkup) metadata(m map[string]string) {
	if len(m) > maxMetadataKeys {
		f.add("metadata", "length", "has %d keys; at most %d are kept", len(m), maxMetadataKeys)
	}
	in := f.in("metadata")
	for k, v := range m {
		if k == "" || utf8.RuneCountInString(k) > maxMetadataKey {
			in.add(k, "length", "a key has 1 to %d characters", maxMetadataKey)
		}
		in.text(k, v, maxMetadataValue)
	}
}

package hotel

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// ArgumentType is what an argument of an option is in JSON.
type ArgumentType string

// The types. A date is text as YYYY-MM-DD, money an object of amount and currency.
const (
	TextArgument   ArgumentType = "text"
	NumberArgument ArgumentType = "number" // a whole one
	FlagArgument   ArgumentType = "flag"
	DateArgument   ArgumentType = "date"
	MoneyArgument  ArgumentType = "money"
	WordsArgument  ArgumentType = "words" // a list of some of the words
	GroupArgument  ArgumentType = "group" // an object of further arguments
)

// Argument is something that whoever takes an option says with it.
type Argument struct {
	Name     string
	Type     ArgumentType
	Required bool
	Min, Max int      // of a number, both inclusive; the longest text; 0, 0: any
	Words    []string // of a text: one of these; nil: any; of words: which there are
	Free     bool     // whatever somebody types, who may type a guest's name: it is not journalled
	Doc      string
	Members  []Argument // of a group
}

// maxArgument is how long a text is at most, where the argument does not say.
const maxArgument = 500

// CheckArguments refuses arguments that the option does not take, and those that
// are not as it takes them, all at once.
func (o ConflictOption) CheckArguments(given json.RawMessage) error {
	if len(given) == 0 || bytes.Equal(given, []byte("null")) {
		given = json.RawMessage("{}")
	}
	items := checkMembers("/arguments", o.Arguments, given)
	if len(items) == 0 {
		return nil
	}
	return InvalidItems(items)
}

// checkMembers returns what is wrong with an object of arguments.
func checkMembers(at string, list []Argument, given json.RawMessage) (items []RefusedItem) {
	var members map[string]json.RawMessage
	if json.Unmarshal(given, &members) != nil || members == nil {
		return []RefusedItem{Wrong(at, "type", "expected an object")}
	}
	for _, a := range list {
		v, said := members[a.Name]
		delete(members, a.Name)
		switch {
		case said && !bytes.Equal(v, []byte("null")) && a.Type == GroupArgument:
			items = append(items, checkMembers(at+"/"+a.Name, a.Members, v)...)
		case said && !bytes.Equal(v, []byte("null")):
			if r := a.check(v); r != nil {
				items = append(items, r.At(at+"/"+a.Name))
			}
		case a.Required:
			items = append(items, Wrong(at+"/"+a.Name, "required", "is needed: %s", a.Doc))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		items = append(items, Wrong(at+"/"+name, "unknown_field", "is no argument of this option"))
	}
	return items
}

// check returns what is wrong with a value, nil when nothing is.
func (a Argument) check(v json.RawMessage) *Refusal {
	switch a.Type {
	case NumberArgument:
		var n int64
		switch {
		case json.Unmarshal(v, &n) != nil:
			return Refuse("type", "expected a whole number")
		case a.Max > 0 && n < int64(a.Min):
			return Refuse("min", "must be at least %d", a.Min)
		case a.Max > 0 && n > int64(a.Max):
			return Refuse("max", "must be at most %d", a.Max)
		}
	case FlagArgument:
		var b bool
		if json.Unmarshal(v, &b) != nil {
			return Refuse("type", "expected true or false")
		}
	case MoneyArgument:
		return checkMoney(v)
	case WordsArgument:
		var list []string
		if json.Unmarshal(v, &list) != nil || len(list) == 0 {
			return Refuse("type", "expected a list of some of %q", a.Words)
		}
		if slices.ContainsFunc(list, func(w string) bool { return !slices.Contains(a.Words, w) }) {
			return Refuse("enum", "expected some of %q", a.Words)
		}
	case TextArgument, DateArgument:
		return a.checkText(v)
	case GroupArgument: // its members are checked one by one
	}
	return nil
}

func (a Argument) checkText(v json.RawMessage) *Refusal {
	var s string
	most := a.Max
	if most == 0 {
		most = maxArgument
	}
	if json.Unmarshal(v, &s) != nil {
		return Refuse("type", "expected text")
	}
	if a.Type == DateArgument {
		if _, err := ParseDate(s); err != nil {
			return Refuse("format", "expected a date such as 2026-12-31")
		}
		return nil
	}
	switch {
	case s == "" || len(s) > most:
		return Refuse("length", "has 1 to %d characters", most)
	case a.Words != nil && !slices.Contains(a.Words, s):
		return Refuse("enum", "expected one of %q", a.Words)
	}
	return nil
}

// checkMoney refuses what is no amount in a currency that there is.
func checkMoney(v json.RawMessage) *Refusal {
	var m Money
	if err := json.Unmarshal(v, &m); err != nil || !m.Currency.Known() {
		return Refuse("format", `expected an amount such as {"amount":"189.00","currency":"EUR"}`)
	}
	if m.Minor < 0 {
		return Refuse("min", "must not be negative")
	}
	return nil
}

// Read brings the arguments of a decision, which were checked, into a struct with
// their names.
func (d ConflictDecision) Read(into any) error {
	if len(d.Arguments) == 0 {
		return nil
	}
	return json.Unmarshal(d.Arguments, into)
}

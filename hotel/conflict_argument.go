package hotel

import (
	"bytes"
	"encoding/json"
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
)

// Argument is something that whoever takes an option says with it.
type Argument struct {
	Name     string
	Type     ArgumentType
	Required bool
	Min, Max int      // of a number, both inclusive; the longest text; 0, 0: any
	Words    []string // of a text: one of these; nil: any
	Doc      string
}

// maxArgument is how long a text is at most, where the argument does not say.
const maxArgument = 500

// CheckArguments refuses arguments that the option does not take, and those that
// are not as it takes them, all at once.
func (o ConflictOption) CheckArguments(given json.RawMessage) error {
	members := map[string]json.RawMessage{}
	if len(given) > 0 && !bytes.Equal(given, []byte("null")) && json.Unmarshal(given, &members) != nil {
		return Invalid("/arguments", "type", "expected an object")
	}
	var items []RefusedItem
	add := func(name string, r *Refusal) {
		if r != nil {
			items = append(items, RefusedItem{Pointer: "/arguments/" + name, Code: r.Code, Detail: r.Detail})
		}
	}
	known := map[string]bool{}
	for _, a := range o.Arguments {
		known[a.Name] = true
		v, said := members[a.Name]
		switch {
		case said && !bytes.Equal(v, []byte("null")):
			add(a.Name, a.check(v))
		case a.Required:
			add(a.Name, Refuse("required", "%s needs it: %s", o.Option, a.Doc))
		}
	}
	var strange []string
	for name := range members {
		if !known[name] {
			strange = append(strange, name)
		}
	}
	slices.Sort(strange)
	for _, name := range strange {
		add(name, Refuse("unknown_field", "%s takes no such argument", o.Option))
	}
	if len(items) == 0 {
		return nil
	}
	return &Refusal{Code: "validation_failed", Detail: items[0].Detail, Items: items}
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
	case TextArgument, DateArgument:
		return a.checkText(v)
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

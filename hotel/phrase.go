package hotel

import "fmt"

// Phrase is what is said to people in English, kept in its parts, so that whoever shows it
// can say it in their language. It is neither stored nor sent: what is, is its String.
type Phrase struct {
	text   string
	format string
	args   []any
}

// Say makes a phrase. The format is a constant, by which it is found in other languages.
func Say(format string, args ...any) Phrase {
	return Phrase{fmt.Sprintf(format, args...), format, args}
}

// Said returns the parts.
func (p Phrase) Said() (format string, args []any) { return p.format, p.args }

// String is the phrase in English.
func (p Phrase) String() string { return p.text }

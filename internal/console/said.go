package console

import (
	"strings"

	"ostler.example/hotel"
)

// Reason is why something is as it is, by its code; where the code has no words, in those
// of the engine.
func (v view) Reason(code, engine string) string { return v.reason(code, engine) }

// detailed are the codes whose words in the engine say more than the code does: what the
// channel has answered, or which price is held back.
var detailed = map[string]bool{"refused": true, "refused_before": true, "price_guard": true, "no_answer": true, "not_sent": true, "not_reached": true}

// reason says a code in the language of the page. The engine speaks English, and more
// precisely: where that is the page's language it is left the word.
func (v *visit) reason(code, engine string) string {
	key := "reason." + code
	switch {
	case !v.words.has(key):
		if engine == "" {
			return code
		}
		return engine
	case engine == "":
		return v.words.T(key)
	case v.words.language == languages[0]:
		return engine
	case detailed[code]:
		return v.words.T("reason.detail", v.words.T(key), engine)
	}
	return v.words.T(key)
}

// option says what a way out of a conflict is called and does in the language of the page,
// where there are words for it.
func (v *visit) option(kind hotel.ConflictKind, o hotel.ConflictOption) hotel.ConflictOption {
	at := string(kind) + "." + o.Option
	if v.words.has("option." + at) {
		o.Label = v.words.T("option." + at)
	}
	if v.words.has("effect." + at) {
		o.Effect = v.words.T("effect." + at)
	}
	return o
}

// optionOf is what a way out of a conflict is called, where it is one.
func (v *visit) optionOf(kind hotel.ConflictKind, option string) string {
	o, known := kind.Option(option)
	if !known {
		return option
	}
	return v.option(kind, o).Label
}

// Setting is what a key of a connector's settings is for; one of which nothing is known is
// called by itself.
func (v view) Setting(key string) string {
	if name := "setting." + key[strings.LastIndexByte(key, '.')+1:]; v.words.has(name) {
		return v.words.T(name)
	}
	return key
}

// Connects is what a connector connects; one of which nothing is known says it itself.
func (v view) Connects(c hotel.Connector) string {
	if key := "connector." + c.Name; v.words.has(key) {
		return v.words.T(key)
	}
	return c.Summary
}

// Operation is what calls of an operation are about.
func (v view) Operation(name string) string {
	if key := "operation." + name; v.words.has(key) {
		return v.words.T(key)
	}
	return strings.ReplaceAll(name, "_", " ")
}

package console

import "ostler.example/hotel"

// Reason is why something is as it is, by its code; where the code has no words, in those
// of the engine.
func (v view) Reason(code, engine string) string { return v.reason(code, engine) }

func (v *visit) reason(code, engine string) string {
	if key := "reason." + code; v.words.has(key) {
		return v.words.T(key)
	}
	if engine == "" {
		return code
	}
	return engine
}

// optionOf is what a way out of a conflict is called.
func (v *visit) optionOf(kind hotel.ConflictKind, option string) string {
	o, known := kind.Option(option)
	for _, key := range []string{"option." + string(kind) + "." + option, "option." + option} {
		if v.words.has(key) {
			return v.words.T(key)
		}
	}
	if !known {
		return option
	}
	return o.Label
}

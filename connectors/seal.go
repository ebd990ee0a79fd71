package connectors

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Sealer closes secrets up, so that who reads where they are kept does not read them.
// What a text is of must be said again to open it.
type Sealer interface {
	Close(text []byte, of string) []byte
	Open(sealed []byte, of string) ([]byte, error)

	// Current reports whether something that can be opened was sealed with the newest key.
	Current(sealed []byte, of string) bool
}

// sealedMark begins a secret that is sealed, and nothing that anybody types.
const sealedMark = "sealed:"

// Seal returns a channel's own settings, a JSON object, with every secret sealed that
// stands in them itself; what is only named stays as it is. A secret that was the same
// stays sealed as it was, unless with an older key. Nobody but Seal makes a text that looks
// sealed: one that was not there before is refused. The error joins a mistake for each.
func (r *Registered) Seal(s Sealer, was, is json.RawMessage) (json.RawMessage, error) {
	before := map[string]string{}
	r.eachText(was, func(path, text string) (string, error) {
		before[path] = text
		return text, nil
	})
	sealed, mistakes := r.eachText(is, func(path, text string) (string, error) {
		of, kept := r.sealedOf(path), before[path]
		if strings.HasPrefix(text, sealedMark) {
			if text != kept {
				return "", fmt.Errorf("%s: must not begin with %q", path, sealedMark)
			}
			opened, err := open(s, text, of)
			if err != nil || s.Current(sealedBytes(text), of) {
				return text, nil //nolint:nilerr // whoever opens the channel is told
			}
			return seal(s, opened, of), nil
		}
		if _, named := SecretName(text); named {
			return text, nil
		}
		if opened, err := open(s, kept, of); err == nil && opened == text && s.Current(sealedBytes(kept), of) {
			return kept, nil
		}
		return seal(s, text, of), nil
	})
	return sealed, errors.Join(mistakes...)
}

// Unseal returns a channel's own settings with every secret opened that is sealed. A nil
// sealer opens none. The error joins a mistake for each that cannot be, named by its path.
func (r *Registered) Unseal(s Sealer, settings json.RawMessage) (json.RawMessage, error) {
	opened, mistakes := r.eachText(settings, func(path, text string) (string, error) {
		if !strings.HasPrefix(text, sealedMark) {
			return text, nil
		}
		plain, err := open(s, text, r.sealedOf(path))
		if err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		return plain, nil
	})
	return opened, errors.Join(mistakes...)
}

// HasSealed reports whether something is sealed in settings, a JSON object as [Registered.Seal]
// returns it, of a connector that need not be in this program.
func HasSealed(settings json.RawMessage) bool {
	return bytes.Contains(settings, []byte(`"`+sealedMark))
}

// sealedOf says what a sealed secret is of: it cannot be put in another one's place.
func (r *Registered) sealedOf(path string) string {
	return "secret " + path + " of a channel of " + r.name
}

func seal(s Sealer, text, of string) string {
	return sealedMark + base64.RawStdEncoding.EncodeToString(s.Close([]byte(text), of))
}

func open(s Sealer, sealed, of string) (string, error) {
	if s == nil {
		return "", errors.New("is sealed, and there is no key here")
	}
	text, err := s.Open(sealedBytes(sealed), of)
	return string(text), err
}

// sealedBytes is what is sealed; nothing can be opened that is no Base64.
func sealedBytes(text string) []byte {
	raw, _ := base64.RawStdEncoding.DecodeString(strings.TrimPrefix(text, sealedMark))
	return raw
}

// eachText has do replace every secret that is set in settings, a JSON object. Whatever is
// no secret, or is none of the settings of the driver, stays as it is.
func (r *Registered) eachText(settings json.RawMessage, do func(path, text string) (string, error)) (json.RawMessage, []error) {
	return eachText(r.defaults(), settings, "", do)
}

func eachText(of reflect.Value, raw json.RawMessage, path string, do func(path, text string) (string, error)) (json.RawMessage, []error) {
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil || given == nil {
		return raw, nil // Configure says what is wrong with it
	}
	var mistakes []error
	changed := false
	put := func(key string, now json.RawMessage, errs []error) {
		mistakes = append(mistakes, errs...)
		if len(errs) == 0 && string(now) != string(given[key]) {
			given[key], changed = now, true
		}
	}
	for i := range of.NumField() {
		field, value := of.Type().Field(i), of.Field(i)
		key := jsonKey(field)
		text, there := given[key]
		switch {
		case key == "" || !there:
		case field.Tag.Get("secret") == "true" && value.Kind() == reflect.Map:
			now, errs := eachNamed(text, path+key+".", do)
			put(key, now, errs)
		case field.Tag.Get("secret") == "true":
			now, errs := oneText(text, path+key, do)
			put(key, now, errs)
		case value.Kind() == reflect.Struct && !readsText(value):
			now, errs := eachText(value, text, path+key+".", do)
			put(key, now, errs)
		}
	}
	if !changed || len(mistakes) > 0 {
		return raw, mistakes
	}
	out, err := json.Marshal(given)
	if err != nil {
		return raw, []error{err}
	}
	return out, nil
}

// eachNamed does for secrets by name what eachText does.
func eachNamed(raw json.RawMessage, path string, do func(path, text string) (string, error)) (json.RawMessage, []error) {
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil || given == nil {
		return raw, nil
	}
	var mistakes []error
	for name, text := range given {
		now, errs := oneText(text, path+name, do)
		given[name], mistakes = now, append(mistakes, errs...)
	}
	out, err := json.Marshal(given)
	if err != nil || len(mistakes) > 0 {
		return raw, append(mistakes, err)
	}
	return out, nil
}

func oneText(raw json.RawMessage, path string, do func(path, text string) (string, error)) (json.RawMessage, []error) {
	var text string
	if json.Unmarshal(raw, &text) != nil || text == "" {
		return raw, nil
	}
	now, err := do(path, text)
	if err != nil {
		return raw, []error{err}
	}
	if now == text {
		return raw, nil
	}
	out, err := json.Marshal(now)
	if err != nil {
		return raw, []error{err}
	}
	return out, nil
}

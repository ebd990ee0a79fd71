package connectors

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// overlay decodes the JSON object raw over the struct dst: keys that it names
// are replaced, nested objects key by key, the rest stays. It returns every
// mistake, named by its path, and never quotes a value, which may be a secret.
// [encoding/json] alone would stop at the first, and take "URL" for "url". Keys
// that are the operator's are refused unless the layer is.
func overlay(dst reflect.Value, raw json.RawMessage, path string, operator bool) []error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil || given == nil {
		return []error{fmt.Errorf("%s: expected an object", path)}
	}
	fields := map[string]int{}
	for i := range dst.NumField() {
		if key := jsonKey(dst.Type().Field(i)); key != "" {
			fields[key] = i
		}
	}
	var mistakes []error
	for _, key := range slices.Sorted(maps.Keys(given)) {
		at := path + "." + key
		i, known := fields[key]
		if !known {
			mistakes = append(mistakes, fmt.Errorf("%s: no such setting", at))
			continue
		}
		value, field := given[key], dst.Field(i)
		switch {
		case !operator && dst.Type().Field(i).Tag.Get("operator") == "true":
			mistakes = append(mistakes, fmt.Errorf("%s: is said in the configuration file alone", at))
		case bytes.Equal(value, []byte("null")):
			mistakes = append(mistakes, fmt.Errorf("%s: must not be null; leave it out", at))
		case field.Kind() == reflect.Struct && !readsText(field):
			mistakes = append(mistakes, overlay(field, value, at, operator)...)
		default:
			if err := decode(field, value); err != nil {
				mistakes = append(mistakes, fmt.Errorf("%s: %w", at, err))
			}
		}
	}
	return mistakes
}

// decode reads one value into a fresh copy of the field, so that a list or a
// map replaces the earlier one as a whole.
func decode(field reflect.Value, raw json.RawMessage) error {
	fresh := reflect.New(field.Type())
	strictly := json.NewDecoder(bytes.NewReader(raw))
	strictly.DisallowUnknownFields()
	err := strictly.Decode(fresh.Interface())
	if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(err, &mismatch) {
		return fmt.Errorf("expected %s", inWords(field.Type()))
	}
	if err != nil {
		return err
	}
	field.Set(fresh.Elem())
	return nil
}

// inWords names a type as a person writing settings knows it.
func inWords(t reflect.Type) string {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return "text"
	}
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "a whole number"
	case reflect.Slice, reflect.Array:
		return "a list of " + inWords(t.Elem())
	default:
		return "an object"
	}
}

// redact returns settings as they may be shown: an object in which every secret
// that is set reads "***".
func redact(v reflect.Value) map[string]any {
	shown := map[string]any{}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		key := jsonKey(field)
		switch value := v.Field(i); {
		case key == "" || field.Tag.Get("operator") == "true":
		case field.Tag.Get("secret") == "true":
			shown[key] = masked(value)
		case value.Kind() == reflect.Struct && !readsText(value):
			shown[key] = redact(value)
		case value.Kind() == reflect.Slice && value.IsNil():
			shown[key] = []any{} // null is refused when it is sent back
		default:
			shown[key] = value.Interface()
		}
	}
	return shown
}

// mask is what is shown in place of a secret.
const mask = "***"

// masked shows whether a secret is set, and of several by name which.
func masked(secret reflect.Value) any {
	switch {
	case secret.Kind() == reflect.Map:
		named := map[string]any{}
		for _, name := range secret.MapKeys() {
			named[name.String()] = masked(secret.MapIndex(name))
		}
		return named
	case secret.IsZero():
		return ""
	}
	return mask
}

// secretsOf lists the secrets that are set in settings.
func secretsOf(v reflect.Value) []string {
	var found []string
	eachSecret(v, "", func(_, secret string) { found = append(found, secret) })
	return found
}

// eachSecret calls do with every secret that is set in settings, and its path.
func eachSecret(v reflect.Value, path string, do func(path, secret string)) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		key := jsonKey(field)
		switch value := v.Field(i); {
		case key == "":
		case field.Tag.Get("secret") == "true":
			if value.Kind() == reflect.String && value.Len() > 0 {
				do(path+key, value.String())
			}
			if value.Kind() == reflect.Map {
				for _, name := range value.MapKeys() {
					if secret := value.MapIndex(name).String(); secret != "" {
						do(path+key+"."+name.String(), secret)
					}
				}
			}
		case value.Kind() == reflect.Struct && !readsText(value):
			eachSecret(value, path+key+".", do)
		}
	}
}

// Conceal returns what puts "***" in place of each secret, and of what it reads as
// inside of JSON and in Base64; the longest first, since one may hold another.
func Conceal(secrets []string) *strings.Replacer {
	var forms, pairs []string
	for _, secret := range secrets {
		quoted, _ := json.Marshal(secret) // text can be written
		forms = append(forms, secret, string(quoted[1:len(quoted)-1]), base64.StdEncoding.EncodeToString([]byte(secret)))
	}
	slices.SortStableFunc(forms, func(a, b string) int { return len(b) - len(a) })
	for _, form := range forms {
		pairs = append(pairs, form, mask)
	}
	return strings.NewReplacer(pairs...)
}

func readsText(v reflect.Value) bool {
	return reflect.PointerTo(v.Type()).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// jsonKey is the key of a field in settings, empty when it has none.
func jsonKey(f reflect.StructField) string {
	key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if !f.IsExported() || key == "-" {
		return ""
	}
	return key
}

package connectors

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// secretSource returns the secret of a name.
type secretSource func(name string) (string, error)

// SecretName returns the name in a setting that names a secret instead of
// holding it: "secret:NAME". ok is false for every other text.
func SecretName(setting string) (name string, ok bool) { return strings.CutPrefix(setting, "secret:") }

// WithSecrets returns the driver with a source for the secrets that settings
// name. Only a setting that is a secret may name one, so that none is ever put
// where it would be shown. What find returns goes to the connector alone.
func (r *Registered) WithSecrets(find func(name string) (string, error)) *Registered {
	with := *r
	with.secret = find
	return &with
}

// reveal puts the secrets that settings name in their place and returns every
// mistake, named by its key.
func reveal(settings reflect.Value, path string, secret secretSource) []error {
	var mistakes []error
	for i := range settings.NumField() {
		field, value := settings.Type().Field(i), settings.Field(i)
		key := jsonKey(field)
		switch {
		case key == "":
		case value.Kind() == reflect.Struct && !readsText(value):
			mistakes = append(mistakes, reveal(value, path+key+".", secret)...)
		case value.Kind() == reflect.String:
			mistakes = append(mistakes, revealOne(field, path+key, value.String(), secret, value.SetString)...)
		case value.Kind() == reflect.Map && value.Type().Elem().Kind() == reflect.String:
			for _, name := range slices.SortedFunc(slices.Values(value.MapKeys()), byText) {
				put := func(found string) { value.SetMapIndex(name, reflect.ValueOf(found)) }
				mistakes = append(mistakes, revealOne(field, path+key+"."+name.String(), value.MapIndex(name).String(), secret, put)...)
			}
		}
	}
	return mistakes
}

func byText(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }

// revealOne hands the secret that one setting names to put.
func revealOne(field reflect.StructField, path, setting string, secret secretSource, put func(string)) []error {
	name, named := SecretName(setting)
	if !named {
		return nil
	}
	found, err := findSecret(field, name, secret)
	if err != nil {
		return []error{fmt.Errorf("%s: %w", path, err)}
	}
	put(found)
	return nil
}

func findSecret(field reflect.StructField, name string, secret secretSource) (string, error) {
	switch {
	case field.Tag.Get("secret") != "true":
		return "", errors.New("is not a secret and cannot name one")
	case secret == nil:
		return "", fmt.Errorf("names the secret %q, and there is no source of secrets here", name)
	}
	return secret(name)
}

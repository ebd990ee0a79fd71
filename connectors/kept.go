package connectors

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// CheckKept refuses new settings, a JSON object like those that were, of which a secret
// would go to another address without being given: it was kept, comes from the
// configuration, is named as before, or is given as it is sealed. Whoever changes the
// address may not know it.
// Given is what the change says; for a new channel nothing was. Where a secret goes is
// said by the settings with the tag `origin:"true"`. The error joins a mistake for each
// secret, named by its path.
func (r *Registered) CheckKept(defaults map[string]any, was, is, given json.RawMessage) error {
	operators, err := json.Marshal(defaults)
	if err != nil {
		return fmt.Errorf("defaults of connector %s: %w", r.name, err)
	}
	lay := func(own json.RawMessage) reflect.Value {
		c := r.defaults()
		if len(defaults) > 0 {
			overlay(c, operators, "", true)
		}
		overlay(c, own, "", false) // what is wrong with it is said by Configure
		return c
	}
	before, after := lay(was), lay(is)
	if reflect.DeepEqual(origins(before, ""), origins(after, "")) {
		return nil
	}
	said := reflect.New(after.Type()).Elem()
	overlay(said, given, "", false)
	earlier, again := secretsAt(before), secretsAt(said)
	whole := secretsAt(after)
	var mistakes []error
	for _, path := range slices.Sorted(maps.Keys(whole)) {
		secret := again[path]
		_, named := SecretName(secret)
		if secret == "" || secret == mask || strings.HasPrefix(secret, sealedMark) || named && slices.Contains(slices.Collect(maps.Values(earlier)), secret) {
			mistakes = append(mistakes, fmt.Errorf("%s: say the secret itself again, or name another one: the address changes, and one that is kept does not go there", path))
		}
	}
	return errors.Join(mistakes...)
}

// origins returns the settings that say where secrets go, by their paths.
func origins(settings reflect.Value, path string) map[string]any {
	found := map[string]any{}
	for i := range settings.NumField() {
		field, value := settings.Type().Field(i), settings.Field(i)
		key := jsonKey(field)
		switch {
		case key == "":
		case field.Tag.Get("origin") == "true":
			found[path+key] = value.Interface()
		case value.Kind() == reflect.Struct && !readsText(value):
			maps.Copy(found, origins(value, path+key+"."))
		}
	}
	return found
}

// secretsAt returns the secrets that are set in settings, by their paths.
func secretsAt(settings reflect.Value) map[string]string {
	found := map[string]string{}
	eachSecret(settings, "", func(path, secret string) { found[path] = secret })
	return found
}

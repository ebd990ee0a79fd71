package config

import (
	"fmt"
	"slices"
)

// masked are keys whose values are of persons.
var masked = []string{"notify.smtp_user", "notify.from"}

// set is shown of a value that is not.
const set = "(set)"

// Masked returns the configuration as whoever helps may see it, by the path of each key:
// of secrets whether they are files or credentials, of connectors' tables no text, which may
// be a secret in the wrong place.
func (c Config) Masked() map[string]any {
	shown := map[string]any{}
	for _, k := range keys {
		value := fmt.Sprint(k.of(c))
		if slices.Contains(masked, k.path) && value != "" {
			value = set
		}
		shown[k.path] = value
	}
	for name, n := range c.RateLimits.Tiers {
		shown["rate_limits.tiers."+name] = n
	}
	for name, source := range c.Secrets {
		kind := "file"
		if source.IsCredential() {
			kind = "credential"
		}
		shown["secrets."+name] = kind
	}
	for name, table := range c.Connectors {
		maskTable(shown, connectorTables+"."+name, table)
	}
	return shown
}

func maskTable(shown map[string]any, path string, table map[string]any) {
	for key, value := range table {
		at := path + "." + key
		switch v := value.(type) {
		case map[string]any:
			maskTable(shown, at, v)
		case bool, int64, float64:
			shown[at] = v
		default:
			shown[at] = set
		}
	}
}

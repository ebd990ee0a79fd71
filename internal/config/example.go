package config

import (
	_ "embed"
	"strconv"
	"strings"

	"ostler.example/connectors"
)

//go:embed example.toml
var example string

// Example returns a configuration file with every key commented out, the keys of
// all connectors of this program among them. Only the data folder is set, unless
// it is "".
func Example(data string) string {
	var b strings.Builder
	b.WriteString(example)
	for _, name := range connectors.Names() {
		driver, _ := connectors.Lookup(name)
		b.WriteString("\n# Connector " + name + ": " + driver.Summary() + ".\n# What stands here holds for each of its channels that does not say otherwise.\n")
		b.WriteString("[" + connectorTables + "." + name + "]\n" + strings.TrimSpace(driver.Example()) + "\n")
	}
	if data == "" {
		return b.String()
	}
	return strings.Replace(b.String(), "# data = "+strconv.Quote(Default().Data), "data = "+strconv.Quote(data), 1)
}

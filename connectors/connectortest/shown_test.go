package connectortest

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// TestEveryPromiseIsShown: docs/connectors.md says of whatever a channel can declare which
// cases show it, and these cases there are.
func TestEveryPromiseIsShown(t *testing.T) {
	text, err := os.ReadFile("../../docs/connectors.md")
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([A-Za-z]+)`")
	_, rows, _ := strings.Cut(string(text), "| declared | shown by |")
	rows, _, _ = strings.Cut(rows, "\n\n")
	var told []string
	for row := range strings.Lines(rows) {
		columns := strings.Split(row, "|")
		if len(columns) != 4 {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(columns[1], -1) {
			told = append(told, m[1])
		}
		for _, m := range quoted.FindAllStringSubmatch(columns[2], -1) {
			if !slices.Contains(Cases(), m[1]) {
				t.Errorf("%s is shown by %s, which is no case", columns[1], m[1])
			}
		}
	}
	for _, of := range []reflect.Type{reflect.TypeFor[hotel.Terms](), reflect.TypeFor[hotel.Carriage](), reflect.TypeFor[connectors.Capabilities]()} {
		for field := range of.Fields() {
			if !slices.Contains(told, field.Name) {
				t.Errorf("docs/connectors.md does not say what shows %s of %s", field.Name, of)
			}
		}
	}
}

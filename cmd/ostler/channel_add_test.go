package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// Settings of every type are written on the command line, and what cannot be is told by
// its key.
func TestPutSettings(t *testing.T) {
	var schema object
	if err := json.Unmarshal([]byte(`{
		"url": {"type": "string"}, "calls": {"type": "integer"}, "deep": {"type": "boolean"}, "rate": {"type": "number"},
		"hosts": {"type": "array"}, "settings": {"type": "object"}, "inner": {"type": "object", "properties": {"n": {"type": "integer"}}}
	}`), &schema); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ key, value, want string }{
		{"url", "http://x?a=b;c", `{"url":"http://x?a=b;c"}`},
		{"calls", "5", `{"calls":5}`},
		{"calls", "five", `expected a whole number, not "five"`},
		{"deep", "true", `{"deep":true}`},
		{"deep", "maybe", `expected true or false`},
		{"rate", "1.5", `{"rate":1.5}`},
		{"hosts", "a,b", `{"hosts":["a","b"]}`},
		{"hosts", `["a,b"]`, `{"hosts":["a,b"]}`},
		{"hosts", `{"a":1}`, "expected an array"},
		{"hosts", "[", "expected JSON"},
		{"settings", `{"a":[1,{"b":null}]}`, `{"settings":{"a":[1,{"b":null}]}}`},
		{"settings", "a", "member by member as KEY.MEMBER=VALUE"},
		{"settings", "[]", "expected an object"},
		{"settings.hotel", "0123", `{"settings":{"hotel":"0123"}}`},
		{"settings.rooms", `["a"]`, `{"settings":{"rooms":["a"]}}`},
		{"inner.n", "7", `{"inner":{"n":7}}`},
		{"inner.n", "x", "expected a whole number"},
		{"url.path", "x", "url is of type string and has no members"},
		{"unknown", "x", `{"unknown":"x"}`},
	} {
		settings := map[string]any{}
		err := put(settings, schema, strings.Split(c.key, "."), c.value)
		got, _ := json.Marshal(settings)
		if err != nil {
			got = []byte(err.Error())
		}
		if !strings.Contains(string(got), c.want) {
			t.Errorf("%s=%s: %s, want %s", c.key, c.value, got, c.want)
		}
	}
}

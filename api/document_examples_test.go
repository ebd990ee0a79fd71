package api

import (
	"encoding/json"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// Every body has an example, which its schema lets through.
func TestExamplesFitTheirSchemas(t *testing.T) {
	h := newHouse(t)
	doc := h.handler.(*server).document()
	check := func(what string, mode huma.ValidateMode, content *huma.MediaType) {
		t.Helper()
		text, err := json.Marshal(content.Example)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(text, &v); err != nil || v == nil {
			t.Errorf("%s has no example: %v", what, err)
			return
		}
		found := &huma.ValidateResult{}
		huma.Validate(doc.Components.Schemas, content.Schema, huma.NewPathBuffer(nil, 0), mode, v, found)
		for _, err := range found.Errors {
			t.Errorf("%s: %v in %s", what, err, text)
		}
	}
	for path, item := range doc.Paths {
		if path == "/openapi.json" || path == "/openapi.yaml" {
			continue
		}
		for method, op := range operationsOf(item) {
			if op.RequestBody != nil {
				for media, content := range op.RequestBody.Content {
					if media != mediaCSV {
						check(method+" "+path+" "+media, huma.ModeWriteToServer, content)
					}
				}
			}
			for status, r := range op.Responses {
				for media, content := range answerOf(doc, r).Content {
					if media != mediaCSV {
						check(method+" "+path+" "+status, huma.ModeReadFromServer, content)
					}
				}
			}
		}
	}
}

package api

import "github.com/danielgtaylor/huma/v2"

// bodyAbsent is what huma says where an operation needs a body and none was sent.
const bodyAbsent = "request body is required"

// lacking tells whoever sent no body what it lacks, as if it had been an empty object. Of a
// body that needs no member, as of a patch, there is nothing to tell: its sender lost it.
func lacking(op *huma.Operation) []error {
	doc, known := op.Metadata[documentKey].(*huma.OpenAPI)
	if !known || op.RequestBody.Content[mediaJSON] == nil || op.RequestBody.Content[mediaCSV] != nil {
		return nil // a table has no members
	}
	at, found := huma.NewPathBuffer(nil, 0), &huma.ValidateResult{}
	at.Push("body")
	huma.Validate(doc.Components.Schemas, op.RequestBody.Content[mediaJSON].Schema, at, huma.ModeWriteToServer, map[string]any{}, found)
	return found.Errors
}

package api

import (
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// documentOAuth writes the OAuth endpoints into the document, which huma does
// not know of.
func (s *server) documentOAuth() {
	text := &huma.Schema{Type: huma.TypeString}
	token := map[string]*huma.Schema{"token": text, "token_type_hint": text, "client_id": text, "client_secret": text}
	grant := map[string]*huma.Schema{
		"grant_type": {Type: huma.TypeString, Enum: []any{grantClientCredentials}},
		"scope":      text, "client_id": text, "client_secret": text,
	}
	s.documentForm("/oauth/token", "create-token", "Get an access token (RFC 6749)", grant, "grant_type", tokenBody{})
	s.documentForm("/oauth/revoke", "revoke-token", "End an access token (RFC 7009)", token, "token", struct{}{})
	s.documentForm("/oauth/introspect", "introspect-token", "Look at an access token (RFC 7662)", token, "token", introspectionBody{})
}

func (s *server) documentForm(path, id, summary string, members map[string]*huma.Schema, required string, reply any) {
	registry := s.api.OpenAPI().Components.Schemas
	object := &huma.Schema{Type: huma.TypeObject}
	if t := reflect.TypeOf(reply); t.NumField() > 0 {
		object = registry.Schema(t, true, "")
	}
	failure := func(status int) *huma.Response {
		return &huma.Response{
			Description: http.StatusText(status),
			Content:     map[string]*huma.MediaType{mediaJSON: {Schema: registry.Schema(reflect.TypeFor[oauthError](), true, "")}},
		}
	}
	waiting := failure(http.StatusServiceUnavailable)
	waiting.Description = "The server cannot store a token, or the end of one, just now: temporarily_unavailable."
	waiting.Headers = map[string]*huma.Param{"Retry-After": {Description: "Seconds to wait.", Schema: &huma.Schema{Type: huma.TypeInteger}}}
	op := huma.Operation{
		OperationID: id, Method: http.MethodPost, Path: path, Summary: summary, Tags: []string{tagOAuth},
		Description: "The client authenticates with HTTP Basic, both parts form-urlencoded, or with client_id and client_secret in the form.",
		RequestBody: &huma.RequestBody{
			Required: true,
			Content: map[string]*huma.MediaType{mediaForm: {Schema: &huma.Schema{
				Type: huma.TypeObject, Properties: members, Required: []string{required},
			}}},
		},
		Responses: map[string]*huma.Response{
			"200": {Description: "OK", Content: map[string]*huma.MediaType{mediaJSON: {Schema: object}}},
			"400": failure(http.StatusBadRequest),
			"401": failure(http.StatusUnauthorized),
			"429": failure(http.StatusTooManyRequests),
			"500": failure(http.StatusInternalServerError),
			"503": waiting,
		},
	}
	access{public: true}.describe(&op)
	s.api.OpenAPI().AddOperation(&op)
}

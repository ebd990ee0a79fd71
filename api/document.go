package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/yaml"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// securityScheme is the name of OAuth in the document.
const securityScheme = "oauth2"

// claimScheme is the name of claim tokens in the document.
const claimScheme = "claim_token"

// The tags group operations in the document.
const (
	tagService      = "Service"
	tagOAuth        = "OAuth"
	tagAvailability = "Availability"
	tagReservations = "Reservations"
	tagGuests       = "Guests"
	tagInventory    = "Inventory, rates, restrictions"
	tagStructure    = "Properties, room types, rate plans, pools"
	tagClients      = "Clients"
	tagSandbox      = "Sandbox"
	tagAccess       = "Access"
	tagChannels     = "Channels"
	tagEvents       = "Events"
	tagWebhooks     = "Webhooks"
	tagReports      = "Reports"
)

// newDocument begins the OpenAPI document, which huma completes operation by
// operation.
func newDocument(version string) *huma.OpenAPI {
	scopes := map[string]string{}
	for _, s := range auth.AllScopes().List() {
		scopes[string(s)] = string(s)
	}
	schemas := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	knowDates(schemas)
	schemas.RegisterTypeAlias(reflect.TypeFor[hotel.Money](), reflect.TypeFor[money]())
	return &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title:   "Ostler",
			Contact: &huma.Contact{Name: "Whoever runs the installation"},
			Version: version,
			Description: "Hotel operations: availability, reservations, stock, prices and restrictions, and the channels that sell them.\n\n" +
				"QUERY /availability (RFC 10008) takes the body of GET /availability; this version of OpenAPI has no word for the method.",
		},
		Servers: []*huma.Server{{URL: prefix}},
		Components: &huma.Components{
			Schemas: schemas,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				securityScheme: {
					Type: "oauth2",
					Flows: &huma.OAuthFlows{
						ClientCredentials: &huma.OAuthFlow{TokenURL: prefix + "/oauth/token", Scopes: scopes},
					},
				},
				claimScheme: {
					Type: "http", Scheme: "bearer", BearerFormat: auth.ClaimPrefix + "…",
					Description: "claim_token of the answer to POST /access-requests, in the Authorization header: it is shown that once, and good for that request alone.",
				},
			},
		},
	}
}

// registerDocument serves the document, in both forms.
func (s *server) registerDocument() {
	s.serveDocument("get-openapi", "/openapi.json", mediaJSON, s.documentJSON)
	s.serveDocument("get-openapi-yaml", "/openapi.yaml", "application/yaml", s.documentYAML)
}

func (s *server) serveDocument(id, path, media string, write func() ([]byte, error)) {
	op := huma.Operation{
		OperationID: id, Method: http.MethodGet, Path: path,
		Summary: "This document", Tags: []string{tagService},
		Parameters: []*huma.Param{{Name: "If-None-Match", In: "header", Schema: &huma.Schema{Type: huma.TypeString}, Description: "Answers 304 when the document still has this ETag."}},
		Responses: map[string]*huma.Response{"200": {
			Description: "OK",
			Content:     map[string]*huma.MediaType{media: {Schema: &huma.Schema{Type: huma.TypeObject}}},
		}},
	}
	access{public: true}.describe(&op)
	s.api.OpenAPI().AddOperation(&op)
	file := s.file(media, write)
	s.route(op.Method, prefix+op.Path, access{public: true}, func(w http.ResponseWriter, r *http.Request) {
		for name := range r.URL.Query() {
			s.refuse(w, callOf(r.Context()), unknownParameter(name))
			return
		}
		file(w, r)
	})
}

// file serves what changes with the program only. It is written when it is first
// asked for, by when every operation is registered.
func (s *server) file(media string, write func() ([]byte, error)) http.HandlerFunc {
	text := sync.OnceValues(write)
	return func(w http.ResponseWriter, r *http.Request) {
		b, err := text()
		if err != nil {
			s.refuse(w, callOf(r.Context()), fmt.Errorf("write %s: %w", r.URL.Path, err))
			return
		}
		sum := sha256.Sum256(b)
		tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
		h := w.Header()
		h.Set("ETag", tag)
		h.Set("Cache-Control", publicCache)
		if matches(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Type", media)
		_, _ = w.Write(b) // whoever asked has gone
	}
}

// publicCache is for what changes with the program only.
const publicCache = "public, max-age=300"

// documentJSON writes the document as JSON.
func (s *server) documentJSON() ([]byte, error) {
	doc := s.document()
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	var written map[string]any
	if err := json.Unmarshal(text, &written); err != nil {
		return nil, err
	}
	if err := nullable(doc, written); err != nil {
		return nil, err
	}
	unmodified(written)
	return json.Marshal(written)
}

// unmodified says which operations can answer that nothing has changed.
func unmodified(written map[string]any) {
	paths, _ := written["paths"].(map[string]any)
	for _, item := range paths {
		operations, _ := item.(map[string]any)
		get, _ := operations["get"].(map[string]any)
		parameters, _ := get["parameters"].([]any)
		for _, p := range parameters {
			if p, _ := p.(map[string]any); p["name"] == "If-None-Match" {
				responses, _ := get["responses"].(map[string]any)
				responses["304"] = map[string]any{"description": "The sender holds it as it is."}
			}
		}
	}
}

// documentYAML writes the document as YAML.
func (s *server) documentYAML() ([]byte, error) {
	text, err := s.documentJSON()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = yaml.Convert(&out, bytes.NewReader(text))
	return out.Bytes(), err
}

package api

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
)

var update = flag.Bool("update", false, "write openapi.yaml anew")

// The document is committed, so that a change of the contract is seen in review.
func TestDocumentIsCurrent(t *testing.T) {
	h := newHouse(t)
	s := h.handler.(*server)
	now, err := s.documentYAML()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.yaml", now, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile("openapi.yaml")
	if err != nil || string(committed) != string(now) {
		t.Errorf("openapi.yaml is not what the program says; write it with: go test ./api -run TestDocumentIsCurrent -update (%v)", err)
	}
}

func TestDocumentIsServed(t *testing.T) {
	h := newHouse(t)
	got := h.call("GET", "/v1/openapi.json", "", "Authorization:").want(t, 200, "")
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]any
	}
	if err := json.Unmarshal(got.body, &doc); err != nil || doc.OpenAPI != "3.1.0" {
		t.Fatal(err, doc.OpenAPI)
	}
	for _, path := range []string{"/", "/health", "/availability", "/oauth/token", "/reservations/{id}/cancel", "/rates/updates", "/openapi.json"} {
		if doc.Paths[path] == nil {
			t.Errorf("%s is missing", path)
		}
	}
	public := 0
	for path, of := range doc.Paths {
		operation, _ := of["get"].(map[string]any)
		if security, said := operation["security"].([]any); !said || len(security) > 0 || strings.Contains(path, "{") {
			continue
		}
		public++
		if h.call("GET", "/v1"+path+"?what=1", "", "Authorization:").want(t, 400, "unknown_parameter"); operation["responses"].(map[string]any)["400"] == nil {
			t.Errorf("%s does not say that it may answer 400", path)
		}
	}
	if public < 6 {
		t.Errorf("%d addresses need no token", public)
	}
	if again := h.call("GET", "/v1/openapi.json", "", "If-None-Match: "+got.Header.Get("ETag")); again.StatusCode != 304 {
		t.Errorf("not modified: %d", again.StatusCode)
	}
	service := h.call("GET", "/v1/", "", "Authorization:").want(t, 200, "").json(t)
	if service["version"] != "1.0.0" || service["links"].(map[string]any)["reservations"] != "https://hotel.example/v1/reservations" {
		t.Errorf("service %v", service)
	}
}

// Whoever reads the document alone finds of every operation what it is for, what it
// takes and what it may answer.
func TestDocumentIsComplete(t *testing.T) {
	h := newHouse(t)
	doc := h.handler.(*server).document()
	ids := map[string]bool{}
	for path, item := range doc.Paths {
		for method, op := range operationsOf(item) {
			wrong := func(format string, args ...any) {
				t.Helper()
				t.Errorf("%s %s: %s", method, path, fmt.Sprintf(format, args...))
			}
			if op.OperationID == "" || ids[op.OperationID] || op.Summary == "" || len(op.Tags) != 1 || op.Security == nil {
				wrong("id %q, summary %q, tags %v, security %v", op.OperationID, op.Summary, op.Tags, op.Security)
			}
			ids[op.OperationID] = true
			for part := range strings.SplitSeq(path, "/") {
				name, variable := strings.CutPrefix(strings.TrimSuffix(part, "}"), "{")
				if variable && !slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "path" && p.Name == name && p.Required }) {
					wrong("%s is not described", part)
				}
			}
			if op.RequestBody != nil {
				for media, content := range op.RequestBody.Content {
					if content.Schema == nil {
						wrong("the body %s has no schema", media)
					}
				}
			}
			well, ill := 0, 0
			for status, r := range op.Responses {
				r = answerOf(doc, r)
				if r.Description == "" {
					wrong("%s is not described", status)
				}
				for media, content := range r.Content {
					if content.Schema == nil || content.Schema.Ref != "" && doc.Components.Schemas.SchemaFromRef(content.Schema.Ref) == nil {
						wrong("%s has no schema of %s", status, media)
					}
				}
				switch {
				case strings.HasPrefix(status, "2"):
					well++
				case len(r.Content) > 0:
					ill++
				}
			}
			if well == 0 || ill == 0 && path != "/openapi.json" && path != "/openapi.yaml" {
				wrong("%d answers when it goes well, %d when it does not", well, ill)
			}
		}
	}
}

// answerOf follows the reference to an answer that several operations give.
func answerOf(doc *huma.OpenAPI, r *huma.Response) *huma.Response {
	if name, shared := strings.CutPrefix(r.Ref, "#/components/responses/"); shared {
		return doc.Components.Responses[name]
	}
	return r
}

// Every way by which a change of a booking comes in is in the document.
func TestOriginsAreInTheDocument(t *testing.T) {
	h := newHouse(t)
	schemas := h.handler.(*server).api.OpenAPI().Components.Schemas
	known := schemas.SchemaFromRef(schemas.Schema(reflect.TypeFor[revisionBody](), true, "").Ref).Properties["origin"].Enum
	for _, kind := range []hotel.ActorKind{hotel.ActorChannel, hotel.ActorOperator, hotel.ActorSystem, hotel.ActorUser, hotel.ActorClient} {
		if origin := originOf(hotel.Actor{Kind: kind}); !slices.Contains(known, any(origin)) {
			t.Errorf("%s is none of %v", origin, known)
		}
	}
}

// What only the routes below /oauth answer, in another form, is no example of the others.
func TestTokensAreWhatRoutesRefuse(t *testing.T) {
	if got := codesByStatus()[http.StatusUnauthorized]; !slices.Equal(got, []string{"invalid_token", "missing_token"}) {
		t.Errorf("401: %v", got)
	}
}

// What lets a request through besides one scope is published: the claim token of who asked
// for access, and a second scope.
func TestWhatElseIsNeededIsInTheDocument(t *testing.T) {
	doc := newHouse(t).handler.(*server).document()
	if scheme := doc.Components.SecuritySchemes[claimScheme]; scheme == nil || scheme.Type != "http" || scheme.Scheme != "bearer" {
		t.Errorf("claim tokens are %+v", scheme)
	}
	claim := doc.Paths["/access-requests/{id}/claim"].Post
	if got := fmt.Sprint(claim.Security); got != "[map[claim_token:[]] map[oauth2:[admin:clients]]]" || claim.Extensions["x-required-scope"] != nil {
		t.Errorf("a claim needs %s, %v", got, claim.Extensions)
	}
	if got := fmt.Sprint(doc.Paths["/imports/reservations"].Post.Security); got != "[map[oauth2:[reservations:write reservations:override]]]" {
		t.Errorf("an import needs %s", got)
	}
}

// What is asked for by its id is stored, and says when and how often it has changed, but for
// what is worked out, or a part of something that says it.
func TestWhatIsStoredSaysItsRevision(t *testing.T) {
	parts := []string{
		"/access-requests/{id}/certification", "/channels/{id}/explain", "/channels/{id}/mappings", "/channels/{id}/plan", "/channels/{id}/policies",
		"/guests/{id}/export", "/guests/{id}/preferences", "/properties/{id}/notifications", "/properties/{id}/policies", "/events/{id}",
	}
	doc := newHouse(t).handler.(*server).document()
	found := 0
	for path, of := range doc.Paths {
		if of.Get == nil || !strings.Contains(path, "{id}") || slices.Contains(parts, path) {
			continue
		}
		content := of.Get.Responses["200"].Content[mediaJSON]
		if content == nil {
			continue
		}
		shown := content.Schema
		if shown.Ref != "" {
			shown = doc.Components.Schemas.SchemaFromRef(shown.Ref)
		}
		if list := shown.Properties["data"]; list != nil {
			continue
		}
		found++
		for _, member := range []string{"id", "created_at", "updated_at", "revision"} {
			if shown.Properties[member] == nil {
				t.Errorf("%s shows no %s", path, member)
			}
		}
	}
	if found < 18 {
		t.Errorf("only %d resources were looked at", found)
	}
}

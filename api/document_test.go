package api

import (
	"encoding/json"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write openapi.yaml anew")

// The document is committed, so that a change of the contract is seen in review.
func TestDocumentIsCurrent(t *testing.T) {
	h := newHouse(t)
	s := h.handler.(*server)
	now, err := s.api.OpenAPI().YAML()
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
	if again := h.call("GET", "/v1/openapi.json", "", "If-None-Match: "+got.Header.Get("ETag")); again.StatusCode != 304 {
		t.Errorf("not modified: %d", again.StatusCode)
	}
	service := h.call("GET", "/v1/", "", "Authorization:").want(t, 200, "").json(t)
	if service["version"] != "1.0.0" || service["links"].(map[string]any)["reservations"] != "https://hotel.example/v1/reservations" {
		t.Errorf("service %v", service)
	}
}

package api

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
)

// Every operation that takes If-Match refuses another revision, and says with it the
// ETag that the resource's GET has: whoever sends that has seen what there is. Neither
// the refusal nor asking for the tag shows anybody a guest.
func TestARefusedRevisionComesWithThePresentTag(t *testing.T) {
	h := newAuditedHouse(t)
	h.ids["/access-requests/"] = h.made("/v1/access-requests", `{"kind":"technology_partner","preset":"rms",`+useCase+`}`)["id"].(string)
	h.call("PATCH", "/v1/guests/"+h.ids["/guests/"], `{"company":"Analytical Engines"}`).want(t, 200, "")
	secrets := map[string]string{}
	for _, at := range []string{"/client", "/clients/{id}"} {
		secrets[at+"/secrets/{sid}"] = h.call("POST", h.target(at)+"/secrets", "").want(t, 201, "").json(t)["id"].(string)
	}
	paths := h.handler.(*server).document().Paths
	checked := 0
	for _, at := range slices.Sorted(maps.Keys(paths)) {
		for method, op := range operationsOf(paths[at]) {
			takes := slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "header" && p.Name == "If-Match" })
			if !takes || strings.Contains(at, "{date}") { // a cell has no address to read it at
				continue
			}
			target := strings.Replace(h.target(at), "{sid}", secrets[at], 1)
			resource := target
			if paths[at].Get == nil {
				resource = path.Dir(resource)
			}
			body := ""
			if op.RequestBody != nil {
				body = text(h.object(h.resolve(op.RequestBody.Content[mediaJSON].Schema), false))
			}
			checked++
			refused := h.call(method, target, body, `If-Match: "r999"`, "X-Request-Id: tag-"+op.OperationID)
			if refused.StatusCode != 412 {
				t.Errorf("%s %s: %d %s", method, at, refused.StatusCode, refused.body)
				continue
			}
			now := h.call("GET", resource, "").want(t, 200, "").Header.Get("ETag")
			if got := refused.Header.Get("ETag"); now == "" || got != now {
				t.Errorf("%s %s: ETag %s, its GET has %s", method, at, got, now)
			}
		}
	}
	for id := range h.shown() {
		if strings.HasPrefix(id, "tag-") {
			t.Errorf("it is noted that somebody was shown a guest by %s", id)
		}
	}
	if checked < 30 {
		t.Errorf("%d operations were looked at", checked)
	}
}

package console

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// post calls receivers that are out of order.
type post struct{ desk.Post }

func (post) CheckAddress(string) error { return nil }

func (post) Ping(context.Context, hotel.WebhookEndpoint, hotel.WebhookDelivery, json.RawMessage) hotel.WebhookOutcome {
	return hotel.WebhookOutcome{WebhookAttempt: hotel.WebhookAttempt{At: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC), Status: 503, Excerpt: "out of order"}}
}

// everywhere is the browser of somebody with a role in every house.
func (s *site) everywhere(t *testing.T, r auth.Role) *browser {
	t.Helper()
	name := "every_" + string(r)
	if _, err := s.users.Add(t.Context(), by, name, secret, map[string]auth.Role{auth.AllProperties: r}); err != nil {
		t.Fatal(err)
	}
	return s.as(t, name)
}

// asks makes an access request, and returns its maker.
func (s *site) asks(t *testing.T) (id string, maker desk.Caller) {
	t.Helper()
	r, token, _, err := s.desk.RequestAccess(t.Context(), desk.Caller{}, auth.AccessRequest{
		Organisation: "Tours", ContactName: "Ada Lovelace", ContactEmail: "ada@example.com", Kind: "technology_partner", Preset: "bi", UseCase: "Figures, each night.",
		Scopes: auth.ScopesOf(auth.ReportsRead, auth.GuestsRead), PropertyIDs: []string{s.house.Property.ID},
	})
	if err != nil {
		t.Fatal(err)
	}
	who, err := s.auth.Claimant(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	return r.ID, desk.Caller{Who: who}
}

// claim takes the credentials that wait.
func (s *site) claim(t *testing.T, id string, maker desk.Caller) auth.NewClient {
	t.Helper()
	made, err := s.desk.ClaimAccess(t.Context(), maker, id, 0)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// A partner asks, tests, and gets access: the house decides twice, and each client is
// there once it was claimed. Whoever saw who asks is written down.
func TestAPartnerGetsAccess(t *testing.T) {
	s := newSite(t)
	id, maker := s.asks(t)
	b := s.everywhere(t, auth.RoleOwner)
	at := s.path("partners/requests/" + id)
	list := b.get(s.path("partners")).body
	shows(t, list, `href="`+at+`"`, "Tours", "asks")
	if strings.Contains(list, "Lovelace") || s.shownTo(t, id) != "" {
		t.Error("the list names who asks")
	}
	page := b.get(at).body
	shows(t, page, "Ada Lovelace", "ada@example.com", "Figures, each night.", "see reports", `value="reports:read" checked`, `value="rates:read">`)
	if got := s.shownTo(t, id); got != "console.access-request" {
		t.Errorf("shown by %s", got)
	}
	revision := field(t, page, "revision")
	if r := b.post(at, url.Values{"revision": {revision}, "step": {"reject"}}); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "say why") {
		t.Errorf("refused without a reason: %d", r.status)
	}
	if r := b.post(at, url.Values{"revision": {revision}, "step": {"approve-sandbox"}, "message": {"Welcome"}}); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "choose what it may do") || !strings.Contains(r.body, "Welcome</textarea>") {
		t.Errorf("granted nothing: %d", r.status)
	}
	r := b.post(at, url.Values{"revision": {revision}, "step": {"approve-sandbox"}, "scope": {"reports:read", "guests:read"}, "message": {"Welcome"}})
	shows(t, r.body, "has not claimed them yet", "Welcome", "tests")
	if r := b.post(at, url.Values{"revision": {revision}, "step": {"reject"}, "message": {"no"}}); r.status != http.StatusConflict {
		t.Errorf("decided what somebody else has decided: %d", r.status)
	}
	sandboxed := s.claim(t, id, maker)
	page = b.get(at).body
	shows(t, page, sandboxed.ID, "pending", `name="step" value="waive"`)
	for _, check := range []string{"token_obtained", "etag_used", "rate_limit_headers_respected", "errors_below_5pct"} {
		page = b.post(at, url.Values{"revision": {field(t, page, "revision")}, "step": {"waive"}, "check": {check}}).body
	}
	shows(t, page, "waived")
	if strings.Contains(page, "pending") {
		t.Fatalf("checks are pending:\n%s", page)
	}
	if _, _, err := s.desk.SubmitCertification(t.Context(), maker, id, 0); err != nil {
		t.Fatal(err)
	}
	page = b.get(at).body
	form := url.Values{"revision": {field(t, page, "revision")}, "step": {"approve-production"}, "scope": {"reports:read"}, "tier": {"partner"}}
	if r := b.post(at, form); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "choose at least one house") {
		t.Errorf("granted no house: %d", r.status)
	}
	form.Set("property", s.house.Property.ID)
	shows(t, b.post(at, form).body, "has access", "credentials of production wait")
	live := s.claim(t, id, maker)
	if live.Tier != "partner" || live.Scopes != auth.ScopesOf(auth.ReportsRead) || live.Environment != auth.Production {
		t.Errorf("made %+v", live.Client)
	}
	shows(t, b.get(s.path("partners")).body, live.ID, "Decided")
	page = b.get(at).body
	shows(t, page, s.path("partners/clients/"+live.ID))
	shows(t, b.post(at, url.Values{"revision": {field(t, page, "revision")}, "step": {"revoke"}, "message": {"Over."}}).body, "Access was taken back", "Over.")
	shows(t, b.get(s.path("partners/clients/"+live.ID)).body, "revoked")
}

// A client has at most two secrets, and each is shown once: whoever sends the form again
// gets no other.
func TestSecretsAreShownOnce(t *testing.T) {
	s := newSite(t)
	b := s.everywhere(t, auth.RoleOwner)
	page := b.get(s.path("partners/clients/new")).body
	form := url.Values{"key": {field(t, page, "key")}, "name": {""}, "kind": {"bi"}, "tier": {"standard"}, "scope": {"reports:read"}, "property": {s.house.Property.ID}, "ip_allowlist": {"192.0.2.0/24"}}
	if r := b.post(s.path("partners/clients/new"), form); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "give it a name") || !strings.Contains(r.body, "192.0.2.0/24</textarea>") {
		t.Errorf("without a name: %d", r.status)
	}
	form.Set("name", "Figures")
	made := b.post(s.path("partners/clients/new"), form).body
	shows(t, made, "kept nowhere", `id="secret"`, "192.0.2.0/24", "see reports")
	again := b.post(s.path("partners/clients/new"), form).body
	shows(t, again, "sent before")
	if strings.Contains(again, `id="secret"`) {
		t.Error("the secret is shown twice")
	}
	list, err := s.auth.Clients(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatalf("%d clients: %v", len(list), err)
	}
	at := s.path("partners/clients/" + list[0].ID)
	page = b.get(at).body
	if strings.Contains(page, `id="secret"`) || strings.Contains(page, "sls_") {
		t.Error("a secret is shown later")
	}
	if r := b.post(at+"/secrets", url.Values{"key": {"k"}, "days": {"7"}}); r.status != http.StatusUnprocessableEntity {
		t.Errorf("another term: %d", r.status)
	}
	second := b.post(at+"/secrets", url.Values{"key": {field(t, page, "key")}, "days": {"90"}}).body
	shows(t, second, `id="secret"`, "ends 20 Feb", "It has two.")
	secrets, err := s.auth.Secrets(t.Context(), list[0].ID)
	if err != nil || len(secrets) != 2 {
		t.Fatalf("%d secrets: %v", len(secrets), err)
	}
	if r := b.post(at+"/secrets", url.Values{"key": {"other"}, "days": {"0"}}); r.status != http.StatusUnprocessableEntity && r.status != http.StatusConflict {
		t.Errorf("a third one: %d", r.status)
	}
	if page = b.post(at+"/secrets/"+secrets[0].ID+"/drop", nil).body; strings.Contains(page, secrets[0].ID) {
		t.Error("a secret that was ended is listed")
	}
}

func TestClientsAreChangedAndStopped(t *testing.T) {
	s := newSite(t)
	c, err := s.auth.CreateClient(t.Context(), by, hotel.Once{}, auth.Client{Name: "Figures", Environment: auth.Production, Kind: "bi", Scopes: auth.ScopesOf(auth.ReportsRead, auth.GuestsRead), PropertyIDs: []string{s.house.Property.ID}})
	if err != nil {
		t.Fatal(err)
	}
	at := s.path("partners/clients/" + c.ID)
	s.auth.Count(c.Who())
	s.auth.NoteAnswer(c.Who(), 200, time.Millisecond)
	s.auth.NoteAnswer(c.Who(), 404, time.Millisecond)
	if err := s.auth.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	b := s.everywhere(t, auth.RoleOperator)
	page := b.get(at).body
	shows(t, page, "1 of 1,000", "2 calls in 30 days", "Last called on Sun 22 Nov 2026", "You cannot add a secret", "see guests")
	form := b.get(at + "/edit").body
	shows(t, form, "which you may not grant and which stays")
	shows(t, b.post(at+"/edit", url.Values{"revision": {field(t, form, "revision")}, "name": {"Nightly"}, "tier": {"partner"}, "hourly_limit": {"50"}, "scope": {"rates:read"}, "property": {s.house.Property.ID}}).body, "Nightly", "see prices", "see guests", "1 of 50")
	page = b.get(at).body
	turn := func(status string) string {
		page = b.post(at+"/status", url.Values{"revision": {field(t, page, "revision")}, "status": {status}}).body
		return page
	}
	shows(t, turn("suspended"), "is suspended", "Let it call again")
	shows(t, turn("active"), "may call again")
	shows(t, b.post(at+"/tokens", url.Values{"revision": {field(t, page, "revision")}}).body, "All its tokens have ended")
	page = b.get(at).body
	if shows(t, turn("revoked"), "is revoked"); strings.Contains(page, "/status") {
		t.Error("what is revoked can be turned")
	}
}

// Deliveries of a client's endpoint are seen, tested, sent again and told again by the house.
func TestWebhooksAreLookedAfter(t *testing.T) {
	s := newSite(t)
	c, err := s.auth.CreateClient(t.Context(), by, hotel.Once{}, auth.Client{Name: "Figures", Environment: auth.Production, Kind: "bi", Scopes: auth.AllScopes(), PropertyIDs: []string{s.house.Property.ID}})
	if err != nil {
		t.Fatal(err)
	}
	made, _, err := s.desk.CreateWebhookEndpoint(t.Context(), desk.Caller{Who: c.Who()}, desk.NewWebhook{WebhookSettings: hotel.WebhookSettings{URL: "https://partner.example/hooks", EventTypes: []string{"*"}}})
	if err != nil {
		t.Fatal(err)
	}
	b := s.everywhere(t, auth.RoleOperator)
	at := s.path("partners/webhooks/" + made.ID)
	shows(t, b.get(s.path("partners/clients/"+c.ID)).body, "https://partner.example/hooks", at)
	shows(t, b.get(at+"?status=dead").body, "Nothing is listed here.")
	tested := b.post(at, url.Values{"key": {"a"}, "act": {"test"}})
	shows(t, tested.body, "webhook.ping", "HTTP 503", "out of order")
	shows(t, b.get(at+"?status=dead").body, "webhook.ping", "failed")
	sent := strings.TrimSuffix(tested.path, "?done=hook_test")
	if r := b.post(sent+"/retry", url.Values{"key": {"r"}}); r.status != http.StatusUnprocessableEntity && r.status != http.StatusConflict {
		t.Errorf("a test is sent again: %d", r.status)
	}
	if r := b.post(at, url.Values{"key": {"b"}, "act": {"replay"}, "since": {"yesterday"}}); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "is a date with a time") {
		t.Errorf("%d", r.status)
	}
	shows(t, b.post(at, url.Values{"key": {"c"}, "act": {"replay"}, "since": {"2026-11-22T08:00"}, "only_failed": {"true"}}).body, "told the past again")
	page := b.get(at).body
	page = b.post(at, url.Values{"revision": {field(t, page, "revision")}, "act": {"disable"}}).body
	shows(t, page, "by the house", "Call it again")
	shows(t, b.post(at, url.Values{"revision": {field(t, page, "revision")}, "act": {"enable"}}).body, "Deliveries go on.")
}

// Partners are the whole installation's: a role in one house sees none, and a user who may
// less in a single house administers none anywhere.
func TestPartnersAreForThoseOfEveryHouse(t *testing.T) {
	s := newSite(t)
	id, _ := s.asks(t)
	if _, err := s.users.Add(t.Context(), by, "mixed", secret, map[string]auth.Role{auth.AllProperties: auth.RoleOwner, "h9": auth.RoleReadOnly}); err != nil {
		t.Fatal(err)
	}
	names := []string{"mixed"}
	for _, r := range auth.Roles {
		names = append(names, string(r))
	}
	for _, name := range names {
		b := s.as(t, name)
		if strings.Contains(b.get(s.path("today")).body, s.path("partners")) {
			t.Errorf("%s is led to partners", name)
		}
		for _, page := range []string{"partners", "partners/requests/" + id, "partners/clients/new", "partners/clients/x", "partners/webhooks/x", "partners/deliveries/x"} {
			if r := b.get(s.path(page)); r.status != http.StatusForbidden {
				t.Errorf("%s sees %s: %d", name, page, r.status)
			}
		}
		if r := b.post(s.path("partners/requests/"+id), url.Values{"revision": {"1"}, "step": {"reject"}, "message": {"no"}}); r.status != http.StatusForbidden {
			t.Errorf("%s decides: %d", name, r.status)
		}
	}
	for _, r := range []auth.Role{auth.RoleOwner, auth.RoleOperator} {
		if got := s.everywhere(t, r).get(s.path("partners")); got.status != http.StatusOK {
			t.Errorf("%s of every house: %d", r, got.status)
		}
	}
}

// A whole hour is a moment as well, with seconds or without.
func TestMomentsAreRead(t *testing.T) {
	for text, want := range map[string]string{"2026-11-22T08:00": "08:00", "2026-11-22T08:00:00": "08:00", "2026-11-22T08:15:00": "08:15", "2026-11-22T08": "", "yesterday": ""} {
		at, err := parseMoment(text, time.UTC)
		if got := at.Format("15:04"); (err != nil) != (want == "") || err == nil && got != want {
			t.Errorf("%s: %s %v", text, got, err)
		}
	}
}

// What a client may do, what it is and how it stands is in every language.
func TestPartnersAreSaidInEveryLanguage(t *testing.T) {
	w := wordsIn("en")
	var keys []string
	for _, s := range auth.AllScopes().List() {
		keys = append(keys, "scope."+string(s))
	}
	for _, k := range auth.Kinds {
		keys = append(keys, "partner.kind."+k)
	}
	for _, c := range auth.Checks() {
		keys = append(keys, "check."+c)
	}
	for _, s := range auth.RequestStatuses {
		keys = append(keys, "access."+string(s))
	}
	for _, s := range accessSteps {
		keys = append(keys, "done.access_"+string(s))
	}
	for _, s := range deliveryStatuses {
		keys = append(keys, "delivery.show."+string(s))
	}
	for _, key := range keys {
		if !w.has(key) {
			t.Errorf("nobody can say %s", key)
		}
	}
}

package api

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// admin is the header of a client that administers clients.
func (h *house) admin() string {
	h.t.Helper()
	c, _ := h.newClient("admin", auth.AllScopes(), "*")
	return "Authorization: Bearer " + h.tokenOf(c)
}

// ota makes a client that stands for a channel.
func (h *house) ota(channel string) auth.Client {
	h.t.Helper()
	c, err := h.auth.CreateClient(h.t.Context(), tester, hotel.Once{}, auth.Client{
		Name: "OTA", Environment: auth.Production, Kind: auth.KindOTA, ChannelID: channel, Scopes: auth.OTAScopes(), PropertyIDs: []string{"hotel_123"},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return c.Client
}

func TestClientIsMadeChangedAndEnded(t *testing.T) {
	h := newHouse(t)
	as := h.admin()
	body := `{"name":"Front desk","environment":"production","kind":"pms","scopes":["properties:read","rates:read"],"property_ids":["hotel_123"]}`
	made := h.call("POST", "/v1/clients", body, as, "Idempotency-Key: a").want(t, 201, "").json(t)
	id, secret := made["id"].(string), made["client_secret"].(string)
	if !strings.HasPrefix(secret, "osk_live_") || made["status"] != "active" || made["tier"] != "standard" {
		t.Errorf("made %v", made)
	}
	again := h.call("POST", "/v1/clients", body, as, "Idempotency-Key: a").want(t, 201, "").json(t)
	if again["id"] != id || again["client_secret"] != nil {
		t.Errorf("a secret is shown twice: %v", again)
	}
	c, err := h.auth.CheckClient(t.Context(), id, secret, "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	token := "Authorization: Bearer " + h.tokenOf(c)
	h.call("GET", "/v1/rate-plans", "", token).want(t, 200, "")
	if self := h.call("GET", "/v1/client", "", token).want(t, 200, "").json(t); self["id"] != id || self["client_secret"] != nil {
		t.Errorf("self %v", self)
	}

	path := "/v1/clients/" + id
	h.call("PATCH", path, `{"name":"x"}`, as, `If-Match: "r9"`).want(t, 412, "precondition_failed")
	changed := h.call("PATCH", path, `{"scopes":["properties:read"],"tier":"partner"}`, as, `If-Match: "r1"`).want(t, 200, "").json(t)
	if changed["tier"] != "partner" || len(changed["scopes"].([]any)) != 1 {
		t.Errorf("changed %v", changed)
	}
	for _, member := range []string{"name", "kind", "sandbox_id", "status"} {
		h.call("PATCH", path, `{"`+member+`":null}`, as).want(t, 422, "validation_failed")
	}
	if got := h.call("PATCH", path, `{"tier":null}`, as).want(t, 200, "").json(t); got["tier"] != "standard" {
		t.Errorf("a tier of null: %v", got["tier"])
	}
	h.call("GET", "/v1/rate-plans", "", token).want(t, 403, "insufficient_scope") // at once
	h.call("PATCH", path, `{"status":"suspended"}`, as).want(t, 200, "")
	h.call("GET", "/v1/properties", "", token).want(t, 403, "client_suspended")
	h.call("PATCH", path, `{"status":"active"}`, as).want(t, 200, "")
	h.call("GET", "/v1/properties", "", token).want(t, 200, "")
	h.call("POST", path+"/revoke-tokens", "", as).want(t, 200, "")
	h.call("GET", "/v1/properties", "", token).want(t, 401, "invalid_token")
	token = "Authorization: Bearer " + h.tokenOf(c)
	h.call("PATCH", path, `{"status":"revoked"}`, as).want(t, 200, "")
	h.call("GET", "/v1/properties", "", token).want(t, 401, "invalid_token")
	h.call("PATCH", path, `{"status":"active"}`, as).want(t, 409, "invalid_transition")
	if _, err := h.auth.CheckClient(t.Context(), id, secret, "192.0.2.1"); err == nil {
		t.Error("a revoked client gets tokens")
	}
	h.call("GET", "/v1/clients/none", "", as).want(t, 404, "not_found")
	if list := h.call("GET", "/v1/clients", "", as).want(t, 200, ""); !strings.Contains(list.ids(t), id) || strings.Contains(string(list.body), "osk_") {
		t.Errorf("list %s", list.body)
	}
}

// Who administers clients of one house gives away nothing of another one, and
// learns nothing of it.
func TestAnAdministratorOfOneHouse(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	c, _ := h.newClient("admin of another house", auth.AllScopes(), "hotel_456")
	as := "Authorization: Bearer " + h.tokenOf(c)
	made := func(more string) reply {
		return h.call("POST", "/v1/clients", `{"name":"x","environment":"production","scopes":[],`+more+`}`, as)
	}
	unknown := made(`"kind":"ota","channel_id":"none","property_ids":["hotel_456"]`).want(t, 422, "validation_failed")
	elsewhere := made(`"kind":"ota","channel_id":"`+channel+`","property_ids":["hotel_456"]`).want(t, 422, "validation_failed")
	if a, b := unknown.json(t)["errors"], elsewhere.json(t)["errors"]; !reflect.DeepEqual(a, b) {
		t.Errorf("a channel of another house is refused by %v, one that is none by %v", b, a)
	}
	made(`"property_ids":["hotel_123"]`).want(t, 422, "validation_failed")
	made(`"property_ids":["*"]`).want(t, 422, "validation_failed")
	made(`"property_ids":"*"`).want(t, 422, "validation_failed")
	h.call("POST", "/v1/clients", `{"name":"x","environment":"sandbox","scopes":[],"property_ids":["*"]}`, as).want(t, 422, "validation_failed")

	own, _ := h.newClient("of its house", auth.ScopesOf(auth.RatesRead), "hotel_456")
	sandbox, err := h.auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{
		Name: "of the sandbox", Environment: auth.Sandbox, SandboxID: "sbx_1", PropertyIDs: []string{"hotel_456"},
	})
	if err != nil {
		t.Fatal(err)
	}
	foreign := []string{sandbox.ID}
	for _, houses := range [][]string{{"hotel_123"}, {"hotel_123", "hotel_456"}, {"*"}} {
		other, _ := h.newClient("of another house", auth.ScopesOf(auth.RatesRead), houses...)
		foreign = append(foreign, other.ID)
	}
	for _, id := range append(foreign, "none") {
		at := "/v1/clients/" + id
		for _, ask := range []struct{ method, path, body string }{
			{"GET", at, ""},
			{"POST", at + "/secrets", ""},
			{"GET", at + "/secrets/none", ""},
			{"DELETE", at + "/secrets/none", ""},
			{"POST", at + "/revoke-tokens", ""},
			{"PATCH", at, `{"name":"another name"}`},
			{"PATCH", at, `{"status":"revoked"}`},
			{"PATCH", at, `{"ip_allowlist":["198.51.100.7"]}`},
			{"PATCH", at, `{"scopes":[]}`},
			{"PATCH", at, `{"property_ids":["hotel_456"]}`},
			{"PATCH", at, `{"kind":"ota","channel_id":"` + channel + `"}`},
		} {
			h.call(ask.method, ask.path, ask.body, as).want(t, 404, "not_found")
		}
	}
	if got := h.call("GET", "/v1/clients", "", as).want(t, 200, "").ids(t); got != c.ID+" "+own.ID && got != own.ID+" "+c.ID {
		t.Errorf("it sees %s", got)
	}
	at := "/v1/clients/" + own.ID
	h.call("POST", at+"/secrets", "", as).want(t, 201, "")
	h.call("PATCH", at, `{"name":"another name","scopes":["reports:read"]}`, as).want(t, 200, "")
	h.call("PATCH", at, `{"property_ids":["hotel_123","hotel_456"]}`, as).want(t, 422, "validation_failed")
	got := h.call("PATCH", at, `{"kind":"ota","channel_id":"`+channel+`"}`, as).want(t, 422, "validation_failed")
	if strings.Contains(string(got.body), "hotel_123") {
		t.Errorf("the refusal names what was not asked for: %s", got.body)
	}
}

// Nobody gives away a scope, nor becomes a client that has one, without having it.
func TestAnAdministratorOfFewScopes(t *testing.T) {
	h := newHouse(t)
	c, _ := h.newClient("admin", auth.ScopesOf(auth.AdminClients, auth.RatesRead), "*")
	as := "Authorization: Bearer " + h.tokenOf(c)
	made := func(scope string) reply {
		return h.call("POST", "/v1/clients", `{"name":"x","environment":"production","scopes":["`+scope+`"],"property_ids":["hotel_123"]}`, as)
	}
	if got := made("rates:write").want(t, 422, "validation_failed"); got.items(t) != "/scopes enum" {
		t.Errorf("%s", got.body)
	}
	at := "/v1/clients/" + made("rates:read").want(t, 201, "").json(t)["id"].(string)
	h.call("PATCH", at, `{"scopes":["rates:read","guests:read"]}`, as).want(t, 422, "validation_failed")
	h.call("PATCH", at, `{"scopes":["admin:clients"]}`, as).want(t, 200, "")
	h.call("POST", at+"/secrets", "", as).want(t, 201, "")

	more, _ := h.newClient("more", auth.ScopesOf(auth.RatesRead, auth.GuestsRead, auth.GuestsWrite), "hotel_123")
	at = "/v1/clients/" + more.ID
	h.call("POST", at+"/secrets", "", as).want(t, 403, "insufficient_scope")
	h.call("PATCH", at, `{"property_ids":["hotel_456"]}`, as).want(t, 422, "validation_failed")
	h.call("PATCH", at, `{"scopes":["rates:read","guests:read"]}`, as).want(t, 200, "") // less than it had
	h.call("PATCH", at, `{"property_ids":["hotel_456"],"scopes":["rates:read"]}`, as).want(t, 200, "")
	h.call("PATCH", at, `{"status":"suspended"}`, as).want(t, 200, "")
}

// Every property is a word, alone or in a list; what is granted is answered as a list.
func TestEveryPropertyIsOneWord(t *testing.T) {
	h := newHouse(t)
	as := h.admin()
	granted := func(r reply) string { return fmt.Sprint(r.json(t)["property_ids"]) }
	made := h.call("POST", "/v1/clients", `{"name":"x","environment":"production","property_ids":"*"}`, as).want(t, 201, "")
	at := "/v1/clients/" + made.json(t)["id"].(string)
	h.call("PATCH", at, `{"property_ids":["hotel_123"]}`, as).want(t, 200, "")
	changed := h.call("PATCH", at, `{"property_ids":"*"}`, as).want(t, 200, "")
	if granted(made) != "[*]" || granted(changed) != "[*]" {
		t.Errorf("made %s, changed %s", made.body, changed.body)
	}
	for body, want := range map[string]string{
		`"hotel_123"`: "/property_ids type", `7`: "/property_ids type", `[7]`: "/property_ids/0 type", `""`: "/property_ids type",
	} {
		if got := h.call("PATCH", at, `{"property_ids":`+body+`}`, as).want(t, 422, "validation_failed"); got.items(t) != want {
			t.Errorf("%s: %s", body, got.body)
		}
	}
	for body, want := range map[string]string{`"all"`: "[*]", `["all"]`: "[*]", `"*"`: "[*]", `["hotel_123"]`: "[hotel_123]"} {
		asked := h.call("POST", "/v1/access-requests", `{"kind":"technology_partner","preset":"rms","property_ids":`+body+`,`+useCase+`}`, "Authorization:").want(t, 201, "")
		if granted(asked) != want {
			t.Errorf("asked for %s: %s", body, asked.body)
		}
		decided := h.call("POST", "/v1/access-requests/"+asked.json(t)["id"].(string)+"/approve-sandbox", `{"property_ids":"*"}`, as).want(t, 200, "").json(t)
		if of := fmt.Sprint(decided["sandbox"].(map[string]any)["property_ids"]); of != "[*]" {
			t.Errorf("granted in the sandbox: %s", of)
		}
	}
}

func TestWhatAClientCannotBe(t *testing.T) {
	h := newHouse(t)
	as := h.admin()
	channel := h.draft()
	for _, c := range []struct{ name, body, items string }{
		{"no such kind", `{"name":"x","environment":"production","kind":"fax","scopes":[],"property_ids":[]}`, "/kind enum"},
		{"no such scope", `{"name":"x","environment":"production","scopes":["rates:eat"],"property_ids":[]}`, "/scopes/0 enum"},
		{"no such tier", `{"name":"x","environment":"production","tier":"gold","scopes":[],"property_ids":[]}`, "/tier enum"},
		{"no such property", `{"name":"x","environment":"production","scopes":[],"property_ids":["none"]}`, "/property_ids/0 enum"},
		{"a channel without a channel", `{"name":"x","environment":"production","kind":"ota","scopes":[],"property_ids":["hotel_123"]}`, "/channel_id required"},
		{"no such channel", `{"name":"x","environment":"production","kind":"ota","channel_id":"none","scopes":[],"property_ids":["hotel_123"]}`, "/channel_id enum"},
		{"more than its channel's", `{"name":"x","environment":"production","kind":"ota","channel_id":"` + channel + `","scopes":["inventory:write"],"property_ids":["hotel_123"]}`, "/scopes enum"},
		{"another house than its channel's", `{"name":"x","environment":"production","kind":"ota","channel_id":"` + channel + `","scopes":[],"property_ids":["*"]}`, "/property_ids enum"},
		{"a channel of one that is none", `{"name":"x","environment":"production","kind":"pms","channel_id":"` + channel + `","scopes":[],"property_ids":["*"]}`, "/channel_id enum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := h.call("POST", "/v1/clients", c.body, as).want(t, 422, "validation_failed"); got.items(t) != c.items {
				t.Errorf("%s", got.body)
			}
		})
	}
}

func TestSecretsOfAClient(t *testing.T) {
	h := newHouse(t)
	as := h.admin()
	for _, at := range []struct{ name, path, as string }{
		{"by whoever administers", "/v1/clients/" + h.client.ID + "/secrets", as},
		{"by itself", "/v1/client/secrets", "Authorization: Bearer " + h.token},
	} {
		t.Run(at.name, func(t *testing.T) {
			answered := h.call("POST", at.path, "", at.as, "Idempotency-Key: "+at.name[3:4]).want(t, 201, "")
			added, location := answered.json(t), answered.Header.Get("Location")
			if location != "https://hotel.example"+at.path+"/"+added["id"].(string) {
				t.Errorf("Location %q", location)
			}
			read := h.call("GET", strings.TrimPrefix(location, "https://hotel.example"), "", at.as).want(t, 200, "")
			if one := read.json(t); one["id"] != added["id"] || one["client_secret"] != nil || read.Header.Get("ETag") != answered.Header.Get("ETag") {
				t.Errorf("there is %s", read.body)
			}
			if _, err := h.auth.CheckClient(t.Context(), h.client.ID, added["client_secret"].(string), "192.0.2.1"); err != nil {
				t.Errorf("the new secret: %v", err)
			}
			if again := h.call("POST", at.path, "", at.as, "Idempotency-Key: "+at.name[3:4]).want(t, 201, "").json(t); again["id"] != added["id"] || again["client_secret"] != nil {
				t.Errorf("repeated: %v", again)
			}
			h.call("POST", at.path, "", at.as).want(t, 409, "resource_in_use")
			h.call("DELETE", at.path+"/"+added["id"].(string), "", at.as).want(t, 204, "")
			if _, err := h.auth.CheckClient(t.Context(), h.client.ID, added["client_secret"].(string), "192.0.2.1"); err == nil {
				t.Error("a dropped secret is good")
			}
			for _, method := range []string{"GET", "DELETE"} {
				h.call(method, at.path+"/"+added["id"].(string), "", at.as).want(t, 404, "not_found")
			}
		})
	}
	secrets := h.call("GET", "/v1/client", "").want(t, 200, "").json(t)["secrets"].([]any)
	h.call("DELETE", "/v1/client/secrets/"+secrets[0].(map[string]any)["id"].(string), "").want(t, 409, "resource_in_use")
}

// A client that stands for a channel sees that channel's own and nothing else.
func TestClientOfAChannelSeesItsOwn(t *testing.T) {
	h := newHouse(t)
	own, other := h.draft(), h.draft()
	if _, err := h.ledger.ChannelReached(t.Context(), tester, own); err != nil {
		t.Fatal(err)
	}
	ota := "Authorization: Bearer " + h.tokenOf(h.ota(own))
	direct := h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02")).want(t, 201, "").json(t)["id"].(string)

	if list := h.call("GET", "/v1/channels", "", ota).want(t, 200, ""); list.ids(t) != own {
		t.Errorf("channels %s", list.ids(t))
	}
	for _, path := range []string{"", "/mappings", "/plan"} {
		h.call("GET", "/v1/channels/"+own+path, "", ota).want(t, 200, "")
		h.call("GET", "/v1/channels/"+other+path, "", ota).want(t, 404, "not_found")
	}
	h.call("GET", "/v1/reservations/"+direct, "", ota).want(t, 404, "not_found")
	h.call("PATCH", "/v1/reservations/"+direct, `{"notes":"x"}`, ota).want(t, 404, "not_found")
	h.call("POST", "/v1/reservations/"+direct+"/cancel", `{"reason":"x"}`, ota).want(t, 404, "not_found")
	if list := h.call("GET", "/v1/reservations", "", ota).want(t, 200, ""); list.ids(t) != "" {
		t.Errorf("reservations %s", list.ids(t))
	}
	h.call("GET", "/v1/reservations?channel_id="+other, "", ota).want(t, 404, "not_found")
	const nights = "?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01"
	for _, cell := range h.call("GET", "/v1/inventory"+nights+"&include=house", "", ota).want(t, 200, "").json(t)["data"].([]any) {
		if c := cell.(map[string]any); len(c) != 5 || c["channel_available"] == nil || c["channel_bookable"] == nil || c["channel_synced_version"] == nil {
			t.Errorf("of a night it is told %v", c)
		}
	}
	h.call("GET", "/v1/inventory"+nights+"&channel_id="+other, "", ota).want(t, 404, "not_found")
	h.call("GET", "/v1/ari-updates?property_id=hotel_123", "", ota).want(t, 404, "not_found")
	h.call("GET", "/v1/restrictions"+nights, "", ota).want(t, 200, "")
	if got := h.call("GET", "/v1/rates"+nights, "", ota).want(t, 200, "").json(t)["data"].([]any); len(got) != 0 {
		t.Errorf("prices of plans that the channel does not sell: %v", got)
	}
	if list := h.call("GET", "/v1/rate-plans", "", ota).want(t, 200, ""); list.ids(t) != "" {
		t.Errorf("plans %s", list.ids(t))
	}
	h.call("GET", "/v1/rate-plans/"+h.flex.ID, "", ota).want(t, 404, "not_found")
	group := `{"property_id":"hotel_123","booker":{"last_name":"Lovelace"},"reservations":[{"room_type_id":"` + h.standard.ID + `","rate_plan_id":"` + h.flex.ID + `","check_in":"2026-12-01","check_out":"2026-12-02","adults":2}]}`
	theirs := h.call("POST", "/v1/reservation-groups", group).want(t, 201, "").json(t)["id"].(string)
	h.call("GET", "/v1/reservation-groups/"+theirs, "", ota).want(t, 404, "not_found")
	h.call("POST", "/v1/reservation-groups/"+theirs+"/cancel", `{"reason":"x"}`, ota).want(t, 404, "not_found")

	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+own+`"]}`).want(t, 200, "")
	booked := h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02"), ota).want(t, 201, "").json(t)
	if booked["source"].(map[string]any)["channel_id"] != own {
		t.Errorf("its booking is of %v", booked["source"])
	}
	h.call("POST", "/v1/reservations/"+booked["id"].(string)+"/cancel", `{"reason":"x"}`, ota).want(t, 200, "")
	if list := h.call("GET", "/v1/rate-plans", "", ota).want(t, 200, ""); list.ids(t) != h.flex.ID {
		t.Errorf("plans that it sells: %s", list.ids(t))
	}
	if list := h.call("GET", "/v1/blocks", "", ota).want(t, 200, ""); list.ids(t) != "" {
		t.Errorf("blocks %s", list.ids(t))
	}
}

// A client and a channel are made of what must be said of them.
func TestWhatCanBeLeftOutOfANewClientOrChannel(t *testing.T) {
	h := newHouse(t)
	made := h.call("POST", "/v1/clients", `{"name":"Later","environment":"production","status":"suspended"}`, h.admin()).want(t, 201, "").json(t)
	if fmt.Sprint(made["scopes"], made["property_ids"], made["status"]) != "[] []suspended" {
		t.Errorf("made %v", made)
	}
	basic := basicOf(made["id"].(string), made["client_secret"].(string))
	if got := h.call("POST", "/v1/oauth/token", "grant_type=client_credentials", basic, "Content-Type: "+mediaForm); got.StatusCode == 200 {
		t.Errorf("a client that was suspended at once gets %s", got.body)
	}
	if got := h.call("POST", "/v1/channels", `{"property_id":"hotel_123","connector":"mock","name":"Portal"}`); strings.Contains(string(got.body), `"/settings","code":"required"`) {
		t.Errorf("settings are asked for as such: %s", got.body)
	}
}

// FuzzClient looks for a body that brings the server down.
func FuzzClient(f *testing.F) {
	f.Add(`{"name":"x","environment":"production","scopes":["rates:read"],"property_ids":["*"]}`)
	f.Add(`{"name":"x","environment":"sandbox","kind":"ota","channel_id":"","scopes":[""],"property_ids":[""]}`)
	h := newHouse(f)
	as := h.admin()
	f.Fuzz(func(t *testing.T, body string) {
		h := *h
		h.t = t
		if got := h.call("POST", "/v1/clients", body, as); got.StatusCode >= 500 {
			t.Errorf("%d %s", got.StatusCode, got.body)
		}
	})
}

// A client that may call from some networks is unknown elsewhere: its secret, and a
// token that somebody has stolen.
func TestAClientCallsFromItsNetworks(t *testing.T) {
	h := newHouse(t)
	as := h.admin()
	body := `{"name":"x","environment":"production","scopes":["properties:read"],"property_ids":["*"],"ip_allowlist":["192.0.2.9/24","192.0.2.0/24","2001:db8::1"]}`
	made := h.call("POST", "/v1/clients", body, as).want(t, 201, "").json(t)
	if got := fmt.Sprint(made["ip_allowlist"]); got != "[192.0.2.0/24 2001:db8::1/128]" {
		t.Errorf("networks %s", got)
	}
	id, at := made["id"].(string), "/v1/clients/"+made["id"].(string)
	token := h.tokenFor(t, id, made["client_secret"].(string)) // tests call from 192.0.2.1
	h.call("GET", "/v1/properties", "", token).want(t, 200, "")
	set := func(list string) {
		t.Helper()
		h.call("PATCH", at, `{"ip_allowlist":`+list+`}`, as).want(t, 200, "")
	}
	set(`["198.51.100.7"]`)
	h.call("GET", "/v1/properties", "", token).want(t, 401, "invalid_token")
	form := "grant_type=client_credentials&client_id=" + id + "&client_secret=" + made["client_secret"].(string)
	if got := h.call("POST", "/v1/oauth/token", form, "Authorization:", "Content-Type: "+mediaForm); got.StatusCode != 401 || !strings.Contains(string(got.body), "invalid_client") {
		t.Errorf("a token from elsewhere: %d %s", got.StatusCode, got.body)
	}
	for _, list := range []string{`null`, `[]`, `["0.0.0.0/0"]`} {
		set(list)
		h.call("GET", "/v1/properties", "", token).want(t, 200, "")
	}
	for _, list := range []string{`["home"]`, `["192.0.2.0/33"]`, `["fe80::1%eth0"]`, `["::ffff:192.0.2.0/120"]`, `[""]`} {
		got := h.call("PATCH", at, `{"ip_allowlist":`+list+`}`, as).want(t, 422, "validation_failed")
		if got.items(t) != "/ip_allowlist/0 format" {
			t.Errorf("%s: %s", list, got.body)
		}
	}
}

// A secret that ends is told of three times, to its client alone, and is then no
// more.
func TestASecretThatEnds(t *testing.T) {
	h := newHouse(t)
	added := h.call("POST", "/v1/client/secrets", `{"expires_in_days":40}`).want(t, 201, "").json(t)
	secret, id := added["client_secret"].(string), added["id"].(string)
	if added["expires_at"] != "2026-12-31T10:00:00.000Z" {
		t.Errorf("it ends %v", added["expires_at"])
	}
	const day = 24 * time.Hour
	heard := 0
	for _, c := range []struct {
		after time.Duration
		told  int // how often by then
	}{{0, 0}, {9 * day, 0}, {day, 1}, {time.Hour, 1}, {23*day - time.Hour, 2}, {5 * day, 2}, {day + time.Hour, 3}, {day - 2*time.Hour, 3}} {
		h.clock.move(c.after)
		for range 2 {
			if err := h.ledger.TendSecrets(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		h.token = h.tokenOf(h.client)
		_, page := h.events("?type=client.*")
		events := page["data"].([]any)
		if heard = len(events); heard != c.told {
			t.Errorf("%s before its end it is told of %d times, want %d", h.clock.Until(time.Date(2026, 12, 31, 10, 0, 0, 0, time.UTC)), heard, c.told)
		}
		if heard > 0 {
			object := events[0].(map[string]any)["data"].(map[string]any)["object"]
			if want := fmt.Sprintf("map[client_id:%s expires_at:2026-12-31T10:00:00.000Z secret_id:%s]", h.client.ID, id); fmt.Sprint(object) != want {
				t.Errorf("told %v, want %s", object, want)
			}
		}
		if _, err := h.auth.CheckClient(t.Context(), h.client.ID, secret, "192.0.2.1"); err != nil {
			t.Errorf("a secret that is still good: %v", err)
		}
	}
	other := "Authorization: Bearer " + h.tokenOf(must2(h.newClient("other", auth.AllScopes(), "*")))
	if types, _ := h.events("?type=client.*", other); types != "" {
		t.Errorf("somebody else hears %s", types)
	}
	h.clock.move(time.Hour)
	h.token = h.tokenOf(h.client)
	if _, err := h.auth.CheckClient(t.Context(), h.client.ID, secret, "192.0.2.1"); err == nil {
		t.Error("a secret that has ended is good")
	}
	self := h.call("GET", "/v1/client", "").want(t, 200, "").json(t)
	if secrets := self["secrets"].([]any); len(secrets) != 1 || secrets[0].(map[string]any)["expires_at"] != nil {
		t.Errorf("secrets %v", secrets)
	}
	h.call("POST", "/v1/client/secrets", "").want(t, 201, "")
	if err := h.ledger.TendSecrets(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rows := must(h.ledger.Secrets(t.Context(), h.client.ID))(t); len(rows) != 2 {
		t.Errorf("then there are %v", rows)
	}
}

// Whoever ends a secret may say which one it has seen.
func TestASecretIsEndedAsItWasSeen(t *testing.T) {
	h := newHouse(t)
	for _, at := range []string{"/v1/client/secrets", "/v1/clients/" + h.client.ID + "/secrets"} {
		as := "Authorization: Bearer " + h.token
		if strings.Contains(at, "clients/") {
			as = h.admin()
		}
		added := h.call("POST", at, "", as).want(t, 201, "")
		one := at + "/" + added.json(t)["id"].(string)
		refused := h.call("DELETE", one, "", as, `If-Match: "r999"`).want(t, 412, "precondition_failed")
		if tag := added.Header.Get("ETag"); refused.Header.Get("ETag") != tag {
			t.Errorf("%s: it has %s, and the refusal says %s", at, tag, refused.Header.Get("ETag"))
		}
		h.call("DELETE", one, "", as, "If-Match: "+added.Header.Get("ETag")).want(t, 204, "")
	}
}

// What a client's secrets are belongs to what is shown of it: another one is a revision.
func TestAnotherSecretIsARevisionOfTheClient(t *testing.T) {
	h := newHouse(t)
	as, at := h.admin(), "/v1/clients/"+h.client.ID
	seen := h.call("GET", at, "", as).want(t, 200, "")
	stale := func(what string) {
		h.call("PATCH", at, `{"name":"B"}`, as, "If-Match: "+seen.Header.Get("ETag")).want(t, 412, "precondition_failed")
		now := h.call("GET", at, "", as).want(t, 200, "")
		if before, after := seen.json(t)["revision"].(float64), now.json(t)["revision"].(float64); after != before+1 {
			t.Errorf("%s: revision %v after %v", what, after, before)
		}
		seen = now
	}
	added := h.call("POST", at+"/secrets", "", as).want(t, 201, "").json(t)["id"].(string)
	stale("added")
	h.call("DELETE", at+"/secrets/"+added, "", as).want(t, 204, "")
	stale("ended")
}

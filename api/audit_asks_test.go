package api

import (
	"encoding/json"
	"fmt"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// made sends what makes something, and returns what there is then.
func (h *auditedHouse) made(path, body string, headers ...string) map[string]any {
	h.t.Helper()
	got := h.call("POST", path, body, headers...)
	if got.StatusCode/100 != 2 {
		h.t.Fatalf("POST %s: %d %s", path, got.StatusCode, got.body)
	}
	return got.json(h.t)
}

// knowBodies has bodies that change something, where the least that a schema asks for
// leaves all as it is or is not enough.
func (h *auditedHouse) knowBodies() {
	night := `{"property_id":"hotel_123","entries":[{"room_type_id":"` + h.standard.ID + `","date_from":"2026-12-06","date_to":"2026-12-06",`
	plan := `"rate_plan_id":"` + h.flex.ID + `",`
	for id, body := range map[string]string{
		"create-reservation":       h.booking("2026-12-20", "2026-12-21"),
		"create-reservation-group": h.groupOfRooms(1, "", "2026-12-21", "2026-12-22"),
		"update-inventory":         night + `"values":{"out_of_order":1}}]}`,
		"update-rates":             night + plan + `"values":{"amount":{"amount":"77.00","currency":"EUR"}}}]}`,
		"update-restrictions":      night + plan + `"values":{"min_stay_arrival":3}}]}`,
		"put-inventory":            `{"out_of_order":1}`,
		"put-rate":                 `{"amount":{"amount":"88.00","currency":"EUR"}}`,
		"put-restriction":          `{"min_stay_arrival":2}`,
		"create-channel":           channel("http://far.test", ""),
		"create-client":            `{"name":"x","environment":"sandbox","scopes":[],"property_ids":[]}`,
		"create-access-request":    `{"kind":"ota",` + useCase + `}`,
		"create-room-type":         `{"property_id":"hotel_123","code":"single","total_units":1,"base_occupancy":1,"max_adults":1,"max_occupancy":1}`,
		"update-reservation":       `{"metadata":{"a":"b"}}`,
		"update-guest":             `{"metadata":{"a":"b"}}`,
		"put-guest-preferences":    `{"tags":[{"value":"quiet","source":"guest"}]}`,
		"update-guest-preferences": `{"tags":[{"value":"high","source":"guest"}]}`,
		"put-channel-policies":     `{"oversell":"accept"}`,
		"put-property-policies":    `{"oversell":"accept"}`,
		"put-notifications":        `{"digest_time":"06:30"}`,
		"import-reservations":      `{"property_id":"hotel_123","rows":[{"room_type_id":"standard","rate_plan_id":"flex","check_in":"2026-12-22","check_out":"2026-12-23","adults":2,"guest":{"last_name":"Lovelace"}}]}`,
	} {
		h.asks[id] = func() asking { return asking{body: body} }
	}
	for _, id := range []string{"property", "room-type", "rate-plan", "pricing-rule", "block", "channel", "client", "pool"} {
		h.asks["update-"+id] = func() asking { return asking{body: `{"name":"Later"}`} }
	}
	h.asks["update-webhook-endpoint"] = func() asking { return asking{body: `{"description":"Later"}`} }
}

// knowBookings has a booking for every step, in a state that it can be taken from.
func (h *auditedHouse) knowBookings() {
	for _, night := range []string{"2026-11-21", "2026-12-24"} {
		h.update("inventory", `{"room_type_id":"`+h.standard.ID+`","date_from":"`+night+`","date_to":"`+night+`","values":{"total":50}}`).want(h.t, 200, "")
	}
	enquiry := with(h.booking("2026-12-24", "2026-12-25"), `"status":"enquired"`)
	arrival := h.booking("2026-11-21", "2026-11-22")
	guest := with(arrival, `"status":"checked_in"`)
	for step, c := range map[string]struct {
		begin  string
		before []string // steps
		body   string
	}{
		"request":        {enquiry, nil, ``},
		"hold":           {enquiry, nil, `{"until":"2026-11-22T10:00:00Z"}`},
		"confirm":        {enquiry, nil, ``},
		"decline":        {enquiry, []string{"request"}, `{"decline_reason":"guest"}`},
		"cancel":         {h.booking("2026-12-24", "2026-12-25"), nil, `{"reason":"guest"}`},
		"reinstate":      {h.booking("2026-12-24", "2026-12-25"), []string{"cancel"}, `{}`},
		"acknowledge":    {h.booking("2026-12-24", "2026-12-25"), nil, `{"revision":1}`},
		"check-in":       {arrival, nil, ``},
		"undo-check-in":  {guest, nil, ``},
		"check-out":      {guest, nil, `{"release_tonight":true}`},
		"undo-check-out": {guest, []string{"check-out"}, ``},
	} {
		h.asks[step+"-reservation"] = func() asking {
			at := "/v1/reservations/" + h.made("/v1/reservations", c.begin)["id"].(string) + "/"
			for _, s := range c.before {
				h.made(at+s, map[string]string{"cancel": `{"reason":"guest"}`, "check-out": `{"release_tonight":true}`}[s])
			}
			return asking{target: at + step, body: c.body}
		}
	}
	h.asks["no-show-reservation"] = func() asking {
		made := h.made("/v1/imports/reservations", `{"property_id":"hotel_123","rows":[{"room_type_id":"standard","rate_plan_id":"flex",
			"check_in":"2026-11-20","check_out":"2026-11-23","adults":1,"guest":{"last_name":"Lovelace"}}]}`)
		return asking{target: "/v1/reservations/" + made["results"].([]any)[0].(map[string]any)["reservation_id"].(string) + "/no-show"}
	}
	h.asks["merge-guest"] = func() asking {
		source := h.made("/v1/guests", `{"property_id":"hotel_123","last_name":"Hopper"}`)["id"].(string)
		return asking{body: `{"source_guest_id":"` + source + `"}`}
	}
}

// knowChannels has channels as far as a step needs them.
func (h *auditedHouse) knowChannels() {
	live := h.liveAt("http://far.test")
	at := "/v1/channels/" + live
	conflict := h.unmapped(live, "B1")
	h.ids["/conflicts/"], h.ids["/channels/"] = conflict, live
	run := h.made(at+"/sync", `{"kind":"ari_full"}`)["id"].(string)
	h.ids["/sync-runs/"] = run
	plan := func(of, query string) map[string]any {
		return h.call("GET", of+"/plan"+query, "").want(h.t, 200, "").json(h.t)
	}
	h.asks["activate-channel"] = func() asking {
		h.made(at+"/pause", "")
		p := plan(at, "?kind=live")
		raises, _ := json.Marshal(p["raises"])
		return asking{body: fmt.Sprintf(`{"mode":"live","plan_id":%q,"accept_raises":%s,"accepted_by":"Ada"}`, p["plan_id"], raises)}
	}
	h.asks["apply-channel-plan"] = func() asking {
		p := plan(at, "?kind=full&date_from=2026-12-01&date_to=2026-12-02")
		return asking{target: at + "/plan/" + p["plan_id"].(string) + "/apply"}
	}
	h.asks["sync-channel"] = func() asking { return asking{body: `{"kind":"ari_full"}`} }
	h.asks["disconnect-channel"] = func() asking { return asking{body: `{"force":true}`} }
	h.asks["explain-channel"] = func() asking {
		return asking{target: at + "/explain?date=2026-12-01&room_type_id=" + h.standard.ID + "&rate_plan_id=" + h.flex.ID}
	}
	h.asks["put-mappings"] = func() asking {
		draft := h.made("/v1/channels", channel("http://far.test", ""))["id"].(string)
		h.made("/v1/channels/"+draft+"/test", "")
		mapping := `{"room_type_id":"` + h.standard.ID + `","rate_plan_id":"` + h.flex.ID + `","remote_room_id":"STD","remote_rate_id":"FLEX"}`
		return asking{target: "/v1/channels/" + draft + "/mappings", body: `{"mappings":[` + mapping + `]}`}
	}
	h.asks["test-channel"] = func() asking {
		return asking{target: "/v1/channels/" + h.made("/v1/channels", channel("http://far.test", ""))["id"].(string) + "/test"}
	}
	h.asks["resolve-conflict"] = func() asking { return asking{body: `{"option":"keep_unassigned"}`} }
}

// knowPartners has an access request for every step, and credentials.
func (h *auditedHouse) knowPartners() {
	request := func(steps ...string) (string, string) {
		r := h.made("/v1/access-requests", `{"kind":"technology_partner","preset":"rms",`+useCase+`}`)
		at, claim := "/v1/access-requests/"+r["id"].(string), r["claim_token"].(string)
		for _, step := range steps {
			if step == "waive" {
				for _, check := range auth.Checks() {
					h.made(at+"/waive", `{"check":"`+check+`"}`)
				}
				continue
			}
			as := "Authorization: Bearer " + h.token
			if step == "submit-certification" {
				as = "Authorization: Bearer " + claim
			}
			h.made(at+"/"+step, "", as)
		}
		return at, claim
	}
	tested := []string{"approve-sandbox", "waive"}
	submitted := append(tested, "submit-certification")
	for step, before := range map[string][]string{
		"approve-sandbox": nil, "reject": nil, "waive": tested[:1], "request-changes": submitted, "approve-production": submitted,
		"revoke": append(submitted, "approve-production"),
	} {
		h.asks[step+"-access-request"] = func() asking {
			at, _ := request(before...)
			a := asking{target: at + "/" + step}
			if step == "waive" {
				a.body = `{"check":"etag_used"}`
			}
			return a
		}
	}
	for id, c := range map[string]struct {
		path   string
		before []string
	}{
		"get-access-request": {"", nil}, "get-certification": {"/certification", nil}, "claim-credentials": {"/claim", tested},
		"submit-certification": {"/submit-certification", tested}, "withdraw-access-request": {"/withdraw", nil},
	} {
		h.asks[id] = func() asking {
			at, claim := request(c.before...)
			return asking{target: at + c.path, token: claim}
		}
	}
	for _, does := range []string{"get", "drop"} {
		h.asks[does+"-client-secret"] = func() asking {
			c, _ := h.newClient("rotates", auth.AllScopes(), "*")
			at := "/v1/clients/" + c.ID + "/secrets"
			return asking{target: at + "/" + h.made(at, "")["id"].(string)}
		}
		h.asks[does+"-own-secret"] = func() asking {
			c, _ := h.newClient("rotates", auth.AllScopes(), "*")
			token := h.tokenOf(c)
			made := h.made("/v1/client/secrets", "", "Authorization: Bearer "+token)
			return asking{target: "/v1/client/secrets/" + made["id"].(string), token: token}
		}
	}
}

// knowTheRest has what is done in a sandbox, what there is by now to be looked at, and
// things that nothing is in the way of ending.
func (h *auditedHouse) knowTheRest() {
	for id, body := range map[string]string{
		"reset-sandbox": "", "advance-sandbox-clock": `{"advance":60}`,
		"book-at-sandbox-channel": `{"channel_id":"ch_alpha","action":"cancel","reference":"X-1"}`, "fail-sandbox-channel": `{"channel_id":"ch_alpha","kind":"timeout"}`,
	} {
		h.asks[id] = func() asking { return asking{body: body, token: h.inSandbox} }
	}
	update := h.update("inventory", `{"room_type_id":"`+h.standard.ID+`","date_from":"2026-12-03","date_to":"2026-12-04","values":{"total":9}}`).want(h.t, 200, "")
	h.ids["/ari-updates/"] = update.json(h.t)["id"].(string)
	booked := h.call("GET", "/v1/events?type=reservation.created", "").want(h.t, 200, "").json(h.t)["data"].([]any)
	h.ids["/events/"] = booked[0].(map[string]any)["id"].(string)
	h.asks["replay-webhook-endpoint"] = func() asking { return asking{body: `{"after_sequence":1}`} }
	h.asks["retry-webhook-delivery"] = func() asking {
		hook := h.made("/v1/webhook-endpoints", `{"url":"https://broken.example/hooks","event_types":["*"]}`)["id"].(string)
		e := must(h.ledger.WebhookEndpoint(h.t.Context(), hook))(h.t)
		step := hotel.WebhookStep{EndpointID: hook, Revision: e.Revision, From: e.Position, To: e.Position + 1, Events: []hotel.WebhookEvent{{ID: "evt_1", Kind: "pool.updated", Sequence: 1}}}
		if err := h.ledger.TurnWebhooks(h.t.Context(), []hotel.WebhookStep{step}); err != nil {
			h.t.Fatal(err)
		}
		d := h.call("GET", "/v1/webhook-endpoints/"+hook+"/deliveries", "").want(h.t, 200, "").ids(h.t)
		return asking{target: "/v1/webhook-deliveries/" + d + "/retry"}
	}
	for id, c := range map[string]struct{ collection, body string }{
		"archive-property":  {"/properties", `{"id":"hotel_end","name":"Ende","time_zone":"Europe/Berlin","currency":"EUR","country":"DE"}`},
		"archive-room-type": {"/room-types", `{"property_id":"hotel_123","code":"last","total_units":1,"base_occupancy":1,"max_adults":1,"max_occupancy":1}`},
		"archive-pool":      {"/pools", `{"property_id":"hotel_123","code":"last_pool","total_units":1}`},
		"archive-rate-plan": {"/rate-plans", fmt.Sprintf(`{"property_id":"hotel_123","code":"last","name":"Last","room_type_ids":[%q]}`, h.standard.ID)},
	} {
		h.asks[id] = func() asking {
			return asking{target: strings.Join([]string{"/v1", c.collection, "/", h.made("/v1"+c.collection, c.body)["id"].(string), "/archive"}, "")}
		}
	}
}

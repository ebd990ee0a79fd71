package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// What the demo promises of its sample hotel.
const (
	property = "hotel_123"
	rooms    = 5
	plans    = 4
)

// newHTTP returns a client that keeps enough connections for a crowd.
func newHTTP() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 40 * time.Second}
}

// client is somebody who uses /v1.
type client struct {
	http       *http.Client
	base       string
	id, secret string
	token      string
}

// answer is a whole response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// read decodes the body into v.
func (a answer) read(v any) error {
	if err := json.Unmarshal(a.body, v); err != nil {
		return fmt.Errorf("%d %s: %w", a.status, a.body, err)
	}
	return nil
}

// problem is an error as /v1 tells it.
type problem struct {
	Status int
	Code   string
}

// refusal reads the body as a problem document.
func (a answer) refusal() (problem, error) {
	var p problem
	if got := a.header.Get("Content-Type"); got != "application/problem+json" {
		return p, fmt.Errorf("%d %s: content type %q is not a problem's", a.status, a.body, got)
	}
	if err := a.read(&p); err != nil {
		return p, err
	}
	if p.Status != a.status {
		return p, fmt.Errorf("the body of a %d says %d", a.status, p.Status)
	}
	return p, nil
}

// do sends one request. body is sent as JSON unless it is nil; header overrides.
func (c *client) do(method, path string, body any, header http.Header) (answer, error) {
	var reader io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return answer{}, err
		}
		reader = bytes.NewReader(raw)
	}
	req, err := http.NewRequest(method, c.base+path, reader)
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(req.Header, header)
	return send(c.http, req)
}

func send(h *http.Client, req *http.Request) (answer, error) {
	resp, err := h.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, raw}, err
}

// get reads a resource.
func (c *client) get(path string, into any) error {
	a, err := c.do(http.MethodGet, path, nil, nil)
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return fmt.Errorf("GET %s: %d %s", path, a.status, a.body)
	}
	return a.read(into)
}

// post sends a body and expects a status.
func (c *client) post(t testing.TB, path string, body any, want int) answer {
	t.Helper()
	a, err := c.do(http.MethodPost, path, body, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.status != want {
		t.Fatalf("POST %s: got %d, want %d: %s", path, a.status, want, a.body)
	}
	return a
}

// list reads every page of a list.
func list[E any](c *client, path string, query url.Values) ([]E, error) {
	var all []E
	for {
		var page struct {
			Data []E
			More bool   `json:"has_more"`
			Next string `json:"next_cursor"`
		}
		if err := c.get(path+"?"+query.Encode(), &page); err != nil {
			return nil, err
		}
		all = append(all, page.Data...)
		if !page.More {
			return all, nil
		}
		query.Set("cursor", page.Next)
	}
}

// oauth calls one of the OAuth endpoints with the client's own credentials.
func (c *client) oauth(endpoint, secret string, form url.Values) (answer, error) {
	req, err := http.NewRequest(http.MethodPost, c.base+"/oauth/"+endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return answer{}, err
	}
	req.SetBasicAuth(url.QueryEscape(c.id), url.QueryEscape(secret))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return send(c.http, req)
}

// newToken fetches a token by client credentials.
func (c *client) newToken() (string, error) {
	a, err := c.oauth("token", c.secret, url.Values{"grant_type": {"client_credentials"}})
	if err != nil {
		return "", err
	}
	var body struct {
		Token string `json:"access_token"`
		Type  string `json:"token_type"`
	}
	if err := a.read(&body); err != nil {
		return "", err
	}
	if a.status != http.StatusOK || body.Token == "" || body.Type != "Bearer" {
		return "", fmt.Errorf("token: %d %s", a.status, a.body)
	}
	return body.Token, nil
}

// The resources, as far as the tests look at them.
type (
	roomType struct {
		ID, Code, Name string
	}
	ratePlan struct {
		ID, Code string
		Derived  *struct {
			Parent   string `json:"rate_plan_id"`
			Kind     string
			Value    string
			Rounding string
		} `json:"derived_from"`
	}
	channel struct {
		ID        string
		Connector string
		Status    string
		Markup    *struct {
			Kind, Value string
		}
		Derived  int64 `json:"derived_through"`
		Lag      int   `json:"lag_cells"`
		Unknown  int   `json:"unknown_cells"`
		Rejected int   `json:"rejected_cells"`
	}
	reservation struct {
		ID         string
		Status     string
		RoomTypeID string `json:"room_type_id"`
		RatePlanID string `json:"rate_plan_id"`
		CheckIn    string `json:"check_in"`
		CheckOut   string `json:"check_out"`
		Overbooked bool
		Source     struct {
			Channel   string `json:"channel_id"`
			Reference string `json:"channel_reference"`
		}
	}
)

// house is the hotel's structure, by code.
type house struct {
	rooms []roomType
	plans []ratePlan
}

func (c *client) house() (house, error) {
	var h house
	var err error
	if h.rooms, err = list[roomType](c, "/room-types", url.Values{"property_id": {property}}); err != nil {
		return h, err
	}
	if h.plans, err = list[ratePlan](c, "/rate-plans", url.Values{"property_id": {property}}); err != nil {
		return h, err
	}
	return h, nil
}

// mustHouse reads the structure of the sample hotel or ends the test.
func (c *client) mustHouse(t *testing.T) house {
	t.Helper()
	h, err := c.house()
	if err != nil {
		t.Fatal(err)
	}
	if len(h.rooms) != rooms || len(h.plans) != plans {
		t.Fatalf("the sample hotel has %d room types and %d plans", len(h.rooms), len(h.plans))
	}
	return h
}

// room returns the id of the room type with that code.
func (h house) room(code string) string {
	for _, r := range h.rooms {
		if r.Code == code {
			return r.ID
		}
	}
	return "no room type " + code
}

// plan returns the id of the rate plan with that code.
func (h house) plan(code string) string {
	for _, p := range h.plans {
		if p.Code == code {
			return p.ID
		}
	}
	return "no rate plan " + code
}

// reservations reads every reservation that matches.
func (c *client) reservations(filter url.Values) ([]reservation, error) {
	filter.Set("property_id", property)
	filter.Set("limit", "200")
	return list[reservation](c, "/reservations", filter)
}

// quiet returns nil when no channel of the mock has anything left to be told, also of what
// is still to be worked out. The others have few calls a minute, or are read when they
// please.
func (c *client) quiet() error {
	all, err := list[channel](c, "/channels", url.Values{})
	if err != nil {
		return err
	}
	for _, ch := range all {
		if ch.Connector != "mock" || ch.Status != "active" {
			continue
		}
		if ch.Lag+ch.Unknown+ch.Rejected > 0 {
			return fmt.Errorf("%s: %d cells behind, %d unknown, %d rejected", ch.ID, ch.Lag, ch.Unknown, ch.Rejected)
		}
		var ahead struct{ Data []struct{ Type string } }
		if err := c.get(fmt.Sprintf("/events?limit=1&after=%d", ch.Derived), &ahead); err != nil {
			return err
		}
		if len(ahead.Data) > 0 {
			return fmt.Errorf("%s: %s is not worked out yet", ch.ID, ahead.Data[0].Type)
		}
	}
	return nil
}

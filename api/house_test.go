package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
	"ostler.example/internal/webhook" //nolint:depguard // and calls receivers as it does
	"ostler.example/ledger"           //nolint:depguard // the API is tested against the real ledger
	chansync "ostler.example/sync"    //nolint:depguard // and the real engine
)

// clock stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Until(t time.Time) time.Duration { return t.Sub(c.Now()) }

func (c *clock) Steady() time.Time { return c.Now() }

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

var tester = hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: "tester"}}

// house is a small hotel behind the API. Standard has 5 rooms, deluxe 3; flex is
// sold to every client, member to nobody; every night of the next 40 has a price.
type house struct {
	dir     string // of the ledger
	t       testing.TB
	clock   *clock
	ledger  *ledger.Ledger
	auth    *auth.Authority
	engine  *chansync.Engine // not started
	post    *webhook.Post
	outside http.RoundTripper
	handler http.Handler
	reached int // what a sandbox answers; 0: that it was reached

	standard, deluxe hotel.RoomType
	flex, member     hotel.RatePlan
	client           auth.Client
	secret           string
	token            string // with every scope
}

func must[V any](v V, err error) func(t testing.TB) V {
	return func(t testing.TB) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// made is must for what may be a replay.
func made[V any](v V, _ bool, err error) func(t testing.TB) V { return must(v, err) }

func newHouse(t testing.TB) *house {
	t.Helper()
	if t, ok := t.(*testing.T); ok {
		t.Parallel()
	}
	h := &house{t: t, outside: http.DefaultTransport, clock: &clock{now: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)}}
	ctx := t.Context()
	dir, err := os.MkdirTemp("/dev/shm", "ostler") // a sync costs nothing there
	if err != nil {
		dir = t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	h.dir = dir
	h.ledger = must(ledger.Open(ctx, ledger.Options{Path: filepath.Join(dir, "production.db"), Clock: h.clock}))(t)
	t.Cleanup(func() {
		if err := h.ledger.Close(); err != nil {
			t.Error(err)
		}
	})
	h.build(ctx)
	h.serve(nil)
	if _, fuzzing := t.(*testing.F); fuzzing {
		h.serve(auth.Tiers{auth.Standard: 1 << 30})
	}
	h.client, h.secret = h.newClient("all", auth.AllScopes()&^auth.ScopesOf(auth.AdminClients), "*")
	h.token = h.tokenOf(h.client)
	return h
}

// serve puts a fresh authority and a fresh handler in front of the ledger, as a
// restart does.
func (h *house) serve(tiers auth.Tiers) {
	h.t.Helper()
	h.auth = must(auth.New(h.t.Context(), auth.Options{Store: h.ledger, Clock: h.clock, Log: zap.NewNop(), Tiers: tiers}))(h.t)
	seal := auth.NewSeal([32]byte{7})
	h.engine = chansync.New(chansync.Options{
		Seal: seal, Ledger: h.ledger, Clock: h.clock, Log: zap.NewNop(), Timeout: time.Second, Client: func(string) *http.Client { return &http.Client{Transport: h.outside} },
		Secret: func(name string) (string, error) {
			if name != "mock" {
				return "", errors.New("there is no such secret")
			}
			return farSecret, nil
		},
	})
	h.post = webhook.NewPost(webhook.PostOptions{Seal: seal, Clock: h.clock, Environment: auth.Production, Transport: h.outside})
	h.handler = New(Options{
		Desk: desk.New(desk.Options{
			Ledger: h.ledger, Engine: h.engine, Clients: h.auth, Requests: h.auth, Sandboxes: boxes{h}, Post: h.post, Seal: seal, Clock: h.clock, RecallFor: time.Millisecond,
		}), Auth: h.auth, Sandboxes: boxes{h}, PublicURL: "https://hotel.example",
		Version: "1.0.0", Clock: h.clock, Log: zap.NewNop(), CursorKey: [32]byte{1, 2, 3},
	})
}

func (h *house) build(ctx context.Context) {
	t := h.t
	for _, id := range []string{"hotel_123", "hotel_456"} {
		made(h.ledger.CreateProperty(ctx, tester, hotel.Once{}, hotel.Property{
			Entity: hotel.Entity{ID: id}, Name: "Zur Post", TimeZone: "Europe/Berlin", Currency: "EUR", Country: "DE",
			CheckIn: "15:00", CheckOut: "11:00", DayRoll: "03:00", HorizonDays: 40, Status: hotel.Active,
		}))(t)
	}
	room := func(code, name string, position, units int) hotel.RoomType {
		return made(h.ledger.CreateRoomType(ctx, tester, hotel.Once{}, hotel.RoomType{
			PropertyID: "hotel_123", Code: code, Name: name, TotalUnits: units, BaseOccupancy: 2, MaxAdults: 2, MaxChildren: 1, MaxOccupancy: 3,
			Position: position, Status: hotel.Active,
		}))(t)
	}
	h.standard, h.deluxe = room("standard", "standard", 1, 5), room("deluxe", "Deluxe", 2, 3)
	plan := func(code string, audience hotel.Audience, position int) hotel.RatePlan {
		return made(h.ledger.CreateRatePlan(ctx, tester, hotel.Once{}, hotel.RatePlan{
			PropertyID: "hotel_123", Code: code, Name: code, Currency: "EUR", Pricing: hotel.PerRoomPrice, MealPlan: "room_only",
			TaxMode: "inclusive", RoomTypeIDs: []string{h.standard.ID, h.deluxe.ID}, Audience: audience, Position: position, Status: hotel.Active,
		}))(t)
	}
	h.flex, h.member = plan("flex", hotel.Public, 1), plan("member", hotel.Restricted, 2)
	today := hotel.DateOf(2026, 11, 21)
	span := hotel.Dates{Span: hotel.Span{From: today, To: today + 40}}
	price := func(room hotel.RoomType, plan hotel.RatePlan, minor int64) hotel.RateEntry {
		return hotel.RateEntry{RoomTypeID: room.ID, RatePlanID: plan.ID, Dates: span, Amount: hotel.Given(hotel.Money{Minor: minor, Currency: "EUR"})}
	}
	_, _, err := h.ledger.UpdateRates(ctx, tester, hotel.Once{}, hotel.RateUpdate{PropertyID: "hotel_123", Source: "pms", Entries: []hotel.RateEntry{
		price(h.standard, h.flex, 9900), price(h.deluxe, h.flex, 18950), price(h.deluxe, h.member, 100),
	}})
	if err != nil {
		t.Fatal(err)
	}
}

func (h *house) newClient(name string, scopes auth.Scopes, properties ...string) (auth.Client, string) {
	h.t.Helper()
	c, err := h.auth.CreateClient(h.t.Context(), tester, hotel.Once{}, auth.Client{
		Name: name, Environment: auth.Production, Kind: "pms", Scopes: scopes, PropertyIDs: properties,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return c.Client, c.Secret
}

func (h *house) tokenOf(c auth.Client) string {
	h.t.Helper()
	return must(h.auth.Issue(h.t.Context(), c, "", "192.0.2.1"))(h.t).Token
}

// reply is what came back.
type reply struct {
	*http.Response
	body []byte
}

// json is the body, decoded.
func (r reply) json(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(r.body, &v); err != nil {
		t.Fatalf("body %q: %v", r.body, err)
	}
	return v
}

// code is the problem's code, "" when it is none.
func (r reply) code() string {
	var p struct{ Code string }
	if r.Header.Get("Content-Type") != mediaProblem || json.Unmarshal(r.body, &p) != nil {
		return ""
	}
	return p.Code
}

// call sends a request with the house's token. Headers are "Name: value"; an
// Authorization header replaces the token, and "Authorization:" takes it away.
func (h *house) call(method, target, body string, headers ...string) reply {
	h.t.Helper()
	var r io.Reader
	if body != "" {
		r = bytes.NewBufferString(body)
	}
	req := httptest.NewRequest(method, target, r)
	req.Header.Set("Authorization", "Bearer "+h.token)
	if body != "" {
		req.Header.Set("Content-Type", mediaJSON)
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); value == "" {
			req.Header.Del(name)
			continue
		}
		req.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	h.handler.ServeHTTP(rec, req)
	note(h.t, method, target, req.Header, body, rec)
	return reply{rec.Result(), rec.Body.Bytes()}
}

// want fails the test unless the reply has the status and the problem code.
func (r reply) want(t testing.TB, status int, code string) reply {
	t.Helper()
	if r.StatusCode != status || r.code() != code {
		t.Fatalf("got %d %q, want %d %q; body %s", r.StatusCode, r.code(), status, code, r.body)
	}
	return r
}

// booking is the body of a reservation of a standard room.
func (h *house) booking(in, out string) string {
	return `{"property_id":"hotel_123","room_type_id":"` + h.standard.ID + `","rate_plan_id":"` + h.flex.ID +
		`","check_in":"` + in + `","check_out":"` + out + `","adults":2,"guest":{"first_name":"Ada","last_name":"Lovelace","email":"ada@example.com"}}`
}

package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/config"
	"ostler.example/internal/testkit"
)

// estate is a production environment and its sandboxes, started.
type estate struct {
	t   *testing.T
	dir string
	env *Environment

	sandboxURL string // where the sandboxes have a host of their own
	webhooks   config.Webhooks
}

func newEstate(t *testing.T) *estate {
	t.Helper()
	e := &estate{t: t, dir: testkit.Folder(t)}
	e.start()
	t.Cleanup(e.stop)
	return e
}

func (e *estate) start() {
	e.t.Helper()
	if err := os.MkdirAll(filepath.Join(e.dir, "ledger"), 0o750); err != nil {
		e.t.Fatal(err)
	}
	var err error
	e.env, err = OpenEnvironment(e.t.Context(), EnvironmentOptions{
		Path: ledgerPath(e.dir), Sandboxes: sandboxesPath(e.dir), PublicURL: "http://hotel.example", SandboxURL: e.sandboxURL, Seal: auth.NewSeal([32]byte{}),
		Webhooks: e.webhooks, Sync: config.Default().Sync, Ledger: config.Default().Ledger, Clock: hotel.SystemClock{}, Log: zap.NewNop(),
	})
	if err != nil {
		e.t.Fatal(err)
	}
	if err := e.env.Start(e.t.Context()); err != nil {
		e.t.Fatal(err)
	}
}

func (e *estate) stop() {
	if err := e.env.Stop(); err != nil {
		e.t.Error(err)
	}
}

var tester = hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: "tester"}}

// token makes a client of the environment and returns a token of it.
func (e *estate) token(environment auth.Environment, sandbox string) string {
	e.t.Helper()
	c, err := e.env.Auth.CreateClient(e.t.Context(), tester, hotel.Once{}, auth.Client{
		Name: "a", Environment: environment, SandboxID: sandbox, Scopes: auth.AllScopes(), PropertyIDs: []string{"*"},
	})
	if err != nil {
		e.t.Fatal(err)
	}
	g, err := e.env.Auth.Issue(e.t.Context(), c.Client, "", "192.0.2.1")
	if err != nil {
		e.t.Fatal(err)
	}
	return g.Token
}

// call asks the API and reads the answer.
func (e *estate) call(token, method, path, body string, headers ...string) (int, map[string]any, http.Header) {
	e.t.Helper()
	var sent io.Reader
	if body != "" {
		sent = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(e.t.Context(), method, "/v1"+path, sent)
	r.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	e.env.API.ServeHTTP(w, r)
	var answer map[string]any
	if w.Body.Len() > 0 {
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			e.t.Fatalf("%s %s: %v in %s", method, path, err, w.Body)
		}
	}
	return w.Code, answer, w.Header()
}

// ok is call, and what is no success ends the test.
func (e *estate) ok(token, method, path, body string, headers ...string) map[string]any {
	e.t.Helper()
	status, answer, _ := e.call(token, method, path, body, headers...)
	if status >= http.StatusMultipleChoices {
		e.t.Fatalf("%s %s: %d %v", method, path, status, answer)
	}
	return answer
}

// ids returns the ids of a list.
func ids(answer map[string]any) []string {
	var out []string
	list, _ := answer["data"].([]any)
	for _, one := range list {
		out = append(out, fmt.Sprint(one.(map[string]any)["id"]))
	}
	return out
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); {
		if so() {
			return
		}
		<-time.After(200 * time.Millisecond) // a client has 1000 requests
	}
	t.Fatalf("%s: not within five minutes", what)
}

// In a sandbox channels are made with what can be pretended there.
func TestSandboxOffersWhatHasASimulator(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	live, sandbox := e.token(auth.Production, ""), e.token(auth.Sandbox, "")
	offered := func(token string) (names []string) {
		for _, c := range e.ok(token, "GET", "/connectors", "")["data"].([]any) {
			names = append(names, c.(map[string]any)["name"].(string))
		}
		return names
	}
	if here, there := offered(live), offered(sandbox); !slices.Contains(here, "process") || slices.Contains(there, "process") || !slices.Contains(there, "mock") {
		t.Errorf("in production %v, in the sandbox %v", here, there)
	}
	status, refusal, _ := e.call(sandbox, "POST", "/channels", `{"property_id":"hotel_123","connector":"process","name":"P"}`)
	if items, _ := refusal["errors"].([]any); status != http.StatusUnprocessableEntity || len(items) != 1 || items[0].(map[string]any)["pointer"] != "/connector" {
		t.Errorf("a channel of it is answered %d %v", status, refusal)
	}
}

// A sandbox is a hotel of its own: it sells at its pretend channels, hears of what
// they sell, forgets all of it with a reset, and nobody else sees any of it.
func TestSandboxIsAHouseOfItsOwn(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	live, one, two := e.token(auth.Production, ""), e.token(auth.Sandbox, ""), e.token(auth.Sandbox, "")

	status, _, header := e.call(one, "GET", "/properties", "")
	if got := header.Get("Ostler-Environment"); got != "sandbox" || status != 200 || header.Get("X-RateLimit-Remaining") != "999" {
		t.Errorf("%d in %q, %v", status, got, header)
	}
	if got := ids(e.ok(one, "GET", "/properties", "")); len(got) != 1 || got[0] != SampleProperty {
		t.Fatalf("properties of the sandbox: %v", got)
	}
	rooms, plans := ids(e.ok(one, "GET", "/room-types?property_id=hotel_123", "")), ids(e.ok(one, "GET", "/rate-plans?property_id=hotel_123", ""))
	channels := ids(e.ok(one, "GET", "/channels", ""))
	if len(rooms) != 3 || len(plans) != 2 || len(channels) != 2 {
		t.Fatalf("rooms %v, plans %v, channels %v", rooms, plans, channels)
	}
	if got := ids(e.ok(live, "GET", "/properties", "")); got != nil {
		t.Errorf("production has %v", got)
	}
	for _, event := range e.ok(one, "GET", "/events?limit=5", "")["data"].([]any) {
		if got := event.(map[string]any)["environment"]; got != "sandbox" {
			t.Errorf("an event of the sandbox says that it is of %v", got)
		}
	}

	from := hotel.DateIn(time.Now(), time.UTC) + 200
	stay := fmt.Sprintf(`"room_type_id":%q,"rate_plan_id":%q,"check_in":%q,"check_out":%q`, rooms[0], plans[0], from, from+1)
	var booked map[string]any
	eventually(t, "the channel sells what the sandbox offers", func() bool {
		status, booked, _ = e.call(one, "POST", "/sandbox/channel-bookings", `{"channel_id":"ch_alpha",`+stay+`}`, "Idempotency-Key: a")
		return status == 200
	})
	again, repeated, header := e.call(one, "POST", "/sandbox/channel-bookings", `{"channel_id":"ch_alpha",`+stay+`}`, "Idempotency-Key: a")
	if again != 200 || repeated["reference"] != booked["reference"] || header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("repeated: %d %v", again, repeated)
	}
	var reservation string
	eventually(t, "the booking comes in", func() bool {
		got := ids(e.ok(one, "GET", "/reservations?property_id=hotel_123", ""))
		if len(got) > 0 {
			reservation = got[0]
		}
		return len(got) == 1
	})
	for who, token := range map[string]string{"production": live, "another sandbox": two} {
		if status, got, _ := e.call(token, "GET", "/reservations/"+reservation, ""); status != 404 {
			t.Errorf("%s sees it: %d %v", who, status, got)
		}
		if got := ids(e.ok(token, "GET", "/reservations", "")); got != nil {
			t.Errorf("%s lists %v", who, got)
		}
	}
	e.ok(one, "POST", "/sandbox/channel-bookings", fmt.Sprintf(`{"channel_id":"ch_alpha","action":"cancel","reference":%q}`, booked["reference"]))
	eventually(t, "the cancellation comes in", func() bool {
		return e.ok(one, "GET", "/reservations/"+reservation, "")["status"] == "cancelled"
	})

	if got := e.ok(one, "POST", "/sandbox/reset", "", "Idempotency-Key: r"); got["generation"] != 2.0 {
		t.Errorf("reset: %v", got)
	}
	if got := e.ok(one, "POST", "/sandbox/reset", "", "Idempotency-Key: r"); got["generation"] != 2.0 {
		t.Errorf("the same reset again: %v", got)
	}
	if got := ids(e.ok(one, "GET", "/reservations", "")); got != nil {
		t.Errorf("after a reset: %v", got)
	}
	rooms, plans = ids(e.ok(one, "GET", "/room-types?property_id=hotel_123", "")), ids(e.ok(one, "GET", "/rate-plans?property_id=hotel_123", ""))
	stay = fmt.Sprintf(`"room_type_id":%q,"rate_plan_id":%q,"check_in":%q,"check_out":%q`, rooms[0], plans[0], from, from+1)
	eventually(t, "the key of a booking is a new one after the reset", func() bool {
		status, _, header := e.call(one, "POST", "/sandbox/channel-bookings", `{"channel_id":"ch_alpha",`+stay+`}`, "Idempotency-Key: a")
		return status == 200 && header.Get("Idempotent-Replayed") == ""
	})
	if left, err := os.ReadDir(filepath.Dir(sandboxFolder(sandboxesPath(e.dir), hotel.Sandbox{ID: sandboxesOf(e)[0]}))); err != nil || len(left) != 1 {
		t.Errorf("folders left: %v, %v", left, err)
	}
}

// sandboxesOf lists the sandboxes that have a folder.
func sandboxesOf(e *estate) []string {
	list, err := os.ReadDir(sandboxesPath(e.dir))
	if err != nil {
		e.t.Fatal(err)
	}
	var names []string
	for _, one := range list {
		names = append(names, one.Name())
	}
	return names
}

// What only one environment has is refused with tokens of the other.
func TestEnvironmentsAreKeptApart(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	live, test := e.token(auth.Production, ""), e.token(auth.Sandbox, "shared")
	for _, c := range []struct {
		token, method, path, body string
		status                    int
	}{
		{live, "POST", "/sandbox/reset", "", 403},
		{live, "POST", "/sandbox/clock", `{"advance":60}`, 403},
		{live, "POST", "/sandbox/channel-bookings", `{"channel_id":"ch_alpha"}`, 403},
		{live, "POST", "/sandbox/faults", `{"channel_id":"ch_alpha","kind":"cut"}`, 403},
		{test, "GET", "/clients", "", 403},
		{test, "POST", "/clients", `{"name":"x","environment":"production","scopes":[],"property_ids":[]}`, 403},
		{live, "GET", "/clients", "", 200},
		{live, "GET", "/client", "", 200},
		{test, "GET", "/client", "", 200},
		{test, "GET", "/rate-limit", "", 200},
	} {
		status, answer, _ := e.call(c.token, c.method, c.path, c.body)
		if status != c.status || status == 403 && answer["code"] != "environment_forbidden" {
			t.Errorf("%s %s: %d %v, want %d", c.method, c.path, status, answer, c.status)
		}
	}
}

// Time passes in a sandbox as its clients say, for all of them, also after a restart,
// and for nobody else. Tokens live in the real time.
func TestSandboxClock(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	one, same, other := e.token(auth.Sandbox, "shared"), e.token(auth.Sandbox, "shared"), e.token(auth.Sandbox, "")
	const week = 7 * 24 * 3600
	said := e.ok(one, "POST", "/sandbox/clock", fmt.Sprintf(`{"advance":%d}`, week), "Idempotency-Key: k")
	if said["ahead"] != float64(week) {
		t.Errorf("said: %v", said)
	}
	e.ok(one, "POST", "/sandbox/clock", fmt.Sprintf(`{"advance":%d}`, week), "Idempotency-Key: k")
	businessDate := func(token string) string {
		return fmt.Sprint(e.ok(token, "GET", "/properties/hotel_123", "")["business_date"])
	}
	ahead := func() string {
		zone, err := time.LoadLocation("Europe/Vienna")
		if err != nil {
			t.Fatal(err)
		}
		return hotel.DateIn(time.Now().Add((24*7-3)*time.Hour), zone).String()
	}
	if got := businessDate(same); got != ahead() {
		t.Errorf("in the same sandbox it is %s, want %s", got, ahead())
	}
	if got := businessDate(other); got == ahead() {
		t.Errorf("in another it is %s too", got)
	}
	e.stop()
	e.start()
	if got := businessDate(one); got != ahead() {
		t.Errorf("after a restart it is %s, want %s", got, ahead())
	}
	if status, answer, _ := e.call(one, "POST", "/sandbox/clock", `{"advance":31622400}`); status != 200 {
		t.Errorf("%d %v", status, answer)
	}
	for range 20 {
		if status, _, _ := e.call(one, "POST", "/sandbox/clock", `{"advance":31622400}`); status == 422 {
			return
		}
	}
	t.Error("a clock runs away")
}

// A sandbox reaches its own pretend channels and nothing else: not even an address of
// this machine that a client has its channel call.
func TestSandboxReachesNobody(t *testing.T) {
	t.Parallel()
	called := false
	outside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called = true }))
	defer outside.Close()
	e := newEstate(t)
	token := e.token(auth.Sandbox, "")
	channel := e.ok(token, "POST", "/channels", fmt.Sprintf(`{"property_id":"hotel_123","connector":"mock","name":"Mine","settings":{"url":%q,"hotel":"x","secret":"y"}}`, outside.URL))
	status, answer, _ := e.call(token, "POST", "/channels/"+fmt.Sprint(channel["id"])+"/test", "{}")
	if status < 500 || called {
		t.Errorf("%d %v, called: %v", status, answer, called)
	}
	var b switchboard
	s := b.serve("there", http.NotFoundHandler())
	defer s.stop() //nolint:errcheck // nothing is lost
	if c, err := b.dial(t.Context(), "tcp", "there:80"); err != nil {
		t.Error(err)
	} else {
		_ = c.Close()
	}
	for _, address := range []string{"127.0.0.1:80", "localhost:80", "[::1]:443", "169.254.169.254:80", "there.example:80", "inbound", ""} {
		if _, err := b.dial(t.Context(), "tcp", address); err == nil {
			t.Errorf("%q can be dialled", address)
		}
	}
}

// After the clock was moved, those who wait for something to happen in a sandbox keep
// nobody else out of it.
func TestWhoWaitsInASandboxIsInNobodysWay(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	token := e.token(auth.Sandbox, "")
	after := 0.0
	for caughtUp := false; !caughtUp; {
		page := e.ok(token, "GET", fmt.Sprintf("/events?limit=200&after=%.0f", after), "")
		after, caughtUp = page["next_after"].(float64), page["caught_up"].(bool)
	}
	waiting, leave := context.WithCancel(context.Background())
	var pollers sync.WaitGroup
	defer pollers.Wait()
	defer leave()
	var begun, ended atomic.Int32
	for range 3 {
		pollers.Go(func() {
			for range 2 { // the first time until the clock moves
				begun.Add(1)
				r := httptest.NewRequestWithContext(waiting, "GET", fmt.Sprintf("/v1/events?after=%.0f", after), nil)
				r.Header.Set("Authorization", "Bearer "+token)
				r.Header.Set("Prefer", "wait=30")
				w := httptest.NewRecorder()
				e.env.API.ServeHTTP(w, r)
				var page struct {
					Next float64 `json:"next_after"`
				}
				if waiting.Err() == nil && json.Unmarshal(w.Body.Bytes(), &page) == nil {
					ended.Add(1)
				}
			}
		})
	}
	eventually(t, "all of them wait", func() bool { return begun.Load() == 3 })
	e.ok(token, "POST", "/sandbox/clock", `{"advance":60}`)
	eventually(t, "all of them wait again", func() bool { return begun.Load() == 6 })
	before := ended.Load()
	e.ok(token, "GET", "/properties", "")
	if n := ended.Load(); n != before {
		t.Errorf("%d of those who wait had to go first", n-before)
	}
}

// Who is not told what became of a reset asks again, and finds the sandbox reset.
func TestAResetWithoutAnAnswerIsCompleted(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	e.ok(e.token(auth.Sandbox, "s"), "GET", "/properties", "")
	once := hotel.Once{Client: "c", Method: "POST", Path: "/v1/sandbox/reset", Key: "k"}
	if _, _, err := e.env.Ledger.ResetSandbox(t.Context(), tester, once, "s"); err != nil {
		t.Fatal(err)
	}
	stands, replayed, err := e.env.sandboxes.Reset(t.Context(), tester, once, "s")
	if err != nil || !replayed {
		t.Fatalf("repeated %t, %v", replayed, err)
	}
	if is, open := e.env.sandboxes.slots["s"].standing(); !open || is != stands || is.Generation != 2 {
		t.Errorf("open as %+v, stands as %+v", is, stands)
	}
}

// None is opened once all are being closed.
func TestNoSandboxIsOpenedAfterTheEnd(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	m := e.env.sandboxes
	place, err := m.approach("s")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := m.fill(t.Context(), place); err == nil || m.open != 0 {
		t.Errorf("%d are open, %v", m.open, err)
	}
}

// A planted fault is met by the engine's own calls.
func TestSandboxFaults(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	token := e.token(auth.Sandbox, "")
	e.ok(token, "POST", "/sandbox/faults", `{"channel_id":"ch_bravo","kind":"5xx","count":3}`)
	if status, answer, _ := e.call(token, "POST", "/channels/ch_bravo/test", "{}"); status < 500 {
		t.Errorf("a channel that fails answers: %d %v", status, answer)
	}
	if status, answer, _ := e.call(token, "POST", "/sandbox/faults", `{"channel_id":"ch_none","kind":"cut"}`); status != 404 {
		t.Errorf("of no channel: %d %v", status, answer)
	}
}

// As many sandboxes are open as may be: the one left longest is closed for another,
// and where all are in use nobody else gets in.
func TestSandboxesAreFew(t *testing.T) {
	t.Parallel()
	e := newEstate(t)
	o := e.env.sandboxes.o
	o.Folder, o.MaxOpen, o.Idle = testkit.Folder(t), 2, time.Hour
	m := NewSandboxes(o)
	enter := func(id string) (leave func(), err error) {
		_, leave, err = m.Enter(context.WithoutCancel(t.Context()), id)
		return leave, err
	}
	open := func() string {
		m.mu.Lock()
		defer m.mu.Unlock()
		var names []string
		for _, id := range []string{"a", "b", "c"} {
			if s := m.slots[id]; s != nil && s.filled {
				names = append(names, id)
			}
		}
		return fmt.Sprint(strings.Join(names, " "), " ", m.open)
	}
	leaveA, errA := enter("a")
	leaveB, errB := enter("b")
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if _, err := enter("c"); err == nil || !strings.Contains(err.Error(), "try again") {
		t.Errorf("with two in use: %v", err)
	}
	leaveB()
	leaveC, err := enter("c")
	if err != nil {
		t.Fatal(err)
	}
	if got := open(); got != "a c 2" {
		t.Errorf("open: %s", got)
	}
	leaveA()
	leaveC()
	m.o.Idle = 0
	m.closeIdle()
	m.closeIdle()
	if got := open(); got != " 0" || len(m.slots) != 0 {
		t.Errorf("open: %s, %d slots", got, len(m.slots))
	}
}

// A partner who sends a channel's settings back as they are shown changes nothing, on a
// live channel too.
func TestSettingsAreTakenAsTheyAreShown(t *testing.T) {
	e := newEstate(t)
	token := e.token(auth.Sandbox, "settings")
	channels := e.ok(token, http.MethodGet, "/channels?property_id="+SampleProperty, "")["data"].([]any)
	if len(channels) == 0 {
		t.Fatal("the sandbox has no channels")
	}
	for _, c := range channels {
		c := c.(map[string]any)
		body, err := json.Marshal(map[string]any{"settings": c["settings"]})
		if err != nil {
			t.Fatal(err)
		}
		if status, answer, _ := e.call(token, http.MethodPatch, "/channels/"+c["id"].(string), string(body)); status != http.StatusOK {
			t.Errorf("%s: %d %v", c["id"], status, answer)
		}
	}
}

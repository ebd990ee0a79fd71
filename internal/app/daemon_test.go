package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/config"
	"ostler.example/internal/metrics"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// TestDefaultTiers keeps the two places that name them the same.
func TestDefaultTiers(t *testing.T) {
	if diff := cmp.Diff(auth.DefaultTiers(), auth.Tiers(config.Default().RateLimits.Tiers)); diff != "" {
		t.Error(diff)
	}
}

func TestStopIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, logged := observer.New(zap.InfoLevel)
		d := &Daemon{log: zap.New(core), manager: manager{log: zap.NewNop()}}
		hanging := make(chan struct{})
		defer close(hanging)
		d.cleanups.add("a call without an answer", func() error {
			<-hanging
			return nil
		})
		began := time.Now()
		if err := d.Stop(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != stopWithin {
			t.Errorf("it took %s", took)
		}
		if logged.FilterLevelExact(zap.WarnLevel).Len() != 1 {
			t.Errorf("log: %v", logged.All())
		}
	})
}

func TestStopTellsWhatFailed(t *testing.T) {
	d := &Daemon{log: zap.NewNop(), manager: manager{log: zap.NewNop()}}
	var order []string
	for _, name := range []string{"first", "second"} {
		d.cleanups.add(name, func() error {
			order = append(order, name)
			return errors.New("no")
		})
	}
	err := d.Stop()
	if err == nil || err.Error() != "stop second: no\nstop first: no" || strings.Join(order, " ") != "second first" {
		t.Errorf("%v in the order %v", err, order)
	}
	if err := d.Stop(); err != nil || len(order) != 2 {
		t.Errorf("the second time: %v, %v", err, order)
	}
}

func TestHealth(t *testing.T) {
	env, err := OpenEnvironment(t.Context(), EnvironmentOptions{
		Path: filepath.Join(testkit.Folder(t), "production.db"), PublicURL: "http://hotel.example", Seal: auth.NewSeal([32]byte{}), Sync: config.Default().Sync,
		Clock: hotel.SystemClock{}, Log: zap.NewNop(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer env.Stop() //nolint:errcheck // the ledger is thrown away
	clock := &stepClock{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	h := &health{clock: clock}
	ask := func(path, want string, status int) {
		t.Helper()
		w := httptest.NewRecorder()
		h.handler(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if got := strings.TrimSpace(w.Body.String()); got != want || w.Code != status {
			t.Errorf("%s: %d %s, want %d %s", path, w.Code, got, status, want)
		}
	}
	ask("/livez", `{"status":"pass"}`, 200)
	ask("/readyz", `{"status":"fail","checks":{"migrations":"fail"},"reasons":{"migrations":"the ledger is being opened, or brought up to date"},"channels":{}}`, 503)
	h.open(env)
	ask("/readyz", `{"status":"pass","checks":{"ledger_writable":"pass","migrations":"pass","scheduler":"pass","webhook_worker":"pass"},"channels":{}}`, 200)
	clock.now = clock.now.Add(scheduleLate)
	late := func(why string) string {
		return `{"status":"fail","checks":{"ledger_writable":"pass","migrations":"pass","scheduler":"fail","webhook_worker":"pass"},"reasons":{"scheduler":"` + why + `"},"channels":{}}`
	}
	ask("/readyz", late("it has come to no end since 2026-11-21T12:00:00Z"), 503)
	h.beat(errors.New("write /var/lib/ostler/ledger: a secret"))
	ask("/readyz", late("it has failed since 2026-11-21T12:00:00Z: the log says why"), 503)
	h.beat(fmt.Errorf("deal rooms: %w", syscall.ENOSPC))
	ask("/readyz", late("it has failed since 2026-11-21T12:00:00Z: the disk is full"), 503)
	h.beat(nil)
	ask("/readyz", `{"status":"pass","checks":{"ledger_writable":"pass","migrations":"pass","scheduler":"pass","webhook_worker":"pass"},"channels":{}}`, 200)
}

// TestReadinessWritesNow: it is tried whether the ledger takes writes, and its answer counts
// for a while, so that whoever asks often does not have it write as often.
func TestReadinessWritesNow(t *testing.T) {
	wrote := 0
	l, err := ledger.Open(t.Context(), ledger.Options{
		Path: filepath.Join(testkit.Folder(t), "production.db"), Committed: func(int, time.Duration) { wrote++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	clock := &stepClock{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	h, before := &health{clock: clock}, wrote
	for _, step := range []struct {
		after time.Duration
		wrote int
	}{{0, 1}, {writableFor - 1, 1}, {1, 2}} {
		clock.now = clock.now.Add(step.after)
		if err := h.writable(t.Context(), l); err != nil || wrote-before != step.wrote {
			t.Errorf("after %s more: %v, %d writes, want %d", step.after, err, wrote-before, step.wrote)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := h.writable(t.Context(), l); err != nil {
		t.Errorf("the answer of just now: %v", err)
	}
	clock.now = clock.now.Add(writableFor)
	if err := h.writable(t.Context(), l); err == nil {
		t.Error("a closed ledger takes writes")
	}
}

// stepClock stands still until it is moved.
type stepClock struct{ now time.Time }

func (c *stepClock) Now() time.Time                  { return c.now }
func (c *stepClock) Until(t time.Time) time.Duration { return t.Sub(c.now) }
func (c *stepClock) Steady() time.Time               { return c.Now() }

func TestSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "admin.sock")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	if err := left.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := listenSocket(path)
	if err != nil {
		t.Fatal("where an earlier process left one:", err)
	}
	defer func() { _ = l.Close() }()
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, err := listenSocket("/" + strings.Repeat("x", maxSocketPath)); err == nil || !strings.Contains(err.Error(), "give data a shorter path") {
		t.Errorf("a long path: %v", err)
	}
}

func TestStrangersAreNoOperators(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	if name, ok := operatorOf(withOperator(t.Context(), ours)); ok {
		t.Errorf("somebody who is not at a socket is %q", name)
	}
}

func TestInit(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(t *testing.T, dir string, o *InitOptions)
		want    string // of the error; "" for none
	}{
		{"nothing is there", func(*testing.T, string, *InitOptions) {}, ""},
		{"a configuration is there", func(t *testing.T, dir string, o *InitOptions) {
			write(t, o.File, "data = \""+o.Data+"\"\n[rate_limits.tiers]\nstandard = 7\n")
			o.Data = ""
		}, ""},
		{"a configuration that names another folder", func(t *testing.T, dir string, o *InitOptions) {
			write(t, o.File, "data = \"/srv/other\"")
		}, "leave out --data, or change it there"},
		{"a configuration with a mistake", func(t *testing.T, dir string, o *InitOptions) { write(t, o.File, "x = 1") }, "there is no such key"},
		{"a ledger is there", func(t *testing.T, dir string, o *InitOptions) {
			if err := os.MkdirAll(filepath.Join(o.Data, "ledger"), 0o750); err != nil {
				t.Fatal(err)
			}
			write(t, ledgerPath(o.Data), "")
		}, "there is a ledger in"},
		{"a daemon is at work", func(t *testing.T, dir string, o *InitOptions) {
			lock, err := ledger.LockFolder(o.Data)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = lock.Release() })
		}, "is in use by another ostler process"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := testkit.Folder(t)
			o := InitOptions{File: filepath.Join(dir, "etc", "ostler.toml"), Data: filepath.Join(dir, "data"), Operator: "me", Log: zap.NewNop()}
			data := o.Data
			c.prepare(t, dir, &o)
			before, _ := os.ReadFile(o.File)
			made, err := Init(t.Context(), o)
			after, _ := os.ReadFile(o.File)
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) || string(before) != string(after) {
					t.Errorf("got %v, want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(before) > 0 && string(before) != string(after) || made.Wrote != (len(before) == 0) {
				t.Errorf("wrote %v, the configuration reads %s", made.Wrote, after)
			}
			if settings, err := config.Load(o.File); err != nil || settings.Data != data || made.Data != data {
				t.Errorf("%+v, %v", settings, err)
			}
			checkFirstClient(t, made)
			if _, err := Init(t.Context(), o); err == nil || !strings.Contains(err.Error(), "there is a ledger in") {
				t.Errorf("the second time: %v", err)
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// checkFirstClient opens the new ledger and lets the client in.
func checkFirstClient(t *testing.T, made Initialized) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	l, err := ledger.Open(ctx, ledger.Options{Path: ledgerPath(made.Data)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	authority, err := auth.New(ctx, auth.Options{Store: l, Clock: hotel.SystemClock{}, Log: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	first, err := authority.CheckClient(ctx, made.ClientID, made.Secret, "here")
	if err != nil || first.Scopes != auth.AllScopes() || len(first.PropertyIDs) != 1 || first.PropertyIDs[0] != auth.AllProperties {
		t.Errorf("%+v, %v", first, err)
	}
	entries, err := l.Entries(ctx, 0, 10)
	if err != nil || len(entries) != 1 || entries[0].Actor != (hotel.Actor{Kind: hotel.ActorOperator, ID: "me"}) {
		t.Errorf("the journal: %+v, %v", entries, err)
	}
}

// TestInitForTheService is root preparing a folder that is the service's.
func TestInitForTheService(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	const service = 12345
	dir := testkit.Folder(t)
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(data, service, service); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "ostler.toml")
	if _, err := Init(t.Context(), InitOptions{File: file, Data: data, Operator: "root", Log: zap.NewNop()}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{data, filepath.Join(data, "lock"), filepath.Dir(ledgerPath(data)), ledgerPath(data)} {
		if o, err := statOwner(path); err != nil || o != [2]int{service, service} {
			t.Errorf("%s is %v's, %v", path, o, err)
		}
	}
	if o, err := statOwner(file); err != nil || o != [2]int{0, service} {
		t.Errorf("the configuration is %v's, %v", o, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the configuration: %v, %v", info, err)
	}
}

func statOwner(path string) ([2]int, error) {
	o, err := ownerOf(path)
	return [2]int{o.uid, o.gid}, err
}

// TestMetrics: what an environment does is counted, and how it stands is shown.
func TestMetrics(t *testing.T) {
	folder := testkit.Folder(t)
	m := metrics.New(Version, hotel.SystemClock{}, zap.NewNop())
	env, err := OpenEnvironment(t.Context(), EnvironmentOptions{
		Path: filepath.Join(folder, "production.db"), PublicURL: "http://hotel.example", Seal: auth.NewSeal([32]byte{}), Sync: config.Default().Sync,
		Clock: hotel.SystemClock{}, Log: zap.NewNop(), Count: m,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer env.Stop() //nolint:errcheck // the ledger is thrown away
	settings := config.Default()
	settings.Data = folder
	defer m.Watch(standing(env, nil, hotel.SystemClock{}, settings))()
	env.API.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/health", nil))
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	for _, want := range []string{
		`ostler_http_requests_total{code="200",method="GET",route="/v1/health"} 1`, "ostler_ledger_up 1", "ostler_backup_exists 0",
		`ostler_conflicts_open{kind="oversell"} 0`, `ostler_build_info{version="` + Version + `"} 1`,
	} {
		if !strings.Contains(w.Body.String(), want+"\n") {
			t.Errorf("there is no %s in\n%s", want, w.Body)
		}
	}
	if strings.Contains(w.Body.String(), "ostler_ledger_tx_seconds_count 0\n") {
		t.Error("what was written when the ledger was opened is not counted")
	}
}

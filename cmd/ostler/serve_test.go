package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	operators "ostler.example/internal/client"
)

// systemd stands in for the service manager: it keeps what it is told.
type systemd struct {
	mu   sync.Mutex
	told []string
}

// newSystemd makes the programs that this test starts believe that systemd
// started them and watches them.
func newSystemd(t *testing.T) *systemd {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "30000000")
	s, ended := &systemd{}, make(chan struct{})
	go func() {
		defer close(ended)
		for message := make([]byte, 4096); ; {
			n, err := c.Read(message)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.told = append(s.told, string(message[:n]))
			s.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		_ = c.Close()
		<-ended
	})
	return s
}

// heard returns nil when systemd was told all of this, in this order.
func (s *systemd) heard(want ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := 0
	for _, message := range s.told {
		if next < len(want) && strings.HasPrefix(message, want[next]) {
			next++
		}
	}
	if next < len(want) {
		return fmt.Errorf("systemd was not told %q; it heard %q", want[next], s.told)
	}
	return nil
}

// installation is a configuration with its data folder.
type installation struct {
	file, data string
	client     client
}

// newInstallation initialises a folder, with any free ports.
func newInstallation(t testing.TB) *installation {
	t.Helper()
	shop, err := workshop.folder()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(shop, "serve-")
	if err != nil {
		t.Fatal(err)
	}
	i := &installation{file: filepath.Join(dir, "etc", "ostler.toml"), data: filepath.Join(dir, "data")}
	out, code := run(t, "init", "--config", i.file, "--data", i.data)
	found := regexp.MustCompile(`client_id +(\S+)\n +client_secret +(\S+)\n`).FindStringSubmatch(out)
	if code != 0 || found == nil {
		t.Fatalf("init: code %d\n%s", code, out)
	}
	i.client = client{http: newHTTP(), id: found[1], secret: found[2]}
	t.Cleanup(i.client.http.CloseIdleConnections)
	i.edit(t, regexp.MustCompile(`# listen = .*`), `listen = "127.0.0.1:0"`)
	return i
}

// TestWhoMayReadTheLedger: its user, and a group in which is nobody else.
func TestWhoMayReadTheLedger(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	for path, want := range map[string]fs.FileMode{".": 0o750, "ledger": 0o750, "ledger/production.db": 0o640} {
		info, err := os.Stat(filepath.Join(i.data, path))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got&^want != 0 { // whose mask is stricter keeps it
			t.Errorf("%s has mode %o, want at most %o", path, got, want)
		}
	}
}

// edit changes the configuration as its operator would.
func (i *installation) edit(t testing.TB, what *regexp.Regexp, to string) {
	t.Helper()
	raw, err := os.ReadFile(i.file)
	if err != nil {
		t.Fatal(err)
	}
	if !what.Match(raw) {
		t.Fatalf("the configuration has no %s", what)
	}
	if err := os.WriteFile(i.file, what.ReplaceAllLiteral(raw, []byte(to)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// borrowKey takes the key of another data folder, as whoever looks at a ledger of another
// installation has to: its secrets are sealed with it.
func (i *installation) borrowKey(t *testing.T, from string) {
	t.Helper()
	key, err := os.ReadFile(filepath.Join(from, "seal.key"))
	if err == nil {
		err = os.WriteFile(filepath.Join(i.data, "seal.key"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// logged is one line of the daemon's log.
type logged struct {
	Level, Msg, Listener, Address, Error string
	PublicURL                            string   `json:"public_url"`
	Applied                              []string `json:"applied"`
	Waiting                              []string `json:"needs_restart"`
}

// logOf returns the lines of a daemon's log that say something.
func logOf(p *program, msg string) []logged {
	var lines []logged
	for line := range strings.Lines(p.output()) {
		var l logged
		if json.Unmarshal([]byte(line), &l) == nil && l.Msg == msg {
			lines = append(lines, l)
		}
	}
	return lines
}

// await waits until the daemon has logged something so many times and returns
// the last of them.
func await(t testing.TB, p *program, msg string, times int) logged {
	t.Helper()
	var last logged
	eventually(t, patience, 10*time.Millisecond, func() error {
		lines := logOf(p, msg)
		if len(lines) < times {
			return fmt.Errorf("the log says %q %d times of %d:\n%s", msg, len(lines), times, p.output())
		}
		last = lines[times-1]
		return nil
	})
	return last
}

// TestServe takes an installation through its life: made, checked, served, asked
// over both doors, reloaded, stopped and started again.
func TestServe(t *testing.T) {
	manager := newSystemd(t)
	i := newInstallation(t)
	if out, code := run(t, "check", "--config", i.file); code != 0 || !strings.HasPrefix(out, i.file+": OK\n") || !strings.Contains(out, "127.0.0.1:0") {
		t.Errorf("check: code %d\n%s", code, out)
	}

	p := begin(t, "serve", "--config", i.file)
	i.client.base = await(t, p, "started", 1).PublicURL + "/v1"
	askBothDoors(t, i)
	askReadiness(t, i, p)
	if out, code := run(t, "ledger", "verify", "--config", i.file); code != 0 || !strings.Contains(out, "the ledger is what its journal says") {
		t.Errorf("the ledger that the daemon works on: code %d\n%s", code, out)
	}
	for _, command := range []string{"serve", "init"} {
		out, code := run(t, append(strings.Fields(command), "--config", i.file)...)
		if code != 1 || !strings.Contains(out, "data folder "+i.data+" is in use by another ostler process") {
			t.Errorf("%s beside the daemon: code %d\n%s", command, code, out)
		}
	}
	reload(t, i, p)
	eventually(t, patience, 20*time.Millisecond, func() error {
		return manager.heard("READY=1\nSTATUS=serving http", "RELOADING=1", "READY=1\nSTATUS=configuration read again")
	})
	eventually(t, patience, 20*time.Millisecond, func() error { return manager.heard("WATCHDOG=1") })

	i.client.http.CloseIdleConnections()
	if err := p.stop(); err != nil {
		t.Fatalf("stop: %v\n%s", err, p.output())
	}
	eventually(t, patience, 20*time.Millisecond, func() error { return manager.heard("READY=1", "STOPPING=1") })
	if out, code := run(t, "ledger", "verify", "--config", i.file); code != 0 || !strings.Contains(out, "the ledger is what its journal says") {
		t.Errorf("the ledger it leaves: code %d\n%s", code, out)
	}
	gone := operators.New(i.data)
	defer gone.Close()
	if err := gone.Get(t.Context(), "/properties", nil); !errors.Is(err, operators.ErrNoDaemon) {
		t.Errorf("a command without a daemon: %v", err)
	}

	again := begin(t, "serve", "--config", i.file)
	i.client.base = await(t, again, "started", 1).PublicURL + "/v1"
	var properties map[string]any
	if err := i.client.get("/properties", &properties); err != nil {
		t.Errorf("the token after a restart: %v", err)
	}
	i.client.http.CloseIdleConnections()
	if err := again.stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
}

// askBothDoors asks the same with a token and from the machine itself.
func askBothDoors(t *testing.T, i *installation) {
	t.Helper()
	var err error
	if i.client.token, err = i.client.newToken(); err != nil {
		t.Fatal(err)
	}
	operator := operators.New(i.data)
	defer operator.Close()
	var outside, inside map[string]any
	if err := errors.Join(i.client.get("/properties", &outside), operator.Get(t.Context(), "/properties", &inside)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(outside, inside); diff != "" || outside["has_more"] != false {
		t.Errorf("the doors differ: %s", diff)
	}
	err = operator.Get(t.Context(), "/properties/none", nil)
	if p, ok := errors.AsType[*operators.Problem](err); !ok || p.Status != http.StatusNotFound {
		t.Errorf("a property that is not there: %v", err)
	}
	if info, err := os.Stat(operators.Socket(i.data)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info, err)
	}
}

func askReadiness(t *testing.T, i *installation, p *program) {
	t.Helper()
	address := listener(t, p, "admin")
	for path, want := range map[string]string{"/livez": `"status":"pass"`, "/readyz": `"status":"pass"`, "/metrics": "\nostler_ledger_up 1\n"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := send(i.client.http, req)
		if err != nil || a.status != http.StatusOK || !strings.Contains(string(a.body), want) {
			t.Errorf("%s: %d %s %v", path, a.status, a.body, err)
		}
	}
}

// listener returns where a daemon that has started listens for that.
func listener(t testing.TB, p *program, name string) string {
	t.Helper()
	for _, l := range logOf(p, "listening") {
		if l.Listener == name {
			return l.Address
		}
	}
	t.Fatalf("nothing listens for %s:\n%s", name, p.output())
	return ""
}

// reload changes the configuration under the running daemon.
func reload(t *testing.T, i *installation, p *program) {
	t.Helper()
	hangup := func() {
		t.Helper()
		if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	i.edit(t, regexp.MustCompile(`# standard = 1000`), "standard = 77")
	i.edit(t, regexp.MustCompile(`# level = .*`), `level = "debug"`)
	i.edit(t, regexp.MustCompile(`# collect = .*`), `collect = "1s"`)
	hangup()
	got := await(t, p, "configuration read again", 1)
	want := [][]string{{"log.level", "rate_limits.tiers.standard"}, {"sync.collect"}}
	if diff := cmp.Diff(want, [][]string{got.Applied, got.Waiting}); diff != "" {
		t.Error(diff)
	}
	var limit struct{ Limit int }
	if err := i.client.get("/rate-limit", &limit); err != nil || limit.Limit != 77 {
		t.Errorf("the limit is %d, %v", limit.Limit, err)
	}
	hangup()
	if got := await(t, p, "configuration read again", 2); len(got.Applied) != 0 || len(got.Waiting) != 1 {
		t.Errorf("the same again: %+v", got)
	}
	i.edit(t, regexp.MustCompile(`level = "debug"`), `level = "deaf"`)
	hangup()
	if got := await(t, p, "configuration not taken over; the earlier one stays in force", 1); !strings.Contains(got.Error, "log.level: expected one of") {
		t.Errorf("a mistake: %+v", got)
	}
	i.edit(t, regexp.MustCompile(`level = "deaf"`), `level = "info"`)
}

func TestBadConfigurations(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "bad.toml")
	text := "data = \"" + dir + "\"\n[api]\nlisten = \"nowhere\"\nport = 1\n[connectors.mock]\ntimout = \"1s\"\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		says []string
	}{
		{"every mistake at once", []string{"serve", "--config", file}, []string{file + ": 3 mistakes:", "api.listen: expected HOST:PORT", "api.port: there is no such key", "connectors.mock.timout: no such setting"}},
		{"the same before a start", []string{"check", "--config", file}, []string{file + ": 3 mistakes:", "api.listen: expected HOST:PORT", "api.port: there is no such key", "connectors.mock.timout: no such setting"}},
		{"no file", []string{"serve", "--config", file + ".none"}, []string{"there is no configuration file", "ostler init"}},
		{"the example, without a ledger", []string{"serve", "--config", emptyFolder(t)}, []string{"there is no ledger in", "ostler init"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, code := run(t, c.args...)
			for _, says := range c.says {
				if code != 1 || !strings.Contains(out, says) {
					t.Errorf("code %d, output lacks %q:\n%s", code, says, out)
				}
			}
		})
	}
}

// emptyFolder returns a configuration whose data folder is empty.
func emptyFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "ostler.toml")
	if err := os.WriteFile(file, []byte("data = \""+filepath.Join(dir, "data")+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// program is the built program at work.
type program struct {
	cmd   *exec.Cmd
	out   *os.File // both its outputs
	ended chan struct{}
	err   error // of Wait; read after ended
}

// launch starts the program with its output in a file.
func launch(args ...string) (*program, error) {
	path, err := binary()
	if err != nil {
		return nil, err
	}
	out, err := os.CreateTemp(filepath.Dir(path), "output-")
	if err != nil {
		return nil, err
	}
	p := &program{cmd: exec.Command(path, args...), out: out, ended: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = out, out
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// run runs the program to its end and returns its output and exit code.
func run(t testing.TB, args ...string) (output string, code int) {
	t.Helper()
	return runWithin(t, time.Minute, args...)
}

// runWithin is run of what may take long.
func runWithin(t testing.TB, within time.Duration, args ...string) (output string, code int) {
	t.Helper()
	p := begin(t, args...)
	select {
	case <-p.ended:
	case <-time.After(within):
		t.Fatalf("ostler %s still runs:\n%s", strings.Join(args, " "), p.output())
	}
	return p.output(), p.cmd.ProcessState.ExitCode()
}

// begin starts the program for one test, which ends it when nobody else has.
func begin(t testing.TB, args ...string) *program {
	t.Helper()
	p, err := launch(args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.end)
	return p
}

// end kills the program if it still runs and gives its files back.
func (p *program) end() {
	p.kill()
	_ = p.out.Close()
}

// kill ends the program as a power cut would, without a chance to tidy up.
func (p *program) kill() {
	_ = p.cmd.Process.Kill() // it may have ended already
	<-p.ended
}

// stop asks the program to end and waits until it has, with success. It gives up waiting
// for what is under way after nine seconds, which a busy machine makes more of.
func (p *program) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-p.ended:
		return p.err
	case <-time.After(patience):
		return fmt.Errorf("it has not ended %s after SIGTERM", patience)
	}
}

// output returns what the program has written so far.
func (p *program) output() string {
	raw, err := os.ReadFile(p.out.Name())
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// demo is the demo on a folder of its own, whose guests stand still.
type demo struct {
	*program
	dir    string
	listen string // "": any port, of which the next start makes the same again
	file   []byte // demo.json
	market
	others map[string]*farSide // channels of other kinds than the mock, by connector
}

// newDemo starts the demo on a copy of the sample's folder, with ports and
// credentials of its own, and stops it at the end of the test.
func newDemo(t *testing.T) *demo {
	t.Helper()
	return demoIn(t, copySample(t))
}

// demoIn is newDemo in a folder that copySample made.
func demoIn(t *testing.T, dir string) *demo {
	t.Helper()
	d := &demo{dir: dir}
	t.Cleanup(func() {
		if d.program == nil {
			return
		}
		d.hangUp()
		if err := d.stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(d.dir, "ostler.log"))
			t.Logf("what the program said:\n%s\nits log:\n%s", tail(d.output()), tail(string(log)))
		}
		d.close()
	})
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	return d
}

// copySample returns a folder of the test's own on which a demo has run, without
// what belongs to that run alone.
func copySample(t *testing.T) string {
	t.Helper()
	from, err := sample()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(filepath.Dir(from), "demo-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	for _, own := range []string{"demo.json", "ports.json", "ostler.log"} {
		if err := os.Remove(filepath.Join(dir, own)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tail returns the last lines of a text.
func tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-40):], "\n")
}

// close kills the program if it runs and closes the connections to it.
func (d *demo) close() {
	d.end()
	d.hangUp()
}

// hangUp closes the connections that nobody uses; a server that ends waits for
// those on which nothing was ever asked.
func (d *demo) hangUp() {
	if d.http == nil {
		return // it never got up
	}
	d.http.CloseIdleConnections()
	for _, f := range slices.AppendSeq(slices.Clone(d.channels), maps.Values(d.others)) {
		f.http.CloseIdleConnections()
	}
}

// start starts the program on the folder and waits until it serves. A start
// after the first expects everything where it was: addresses and credentials.
func (d *demo) start() error {
	if err := d.relaunch(); err != nil {
		return err
	}
	if err := d.wait(); err != nil {
		d.kill()
		return fmt.Errorf("start the demo: %w\n%s", err, d.output())
	}
	return nil
}

// relaunch starts the program and does not wait.
func (d *demo) relaunch() error {
	if d.program != nil {
		d.end()
	}
	listen := d.listen
	if listen == "" {
		listen = "127.0.0.1:0"
	}
	p, err := launch("demo", "--data", d.dir, "--listen", listen, "--speed", "0")
	d.program = p
	return err
}

// wait waits until the program serves and, the first time, reads demo.json.
func (d *demo) wait() error {
	if d.file != nil {
		return d.poll(20*time.Millisecond, d.healthy)
	}
	return d.poll(20*time.Millisecond, d.meet)
}

// poll waits for something that the program is to do while it starts.
func (d *demo) poll(every time.Duration, check func() error) error {
	err := poll(time.Minute, every, func() error {
		select {
		case <-d.ended:
			return nil
		default:
			return check()
		}
	})
	select {
	case <-d.ended:
		return fmt.Errorf("it has ended: %w", d.err)
	default:
		return err
	}
}

func (d *demo) healthy() error {
	resp, err := d.http.Get(d.base + "/health")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("health: %s", resp.Status)
	}
	return nil
}

// meet reads demo.json, which is written when everything listens, and fetches
// the token that the tests use.
func (d *demo) meet() error {
	raw, err := os.ReadFile(filepath.Join(d.dir, "demo.json"))
	if err != nil {
		return err
	}
	var file struct {
		BaseURL  string `json:"base_url"`
		Property string `json:"property_id"`
		Clients  map[string]struct {
			ID     string `json:"client_id"`
			Secret string `json:"client_secret"`
		} `json:"clients"`
		Channels []struct {
			ID, Connector string
			Simulator     string `json:"simulator_url"`
		} `json:"channels"`
	}
	if err := json.NewDecoder(bytes.NewReader(raw)).Decode(&file); err != nil {
		return err
	}
	production := file.Clients["production"]
	d.file, d.listen = raw, strings.TrimSuffix(strings.TrimPrefix(file.BaseURL, "http://"), "/v1")
	d.client = client{http: newHTTP(), base: file.BaseURL, id: production.ID, secret: production.Secret}
	secret, err := os.ReadFile(filepath.Join(d.dir, "sim", "secret"))
	if err != nil {
		return err
	}
	d.channels, d.others = nil, map[string]*farSide{}
	for _, c := range file.Channels {
		f := &farSide{id: c.ID, url: c.Simulator, secret: strings.TrimSpace(string(secret)), http: newHTTP()}
		if c.Connector == "mock" {
			d.channels = append(d.channels, f)
		} else {
			d.others[c.Connector] = f
		}
	}
	if file.Property != property || len(d.channels) != 3 || len(d.others) != 3 {
		return fmt.Errorf("demo.json names property %q, %d channels of the mock and %d others", file.Property, len(d.channels), len(d.others))
	}
	d.token, err = d.newToken()
	return err
}

// filled returns nil when every channel has been told everything.
func (d *demo) filled() error {
	if err := d.quiet(); err != nil {
		return err
	}
	for _, f := range d.channels {
		state, err := f.state()
		if err != nil {
			return err
		}
		cells, err := state.cells()
		if err != nil {
			return err
		}
		priced := 0
		for _, c := range cells {
			if len(c.Prices) > 0 {
				priced++
			}
		}
		if want := rooms * plans * 500; priced < want {
			return fmt.Errorf("%s shows prices of %d cells of %d", f.id, priced, want)
		}
	}
	return nil
}

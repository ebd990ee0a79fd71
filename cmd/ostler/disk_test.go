package main_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ostler.example/hotel"
)

// smallDisk is how large the disk of a ledger is that becomes full: the sample's has
// 14 MB, and its log as much again at most.
const smallDisk = "48m"

// disk is a file system of a test's own, which has the ledger of a demo and nothing else.
type disk struct{ path string }

// newDisk puts the ledger of a folder on one. Only root may.
func newDisk(t *testing.T, dir string) disk {
	t.Helper()
	d := disk{filepath.Join(dir, "ledger")}
	was := d.path + ".was"
	if err := errors.Join(os.Rename(d.path, was), os.Mkdir(d.path, 0o750)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", d.path, "tmpfs", 0, "mode=0750,size="+smallDisk); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("a file system for the ledger alone: %v", err)
		}
		t.Skipf("skipped: only root may make a file system for the ledger alone: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.path, 0); err != nil {
			t.Error(err)
		}
	})
	if err := os.CopyFS(d.path, os.DirFS(was)); err != nil {
		t.Fatal(err)
	}
	return d
}

// fill leaves no byte free.
func (d disk) fill(t *testing.T) {
	t.Helper()
	f, err := os.Create(d.ballast())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

func (d disk) ballast() string { return filepath.Join(d.path, "ballast") }

func (d disk) clear(t *testing.T) {
	t.Helper()
	if err := os.Remove(d.ballast()); err != nil {
		t.Fatal(err)
	}
}

func (d disk) turnReadOnly(t *testing.T) {
	t.Helper()
	if err := syscall.Mount("tmpfs", d.path, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "size="+smallDisk); err != nil {
		t.Fatal(err)
	}
}

// TestTheDiskIsFull follows a daemon whose disk takes nothing more, and does again: what is
// there is told, nothing is promised, and what channels sold meanwhile arrives once there is
// room, without a restart. It is alone: to fill every channel takes both cores for a while.
func TestTheDiskIsFull(t *testing.T) {
	dir := copySample(t)
	small := newDisk(t, dir)
	d := demoIn(t, dir)
	sampleHotelIsOnEveryChannel(t, d)
	h, night := d.mustHouse(t), ahead(150)
	alpha, bravo := d.channels[0], d.channels[1]
	books := func(from hotel.Date, name string) (answer, error) {
		return d.do(http.MethodPost, "/reservations", stay(h.room("standard"), h.plan("flex"), from, 1, name), nil)
	}
	small.fill(t)
	// What its log has room for is stored, and a checkpoint may find room in it once more.
	tries, refused := 0, 0
	eventually(t, patience, 10*time.Millisecond, func() error {
		tries++
		a, err := books(night+1+hotel.Date(tries%200), "While There Is Room")
		if err != nil {
			return err
		}
		if refused++; a.status != http.StatusServiceUnavailable {
			refused = 0
		}
		if refused < 20 {
			return fmt.Errorf("refused %d times in a row, the last answer: %d %s", refused, a.status, a.body)
		}
		return nil
	})
	a, err := books(night, "Nobody")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := a.refusal(); err != nil || a.status != http.StatusServiceUnavailable || p.Code != "temporarily_unavailable" {
		t.Errorf("a booking that cannot be stored is answered with %d %s (%v)", a.status, a.body, err)
	}
	for _, path := range []string{"/health", "/reservations?limit=1", "/channels"} {
		if a, err := d.do(http.MethodGet, path, nil, nil); err != nil || a.status != http.StatusOK {
			t.Errorf("%s: %d %s %v", path, a.status, a.body, err)
		}
	}
	pushed, polled := alpha.book(t, "standard", "flex", night, 1), bravo.book(t, "standard", "flex", night, 1)
	all, err := d.reservations(url.Values{"staying_on": {night.String()}})
	if err != nil || len(all) != 0 {
		t.Fatalf("%d bookings are known that cannot be stored (%v)", len(all), err)
	}
	small.clear(t)
	d.hears(t, alpha, pushed, "confirmed")
	d.hears(t, bravo, polled, "confirmed")
	d.showEverywhere(t, wanted{"standard", night, 3})
	if a, err := books(night, "Somebody"); err != nil || a.status != http.StatusCreated {
		t.Fatalf("with room again: %d %s %v", a.status, a.body, err)
	}
	d.showEverywhere(t, wanted{"standard", night, 2})
}

// A program that finds its ledger on a file system that takes nothing says so, and ends.
func TestTheDiskIsReadOnly(t *testing.T) {
	t.Parallel()
	dir := copySample(t)
	newDisk(t, dir).turnReadOnly(t)
	output, code := run(t, "demo", "--data", dir, "--listen", "127.0.0.1:0", "--speed", "0")
	if code == 0 || !strings.Contains(output, "read-only") {
		t.Errorf("it ended with %d and said:\n%s", code, output)
	}
}

// A program that finds no room for what it needs to open its ledger says so, with the way
// out, and changes nothing: with room again it starts.
func TestTheDiskIsFullAtTheStart(t *testing.T) {
	t.Parallel()
	dir := copySample(t)
	small := newDisk(t, dir)
	small.fill(t)
	output, code := run(t, "demo", "--data", dir, "--listen", "127.0.0.1:0", "--speed", "0")
	if code == 0 || !strings.Contains(output, "the disk is full. Make room, and start again") {
		t.Errorf("it ended with %d and said:\n%s", code, output)
	}
	small.clear(t)
	d := demoIn(t, dir)
	if a, err := d.do(http.MethodGet, "/reservations?limit=1", nil, nil); err != nil || a.status != http.StatusOK {
		t.Errorf("with room again: %d %s %v", a.status, a.body, err)
	}
}

// A daemon that finds no room for its ledger says why wherever it is asked, and serves as soon
// as there is room, without a start: systemd gives up after a few. Told to end meanwhile it
// ends, with success.
func TestTheDaemonWaitsForRoom(t *testing.T) {
	manager := newSystemd(t)
	i := newInstallation(t)
	small := newDisk(t, i.data)
	small.fill(t)
	const waits = "the ledger cannot be opened yet; it is tried again until there is space"
	told := begin(t, "serve", "--config", i.file)
	await(t, told, waits, 1)
	if err := told.stop(); err != nil {
		t.Fatalf("told to end while it waits: %v\n%s", err, told.output())
	}
	p := begin(t, "serve", "--config", i.file)
	await(t, p, waits, 1)
	if out := p.output(); strings.Contains(out, "start again") {
		t.Errorf("it says to start it again, and goes on by itself:\n%s", out)
	}
	admin, public := "http://"+listener(t, p, "admin"), "http://"+listener(t, p, "api")
	for address, want := range map[string]struct {
		status      int
		media, says string
	}{
		admin + "/livez":                {http.StatusOK, "application/json", "pass"},
		admin + "/readyz":               {http.StatusServiceUnavailable, "application/json", `"reasons":{"migrations":"the disk is full"}`},
		public + "/v1/health":           {http.StatusServiceUnavailable, "application/problem+json", `"detail":"The ledger cannot be opened: the disk is full. `},
		public + "/v1/reservations":     {http.StatusServiceUnavailable, "application/problem+json", `"code":"temporarily_unavailable"`},
		public + "/sign-in?next=/today": {http.StatusServiceUnavailable, "text/plain; charset=utf-8", "The ledger cannot be opened: the disk is full. "},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := send(i.client.http, req)
		if err != nil || a.status != want.status || a.header.Get("Content-Type") != want.media || !strings.Contains(string(a.body), want.says) {
			t.Errorf("%s: %d %v %s %v", address, a.status, a.header, a.body, err)
		}
		if wait := a.header.Get("Retry-After"); strings.HasPrefix(address, public) && wait != "10" {
			t.Errorf("%s: to be asked again after %q", address, wait)
		}
	}
	if out, code := run(t, "serve", "--config", i.file); code != 1 || !strings.Contains(out, "is in use by another ostler process") {
		t.Errorf("a second daemon: code %d\n%s", code, out)
	}
	small.clear(t)
	await(t, p, "started", 1)
	askReadiness(t, i, p)
	eventually(t, patience, 20*time.Millisecond, func() error {
		return manager.heard("EXTEND_TIMEOUT_USEC=300000000\nSTATUS=waiting for disk space: the disk is full", "READY=1\nSTATUS=serving http")
	})
	i.client.http.CloseIdleConnections()
	if err := p.stop(); err != nil {
		t.Errorf("stop: %v\n%s", err, p.output())
	}
}

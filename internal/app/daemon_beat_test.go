package app

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/backup"
	"ostler.example/internal/config"
	"ostler.example/internal/testkit"
)

// TestWorkThatFailsIsAtWork: where something of the clock's work fails, as on a full disk,
// the program is not ready, and systemd has no reason to kill it; backups go on.
func TestWorkThatFailsIsAtWork(t *testing.T) {
	dir := testkit.Folder(t)
	if err := os.Mkdir(filepath.Join(dir, "ledger"), 0o750); err != nil {
		t.Fatal(err)
	}
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Net: "unixgram", Name: filepath.Join(dir, "notify")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = socket.Close() }()
	t.Setenv("NOTIFY_SOCKET", filepath.Join(dir, "notify"))
	settings := config.Default()
	settings.Data = dir
	clock := &stepClock{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	d := &Daemon{config: settings, log: zap.NewNop(), manager: manager{log: zap.NewNop(), watched: true}, health: health{clock: clock}}
	d.env, err = OpenEnvironment(t.Context(), EnvironmentOptions{
		Path: ledgerPath(dir), PublicURL: "http://hotel.example", Sync: settings.Sync, Clock: hotel.SystemClock{}, Log: zap.NewNop(), Beat: d.beat,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer d.env.Stop() //nolint:errcheck // the ledger is thrown away
	d.health.open(d.env)
	clock.now = clock.now.Add(scheduleLate)

	broken, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.env.tick(broken); err == nil {
		t.Fatal("the clock's work does not fail")
	}
	if err := socket.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	said := make([]byte, 100)
	n, err := socket.Read(said)
	if err != nil || string(said[:n]) != "WATCHDOG=1" {
		t.Errorf("systemd is told %q (%v)", said[:n], err)
	}
	if got := d.health.check(t.Context()).Checks["scheduler"]; got != "fail" {
		t.Errorf("scheduler: %s", got)
	}
	d.backups.under.Wait()
	head, err := d.env.Ledger.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if newest, err := backup.Newest(backupFolder(settings), head.Ledger); err != nil || newest.IsZero() {
		t.Errorf("no backup was taken: %v", err)
	}
	if err := d.env.tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := d.health.check(t.Context()).Checks["scheduler"]; got != "pass" {
		t.Errorf("once it goes well, scheduler: %s", got)
	}
}

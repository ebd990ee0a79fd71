package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/backup"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// The child of TestRestoreThatIsKilled finds here what it restores, and at which word
// of its progress it is killed.
const (
	killFile   = "OSTLER_TEST_RESTORE_FILE"
	killBackup = "OSTLER_TEST_RESTORE_BACKUP"
	killAt     = "OSTLER_TEST_RESTORE_AT"
)

// steps calls f with the number of each step of a restore as it begins.
func steps(f func(n int)) func(string, float64) {
	n, last := 0, ""
	return func(at string, _ float64) {
		if at != last {
			n, last = n+1, at
			f(n)
		}
	}
}

// TestRestoreThatIsKilled at any of its steps leaves the ledger of before or the
// restored one, whole, and the ledger of before is there in any case. The next restore
// goes through.
func TestRestoreThatIsKilled(t *testing.T) {
	if at, err := strconv.Atoi(os.Getenv(killAt)); err == nil {
		_, err := Restore(context.Background(), RestoreOptions{
			File: os.Getenv(killFile), Backup: os.Getenv(killBackup), Operator: "me", Log: zap.NewNop(), Report: steps(func(n int) {
				if n == at {
					_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				}
			}),
		})
		t.Fatalf("not killed: %v", err)
	}
	ctx := t.Context()
	dir := testkit.Folder(t)
	o := InitOptions{File: filepath.Join(dir, "ostler.toml"), Data: filepath.Join(dir, "data"), Operator: "me", Log: zap.NewNop()}
	if _, err := Init(ctx, o); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "backup.db")
	if _, err := Backup(ctx, BackupOptions{File: o.File, To: file, Report: func(string, float64) {}}); err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(ctx, ledger.Options{Path: ledgerPath(o.Data), Clock: hotel.SystemClock{}})
	if err != nil {
		t.Fatal(err)
	}
	testkit.NewHouse(t, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	before := headOf(t, ledgerPath(o.Data))
	whole := dir + ".whole"
	if err := os.CopyFS(whole, os.DirFS(o.Data)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(whole) })

	restore := RestoreOptions{File: o.File, Backup: file, Operator: "me", Log: zap.NewNop()}
	last := 0
	restore.Report = steps(func(n int) { last = n })
	if r, err := Restore(ctx, restore); err != nil || headOf(t, ledgerPath(o.Data)).Epoch != before.Epoch+1 || headOf(t, filepath.Join(r.Aside, "production.db")) != before {
		t.Fatalf("restored %+v, %v", r, err)
	}
	was, became := 0, 0
	for at := 1; at <= last; at++ {
		if err := errors.Join(os.RemoveAll(o.Data), os.CopyFS(o.Data, os.DirFS(whole))); err != nil {
			t.Fatal(err)
		}
		child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestRestoreThatIsKilled$")
		child.Env = append(os.Environ(), killFile+"="+o.File, killBackup+"="+file, killAt+"="+strconv.Itoa(at))
		out, err := child.CombinedOutput()
		if status, ok := errors.AsType[*exec.ExitError](err); !ok || !status.Sys().(syscall.WaitStatus).Signaled() {
			t.Fatalf("step %d: %v\n%s", at, err, out)
		}
		found, err := Verify(ctx, VerifyOptions{File: o.File, Report: func(string, float64) {}})
		if err != nil || len(found.Differences) > 0 {
			t.Errorf("step %d: %+v, %v", at, found, err)
		}
		switch head := headOf(t, ledgerPath(o.Data)); {
		case head == before:
			was++
		case head.Epoch == before.Epoch+1 && head.Sequence > before.Sequence:
			became++
		default:
			t.Errorf("step %d leaves a ledger at %+v, which was at %+v", at, head, before)
		}
		if !kept(t, o.Data, before) {
			t.Errorf("step %d: the ledger of before is gone", at)
		}
		restore.Report = func(string, float64) {}
		if _, err := Restore(ctx, restore); err != nil || !kept(t, o.Data, before) {
			t.Errorf("a restore after one that was killed at step %d: %v", at, err)
		}
	}
	if was < 2 || became < 1 {
		t.Errorf("%d kills left the ledger of before, %d the restored one", was, became)
	}
}

func headOf(t *testing.T, path string) ledger.Head {
	t.Helper()
	head, err := ledger.HeadOf(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return head
}

// kept reports whether the ledger that ends at a head lies somewhere in the folder.
func kept(t *testing.T, dir string, head ledger.Head) (found bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Base(path) == "production.db" {
			at, broken := ledger.HeadOf(t.Context(), path)
			found = found || broken == nil && at == head
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestAnExchangeThatWasCutOffIsEnded where the file system cannot exchange two folders
// in one step: whoever claims the data folder finds a ledger in its place.
func TestAnExchangeThatWasCutOffIsEnded(t *testing.T) {
	for _, c := range []struct {
		name          string
		files         map[string]string
		place, beside string
	}{
		{"nothing was cut off", map[string]string{"ledger": "old", "restoring": "new"}, "old", "new"},
		{"before the new one had come", map[string]string{"restoring.exchanged": "old", "restoring": "new"}, "old", "new"},
		{"after it had come", map[string]string{"restoring.exchanged": "old", "ledger": "new"}, "new", "old"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := testkit.Folder(t)
			for at, text := range c.files {
				write(t, filepath.Join(data, at, "production.db"), text)
			}
			if there, err := hasLedger(data); err != nil || !there {
				t.Errorf("there is no ledger: %v", err)
			}
			lock, err := claim(data)
			if err != nil {
				t.Fatal(err)
			}
			if err := lock.Release(); err != nil {
				t.Error(err)
			}
			for at, want := range map[string]string{"ledger": c.place, "restoring": c.beside} {
				if got, err := os.ReadFile(filepath.Join(data, at, "production.db")); err != nil || string(got) != want {
					t.Errorf("%s is %q, %v", at, got, err)
				}
			}
			if cut, err := backup.Exchanging(restoring(data)); err != nil || cut {
				t.Errorf("still cut off: %v", err)
			}
		})
	}
}

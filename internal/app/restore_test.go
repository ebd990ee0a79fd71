package app

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	var person hotel.GuestProfile
	inLedger(t, o.Data, func(l *ledger.Ledger) (err error) {
		house := testkit.NewHouse(t, l)
		person, _, err = l.CreateGuest(ctx, testkit.Tester, hotel.Once{}, hotel.GuestProfile{PropertyID: house.Property.ID, Guest: hotel.Guest{LastName: "Unforgettable"}})
		return err
	})
	file := filepath.Join(dir, "backup.db")
	if _, err := Backup(ctx, BackupOptions{File: o.File, To: file, Report: func(string, float64) {}}); err != nil {
		t.Fatal(err)
	}
	inLedger(t, o.Data, func(l *ledger.Ledger) error {
		_, _, err := l.ForgetGuest(ctx, testkit.Tester, hotel.Once{}, person.ID, hotel.ForgetRequest{Reason: "asked"})
		return err
	})
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
		knowsNobody(t, o.Data, person.ID)
		restore.Report = func(string, float64) {}
		if _, err := Restore(ctx, restore); err != nil || !kept(t, o.Data, before) {
			t.Errorf("a restore after one that was killed at step %d: %v", at, err)
		}
		knowsNobody(t, o.Data, person.ID)
	}
	if was < 2 || became < 1 {
		t.Errorf("%d kills left the ledger of before, %d the restored one", was, became)
	}
}

// inLedger does something in the ledger of a data folder.
func inLedger(t *testing.T, data string, do func(*ledger.Ledger) error) {
	t.Helper()
	l, err := ledger.Open(t.Context(), ledger.Options{Path: ledgerPath(data), Clock: hotel.SystemClock{}})
	if err == nil {
		err = errors.Join(do(l), l.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// knowsNobody sees that the ledger in its place has forgotten a person whom the backup
// knows, in its files too, and that whoever restores next will forget them.
func knowsNobody(t *testing.T, data, person string) {
	t.Helper()
	inLedger(t, data, func(l *ledger.Ledger) error {
		p, err := l.Guest(t.Context(), person)
		if p.Status != hotel.GuestAnonymized || p.LastName != "" {
			t.Errorf("it knows %+v", p)
		}
		return err
	})
	for _, end := range []string{"", "-wal"} {
		if text, err := os.ReadFile(ledgerPath(data) + end); err == nil && bytes.Contains(text, []byte("Unforgettable")) {
			t.Errorf("the name is in the file %q still", end)
		}
	}
	if ids, err := ledger.ForgottenOf(t.Context(), ledgerPath(data)); err != nil || !slices.Contains(ids, person) {
		t.Errorf("listed as forgotten are %v, %v", ids, err)
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

package ledger

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ostler.example/ledger/internal/sqlite"
)

func TestOpenRefusesOtherSettings(t *testing.T) {
	for _, test := range []struct{ name, asked, value, reads string }{
		{"a weaker sync", "synchronous", "NORMAL", "2"},
		{"no write-ahead log", "journal_mode", "DELETE", "wal"},
		{"no foreign keys", "foreign_keys", "off", "1"},
		{"deleted data left in the file", "secure_delete", "off", "1"},
		{"no patience", "busy_timeout", "1", "5000"},
		{"a misspelt option", "synchronus", "FULL", "2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			was := slices.Clone(sqlite.Pragmas)
			defer func() { sqlite.Pragmas = was }()
			at := slices.IndexFunc(sqlite.Pragmas, func(p struct{ Name, Value, Reads string }) bool { return p.Name == test.asked })
			sqlite.Pragmas = slices.Clone(sqlite.Pragmas)
			if at < 0 {
				at = len(sqlite.Pragmas)
				sqlite.Pragmas = append(sqlite.Pragmas, struct{ Name, Value, Reads string }{Name: test.asked})
			}
			sqlite.Pragmas[at].Value, sqlite.Pragmas[at].Reads = test.value, test.reads
			l, err := Open(context.Background(), Options{Path: filepath.Join(folder(t), "ledger.db")})
			if err == nil {
				t.Fatalf("opened: %v", l.Close())
			}
			if !strings.Contains(err.Error(), test.asked) {
				t.Errorf("the error names no setting: %v", err)
			}
		})
	}
}

// Each connection, reading or writing, has the settings.
func TestEveryConnectionIsSet(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	if err := sqlite.CheckPragmas(ctx, h.readDB); err != nil {
		t.Error(err)
	}
	err := h.write(ctx, urgent, tester, func(t *tx) error {
		for _, p := range sqlite.Pragmas {
			var got string
			if err := t.b.w.conn.QueryRowContext(ctx, "PRAGMA "+p.Name).Scan(&got); err != nil || !strings.EqualFold(got, p.Reads) {
				h.log.Error(p.Name + " is " + got)
				return errItem
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := h.readDB.ExecContext(ctx, "DELETE FROM reservation"); err == nil {
		t.Error("a reading connection writes")
	}
}

func TestOpenNamesItsFile(t *testing.T) {
	path := filepath.Join(folder(t), "missing", "ledger.db")
	if _, err := Open(context.Background(), Options{Path: path}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("opened in a folder that does not exist: %v", err)
	}
	odd := filepath.Join(folder(t), "a ? b # c %20.db") // what a URL would make something else of
	h := &house{path: odd, clock: &fixedClock{now: opening}}
	h.open(t)
	defer h.close(t)
	if _, err := os.Stat(odd); err != nil {
		t.Error(err)
	}
}

func TestIdentityIsKept(t *testing.T) {
	h := newHouse(t)
	first := must(h.Identity(context.Background()))(t)
	h.reopen(t)
	if again := must(h.Identity(context.Background()))(t); again != first || !strings.HasPrefix(first, "ldg_") {
		t.Errorf("id %q, then %q", first, again)
	}
}

// lockChild makes the test binary claim the folder that it names.
const lockChild = "OSTLER_TEST_LOCK"

func TestFolderBelongsToOneProcess(t *testing.T) {
	if dir := os.Getenv(lockChild); dir != "" {
		if _, err := LockFolder(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	dir := filepath.Join(folder(t), "data")
	claim := func() (string, int) {
		cmd := exec.Command(must(os.Executable())(t), "-test.run", "^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), lockChild+"="+dir)
		var said bytes.Buffer
		cmd.Stderr = &said
		_ = cmd.Run() // its exit code says it
		return said.String(), cmd.ProcessState.ExitCode()
	}
	lock := must(LockFolder(dir))(t)
	if said, code := claim(); code != 3 || !strings.Contains(said, "in use by another ostler process") {
		t.Errorf("a second process: exit code %d, %q", code, said)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if said, code := claim(); code != 0 {
		t.Errorf("after the first has gone: exit code %d, %q", code, said)
	}
}

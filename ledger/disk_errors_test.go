package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mattn/go-sqlite3"
)

// TestDamagedLedgerIsRefused: whatever of the file is damaged that a start reads, it says so
// and what to do, and leaves the file as it is.
func TestDamagedLedgerIsRefused(t *testing.T) {
	whole := filepath.Join(folder(t), "ledger.db")
	l, err := Open(context.Background(), Options{Path: whole})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	for _, c := range []struct {
		name  string
		spoil func(file []byte) []byte
	}{
		{"no database at all", func([]byte) []byte { return bytes.Repeat([]byte("not a ledger "), 1000) }},
		{"the first page overwritten", func(f []byte) []byte { return append(bytes.Repeat([]byte{0xff}, page), f[page:]...) }},
		{"every page behind the first overwritten", func(f []byte) []byte { return append(f[:page:page], bytes.Repeat([]byte{0xff}, len(f)-page)...) }},
		{"cut off behind the first page", func(f []byte) []byte { return f[:page] }},
	} {
		path := filepath.Join(folder(t), "ledger.db")
		spoilt := c.spoil(bytes.Clone(sound))
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Open(context.Background(), Options{Path: path})
		if err == nil {
			t.Errorf("%s: opened: %v", c.name, l.Close())
			continue
		}
		if !strings.Contains(err.Error(), "ostler restore") || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", c.name, err)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, spoilt) {
			t.Errorf("%s: the file was changed: %d bytes of %d, %v", c.name, len(after), len(spoilt), err)
		}
	}
}

// TestWaysOut of what keeps a ledger from being opened: each error has its own, and those
// that say enough stay as they are.
func TestWaysOut(t *testing.T) {
	for code, says := range map[sqlite3.ErrNo]string{
		sqlite3.ErrCorrupt: "ostler restore", sqlite3.ErrNotADB: "ostler restore", sqlite3.ErrReadonly: "read-only", sqlite3.ErrCantOpen: "read-only",
		sqlite3.ErrPerm: "ls -l", sqlite3.ErrFull: "Make room", sqlite3.ErrBusy: "",
	} {
		was := fmt.Errorf("read: %w", sqlite3.Error{Code: code})
		got := wayOut(was)
		if !errors.Is(got, was) || !strings.Contains(got.Error(), says) || says == "" && got.Error() != was.Error() {
			t.Errorf("%v becomes %q, want %q in it", was, got, says)
		}
	}
	if wayOut(nil) != nil {
		t.Error("nothing has a way out")
	}
}

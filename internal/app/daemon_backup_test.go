package app

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"go.uber.org/zap"

	"ostler.example/internal/config"
	"ostler.example/ledger"
)

// TestOneBackupBeforeAnUpgrade: a start that is tried again, because the disk had no space
// for the new tables, takes no second backup, which would push a nightly one out of the
// folder. One that cannot be taken is tried again.
func TestOneBackupBeforeAnUpgrade(t *testing.T) {
	c := config.Config{Data: t.TempDir(), Backup: config.Backup{Folder: filepath.Join(t.TempDir(), "disk", "backups"), Keep: 1}}
	if err := os.MkdirAll(filepath.Dir(ledgerPath(c.Data)), 0o750); err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(t.Context(), ledger.Options{Path: ledgerPath(c.Data)})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	before := backingUp(c, zap.NewNop())
	if err := before(t.Context(), 1, 2); err == nil {
		t.Fatal("a backup was taken to a folder that is not there")
	}
	if err := os.MkdirAll(c.Backup.Folder, 0o750); err != nil {
		t.Fatal(err)
	}
	taken := func() os.FileInfo {
		t.Helper()
		if err := before(t.Context(), 1, 2); err != nil {
			t.Fatal(err)
		}
		found, err := filepath.Glob(filepath.Join(c.Backup.Folder, "*.db"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%v, %v", found, err)
		}
		info, err := os.Stat(found[0])
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first := taken()
	if again := taken(); !os.SameFile(first, again) {
		t.Errorf("%s was replaced by %s", first.Name(), again.Name())
	}
	full := fmt.Errorf("%w: %w", errNoBackup, syscall.ENOSPC)
	if got := reasonOf(full); got != "the disk of the backup before the upgrade is full" || !isFull(full) {
		t.Errorf("told as %q", got)
	}
}

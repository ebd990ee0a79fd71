package app

import (
	"os"
	"path/filepath"
	"testing"
)

// Whoever owns a data folder cannot have root give them what lies elsewhere, by a link in it or
// in place of a folder of it.
func TestNothingOutsideTheDataFolderIsGivenAway(t *testing.T) {
	data, elsewhere := t.TempDir(), t.TempDir()
	me := owner{uid: os.Getuid(), gid: os.Getgid(), differs: true}
	if err := os.MkdirAll(filepath.Join(data, "ledger"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(data, "ledger", "more")); err != nil {
		t.Fatal(err)
	}
	if err := me.take(data, "ledger"); err != nil {
		t.Errorf("a link in the folder: %v", err)
	}
	if err := os.Rename(filepath.Join(data, "ledger"), filepath.Join(data, "l2")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(data, "ledger")); err != nil {
		t.Fatal(err)
	}
	if err := me.take(data, "ledger"); err == nil {
		t.Error("what a link in place of the folder leads to was given away")
	}
	if err := me.take(data, "."); err != nil {
		t.Errorf("the folder with such a link: %v", err)
	}
}

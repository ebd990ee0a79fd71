package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ostler.example/internal/testkit"
)

// The key is made once; what is not a key is not taken for one, nor replaced.
func TestTheSealIsKept(t *testing.T) {
	dir := testkit.Folder(t)
	first, err := openSeal(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, err := openSeal(dir)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := again.Open(first.Close([]byte("secret"), "cli"), "cli"); err != nil || string(text) != "secret" {
		t.Errorf("read %q, %v", text, err)
	}
	path := filepath.Join(dir, sealFile)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file %v, %v", info, err)
	}
	fresh := newSealKey()
	keys, err := sealKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeSealKeys(path, append([][32]byte{fresh}, keys...)); err != nil {
		t.Fatal(err)
	}
	if ring, err := openSeal(dir); err != nil || ring.Earlier() != 1 {
		t.Errorf("two keys: %+v, %v", ring, err)
	} else if text, err := ring.Open(first.Close([]byte("secret"), "cli"), "cli"); err != nil || string(text) != "secret" || !ring.Current(ring.Close(nil, "x"), "x") || ring.Current(first.Close(nil, "x"), "x") {
		t.Errorf("with a key more: read %q, %v", text, err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openSeal(dir); err == nil || !strings.Contains(err.Error(), "put the file back") {
		t.Errorf("a broken key: %v", err)
	}
	if _, err := openSeal(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there has a key")
	}
}

package testkit

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Corpus returns the folder of that name in the test data that is not kept in the
// repository, and skips the test where there is none.
func Corpus(t testing.TB, name string) string {
	t.Helper()
	folder := os.Getenv("OSTLER_CORPUS")
	if folder == "" {
		folder = filepath.Join(root(t), "..", "shared", "data")
	}
	folder = filepath.Join(folder, name)
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("corpus not found at %s; set OSTLER_CORPUS to run this test", folder)
	}
	return folder
}

// root is the folder of the repository.
func root(t testing.TB) string {
	t.Helper()
	at, err := os.Getwd()
	if err != nil {
		t.Fatalf("where are we: %v", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			t.Fatalf("there is no go.mod above the test")
		}
		at = filepath.Dir(at)
	}
}

// Schema checks documents against an XML schema, with xmllint.
func Schema(t testing.TB, file string) (valid func(name string, document []byte)) {
	t.Helper()
	xmllint := Tool(t, "xmllint")
	return func(name string, document []byte) {
		t.Helper()
		check := exec.CommandContext(t.Context(), xmllint, "--noout", "--nonet", "--schema", file, "-")
		check.Stdin = bytes.NewReader(document)
		if said, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s does not fit %s: %v\n%s\n%s", name, filepath.Base(file), err, said, document)
		}
	}
}

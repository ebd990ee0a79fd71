package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A backup is taken by the daemon at its first start, beside it and without it.
func TestBackup(t *testing.T) {
	i := newInstallation(t)
	folder := filepath.Join(filepath.Dir(i.data), "copies")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	i.edit(t, regexp.MustCompile(`# folder = .*`), `folder = "`+folder+`"`)
	p := begin(t, "serve", "--config", i.file)
	taken := func() []string {
		found, err := filepath.Glob(filepath.Join(folder, "ostler-*.db.json"))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	await(t, p, "backup taken", 1)
	file := filepath.Join(folder, "by hand.db")
	for _, c := range []struct {
		name, to string
		code     int
		want     string
	}{
		{"as configured", "", 0, "checked"},
		{"to a file", file, 0, file},
		{"to a folder that is not there", folder + "/no/", 1, "there is no folder"},
	} {
		args := []string{"backup", "--config", i.file}
		if c.to != "" {
			args = append(args, c.to)
		}
		if out, code := run(t, args...); code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%s: code %d\n%s", c.name, code, out)
		}
	}
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	if out, code := run(t, "backup", "--config", i.file, file); code != 1 || !strings.Contains(out, "is there already") {
		t.Errorf("over another file: code %d\n%s", code, out)
	}
	if out, code := run(t, "backup", "--config", i.file); code != 0 {
		t.Errorf("without a daemon: code %d\n%s", code, out)
	}
	if n := len(taken()); n != 3 {
		t.Errorf("%d backups of the folder's own", n)
	}
	if out, code := run(t, "ledger", "verify", "--config", i.file, "--copy", file); code != 0 {
		t.Errorf("verify: code %d\n%s", code, out)
	}
	var manifest struct {
		Bytes   int64
		Journal struct{ Sequence int64 }
	}
	raw, err := os.ReadFile(file + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &manifest); err != nil || manifest.Bytes == 0 || manifest.Journal.Sequence == 0 {
		t.Errorf("manifest %s, %v", raw, err)
	}
}

package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ostler.example/internal/config"
)

// wellMachine is one of which nothing is to be said.
var wellMachine = machine{
	local:    func(string) error { return nil },
	writable: func(string) error { return nil },
	free:     func(string) (uint64, error) { return 50 << 30, nil },
	syncs:    func(string, int) ([]time.Duration, error) { return []time.Duration{time.Millisecond}, nil },
	kept:     func() bool { return true },
	found:    func(context.Context, string) error { return nil },
	zones: func() []byte {
		return []byte("# a table\nAT\t+4813+01620\tEurope/Vienna\nPT\t+3843-00908\tEurope/Lisbon\tmainland\nPT\t+3744-02540\tAtlantic/Azores\n")
	},
}

// TestDoctorLooksAtTheMachine: each of what can be the matter with the data folder, its disk
// and the clock is told of alone, with what to do.
func TestDoctorLooksAtTheMachine(t *testing.T) {
	takes := func(d time.Duration) func(*machine) {
		return func(m *machine) {
			m.syncs = func(string, int) ([]time.Duration, error) { return []time.Duration{d, d, 0, d, time.Hour}, nil }
		}
	}
	has := func(bytes uint64) func(*machine) {
		return func(m *machine) { m.free = func(string) (uint64, error) { return bytes, nil } }
	}
	refused := func(err error) func(*machine) {
		return func(m *machine) { m.writable = func(string) error { return err } }
	}
	for _, c := range []struct {
		name  string
		harm  func(t *testing.T, dir string)
		of    func(*machine)
		check string // "": all is well
		want  Level
	}{
		{"all is well", nil, nil, "", ""},
		{"no folder", func(t *testing.T, dir string) { must(t, os.RemoveAll(dir)) }, nil, "data folder", Fault},
		{"no ledger", func(t *testing.T, dir string) { must(t, os.Remove(ledgerPath(dir))) }, nil, "data folder", Fault},
		{"somebody else's folder", nil, refused(syscall.EACCES), "data folder", Fault},
		{"a file system that is read-only", nil, refused(syscall.EROFS), "data folder", Fault},
		{"a folder that everybody may look into", func(t *testing.T, dir string) { must(t, os.Chmod(dir, 0o755)) }, nil, "data folder", Warning},
		{"a network file system", nil, func(m *machine) { m.local = func(string) error { return errors.New("it is NFS") } }, "data folder", Fault},
		{"a full disk", nil, has(99 << 20), "free disk", Fault},
		{"a disk that is nearly full", nil, has(1023 << 20), "free disk", Warning},
		{"a slow disk", nil, takes(60 * time.Millisecond), "disk latency", Warning},
		{"a disk that hardly works", nil, takes(time.Second), "disk latency", Fault},
		{"a disk that fails", nil, func(m *machine) {
			m.syncs = func(string, int) ([]time.Duration, error) { return nil, errors.New("input/output error") }
		}, "disk latency", Fault},
		{"a clock that is behind", func(t *testing.T, dir string) {
			later := now().Add(time.Hour)
			must(t, os.Chtimes(ledgerPath(dir), later, later))
		}, nil, "clock", Fault},
		{"a clock that nobody keeps", nil, func(m *machine) { m.kept = func() bool { return false } }, "clock", Warning},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			must(t, os.MkdirAll(filepath.Dir(ledgerPath(dir)), 0o750))
			must(t, os.Chmod(dir, 0o750))
			must(t, os.WriteFile(ledgerPath(dir), nil, 0o640))
			if c.harm != nil {
				c.harm(t, dir)
			}
			d := &doctor{ctx: t.Context(), settings: config.Config{Data: dir}, machine: wellMachine}
			if c.of != nil {
				c.of(&d.machine)
			}
			var bad []Finding
			d.found = func(f Finding) {
				if f.Level != Well {
					bad = append(bad, f)
				}
			}
			d.folder()
			d.disk()
			d.fsync()
			d.clock()
			if c.check == "" {
				if len(bad) > 0 {
					t.Errorf("the doctor says %+v", bad)
				}
				return
			}
			if len(bad) != 1 || bad[0].Check != c.check || bad[0].Level != c.want || bad[0].Do == "" {
				t.Errorf("the doctor says %+v, want one %s of %s", bad, c.want, c.check)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTimedSyncsLeavesNothing behind in the folder that it measures.
func TestTimedSyncsLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	took, err := timedSyncs(dir, 3)
	left, _ := os.ReadDir(dir)
	if err != nil || len(took) != 3 || len(left) != 0 {
		t.Errorf("%v, %v, and %d files are left", took, err, len(left))
	}
	if took, err = timedSyncs(filepath.Join(dir, "none"), 3); err != nil || took != nil {
		t.Errorf("no folder: %v, %v", took, err)
	}
}

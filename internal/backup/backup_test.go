package backup

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"go.uber.org/goleak"

	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	noon    = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	quietly = func(string, float64) {}
)

// opened makes an empty ledger, which stays open.
func opened(t *testing.T) string {
	t.Helper()
	path := filepath.Join(testkit.Folder(t), "ledger.db")
	l, err := ledger.Open(context.Background(), ledger.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return path
}

func take(t *testing.T, o Options) Taken {
	t.Helper()
	if o.Now.IsZero() {
		o.Now = noon
	}
	o.Report, o.Version = quietly, "test"
	taken, err := Take(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return taken
}

func names(t *testing.T, folder string) []string {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

func TestTakeAndUnpack(t *testing.T) {
	path, folder := opened(t), testkit.Folder(t)
	pair, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(testkit.Folder(t), "key")
	if err := os.WriteFile(key, []byte(pair.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	head, err := ledger.HeadOf(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		recipients []string
		file       string
	}{
		"as it is":  {nil, "ostler-20260601T120000.000Z.db"},
		"encrypted": {[]string{pair.Recipient().String()}, "ostler-20260601T120000.000Z.db.age"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(folder, c.file)
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			taken := take(t, Options{Ledger: path, To: folder, Recipients: c.recipients})
			if got := names(t, folder); !slices.Equal(got, []string{c.file, c.file + ".json"}) {
				t.Fatalf("the folder has %v", got)
			}
			raw, err := os.ReadFile(taken.Path)
			if err != nil {
				t.Fatal(err)
			}
			if readable := bytes.Contains(raw, []byte("CREATE TABLE")); readable == (c.recipients != nil) {
				t.Errorf("readable: %v", readable)
			}
			if info, err := os.Stat(taken.Path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
			out := filepath.Join(testkit.Folder(t), "ledger.db")
			u, err := Unpack(context.Background(), taken.Path, key, out, quietly)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := ledger.HeadOf(context.Background(), out); err != nil || got != head || u.Matches(got) != nil || !u.Stated {
				t.Errorf("head %+v, %v; it was %+v", got, err, head)
			}
		})
	}
	if got := names(t, filepath.Dir(path)); slices.ContainsFunc(got, func(n string) bool { return !strings.HasPrefix(n, "ledger.db") }) {
		t.Errorf("beside the ledger are %v", got)
	}
}

// A file that is not what was written is refused, whatever is wrong with it.
func TestUnpackRefuses(t *testing.T) {
	path := opened(t)
	pair, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		sealed bool
		spoil  func(t *testing.T, file string)
		want   string
	}{
		"a byte has changed": {false, func(t *testing.T, file string) {
			t.Helper()
			change(t, file, func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
		}, "not the file that its manifest tells of"},
		"it was cut short": {false, func(t *testing.T, file string) {
			t.Helper()
			change(t, file, func(b []byte) []byte { return b[:len(b)-512] })
		}, "not the file that its manifest tells of"},
		"it is damaged, and nothing says what it was": {false, func(t *testing.T, file string) {
			t.Helper()
			change(t, file, func(b []byte) []byte { copy(b[5*4096:], make([]byte, 20*4096)); return b })
			if err := os.Remove(manifestOf(file)); err != nil {
				t.Fatal(err)
			}
		}, "damaged"},
		"it is no database": {false, func(t *testing.T, file string) {
			t.Helper()
			change(t, file, func([]byte) []byte { return []byte("hello") })
			if err := os.Remove(manifestOf(file)); err != nil {
				t.Fatal(err)
			}
		}, "damaged"},
		"the manifest cannot be read": {false, func(t *testing.T, file string) {
			t.Helper()
			change(t, manifestOf(file), func([]byte) []byte { return []byte("{") })
		}, "read the manifest"},
		"it is encrypted": {true, func(*testing.T, string) {}, "--identity"},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Ledger: path, To: testkit.Folder(t)}
			if c.sealed {
				o.Recipients = []string{pair.Recipient().String()}
			}
			taken := take(t, o)
			c.spoil(t, taken.Path)
			_, err := Unpack(context.Background(), taken.Path, "", filepath.Join(testkit.Folder(t), "ledger.db"), quietly)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func change(t *testing.T, file string, f func([]byte) []byte) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, f(raw), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Of the program's own backups the newest stay; nothing else is touched.
func TestOldOnesAreRemoved(t *testing.T) {
	path, other, folder := opened(t), opened(t), testkit.Folder(t)
	take(t, Options{Ledger: other, To: folder, Now: noon.Add(-time.Hour)})
	take(t, Options{Ledger: path, To: filepath.Join(folder, "ostler-before-the-move.db")})
	if err := os.WriteFile(filepath.Join(folder, "ostler-19990101T000000.000Z.db"), nil, 0o600); err != nil {
		t.Fatal(err) // it has no manifest
	}
	others := names(t, folder)
	var mine []string
	for i := range 5 {
		taken := take(t, Options{Ledger: path, To: folder, Keep: 2, Now: noon.Add(time.Duration(i) * time.Minute)})
		if _, err := os.Stat(taken.Path); err != nil {
			t.Error(err)
		}
		mine = append(mine, taken.Path)
		if want := mine[max(0, i-2):max(0, i-1)]; !slices.Equal(taken.Removed, want) {
			t.Errorf("removed %v, want %v", taken.Removed, want)
		}
	}
	want := slices.Clone(others)
	for _, path := range mine[3:] {
		want = append(want, filepath.Base(path), filepath.Base(path)+".json")
	}
	slices.Sort(want)
	if got := names(t, folder); !slices.Equal(got, want) {
		t.Errorf("left are %v, want %v", got, want)
	}
	head, err := ledger.HeadOf(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := Newest(folder, head.Ledger); err != nil || !at.Equal(noon.Add(4*time.Minute)) {
		t.Errorf("the newest is of %v, %v", at, err)
	}
	before := take(t, Options{Ledger: path, To: folder, Keep: 2, Now: noon.Add(-time.Minute)}) // the clock was ahead
	if _, err := os.Stat(before.Path); err != nil || len(before.Removed) != 1 {
		t.Errorf("the one just taken: %v, removed %v", err, before.Removed)
	}
}

// Where a backup cannot be taken, it says why and leaves nothing.
func TestTakeRefuses(t *testing.T) {
	path, folder := opened(t), testkit.Folder(t)
	file := filepath.Join(folder, "there.db")
	if err := os.WriteFile(file, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"a file that is there":         {Options{Ledger: path, To: file}, "is there already"},
		"a folder that is not there":   {Options{Ledger: path, To: filepath.Join(folder, "no") + "/"}, "there is no folder"},
		"a file in such a folder":      {Options{Ledger: path, To: filepath.Join(folder, "no", "x.db")}, "there is no folder"},
		"no ledger":                    {Options{Ledger: filepath.Join(folder, "no", "ledger.db"), To: folder}, "unable to open database"},
		"a recipient that is no key":   {Options{Ledger: path, To: folder, Recipients: []string{"x"}}, "backup.recipients"},
		"a disk that is too small":     {Options{Ledger: path, To: "/proc"}, "left, and the copy takes up to"},
		"somebody who waits no longer": {Options{Ledger: path, To: folder}, "context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if strings.HasPrefix(name, "somebody") {
				cancel()
			}
			c.o.Now, c.o.Report = noon, quietly
			if _, err := Take(ctx, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if got := names(t, folder); !slices.Equal(got, []string{"there.db"}) {
				t.Errorf("left are %v", got)
			}
		})
	}
}

// What a killed program has left half written goes after a day.
func TestHalfWrittenGoes(t *testing.T) {
	path, folder := opened(t), testkit.Folder(t)
	old, young, foreign := filepath.Join(folder, "ostler-1.db.partial"), filepath.Join(folder, "ostler-2.db.partial"), filepath.Join(folder, "x.partial")
	for file, age := range map[string]time.Duration{old: 25 * time.Hour, young: time.Hour, foreign: 99 * time.Hour} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, noon, noon.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	take(t, Options{Ledger: path, To: folder})
	if got := names(t, folder); !slices.Equal(got, []string{"ostler-2.db.partial", "ostler-20260601T120000.000Z.db", "ostler-20260601T120000.000Z.db.json", "x.partial"}) {
		t.Errorf("left are %v", got)
	}
}

package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"ostler.example/internal/backup"
	"ostler.example/internal/client"
	"ostler.example/internal/config"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// TestDoctorMindsTheAgeOfBackups: the newest may be twice as old as it is to become.
func TestDoctorMindsTheAgeOfBackups(t *testing.T) {
	noon := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	none, one, data := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.WriteFile(client.Socket(data), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(client.Socket(data), noon, noon); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(testkit.Folder(t), "ledger.db")
	l, err := ledger.Open(t.Context(), ledger.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Take(t.Context(), backup.Options{Ledger: path, To: one, Now: noon, Version: "test", Report: func(string, float64) {}}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	day := 24 * time.Hour
	for _, c := range []struct {
		name   string
		folder string
		every  time.Duration
		age    time.Duration
		want   Level
	}{
		{"one of yesterday, of one a day", one, day, day, Well},
		{"one that is being taken again", one, day, 2*day + time.Hour, Well},
		{"none was taken for long", one, day, 2*day + 61*time.Minute, Fault},
		{"no folder yet", filepath.Join(none, "backups"), day, 2 * time.Hour, Warning},
		{"none by itself, and somebody has taken one", one, 0, 6 * day, Well},
		{"none by itself, and nobody has for long", one, 0, 8 * day, Warning},
		{"none at all", none, 0, 0, Warning},
		{"none yet, and the daemon has just begun", none, day, time.Minute, Well},
		{"none yet, and the daemon works for long", none, day, 2 * time.Hour, Warning},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []Finding
			d := &doctor{found: func(f Finding) { got = append(got, f) }, settings: config.Config{Backup: config.Backup{Folder: c.folder, Every: c.every}, Data: data}}
			d.backups(noon.Add(c.age))
			if len(got) != 1 || got[0].Level != c.want || (got[0].Do == "") != (c.want == Well) {
				t.Errorf("the doctor says %+v, want one finding, %s", got, c.want)
			}
		})
	}
}

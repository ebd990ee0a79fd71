package calendar

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// eventsByPython prints the events of a calendar as the library icalendar reads them.
const eventsByPython = `
import sys, icalendar
for e in icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read()).walk('VEVENT'):
    print(e['UID'], e['DTSTART'].dt, e['DTEND'].dt)
`

// feed is a calendar that has what ours have: a name that is folded within a character, a
// stay over a leap day.
func feed() []byte {
	stay := func(from, to hotel.Date) hotel.Stay { return hotel.Stay{CheckIn: from, CheckOut: to} }
	return Write("Zimmer mit Aussicht, "+strings.Repeat("ü", 80), []Busy{
		{UID: "double-1-1@ch_1.ostler", Changed: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC), Stay: stay(hotel.DateOf(2027, 1, 5), hotel.DateOf(2027, 1, 8))},
		{UID: "double-1-2@ch_1.ostler", Changed: time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC), Stay: stay(hotel.DateOf(2028, 2, 28), hotel.DateOf(2028, 3, 1))},
	})
}

// TestWrittenForOthers leaves the calendar in the file OSTLER_FEED, where one is named: make
// interop has ical.js read it. What lies there is what was written.
func TestWrittenForOthers(t *testing.T) {
	file := cmp.Or(os.Getenv("OSTLER_FEED"), filepath.Join(t.TempDir(), "feed.ics"))
	if err := os.WriteFile(file, feed(), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if read, err := Read(t.Context(), text, window(t)); err != nil || len(read.Events) != 2 {
		t.Errorf("it reads %+v, %v", read, err)
	}
}

// What we write others read: python3-icalendar, where it is installed.
func TestWrittenIsReadByOthers(t *testing.T) {
	python := ""
	for _, p := range []string{"/usr/bin/python3", "python3"} {
		if exec.CommandContext(t.Context(), p, "-c", "import icalendar").Run() == nil {
			python = p
			break
		}
	}
	if python == "" {
		testkit.Lacks(t, "python3-icalendar")
	}
	text := feed()
	file := filepath.Join(t.TempDir(), "feed.ics")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), python, "-c", eventsByPython, file).CombinedOutput()
	if want := "double-1-1@ch_1.ostler 2027-01-05 2027-01-08\ndouble-1-2@ch_1.ostler 2028-02-28 2028-03-01\n"; err != nil || string(said) != want {
		t.Errorf("it reads %v\n%s\nwant\n%s", err, said, want)
	}
}

// khalSetup is a calendar of khal's in a folder of its own, which it knows nothing else of.
const khalSetup = `[calendars]
[[feed]]
path = %[1]s/feed
[sqlite]
path = %[1]s/khal.db
[locale]
timeformat = %%H:%%M
dateformat = %%Y-%%m-%%d
longdateformat = %%Y-%%m-%%d
datetimeformat = %%Y-%%m-%%d %%H:%%M
longdatetimeformat = %%Y-%%m-%%d %%H:%%M
[default]
default_calendar = feed
`

// What we write a person sees in khal, where it is installed: it shows the last night as
// the end.
func TestWrittenIsShownByKhal(t *testing.T) {
	khal, err := exec.LookPath("khal")
	if err != nil {
		testkit.Lacks(t, "khal")
	}
	dir := t.TempDir()
	setup, file := filepath.Join(dir, "khal.conf"), filepath.Join(dir, "feed.ics")
	for path, text := range map[string][]byte{setup: fmt.Appendf(nil, khalSetup, dir), file: feed()} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "feed"), 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), khal, append([]string{"-c", setup}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir, "LC_ALL=C.UTF-8", "TZ=UTC")
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", args[0], err, said)
		}
		return string(said)
	}
	run("import", "--batch", file)
	shown := run("list", "--once", "--day-format", "", "--format", "{uid} {start-date} {end-date}", "2027-01-01", "2028-12-31")
	want := "double-1-1@ch_1.ostler 2027-01-05 2027-01-07\ndouble-1-2@ch_1.ostler 2028-02-28 2028-02-29\n"
	if got := strings.TrimLeft(shown, "\n"); got != want {
		t.Errorf("it shows\n%s\nwant\n%s", got, want)
	}
}

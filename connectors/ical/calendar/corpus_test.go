package calendar

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// dated is an event of dates alone, as the manifest has it.
var dated = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)/(\d{4}-\d\d-\d\d)$`)

// Calendars that others wrote are read as other parsers read them: where all three
// of the manifest agree, we count the events that they count, and the events of
// dates alone take the nights that they take. Pieces of a calendar are none to us;
// like all others they do no harm.
func TestCorpus(t *testing.T) {
	folder := testkit.Corpus(t, "ical")
	manifest, err := os.ReadFile(filepath.Join(folder, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	compared, pieces, nights := 0, 0, 0
	for line := range strings.SplitSeq(strings.TrimSpace(string(manifest)), "\n") {
		columns := strings.Split(line, "\t")
		if len(columns) < 7 || columns[0] == "file" {
			continue
		}
		body, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(columns[0])))
		if err != nil {
			t.Fatal(err)
		}
		_, failure := Read(t.Context(), body, window(t))
		switch {
		case columns[6] != "all3":
			continue
		case failure != nil && !bytes.HasPrefix(body, []byte("BEGIN:VCALENDAR")):
			pieces++
			continue
		}
		compared++
		if want, err := strconv.Atoi(columns[1]); err != nil || failure != nil || counted(body) != want {
			t.Errorf("%s: %d events and %v, want %s", columns[0], counted(body), failure, columns[1])
		}
		for event := range strings.SplitSeq(columns[7], ";") {
			if dates := dated.FindStringSubmatch(event); dates != nil && dates[1] != dates[2] {
				nights++
				takes(t, columns[0], body, dates[1], dates[2])
			}
		}
	}
	t.Logf("%d calendars compared, %d events of them by their nights; %d pieces left out", compared, nights, pieces)
	if compared < 100 || nights < 20 {
		t.Errorf("too few are compared")
	}
}

// takes checks that a calendar takes the nights from a date up to another.
func takes(t *testing.T, name string, body []byte, from, to string) {
	t.Helper()
	var stay hotel.Stay
	for date, text := range map[*hotel.Date]string{&stay.CheckIn: from, &stay.CheckOut: to} {
		var err error
		if *date, err = hotel.ParseDate(text); err != nil {
			t.Fatal(err)
		}
	}
	in := window(t)
	in.From, in.To = stay.CheckIn-1, stay.CheckOut+1
	got, _ := Read(t.Context(), bytes.ReplaceAll(body, []byte("TRANSP:TRANSPARENT"), nil), in)
	if !slices.ContainsFunc(got.Events, func(e Event) bool { return e.Stay == stay }) {
		t.Errorf("%s: nothing takes %s to %s; warnings: %v", name, from, to, got.Warnings)
	}
}

// counted is how many events a calendar has, -1 when it is none.
func counted(body []byte) int {
	all, err := lines(body)
	if err != nil {
		return -1
	}
	events, _, err := parts(all)
	if err != nil {
		return -1
	}
	return len(events)
}

package app

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// TestBundleNamesNobody: of an installation full of canaries none is in the bundle, which
// has every part that can be had all the same.
func TestBundleNamesNobody(t *testing.T) {
	h := newSealedHouse(t)
	h.stop(h.open(zap.NewNop()))
	inLedger(t, h.dir, func(l *ledger.Ledger) error {
		from := h.house.Property.Today(now()) + 1
		h.house.Price(t, l, 0, hotel.Span{From: from, To: from + 3}, 10000)
		_, _, err := l.CreateReservation(t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
			PropertyID: h.property, RoomTypeID: h.house.Rooms[0].ID, RatePlanID: h.house.Plans[0].ID, Stay: hotel.Stay{CheckIn: from, CheckOut: from + 2}, Adults: 2,
			Guest: hotel.Guest{FirstName: "Canaria", LastName: "Canary-Guest", Email: "canary@guest.example"},
		})
		return err
	})
	write(t, h.file, "data = \""+h.dir+"\"\n[api]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:1\"\n[notify]\nsmtp_user = \"canary-user\"\nsmtp_password = \"mail\"\n"+
		"from = \"canary@house.example\"\n[secrets]\nmail = \"/etc/ostler/secrets/mail\"\n[connectors.mock]\nsecret = \"canary-of-the-operator\"\nurl = \"https://canary.example\"\ncalls_per_minute = 17\n")
	log := `{"level":"error","ts":"2026-11-21T12:00:00Z","msg":"call","channel":"ch_1","error":"tell channel ch_1: the far side says canary","guest":"Canary","reference":"CANARY-1"}
{"level":"warn","msg":"a message said \"canary\" twice","operation":"poll","path":"/v1/guests/canary"}
canary: a line of another program
`
	missing := map[string]bool{}
	file := filepath.Join(t.TempDir(), "support.tar.gz")
	o := BundleOptions{
		File: h.file, To: file, Journal: func(context.Context) ([]byte, error) { return []byte(log), nil },
		Added: func(name string, err error) { missing[name] = err != nil },
	}
	if err := Bundle(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("it lies as %v, %v", info.Mode(), err)
	}
	parts := unpacked(t, file)
	for name, text := range parts {
		if at := strings.Index(strings.ToLower(text), "canar"); at >= 0 {
			t.Errorf("%s has a canary: %.60q", name, text[max(0, at-20):])
		}
	}
	for name, says := range map[string][]string{
		"about.json": {`"version": "` + Version, `"sqlite"`}, "configuration.json": {`"connectors.mock.calls_per_minute": 17`, `"secrets.mail": "file"`, `"notify.from": "(set)"`},
		"doctor.json": {`"check": "free disk"`}, "ledger.json": {`"reservation": 1`, `"schema"`, `"channel": 1`},
		"log.jsonl": {`"error":"tell channel ch_1"`, `"msg":"a message said ..."`, `"operation":"poll"`}, "metrics.txt.missing": {""}, "channels.json.missing": {"no daemon runs"},
	} {
		text, there := parts["ostler-support/"+name]
		for _, what := range says {
			if !there || !strings.Contains(text, what) {
				t.Errorf("%s lacks %q:\n%s", name, what, text)
			}
		}
	}
	if missing["ledger.json"] || !missing["metrics.txt"] || len(missing) != 8 {
		t.Errorf("told of as missing: %v", missing)
	}
	if err := Bundle(t.Context(), o); err == nil || !errors.Is(err, os.ErrExist) {
		t.Errorf("over a file that is there: %v", err)
	}
}

// unpacked returns the parts of a bundle by their names.
func unpacked(t *testing.T, file string) map[string]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for packed := tar.NewReader(zipped); ; {
		head, err := packed.Next()
		if errors.Is(err, io.EOF) {
			return parts
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(packed)
		if err != nil {
			t.Fatal(err)
		}
		parts[head.Name] = string(text)
	}
}

// TestLogKeepsWhatIsKnown: a member that somebody adds to the log is in no bundle before it
// is named here.
func TestLogKeepsWhatIsKnown(t *testing.T) {
	if got := string(maskLog([]byte(`{"msg":"x","level":"info","new_member":"who","bytes":7}`))); got != `{"bytes":7,"level":"info","msg":"x"}`+"\n" {
		t.Errorf("kept is %s", got)
	}
	if slices.Contains(loggedMembers, "error") || slices.Contains(loggedMembers, "msg") {
		t.Error("words are kept whole")
	}
}

// TestTableOfTheLogIsWhatIsKept: what docs/operating.md says of the log's members is said of
// those that a bundle has, beside the words, and each of them is written by something.
func TestTableOfTheLogIsWhatIsKept(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "docs", "operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## The log\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var told []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`.+?) \\|").FindAllStringSubmatch(section, -1) {
		for name := range strings.SplitSeq(row[1], ", ") {
			told = append(told, strings.Trim(name, "`"))
		}
	}
	kept := append(slices.Clone(loggedMembers), "msg", "error")
	slices.Sort(told)
	slices.Sort(kept)
	if diff := cmp.Diff(kept, told); diff != "" {
		t.Errorf("the table (-kept +told):\n%s", diff)
	}
	written := map[string]bool{"level": true, "ts": true, "msg": true, "error": true} // by the log itself
	member := regexp.MustCompile(`zap\.\w+\("(\w+)"`)
	for _, folder := range []string{"api", "cmd", "connectors", "internal", "ledger", "sync"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, e fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			code, err := os.ReadFile(path)
			for _, m := range member.FindAllSubmatch(code, -1) {
				written[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range kept {
		if !written[name] {
			t.Errorf("nothing writes %q to the log", name)
		}
	}
}

package app

import (
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ostler.example/internal/client"
	"ostler.example/internal/config"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// answering is a daemon of a folder that gives fixed answers by method and address, such as
// "GET /v1/channels", of a page behind the first "GET /v1/channels#CURSOR". What it does not know is 404.
func answering(t *testing.T, dir string, answers map[string]string) {
	t.Helper()
	l, err := net.Listen("unix", client.Socket(dir))
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := r.Method + " " + r.URL.Path
		if cursor := r.URL.Query().Get("cursor"); cursor != "" {
			at += "#" + cursor
		}
		text, known := answers[at]
		if !known {
			http.NotFound(w, r)
			return
		}
		if strings.HasPrefix(text, `{"code"`) {
			w.WriteHeader(http.StatusUnprocessableEntity)
		}
		fmt.Fprint(w, text)
	})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Serve(l) // it ends with Close
	}()
	t.Cleanup(func() { _ = s.Close(); <-ended })
}

// askedOf is what a doctor says that is not well, at a daemon with such answers.
func askedOf(t *testing.T, answers map[string]string, ask func(d *doctor)) (bad []Finding) {
	t.Helper()
	dir := testkit.Folder(t)
	answering(t, dir, answers)
	d := &doctor{ctx: t.Context(), settings: config.Config{Data: dir}, daemon: client.New(dir), machine: wellMachine}
	defer d.daemon.Close()
	d.found = func(f Finding) {
		if f.Level != Well {
			bad = append(bad, f)
		}
	}
	ask(d)
	return bad
}

// TestDoctorLooksAtChannels: each of what can be the matter with a channel is told of
// alone, with what to do.
func TestDoctorLooksAtChannels(t *testing.T) {
	long, lately := now().Add(-time.Hour).Format(time.RFC3339), now().Format(time.RFC3339)
	const mapped = `{"mappings":[{}],"coverage":[{"code":"room_not_mapped","detail":"not sold there"}]}`
	polls := func(last string) string {
		return `"capabilities":{"polls":true},"sync":{"reservations_schedule":"@every 60s"},"created_at":"` + long + `","last_pull_ok_at":` + last
	}
	for _, c := range []struct {
		name    string
		channel string // its members beside id and status
		mapping string
		test    string
		want    Level // "": all is well
		says    string
	}{
		{"well", polls(`"` + lately + `"`), mapped, `{}`, "", ""},
		{"refused credentials", `"circuit":"open","circuit_cause":"denied","last_error":{"detail":"401"}`, mapped, `{}`, Fault, "does not take our credentials"},
		{"stale", `"stale_since":"` + long + `","lag_cells":7`, mapped, `{}`, Warning, "7 cells wait"},
		{"the breaker is open", `"circuit":"open","circuit_cause":"failing"`, mapped, `{}`, Fault, "its calls fail"},
		{"in error", `"status":"error","last_error":{"detail":"no setting"}`, mapped, `{}`, Fault, "cannot be kept right: no setting"},
		{"rejected cells", `"rejected_cells":3`, mapped, `{}`, Warning, "refused 3 cells"},
		{"bookings not fetched", polls(`"` + long + `"`), mapped, `{}`, Warning, "to be fetched by @every 60s"},
		{"bookings never fetched", polls("null"), mapped, `{}`, Warning, "to be fetched by @every 60s"},
		{"silent", `"silent_since":"` + long + `"`, mapped, `{}`, Warning, "told of no booking since"},
		{"it calls no more", `"flags":[{"part":"hints","fault":"unannounced","detail":"three"}]`, mapped, `{}`, Warning, "does not call any more"},
		{"flagged", `"flags":[{"part":"send","fault":"panic","detail":"it broke"}]`, mapped, `{}`, Fault, "breaks the rules (send, panic): it broke"},
		{"nothing is mapped", "", `{"mappings":[]}`, `{}`, Warning, "nothing of the house is mapped"},
		{"gaps in its mapping", "", `{"mappings":[{}],"coverage":[{"code":"x","detail":"no price"},{"code":"x","detail":"no rate"}]}`, `{}`, Warning, "has 2 gaps, such as: no price"},
		{"its far side does not answer", "", mapped, `{"code":"channel_unreachable","detail":"no route"}`, Fault, "does not answer as it should: no route"},
		{"a draft", `"status":"draft"`, mapped, `{}`, Warning, "a draft"},
		{"closed since a restore", `"audit":{"stage":"asking","since":"` + long + `"}`, mapped, `{}`, Warning, "not audited yet"},
		{"audited since a restore", `"audit":{"stage":"audited"}`, mapped, `{}`, Warning, "all it can tell is known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			members := `{"id":"ch_1","status":"active"`
			if c.channel != "" {
				members += "," + c.channel
			}
			bad := askedOf(t, map[string]string{
				"GET /v1/channels": `{"data":[{"id":"ch_0","status":"disconnected","rejected_cells":9}],"next_cursor":"2"}`, "GET /v1/channels#2": `{"data":[` + members + `}],"next_cursor":null}`,
				"GET /v1/channels/ch_1/mappings": c.mapping, "POST /v1/channels/ch_1/test": c.test,
			}, (*doctor).channels)
			if c.want == "" {
				if len(bad) > 0 {
					t.Errorf("the doctor says %+v", bad)
				}
				return
			}
			if len(bad) != 1 || bad[0].Check != "channel ch_1" || bad[0].Level != c.want || bad[0].Do == "" || !strings.Contains(bad[0].Says, c.says) {
				t.Errorf("the doctor says %+v, want one %s, %q", bad, c.want, c.says)
			}
		})
	}
}

// TestDoctorLooksAtProperties of all pages.
func TestDoctorLooksAtProperties(t *testing.T) {
	bad := askedOf(t, map[string]string{
		"GET /v1/properties": `{"data":[{"id":"h_1","time_zone":"Europe/Vienna","country":"AT"}],"next_cursor":"2"}`,
		"GET /v1/properties#2": `{"data":[{"id":"h_2","time_zone":"Moon/Crater","country":"AT"},{"id":"h_3","time_zone":"Europe/Vienna","country":"PT"},` +
			`{"id":"h_4","time_zone":"Portugal","country":"PT"},{"id":"h_5","time_zone":"Atlantic/Azores","country":"PT"},{"id":"h_6","time_zone":"Europe/Rome","country":"XX"}]}`,
		"GET /v1/properties/h_1/notifications": `{"recipients":[{"url":"https://pager.example"},{"email":"a@house.example"}]}`,
	}, (*doctor).properties)
	var told []string
	for _, f := range bad {
		told = append(told, f.Check+" "+f.Says)
	}
	want := []string{
		"property h_1 1 recipient to be told by mail, and there is no mail server", "property h_1 1 recipient to be called, and there is no secret to sign calls with",
		`property h_2 its time zone "Moon/Crater" is not known`, "property h_3 its time zone Europe/Vienna is not that of its country, PT",
	}
	if strings.Join(told, "\n") != strings.Join(want, "\n") {
		t.Errorf("the doctor says %q", told)
	}
}

// TestDoctorLooksForTheDaemon: one that answers, none, and one that holds the folder and
// answers nobody.
func TestDoctorLooksForTheDaemon(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(t *testing.T, dir string)
		want    Level
		says    string
	}{
		{"it answers", func(t *testing.T, dir string) {
			answering(t, dir, map[string]string{"GET /v1/properties": `{"data":[]}`})
		}, Well, "it answers at"},
		{"none", func(*testing.T, string) {}, Fault, "none runs on"},
		{"a process that answers nobody", func(t *testing.T, dir string) {
			lock, err := ledger.LockFolder(dir)
			must(t, err)
			t.Cleanup(func() { _ = lock.Release() })
		}, Fault, "a process works on the folder and does not answer"},
		{"it refuses", func(t *testing.T, dir string) { answering(t, dir, nil) }, Fault, "404"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := testkit.Folder(t)
			c.prepare(t, dir)
			var got []Finding
			d := &doctor{ctx: t.Context(), settings: config.Config{Data: dir}, daemon: client.New(dir), found: func(f Finding) { got = append(got, f) }}
			defer d.daemon.Close()
			answers := d.running()
			if len(got) != 1 || got[0].Level != c.want || !strings.Contains(got[0].Says, c.says) || answers != (c.want == Well) {
				t.Errorf("the doctor says %+v, want %s, %q", got, c.want, c.says)
			}
		})
	}
}

// TestDoctorAsksForOtherFolders: the daemon alone knows where its unit lets it write.
func TestDoctorAsksForOtherFolders(t *testing.T) {
	bad := askedOf(t, map[string]string{
		"GET /v1/daemon/folders": `[{"key":"backup.folder","path":"/srv/a","fault":"read_only"},{"key":"a","path":"/b","fault":"missing"},{"key":"b","path":"/c","fault":"foreign"},{"key":"notify.sheets","path":"/d"}]`,
	}, (*doctor).folders)
	if len(bad) != 3 || bad[0].Check != "backup.folder" || !strings.Contains(bad[0].Do, "ReadWritePaths=") || !strings.Contains(bad[1].Do, "make it") || !strings.Contains(bad[2].Do, "chown") {
		t.Errorf("the doctor says %+v", bad)
	}
}

// TestFaultOfAFolder that is there, will be made, or cannot be.
func TestFaultOfAFolder(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		path string
		made bool
		want folderFault
	}{
		{"there", dir, false, ""},
		{"made when needed", filepath.Join(dir, "a", "b"), true, ""},
		{"named, and not there", filepath.Join(dir, "a"), false, folderMissing},
		{"below what is no folder", "/proc/version/a", true, folderForeign},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := faultOf(c.path, c.made); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestBundleHasEveryChannel, on however many pages.
func TestBundleHasEveryChannel(t *testing.T) {
	dir := testkit.Folder(t)
	answering(t, dir, map[string]string{
		"GET /v1/channels": `{"data":[{"id":"ch_1","name":"Portal"}],"next_cursor":"2"}`, "GET /v1/channels#2": `{"data":[{"id":"ch_2"}],"next_cursor":null}`,
	})
	b := bundle{ctx: t.Context(), settings: &config.Config{Data: dir}}
	text, err := b.channels()
	if err != nil || !strings.Contains(string(text), `"ch_1"`) || !strings.Contains(string(text), `"ch_2"`) || strings.Contains(string(text), "Portal") {
		t.Errorf("%s, %v", text, err)
	}
}

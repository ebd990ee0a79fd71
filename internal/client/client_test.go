package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ostler.example/internal/client"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// daemon answers on the socket of a folder.
func daemon(t *testing.T, h http.HandlerFunc) (dir string) {
	t.Helper()
	dir = t.TempDir()
	l, err := net.Listen("unix", client.Socket(dir))
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: h}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Serve(l) // it ends with Close
	}()
	t.Cleanup(func() {
		_ = s.Close()
		<-ended
	})
	return dir
}

func TestDo(t *testing.T) {
	dir := daemon(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		_ = json.NewEncoder(w).Encode([]string{r.Method, r.URL.String(), r.Header.Get("Content-Type"), string(raw)})
	})
	c := client.New(dir)
	defer c.Close()
	for _, call := range []struct {
		name, method, path string
		body               any
		want               string
	}{
		{"a question", "GET", "/properties?limit=2", nil, "[GET /v1/properties?limit=2  ]"},
		{"a body", "POST", "/x", map[string]int{"a": 1}, `[POST /v1/x application/json {"a":1}]`},
	} {
		t.Run(call.name, func(t *testing.T) {
			var got []string
			if err := c.Do(t.Context(), call.method, call.path, call.body, &got); err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(got) != call.want {
				t.Errorf("got %v, want %s", got, call.want)
			}
			if err := c.Do(t.Context(), call.method, call.path, call.body, nil); err != nil {
				t.Errorf("the same without reading: %v", err)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name, body string
		status     int
		want, code string
	}{
		{"a problem", `{"status":404,"code":"not_found","title":"Nothing","detail":"There is nothing.","request_id":"req_1"}`, 404, "There is nothing. (not_found, request req_1)", "not_found"},
		{"a problem without details", `{"status":409,"code":"c","title":"No","request_id":"r"}`, 409, "No (c, request r)", "c"},
		{"no problem document", "oops", 502, "GET /v1/x: 502 Bad Gateway", ""},
		{"a success that is no JSON", "oops", 200, "GET /x: the answer cannot be read: invalid character 'o' looking for beginning of value", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			asks := client.New(daemon(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			defer asks.Close()
			err := asks.Get(t.Context(), "/x", new(any))
			if err == nil || err.Error() != c.want {
				t.Fatalf("got %v, want %s", err, c.want)
			}
			p, is := errors.AsType[*client.Problem](err)
			if is != (c.code != "") || is && (p.Code != c.code || p.Status != c.status) {
				t.Errorf("the problem %+v", p)
			}
		})
	}
}

func TestNoDaemon(t *testing.T) {
	left := t.TempDir() // as a daemon that was killed leaves it
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: client.Socket(left)})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, dir string }{{"no socket", t.TempDir()}, {"a socket that nobody listens on", left}} {
		t.Run(c.name, func(t *testing.T) {
			asks := client.New(c.dir)
			defer asks.Close()
			if err := asks.Get(t.Context(), "/properties", nil); !errors.Is(err, client.ErrNoDaemon) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Several mistakes are told one by one.
func TestMistakesOfARequest(t *testing.T) {
	dir := daemon(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = fmt.Fprintf(w, `{"status":422,"code":"validation_failed","detail":"2 mistakes","request_id":"req_1","errors":[{"pointer":"/a","detail":"is missing"},{"pointer":"/b","detail":"is %s"}]}`, r.Header.Get("If-Match"))
	})
	c := client.New(dir)
	defer c.Close()
	err := c.Do(t.Context(), http.MethodPatch, "/x", nil, nil)
	if want := "2 mistakes (validation_failed, request req_1)\n  /a: is missing\n  /b: is *"; err == nil || err.Error() != want {
		t.Errorf("told: %v", err)
	}
}

// What takes long is followed line by line, and whoever follows may give up.
func TestFollow(t *testing.T) {
	gone := make(chan struct{})
	dir := daemon(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/work" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintln(w, "one")
		fmt.Fprintln(w, "two")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(gone)
	})
	c := client.New(dir)
	defer c.Close()
	enough := errors.New("enough")
	var heard []string
	err := c.Follow(t.Context(), "/work", func(line []byte) error {
		if heard = append(heard, string(line)); len(heard) == 2 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || fmt.Sprint(heard) != "[one two]" {
		t.Errorf("heard %q, then %v", heard, err)
	}
	<-gone
	if err := c.Follow(t.Context(), "/other", nil); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("a path that there is not: %v", err)
	}
	none := client.New(t.TempDir())
	defer none.Close()
	if err := none.Follow(t.Context(), "/work", nil); !errors.Is(err, client.ErrNoDaemon) {
		t.Errorf("without a daemon: %v", err)
	}
}

package app

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ostler.example/internal/auth"
)

// zeros is a body without end.
type zeros struct{ sent atomic.Int64 } // the client goes on reading it after the answer

func (z *zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	z.sent.Add(int64(len(p)))
	return len(p), nil
}

// Clients that mean harm, or are broken, get what they deserve, and everybody else is
// served meanwhile.
func TestHostileClients(t *testing.T) {
	e := newEstate(t)
	token := e.token(auth.Production, "")
	s, err := serve("", e.env.API, usualConnections, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop() //nolint:errcheck // connections are left open on purpose
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	send := func(method, path string, body io.Reader) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, s.url()+path, body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		if body != nil {
			r.Header.Set("Content-Type", "application/json")
		}
		answer, err := client.Do(r)
		if err != nil {
			return 0, err.Error()
		}
		defer answer.Body.Close()
		said, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(said)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)

	t.Run("connections that say nothing, or a word a minute", func(t *testing.T) {
		for i := range 500 {
			c, err := net.Dial("tcp", s.address())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = c.Close() })
			if i%2 == 0 {
				fmt.Fprint(c, "GET /v1/health HTTP/1.1\r\nHost: x\r\nX-")
			}
		}
		if status, said := send("GET", "/v1/properties", nil); status != 200 {
			t.Errorf("others: %d %s", status, said)
		}
	})
	t.Run("a body without end", func(t *testing.T) {
		var endless zeros
		status, said := send("POST", "/v1/reservations", io.MultiReader(strings.NewReader(`{"a":`), &endless))
		if status != 413 && status != 0 { // or the connection was closed on it while it went on
			t.Errorf("%d %s", status, said)
		}
		if sent := endless.sent.Load(); sent > 64<<20 {
			t.Errorf("%d MB of it were taken", sent>>20)
		}
	})
	t.Run("a million entries", func(t *testing.T) {
		body := `{"property_id":"hotel_123","entries":[` + strings.Repeat(`{},`, 1_000_000) + `{}]}`
		if status, said := send("POST", "/v1/rates/updates", strings.NewReader(body)); status != 413 {
			t.Errorf("%d %.200s", status, said)
		}
	})
	t.Run("brackets that are never closed", func(t *testing.T) {
		for _, body := range []string{strings.Repeat("[", 900_000), strings.Repeat(`{"a":`, 180_000)} {
			if status, said := send("POST", "/v1/reservations", strings.NewReader(body)); status != 400 {
				t.Errorf("%d %.200s", status, said)
			}
		}
	})
	t.Run("headers without end", func(t *testing.T) {
		c, err := net.Dial("tcp", s.address())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(20 * time.Second))
		fmt.Fprintf(c, "GET /v1/health HTTP/1.1\r\nHost: x\r\nX-A: %s\r\n\r\n", strings.Repeat("a", 80<<10))
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
			t.Errorf("%d", answer.StatusCode)
		}
	})
	if status, said := send("GET", "/v1/properties", nil); status != 200 {
		t.Errorf("afterwards: %d %s", status, said)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 64<<20 {
		t.Errorf("%d MB are kept", grown>>20)
	}
}

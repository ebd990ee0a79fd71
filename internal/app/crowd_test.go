package app

import (
	"flag"
	"net"
	"net/http"
	"runtime"
	"testing"
	"time"
)

var idleConnections = flag.Int("idle.connections", 300, "how many connections say nothing")

// Whoever opens connections without end and says nothing keeps nobody else out, and
// costs no more memory than the places that there are.
func TestIdleConnectionsKeepNobodyOut(t *testing.T) {
	const places = 50
	answered := make(chan struct{})
	hold := make(chan struct{})
	s, err := serve("", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/long" {
			close(answered)
			<-hold
		}
		w.WriteHeader(http.StatusNoContent)
	}), places, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop() //nolint:errcheck // connections are left open on purpose
	get := func(path string) int {
		client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url()+path, http.NoBody)
		if err != nil {
			t.Error(err)
			return 0
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Error(err)
			return 0
		}
		_ = answer.Body.Close()
		return answer.StatusCode
	}
	long := make(chan int)
	go func() { long <- get("/long") }()
	<-answered
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	open := make([]net.Conn, *idleConnections) // one list, so that little of what is measured is the clients' own
	t.Cleanup(func() {
		for _, c := range open {
			if c != nil {
				_ = c.Close()
			}
		}
	})
	for i := range open {
		c, err := net.Dial("tcp", s.address())
		if err != nil {
			t.Fatal(err)
		}
		open[i] = c
		if i%100 == 99 {
			if status := get("/"); status != http.StatusNoContent {
				t.Errorf("others, beside %d connections: %d", i+1, status)
			}
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8<<20 {
		t.Errorf("%d connections for %d places take %d kB", *idleConnections, places, grown>>10)
	} else {
		t.Logf("%d connections for %d places take %d kB, with the clients' ends", *idleConnections, places, grown>>10)
	}
	close(hold)
	if status := <-long; status != http.StatusNoContent {
		t.Errorf("who was being answered: %d", status)
	}
}

// Places are for those who are answered; who comes when all are is turned away.
func TestCrowd(t *testing.T) {
	c := newCrowd(2)
	conn := func() net.Conn {
		one, other := net.Pipe()
		t.Cleanup(func() { _, _ = one.Close(), other.Close() })
		return one
	}
	a, b, third, fourth := conn(), conn(), conn(), conn()
	for i, step := range []struct {
		conn  net.Conn
		state http.ConnState
		gone  net.Conn
	}{
		{a, http.StateNew, nil},
		{b, http.StateNew, nil},
		{a, http.StateActive, nil},
		{a, http.StateIdle, nil},   // it has asked since b came
		{third, http.StateNew, b},  // who has been silent for longest
		{b, http.StateClosed, nil}, // as the server tells later
		{a, http.StateActive, nil}, //
		{third, http.StateActive, nil},
		{fourth, http.StateNew, fourth}, // all are being answered
		{fourth, http.StateClosed, nil},
		{a, http.StateClosed, nil},
		{fourth, http.StateNew, nil},
	} {
		if gone := c.moved(step.conn, step.state); gone != step.gone {
			t.Fatalf("step %d: %v goes, want %v", i, gone, step.gone)
		}
	}
	if len(c.here) != 2 || c.silent.Len() != 1 {
		t.Errorf("%d are here, %d of them silent", len(c.here), c.silent.Len())
	}
}

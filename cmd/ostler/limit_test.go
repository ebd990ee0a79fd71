package main_test

import (
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"testing"
)

// TestTheLimitOverARestart: of a client's calls a thousand pass, whichever of its tokens
// they carry, and no more of them because the daemon was stopped and started meanwhile.
func TestTheLimitOverARestart(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	c := &i.client
	first := begin(t, "serve", "--config", i.file)
	c.base = await(t, first, "started", 1).PublicURL + "/v1"
	var tokens [2]string
	for n := range tokens {
		var err error
		if tokens[n], err = c.newToken(); err != nil {
			t.Fatal(err)
		}
	}
	calls := func(n int) (answered map[int]int) {
		answered = map[int]int{}
		var mu sync.Mutex
		var wg sync.WaitGroup
		next := make(chan string)
		for range 8 {
			wg.Go(func() {
				for token := range next {
					a, err := c.do(http.MethodGet, "/properties", nil, http.Header{"Authorization": {"Bearer " + token}})
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					answered[a.status]++
					mu.Unlock()
				}
			})
		}
		for n := range n {
			next <- tokens[n%len(tokens)]
		}
		close(next)
		wg.Wait()
		return answered
	}
	const limit = 1000
	if got := calls(limit - 3); got[http.StatusOK] != limit-3 {
		t.Fatalf("answered %v", got)
	}
	c.http.CloseIdleConnections()
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}

	second := begin(t, "serve", "--config", i.file)
	c.base = await(t, second, "started", 1).PublicURL + "/v1"
	if got := calls(limit); got[http.StatusOK] != 3 || got[http.StatusTooManyRequests] != limit-3 {
		t.Errorf("behind a restart there are answered %v", got)
	}
	c.token = tokens[0]
	a, err := c.do(http.MethodGet, "/properties", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.refusal()
	left := regexp.MustCompile(`^"hourly";r=0;t=(\d+)$`).FindStringSubmatch(a.header.Get("RateLimit"))
	if err != nil || p.Code != "rate_limit_exceeded" || left == nil {
		t.Fatalf("%d %s, %v; RateLimit %q", a.status, a.body, err, a.header.Get("RateLimit"))
	}
	wait, err := strconv.Atoi(a.header.Get("Retry-After"))
	if ends, _ := strconv.Atoi(left[1]); err != nil || wait < ends || ends < 3000 {
		t.Errorf("Retry-After %q, %v; the hour ends in %d s", a.header.Get("Retry-After"), err, ends)
	}
	c.http.CloseIdleConnections()
	if err := second.stop(); err != nil {
		t.Error(err)
	}
}

package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// noting keeps the tokens that were sent, in the order in which they were first.
type noting struct {
	http.RoundTripper
	mu     sync.Mutex
	tokens []string
}

func (n *noting) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if token := r.Header.Get("Authorization"); r.URL.Path != "/v1/oauth/token" && !slices.Contains(n.tokens, token) {
		n.tokens = append(n.tokens, token)
	}
	return n.RoundTripper.RoundTrip(r)
}

// A client of others goes on when its token has ended, by what it was told of how long one
// is good: its time is that of a bubble, ours is set to the same.
func TestAClientOfOthersFetchesItsNextToken(t *testing.T) {
	h := newHouse(t)
	server := httptest.NewServer(h.handler)
	defer server.Close()
	synctest.Test(t, func(t *testing.T) {
		sent := &noting{RoundTripper: &http.Transport{DisableKeepAlives: true}} // an open connection would hold the time of the bubble
		config := clientcredentials.Config{ClientID: h.client.ID, ClientSecret: h.secret, TokenURL: server.URL + "/v1/oauth/token"}
		client := config.Client(context.WithValue(t.Context(), oauth2.HTTPClient, &http.Client{Transport: sent}))
		for i, c := range []struct {
			later  time.Duration
			tokens int // so many were sent by then
		}{{0, 1}, {59 * time.Minute, 1}, {time.Minute, 2}, {59 * time.Minute, 2}, {2 * time.Hour, 3}} {
			time.Sleep(c.later)
			h.clock.move(c.later)
			answer, err := client.Get(server.URL + "/v1/properties")
			if err != nil {
				t.Fatal(err)
			}
			if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK || len(sent.tokens) != c.tokens {
				t.Errorf("call %d is answered %s, by token %d, want %d; %v", i+1, answer.Status, len(sent.tokens), c.tokens, err)
			}
		}
		for i, token := range sent.tokens {
			want, code := http.StatusUnauthorized, "invalid_token"
			if i == len(sent.tokens)-1 {
				want, code = http.StatusOK, ""
			}
			h.call("GET", "/v1/properties", "", "Authorization: "+token).want(t, want, code)
		}
	})
}

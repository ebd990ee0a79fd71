package api

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"ostler.example/hotel"
)

// running is the set of requests whose idempotency key is at work right now.
type running struct {
	mu   sync.Mutex
	keys map[onceKey]struct{}
}

// onceKey is a request's key with the space in which it counts.
type onceKey struct{ client, method, path, key string }

func (r *running) claim(k onceKey) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, taken := r.keys[k]; taken {
		return false
	}
	if r.keys == nil {
		r.keys = map[onceKey]struct{}{}
	}
	r.keys[k] = struct{}{}
	return true
}

func (r *running) release(k onceKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.keys, k)
}

// claimKey takes note of the request's Idempotency-Key: under which key its
// effect is to be stored, and that it runs. Keys of one client are no keys of another.
// release must be called when the request is done.
func (s *server) claimKey(r *http.Request, c *call, client string) (release func(), err error) {
	nothing := func() {}
	sent := r.Header.Values("Idempotency-Key")
	if len(sent) == 0 || (r.Method != http.MethodPost && r.Method != http.MethodPatch) {
		return nothing, nil
	}
	key, ok := readKey(sent[0])
	if !ok || len(sent) > 1 {
		return nil, &problem{Code: "invalid_parameter", Detail: "The Idempotency-Key cannot be used.", Errors: []item{
			{Header: "Idempotency-Key", Code: "format", Detail: "must be sent once, 1 to 255 visible ASCII characters, bare or in quotes"},
		}}
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("read the body: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	k := onceKey{client, r.Method, r.URL.Path, key}
	if !s.running.claim(k) {
		refusal := hotel.Refuse("idempotency_in_progress", "A request with this Idempotency-Key is still running.")
		refusal.Members = map[string]any{"retry_after": 1}
		return nil, refusal
	}
	c.caller.Once = hotel.Once{Client: k.client, Method: k.method, Path: k.path, Key: k.key, Fingerprint: fingerprint(r.URL, body)}
	return func() { s.running.release(k) }, nil
}

// fingerprint tells requests apart that come under one key: by the body, and by the query
// where there is one, whatever the order of its parameters.
func fingerprint(u *url.URL, body []byte) [sha256.Size]byte {
	sum := sha256.Sum256(body)
	if u.RawQuery == "" {
		return sum
	}
	return sha256.Sum256(append(sum[:], u.Query().Encode()...))
}

// readKey takes the draft's quoted string and a bare token alike.
func readKey(sent string) (string, bool) {
	if strings.HasPrefix(sent, `"`) {
		unquoted, err := unquote(sent)
		if err != nil {
			return "", false
		}
		sent = unquoted
	}
	if len(sent) < 1 || len(sent) > 255 {
		return "", false
	}
	for i := range len(sent) {
		if sent[i] <= ' ' || sent[i] > '~' {
			return "", false
		}
	}
	return sent, true
}

var errQuotes = errors.New("not a quoted string")

// unquote reads the String of RFC 8941: in quotes, with \" and \\ inside.
func unquote(s string) (string, error) {
	if len(s) < 2 || s[len(s)-1] != '"' {
		return "", errQuotes
	}
	var b strings.Builder
	inside := s[1 : len(s)-1]
	for i := 0; i < len(inside); i++ {
		switch inside[i] {
		case '"':
			return "", errQuotes
		case '\\':
			i++
			if i == len(inside) || (inside[i] != '"' && inside[i] != '\\') {
				return "", errQuotes
			}
		}
		b.WriteByte(inside[i])
	}
	return b.String(), nil
}

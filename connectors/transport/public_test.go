package transport

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

// What others have given as an address is connected to only where everybody could be,
// or where the operator allows it; what a name is resolved to counts.
func TestPublicOnly(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	client := New(Options{})
	ask := func(ctx context.Context, address string) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err == nil {
			err = resp.Body.Close()
		}
		return err
	}
	port := server.URL[len("http://127.0.0.1:"):]
	for _, address := range []string{server.URL, "http://localhost:" + port, "http://[::ffff:127.0.0.1]:" + port} {
		if err := ask(PublicOnly(t.Context(), nil), address); !errors.Is(err, ErrPrivate) {
			t.Errorf("%s: %v, want it refused", address, err)
		}
	}
	if err := ask(t.Context(), server.URL); err != nil {
		t.Errorf("an address that the operator has given: %v", err)
	}
	if err := ask(PublicOnly(t.Context(), []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), server.URL); err != nil {
		t.Errorf("a network that is allowed: %v", err)
	}
}

func TestPublic(t *testing.T) {
	for text, want := range map[string]bool{
		"8.8.8.8": true, "2a00:1450::1": true, "10.0.0.1": false, "127.0.0.1": false, "169.254.169.254": false, "100.64.0.1": false,
		"::1": false, "fe80::1": false, "fd00::1": false, "2002:a00:1::": false, "0.0.0.0": false, "224.0.0.1": false,
	} {
		if got := Public(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is public: %t, want %t", text, got, want)
		}
	}
}

package app

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"ostler.example/internal/config"
)

func TestWhoSentARequestBehindProxies(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for _, c := range []struct {
		name   string
		peer   string
		header http.Header
		want   string
		by     string // the header that is believed; "" is the usual one
	}{
		{"nobody in between", "203.0.113.9:4711", nil, "203.0.113.9:4711", ""},
		{"a stranger who makes it up", "203.0.113.9:4711", http.Header{"X-Forwarded-For": {"192.0.2.1"}}, "203.0.113.9:4711", ""},
		{"one proxy", "127.0.0.1:4711", http.Header{"X-Forwarded-For": {"192.0.2.1"}}, "192.0.2.1:0", ""},
		{"two proxies", "127.0.0.1:4711", http.Header{"X-Forwarded-For": {"192.0.2.1, 10.1.2.3"}}, "192.0.2.1:0", ""},
		{"a client who made up what stands first", "127.0.0.1:4711", http.Header{"X-Forwarded-For": {"8.8.8.8, 192.0.2.1"}}, "192.0.2.1:0", ""},
		{"several lines", "127.0.0.1:4711", http.Header{"X-Forwarded-For": {"8.8.8.8", "192.0.2.1"}}, "192.0.2.1:0", ""},
		{"RFC 7239 where it is believed", "127.0.0.1:4711", http.Header{"Forwarded": {`for="[2001:db8::1]:80";proto=https`}, "X-Forwarded-For": {"8.8.8.8"}}, "[2001:db8::1]:0", config.Forwarded},
		{"RFC 7239 of a client where it is not", "127.0.0.1:4711", http.Header{"Forwarded": {"for=8.8.8.8"}, "X-Forwarded-For": {"192.0.2.1"}}, "192.0.2.1:0", ""},
		{"RFC 7239 alone where it is not", "127.0.0.1:4711", http.Header{"Forwarded": {"for=8.8.8.8"}}, "127.0.0.1:4711", ""},
		{"the usual header where RFC 7239 is believed", "127.0.0.1:4711", http.Header{"X-Forwarded-For": {"8.8.8.8"}}, "127.0.0.1:4711", config.Forwarded},
		{"RFC 7239 in two elements", "10.0.0.1:1", http.Header{"Forwarded": {"For=192.0.2.43, for=10.0.0.7;by=10.0.0.1"}}, "192.0.2.43:0", config.Forwarded},
		{"a hop that hides itself", "127.0.0.1:4711", http.Header{"Forwarded": {"for=192.0.2.43, for=_hidden, for=10.0.0.9"}}, "10.0.0.9:0", config.Forwarded},
		{"proxies alone", "127.0.0.1:4711", http.Header{"X-Forwarded-For": {"10.0.0.9"}}, "10.0.0.9:0", ""},
		{"a proxy that says nothing", "127.0.0.1:4711", nil, "127.0.0.1:4711", ""},
		{"nonsense", "127.0.0.1:4711", http.Header{"X-Forwarded-For": {"unknown"}}, "127.0.0.1:4711", ""},
		{"IPv4 inside IPv6", "[::ffff:127.0.0.1]:4711", http.Header{"X-Forwarded-For": {"::ffff:192.0.2.1"}}, "192.0.2.1:0", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			s := config.Server{TrustedProxies: trusted, ForwardedHeader: cmp.Or(c.by, config.XForwardedFor)}
			h := behindProxies(s, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RemoteAddr }))
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr = c.peer
			if c.header != nil {
				r.Header = c.header
			}
			h.ServeHTTP(httptest.NewRecorder(), r)
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func FuzzForwarded(f *testing.F) {
	f.Add("for=192.0.2.43, for=10.0.0.7;by=10.0.0.1", "192.0.2.1")
	f.Add(`for="[::1"`, ",,,")
	trusted := []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")}
	f.Fuzz(func(t *testing.T, forwarded, xff string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header = http.Header{"Forwarded": {forwarded}, "X-Forwarded-For": {xff}}
		for _, by := range []string{config.XForwardedFor, config.Forwarded} {
			if sender := senderOf(config.Server{TrustedProxies: trusted, ForwardedHeader: by}, r); sender != "" {
				if _, err := netip.ParseAddrPort(sender); err != nil {
					t.Errorf("%q is no address", sender)
				}
			}
		}
	})
}

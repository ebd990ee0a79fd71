package webhook

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

func TestAddressesThatMayBeCalled(t *testing.T) {
	house := []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("::1/128")}
	tests := []struct {
		name, address string
		n             networks
		want          bool
	}{
		{"a public one", "93.184.216.34", networks{}, true},
		{"a public one of IPv6", "2606:2800:220:1::1", networks{}, true},
		{"loopback", "127.0.0.1", networks{}, false},
		{"loopback of IPv6", "::1", networks{}, false},
		{"a private one", "10.1.2.3", networks{}, false},
		{"a private one that is allowed", "10.1.2.3", networks{allowed: house}, true},
		{"a private one beside those that are allowed", "10.2.2.3", networks{allowed: house}, false},
		{"loopback of IPv6 that is allowed", "::1", networks{allowed: house}, true},
		{"a private one inside IPv6", "::ffff:192.168.0.1", networks{}, false},
		{"an allowed one inside IPv6", "::ffff:10.1.0.1", networks{allowed: house}, true},
		{"the metadata of a cloud", "169.254.169.254", networks{}, false},
		{"the metadata of a cloud, of IPv6", "fd00:ec2::254", networks{}, false},
		{"link-local of IPv6 with its zone", "fe80::1%eth0", networks{}, false},
		{"between a provider and its customers", "100.64.0.1", networks{}, false},
		{"everybody", "255.255.255.255", networks{}, false},
		{"nobody", "0.0.0.0", networks{}, false},
		{"this network", "0.1.2.3", networks{}, false},
		{"many", "224.0.0.1", networks{}, false},
		{"translated to IPv4 on its way", "64:ff9b::a01:203", networks{}, false},
		{"a tunnel with a private one inside", "2002:a01:203::1", networks{}, false},
		{"without TLS a public one", "93.184.216.34", networks{allowed: house, only: true}, false},
		{"without TLS an allowed one", "10.1.2.3", networks{allowed: house, only: true}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.n.permit(netip.MustParseAddr(tt.address)); got != tt.want {
				t.Errorf("%s: %t", tt.address, got)
			}
			err := tt.n.control(t.Context(), "tcp", netip.AddrPortFrom(netip.MustParseAddr(tt.address), 443).String(), nil)
			var refusal error
			if !tt.want {
				refusal = tt.n.refusal()
			}
			if !errors.Is(err, refusal) {
				t.Errorf("dialled %s: %v", tt.address, err)
			}
		})
	}
}

func TestAddressesAndHeadersThatAClientMaySay(t *testing.T) {
	inside := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	open, house, plain := NewPost(PostOptions{}), NewPost(PostOptions{Allow: inside}), NewPost(PostOptions{Allow: inside, Plain: true})
	tests := []struct {
		address            string
		open, house, plain bool
	}{
		{"https://partner.example/hooks?token=x", true, true, true},
		{"https://partner.example:8443", true, true, true},
		{"https://93.184.216.34/", true, true, true},
		{"http://partner.example/", false, false, true}, // where it leads is looked at when it is called
		{"http://93.184.216.34/", false, false, false},
		{"https://10.0.0.1/", false, true, true},
		{"http://10.0.0.1/", false, false, true},
		{"https://[::1]/", false, false, false},
		{"https://user:word@partner.example/", false, false, false},
		{"https://partner.example/#part", false, false, false},
		{"https:///hooks", false, false, false},
		{"https:partner.example", false, false, false},
		{"ftp://partner.example/", false, false, false},
		{"file:///etc/passwd", false, false, false},
		{"partner.example", false, false, false},
		{"https://partner.example/" + strings.Repeat("x", longestAddress), false, false, false},
		{"https://part ner.example/", false, false, false},
	}
	for _, tt := range tests {
		if err := open.CheckAddress(tt.address); err == nil != tt.open {
			t.Errorf("%.40s: %v", tt.address, err)
		}
		if err := house.CheckAddress(tt.address); err == nil != tt.house {
			t.Errorf("%.40s where the house is allowed: %v", tt.address, err)
		}
		if err := plain.CheckAddress(tt.address); err == nil != tt.plain {
			t.Errorf("%.40s where it is without TLS too: %v", tt.address, err)
		}
	}
	for header, want := range map[string]bool{
		"Authorization: Bearer x": true, "X-Hotel: 7": true, "x_y: z": true,
		"Host: a": false, "content-length: 5": false, "Webhook-Id: x": false, "webhook-signature: x": false, "X Y: z": false, ": z": false,
		"X-Empty: ": false, "X-Line: a\r\nb": false, "X-Name: Jürgen": false, "X-Long: " + strings.Repeat("x", 501): false, "Proxy-Authorization: x": false,
	} {
		name, value, _ := strings.Cut(header, ": ")
		if err := open.CheckHeader(name, value); err == nil != want {
			t.Errorf("%.40s: %v", header, err)
		}
	}
}

// A name may be resolved to another address by the time it is called: what counts
// is the address that is connected to. Nothing arrives at a receiver that is not to
// be called.
func TestAReceiverInsideIsNotReachedByName(t *testing.T) {
	heard := make(chan string, 10)
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { heard <- r.Header.Get("X-Key"); w.WriteHeader(204) }))
	defer inside.Close()
	_, port, err := net.SplitHostPort(inside.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	seal := auth.NewSeal([32]byte{1})
	e := hotel.WebhookEndpoint{
		ClientID: "cli", WebhookSettings: hotel.WebhookSettings{URL: "http://localhost:" + port + "/"},
		Headers: seal.Close([]byte(`{"X-Key":"secret"}`), "cli"), Secrets: []hotel.WebhookSecret{{Sealed: seal.Close([]byte(vectorSecret), "cli")}},
	}
	d := hotel.WebhookDelivery{Event: hotel.WebhookEvent{ID: "evt_1", Kind: "webhook.ping"}}
	plain := true
	ping := func(allow ...netip.Prefix) hotel.WebhookOutcome {
		p := NewPost(PostOptions{Seal: seal, Clock: hotel.SystemClock{}, Environment: auth.Sandbox, Allow: allow, Plain: plain})
		defer func() { _ = p.Close() }()
		return p.Ping(context.Background(), e, d, nil)
	}
	t.Setenv("HTTP_PROXY", inside.URL) // no proxy is asked
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	if out := ping(); out.Error != errBare.Error() || len(heard) > 0 {
		t.Fatalf("called %+v", out)
	}
	if out := ping(netip.MustParsePrefix("10.0.0.0/8")); out.Error != errOutside.Error() || len(heard) > 0 {
		t.Fatalf("called beside the networks: %+v", out)
	}
	// That TLS is wanted is said, and not that the network is missing, which it is not.
	plain = false
	if out := ping(loopback...); out.Error != errBare.Error() || len(heard) > 0 {
		t.Fatalf("called without TLS: %+v", out)
	}
	e.URL = "https" + strings.TrimPrefix(e.URL, "http")
	if out := ping(); out.Error != errPrivate.Error() {
		t.Fatalf("called inside: %+v", out)
	}
	e.URL, plain = "http"+strings.TrimPrefix(e.URL, "https"), true
	if out := ping(loopback...); !out.Well() {
		t.Fatalf("not called: %+v", out)
	}
	if key := <-heard; key != "secret" {
		t.Errorf("header %q", key)
	}
	e.ClientID = "another" // whose seal it is not
	if out := ping(netip.MustParsePrefix("127.0.0.0/8")); !strings.Contains(out.Error, "rotate it") || len(heard) > 0 {
		t.Errorf("without a secret: %+v", out)
	}
}

func TestWhatIsKeptOfAnAnswer(t *testing.T) {
	private := []string{"Ada Lovelace", "Möhre", "x"}
	for name, tt := range map[string]struct{ body, want string }{
		"words of ours":            {"no such room", "no such room"},
		"a name that it repeats":   {`{"guest":"Ada LOVELACE"}`, `{"guest":"*** ***"}`},
		"a name in escapes":        {`M\u00f6hre, m\\u00F6hre`, "***, ***"},
		"a word with a name in it": {"adamant", "adamant"},
		"a card":                   {"4111 1111 1111 1111", "**** **** **** 1111"},
		"lines and other controls": {"a\r\nb\x00c", "a  b c"},
		"bytes that are no text":   {"a\xff\xfeb", "ab"},
	} {
		if got := excerpt(strings.NewReader(tt.body), private); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	long := excerpt(strings.NewReader(strings.Repeat("ü", answerRead)), private)
	if len(long) != answerKept || strings.Contains(long, "\ufffd") {
		t.Errorf("kept %d bytes", len(long))
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"120":                           2 * time.Minute,
		"99999999":                      longestPause,
		"Sat, 21 Nov 2026 13:00:00 GMT": time.Hour,
		"Sat, 21 Nov 2099 13:00:00 GMT": longestPause,
		"Sat, 21 Nov 2020 13:00:00 GMT": 0,
		"soon":                          0,
		"-5":                            0,
		"":                              0,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

func FuzzAddress(f *testing.F) {
	for _, s := range []string{"https://partner.example/", "http://[::1]:80/", "https://%zz", "https://0x7f.1/", "//x"} {
		f.Add(s)
	}
	p := NewPost(PostOptions{Allow: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	f.Fuzz(func(t *testing.T, address string) {
		if p.CheckAddress(address) == nil && !strings.HasPrefix(strings.ToLower(address), "http") {
			t.Errorf("%q would be called", address)
		}
	})
}

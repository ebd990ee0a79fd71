package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"

	"ostler.example/hotel"
)

// errPrivate refuses an address at which a partner's receiver cannot be: with it,
// we would call what only we can reach.
var errPrivate = errors.New("the address is not on the public internet; networks of the house are allowed by webhooks.allow_cidrs in the configuration")

// notPublic are the networks that are refused although they look like unicast.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"),   // between a provider and its customers
	netip.MustParsePrefix("192.0.0.0/24"),    // protocols
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation
	netip.MustParsePrefix("192.88.99.0/24"),  // relays of IPv6
	netip.MustParsePrefix("198.18.0.0/15"),   // measurements
	netip.MustParsePrefix("198.51.100.0/24"), // documentation
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"),     // protocols, tunnels
	netip.MustParsePrefix("2001:db8::/32"), // documentation
	netip.MustParsePrefix("2002::/16"),     // tunnels: an IPv4 address is inside
	netip.MustParsePrefix("3fff::/20"),     // documentation
}

// publicIPv6 is all of IPv6 that is given out.
var publicIPv6 = netip.MustParsePrefix("2000::/3")

// public reports whether an address can be anybody's.
func public(a netip.Addr) bool {
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !publicIPv6.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(a) })
}

// networks says which addresses may be called.
type networks struct {
	allowed []netip.Prefix // beside the public ones
	only    bool           // and not the public ones
}

func (n networks) permit(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if slices.ContainsFunc(n.allowed, func(p netip.Prefix) bool { return p.Contains(a) }) {
		return true
	}
	return !n.only && public(a)
}

// control looks at the address that is about to be connected to, after the name
// was resolved: a name that is resolved to another address the next time gains
// nothing by it.
func (n networks) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !n.permit(at.Addr()) {
		return errPrivate
	}
	return nil
}

// transport calls addresses of the networks, and goes through no proxy: it would
// resolve names by itself.
func (n networks) transport() *http.Transport {
	dialer := net.Dialer{Timeout: hotel.WebhookTimeout, ControlContext: n.control}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    hotel.WebhookTimeout,
		DisableCompression:     true, // what is not unpacked cannot swell
		MaxIdleConnsPerHost:    together,
		IdleConnTimeout:        time.Minute,
		MaxResponseHeaderBytes: 16 << 10,
	}
}

package transport

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync/atomic"
	"syscall"
)

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

// Public reports whether an address can be anybody's: neither of a house or a machine,
// nor one that is given to nobody.
func Public(a netip.Addr) bool {
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !publicIPv6.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(a) })
}

// ErrPrivate refuses a connection to an address that only we may reach.
var ErrPrivate = errors.New("the address is not on the public internet")

// guard is what requests of a context may reach.
type guard struct {
	allow   []netip.Prefix
	proxied atomic.Bool // the proxy resolves names, and says whom it lets through
}

type guardKey struct{}

// PublicOnly returns a context whose requests, through [NewTransport], connect to public
// addresses and those of the networks alone: for addresses that others than the operator
// have given. It is the resolved address that counts, at each connection anew. What goes
// through a proxy is the proxy's to allow.
func PublicOnly(ctx context.Context, allow []netip.Prefix) context.Context {
	return context.WithValue(ctx, guardKey{}, &guard{allow: allow})
}

// proxy is [http.ProxyFromEnvironment], which notes that there is one.
func proxy(r *http.Request) (*url.URL, error) {
	at, err := http.ProxyFromEnvironment(r)
	if g, guarded := r.Context().Value(guardKey{}).(*guard); guarded {
		g.proxied.Store(at != nil)
	}
	return at, err
}

// control looks at the address that is about to be connected to.
func control(ctx context.Context, _, address string, _ syscall.RawConn) error {
	g, guarded := ctx.Value(guardKey{}).(*guard)
	if !guarded || g.proxied.Load() {
		return nil
	}
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return ErrPrivate
	}
	a := at.Addr().Unmap().WithZone("")
	if Public(a) || slices.ContainsFunc(g.allow, func(p netip.Prefix) bool { return p.Contains(a) }) {
		return nil
	}
	return ErrPrivate
}

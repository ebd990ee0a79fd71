package webhook

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"

	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

// barredError is why an address is not connected to, for who named it to read.
type barredError string

func (e barredError) Error() string { return string(e) }

const (
	// errPrivate refuses an address at which a partner's receiver cannot be: with it,
	// we would call what only we can reach.
	errPrivate = barredError("the address is not on the public internet; networks of the house are allowed by webhooks.allow_cidrs in the configuration, for sandboxes by webhooks.sandbox_allow_cidrs")
	// errBare refuses an address without TLS where none is called so.
	errBare = barredError("expected an address that begins with https://")
	// errOutside refuses one without TLS beside the networks in which that will do.
	errOutside = barredError("expected an address that begins with https://; without TLS only networks of the house are called that the configuration names")
)

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
	return !n.only && transport.Public(a)
}

// refusal is why other addresses are not called.
func (n networks) refusal() error {
	switch {
	case !n.only:
		return errPrivate
	case len(n.allowed) == 0:
		return errBare
	}
	return errOutside
}

// control looks at the address that is about to be connected to, after the name
// was resolved: a name that is resolved to another address the next time gains
// nothing by it.
func (n networks) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !n.permit(at.Addr()) {
		return n.refusal()
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

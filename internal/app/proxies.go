package app

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"ostler.example/internal/config"
)

// behindProxies tells h of each request who really sent it, where a trusted proxy
// passed it on: RemoteAddr becomes the address that the nearest proxy which is
// not trusted, or the client itself, had. It believes the one header that these
// proxies write: what they do not write they pass through, as the client made it up.
// From anybody else that header is ignored too.
func behindProxies(s config.Server, h http.Handler) http.Handler {
	if len(s.TrustedProxies) == 0 {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if sender := senderOf(s, r); sender != "" {
			passed := *r
			passed.RemoteAddr = sender
			r = &passed
		}
		h.ServeHTTP(w, r)
	})
}

// senderOf returns the address behind the trusted proxies, "" when the request
// did not come through one or does not say.
func senderOf(s config.Server, r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !within(s.TrustedProxies, peer.Addr()) {
		return ""
	}
	hops := xForwardedFor(r.Header)
	if s.ForwardedHeader == config.Forwarded {
		hops = forwarded(r.Header)
	}
	sender := ""
	for _, hop := range slices.Backward(hops) { // each proxy adds its peer at the end
		at, ok := hopAddress(hop)
		if !ok {
			break // what stands before an unreadable hop cannot be trusted
		}
		sender = netip.AddrPortFrom(at, 0).String()
		if !within(s.TrustedProxies, at) {
			break
		}
	}
	return sender
}

// forwarded lists the addresses that the proxies noted as RFC 7239 has it, the nearest last.
func forwarded(h http.Header) []string {
	var hops []string
	for element := range strings.SplitSeq(strings.Join(h.Values("Forwarded"), ","), ",") {
		for pair := range strings.SplitSeq(element, ";") {
			if name, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok && strings.EqualFold(name, "for") {
				hops = append(hops, strings.Trim(value, `"`))
			}
		}
	}
	return hops
}

// xForwardedFor lists the addresses that the proxies noted in the older header, the nearest last.
func xForwardedFor(h http.Header) []string {
	var hops []string
	for hop := range strings.SplitSeq(strings.Join(h.Values("X-Forwarded-For"), ","), ",") {
		if hop = strings.TrimSpace(hop); hop != "" {
			hops = append(hops, hop)
		}
	}
	return hops
}

// hopAddress reads an address with or without a port, IPv6 in brackets or bare.
func hopAddress(hop string) (netip.Addr, bool) {
	if at, err := netip.ParseAddrPort(hop); err == nil {
		return at.Addr().Unmap(), true
	}
	at, err := netip.ParseAddr(strings.Trim(hop, "[]"))
	return at.Unmap(), err == nil
}

func within(networks []netip.Prefix, at netip.Addr) bool {
	at = at.Unmap().WithZone("")
	for _, n := range networks {
		if n.Contains(at) {
			return true
		}
	}
	return false
}

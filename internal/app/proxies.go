package app

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// behindProxies tells h of each request who really sent it, where a trusted proxy
// passed it on: RemoteAddr becomes the address that the nearest proxy which is
// not trusted, or the client itself, had. Forwarded (RFC 7239) counts before
// X-Forwarded-For. From anybody else both are ignored: they could be made up.
func behindProxies(trusted []netip.Prefix, h http.Handler) http.Handler {
	if len(trusted) == 0 {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if sender := senderOf(trusted, r); sender != "" {
			passed := *r
			passed.RemoteAddr = sender
			r = &passed
		}
		h.ServeHTTP(w, r)
	})
}

// senderOf returns the address behind the trusted proxies, "" when the request
// did not come through one or does not say.
func senderOf(trusted []netip.Prefix, r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !within(trusted, peer.Addr()) {
		return ""
	}
	hops := forwardedFor(r.Header)
	sender := ""
	for _, hop := range slices.Backward(hops) { // each proxy adds its peer at the end
		at, ok := hopAddress(hop)
		if !ok {
			break // what stands before an unreadable hop cannot be trusted
		}
		sender = netip.AddrPortFrom(at, 0).String()
		if !within(trusted, at) {
			break
		}
	}
	return sender
}

// forwardedFor lists the addresses that the proxies noted, the nearest last.
func forwardedFor(h http.Header) []string {
	var hops []string
	if said := h.Values("Forwarded"); len(said) > 0 {
		for element := range strings.SplitSeq(strings.Join(said, ","), ",") {
			for pair := range strings.SplitSeq(element, ";") {
				if name, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok && strings.EqualFold(name, "for") {
					hops = append(hops, strings.Trim(value, `"`))
				}
			}
		}
		return hops
	}
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

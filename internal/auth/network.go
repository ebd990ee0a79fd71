package auth

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"ostler.example/hotel"
)

// ParseNetworks reads networks such as 192.0.2.0/24, or single addresses.
func ParseNetworks(list []string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for i, text := range list {
		p, err := netip.ParsePrefix(text)
		if address, lone := netip.ParseAddr(text); lone == nil && address.Zone() == "" {
			address = address.Unmap()
			p, err = address.Prefix(address.BitLen())
		}
		if err != nil || p.Addr().Is4In6() {
			return nil, hotel.Invalid(fmt.Sprintf("/ip_allowlist/%d", i), "format", "expected an address such as 192.0.2.7, or a network such as 2001:db8::/32")
		}
		if p = p.Masked(); !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all, nil
}

// Networks writes networks with spaces between them.
func Networks(list []netip.Prefix) string {
	texts := make([]string, len(list))
	for i, p := range list {
		texts[i] = p.String()
	}
	return strings.Join(texts, " ")
}

// MayCallFrom reports whether the caller may call from the other end of a connection,
// an address with its port.
func (w Who) MayCallFrom(remote string) bool {
	if len(w.Networks) == 0 {
		return true
	}
	from, err := netip.ParseAddrPort(remote)
	address := from.Addr().Unmap().WithZone("")
	return err == nil && slices.ContainsFunc(w.Networks, func(p netip.Prefix) bool { return p.Contains(address) })
}

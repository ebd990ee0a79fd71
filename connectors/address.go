package connectors

import (
	"errors"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// atHome are the zones that the public internet has no names in.
var atHome = []string{"localhost", "internal", "local", "test", "home.arpa"}

// CheckPlain refuses an address without TLS, over which credentials would go in the
// clear, unless it is of this machine or of a house's own network: localhost, a loopback
// or private address, or a name in a zone that is not on the public internet.
func CheckPlain(u *url.URL) error {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if u.Scheme != "http" {
		return nil
	}
	if a, err := netip.ParseAddr(host); err == nil {
		if a = a.Unmap(); a.IsLoopback() || a.IsPrivate() {
			return nil
		}
	} else if slices.ContainsFunc(atHome, func(zone string) bool { return host == zone || strings.HasSuffix(host, "."+zone) }) {
		return nil
	}
	return errors.New("credentials would go there in the clear: write https://; http:// is for localhost and private addresses alone")
}

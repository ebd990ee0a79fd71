package webhook

import (
	"errors"
	"net/netip"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
)

// longestAddress is how many bytes an address may have.
const longestAddress = 2000

// CheckAddress returns why no webhook can be sent to an address, nil when one can.
func (p *Post) CheckAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case len(address) > longestAddress:
		return errors.New("the address is too long")
	case err != nil || u.Hostname() == "" || u.Opaque != "":
		return errors.New("expected an address, such as https://partner.example/hooks")
	case u.Scheme != "https" && (u.Scheme != "http" || len(p.plain.allowed) == 0):
		return errBare
	case u.User != nil:
		return errors.New("a name and a password do not belong in the address: send a header")
	case u.Fragment != "":
		return errors.New("an address that is called has no part behind #")
	}
	n := p.networksFor(u)
	if at, err := netip.ParseAddr(u.Hostname()); err == nil && !n.permit(at) {
		return n.refusal()
	}
	return nil
}

// networksFor returns the networks that an address may lie in. Without TLS it is
// those that the operator named, where that is allowed at all.
func (p *Post) networksFor(u *url.URL) networks {
	if u.Scheme == "https" {
		return p.secure
	}
	return p.plain
}

// ours are headers that a call has anyway, or that decide how it is carried.
var ours = []string{
	"Accept-Encoding", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Expect", "Host", "Keep-Alive", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade", "User-Agent",
}

const tokenChars = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// CheckHeader returns why webhooks cannot carry a static header.
func (p *Post) CheckHeader(name, value string) error {
	canonical := textproto.CanonicalMIMEHeaderKey(name)
	switch {
	case name == "" || len(name) > 100 || strings.Trim(name, tokenChars) != "":
		return errors.New("this is no name of a header")
	case slices.Contains(ours, canonical) || strings.HasPrefix(canonical, "Webhook-") || strings.HasPrefix(canonical, "Proxy-"):
		return errors.New("this header is not yours to set")
	case value == "" || len(value) > 500 || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }):
		return errors.New("expected 1 to 500 visible ASCII characters")
	}
	return nil
}

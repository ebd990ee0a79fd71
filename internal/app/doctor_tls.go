package app

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/url"
	"strings"
	"time"
)

// secured looks at the certificates of listeners. One that others reach without any is a
// mistake of the configuration, unless a proxy stands in front.
func (d *doctor) secured(now time.Time) {
	for _, l := range secureListeners(d.settings) {
		d.certificate(l, now)
	}
}

// certificate looks at that of one listener as it lies in its file.
func (d *doctor) certificate(l secureListener, now time.Time) {
	check := "certificate of [" + l.name + "]"
	if l.Cert.IsCredential() || d.settings.Secrets[l.Key].IsCredential() {
		d.well(check, "it is a credential of systemd, which the service alone can read")
		return
	}
	c, err := readCertificate(l, d.settings.FindSecret)
	if err != nil {
		d.say(Fault, check, "mend it, then systemctl reload ostler; the daemon does not start like this", "%v", err)
		return
	}
	if err := unfit(l.name, c.Leaf, now); err != nil {
		d.say(Fault, check, "put one there that clients accept, then systemctl reload ostler; until then it is shown as it is, and clients refuse it", "%v", err)
		return
	}
	ends := c.Leaf.NotAfter.UTC().Format(time.RFC3339)
	switch {
	case !now.Before(endsSoon(c.Leaf)):
		d.say(Warning, check, "renew it, and look why that did not happen by itself; then systemctl reload ostler", "it ends at %s", ends)
	case l.name == "api" && !d.named(c.Leaf):
		d.say(Warning, check, "get one for that name, or mend public_url", "it is not for the host of public_url, %s", d.settings.PublicURL)
	case !trusted(c, now):
		d.say(Warning, check, "put the certificates that it is signed with behind it in the file; one of your own authority is known to those alone who were given it", "this machine does not trust it, and most clients will not")
	default:
		d.well(check, "it is good until %s", ends)
	}
}

// named reports whether a certificate is for the host that partners ask.
func (d *doctor) named(leaf *x509.Certificate) bool {
	u, err := url.Parse(d.settings.PublicURL)
	return err != nil || u.Hostname() == "" || leaf.VerifyHostname(u.Hostname()) == nil
}

// trusted reports whether this machine would trust a certificate, whatever its name.
func trusted(c *tls.Certificate, now time.Time) bool {
	between := x509.NewCertPool()
	for _, raw := range c.Certificate[1:] {
		if signer, err := x509.ParseCertificate(raw); err == nil {
			between.AddCert(signer)
		}
	}
	_, err := c.Leaf.Verify(x509.VerifyOptions{Intermediates: between, CurrentTime: now})
	return err == nil
}

// shown asks a listener for the certificate that it shows, and compares it with the file's.
func (d *doctor) shown(name, address string) {
	i := strings.TrimSuffix(name, ".listen")
	for _, l := range secureListeners(d.settings) {
		if l.name != i || l.Cert.IsCredential() || d.settings.Secrets[l.Key].IsCredential() {
			continue
		}
		ctx, stop := context.WithTimeout(d.ctx, dialTimeout)
		leaf, err := shownAt(ctx, address)
		stop()
		ours, readErr := readCertificate(l, d.settings.FindSecret)
		switch {
		case err != nil:
			d.say(Fault, "certificate of ["+l.name+"]", "restart the daemon, if TLS was set up while it ran", "%s speaks no TLS: %v", address, err)
		case readErr == nil && !leaf.Equal(ours.Leaf):
			d.say(Warning, "certificate of ["+l.name+"]", "systemctl reload ostler, and have whatever renews it do so each time", "%s shows another than the file holds, which ends at %s", address, leaf.NotAfter.UTC().Format(time.RFC3339))
		}
	}
}

// shownAt is the certificate that is shown at an address, whoever signed it.
func shownAt(ctx context.Context, address string) (*x509.Certificate, error) {
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // it is compared with the one in the file, and nothing is sent
	c, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	chain := c.(*tls.Conn).ConnectionState().PeerCertificates
	if len(chain) == 0 {
		return nil, errors.New("no certificate is shown")
	}
	return chain[0], nil
}

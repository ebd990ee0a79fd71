package app

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"time"

	"ostler.example/internal/config"
)

// secureListener is a listener of the configuration that may have a certificate.
type secureListener struct {
	name string // its table
	config.TLS
}

// secureListeners are those that have one.
func secureListeners(c config.Config) []secureListener {
	all := []secureListener{{"api", c.API.TLS}, {"inbound", c.Inbound.TLS}}
	return slices.DeleteFunc(all, func(l secureListener) bool { return !l.On() })
}

// readCertificate reads the certificate of a listener and its key, and refuses what cannot
// be shown to anybody. secret finds the key.
func readCertificate(l secureListener, secret func(name string) (string, error)) (*tls.Certificate, error) {
	chain, err := l.Cert.ReadOpen()
	if err != nil {
		return nil, fmt.Errorf("%s.tls_cert: %w", l.name, err)
	}
	key, err := secret(l.Key)
	if err != nil {
		return nil, fmt.Errorf("%s.tls_key: %w", l.name, err)
	}
	c, err := tls.X509KeyPair([]byte(chain), []byte(key))
	if err != nil {
		// The library's words tell a key that is another's from what is no PEM, and quote neither.
		return nil, fmt.Errorf("%s.tls_cert: %w; tls_cert names the certificate with what it is signed with behind it, tls_key the secret with the key that it was made for", l.name, err)
	}
	return &c, nil
}

// unfit returns why no client would accept a certificate that can be shown; nil: its dates
// and its purpose are well. What is asked of its name and of who signed it depends on the
// client.
func unfit(listener string, leaf *x509.Certificate, now time.Time) error {
	switch {
	case !now.Before(leaf.NotAfter):
		return fmt.Errorf("%s.tls_cert: the certificate ended at %s: put a new one there", listener, leaf.NotAfter.UTC().Format(time.RFC3339))
	case now.Before(leaf.NotBefore):
		return fmt.Errorf("%s.tls_cert: the certificate begins at %s: look whether the clock is right (timedatectl)", listener, leaf.NotBefore.UTC().Format(time.RFC3339))
	case len(leaf.ExtKeyUsage) > 0 && !slices.ContainsFunc(leaf.ExtKeyUsage, func(u x509.ExtKeyUsage) bool { return u == x509.ExtKeyUsageServerAuth || u == x509.ExtKeyUsageAny }):
		return fmt.Errorf("%s.tls_cert: the certificate is not made for servers (extended key usage serverAuth)", listener)
	}
	return nil
}

// CheckCertificates tells every mistake of the certificates that the configuration names,
// leaving out what only the service can read. What cannot be shown is an error, with which
// the daemon does not start; what no client would accept is a warning, and does not keep
// the channels from being served.
func CheckCertificates(c config.Config) (warnings []string, err error) {
	var errs []error
	for _, l := range secureListeners(c) {
		if l.Cert.IsCredential() || c.Secrets[l.Key].IsCredential() {
			continue
		}
		read, err := readCertificate(l, c.FindSecret)
		if err != nil {
			errs = append(errs, err)
		} else if err := unfit(l.name, read.Leaf, now()); err != nil {
			warnings = append(warnings, err.Error())
		}
	}
	return warnings, errors.Join(errs...)
}

// endsSoon returns from when on people are told that a certificate ends: two weeks
// before, or in the last quarter of one that is made for a short time, which is when one
// that is renewed by itself has not been.
func endsSoon(c *x509.Certificate) time.Time {
	return c.NotAfter.Add(-min(expiringBefore, c.NotAfter.Sub(c.NotBefore)/4))
}

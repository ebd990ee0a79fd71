package app

import (
	"crypto/tls"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/config"
	"ostler.example/internal/notify"
)

// readWires reads the certificates with which the daemon begins. One that no client accepts
// is shown all the same, and said loudly: a certificate that nobody renewed must not keep
// channels from being told what is sold.
func (d *Daemon) readWires() error {
	certificates, err := certificatesOf(d.config, *d.secrets.Load())
	if err != nil {
		return err
	}
	d.wires = map[string]*wire{}
	for _, name := range slices.Sorted(maps.Keys(certificates)) { // who reads the log finds them in one order
		c := certificates[name]
		d.wires[name] = newWire(c)
		if err := unfit(name, c.Leaf, now()); err != nil {
			d.log.Error("no client accepts the certificate of this listener; everything else goes on", zap.Error(err))
		}
	}
	return nil
}

// certificatesOf reads the certificate of each listener that has one, by its table.
func certificatesOf(c config.Config, secrets config.Secrets) (map[string]*tls.Certificate, error) {
	certificates := map[string]*tls.Certificate{}
	for _, l := range secureListeners(c) {
		read, err := readCertificate(l, secrets.FindOwn)
		if err != nil {
			return nil, err
		}
		certificates[l.name] = read
	}
	return certificates, nil
}

// worse returns what is wrong with certificates that are others than those shown now; nil:
// nothing. The same one once more is what is in force anyway.
func (d *Daemon) worse(certificates map[string]*tls.Certificate) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(certificates)) {
		leaf := certificates[name].Leaf
		if w := d.wires[name]; w == nil || !w.certificate.Load().Leaf.Equal(leaf) {
			errs = append(errs, unfit(name, leaf, now()))
		}
	}
	return errors.Join(errs...)
}

// exchange has listeners show other certificates from the next connection on, and returns
// the keys of the configuration whose certificates are others now. A listener that spoke
// plain HTTP when the daemon began goes on with it.
func (d *Daemon) exchange(certificates map[string]*tls.Certificate) (changed []string) {
	for _, name := range []string{"api", "inbound"} {
		w, c := d.wires[name], certificates[name]
		if w == nil || c == nil {
			continue
		}
		if before := w.certificate.Swap(c); !before.Leaf.Equal(c.Leaf) {
			changed = append(changed, name+".tls_cert")
		}
	}
	return changed
}

// promised is what answers the partners who reach it at a public address.
func (d *Daemon) promised(h http.Handler, public string) http.Handler {
	if strings.HasPrefix(public, "https://") {
		h = underTLS(h)
	}
	return behindProxies(d.config.Server, h)
}

// endingCertificates are those that end soon, or have ended, and are still shown.
func (d *Daemon) endingCertificates(now time.Time) []notify.Lasting {
	var ending []notify.Lasting
	for _, name := range slices.Sorted(maps.Keys(d.wires)) {
		leaf := d.wires[name].certificate.Load().Leaf
		if told := endsSoon(leaf); !now.Before(told) {
			ending = append(ending, notify.Lasting{Kind: hotel.NoticeExpiring, Topic: notify.CertificateTopic(name, leaf.NotAfter), Since: told})
		}
	}
	return ending
}

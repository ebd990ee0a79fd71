package app

import (
	"crypto/tls"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/config"
	"ostler.example/internal/notify"
)

// readWires reads the certificates with which the daemon begins.
func (d *Daemon) readWires() error {
	certificates, err := certificatesOf(d.config, *d.secrets.Load())
	if err != nil {
		return err
	}
	d.wires = map[string]*wire{}
	for name, c := range certificates {
		d.wires[name] = newWire(c)
	}
	return nil
}

// certificatesOf reads the certificate of each listener that has one, by its table.
func certificatesOf(c config.Config, secrets config.Secrets) (map[string]*tls.Certificate, error) {
	certificates := map[string]*tls.Certificate{}
	for _, l := range secureListeners(c) {
		read, err := readCertificate(l, secrets.FindOwn, now())
		if err != nil {
			return nil, err
		}
		certificates[l.name] = read
	}
	return certificates, nil
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
			ending = append(ending, notify.Lasting{
				Kind: hotel.NoticeExpiring, Topic: fmt.Sprintf("certificate of [%s], %s", name, leaf.NotAfter.UTC().Format(time.DateOnly)), Since: told,
			})
		}
	}
	return ending
}

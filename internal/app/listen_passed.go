package app

import (
	"errors"
	"fmt"
	"net"
	"slices"

	"github.com/coreos/go-systemd/v22/activation"
)

// passed are sockets that somebody, systemd most likely, opened before the program
// began and keeps open when it ends: whoever connects meanwhile waits and is not
// refused. Each stands for the address of the configuration that is its own.
type passed struct{ listeners []net.Listener }

// takePassed takes over the sockets that were passed to the process.
func takePassed() (*passed, error) {
	listeners, err := activation.Listeners()
	if err != nil {
		return nil, fmt.Errorf("take over sockets: %w", err)
	}
	p := &passed{}
	for _, l := range listeners {
		if l == nil {
			return nil, errors.Join(errors.New("a socket was passed that is no stream socket: see to it that ostler.socket has ListenStream= alone"), p.close())
		}
		p.listeners = append(p.listeners, l)
	}
	return p, nil
}

// take returns the socket of an address; nil: there is none.
func (p *passed) take(address string) net.Listener {
	wanted, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil // whoever listens there is told why not
	}
	for i, l := range p.listeners {
		if at, ok := l.Addr().(*net.TCPAddr); ok && at.Port == wanted.Port && sameHost(at.IP, wanted.IP) {
			p.listeners = slices.Delete(p.listeners, i, i+1)
			return l
		}
	}
	return nil
}

// sameHost takes every way to say "all addresses" as one.
func sameHost(a, b net.IP) bool {
	everywhere := func(ip net.IP) bool { return len(ip) == 0 || ip.IsUnspecified() }
	return a.Equal(b) || everywhere(a) && everywhere(b)
}

// left refuses sockets that are nobody's: whoever connects to one would wait for ever.
func (p *passed) left() error {
	if len(p.listeners) == 0 {
		return nil
	}
	return fmt.Errorf("a socket at %s was passed, which is no address of the configuration: "+
		"give ostler.socket the addresses of [api] listen, [inbound] listen and [sandbox] listen (systemctl edit ostler.socket)", p.listeners[0].Addr())
}

// close gives back what nobody took.
func (p *passed) close() error {
	var errs []error
	for _, l := range p.listeners {
		errs = append(errs, l.Close())
	}
	p.listeners = nil
	return errors.Join(errs...)
}

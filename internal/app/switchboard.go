package app

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"

	"ostler.example/connectors/transport"
)

// switchboard carries a sandbox's calls within the process. Whoever calls through it
// reaches those that answer at it and nobody else: it has no socket to dial.
type switchboard struct {
	mu    sync.Mutex
	hosts map[string]*extension
}

// serve lets h answer the calls to a host.
func (b *switchboard) serve(host string, h http.Handler) *server {
	e := &extension{host: host, calls: make(chan net.Conn), closed: make(chan struct{})}
	e.hangUp = sync.OnceFunc(func() { close(e.closed) })
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hosts == nil {
		b.hosts = map[string]*extension{}
	}
	b.hosts[host] = e
	return serveOn(e, h, nil, nil)
}

// dial connects to who answers at the address.
func (b *switchboard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	refused := func(reason string) error {
		return &net.OpError{Op: "dial", Net: network, Err: fmt.Errorf("%s: %s", address, reason)}
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, refused("not an address")
	}
	b.mu.Lock()
	e := b.hosts[host]
	b.mu.Unlock()
	if e == nil {
		return nil, refused("a sandbox reaches its own pretend channels and nobody else")
	}
	ours, theirs := net.Pipe()
	select {
	case e.calls <- theirs:
		return ours, nil
	case <-e.closed:
		return nil, refused("nobody answers any more")
	case <-ctx.Done():
		return nil, refused(ctx.Err().Error())
	}
}

// transport is what carries calls through the switchboard, each on a connection of its
// own and past any proxy.
func (b *switchboard) transport() *http.Transport {
	t := transport.NewTransport()
	t.Proxy, t.DialContext = nil, b.dial
	return t
}

// extension is where somebody answers at a switchboard.
type extension struct {
	host   string
	calls  chan net.Conn
	closed chan struct{}
	hangUp func()
}

var _ net.Listener = (*extension)(nil)

// Accept implements [net.Listener].
func (e *extension) Accept() (net.Conn, error) {
	select {
	case c := <-e.calls:
		return c, nil
	case <-e.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (e *extension) Close() error {
	e.hangUp()
	return nil
}

// Addr implements [net.Listener].
func (e *extension) Addr() net.Addr { return e }

// Network implements [net.Addr].
func (e *extension) Network() string { return "switchboard" }

// String implements [net.Addr].
func (e *extension) String() string { return e.host }

package app

import (
	"net"
	"strings"
	"testing"
)

// TestPassedSockets: a socket goes to the address that is its own, and one that is
// nobody's is told.
func TestPassedSockets(t *testing.T) {
	open := func(address string) net.Listener {
		t.Helper()
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	one, all := open("127.0.0.1:0"), open(":0")
	p := &passed{listeners: []net.Listener{one, all}}
	defer p.close() //nolint:errcheck // they are thrown away
	_, port, _ := net.SplitHostPort(all.Addr().String())
	if got := p.take("127.0.0.1:1"); got != nil {
		t.Errorf("an address that nobody opened has %v", got.Addr())
	}
	if got := p.take("127.0.0.1:" + port); got != nil {
		t.Errorf("an address of one interface has that of all, %v", got.Addr())
	}
	if err := p.left(); err == nil || !strings.Contains(err.Error(), one.Addr().String()) || !strings.Contains(err.Error(), "ostler.socket") {
		t.Errorf("sockets that are nobody's: %v", err)
	}
	if got := p.take("0.0.0.0:" + port); got != all {
		t.Errorf("all addresses have %v", got)
	}
	if got := p.take(one.Addr().String()); got != one {
		t.Errorf("its own address has %v", got)
	}
	if got := p.take(one.Addr().String()); got != nil {
		t.Error("it is taken twice")
	}
	if err := p.left(); err != nil {
		t.Error(err)
	}
	_, _ = one.Close(), all.Close()
}

package transport

import (
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
)

// TestAConnectionIsResetWhenItIsClosed: what a call that was given up has written is not sent
// again by the system for minutes.
func TestAConnectionIsResetWhenItIsClosed(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close() //nolint:errcheck // nothing is left in it
	ended := make(chan error, 1)
	go func() {
		conn, err := ln.Accept()
		if err == nil {
			_, err = io.ReadAll(conn)
			_ = conn.Close()
		}
		ended <- err
	}()
	conn, err := dial(t.Context(), "tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte("half a call")); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the far side sees it end with %v", err)
	}
}

package app

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
)

// wire is the certificate that a listener shows, which may be exchanged while it serves.
type wire struct {
	certificate atomic.Pointer[tls.Certificate]
	settings    *tls.Config
}

func newWire(c *tls.Certificate) *wire {
	w := &wire{}
	w.certificate.Store(c)
	w.settings = &tls.Config{
		MinVersion: tls.VersionTLS12, // its ciphers are the library's choice, which has the safe ones alone
		NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return w.certificate.Load(), nil
		},
	}
	return w
}

// over returns a listener whose connections are under TLS.
func (w *wire) over(l net.Listener) net.Listener { return &wired{l, w.settings} }

type wired struct {
	net.Listener
	settings *tls.Config
}

// Accept implements [net.Listener]. It waits for no handshake, which is the business of
// whoever serves the connection.
func (l *wired) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return tls.Server(&opening{Conn: c}, l.settings), nil
}

// opening looks at the first byte of a connection: one that does not begin with TLS is
// told so in words, which whoever looks at it can read, and ends.
type opening struct {
	net.Conn
	seen bool
}

const (
	handshakeRecord = 0x16 // with which TLS begins

	// plainHint answers whoever speaks HTTP. It is no redirect: a client that has sent its
	// token in the clear should be noticed, not helped along.
	plainHint = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n" +
		"This port speaks TLS: ask again with https:// in place of http://. What was sent went over the wire unencrypted; if a secret or a token was in it, replace it.\n"

	// What is read of such a request after the answer, and for how long: a connection that
	// is closed with something unread takes the answer back.
	plainRest   = 64 << 10
	plainLinger = time.Second
)

var errPlain = errors.New("it speaks no TLS")

// Read implements [net.Conn].
func (c *opening) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.seen || n == 0 {
		return n, err
	}
	c.seen = true
	if p[0] == handshakeRecord {
		return n, err
	}
	_ = c.SetDeadline(now().Add(plainLinger))
	if _, err := io.WriteString(c.Conn, plainHint); err == nil {
		if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite()
		}
		_, _ = io.CopyN(io.Discard, c.Conn, plainRest)
	}
	return 0, errPlain
}

// complaints are what a server has to say of its connections. Handshakes that come to
// nothing are the internet's daily noise, and told at the level of debug alone.
type complaints struct{ log *zap.Logger }

// complaintsTo is a logger for a server, over the program's.
func complaintsTo(l *zap.Logger) *log.Logger { return log.New(complaints{l}, "", 0) }

// Write implements [io.Writer] for one complaint at a time.
func (c complaints) Write(line []byte) (int, error) {
	level := zap.ErrorLevel
	if bytes.HasPrefix(line, []byte("http: TLS handshake error")) {
		level = zap.DebugLevel
	}
	c.log.Log(level, "connection", zap.ByteString("complaint", bytes.TrimSpace(line)))
	return len(line), nil
}

// hstsAge is how long browsers remember that a host is to be asked under TLS alone: a
// year, in seconds.
const hstsAge = "max-age=31536000"

// underTLS tells browsers to come under TLS alone from now on, of a host that is reached so.
func underTLS(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Strict-Transport-Security", hstsAge)
		h.ServeHTTP(w, r)
	})
}

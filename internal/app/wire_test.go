package app

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"ostler.example/internal/config"
	"ostler.example/internal/testkit"
)

// certificateFor writes a certificate into a folder of its own and returns the listener of the
// configuration that names it.
func certificateFor(t *testing.T, from, until time.Duration) (secureListener, func(string) (string, error), *x509.CertPool) {
	t.Helper()
	cert, key, roots := testkit.Certificate(t, t.TempDir(), now().Add(from), now().Add(until))
	c := config.Config{Secrets: map[string]config.Source{"key": config.Source(key)}}
	return secureListener{"api", config.TLS{Cert: config.Source(cert), Key: "key"}}, c.FindSecret, roots
}

// TestUnderTLS serves under TLS: 1.2 at least, by HTTP/2 to whoever can, and with another
// certificate from the moment in which it is exchanged.
func TestUnderTLS(t *testing.T) {
	l, key, roots := certificateFor(t, -time.Hour, time.Hour)
	first, err := readCertificate(l, key)
	if err != nil {
		t.Fatal(err)
	}
	at, err := listenAt("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	core, logged := observer.New(zap.DebugLevel)
	w := newWire(first)
	s := serveWired(at, w, underTLS(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto) })), usualConnections, log.New(complaints{zap.New(core)}, "", 0))
	ask := func(roots *x509.CertPool, h2 bool, most uint16) (string, string, error) {
		transport := &http.Transport{ForceAttemptHTTP2: h2, TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "localhost", MaxVersion: most}}
		defer transport.CloseIdleConnections()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+s.address()+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := transport.RoundTrip(req)
		if err != nil {
			return "", "", err
		}
		body, err := io.ReadAll(a.Body)
		_ = a.Body.Close()
		return string(body), a.Header.Get("Strict-Transport-Security"), err
	}
	for _, c := range []struct {
		h2   bool
		most uint16
		want string
	}{{true, 0, "HTTP/2.0"}, {false, 0, "HTTP/1.1"}, {false, tls.VersionTLS12, "HTTP/1.1"}} {
		if got, hsts, err := ask(roots, c.h2, c.most); got != c.want || hsts != hstsAge || err != nil {
			t.Errorf("%+v: answered by %q, %q, %v", c, got, hsts, err)
		}
	}
	if _, _, err := ask(roots, false, tls.VersionTLS11); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	l, key, others := certificateFor(t, -time.Hour, time.Hour)
	second, err := readCertificate(l, key)
	if err != nil {
		t.Fatal(err)
	}
	w.certificate.Store(second)
	if _, _, err := ask(roots, true, 0); err == nil {
		t.Error("the certificate of before is still shown")
	}
	if got, _, err := ask(others, true, 0); got != "HTTP/2.0" || err != nil {
		t.Errorf("the new certificate: %q, %v", got, err)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if logged.FilterLevelExact(zap.ErrorLevel).Len() > 0 || logged.FilterLevelExact(zap.DebugLevel).Len() == 0 {
		t.Errorf("handshakes that fail are told as %+v", logged.All())
	}
}

// TestPlainOnAPortOfTLS: whoever says http is told in words, also after a body, whose end
// nobody waits for.
func TestPlainOnAPortOfTLS(t *testing.T) {
	l, key, _ := certificateFor(t, -time.Hour, time.Hour)
	c, err := readCertificate(l, key)
	if err != nil {
		t.Fatal(err)
	}
	at, err := listenAt("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := serveWired(at, newWire(c), http.NotFoundHandler(), usualConnections, log.New(io.Discard, "", 0))
	for _, request := range []string{
		"GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n",
		"DELETE /v1/x HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /v1/x HTTP/1.1\r\nHost: x\r\nContent-Length: 30000\r\n\r\n" + strings.Repeat("x", 30000),
	} {
		conn, err := net.Dial("tcp", s.address())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		a, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%.10q: %v", request, err)
			continue
		}
		said, err := io.ReadAll(a.Body)
		_ = a.Body.Close()
		_ = conn.Close()
		if a.StatusCode != http.StatusBadRequest || !strings.Contains(string(said), "https://") || err != nil {
			t.Errorf("%.10q is answered %d %q, %v", request, a.StatusCode, said, err)
		}
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}

// TestCertificatesThatAreRefused: what cannot be shown, and what no client would accept.
func TestCertificatesThatAreRefused(t *testing.T) {
	good, key, _ := certificateFor(t, -time.Hour, time.Hour)
	_, another, _ := certificateFor(t, -time.Hour, time.Hour)
	over, itsKey, _ := certificateFor(t, -2*time.Hour, -time.Hour)
	early, earlyKey, _ := certificateFor(t, time.Hour, 2*time.Hour)
	none := good
	none.Cert = config.Source(filepath.Join(t.TempDir(), "none"))
	nonsense := good
	nonsense.Cert = none.Cert + "sense"
	if err := os.WriteFile(string(nonsense.Cert), []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		of   secureListener
		key  func(string) (string, error)
		want string
	}{
		{"one that is good", good, key, ""},
		{"a key of another", good, another, "private key does not match public key"},
		{"one that has ended", over, itsKey, "the certificate ended at"},
		{"one that has yet to begin", early, earlyKey, "look whether the clock is right"},
		{"no file", none, key, "api.tls_cert: there is no file"},
		{"no certificate", nonsense, key, "api.tls_cert: "},
		{"no key", good, config.Config{}.FindSecret, "api.tls_key: "},
	} {
		read, err := readCertificate(c.of, c.key)
		if err == nil {
			err = unfit("api", read.Leaf, now())
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestDoctorLooksAtCertificates as they lie in their files.
func TestDoctorLooksAtCertificates(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		name        string
		from, until time.Duration
		public, at  string
		want        Level
		says        string
	}{
		{"one that ends in two weeks", -76 * day, 14 * day, "", "127.0.0.1:1", Warning, "it ends at"},
		{"one of six days that has been renewed", -4 * day, 2 * day, "", "127.0.0.1:1", Warning, "does not trust"},
		{"one of six days that has not", -5 * day, day, "", "127.0.0.1:1", Warning, "it ends at"},
		{"one that has ended", -2 * day, -day, "", "127.0.0.1:1", Fault, "ended at"},
		{"one for another host", -day, 80 * day, "https://hotel.example", "127.0.0.1:1", Warning, "https://hotel.example"},
		{"one that this machine does not know", -day, 80 * day, "https://localhost:8443", "127.0.0.1:1", Warning, "does not trust"},
		{"none", 0, 0, "", "127.0.0.1:1", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			settings := config.Default()
			settings.PublicURL, settings.API.Listen = c.public, c.at
			if c.until != 0 {
				l, _, _ := certificateFor(t, c.from, c.until)
				settings.API.TLS = l.TLS
				settings.Secrets["key"] = config.Source(filepath.Join(filepath.Dir(string(l.Cert)), "key.pem"))
			}
			var got []Finding
			d := &doctor{ctx: t.Context(), found: func(f Finding) { got = append(got, f) }, settings: settings}
			d.secured(now())
			if c.want == "" {
				if len(got) > 0 {
					t.Errorf("the doctor says %+v", got)
				}
				return
			}
			if len(got) != 1 || got[0].Level != c.want || !strings.Contains(got[0].Says, c.says) || got[0].Do == "" {
				t.Errorf("the doctor says %+v, want %s, %q", got, c.want, c.says)
			}
		})
	}
}

// TestEndingCertificatesAreTold to the people of every house.
func TestEndingCertificatesAreTold(t *testing.T) {
	l, key, _ := certificateFor(t, -80*24*time.Hour, 10*24*time.Hour)
	c, err := readCertificate(l, key)
	if err != nil {
		t.Fatal(err)
	}
	d := &Daemon{wires: map[string]*wire{"api": newWire(c)}}
	told := d.endingCertificates(now())
	if len(told) != 1 || !strings.HasPrefix(told[0].Topic, "certificate api ") || told[0].Since.After(now()) {
		t.Errorf("people are told %+v", told)
	}
	if told := d.endingCertificates(now().Add(-5 * 24 * time.Hour)); len(told) > 0 {
		t.Errorf("fifteen days before its end people are told %+v", told)
	}
}

// TestDoctorComparesWhatIsShown with what lies in the file, which somebody may have renewed
// without a reload.
func TestDoctorComparesWhatIsShown(t *testing.T) {
	l, key, _ := certificateFor(t, -time.Hour, time.Hour)
	c, err := readCertificate(l, key)
	if err != nil {
		t.Fatal(err)
	}
	at, err := listenAt("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := newWire(c)
	s := serveWired(at, w, http.NotFoundHandler(), usualConnections, log.New(io.Discard, "", 0))
	settings := config.Default()
	settings.API.TLS = l.TLS
	settings.Secrets["key"] = config.Source(filepath.Join(filepath.Dir(string(l.Cert)), "key.pem"))
	look := func() (got []Finding) {
		d := &doctor{ctx: t.Context(), found: func(f Finding) { got = append(got, f) }, settings: settings}
		d.shown("api.listen", s.address())
		return got
	}
	if got := look(); len(got) > 0 {
		t.Errorf("the same is shown, and the doctor says %+v", got)
	}
	other, otherKey, _ := certificateFor(t, -time.Hour, time.Hour)
	if c, err = readCertificate(other, otherKey); err != nil {
		t.Fatal(err)
	}
	w.certificate.Store(c)
	if got := look(); len(got) != 1 || got[0].Level != Warning || !strings.Contains(got[0].Do, "systemctl reload") {
		t.Errorf("another is shown, and the doctor says %+v", got)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if got := look(); len(got) != 1 || got[0].Level != Fault {
		t.Errorf("none is shown, and the doctor says %+v", got)
	}
}

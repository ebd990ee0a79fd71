package main_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"ostler.example/internal/testkit"
)

// TestServeUnderTLS has the program show a certificate of its own, take over another on
// SIGHUP, keep the one it has when the other is of no use, and begin with one that is over, so that a
// certificate nobody renewed takes nothing else along.
func TestServeUnderTLS(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	dir := t.TempDir()
	write := func(until time.Duration) *x509.CertPool {
		_, _, roots := testkit.Certificate(t, dir, time.Now().Add(-80*24*time.Hour), time.Now().Add(until))
		return roots
	}
	i.edit(t, regexp.MustCompile(`# tls_cert = ""`), `tls_cert = "`+filepath.Join(dir, "cert.pem")+`"`)
	i.edit(t, regexp.MustCompile(`# tls_key = ""`), `tls_key = "wire"`)
	i.edit(t, regexp.MustCompile(`# channel_key = .*`), `wire = "`+filepath.Join(dir, "key.pem")+`"`)

	other := filepath.Join(t.TempDir(), "key.pem")
	write(time.Hour)
	if err := os.Rename(filepath.Join(dir, "key.pem"), other); err != nil {
		t.Fatal(err)
	}
	testkit.Certificate(t, dir, time.Now(), time.Now().Add(time.Hour))
	if err := os.Rename(other, filepath.Join(dir, "key.pem")); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"check", "serve"} {
		if out, code := run(t, command, "--config", i.file); code != 1 || !strings.Contains(out, "api.tls_cert: tls: private key does not match") {
			t.Errorf("%s with the key of another certificate: code %d\n%s", command, code, out)
		}
	}
	write(-time.Hour)
	if out, code := run(t, "check", "--config", i.file); code != 0 || !strings.Contains(out, "WARNING      api.tls_cert: the certificate ended at") {
		t.Errorf("check with a certificate that is over: code %d\n%s", code, out)
	}
	p := begin(t, "serve", "--config", i.file)
	base := await(t, p, "started", 1).PublicURL
	if got := await(t, p, "no client accepts the certificate of this listener; everything else goes on", 1); !strings.Contains(got.Error, "api.tls_cert: the certificate ended at") {
		t.Errorf("a start with a certificate that is over: %+v", got)
	}
	hangup := func() {
		if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	hangup() // nothing is worse than before
	if got := await(t, p, "configuration read again", 1); len(got.Applied) > 0 {
		t.Errorf("taken over: %v", got.Applied)
	}
	roots := write(time.Hour)
	hangup()
	await(t, p, "configuration read again", 2)
	// ask returns by which protocol the program answers, 0 when it does not, and what it
	// tells browsers.
	ask := func(roots *x509.CertPool) (major int, hsts string, err error) {
		transport := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "localhost"}}
		defer transport.CloseIdleConnections()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/v1/health", nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := transport.RoundTrip(req)
		if err != nil {
			return 0, "", err
		}
		defer a.Body.Close()
		if _, err := io.Copy(io.Discard, a.Body); err != nil || a.StatusCode != http.StatusOK {
			t.Errorf("%d, %v", a.StatusCode, err)
		}
		return a.ProtoMajor, a.Header.Get("Strict-Transport-Security"), nil
	}
	if major, hsts, err := ask(roots); err != nil || major != 2 || hsts == "" || !strings.HasPrefix(base, "https://") {
		t.Fatalf("%s answers by HTTP/%d, %q, %v", base, major, hsts, err)
	}
	renewed := write(2 * time.Hour)
	if out, _ := run(t, "doctor", "--config", i.file); !strings.Contains(out, "certificate of [api]: it ends at") {
		t.Errorf("the doctor does not look at the certificate:\n%s", out)
	}
	if out, code := run(t, "support-bundle", "--config", i.file, filepath.Join(dir, "support.tar.gz")); code != 0 || strings.Contains(out, "without channels.json") || strings.Contains(out, "without ledger.json") {
		t.Errorf("a support bundle beside the daemon: code %d\n%s", code, out)
	}
	hangup()
	if got := await(t, p, "configuration read again", 3); strings.Join(got.Applied, " ") != "secrets.wire api.tls_cert inbound.tls_cert" {
		t.Errorf("taken over: %v", got.Applied)
	}
	if _, _, err := ask(renewed); err != nil {
		t.Error("the new certificate:", err)
	}
	v, err := vitalsAt(i.client.http, listener(t, p, "admin"))
	if left := v[`ostler_certificate_left_seconds{listener="api"}`]; err != nil || v[`ostler_certificate_due{listener="api"}`] != 1 || left < 3600 || left > 7200 {
		t.Errorf("the metrics have %.0f s until it ends, and it is due %v (%v)", left, v[`ostler_certificate_due{listener="api"}`], err)
	}
	write(-time.Hour)
	hangup()
	if got := await(t, p, "configuration not taken over; the earlier one stays in force", 1); !strings.Contains(got.Error, "the certificate ended at") {
		t.Errorf("a certificate that is over: %+v", got)
	}
	if _, _, err := ask(renewed); err != nil {
		t.Error("the certificate of before:", err)
	}
	if err := p.stop(); err != nil {
		t.Errorf("stop: %v\n%s", err, p.output())
	}
}

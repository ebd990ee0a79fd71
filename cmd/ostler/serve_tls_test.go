package main_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"ostler.example/internal/testkit"
)

// TestServeUnderTLS has the program show a certificate of its own, take over another on
// SIGHUP, keep the one it has when the other is of no use, and refuse to begin with that.
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

	write(-time.Hour)
	for _, command := range []string{"check", "serve"} {
		if out, code := run(t, command, "--config", i.file); code != 1 || !strings.Contains(out, "api.tls_cert: the certificate ended at") {
			t.Errorf("%s with a certificate that is over: code %d\n%s", command, code, out)
		}
	}
	roots := write(time.Hour)
	p := begin(t, "serve", "--config", i.file)
	base := await(t, p, "started", 1).PublicURL
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
	hangup := func() {
		if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	renewed := write(2 * time.Hour)
	if out, _ := run(t, "doctor", "--config", i.file); !strings.Contains(out, "certificate of [api]: it ends at") {
		t.Errorf("the doctor does not look at the certificate:\n%s", out)
	}
	if out, code := run(t, "support-bundle", "--config", i.file, filepath.Join(dir, "support.tar.gz")); code != 0 || strings.Contains(out, "without channels.json") || strings.Contains(out, "without ledger.json") {
		t.Errorf("a support bundle beside the daemon: code %d\n%s", code, out)
	}
	hangup()
	if got := await(t, p, "configuration read again", 1); strings.Join(got.Applied, " ") != "secrets.wire api.tls_cert inbound.tls_cert" {
		t.Errorf("taken over: %v", got.Applied)
	}
	if _, _, err := ask(renewed); err != nil {
		t.Error("the new certificate:", err)
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

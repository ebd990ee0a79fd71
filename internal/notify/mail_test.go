package notify

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/mail"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"go.uber.org/goleak"

	"ostler.example/hotel"
)

// certificate is that of the servers here, which this process trusts.
var certificate tls.Certificate

func TestMain(m *testing.M) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	of := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, DNSNames: []string{"localhost"},
	}
	raw, err := x509.CreateCertificate(rand.Reader, of, of, key.Public(), key)
	if err != nil {
		panic(err)
	}
	certificate = tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}
	file, err := os.CreateTemp("", "ostler-roots")
	if err != nil {
		panic(err)
	}
	if err := pem.Encode(file, &pem.Block{Type: "CERTIFICATE", Bytes: raw}); err != nil {
		panic(err)
	}
	_ = file.Close()
	_ = os.Setenv("SSL_CERT_FILE", file.Name()) // read when somebody is first trusted
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.Remove(file.Name())
		os.Exit(code)
	}))
}

// letters is a mail server's memory.
type letters struct {
	user string // who has to say so; "": nobody

	mu   sync.Mutex
	from []string
	to   []string
	body []string
	by   []string // who has signed in
}

func (l *letters) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{l: l}, nil }

type session struct {
	l        *letters
	by       string
	from, to string
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != s.l.user || password != "s3cret" {
			return smtp.ErrAuthFailed
		}
		s.by = user
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.l.user != "" && s.by == "" {
		return smtp.ErrAuthRequired
	}
	s.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if strings.HasPrefix(to, "nobody@") {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such mailbox"}
	}
	s.to = to
	return nil
}

func (s *session) Data(r io.Reader) error {
	body, err := io.ReadAll(r)
	s.l.mu.Lock()
	defer s.l.mu.Unlock()
	s.l.from, s.l.to, s.l.body, s.l.by = append(s.l.from, s.from), append(s.l.to, s.to), append(s.l.body, string(body)), append(s.l.by, s.by)
	return err
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

// server is a mail server on loopback, and what reaches it.
func server(t *testing.T, way Security, l *letters) *SMTP {
	t.Helper()
	s := smtp.NewServer(l)
	s.Domain, s.ErrorLog = "localhost", quiet{}
	if way != None {
		s.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	}
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if way == TLS {
		at = tls.NewListener(at, s.TLSConfig)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Serve(at) // until it is closed
	}()
	t.Cleanup(func() { _ = s.Close(); <-ended })
	return &SMTP{
		Host: "localhost", Port: at.Addr().(*net.TCPAddr).Port, Security: way, From: "ostler@hotel.example", Clock: hotel.SystemClock{},
		Password: func() (string, error) { return "s3cret", nil },
	}
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}

func TestMailIsSent(t *testing.T) {
	for _, way := range []Security{None, StartTLS, TLS} {
		t.Run(string(way), func(t *testing.T) {
			l := &letters{}
			s := server(t, way, l)
			if way != None {
				l.user, s.User = "ostler", "ostler"
			}
			if err := s.Send(t.Context(), "desk@hotel.example", "Neue Buchung: Gästehaus", "Zeile\n.\nÜber den Punkt\n"); err != nil {
				t.Fatal(err)
			}
			if len(l.body) != 1 || l.from[0] != "ostler@hotel.example" || l.to[0] != "desk@hotel.example" || l.by[0] != l.user {
				t.Fatalf("it got from %v, to %v, by %v", l.from, l.to, l.by)
			}
			for _, part := range []string{"Auto-Submitted: auto-generated", "To: <desk@hotel.example>", "Subject: =?UTF-8?q?Neue_Buchung:_G=C3=A4stehaus?=", "\r\n.\r\n=C3=9Cber den Punkt"} {
				if !strings.Contains(l.body[0], part) {
					t.Errorf("%q is not in\n%s", part, l.body[0])
				}
			}
		})
	}
}

// TestSubjectsMakeNoHeaders: what is in a hotel's name stays in the subject, line breaks too.
func TestSubjectsMakeNoHeaders(t *testing.T) {
	for _, end := range []string{"\r\n", "\n", "\r"} {
		l := &letters{}
		s := server(t, None, l)
		if err := s.Send(t.Context(), "desk@hotel.example", "Sea View"+end+"Bcc: thief@else.example"+end+end+"Another text", "text\n"); err != nil {
			t.Fatal(err)
		}
		if len(l.body) != 1 || len(l.to) != 1 {
			t.Fatalf("%d letters to %v", len(l.body), l.to)
		}
		m, err := mail.ReadMessage(strings.NewReader(l.body[0]))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(m.Body)
		if err != nil || m.Header.Get("Bcc") != "" || strings.TrimSpace(string(text)) != "text" {
			t.Errorf("with %q it is\n%s(%v)", end, l.body[0], err)
		}
	}
}

// TestMailIsNotSentInTheClear: a server that offers no TLS, or a certificate that nobody
// trusts, gets neither the message nor the password.
func TestMailIsNotSentInTheClear(t *testing.T) {
	l := &letters{}
	s := server(t, None, l)
	s.Security, s.User = StartTLS, "ostler"
	if err := s.Send(t.Context(), "desk@hotel.example", "x", "x"); err == nil || !strings.Contains(err.Error(), "STARTTLS") {
		t.Errorf("a server without TLS: %v", err)
	}
	for _, way := range []Security{StartTLS, TLS} {
		s = server(t, way, l)
		s.Host = "127.0.0.1" // of which the certificate says nothing
		if err := s.Send(t.Context(), "desk@hotel.example", "x", "x"); err == nil || !strings.Contains(err.Error(), "certificate") {
			t.Errorf("%s: %v", way, err)
		}
	}
	if len(l.body) > 0 {
		t.Errorf("it got %s", l.body[0])
	}
}

// TestMailThatIsRefused says why, and never the password.
func TestMailThatIsRefused(t *testing.T) {
	l := &letters{user: "somebody"}
	s := server(t, StartTLS, l)
	s.User = "ostler"
	if err := s.Send(t.Context(), "desk@hotel.example", "x", "x"); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("a wrong password: %v", err)
	}
	s = server(t, None, &letters{})
	if err := s.Send(t.Context(), "nobody@hotel.example", "x", "x"); err == nil || !strings.Contains(err.Error(), "no such mailbox") {
		t.Errorf("a wrong address: %v", err)
	}
	if err := s.Send(t.Context(), "not an address", "x", "x"); err == nil {
		t.Error("it is sent to what is no address")
	}
}

// TestServerIsChecked: whether it is there and knows us is told, and nothing is sent.
func TestServerIsChecked(t *testing.T) {
	l := &letters{user: "ostler"}
	s := server(t, StartTLS, l)
	s.User = "ostler"
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("a server that knows us: %v", err)
	}
	s.User = "somebody"
	if err := s.Check(t.Context()); err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("a server that does not: %v", err)
	}
	s.Port = 1
	if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "mail server localhost") {
		t.Errorf("nobody there: %v", err)
	}
	if len(l.body) > 0 {
		t.Errorf("it got %s", l.body[0])
	}
}

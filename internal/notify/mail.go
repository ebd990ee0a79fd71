package notify

import (
	"context"
	"fmt"
	"time"

	"github.com/wneessen/go-mail"

	"ostler.example/hotel"
)

// Security is how the way to a mail server is kept from others.
type Security string

// The ways. StartTLS begins in the clear and goes on only under TLS; None is for a server
// on the same machine.
const (
	StartTLS Security = "starttls"
	TLS      Security = "tls"
	None     Security = "none"
)

// SMTP sends mail through a server. It keeps no connection: messages are few.
type SMTP struct {
	Host     string
	Port     int
	Security Security
	User     string // "": none is asked for
	Password func() (string, error)
	From     string // the address that it comes from
	Clock    hotel.Clock
}

// Send sends a text to an address. What the server answers is in the error.
func (s *SMTP) Send(ctx context.Context, to, subject, text string) error {
	m := mail.NewMsg()
	if err := m.From(s.From); err != nil {
		return fmt.Errorf("sender %q: %w", s.From, err)
	}
	if err := m.To(to); err != nil {
		return fmt.Errorf("recipient: %w", err)
	}
	m.Subject(subject)
	m.SetDateWithValue(s.Clock.Now())
	m.SetMessageID()
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no out-of-office notes in answer
	m.SetBodyString(mail.TypeTextPlain, text)
	c, err := s.client()
	if err != nil {
		return err
	}
	if err := c.DialAndSendWithContext(ctx, m); err != nil {
		return fmt.Errorf("mail server %s: %w", s.Host, err)
	}
	return nil
}

// Check asks the server whether it is there, under the security that is wanted, and
// takes our credentials. It sends nothing.
func (s *SMTP) Check(ctx context.Context) error {
	c, err := s.client()
	if err != nil {
		return err
	}
	if err := c.DialWithContext(ctx); err != nil {
		return fmt.Errorf("mail server %s: %w", s.Host, err)
	}
	return c.Close()
}

// dialFor is how long a server may take to answer at all.
const dialFor = 15 * time.Second

func (s *SMTP) client() (*mail.Client, error) {
	options := []mail.Option{mail.WithPort(s.Port), mail.WithTimeout(dialFor)}
	switch s.Security {
	case TLS:
		options = append(options, mail.WithSSL())
	case StartTLS:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	case None:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	}
	if s.User != "" {
		password, err := s.Password()
		if err != nil {
			return nil, fmt.Errorf("password of the mail server: %w", err)
		}
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.User), mail.WithPassword(password))
	}
	return mail.NewClient(s.Host, options...)
}

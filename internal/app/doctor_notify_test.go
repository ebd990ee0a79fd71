package app

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"

	"ostler.example/internal/config"
)

// TestDoctorAsksTheMailServer tells one that answers from one that is not there, and
// leaves alone what it has no password for.
func TestDoctorAsksTheMailServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if c, err := l.Accept(); err == nil {
			defer func() { _ = c.Close() }()
			fmt.Fprint(c, "220 localhost\r\n")
			for lines := bufio.NewScanner(c); lines.Scan(); {
				if strings.HasPrefix(lines.Text(), "QUIT") {
					fmt.Fprint(c, "221 bye\r\n")
					return
				}
				fmt.Fprint(c, "250 ok\r\n")
			}
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-ended })
	there := config.Notify{SMTPHost: "localhost", SMTPPort: l.Addr().(*net.TCPAddr).Port, SMTPSecurity: "none", From: "ostler@hotel.example"}
	gone, hidden := there, there
	gone.SMTPPort, hidden.SMTPPort = 1, 1
	hidden.SMTPUser, hidden.SMTPPassword = "ostler", "mail"
	for _, c := range []struct {
		name string
		of   config.Notify
		want Level
		says string
	}{
		{"none", config.Notify{}, "", ""},
		{"one that answers", there, Well, "answers and knows us"},
		{"nobody there", gone, Fault, "it is of no use: mail server localhost"},
		{"a password that only the service has", hidden, Well, "not asked"},
	} {
		var got []Finding
		d := &doctor{ctx: t.Context(), found: func(f Finding) { got = append(got, f) }, settings: config.Config{Notify: c.of, Secrets: map[string]config.Source{"mail": "credential:mail"}}}
		d.mail()
		if c.want == "" {
			if len(got) > 0 {
				t.Errorf("%s: the doctor says %+v", c.name, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Level != c.want || !strings.Contains(got[0].Says, c.says) || (got[0].Do == "") != (c.want == Well) {
			t.Errorf("%s: the doctor says %+v, want %s, %q", c.name, got, c.want, c.says)
		}
	}
}

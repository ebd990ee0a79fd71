package main

import (
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"
)

// Whoever asks for access chooses the name that the operator is shown.
func TestStrangersDoNotSteerTheTerminal(t *testing.T) {
	var seen strings.Builder
	d := &daemon{out: screened{&seen}}
	one := object{
		"organisation": "\x1b]0;mine\x07\x1b[2JFerry\nacc_2\tTrusted \u202egnp\u009b1m Åse",
		"scopes":       []any{"rates:read\x1b[8m", "a\nb"},
	}
	err := d.print(one, func(w *tabwriter.Writer) {
		fmt.Fprintf(w, "ID\tORGANISATION\n%s\t%s\n", one.text("organisation"), one.words("scopes"))
		fmt.Fprintln(w, one["organisation"])
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(d.out, "\rAlso,it\r\n") // as tables for programs end their lines
	if at := strings.IndexFunc(strings.NewReplacer("\r\n", "", "\n", "").Replace(seen.String()), steers); at >= 0 {
		t.Errorf("it is shown %q", seen.String())
	}
	lines := strings.Split(seen.String(), "\n")
	if want := "\ufffd]0;mine\ufffd\ufffd[2JFerry acc_2 Trusted \ufffdgnp\ufffd1m Åse  rates:read\ufffd[8m a b"; lines[1] != want {
		t.Errorf("shown %q, want %q", lines[1], want)
	}
	if !strings.HasSuffix(seen.String(), "\n\ufffdAlso,it\r\n") {
		t.Errorf("a line ends %q", seen.String())
	}
}

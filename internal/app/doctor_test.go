package app

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ostler.example/internal/config"
)

// TestDoctorReadsTheConfiguration: with mistakes it ends there, and secrets that cannot be
// read are told of beside what else is found.
func TestDoctorReadsTheConfiguration(t *testing.T) {
	for _, c := range []struct {
		name, text string
		goesOn     bool
		check      string // "": all is well
		says       string
	}{
		{"whole", "", true, "", ""},
		{"a mistake", "[api]\nport = 80\n", false, "configuration", "api.port: there is no such key"},
		{"a secret without its file", "[secrets]\nmail = \"/nowhere/mail\"\n", true, "secrets", "/nowhere/mail"},
		{"a secret that systemd hands over", "[secrets]\nmail = \"credential:mail\"\n", true, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "ostler.toml")
			must(t, os.WriteFile(file, []byte(c.text), 0o600))
			var bad []Finding
			d := &doctor{ctx: t.Context(), found: func(f Finding) {
				if f.Level != Well {
					bad = append(bad, f)
				}
			}}
			_, goesOn := d.configuration(file)
			if goesOn != c.goesOn || len(bad) > 1 || (len(bad) == 0) != (c.check == "") {
				t.Fatalf("it goes on: %v, and says %+v", goesOn, bad)
			}
			if len(bad) > 0 && (bad[0].Check != c.check || bad[0].Level != Fault || bad[0].Do == "" || !strings.Contains(bad[0].Says, c.says)) {
				t.Errorf("the doctor says %+v, want %q of %s", bad, c.says, c.check)
			}
		})
	}
}

// TestDoctorKnocksAtListeners: at one that takes connections, at one that does not, and at
// none.
func TestDoctorKnocksAtListeners(t *testing.T) {
	there, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = there.Close() })
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, gone.Close())
	var settings config.Config
	settings.API.Listen, settings.Inbound.Listen, settings.Admin.Listen = there.Addr().String(), gone.Addr().String(), "127.0.0.1:0"
	told := map[string]Level{}
	d := &doctor{ctx: t.Context(), settings: settings, found: func(f Finding) { told[f.Check] = f.Level }}
	d.listeners()
	if len(told) != 2 || told["listener api.listen"] != Well || told["listener inbound.listen"] != Fault {
		t.Errorf("the doctor says %v", told)
	}
}

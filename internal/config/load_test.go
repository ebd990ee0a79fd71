package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/internal/config"
)

// TestMistakes holds each bad file against the words beside it, which tell all
// that is wrong and quote no value.
func TestMistakes(t *testing.T) {
	files, err := filepath.Glob("testdata/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".toml"), func(t *testing.T) {
			_, err := config.Load(file)
			var mistakes config.Mistakes
			if !errors.As(err, &mistakes) {
				t.Fatalf("the file passes, or for another reason does not: %v", err)
			}
			got := mistakes.Error() + "\n"
			beside := strings.TrimSuffix(file, ".toml") + ".txt"
			if *update {
				if err := os.WriteFile(beside, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(beside)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLoadNamesTheFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "ostler.toml")
	for _, c := range []struct{ name, path, want string }{
		{"a file that is not there", missing, "there is no configuration file " + missing + ": name it with --config, or write one with ostler init"},
		{"a file with a mistake", "testdata/data_root.toml", "testdata/data_root.toml: data: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := config.Load(c.path); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v, want %q at its start", err, c.want)
			}
		})
	}
}

// TestBehindAProxy: whoever has named one, or has a certificate, may be reached from elsewhere.
func TestBehindAProxy(t *testing.T) {
	for _, text := range []string{
		"server.trusted_proxies = [\"10.0.0.7/32\"]\napi.listen = \"10.0.0.8:8080\"\ninbound.listen = \":8081\"",
		"api.listen = \":443\"\napi.tls_cert = \"/srv/cert.pem\"\napi.tls_key = \"key\"\nsandbox.listen = \":444\"\nsecrets.key = \"/srv/key.pem\"",
		"api.listen = \"localhost:80\"\ninbound.listen = \"[::1]:81\"",
	} {
		if _, err := config.Parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestParse(t *testing.T) {
	got, err := config.Parse(`
data = "/srv/ostler"
public_url = "https://hotel.example:8443"
api.listen = "127.0.0.1:80"
inbound.listen = "[::1]:0"
sandbox.listen = "127.0.0.1:8082"
sandbox.public_url = "https://sandbox.hotel.example"
admin.listen = "localhost:0"
[log]
level = "debug"
format = "console"
[ledger]
keep_journal = "13 months"
[notify]
smtp_host = "smtp.hotel.example"
smtp_port = 465
smtp_security = "tls"
smtp_user = "ostler"
smtp_password = "one"
from = "ostler@hotel.example"
webhook_secret = "two"
sheets = "/mnt/sheets"

[backup]
folder = "/mnt/copies"
every = "12h"
keep = 30
recipients = ["age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"]
[sync]
collect = "0s"
call_timeout = "5m"
breaker_failures = 100
breaker_open = "90s"
[rate_limits.tiers]
standard = 10
gold = 7
[secrets]
one = "/run/keys/one"
two = "credential:two.key"
three = "/run/keys/three"
[connectors.mock]
timeout = "3s"
secret = "secret:three"
`)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Config{
		Data: "/srv/ostler", PublicURL: "https://hotel.example:8443",
		Events: config.Default().Events,
		Guard:  config.Default().Guard,
		Server: config.Default().Server,
		API:    config.API{Listener: config.Listener{Listen: "127.0.0.1:80"}}, Inbound: config.Inbound{Listener: config.Listener{Listen: "[::1]:0"}}, Admin: config.Listener{Listen: "localhost:0"},
		Sandbox:    config.Sandbox{Listener: config.Listener{Listen: "127.0.0.1:8082"}, PublicURL: "https://sandbox.hotel.example"},
		Log:        config.Log{Level: "debug", Format: "console"},
		Notify:     config.Notify{SMTPHost: "smtp.hotel.example", SMTPPort: 465, SMTPSecurity: "tls", SMTPUser: "ostler", SMTPPassword: "one", From: "ostler@hotel.example", WebhookSecret: "two", Sheets: "/mnt/sheets"},
		Ledger:     config.Ledger{KeepJournal: 13},
		Backup:     config.Backup{Folder: "/mnt/copies", Every: 12 * time.Hour, Keep: 30, Recipients: []string{"age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"}},
		Sync:       config.Sync{CallTimeout: 5 * time.Minute, BreakerFailures: 100, BreakerOpen: 90 * time.Second},
		RateLimits: config.RateLimits{Tiers: map[string]int{"standard": 10, "partner": 5000, "partner_plus": 20000, "gold": 7}},
		Secrets:    map[string]config.Source{"one": "/run/keys/one", "two": "credential:two.key", "three": "/run/keys/three"},
		Connectors: map[string]map[string]any{"mock": {"timeout": "3s", "secret": "secret:three"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// FuzzParse looks for files that break the reading itself.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.toml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(files, "example.toml") {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(raw))
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := config.Parse(text)
		var mistakes config.Mistakes
		switch {
		case err == nil && c.Data == "":
			t.Error("a configuration without a data folder")
		case err != nil && (!errors.As(err, &mistakes) || len(mistakes) == 0 || err.Error() == ""):
			t.Errorf("an error that is no mistake: %v", err)
		}
	})
}

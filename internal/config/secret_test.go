package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/internal/config"
)

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask is
		t.Fatal(err)
	}
}

func TestReadSecrets(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(config.CredentialsFolder, dir)
	write(t, filepath.Join(dir, "file"), "one\r\n", 0o640)
	write(t, filepath.Join(dir, "id.key"), "two \n two\n\n", 0o400)
	c := config.Default()
	c.Secrets = map[string]config.Source{"a": config.Source(filepath.Join(dir, "file")), "b": "credential:id.key"}
	got, err := c.ReadSecrets(nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config.Secrets{"a": {Value: "one"}, "b": {Value: "two \n two"}}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := got.Find("c"); err == nil || !strings.Contains(err.Error(), "[secrets]") {
		t.Errorf("a secret that is not there: %v", err)
	}
	if found, err := got.Find("a"); found != "one" || err != nil {
		t.Errorf("%q, %v", found, err)
	}
}

func TestReadSecretsTellsEveryMistake(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(config.CredentialsFolder, "")
	in := func(name string) string { return filepath.Join(dir, name) }
	write(t, in("open"), "hush", 0o644)
	write(t, in("empty"), "\n", 0o600)
	write(t, in("huge"), strings.Repeat("x", 64<<10+1), 0o600)
	c := config.Default()
	c.Secrets = map[string]config.Source{
		"a": config.Source(in("open")), "b": config.Source(in("empty")), "c": config.Source(in("huge")),
		"d": config.Source(in("none")), "e": config.Source(dir), "f": "credential:id",
	}
	_, err := c.ReadSecrets(nil)
	want := strings.ReplaceAll(`6 mistakes:
  secrets.a: everybody on this machine may use DIR/open: chmod 0640 DIR/open
  secrets.b: DIR/empty is empty
  secrets.c: DIR/huge has more than 65536 bytes
  secrets.d: there is no file DIR/none
  secrets.e: DIR is not a file
  secrets.f: credential id: systemd handed none to this process; add LoadCredential=id:PATH to the unit`, "DIR", dir)
	if err == nil {
		t.Fatal("no mistake")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
	if some, err := c.ReadSecrets(func(config.Source) bool { return false }); err != nil || len(some) > 0 {
		t.Errorf("none wanted: %v, %v", some, err)
	}
}

// What the program uses itself no channel may name, wherever it asks.
func TestChannelsGetNoSecretOfTheProgram(t *testing.T) {
	dir := t.TempDir()
	c := config.Default()
	for _, name := range []string{"mail", "hook", "far"} {
		write(t, filepath.Join(dir, name), "hush", 0o600)
		c.Secrets[name] = config.Source(filepath.Join(dir, name))
	}
	c.Notify.SMTPPassword, c.Notify.WebhookSecret = "mail", "hook"
	secrets, err := c.ReadSecrets(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]string{"mail": "notify.smtp_password", "hook": "notify.webhook_secret"} {
		for way, find := range map[string]func(string) (string, error){"read before": secrets.Find, "read alone": c.FindChannelSecret} {
			if found, err := find(name); found != "" || err == nil || !strings.Contains(err.Error(), "the program's own, for "+key) {
				t.Errorf("%s, %s: %q, %v", name, way, found, err)
			}
		}
		if found, err := c.FindSecret(name); found != "hush" || err != nil {
			t.Errorf("%s for the program itself: %q, %v", name, found, err)
		}
	}
	if found, err := secrets.Find("far"); found != "hush" || err != nil {
		t.Errorf("one of the channels': %q, %v", found, err)
	}
	_, err = config.Parse("[notify]\nsmtp_user = \"u\"\nsmtp_password = \"mail\"\n[secrets]\nmail = \"/m\"\n[connectors.mock]\nsecret = \"secret:mail\"\n")
	if err == nil || !strings.Contains(err.Error(), "connectors.mock.secret") || !strings.Contains(err.Error(), "the program's own") {
		t.Errorf("named by a connector's table: %v", err)
	}
}

// TestOwnSecretsAreForTheProgramAlone: it finds them, and no channel does.
func TestOwnSecretsAreForTheProgramAlone(t *testing.T) {
	c := config.Default()
	c.Notify.SMTPPassword, c.API.Key, c.Inbound.Key, c.Ledger.SealKey = "mail", "wire", "wire_in", "seal"
	c.Secrets = map[string]config.Source{}
	for _, name := range []string{"mail", "wire", "wire_in", "seal", "channel"} {
		path := filepath.Join(t.TempDir(), name)
		write(t, path, name+" value", 0o600)
		c.Secrets[name] = config.Source(path)
	}
	got, err := c.ReadSecrets(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name := range c.Secrets {
		if value, err := got.FindOwn(name); value != name+" value" || err != nil {
			t.Errorf("the program finds %q as %q, %v", name, value, err)
		}
		if value, err := got.Find(name); (err == nil) != (name == "channel") || err != nil && value != "" {
			t.Errorf("a channel finds %q as %q, %v", name, value, err)
		}
	}
}

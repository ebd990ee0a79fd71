package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Source is where one secret is kept: the full path of a file, or
// "credential:NAME" for a credential that systemd hands to the service.
type Source string

const credential = "credential:"

// CredentialsFolder is the variable with which systemd says where the service
// finds its credentials.
const CredentialsFolder = "CREDENTIALS_DIRECTORY"

// maxSecret is the most bytes that a secret may have; keys and certificates have
// fewer.
const maxSecret = 64 << 10

var plainName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

var credentialName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$`)

func secret(c *Config, name string) reader {
	return func(value any) error {
		if !plainName.MatchString(name) {
			return errors.New("the name of a secret is made of lower-case letters, digits and underscores")
		}
		s, ok := sourceOf(value)
		if !ok {
			return errors.New(`expected the full path of the file that holds the secret, or "credential:NAME"; never the secret itself`)
		}
		c.Secrets[name] = s
		return nil
	}
}

// certificate is a reader of where a certificate is kept; "" is nowhere.
func certificate(into *Source) reader {
	return func(value any) error {
		s, ok := sourceOf(value)
		if !ok && value != "" {
			return errors.New(`expected the full path of the file that holds the certificate, or "credential:NAME"`)
		}
		*into = s
		return nil
	}
}

// sourceOf reads where something is kept.
func sourceOf(value any) (Source, bool) {
	s, ok := value.(string)
	id, isCredential := strings.CutPrefix(s, credential)
	if !ok || isCredential && !credentialName.MatchString(id) || !isCredential && !filepath.IsAbs(s) {
		return "", false
	}
	return Source(s), true
}

// IsCredential reports whether the secret is a credential of systemd, which only
// the service itself can read.
func (s Source) IsCredential() bool { return strings.HasPrefix(string(s), credential) }

// Read returns the secret without the end of its last line. A file that everybody may
// read is refused.
func (s Source) Read() (string, error) {
	return s.read(0o007)
}

// ReadOpen returns what is no secret, such as a certificate, and may lie where everybody
// reads it.
func (s Source) ReadOpen() (string, error) {
	return s.read(0o002)
}

// read returns what the source holds, unless others may do to its file what is forbidden.
func (s Source) read(forbidden fs.FileMode) (string, error) {
	path := string(s)
	if id, ok := strings.CutPrefix(path, credential); ok {
		dir := os.Getenv(CredentialsFolder)
		if dir == "" {
			return "", fmt.Errorf("credential %s: systemd handed none to this process; add LoadCredential=%s:PATH to the unit", id, id)
		}
		path = filepath.Join(dir, id)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file %s", path)
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is not a file", path)
	case info.Mode().Perm()&forbidden != 0:
		return "", fmt.Errorf("everybody on this machine may use %s: chmod 0640 %s", path, path)
	case info.Size() > maxSecret:
		return "", fmt.Errorf("%s has more than %d bytes", path, maxSecret)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	raw = bytes.TrimRight(raw, "\r\n")
	if len(raw) == 0 {
		return "", fmt.Errorf("%s is empty", path)
	}
	return string(raw), nil
}

// Secrets are secrets by name. They are never written anywhere.
type Secrets map[string]Secret

// Secret is the value of a secret.
type Secret struct {
	Value string
	Own   string // the key of the configuration whose secret it is; "": channels may name it
}

// FindOwn returns the secret of that name for the program itself.
func (s Secrets) FindOwn(name string) (string, error) {
	found, ok := s[name]
	if !ok {
		return "", notThere(name)
	}
	return found.Value, nil
}

// Find returns the secret of that name for a channel, which is refused one that the
// program uses itself: whoever makes channels would say where it is sent.
func (s Secrets) Find(name string) (string, error) {
	found, ok := s[name]
	switch {
	case !ok:
		return "", notThere(name)
	case found.Own != "":
		return "", ownError(name, found.Own)
	}
	return found.Value, nil
}

func notThere(name string) error {
	return fmt.Errorf("names the secret %q, which [secrets] of the configuration does not have", name)
}

func ownError(name, key string) error {
	return fmt.Errorf("names the secret %q, which is the program's own, for %s: give channels others in [secrets]", name, key)
}

// ownSecret returns the key outside of the connectors' tables that names the secret, ""
// when there is none.
func (c Config) ownSecret(name string) string {
	switch name {
	case "":
		return ""
	case c.Notify.SMTPPassword:
		return "notify.smtp_password"
	case c.Notify.WebhookSecret:
		return "notify.webhook_secret"
	case c.Ledger.SealKey:
		return "ledger.seal_key"
	case c.API.Key:
		return "api.tls_key"
	case c.Inbound.Key:
		return "inbound.tls_key"
	}
	return ""
}

// FindSecret reads the secret of that name alone, for the program itself.
func (c Config) FindSecret(name string) (string, error) {
	source, ok := c.Secrets[name]
	if !ok {
		return "", notThere(name)
	}
	return source.Read()
}

// FindChannelSecret reads the secret of that name alone, as [Secrets.Find] returns it.
func (c Config) FindChannelSecret(name string) (string, error) {
	if key := c.ownSecret(name); key != "" {
		return "", ownError(name, key)
	}
	return c.FindSecret(name)
}

// ReadSecrets reads every secret that the configuration names and for which want
// says yes; nil wants them all. The error tells every mistake at once.
func (c Config) ReadSecrets(want func(Source) bool) (Secrets, error) {
	secrets := Secrets{}
	var mistakes Mistakes
	for _, name := range slices.Sorted(maps.Keys(c.Secrets)) {
		source := c.Secrets[name]
		if want != nil && !want(source) {
			continue
		}
		value, err := source.Read()
		if err != nil {
			mistakes = append(mistakes, Mistake{"secrets." + name, err.Error()})
			continue
		}
		secrets[name] = Secret{value, c.ownSecret(name)}
	}
	if len(mistakes) > 0 {
		return nil, mistakes
	}
	return secrets, nil
}

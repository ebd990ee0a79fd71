package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"ostler.example/connectors"
)

// Load reads a configuration file. What it does not say has its default. The
// error tells every mistake at once, unknown keys among them.
func Load(path string) (Config, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, fmt.Errorf("there is no configuration file %s: name it with --config, or write one with ostler init", path)
	}
	if err != nil {
		return Config{}, fmt.Errorf("read the configuration: %w", err)
	}
	c, err := Parse(string(raw))
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Parse reads the text of a configuration file. Its error is a [Mistakes].
func Parse(text string) (Config, error) {
	var file map[string]any
	meta, err := toml.Decode(text, &file)
	if syntax, ok := errors.AsType[toml.ParseError](err); ok {
		return Config{}, Mistakes{{What: fmt.Sprintf("line %d is not TOML: %s", syntax.Position.Line, syntax.Message)}}
	}
	if err != nil {
		return Config{}, Mistakes{{What: err.Error()}}
	}
	p := parsing{file: file, config: Default(), seen: map[string]bool{}}
	for _, k := range meta.Keys() {
		p.key(k)
	}
	p.connectors()
	p.together()
	if len(p.mistakes) > 0 {
		return Config{}, p.mistakes
	}
	return p.config, nil
}

// parsing takes a file over, key by key.
type parsing struct {
	file     map[string]any
	config   Config
	mistakes Mistakes
	seen     map[string]bool // paths that are dealt with
}

func (p *parsing) mistake(path string, err error) {
	if err != nil {
		p.mistakes = append(p.mistakes, Mistake{path, err.Error()})
	}
}

// key takes one key over, or says of the first part of its path that is wrong
// what is wrong with it, once.
func (p *parsing) key(k toml.Key) {
	table := ""
	for depth := 1; depth <= len(k); depth++ {
		path, value := k[:depth].String(), p.value(k[:depth])
		if path == connectorTables {
			return
		}
		read := p.reader(table, path, k[depth-1])
		isTable := read == nil && members(path) != nil || openTables[path] != nil
		if isTable {
			table = path
			if _, ok := value.(map[string]any); ok {
				continue
			}
			read = func(any) error { return fmt.Errorf("expected a table, written as [%s]", path) }
		}
		if p.seen[path] {
			return
		}
		p.seen[path] = true
		if read == nil {
			p.mistake(path, unknown(table))
			return
		}
		p.mistake(path, read(value))
		return
	}
}

// reader returns what reads the value at a path; nil when it is a table or
// nothing.
func (p *parsing) reader(table, path, name string) reader {
	if entry := openTables[table]; entry != nil {
		return entry(&p.config, name)
	}
	if k, ok := keyOf(path); ok {
		return k.read(&p.config)
	}
	return nil
}

func (p *parsing) value(k toml.Key) any {
	var value any = p.file
	for _, name := range k {
		table, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = table[name]
	}
	return value
}

// connectors lets each driver look at its own table.
func (p *parsing) connectors() {
	given, ok := p.file[connectorTables]
	if !ok {
		return
	}
	tables, ok := given.(map[string]any)
	if !ok {
		p.mistake(connectorTables, errors.New("expected a table for each connector, written as [connectors.NAME]"))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		path := connectorTables + "." + name
		table, ok := tables[name].(map[string]any)
		if !ok {
			p.mistake(path, fmt.Errorf("expected a table, written as [%s]", path))
			continue
		}
		driver, ok := connectors.Lookup(name)
		if !ok {
			p.mistake(path, fmt.Errorf("this program has no such connector; it has: %s", strings.Join(connectors.Names(), ", ")))
			continue
		}
		p.settings(driver.CheckDefaults(table))
		p.named(path, table)
		p.config.Connectors[name] = table
	}
}

// settings tells the mistakes that a driver has found, which begin with their
// paths.
func (p *parsing) settings(err error) {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		for _, e := range joined.Unwrap() {
			p.settings(e)
		}
		return
	}
	if err != nil {
		path, what, _ := strings.Cut(err.Error(), ": ")
		p.mistake(path, errors.New(what))
	}
}

// named looks for settings that name a secret which is not there.
func (p *parsing) named(path string, table map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(table)) {
		at := path + "." + key
		switch value := table[key].(type) {
		case map[string]any:
			p.named(at, value)
		case string:
			name, ok := connectors.SecretName(value)
			if key := p.config.ownSecret(name); ok && key != "" {
				p.mistake(at, ownError(name, key))
			} else if _, there := p.config.Secrets[name]; ok && !there {
				p.mistake(at, fmt.Errorf("names a secret that [secrets] does not have: add %s = \"/PATH/OF/ITS/FILE\" there", name))
			}
		}
	}
}

// together looks at what is wrong only side by side.
func (p *parsing) together() {
	taken := map[string]string{}
	for _, l := range []struct{ path, at string }{
		{"api.listen", p.config.API.Listen}, {"inbound.listen", p.config.Inbound.Listen}, {"admin.listen", p.config.Admin.Listen},
	} {
		other, doubled := taken[l.at]
		if doubled && !strings.HasSuffix(l.at, ":0") {
			p.mistake(l.path, fmt.Errorf("%s listens there already: give it a port of its own", other))
		}
		taken[l.at] = l.path
	}
	p.tls("api", p.config.API.TLS)
	p.tls("inbound", p.config.Inbound.TLS)
	p.inTheClear()
	p.known("ledger.seal_key", p.config.Ledger.SealKey)
	p.notify()
	kept := time.Duration(p.config.Ledger.KeepJournal) * shortestMonth
	if kept > 0 && p.config.Events.Window > kept {
		p.mistake("events.window", errors.New("it reaches further back than the journal, see ledger.keep_journal: shorten the one or lengthen the other"))
	}
}

// notify looks whether mail can be sent as it is said to be.
func (p *parsing) notify() {
	n := p.config.Notify
	if n.SMTPHost != "" && n.From == "" {
		p.mistake("notify.from", errors.New("it is needed with notify.smtp_host: the address that mail comes from"))
	}
	if (n.SMTPUser == "") != (n.SMTPPassword == "") {
		p.mistake("notify.smtp_password", errors.New("it is needed with notify.smtp_user, and neither goes without the other"))
	}
	p.known("notify.smtp_password", n.SMTPPassword)
	p.known("notify.webhook_secret", n.WebhookSecret)
}

// inTheClear looks for listeners that others reach without TLS and without a proxy that has
// it: passwords and tokens would cross the wire as they are.
func (p *parsing) inTheClear() {
	if len(p.config.Server.TrustedProxies) > 0 {
		return // they have it, and speak to us on a network of their own
	}
	for _, l := range []struct {
		table, at, cert string
		secure          bool
	}{
		{"api", p.config.API.Listen, "api", p.config.API.On()},
		{"inbound", p.config.Inbound.Listen, "inbound", p.config.Inbound.On()},
		{"sandbox", p.config.Sandbox.Listen, "api", p.config.API.On()},
	} {
		if l.at != "" && !l.secure && !nearby(l.at) {
			p.mistake(l.table+".listen", fmt.Errorf("others reach it, and what they send, tokens among it, would go unencrypted: "+
				"set %s.tls_cert and tls_key, or name the proxy with TLS that stands in front in server.trusted_proxies", l.cert))
		}
	}
}

// nearby reports whether only this machine reaches an address.
func nearby(address string) bool {
	host, _, _ := net.SplitHostPort(address)
	at, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && at.IsLoopback()
}

// tls looks whether a listener has a certificate and its key.
func (p *parsing) tls(table string, t TLS) {
	switch {
	case t.Cert != "" && t.Key == "":
		p.mistake(table+".tls_key", fmt.Errorf("it is needed with %s.tls_cert: the name of an entry of [secrets] that is the certificate's private key", table))
	case t.Cert == "" && t.Key != "":
		p.mistake(table+".tls_cert", fmt.Errorf("it is needed with %s.tls_key: the file with the certificate", table))
	}
	p.known(table+".tls_key", t.Key)
}

// known looks whether there is a secret that a key names.
func (p *parsing) known(path, name string) {
	if _, known := p.config.Secrets[name]; name != "" && !known {
		p.mistake(path, errors.New("there is no such entry in [secrets]: add it, with the file that holds the secret"))
	}
}

const shortestMonth = 28 * 24 * time.Hour

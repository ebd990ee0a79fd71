// Package config reads the configuration file: TOML into typed values, with
// every mistake told at once. It starts nothing, and of what the file names it
// opens only the secrets, when it is asked for them.
package config

import (
	"cmp"
	"net/netip"
	"time"
)

// Config is the whole configuration.
type Config struct {
	Data       string // folder of the ledger and everything else that is kept
	PublicURL  string // where partners reach /v1, without a path; "": where it listens
	Server     Server
	API        API
	Sandbox    Sandbox
	Inbound    Inbound
	Admin      Listener
	Log        Log
	Ledger     Ledger
	Backup     Backup
	Sync       Sync
	Events     Events
	Webhooks   Webhooks
	Notify     Notify
	Guard      Guard
	RateLimits RateLimits

	Secrets    map[string]Source         // where each secret is kept, by its name
	Connectors map[string]map[string]any // what holds for all channels of a connector
}

// Server is what holds for every listener.
type Server struct {
	TrustedProxies  []netip.Prefix // who may say for whom they pass a request on
	ForwardedHeader string         // by which they say it: XForwardedFor or Forwarded
	MaxConnections  int            // at a time, of each listener
}

// The headers by which proxies say for whom they pass a request on: the usual one, and
// that of RFC 7239.
const (
	XForwardedFor = "x-forwarded-for"
	Forwarded     = "forwarded"
)

// Listener is where the program takes connections.
type Listener struct {
	Listen string // HOST:PORT; port 0 takes any free one
}

// TLS is the certificate that a listener shows; with none it speaks plain HTTP.
type TLS struct {
	Cert Source // the certificate and what it is signed with, in PEM
	Key  string // the name of a secret, its private key in PEM
}

// On reports whether the listener speaks TLS.
func (t TLS) On() bool { return t.Cert != "" }

// Inbound is where channels deliver what they push to us.
type Inbound struct {
	Listener
	TLS
}

// Events is how the feed of events is kept.
type Events struct {
	Window time.Duration // how far back it reaches
}

// Webhooks is where they may be sent.
type Webhooks struct {
	AllowCIDRs        []netip.Prefix // networks of the house, beside the public internet
	SandboxAllowCIDRs []netip.Prefix // those of sandboxes, also without TLS
}

// Notify is how people of the houses are reached.
type Notify struct {
	SMTPHost      string // of the mail server; "": no mail is sent
	SMTPPort      int
	SMTPSecurity  string // starttls, tls or none
	SMTPUser      string // "": the server asks for none
	SMTPPassword  string // the name of a secret
	From          string // the address that mail comes from
	WebhookSecret string // the name of a secret, that calls are signed with; "": nobody is called
	Sheets        string // the folder of downtime sheets; "": sheets in the data folder
}

// API is how /v1 is served.
type API struct {
	Listener
	TLS                 // of the sandbox's address too
	RequireIfMatch bool // a change of a resource must name the revision that its sender has seen
}

// Sandbox is where /v1 is served to clients of the sandbox alone.
type Sandbox struct {
	Listener         // "": nowhere; they are served where everybody is, in any case
	PublicURL string // where they reach it, without a path; "": where it listens
}

// Log is how the program tells what it does.
type Log struct {
	Level  string // debug, info, warn or error
	Format string // json or console
}

// Ledger is how long the past is kept, and with what its secrets are sealed.
type Ledger struct {
	KeepJournal int    // months; 0: forever
	SealKey     string // the name of a secret, a key a line; "": the data folder's own
}

// Backup is how copies of the ledger are kept.
type Backup struct {
	Folder     string        // where they go; "": backups in the data folder
	Every      time.Duration // how often the daemon takes one by itself; 0: never
	Keep       int           // how many of them stay in the folder; 0: all
	Recipients []string      // public keys of age that they are encrypted to; none: they are not encrypted
}

// Sync is how channels are kept equal to the ledger.
type Sync struct {
	Collect         time.Duration // how long raises and prices are collected before they are sent
	CallTimeout     time.Duration // of one call to a channel
	BreakerFailures int           // failed calls in a row after which a channel is left alone
	BreakerOpen     time.Duration // for how long
}

// Guard is how guarded pools are dealt.
type Guard struct {
	RecallTimeout time.Duration // how long a direct sale waits for a room that is on sale at a channel
	Quiet         time.Duration // how long the last rooms must be without a sale before they are shared again
}

// RateLimits is how often clients may call.
type RateLimits struct {
	Tiers map[string]int // requests an hour, by tier
}

// Default returns the configuration of an empty file.
func Default() Config {
	return Config{
		Data:    "/var/lib/ostler",
		Server:  Server{ForwardedHeader: XForwardedFor, MaxConnections: 4096},
		API:     API{Listener: Listener{"127.0.0.1:8080"}},
		Inbound: Inbound{Listener: Listener{"127.0.0.1:8081"}},
		Admin:   Listener{"127.0.0.1:9464"},
		Events:  Events{Window: 30 * 24 * time.Hour},
		Notify:  Notify{SMTPPort: 587, SMTPSecurity: "starttls"},
		Log:     Log{Level: "info", Format: "json"},
		Ledger:  Ledger{KeepJournal: 25},
		Backup:  Backup{Every: 24 * time.Hour, Keep: 7},
		Sync: Sync{
			Collect: 500 * time.Millisecond, CallTimeout: 30 * time.Second, BreakerFailures: 5, BreakerOpen: time.Minute,
		},
		Guard:      Guard{RecallTimeout: 5 * time.Second, Quiet: 30 * time.Minute},
		RateLimits: RateLimits{Tiers: map[string]int{"standard": 1000, "partner": 5000, "partner_plus": 20000}},
		Secrets:    map[string]Source{},
		Connectors: map[string]map[string]any{},
	}
}

// Public returns where partners reach /v1: the public address, or that at which
// it listens when there is none.
func (c Config) Public(listens string) string { return cmp.Or(c.PublicURL, c.API.scheme()+listens) }

// PublicSandbox returns where clients of the sandbox reach /v1, as [Config.Public] does
// for everybody.
func (c Config) PublicSandbox(listens string) string {
	return cmp.Or(c.Sandbox.PublicURL, c.API.scheme()+listens)
}

func (t TLS) scheme() string {
	if t.On() {
		return "https://"
	}
	return "http://"
}

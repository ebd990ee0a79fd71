package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// key is one key of the file: how its value is read, and how it is compared with
// that of another configuration.
type key struct {
	path string
	read func(c *Config) reader
	of   func(c Config) any
	live bool                       // a change is taken over without a restart
	only func(from, to Config) bool // of a live one: whether this change is; nil: every one
}

// keys are all that the file may say, beside the entries of the open tables.
var keys = []key{
	{path: "data", read: func(c *Config) reader { return folder(&c.Data) }, of: func(c Config) any { return c.Data }},
	{path: "public_url", read: func(c *Config) reader { return origin(&c.PublicURL) }, of: func(c Config) any { return c.PublicURL }},
	{
		path: "server.trusted_proxies",
		read: func(c *Config) reader { return networks(&c.Server.TrustedProxies) },
		of:   func(c Config) any { return c.Server.TrustedProxies },
	},
	{
		path: "server.forwarded_header",
		read: func(c *Config) reader { return oneOf(&c.Server.ForwardedHeader, XForwardedFor, Forwarded) },
		of:   func(c Config) any { return c.Server.ForwardedHeader },
	},
	{
		path: "server.max_connections",
		read: func(c *Config) reader { return number(&c.Server.MaxConnections, 16, 1_000_000) },
		of:   func(c Config) any { return c.Server.MaxConnections },
	},
	{path: "api.listen", read: func(c *Config) reader { return address(&c.API.Listen) }, of: func(c Config) any { return c.API.Listen }},
	{
		path: "api.tls_cert", live: true, only: func(from, to Config) bool { return from.API.On() == to.API.On() },
		read: func(c *Config) reader { return certificate(&c.API.Cert) }, of: func(c Config) any { return c.API.Cert },
	},
	{
		path: "api.tls_key", live: true, only: func(from, to Config) bool { return from.API.On() == to.API.On() },
		read: func(c *Config) reader { return text(&c.API.Key, checkSecretName) }, of: func(c Config) any { return c.API.Key },
	},
	{path: "api.require_if_match", read: func(c *Config) reader { return boolean(&c.API.RequireIfMatch) }, of: func(c Config) any { return c.API.RequireIfMatch }},
	{path: "sandbox.listen", read: func(c *Config) reader { return noAddress(&c.Sandbox.Listen) }, of: func(c Config) any { return c.Sandbox.Listen }},
	{path: "sandbox.public_url", read: func(c *Config) reader { return origin(&c.Sandbox.PublicURL) }, of: func(c Config) any { return c.Sandbox.PublicURL }},
	{path: "inbound.listen", read: func(c *Config) reader { return address(&c.Inbound.Listen) }, of: func(c Config) any { return c.Inbound.Listen }},
	{
		path: "inbound.tls_cert", live: true, only: func(from, to Config) bool { return from.Inbound.On() == to.Inbound.On() },
		read: func(c *Config) reader { return certificate(&c.Inbound.Cert) }, of: func(c Config) any { return c.Inbound.Cert },
	},
	{
		path: "inbound.tls_key", live: true, only: func(from, to Config) bool { return from.Inbound.On() == to.Inbound.On() },
		read: func(c *Config) reader { return text(&c.Inbound.Key, checkSecretName) }, of: func(c Config) any { return c.Inbound.Key },
	},
	{path: "admin.listen", read: func(c *Config) reader { return address(&c.Admin.Listen) }, of: func(c Config) any { return c.Admin }},
	{
		path: "log.level", live: true,
		read: func(c *Config) reader { return oneOf(&c.Log.Level, "debug", "info", "warn", "error") },
		of:   func(c Config) any { return c.Log.Level },
	},
	{
		path: "log.format",
		read: func(c *Config) reader { return oneOf(&c.Log.Format, "json", "console") },
		of:   func(c Config) any { return c.Log.Format },
	},
	{
		path: "events.window",
		read: func(c *Config) reader { return duration(&c.Events.Window, time.Hour, 18000*time.Hour) },
		of:   func(c Config) any { return c.Events.Window },
	},
	{
		path: "webhooks.allow_cidrs",
		read: func(c *Config) reader { return networks(&c.Webhooks.AllowCIDRs) },
		of:   func(c Config) any { return c.Webhooks.AllowCIDRs },
	},
	{
		path: "webhooks.sandbox_allow_cidrs",
		read: func(c *Config) reader { return networks(&c.Webhooks.SandboxAllowCIDRs) },
		of:   func(c Config) any { return c.Webhooks.SandboxAllowCIDRs },
	},
	{path: "notify.smtp_host", read: func(c *Config) reader { return text(&c.Notify.SMTPHost, checkHost) }, of: func(c Config) any { return c.Notify.SMTPHost }},
	{path: "notify.smtp_port", read: func(c *Config) reader { return number(&c.Notify.SMTPPort, 1, 65535) }, of: func(c Config) any { return c.Notify.SMTPPort }},
	{
		path: "notify.smtp_security",
		read: func(c *Config) reader { return oneOf(&c.Notify.SMTPSecurity, "starttls", "tls", "none") },
		of:   func(c Config) any { return c.Notify.SMTPSecurity },
	},
	{path: "notify.smtp_user", read: func(c *Config) reader { return text(&c.Notify.SMTPUser, anyText) }, of: func(c Config) any { return c.Notify.SMTPUser }},
	{path: "notify.smtp_password", read: func(c *Config) reader { return text(&c.Notify.SMTPPassword, checkSecretName) }, of: func(c Config) any { return c.Notify.SMTPPassword }},
	{path: "notify.from", read: func(c *Config) reader { return text(&c.Notify.From, checkMail) }, of: func(c Config) any { return c.Notify.From }},
	{path: "notify.webhook_secret", read: func(c *Config) reader { return text(&c.Notify.WebhookSecret, checkSecretName) }, of: func(c Config) any { return c.Notify.WebhookSecret }},
	{path: "notify.sheets", read: func(c *Config) reader { return text(&c.Notify.Sheets, checkNoFolder) }, of: func(c Config) any { return c.Notify.Sheets }},
	{
		path: "ledger.keep_journal",
		read: func(c *Config) reader { return months(&c.Ledger.KeepJournal) },
		of:   func(c Config) any { return c.Ledger.KeepJournal },
	},
	{path: "ledger.seal_key", read: func(c *Config) reader { return text(&c.Ledger.SealKey, checkSecretName) }, of: func(c Config) any { return c.Ledger.SealKey }},
	{
		path: "backup.folder",
		read: func(c *Config) reader { return text(&c.Backup.Folder, checkNoFolder) },
		of:   func(c Config) any { return c.Backup.Folder },
	},
	{
		path: "backup.every",
		read: func(c *Config) reader { return duration(&c.Backup.Every, 0, 720*time.Hour) },
		of:   func(c Config) any { return c.Backup.Every },
	},
	{
		path: "backup.keep",
		read: func(c *Config) reader { return number(&c.Backup.Keep, 0, 10000) },
		of:   func(c Config) any { return c.Backup.Keep },
	},
	{
		path: "backup.recipients",
		read: func(c *Config) reader { return recipients(&c.Backup.Recipients) },
		of:   func(c Config) any { return c.Backup.Recipients },
	},
	{
		path: "sync.collect",
		read: func(c *Config) reader { return duration(&c.Sync.Collect, 0, 10*time.Second) },
		of:   func(c Config) any { return c.Sync.Collect },
	},
	{
		path: "sync.call_timeout",
		read: func(c *Config) reader { return duration(&c.Sync.CallTimeout, time.Second, 5*time.Minute) },
		of:   func(c Config) any { return c.Sync.CallTimeout },
	},
	{
		path: "sync.breaker_failures",
		read: func(c *Config) reader { return number(&c.Sync.BreakerFailures, 1, 100) },
		of:   func(c Config) any { return c.Sync.BreakerFailures },
	},
	{
		path: "sync.breaker_open",
		read: func(c *Config) reader { return duration(&c.Sync.BreakerOpen, time.Second, time.Hour) },
		of:   func(c Config) any { return c.Sync.BreakerOpen },
	},
	{
		path: "guard.recall_timeout",
		read: func(c *Config) reader { return duration(&c.Guard.RecallTimeout, 100*time.Millisecond, time.Minute) },
		of:   func(c Config) any { return c.Guard.RecallTimeout },
	},
	{
		path: "guard.quiet",
		read: func(c *Config) reader { return duration(&c.Guard.Quiet, time.Minute, 24*time.Hour) },
		of:   func(c Config) any { return c.Guard.Quiet },
	},
}

// openTables have entries whose names the operator chooses.
var openTables = map[string]func(c *Config, name string) reader{
	"rate_limits.tiers": tier,
	"secrets":           secret,
}

// connectorTables holds a table for each connector, read by its driver.
const connectorTables = "connectors"

func keyOf(path string) (key, bool) {
	i := slices.IndexFunc(keys, func(k key) bool { return k.path == path })
	if i < 0 {
		return key{}, false
	}
	return keys[i], true
}

// members lists what stands directly in a table, "" for the top of the file, in
// the order in which it is documented; none when there is no such table.
func members(table string) []string {
	var list []string
	add := func(path string) {
		rest, inside := strings.CutPrefix(path, table+".")
		if table == "" {
			rest, inside = path, true
		}
		name, _, _ := strings.Cut(rest, ".")
		if inside && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for _, k := range keys {
		add(k.path)
	}
	for _, path := range []string{"rate_limits.tiers", "secrets", connectorTables} {
		add(path)
	}
	return list
}

// unknown says what could have been meant.
func unknown(table string) error {
	place := "the file"
	if table != "" {
		place = "[" + table + "]"
	}
	return fmt.Errorf("there is no such key; %s has: %s", place, strings.Join(members(table), ", "))
}

// Keys lists the path of every key of the file, the entries of the tables that
// the operator fills left out.
func Keys() []string {
	paths := make([]string, len(keys))
	for i, k := range keys {
		paths[i] = k.path
	}
	return paths
}

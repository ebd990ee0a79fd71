package app

import (
	"slices"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"ostler.example/internal/auth"
	"ostler.example/internal/config"
)

// Reload reads the configuration and the secrets again, takes over what can be
// without a restart, and says in the log what it did and what waits for one. A
// configuration with a mistake changes nothing.
func (d *Daemon) Reload() {
	d.manager.reloading()
	status, err := d.reload()
	if err != nil {
		d.log.Error("configuration not taken over; the earlier one stays in force", zap.Error(err))
		status = "configuration has mistakes; the earlier one is in force"
	}
	d.manager.ready(status)
}

func (d *Daemon) reload() (status string, err error) {
	next, err := d.load()
	if err != nil {
		return "", err
	}
	secrets, err := next.ReadSecrets(nil)
	if err != nil {
		return "", err
	}
	certificates, err := certificatesOf(next, secrets)
	if err != nil {
		return "", err
	}
	if err := d.worse(certificates); err != nil {
		return "", err
	}
	level, err := zapcore.ParseLevel(next.Log.Level)
	if err != nil {
		return "", err
	}
	applied, waiting := config.Changed(d.config, next)
	renewed := renewSecrets(*d.secrets.Load(), secrets)
	applied = slices.DeleteFunc(applied, func(path string) bool { return slices.Contains(renewed.waiting, path) })
	waiting = append(waiting, renewed.waiting...)
	for _, path := range renewed.applied {
		if !slices.Contains(applied, path) {
			applied = append(applied, path)
		}
	}
	for _, path := range d.exchange(certificates) {
		if !slices.Contains(applied, path) {
			applied = append(applied, path)
		}
	}
	d.secrets.Store(&secrets)
	if renewed.channels {
		d.env.Engine.RenewAll()
	}
	d.level.SetLevel(level)
	d.env.Auth.SetTiers(auth.Tiers(next.RateLimits.Tiers))
	d.config.Log.Level, d.config.RateLimits, d.config.Secrets = next.Log.Level, next.RateLimits, next.Secrets
	if d.config.API.On() == next.API.On() {
		d.config.API.TLS = next.API.TLS
	}
	if d.config.Inbound.On() == next.Inbound.On() {
		d.config.Inbound.TLS = next.Inbound.TLS
	}
	// At any level: whoever asked wants to know what came of it.
	d.log.Log(max(zapcore.InfoLevel, level), "configuration read again",
		zap.Strings("applied", applied), zap.Strings("needs_restart", waiting))
	if len(waiting) > 0 {
		return "configuration read again; some changes wait for a restart", nil
	}
	return "configuration read again", nil
}

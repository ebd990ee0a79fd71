package app

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/config"
	"ostler.example/internal/desk"
	"ostler.example/internal/notify"
	"ostler.example/internal/webhook"
)

// NotifyOptions are how the people of the houses are reached.
type NotifyOptions struct {
	config.Notify
	Sheets  string                                      // the folder of downtime sheets
	Secret  func(name string) (value string, err error) // of those that are the program's own
	Lasting func(ctx context.Context) []notify.Lasting
}

// openNotify makes what tells people, where somebody is to be told: not in a sandbox.
func (e *Environment) openNotify(o EnvironmentOptions, at *desk.Desk) {
	n := o.Notify
	if n == nil {
		return
	}
	w := notify.Options{Ledger: e.Ledger, Desk: at, Lasting: n.Lasting, Link: e.Engine.Link, Console: o.PublicURL, Clock: o.Clock, Log: o.Log}
	if n.SMTPHost != "" {
		w.Mail = mailThrough(n.Notify, n.Secret, o.Clock)
	}
	if n.WebhookSecret != "" {
		// What is called in networks of the house for its people are pagers of its own,
		// and nothing of the answer is shown to anybody: they may do without TLS.
		post := webhook.NewPost(webhook.PostOptions{Seal: o.Seal, Clock: o.Clock, Outside: o.Outside, Allow: o.Webhooks.AllowCIDRs, Plain: true})
		e.cleanups.add("connections to who is called", post.Close)
		w.Hook = &notify.Bell{Signer: post, Secret: secretNamed(n.WebhookSecret, n.Secret)}
	}
	e.notices = notify.New(w)
	e.scribe = &notify.Scribe{Ledger: e.Ledger, Desk: at, Folder: n.Sheets, Clock: o.Clock, Log: o.Log}
}

// secretNamed finds a secret when it is needed: it may be another by then.
func secretNamed(name string, find func(string) (string, error)) func() (string, error) {
	return func() (string, error) {
		if name == "" || find == nil {
			return "", errors.New("none is named in the configuration")
		}
		return find(name)
	}
}

// mailThrough is the mail server of the configuration.
func mailThrough(n config.Notify, secret func(string) (string, error), clock hotel.Clock) *notify.SMTP {
	return &notify.SMTP{
		Host: n.SMTPHost, Port: n.SMTPPort, Security: notify.Security(n.SMTPSecurity), User: n.SMTPUser, Password: secretNamed(n.SMTPPassword, secret),
		From: n.From, Clock: clock,
	}
}

// MailTest sends a mail that says what it is through the mail server of a configuration.
func MailTest(ctx context.Context, c config.Config, to string) error {
	if c.Notify.SMTPHost == "" {
		return errors.New("[notify] names no mail server: set smtp_host and from")
	}
	return mailThrough(c.Notify, c.FindSecret, hotel.SystemClock{}).Send(ctx, to, "Ostler: a test", "This mail was asked for with `ostler notify test`. Whoever reads it is reached.\n")
}

// notifyOptions are those of the configuration.
func (d *Daemon) notifyOptions() *NotifyOptions {
	return &NotifyOptions{
		Notify: d.config.Notify, Sheets: sheetsFolder(d.config),
		Secret: func(name string) (string, error) { return d.secrets.Load().FindOwn(name) }, Lasting: d.lasting,
	}
}

// lasting is what people are told of that concerns every house.
func (d *Daemon) lasting(ctx context.Context) []notify.Lasting {
	var all []notify.Lasting
	if failing := d.backups.failingSince(); !failing.IsZero() {
		all = append(all, notify.Lasting{Kind: hotel.NoticeBackupFailed, Topic: notify.BackupTopic, Since: failing})
	}
	all = append(all, d.endingCertificates(hotel.SystemClock{}.Now())...)
	clients, err := d.env.Auth.Clients(ctx)
	if err != nil {
		d.log.Error("clients whose secrets end cannot be looked up", zap.Error(err))
	}
	for _, c := range clients {
		secrets, err := d.env.Auth.Secrets(ctx, c.ID)
		if err != nil {
			d.log.Error("secrets that end cannot be looked up", zap.String("client", c.ID), zap.Error(err))
		}
		for _, s := range secrets {
			if told := s.ExpiresAt.Add(-expiringBefore); !s.ExpiresAt.IsZero() && !(hotel.SystemClock{}).Now().Before(told) {
				all = append(all, notify.Lasting{
					Kind: hotel.NoticeExpiring, Topic: notify.SecretTopic(s.ID, c.ID, c.Name, s.ExpiresAt), Since: told,
				})
			}
		}
	}
	return all
}

// expiringBefore is how long before something ends people are told.
const expiringBefore = 14 * 24 * time.Hour

package app

import (
	"net/http"
	"net/url"

	"ostler.example/hotel"
)

// mail asks the mail server whether it is there and knows us. Nothing is sent.
func (d *doctor) mail() {
	const check = "mail server"
	n := d.settings.Notify
	if n.SMTPHost == "" {
		return
	}
	if d.settings.Secrets[n.SMTPPassword].IsCredential() {
		d.well(check, "not asked: its password is a credential of systemd, which the service alone can read")
		return
	}
	if err := mailThrough(n, d.settings.FindSecret, hotel.SystemClock{}).Check(d.ctx); err != nil {
		d.say(Fault, check, "mend [notify] of the configuration; ostler notify test --to ADDRESS sends a mail", "it is of no use: %v", err)
		return
	}
	d.well(check, "%s answers and knows us", n.SMTPHost)
}

// reached says which people of a property are told nothing, because there is no way to.
func (d *doctor) reached(property string) {
	var wanted struct {
		Recipients []struct{ Email, URL string }
	}
	if d.daemon.Do(d.ctx, http.MethodGet, "/properties/"+url.PathEscape(property)+"/notifications", nil, &wanted) != nil {
		return
	}
	mails, calls := 0, 0
	for _, r := range wanted.Recipients {
		if r.URL != "" {
			calls++
		} else {
			mails++
		}
	}
	if mails > 0 && d.settings.Notify.SMTPHost == "" {
		d.say(Fault, "property "+property, "name the mail server in [notify] of the configuration: smtp_host and from", "%s to be told by mail, and there is no mail server", Count(mails, "recipient"))
	}
	if calls > 0 && d.settings.Notify.WebhookSecret == "" {
		d.say(Fault, "property "+property, "name what calls are signed with in [notify] of the configuration: webhook_secret", "%s to be called, and there is no secret to sign calls with", Count(calls, "recipient"))
	}
}

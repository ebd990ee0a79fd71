package app

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
)

// way looks where the way to a far side ends that does not answer: at its name, on the
// network, or at its certificate. It says nothing where all of these are well, or where a
// proxy goes the way for us. do is what to do, and names nobody: it is in support bundles.
func (d *doctor) way(settings json.RawMessage) (says, do string) {
	var members map[string]any
	if json.Unmarshal(settings, &members) != nil {
		return "", ""
	}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		text, _ := members[key].(string)
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			continue
		}
		if proxy, err := http.ProxyFromEnvironment(&http.Request{URL: u}); proxy != nil || err != nil {
			continue
		}
		if says, do = d.wayTo(u); says != "" {
			return says, do
		}
	}
	return "", ""
}

func (d *doctor) wayTo(u *url.URL) (says, do string) {
	ctx, stop := context.WithTimeout(d.ctx, dialTimeout)
	defer stop()
	if err := d.machine.found(ctx, u.Hostname()); err != nil {
		return "its name is not found: " + err.Error(), "look whether this machine finds any name (resolvectl status, /etc/resolv.conf), and whether the channel's address is right"
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return "nothing is reached there: " + err.Error(), "look at the firewall and the network of this machine (ip route, curl -v); else the far side is down"
	}
	defer func() { _ = c.Close() }()
	if u.Scheme != "https" {
		return "", ""
	}
	if err := tls.Client(c, &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}).HandshakeContext(ctx); err != nil {
		return "its certificate is not accepted: " + err.Error(), "look at the clock (timedatectl) and at this machine's list of authorities (apt-get install ca-certificates); else the far side has to renew it"
	}
	return "", ""
}

// found reports why a host has no address.
func found(ctx context.Context, host string) error {
	_, err := net.DefaultResolver.LookupHost(ctx, host)
	return err
}

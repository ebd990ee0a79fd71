package ical

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
)

// maxRedirects is how often one reading is sent elsewhere.
const maxRedirects = 3

// fetched is an answer of the site.
type fetched struct {
	same          bool // as it was last time
	body          []byte
	tag, modified string
}

// fetch reads one calendar. With a tag or a date of the last reading the site may
// answer that nothing has changed. No error tells the address, of which any part may
// be secret.
func (c *conn) fetch(ctx context.Context, l listing, tag, modified string) (fetched, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.cfg.Timeout))
	defer cancel()
	allowed, _ := c.cfg.networks() // mistakes are Validate's
	ctx = transport.PublicOnly(ctx, allowed)
	address := l.address
	for range maxRedirects + 1 {
		reply, err := c.get(ctx, address, tag, modified)
		if reply.Status == http.StatusNotModified && (tag != "" || modified != "") {
			return fetched{same: true, tag: tag, modified: modified}, nil
		}
		to := reply.Header.Get("Location")
		if reply.Status/100 == 3 && to != "" {
			if address, err = follow(address, to); err != nil {
				return fetched{}, c.failure(l, err)
			}
			continue
		}
		if err != nil {
			return fetched{}, c.failure(l, err)
		}
		return fetched{body: reply.Body, tag: reply.Header.Get("ETag"), modified: reply.Header.Get("Last-Modified")}, nil
	}
	return fetched{}, c.failure(l, errors.New("it is sent elsewhere too often"))
}

func (c *conn) get(ctx context.Context, address, tag, modified string) (transport.Reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return transport.Reply{}, errors.New("the address is none")
	}
	req.Header.Set("Accept", "text/calendar, */*;q=0.5")
	req.Header.Set("User-Agent", "Ostler")
	if tag != "" {
		req.Header.Set("If-None-Match", tag)
	}
	if modified != "" {
		req.Header.Set("If-Modified-Since", modified)
	}
	return c.call.Do(req, "read a calendar")
}

// follow returns the address that a site sends us to. It may send us to itself, and
// by https to others; never to an address of numbers, which may be inside the house.
func follow(from, to string) (string, error) {
	base, err := url.Parse(from)
	if err != nil {
		return "", errors.New("the address is none")
	}
	next, err := base.Parse(to)
	if err != nil {
		return "", errors.New("it is sent to an address that is none")
	}
	if next.Scheme == base.Scheme && next.Host == base.Host {
		return next.String(), nil
	}
	host := next.Hostname()
	if next.Scheme != "https" || net.ParseIP(host) != nil || !strings.Contains(host, ".") {
		return "", errors.New("it is sent to a place that is not safe to follow to")
	}
	return next.String(), nil
}

// unspoken is an error whose words tell no address, and whose cause can be asked
// for.
type unspoken struct {
	words string
	cause error
}

// Error implements error.
func (u *unspoken) Error() string { return u.words }

// Unwrap returns the cause.
func (u *unspoken) Unwrap() error { return u.cause }

// failure is the error of one calendar that could not be read. All of them are
// temporary, refused addresses too: what is published must go on, whatever becomes of
// reading. How long to wait is the connector's own business, since the other
// calendars need not.
func (c *conn) failure(l listing, err error) *connectors.Error {
	e := connectors.AsError(err)
	words := "it cannot be reached"
	switch {
	case errors.Is(err, transport.ErrPrivate):
		words = transport.ErrPrivate.Error() + "; networks of the house are named by connectors.ical.allow_cidrs in the configuration"
	case errors.Is(err, context.DeadlineExceeded):
		words = "no answer in time"
	case e.Kind == connectors.Denied:
		words = "the site refuses the address: copy it anew from the site's pages"
	case e.Kind == connectors.RateLimited:
		words = "the site says that it is read too often"
	case e.Err != nil && strings.Contains(e.Err.Error(), " answered "):
		_, words, _ = strings.Cut(e.Err.Error(), " answered ")
		words = "the site answered " + words
	case e.Op == "call": // our own words
		words = err.Error()
	}
	return &connectors.Error{
		Kind: connectors.Temporary, Effect: e.Effect, Op: "read the calendar of " + l.name(), RetryAfter: e.RetryAfter,
		Err: &unspoken{words, causeOf(err)},
	}
}

// causeOf keeps of a cause what tells nothing: that somebody has given up.
func causeOf(err error) error {
	for _, known := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			return known
		}
	}
	return nil
}

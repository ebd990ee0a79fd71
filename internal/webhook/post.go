package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// PostOptions are what a Post needs. Allow and Transport may be left out.
type PostOptions struct {
	Seal        *auth.Seal
	Clock       hotel.Clock // of what is kept
	Outside     hotel.Clock // of what receivers are told and tell; nil: Clock
	Environment auth.Environment
	// Allow are networks of the house in which receivers may be too.
	Allow []netip.Prefix
	Plain bool // also without TLS, in those networks alone
	// Transport takes the place of the one that looks at addresses.
	Transport http.RoundTripper
}

// Post calls receivers, once for each time it is told to.
type Post struct {
	o             PostOptions
	secure, plain networks
	tls, bare     http.Client
}

var _ desk.Post = (*Post)(nil)

// NewPost returns a post.
func NewPost(o PostOptions) *Post {
	if o.Outside == nil {
		o.Outside = o.Clock
	}
	p := &Post{o: o, secure: networks{allowed: o.Allow}, plain: networks{only: true}}
	if o.Plain {
		p.plain.allowed = o.Allow
	}
	p.tls, p.bare = client(o.Transport, p.secure), client(o.Transport, p.plain)
	return p
}

func client(t http.RoundTripper, n networks) http.Client {
	if t == nil {
		t = n.transport()
	}
	return http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Close ends connections that wait for a further call.
func (p *Post) Close() error {
	p.tls.CloseIdleConnections()
	p.bare.CloseIdleConnections()
	return nil
}

// message is what is sent.
type message struct {
	id      string // the receiver knows a repeated one by it
	body    []byte
	private []string // of the body: an answer that repeats it is not kept so
}

// Ping calls an endpoint, of no event. data is what such an event would tell, as an
// example; without any it is empty.
func (p *Post) Ping(ctx context.Context, e hotel.WebhookEndpoint, d hotel.WebhookDelivery, data json.RawMessage) hotel.WebhookOutcome {
	envelope := map[string]any{
		"id": d.Event.ID, "type": d.Event.Kind, "timestamp": d.CreatedAt.UTC().Format("2006-01-02T15:04:05.000Z"), "api_version": "v1",
		"environment": p.o.Environment, "data": map[string]any{},
	}
	if data != nil {
		envelope["data"], envelope["sample"] = data, true
	}
	body, err := json.Marshal(envelope)
	if err != nil {
		panic("webhook: a ping cannot be written: " + err.Error())
	}
	return p.call(ctx, e, message{id: d.Event.ID, body: body})
}

// Signed calls an address that is nobody's endpoint, such as one of the house's own,
// signed with a secret of the operator's. The receiver knows a repeated call by its id.
func (p *Post) Signed(ctx context.Context, address, secret, id string, body []byte) hotel.WebhookOutcome {
	e := hotel.WebhookEndpoint{WebhookSettings: hotel.WebhookSettings{URL: address}, Secrets: []hotel.WebhookSecret{{Sealed: p.o.Seal.Close([]byte(secret), "")}}}
	return p.call(ctx, e, message{id: id, body: body})
}

// call sends a message and says what came of it.
func (p *Post) call(ctx context.Context, e hotel.WebhookEndpoint, m message) hotel.WebhookOutcome {
	ctx, cancel := context.WithTimeout(ctx, hotel.WebhookTimeout)
	defer cancel()
	out := hotel.WebhookOutcome{WebhookAttempt: hotel.WebhookAttempt{At: p.o.Clock.Now()}}
	r, err := p.request(ctx, e, m, p.o.Outside.Now())
	if err != nil {
		out.Error = err.Error()
		return out
	}
	c := &p.tls
	if r.URL.Scheme != "https" {
		c = &p.bare
	}
	answer, err := c.Do(r)
	if err != nil {
		out.Duration, out.Error = p.o.Clock.Now().Sub(out.At), describe(err)
		return out
	}
	defer answer.Body.Close()
	out.Status, out.Excerpt = answer.StatusCode, excerpt(answer.Body, m.private)
	out.Duration = p.o.Clock.Now().Sub(out.At)
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		out.Busy = true
		if wait := retryAfter(answer.Header.Get("Retry-After"), p.o.Outside.Now()); wait > 0 {
			out.RetryAfter = p.o.Clock.Now().Add(wait)
		}
	}
	return out
}

// request writes a message, signed with every secret of the endpoint.
func (p *Post) request(ctx context.Context, e hotel.WebhookEndpoint, m message, at time.Time) (*http.Request, error) {
	var signatures []string
	for _, s := range e.Secrets {
		secret, err := p.o.Seal.Open(s.Sealed, e.ClientID)
		if err != nil {
			return nil, fmt.Errorf("the endpoint's secret: %w: rotate it", err)
		}
		signature, err := sign(string(secret), m.id, at, m.body)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, signature)
	}
	u, err := url.Parse(e.URL)
	if err != nil {
		return nil, fmt.Errorf("the endpoint's address cannot be read")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(m.body))
	if err != nil {
		return nil, fmt.Errorf("the endpoint's address cannot be called")
	}
	if e.Headers != nil {
		sealed, err := p.o.Seal.Open(e.Headers, e.ClientID)
		var headers map[string]string
		if err == nil {
			err = json.Unmarshal(sealed, &headers)
		}
		if err != nil {
			return nil, fmt.Errorf("the endpoint's headers: %w: set them again", err)
		}
		for name, value := range headers {
			r.Header.Set(name, value)
		}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Ostler-Webhooks/1")
	r.Header.Set("Webhook-Id", m.id)
	r.Header.Set("Webhook-Timestamp", strconv.FormatInt(at.Unix(), 10))
	r.Header.Set("Webhook-Signature", strings.Join(signatures, " "))
	return r, nil
}

package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Reply is an answer read to its end.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// Caller performs calls and classifies their failures.
type Caller struct {
	Client *http.Client
	Clock  hotel.Clock // reads the dates of Retry-After
}

// Do sends the request once and reads the answer to its end. An answer with a
// status other than 2xx comes back together with its *[connectors.Error]; other
// failures come without one. Op says what is being done: "update rates". No
// error tells the userinfo or the query values of the address.
func (c Caller) Do(req *http.Request, op string) (Reply, error) {
	var asked, got atomic.Bool
	req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GetConn: func(string) { asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { got.Store(true) },
	}))
	resp, err := c.Client.Do(req)
	if err != nil {
		failure := &connectors.Error{Kind: connectors.Temporary, Op: op, Err: redactError(req, err)}
		// A transport that asked for a connection and got none has sent nothing; one
		// that reports neither may have, unless the error itself is of dialling.
		if asked.Load() && !got.Load() || dialling(err) {
			failure.Effect = connectors.NotSent
		}
		return Reply{}, failure
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return Reply{}, &connectors.Error{
			Kind: connectors.Temporary, Op: op,
			Err: fmt.Errorf("read the answer to %s %s: %w", req.Method, RedactURL(req.URL), err),
		}
	}
	reply := Reply{Status: resp.StatusCode, Header: resp.Header, Body: body}
	if kind, failed := KindOf(resp.StatusCode); failed {
		return reply, &connectors.Error{
			Kind: kind, Op: op, RetryAfter: RetryAfter(resp.Header, c.Clock.Now()),
			Err: fmt.Errorf("%s %s answered %d %s", req.Method, RedactURL(req.URL), resp.StatusCode, http.StatusText(resp.StatusCode)),
		}
	}
	return reply, nil
}

// KindOf reads a status: whether it is a failure, and of which kind. Only what
// says that the request itself is wrong is Invalid. A missing page, a redirect or
// a maintenance page is the far side's state of today and may pass.
func KindOf(status int) (kind connectors.Kind, failed bool) {
	switch {
	case status >= 200 && status < 300:
		return "", false
	case status == http.StatusTooManyRequests:
		return connectors.RateLimited, true
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return connectors.Denied, true
	case status == http.StatusBadRequest, status == http.StatusRequestEntityTooLarge,
		status == http.StatusUnsupportedMediaType, status == http.StatusUnprocessableEntity:
		return connectors.Invalid, true
	}
	return connectors.Temporary, true
}

// dialling reports whether err says that no connection was made.
func dialling(err error) bool {
	if op := (*net.OpError)(nil); errors.As(err, &op) && op.Op == "dial" {
		return true
	}
	dns := (*net.DNSError)(nil)
	return errors.As(err, &dns)
}

// redactError takes the address that [http.Client] puts into its errors out of
// them and keeps the chain.
func redactError(req *http.Request, err error) error {
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s %s: no answer in time: %w", req.Method, RedactURL(req.URL), err)
	}
	return fmt.Errorf("%s %s: %w", req.Method, RedactURL(req.URL), err)
}

// RedactURL returns the address without userinfo and fragment and with its query,
// when it has one, shown as "***".
func RedactURL(u *url.URL) string {
	shown := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	if u.RawQuery != "" {
		shown.RawQuery = "***"
	}
	return shown.String()
}

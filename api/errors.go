package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

var errPanic = errors.New("the handler panicked")

// problemOf is the one place where an error becomes a status and a code. What
// nobody outside can act on is logged here, with the request's id, and answered
// without details.
func (s *server) problemOf(c *call, err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p.complete(c)
	}
	if r, ok := errors.AsType[*hotel.Refusal](err); ok {
		c.replayed(r.Replayed)
		return refused(r).moved(c).complete(c)
	}
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(tooLong).complete(c)
	}
	if after, ok := isThrottled(err); ok {
		return (&problem{
			Code: "rate_limit_exceeded", Detail: "Too many attempts.",
			members: map[string]any{"violated-policies": []string{"attempts"}, "retry_after": seconds(after)},
		}).complete(c)
	}
	switch {
	case errors.Is(err, auth.ErrToken):
		return (&problem{Code: "invalid_token", Detail: "The access token is unknown, expired or revoked."}).complete(c)
	case errors.Is(err, auth.ErrSuspended):
		return (&problem{Code: "client_suspended", Detail: "The client is suspended."}).complete(c)
	}
	if errors.Is(err, context.Canceled) { // the client hung up; nobody reads the answer
		s.log.Debug("client hung up", zap.String("request_id", c.requestID), zap.String("path", c.url.Path))
	} else if !errors.Is(err, errPanic) { // which is logged with its stack
		s.log.Error("request failed", zap.String("request_id", c.requestID), zap.String("path", c.url.Path), zap.Error(err))
	}
	return (&problem{Code: "internal_error", Detail: "This is our fault. Name the request id when you report it."}).complete(c)
}

// refuse answers a plain handler's request with the error's problem.
func (s *server) refuse(w http.ResponseWriter, c *call, err error) {
	s.problemOf(c, err).write(w)
}

// refused writes a refusal as a problem. An item code that stands alone becomes
// validation_failed with that item.
func refused(r *hotel.Refusal) *problem {
	p := &problem{Code: r.Code, Detail: sentence(r.Detail), members: r.Members}
	p.Errors = itemsOf("", r.Items)
	if _, isItem := itemCodes[r.Code]; isItem {
		p.Code = codeInvalid
		if len(p.Errors) == 0 {
			p.Errors = []item{{Code: r.Code, Detail: r.Detail}}
		}
	}
	if revision, ok := number(r.Members["revision"]); ok && r.Code == "precondition_failed" {
		p.setHeader("ETag", etag(revision))
	}
	return p
}

// moved says where a profile is that was merged into another: at the same address
// of that one.
func (p *problem) moved(c *call) *problem {
	into, _ := p.members["merged_into"].(string)
	if path := strings.Split(c.url.Path, "/"); p.Code == "guest_merged" && len(path) > 3 {
		path[3] = into // of /v1/guests/{id}
		to := url.URL{Path: strings.Join(path, "/"), RawQuery: c.url.RawQuery}
		p.setHeader("Location", strings.TrimSuffix(c.base, prefix)+to.String())
	}
	return p
}

// sentence writes a detail as a sentence.
func sentence(text string) string {
	if text == "" || strings.HasSuffix(text, ".") {
		return capital(text)
	}
	return capital(text) + "."
}

// inParameters names query parameters in place of members, for operations whose
// request is all in the address.
func inParameters(err error) error {
	p, ok := asRefused(err)
	if !ok {
		return err
	}
	p.inQuery()
	if p.Code == codeInvalid {
		p.Code = "invalid_parameter"
	}
	return p
}

// asRefused returns the problem of a refusal, before it is complete.
func asRefused(err error) (*problem, bool) {
	if r, ok := errors.AsType[*hotel.Refusal](err); ok {
		return refused(r), true
	}
	return nil, false
}

// number reads an integer member, which is a float after it was stored as JSON.
func number(v any) (int64, bool) {
	switch n := v.(type) {
	case int:
		return int64(n), true
	case int64:
		return n, true
	case float64:
		return int64(n), true
	}
	return 0, false
}

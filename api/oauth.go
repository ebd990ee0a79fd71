package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

const grantClientCredentials = "client_credentials"

// oauthBody is the most bytes of a form that the OAuth endpoints read.
const oauthBody = 64 << 10

// oauthError is an error in the form of RFC 6749, which these endpoints keep
// instead of problem documents.
type oauthError struct {
	Code        string `json:"error"`
	Description string `json:"error_description,omitempty"`

	status int
	after  int // seconds to wait; 0: not said
}

// Error returns the code and the description.
func (e *oauthError) Error() string { return e.Code + ": " + e.Description }

func badOAuth(code, description string) *oauthError {
	return &oauthError{Code: code, Description: description, status: http.StatusBadRequest}
}

type tokenBody struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int    `json:"expires_in"`
	Scope       string `json:"scope"`
}

type introspectionBody struct {
	Active      bool     `json:"active"`
	Scope       string   `json:"scope,omitempty"`
	ClientID    string   `json:"client_id,omitempty"`
	TokenType   string   `json:"token_type,omitempty"`
	Exp         int64    `json:"exp,omitempty"`
	Iat         int64    `json:"iat,omitempty"`
	Nbf         int64    `json:"nbf,omitempty"`
	Iss         string   `json:"iss,omitempty"`
	Environment string   `json:"environment,omitempty"`
	PropertyIDs []string `json:"property_ids,omitzero"` // of a token that is active never left out
}

// oauthPrefix is where what is asked and answered has the form of RFC 6749.
const oauthPrefix = prefix + "/oauth/"

func (s *server) registerOAuth() {
	open := access{public: true, unlimited: true, maxBody: oauthBody} // the authority throttles by client and address
	for path, handler := range map[string]func(*http.Request) (any, error){
		"token":      s.giveToken,
		"revoke":     s.revokeToken,
		"introspect": s.introspectToken,
	} {
		s.route(http.MethodPost, oauthPrefix+path, open, func(w http.ResponseWriter, r *http.Request) {
			body, err := handler(r)
			if err != nil {
				s.refuseOAuth(w, r, err)
				return
			}
			writeOAuth(w, http.StatusOK, body)
		})
	}
	s.documentOAuth()
	s.registerWellKnown()
}

// giveToken is the token endpoint of RFC 6749.
func (s *server) giveToken(r *http.Request) (any, error) {
	c, form, err := s.authenticateClient(r)
	if err != nil {
		return nil, err
	}
	switch form.Get("grant_type") {
	case grantClientCredentials:
	case "":
		return nil, badOAuth("invalid_request", "grant_type is missing")
	default:
		return nil, badOAuth("unsupported_grant_type", "the only grant type is client_credentials")
	}
	g, err := s.auth.Issue(r.Context(), c, form.Get("scope"), auth.Address(r.RemoteAddr))
	if err != nil {
		return nil, err
	}
	if c.Environment == auth.Sandbox {
		s.auth.NoteCall(c.ID, auth.Call{Operation: auth.CallToken, Status: http.StatusOK}, 0)
	}
	return tokenBody{
		AccessToken: g.Token, TokenType: "Bearer",
		ExpiresIn: int(auth.TokenLifetime.Seconds()), Scope: g.Scopes.String(),
	}, nil
}

// revokeToken is the revocation endpoint of RFC 7009. Of a token that is not
// the client's it says nothing.
func (s *server) revokeToken(r *http.Request) (any, error) {
	c, form, err := s.authenticateClient(r)
	if err != nil {
		return nil, err
	}
	if form.Get("token") == "" {
		return nil, badOAuth("invalid_request", "token is missing")
	}
	return struct{}{}, s.auth.Revoke(r.Context(), c, form.Get("token"))
}

// introspectToken is the introspection endpoint of RFC 7662.
func (s *server) introspectToken(r *http.Request) (any, error) {
	c, form, err := s.authenticateClient(r)
	if err != nil {
		return nil, err
	}
	if form.Get("token") == "" {
		return nil, badOAuth("invalid_request", "token is missing")
	}
	t, owner, ok, err := s.auth.Introspect(r.Context(), c, form.Get("token"))
	if err != nil || !ok {
		return introspectionBody{}, err
	}
	issued := t.IssuedAt.Unix()
	return introspectionBody{
		Active: true, Scope: t.Scopes.String(), ClientID: owner.ID, TokenType: "Bearer",
		Exp: t.ExpiresAt.Unix(), Iat: issued, Nbf: issued, Iss: s.origin,
		Environment: string(owner.Environment), PropertyIDs: some(owner.PropertyIDs),
	}, nil
}

// refuseOAuth answers in the form of RFC 6749.
func (s *server) refuseOAuth(w http.ResponseWriter, r *http.Request, err error) {
	s.oauthErrorOf(r, err).write(w)
}

func (e *oauthError) write(w http.ResponseWriter) {
	if e.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Basic realm="ostler", charset="UTF-8"`)
	}
	if e.after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.after))
	}
	writeOAuth(w, e.status, e)
}

func (s *server) oauthErrorOf(r *http.Request, err error) *oauthError {
	if e, ok := errors.AsType[*oauthError](err); ok {
		return e
	}
	if after, ok := isThrottled(err); ok {
		return &oauthError{
			Code: "temporarily_unavailable", Description: "too many attempts",
			status: http.StatusTooManyRequests, after: max(1, seconds(after)),
		}
	}
	switch {
	case errors.Is(err, auth.ErrClient):
		return &oauthError{Code: codeClient, Description: "the client is unknown or its secret is wrong", status: http.StatusUnauthorized}
	case errors.Is(err, auth.ErrSuspended):
		return badOAuth("unauthorized_client", "the client is suspended")
	case errors.Is(err, auth.ErrScope):
		return badOAuth("invalid_scope", "a scope is unknown or beyond what the client may have")
	}
	s.log.Error("request failed", zap.String("request_id", callOf(r.Context()).requestID), zap.String("path", r.URL.Path), zap.Error(err))
	if _, refused := errors.AsType[*hotel.Refusal](err); refused || desk.Unstored(err) {
		return &oauthError{
			Code: "temporarily_unavailable", Description: "nothing can be stored just now: ask again",
			status: http.StatusServiceUnavailable, after: 1,
		}
	}
	return &oauthError{Code: "server_error", Description: "the fault is ours", status: http.StatusInternalServerError}
}

func writeOAuth(w http.ResponseWriter, status int, body any) {
	h := w.Header()
	h.Set("Content-Type", mediaJSON)
	h.Set("Cache-Control", "no-store")
	h.Set("Pragma", "no-cache")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // whoever asked has gone
}

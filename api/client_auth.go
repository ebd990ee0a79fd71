package api

import (
	"encoding/base64"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"ostler.example/internal/auth"
)

const mediaForm = "application/x-www-form-urlencoded"

// authenticateClient reads the form of an OAuth request and returns the client
// that sent it. The client shows its secret in the Authorization header or in
// the form, never in both and never in the address. A parameter without a value is
// none (RFC 6749, 3.2).
func (s *server) authenticateClient(r *http.Request) (auth.Client, url.Values, error) {
	form, err := oauthForm(r)
	if err != nil {
		return auth.Client{}, nil, err
	}
	id, secret, sent, err := basic(r)
	if err != nil {
		return auth.Client{}, nil, err
	}
	switch {
	case sent && form.Get("client_secret") != "":
		return auth.Client{}, nil, badOAuth("invalid_request", "the client authenticated in two ways")
	case sent && form.Get("client_id") != "" && form.Get("client_id") != id:
		return auth.Client{}, nil, badOAuth("invalid_request", "client_id is not the client that authenticated")
	case !sent:
		id, secret = form.Get("client_id"), form.Get("client_secret")
	}
	if id == "" || secret == "" {
		return auth.Client{}, nil, &oauthError{
			Code: codeClient, Description: "the client did not authenticate: send its id and secret by HTTP Basic, or as client_id and client_secret in the form",
			status: http.StatusUnauthorized,
		}
	}
	c, err := s.auth.CheckClient(r.Context(), id, secret, auth.Address(r.RemoteAddr))
	if err == nil && !c.Who().MayCallFrom(r.RemoteAddr) {
		err = auth.ErrClient
	}
	if err == nil && s.serves(c.Environment) != nil {
		err = badOAuth("unauthorized_client", "this address is for clients of the sandbox: use production's own")
	}
	return c, form, err
}

// oauthForm reads the body. Parameters must not be repeated (RFC 6749, 3.2).
func oauthForm(r *http.Request) (url.Values, error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != mediaForm {
		return nil, badOAuth("invalid_request", "the body must be sent as "+mediaForm)
	}
	if err := r.ParseForm(); err != nil {
		return nil, badOAuth("invalid_request", "the body cannot be read as a form")
	}
	query := r.URL.Query()
	if slices.ContainsFunc([]string{"client_secret", "token", "access_token"}, query.Has) {
		return nil, badOAuth("invalid_request", "secrets and tokens belong in the body, never in the address")
	}
	for _, values := range r.PostForm {
		if len(values) > 1 {
			return nil, badOAuth("invalid_request", "a parameter was sent twice")
		}
	}
	return r.PostForm, nil
}

// basic reads HTTP Basic credentials. Both parts are form-urlencoded before
// they are joined (RFC 6749, 2.3.1): some clients do that, some leave out what
// would not change, and both must pass.
func basic(r *http.Request) (id, secret string, sent bool, err error) {
	headers := r.Header["Authorization"]
	if len(headers) == 0 {
		return "", "", false, nil
	}
	if len(headers) > 1 {
		return "", "", true, badOAuth("invalid_request", "the Authorization header was sent twice")
	}
	scheme, encoded, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Basic") {
		return "", "", true, auth.ErrClient
	}
	pair, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	if err != nil {
		return "", "", true, auth.ErrClient
	}
	id, secret, _ = strings.Cut(string(pair), ":")
	id, errID := url.QueryUnescape(id)
	secret, errSecret := url.QueryUnescape(secret)
	if errID != nil || errSecret != nil {
		return "", "", true, auth.ErrClient
	}
	return id, secret, true, nil
}

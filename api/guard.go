package api

import (
	"cmp"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// Requests that need no token are limited by address to so many in a period.
const (
	publicRequests    = 120
	applicantRequests = 10 // of those that ask for access
	publicPeriod      = time.Minute
)

const (
	mediaJSON       = "application/json"
	mediaMergePatch = "application/merge-patch+json"
)

// guard lets a request through to its handler when its sender may make it:
//
//	token → environment → hourly limit → scope → Accept → Content-Type → Idempotency-Key
//
// Everything from the limit on counts, refused or not.
func (s *server) guard(a access, next http.HandlerFunc) http.HandlerFunc {
	guarded := s.guardClient(a, next)
	switch {
	case a.applicants:
		guarded = s.guardApplicant(a, next)
	case a.public:
		guarded = s.guardPublic(a, next)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		joinLists(r.Header)
		guarded(w, r)
	}
}

// joinLists makes one line of the lines of each header that is a list, which mean the
// same (RFC 9110, 5.3): everybody after this reads the first line.
func joinLists(h http.Header) {
	for _, name := range []string{"Accept", "If-Match", "If-None-Match"} {
		if lines := h[name]; len(lines) > 1 {
			h[name] = []string{strings.Join(lines, ", ")}
		}
	}
}

func (s *server) guardClient(a access, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r.Context())
		who, err := s.authenticate(r)
		if err != nil {
			s.refuse(w, c, err)
			return
		}
		c.caller = desk.Caller{Who: who, RequestID: c.requestID}
		w.Header()["Ostler-Environment"] = []string{string(who.Environment)}
		if a.of == ofHouse && who.Environment != s.environment {
			s.pass(w, r, c, a)
			return
		}
		out := &answered{ResponseWriter: w}
		defer s.note(out, c, s.clock.Now())
		if err := s.countOnce(a, r, c); err != nil {
			s.refuse(out, c, err)
			return
		}
		if err := cmp.Or(s.serves(who.Environment), a.of.check(who.Environment), s.check(a, r, c)); err != nil {
			s.refuse(out, c, err)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, a.bodyLimit())
		release, err := s.claimKey(r, c, c.caller.ClientID)
		if err != nil {
			s.refuse(out, c, err)
			return
		}
		defer release()
		next(out, r)
	}
}

// note counts an answer, without the time that was waited for what the caller asked to
// wait for.
func (s *server) note(a *answered, c *call, began time.Time) {
	s.auth.NoteAnswer(c.caller.Who, a.code(), s.clock.Now().Sub(began)-c.waited)
}

func (s *server) guardPublic(a access, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !a.unlimited {
			if err := s.public.Take(auth.Address(r.RemoteAddr), s.clock.Now()); err != nil {
				s.refuse(w, callOf(r.Context()), err)
				return
			}
		}
		r.Body = http.MaxBytesReader(w, r.Body, a.bodyLimit())
		next(w, r)
	}
}

// authenticate returns who sent the request.
func (s *server) authenticate(r *http.Request) (auth.Who, error) {
	if who, ok := r.Context().Value(knownKey{}).(auth.Who); ok {
		return who, nil
	}
	if strings.Contains(r.URL.RawQuery, "access_token") && r.URL.Query().Has("access_token") {
		return auth.Who{}, hotel.Refuse("invalid_request", "A token belongs in the Authorization header, never in the address.")
	}
	sent := r.Header["Authorization"]
	if len(sent) > 1 {
		return auth.Who{}, hotel.Refuse("invalid_request", "The token was sent more than once.")
	}
	if len(sent) == 0 {
		// Nothing under a token is a form, so nobody has to read one to know what it was for.
		if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && media == mediaForm {
			return auth.Who{}, hotel.Refuse("invalid_request", "A token belongs in the Authorization header, never in a form.")
		}
		return auth.Who{}, hotel.Refuse("missing_token", "Send an access token in the Authorization header.")
	}
	scheme, token, _ := strings.Cut(sent[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return auth.Who{}, hotel.Refuse("missing_token", "Send an access token in the Authorization header, as a Bearer token.")
	}
	who, err := s.auth.Authenticate(r.Context(), strings.TrimSpace(token))
	if err == nil && !who.MayCallFrom(r.RemoteAddr) {
		return auth.Who{}, auth.ErrToken // as if it were unknown: whoever has stolen it learns nothing
	}
	return who, err
}

// check looks at what can be refused before the body is read.
func (s *server) check(a access, r *http.Request, c *call) error {
	if !a.allows(c.caller.Who) {
		return lacks(a.wanted())
	}
	for _, s := range a.also {
		if !c.caller.Scopes.Has(s) {
			return lacks(string(s))
		}
	}
	return checkMedia(a, r)
}

// lacks refuses a token that has none of the scopes of a list.
func lacks(scopes string) *hotel.Refusal {
	refusal := hotel.Refuse("insufficient_scope", "The token lacks the scope %s.", strings.ReplaceAll(scopes, " ", " or "))
	refusal.Members = map[string]any{"scope": scopes}
	return refusal
}

// checkMedia refuses what cannot be read, or answered as its sender wants.
func checkMedia(a access, r *http.Request) error {
	accept := r.Header.Get("Accept")
	if table := a.table && slices.Contains(mediaTypes(accept), mediaCSV); !table && !accepts(accept) {
		return hotel.Refuse("not_acceptable", "Answers are application/json; the Accept header rules that out.")
	}
	if r.ContentLength == 0 {
		return nil
	}
	if len(r.Header["Content-Type"]) > 1 {
		return hotel.Refuse("unsupported_media_type", "The Content-Type was sent more than once.")
	}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return hotel.Refuse("unsupported_media_type", "A body must be sent in UTF-8, not in %s.", charset)
	}
	if err == nil && (media == mediaJSON || media == mediaMergePatch && r.Method == http.MethodPatch || media == mediaCSV && a.csv) {
		return nil
	}
	return notTaken(r.Method)
}

// notTaken refuses a body of another media type than those that a method takes.
func notTaken(method string) *hotel.Refusal {
	if method == http.MethodPatch {
		return hotel.Refuse("unsupported_media_type", "A body must be sent as application/merge-patch+json or application/json.")
	}
	return hotel.Refuse("unsupported_media_type", "A body must be sent as application/json.")
}

// accepts reports whether an Accept header lets JSON through.
func accepts(header string) bool {
	if header == "" || header == "*/*" || header == mediaJSON {
		return true
	}
	return slices.ContainsFunc(mediaTypes(header), func(media string) bool {
		return slices.Contains([]string{"*/*", "application/*", mediaJSON, mediaProblem}, media)
	})
}

// mediaTypes lists what an Accept header lets through, in its order.
func mediaTypes(header string) (list []string) {
	for part := range strings.SplitSeq(header, ",") {
		media, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		if q := strings.Trim(params["q"], "0."); params["q"] == "" || q != "" {
			list = append(list, media)
		}
	}
	return list
}

// isThrottled reports how long a caller has to wait who tried too often.
func isThrottled(err error) (time.Duration, bool) {
	if t, ok := errors.AsType[*auth.Throttled](err); ok {
		return t.After, true
	}
	return 0, false
}

package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/desk"
)

// maxURI is the longest request target that is served.
const maxURI = 8 << 10

// ServeHTTP gives the request an id and the answer its common headers, and
// hands it to its route.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{requestID: requestID(r), base: s.base(), url: r.URL, header: w.Header()}
	if before, passedOn := r.Context().Value(callKey{}).(*call); passedOn {
		c.requestID, c.base = before.requestID, before.base
	}
	c.head(s.version)

	served := r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	if s.answered != nil {
		out, began := &answered{ResponseWriter: w}, s.clock.Now()
		w = out
		defer func() { s.answered(served.Pattern, r.Method, out.code(), s.clock.Now().Sub(began)) }()
	}
	defer s.recovered(w, c)
	switch {
	case len(r.RequestURI) > maxURI:
		s.turnAway(w, served, hotel.Refuse("uri_too_long", "The address is longer than %d bytes.", maxURI))
	case !legible(r.URL.RawQuery):
		s.turnAway(w, served, errIllegible)
	case !clean(r.URL.Path):
		s.turnAway(w, served, errNothing)
	default:
		s.mux.ServeHTTP(w, served)
	}
}

// head gives the answer the headers that every one has.
func (c *call) head(version string) {
	// Assigned rather than set: the names are in canonical form already.
	own := [...]string{c.requestID, version}
	c.header["Request-Id"] = own[0:1:1]
	c.header["Ostler-Version"] = own[1:2:2]
	c.header["Cache-Control"] = valueNoStore
	c.header["X-Content-Type-Options"] = valueNoSniff
}

// Values of headers that answers share, which nobody may write to: whoever sets or adds to
// a header makes a list of its own.
var (
	valueNoStore    = []string{"no-store"}
	valueNoSniff    = []string{"nosniff"}
	valueJSON       = []string{mediaJSON}
	valueRevalidate = []string{revalidate}
)

// recovered answers a request whose handler panicked.
func (s *server) recovered(w http.ResponseWriter, c *call) {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler { //nolint:errorlint // the value itself is the agreed signal
		panic(p)
	}
	s.log.Error("request panicked", zap.String("request_id", c.requestID), zap.String("panic", fmt.Sprintf("%T", p)), zap.ByteString("stack", debug.Stack()))
	s.refuse(w, c, errPanic)
}

// requestID is the client's own id of the request when it sent a usable one.
func requestID(r *http.Request) string {
	if sent := r.Header.Get("X-Request-Id"); sent != "" && len(sent) <= 128 && printable(sent) {
		return sent
	}
	return hotel.NewID("req")
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// clean reports whether the mux would take the path as it is. It answers others
// with a redirection in HTML, which no client of an API expects.
func clean(p string) bool {
	if p == "" || p[0] != '/' {
		return false
	}
	return path.Clean(p) == strings.TrimSuffix(p, "/") || p == "/"
}

var errIllegible = hotel.Refuse("invalid_parameter", "The query cannot be read: a %% that escapes nothing is written as %%25, a semicolon as %%3B.")

// legible reports whether all of a query can be read. What cannot would be left out, and a
// list without its filter be answered.
func legible(query string) bool {
	if !strings.ContainsAny(query, "%;") {
		return true
	}
	_, err := url.ParseQuery(query)
	return err == nil
}

// methods are those that some route may be registered for.
var methods = []string{http.MethodGet, methodQuery, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete}

// noRoute answers what no route takes: OPTIONS, a wrong method, or a path where
// there is nothing.
func (s *server) noRoute(w http.ResponseWriter, r *http.Request) {
	allowed, free := s.allowed(r)
	c := callOf(r.Context())
	s.counted(w, r, free, func(w http.ResponseWriter) {
		if len(allowed) == 0 {
			s.refuse(w, c, errNothing)
			return
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		s.refuse(w, c, hotel.Refuse("method_not_allowed", "This address does not take the method."))
	})
}

// turnAway refuses a request that no route is looked for.
func (s *server) turnAway(w http.ResponseWriter, r *http.Request, why error) {
	s.counted(w, r, false, func(w http.ResponseWriter) { s.refuse(w, callOf(r.Context()), why) })
}

var errNothing = hotel.Refuse("not_found", "There is nothing at this address.")

// counted has a request answered that comes to no route. What a client asks for under /v1
// counts, whatever stands there but what counts with no method (free), and the answer says
// so as every one to a client does; others are answered without it.
func (s *server) counted(w http.ResponseWriter, r *http.Request, free bool, answer func(http.ResponseWriter)) {
	who, err := s.authenticate(r)
	if err != nil || !strings.HasPrefix(r.URL.Path, prefix+"/") {
		answer(w)
		return
	}
	c := callOf(r.Context())
	c.caller = desk.Caller{Who: who, RequestID: c.requestID}
	w.Header()["Ostler-Environment"] = []string{string(who.Environment)}
	out := &answered{ResponseWriter: w}
	defer s.note(out, c, s.clock.Now())
	if err := s.countOnce(access{free: free}, r, c); err != nil {
		s.refuse(out, c, err)
		return
	}
	answer(out)
}

// allowed lists the methods that the path takes. It is free where none of them counts
// against the hour.
func (s *server) allowed(r *http.Request) (list []string, free bool) {
	probe := *r
	for _, m := range methods {
		probe.Method = m
		if _, pattern := s.mux.Handler(&probe); pattern != "/" {
			free = s.uncounted[pattern] && (free || len(list) == 0)
			list = append(list, m)
		}
	}
	if slices.Contains(list, http.MethodGet) {
		list = append(list, http.MethodHead)
	}
	if len(list) > 0 {
		list = append(list, http.MethodOptions)
	}
	return list, free
}

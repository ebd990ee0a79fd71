package api

import (
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// deprecation says that a route is on its way out.
type deprecation struct {
	since     time.Time // it is deprecated
	sunset    time.Time // it answers 410 from then on
	successor string    // what to use in its place, below /v1; "" for nothing
}

// notice is how long a route goes on after it was deprecated, at least.
const notice = 365 * 24 * time.Hour

// deprecated are the routes of this version that are on their way out, by method
// and path as the document has them.
var deprecated = map[string]deprecation{}

// check refuses what would surprise a client.
func (d deprecation) check(route string) {
	if d.sunset.Sub(d.since) < notice {
		panic("api: " + route + " would be gone within a year of its deprecation")
	}
}

// Brown-outs: for its last month a route is gone from sandboxes for the first minutes of
// every hour, so that whoever still calls it finds out there.
const (
	brownOutDays    = 30
	brownOutMinutes = 10
)

// brownOut returns until when the route is gone for a while, where it is.
func (d deprecation) brownOut(environment auth.Environment, now time.Time) (until time.Time, out bool) {
	until = now.UTC().Truncate(time.Hour).Add(brownOutMinutes * time.Minute)
	return until, environment == auth.Sandbox && now.Before(until) && !now.Before(d.sunset.AddDate(0, 0, -brownOutDays))
}

// announce tells with every answer of a route that it is on its way out (RFC 9745,
// RFC 8594), and refuses once it is gone.
func (s *server) announce(d deprecation, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Deprecation", "@"+strconv.FormatInt(d.since.Unix(), 10))
		h.Set("Sunset", d.sunset.UTC().Format(http.TimeFormat))
		links := []string{"<" + hostOf(r.Context()) + docsPath + `#changes>; rel="deprecation"; type="text/html"`}
		if d.successor != "" {
			links = append(links, "<"+baseOf(r.Context())+d.successor+`>; rel="successor-version"`)
		}
		w = &linking{w, links}
		if !s.clock.Now().Before(d.sunset) {
			s.refuse(w, callOf(r.Context()), hotel.Refuse("version_retired", "This route was retired on %s; the changelog says what takes its place.", d.sunset.UTC().Format(time.DateOnly)))
			return
		}
		if until, out := d.brownOut(s.environment, s.clock.Now()); out {
			h.Set("Retry-After", strconv.Itoa(int((until.Sub(s.clock.Now())+time.Second-1)/time.Second)))
			s.refuse(w, callOf(r.Context()), hotel.Refuse("version_retired", "This route will be retired on %s. Until then it is gone from sandboxes in the first %d minutes of every hour; the changelog says what takes its place.", d.sunset.UTC().Format(time.DateOnly), brownOutMinutes))
			return
		}
		next(w, r)
	}
}

// linking adds links to those that the answer has by itself.
type linking struct {
	http.ResponseWriter
	links []string
}

// WriteHeader writes the links with the status.
func (l *linking) WriteHeader(status int) {
	for _, link := range l.links {
		l.Header().Add("Link", link)
	}
	l.ResponseWriter.WriteHeader(status)
}

// retiring puts a deprecated route behind its announcement, and says so in the
// document.
func (s *server) retiring(op *huma.Operation, next http.HandlerFunc) http.HandlerFunc {
	route := op.Method + " " + op.Path
	d, on := s.deprecated[route]
	if !on {
		return next
	}
	d.check(route)
	op.Deprecated = true
	return s.announce(d, next)
}

package console

import (
	"cmp"
	"context"
	"embed"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// Options are what the console needs; Stopping may be nil.
type Options struct {
	Desk      *desk.Desk
	Users     *auth.Users
	Document  Document
	PublicURL string          // https://HOST; with http cookies travel without TLS
	Stopping  <-chan struct{} // closed when pages are to stop following what happens
	Clock     hotel.Clock
	Log       *zap.Logger
}

// Document writes everything that is kept of a guest, for the guest.
type Document func(ctx context.Context, c desk.Caller, id string) ([]byte, error)

// Console serves the pages. It is an [http.Handler] for the root of a host.
type Console struct {
	desk      *desk.Desk
	users     *auth.Users
	secure    bool
	publicURL string
	stopping  <-chan struct{}
	document  Document
	clock     hotel.Clock
	log       *zap.Logger
	pages     map[string]*page
	mux       *http.ServeMux
	handler   http.Handler
	sights    sights
}

//go:embed static
var static embed.FS

// New returns the console of a desk.
func New(o Options) *Console {
	c := &Console{
		desk: o.Desk, users: o.Users, secure: strings.HasPrefix(o.PublicURL, "https://"), publicURL: strings.TrimSuffix(o.PublicURL, "/"), stopping: o.Stopping,
		document: o.Document, clock: o.Clock, log: o.Log, pages: parsePages(),
	}
	mux := http.NewServeMux()
	c.mux = mux
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is compiled in
	}
	mux.Handle("GET /static/", http.StripPrefix("/static/", cached(http.FileServerFS(files))))
	mux.HandleFunc("GET /sign-in", c.open(c.signInPage))
	mux.HandleFunc("POST /sign-in", c.open(c.signIn))
	mux.HandleFunc("GET /sign-in/link", c.open(c.linkPage))
	mux.HandleFunc("POST /sign-in/link", c.open(c.redeem))
	mux.HandleFunc("POST /language", c.open(c.chooseLanguage))
	mux.HandleFunc("POST /sign-out", c.signedIn(c.signOut))
	mux.HandleFunc("GET /sessions", c.signedIn(c.sessions))
	mux.HandleFunc("POST /sessions/end", c.signedIn(c.endSession))
	mux.HandleFunc("POST /sessions/password", c.signedIn(c.changePassword))
	mux.HandleFunc("GET /{$}", c.signedIn(c.lobby))
	for _, r := range routes {
		mux.HandleFunc(r.method+" /p/{property}/"+r.path, c.signedIn(func(v *visit) error {
			if err := v.enter(); err != nil {
				return err
			}
			return r.serve(c, v)
		}))
	}
	mux.HandleFunc("/", c.open(func(v *visit) error {
		return hotel.Refuse("not_found", "there is no such page")
	}))
	guard := http.NewCrossOriginProtection()
	guard.SetDenyHandler(c.open(func(*visit) error {
		return hotel.Refuse("forbidden", "this was asked for by another site")
	}))
	c.handler = headers(guard.Handler(bounded(mux)))
	return c
}

// shows reports whether there is a page at a path.
func (c *Console) shows(at string) bool {
	_, pattern := c.mux.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: at}})
	return strings.HasPrefix(pattern, http.MethodGet+" ")
}

// maxForm is how large a form may be, in bytes, and maxLongForm that of a mapping, which has
// some 200 bytes for each product of a channel. Nothing is read of it before its user is known.
const (
	maxForm     = 64 << 10
	maxLongForm = 1 << 20
)

// bounded reads no more of a form than it may have.
func bounded(next http.Handler) http.Handler {
	short, long := http.MaxBytesHandler(next, maxForm), http.MaxBytesHandler(next, maxLongForm)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Base(r.URL.Path) == "mapping" {
			long.ServeHTTP(w, r)
			return
		}
		short.ServeHTTP(w, r)
	})
}

// route is a page or an act in one house; its scopes are asked for at the desk.
type route struct {
	method, path string
	serve        func(*Console, *visit) error
}

var routes = []route{
	{"GET", "today", (*Console).today},
	{"GET", "calendar", (*Console).calendar},
	{"GET", "calendar/change", (*Console).changeNights},
	{"POST", "calendar/change", (*Console).preview},
	{"POST", "calendar/apply", (*Console).apply},
	{"GET", "calendar/updates", (*Console).updates},
	{"GET", "calendar/updates/{id}", (*Console).madeAlteration},
	{"GET", "calendar/updates/{id}/undo", (*Console).askUndo},
	{"POST", "calendar/updates/{id}/undo", (*Console).undo},
	{"GET", "calendar/{room}/{night}", (*Console).night},
	{"GET", "rates", (*Console).rates},
	{"GET", "rates/plans/new", (*Console).newPlan},
	{"POST", "rates/plans/new", (*Console).savePlan},
	{"GET", "rates/plans/{id}", (*Console).ratePlan},
	{"POST", "rates/plans/{id}", (*Console).savePlan},
	{"GET", "rates/plans/{id}/edit", (*Console).editPlan},
	{"POST", "rates/plans/{id}/archive", (*Console).archivePlan},
	{"GET", "rates/rules", (*Console).rules},
	{"GET", "rates/rules/new", (*Console).newRule},
	{"GET", "rates/rules/{id}/edit", (*Console).editRule},
	{"POST", "rates/rules/try", (*Console).tryRule},
	{"POST", "rates/rules/apply", (*Console).applyRule},
	{"GET", "rates/guards", (*Console).guards},
	{"POST", "rates/guards/{id}", (*Console).setGuard},
	{"GET", "rates/protection", (*Console).protection},
	{"POST", "rates/protection/{id}/try", (*Console).tryProtection},
	{"POST", "rates/protection/{id}", (*Console).protect},
	{"GET", "conflicts", (*Console).inbox},
	{"GET", "conflicts/{id}", (*Console).conflict},
	{"POST", "conflicts/{id}", (*Console).decide},
	{"GET", "channels", (*Console).board},
	{"GET", "channels/new", (*Console).newChannel},
	{"POST", "channels/new", (*Console).makeChannel},
	{"GET", "channels/{id}", (*Console).channel},
	{"GET", "channels/{id}/settings", (*Console).editChannel},
	{"POST", "channels/{id}/settings", (*Console).saveChannel},
	{"POST", "channels/{id}/test", (*Console).testChannel},
	{"GET", "channels/{id}/mapping", (*Console).mapping},
	{"POST", "channels/{id}/mapping", (*Console).setMapping},
	{"POST", "channels/{id}/shadow", (*Console).shadowChannel},
	{"GET", "channels/{id}/plan", (*Console).plan},
	{"POST", "channels/{id}/plan", (*Console).goLive},
	{"GET", "channels/{id}/policies", (*Console).policies},
	{"POST", "channels/{id}/policies", (*Console).savePolicies},
	{"GET", "channels/{id}/history", (*Console).history},
	{"POST", "channels/{id}/disconnect", (*Console).disconnect},
	{"POST", "channels/{id}/pause", (*Console).pause},
	{"POST", "channels/{id}/sync", (*Console).bringUpToDate},
	{"GET", "reservations", (*Console).reservations},
	{"GET", "reservations/new", (*Console).offers},
	{"POST", "reservations/new", (*Console).book},
	{"GET", "reservations/{id}", (*Console).reservation},
	{"POST", "reservations/{id}/change", (*Console).change},
	{"POST", "reservations/{id}/cancel-together", (*Console).cancelTogether},
	{"POST", "reservations/{id}/step/{action}", (*Console).take},
	{"GET", "reports", (*Console).reports},
	{"GET", "reports/{name}", (*Console).report},
	{"GET", "reports/{name}/table", (*Console).reportTable},
	{"GET", "house", (*Console).settled},
	{"POST", "house/policies", (*Console).saveHousePolicies},
	{"POST", "house/hours", (*Console).saveHours},
	{"GET", "house/notifications", (*Console).notices},
	{"POST", "house/notifications", (*Console).setRecipient},
	{"POST", "house/notifications/times", (*Console).setNoticeTimes},
	{"GET", "more", (*Console).more},
	{"GET", "guests", (*Console).guests},
	{"GET", "guests/{id}", (*Console).guest},
	{"POST", "guests/{id}/change", (*Console).changeGuest},
	{"GET", "guests/{id}/merge", (*Console).askMerge},
	{"POST", "guests/{id}/merge", (*Console).merge},
	{"GET", "guests/{id}/file", (*Console).guestFile},
	{"GET", "guests/{id}/forget", (*Console).askForget},
	{"POST", "guests/{id}/forget", (*Console).forget},
	{"GET", "partners", administered((*Console).partners)},
	{"GET", "partners/requests/{id}", administered((*Console).applicantPage)},
	{"POST", "partners/requests/{id}", administeredForm((*Console).decideAccess)},
	{"GET", "partners/clients/new", administered((*Console).newClient)},
	{"POST", "partners/clients/new", administeredForm((*Console).makeClient)},
	{"GET", "partners/clients/{id}", administered((*Console).clientPage)},
	{"GET", "partners/clients/{id}/edit", administered((*Console).editClient)},
	{"POST", "partners/clients/{id}/edit", administered((*Console).saveClient)},
	{"POST", "partners/clients/{id}/status", administeredForm((*Console).turnClient)},
	{"POST", "partners/clients/{id}/tokens", administered((*Console).endTokens)},
	{"POST", "partners/clients/{id}/secrets", administeredForm((*Console).addSecret)},
	{"POST", "partners/clients/{id}/secrets/{secret}/drop", administered((*Console).dropSecret)},
	{"GET", "partners/webhooks/{id}", administered((*Console).hookPage)},
	{"POST", "partners/webhooks/{id}", administeredForm((*Console).actOnHook)},
	{"GET", "partners/deliveries/{id}", administered((*Console).deliveryPage)},
	{"POST", "partners/deliveries/{id}/retry", administered((*Console).retryDelivery)},
	{"GET", "users", (*Console).usersPage},
	{"POST", "users", (*Console).addUser},
	{"POST", "users/change", (*Console).changeUser},
	{"GET", "live", (*Console).live},
}

// ServeHTTP serves a page.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) { c.handler.ServeHTTP(w, r) }

// policy lets pages load from here alone, and run no script and no style of their own.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// headers has browsers keep what is shown to themselves.
func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// cached lets browsers keep what the program brings with it; pages name it with the
// program's own version.
func cached(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		next.ServeHTTP(w, r)
	})
}

// visit is one request: who asks, in which house, in which language.
type visit struct {
	c       *Console
	w       http.ResponseWriter
	r       *http.Request
	words   *words
	user    auth.User
	session auth.Session
	caller  desk.Caller
	house   hotel.Property // "" outside a house
}

// open serves whoever asks.
func (c *Console) open(serve func(*visit) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := &visit{c: c, w: w, r: r, words: wordsFor(r)}
		if err := serve(v); err != nil {
			v.fail(err)
		}
	}
}

// signedIn serves whoever is signed in, and asks everybody else to.
func (c *Console) signedIn(serve func(*visit) error) http.HandlerFunc {
	return c.open(func(v *visit) error {
		cookie, err := v.r.Cookie(c.cookie(sessionCookie))
		if err != nil {
			return v.askWho()
		}
		v.session, v.user, err = c.users.Session(v.r.Context(), cookie.Value)
		if err != nil {
			return v.askWhoAt(err)
		}
		v.caller = desk.Caller{Who: v.user.Lobby(), RequestID: hotel.NewID("req")}
		return serve(v)
	})
}

// enter makes the user the caller that the user is in the house of the path.
func (v *visit) enter() error {
	id := v.r.PathValue("property")
	who, ok := v.user.At(id)
	if !ok {
		return hotel.Refuse("property_not_found", "there is no property by this id")
	}
	v.caller.Who = who
	var err error
	v.house, err = v.c.desk.Property(v.r.Context(), v.caller, id)
	return err
}

// may reports whether the user has the scope in the house.
func (v *visit) may(s auth.Scope) bool { return v.caller.Scopes.Has(s) }

// path is where a page of the house is.
func (v *visit) path(page string) string { return "/p/" + v.house.ID + "/" + page }

// lobby leads to the only house in use that the user has to do with, or shows all of them, as
// it does when that is asked for: what is archived is still to be looked up.
func (c *Console) lobby(v *visit) error {
	houses, err := c.desk.Properties(v.r.Context(), v.caller)
	if err != nil {
		return err
	}
	used := slices.DeleteFunc(slices.Clone(houses), func(p hotel.Property) bool { return p.Status == hotel.Archived })
	if len(houses) == 1 || len(used) == 1 && !v.r.URL.Query().Has("all") {
		v.house = append(used, houses...)[0]
		http.Redirect(v.w, v.r, v.path("today"), http.StatusSeeOther)
		return nil
	}
	return v.show("lobby", http.StatusOK, houses)
}

// back is where a form wants to go on: a page of this host, or the usual one.
func (v *visit) back(usual string) string {
	to := v.r.PostFormValue("back")
	if !local(to) {
		to = ""
	}
	return cmp.Or(to, usual)
}

// local reports whether an address is a plain path of this host. Browsers drop control
// characters and take a backslash for a slash, so that "/\t/host" is another host.
func local(to string) bool {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return false
	}
	odd := func(r rune) bool { return unicode.IsControl(r) || r == '\\' }
	return strings.HasPrefix(to, "/") && u.Path == path.Clean(u.Path) && !strings.ContainsFunc(to+u.Path, odd)
}

package api

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// Options are what the API needs; what has no words beside it is required.
type Options struct {
	Desk *desk.Desk
	Auth *auth.Authority
	// Environment is the one whose house the desk is of; "": production. A request of
	// the other is passed on to one of the Sandboxes, which may be nil where none is kept.
	Environment auth.Environment
	Sandboxes   Sandboxes
	// Only is the environment whose clients are served at this address; "": those of every
	// one are. Others are refused, whatever they ask.
	Only      auth.Environment
	PublicURL string // https://HOST, without a path and a slash at its end
	Version   string // of the program: 1.N.P
	// RequireIfMatch refuses changes of a resource that name no revision of it.
	RequireIfMatch bool

	Stopping <-chan struct{} // closed when waiting requests are to be answered; nil: never

	// Answered is told of every request: the pattern of its route ("/" where there is
	// none), and what it came to. Nil: nobody is.
	Answered func(pattern, method string, status int, took time.Duration)

	CursorKey [32]byte // signs the cursors of lists; keep it, or cursors end with the process
	Clock     hotel.Clock
	Log       *zap.Logger
}

// New returns the handler of /v1 and /.well-known for one environment. Every other
// path is answered as not found.
func New(o Options) Handler { return newServer(o, deprecated) }

// server is the API of one environment.
type server struct {
	desk *desk.Desk

	environment auth.Environment
	sandboxes   Sandboxes
	only        auth.Environment // whose clients are served; "": everybody's

	auth      *auth.Authority
	clock     hotel.Clock
	log       *zap.Logger
	origin    string // https://HOST
	version   string
	cursorKey [32]byte

	requireIfMatch bool
	stopping       <-chan struct{}
	answered       func(pattern, method string, status int, took time.Duration)
	deprecated     map[string]deprecation

	mux        *http.ServeMux
	reads      *http.ServeMux  // operations that answer with a resource, unguarded: for their tags
	uncounted  map[string]bool // patterns of routes that count against no hour
	api        huma.API
	problems   *huma.Schema         // of every answer that says what is wrong
	document   func() *huma.OpenAPI // the complete one, made when somebody first asks for it
	public     *auth.Throttle       // routes without a token, by address
	applicants *auth.Throttle       // those of access requests, by address
	running    running              // requests whose idempotency key is at work
}

func newServer(o Options, deprecated map[string]deprecation) *server {
	installHuma()
	s := &server{
		desk: o.Desk, environment: cmp.Or(o.Environment, auth.Production), sandboxes: o.Sandboxes, only: o.Only, auth: o.Auth, clock: o.Clock, log: o.Log,
		origin: strings.TrimSuffix(o.PublicURL, "/"), version: o.Version, cursorKey: o.CursorKey, requireIfMatch: o.RequireIfMatch, stopping: o.Stopping, answered: o.Answered, deprecated: deprecated,
		mux:        http.NewServeMux(),
		reads:      http.NewServeMux(),
		uncounted:  map[string]bool{},
		public:     auth.NewThrottle(publicRequests, publicPeriod),
		applicants: auth.NewThrottle(applicantRequests, publicPeriod),
	}
	s.api = huma.NewAPI(s.config(), adapter{s})
	s.registerService()
	s.registerOAuth()
	s.registerAvailability()
	s.registerProperties()
	s.registerRoomTypes()
	s.registerPools()
	s.registerRatePlans()
	s.registerInventory()
	s.registerBlocks()
	s.registerConflicts()
	s.registerPolicies()
	s.registerNotifications()
	s.registerPricingRules()
	s.registerRates()
	s.registerRestrictions()
	s.registerAriUpdates()
	s.registerAriUndo()
	s.registerCellPuts()
	s.registerReservations()
	s.registerGuests()
	s.registerConnectors()
	s.registerClients()
	s.registerSandbox()
	s.registerAccessRequests()
	s.registerChannels()
	s.registerEvents()
	s.registerWebhooks()
	s.registerReports()
	s.registerChangelog()
	s.registerDocument()
	s.registerDocs()
	boundRequests(s.api.OpenAPI())
	s.problems = s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[problem](), true, "")
	s.document = sync.OnceValue(s.completeDocument)
	s.mux.HandleFunc("/", s.noRoute)
	return s
}

// prefix is the version in the path of every operation.
const prefix = "/v1"

// base is the address that all paths of the API are relative to.
func (s *server) base() string { return s.origin + prefix }

// adapter registers huma's operations on the server's mux, each behind the
// guard that its metadata asks for.
type adapter struct{ s *server }

var _ huma.Adapter = adapter{}

// Handle registers one operation.
func (a adapter) Handle(op *huma.Operation, handler func(huma.Context)) {
	a.s.readable(op, handler)
	op.Metadata[documentKey] = a.s.api.OpenAPI()
	a.s.route(op.Method, prefix+op.Path, accessOf(op), a.s.retiring(op, func(w http.ResponseWriter, r *http.Request) {
		if items := repeated(op, r.URL); len(items) > 0 {
			a.s.refuse(w, callOf(r.Context()), repeatedParameter(items))
			return
		}
		if op.RequestBody == nil {
			if err := bodiless(r); err != nil {
				a.s.refuse(w, callOf(r.Context()), err)
				return
			}
		}
		handler(humago.NewContext(op, r, w))
	}))
}

// ServeHTTP serves a request.
func (a adapter) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.s.ServeHTTP(w, r) }

// route registers a handler behind its guard.
func (s *server) route(method, path string, a access, h http.HandlerFunc) {
	if a.free || a.unlimited {
		s.uncounted[method+" "+path] = true
	}
	s.mux.HandleFunc(method+" "+path, s.guard(a, h))
}

// register adds an operation whose handler may return any error: it is turned
// into a problem here.
func register[I, O any](s *server, op huma.Operation, a access, handler func(ctx context.Context, in *I) (*O, error)) {
	a.describe(&op)
	op.Metadata[shownKey] = shown[O]()
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		c := callOf(ctx)
		out, err := handler(ctx, in)
		if err == nil && !c.tagOnly {
			people := slices.DeleteFunc(c.shown, func(id string) bool { return id == c.noted })
			err = s.desk.Shown(ctx, c.caller, op.OperationID, people)
		}
		if err != nil {
			p := s.problemOf(c, err)
			if p.Code == "precondition_failed" {
				p = s.presentTag(ctx, p)
			}
			return nil, p
		}
		return out, nil
	})
}

// installHuma sets what huma keeps in package variables, once for all servers.
var installHuma = sync.OnceFunc(func() {
	huma.NewErrorWithContext = humaProblem
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return humaProblem(nil, status, message, errs...)
	}
	huma.ValidateStrictCasing = true // a member whose case is wrong is another member
	huma.DefaultArrayNullable = false
})

func (s *server) config() huma.Config {
	return huma.Config{
		OpenAPI:                      newDocument(s.version),
		Formats:                      map[string]huma.Format{mediaJSON: jsonFormat, "json": jsonFormat}, // "json" serves +json types
		DefaultFormat:                mediaJSON,
		RejectUnknownQueryParameters: true,
	}
}

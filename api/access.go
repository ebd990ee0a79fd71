package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// access says who may use a route and what a request of it costs.
type access struct {
	scopes     []auth.Scope // one of them is needed; none: any token will do
	also       []auth.Scope // all of them are needed besides
	public     bool         // needs no token
	unlimited  bool         // not even counted by address; public only
	free       bool         // does not count against the hour
	maxBody    int64        // 0: usualBody
	csv        bool         // takes text/csv too
	table      bool         // answers with text/csv too
	of         owner
	applicants bool   // for those who ask for access: with a claim token, or none where it is public
	operation  string // as the document names it
}

// owner says where the facts of a route lie, and so whose tokens it takes.
type owner int

const (
	ofHouse      owner = iota // in the ledger of the caller's environment
	ofCaller                  // with the daemon, about the caller alone
	ofProduction              // with the daemon; tokens of the sandbox are refused
	ofSandbox                 // in a sandbox; tokens of production are refused
)

// check refuses a token of the environment that the route is not for.
func (o owner) check(e auth.Environment) error {
	switch {
	case o == ofProduction && e == auth.Sandbox:
		return hotel.Refuse("environment_forbidden", "This is not to be had with a token of the sandbox.")
	case o == ofSandbox && e != auth.Sandbox:
		return hotel.Refuse("environment_forbidden", "This is for tokens of the sandbox: production cannot be reset, nor its time moved.")
	}
	return nil
}

// The most bytes that a body may have.
const (
	usualBody = 1 << 20
	bulkBody  = 10 << 20
)

// needs is the access of a route for callers with the scope, or with one of
// several.
func needs(scopes ...auth.Scope) access { return access{scopes: scopes} }

// about is the access of a route whose facts do not lie in the house's ledger.
func (a access) about(o owner) access {
	a.of = o
	return a
}

// allows reports whether the caller has a scope that the route takes.
func (a access) allows(w auth.Who) bool {
	return len(a.scopes) == 0 || slices.ContainsFunc(a.scopes, w.Scopes.Has)
}

// wanted names the scopes for people and for WWW-Authenticate.
func (a access) wanted() string { return strings.Join(namesOf(a.scopes), " ") }

func namesOf(scopes []auth.Scope) []string {
	names := make([]string, len(scopes))
	for i, s := range scopes {
		names[i] = string(s)
	}
	return names
}

func (a access) bodyLimit() int64 {
	if a.maxBody > 0 {
		return a.maxBody
	}
	return usualBody
}

// accessKey is the key of the access in an operation's metadata.
const accessKey = "access"

// describe writes the access into the operation: for the guard, and for readers
// of the document.
func (a access) describe(op *huma.Operation) {
	a.operation = op.OperationID
	if op.Metadata == nil {
		op.Metadata = map[string]any{}
	}
	op.Metadata[accessKey] = a
	op.MaxBodyBytes = a.bodyLimit() + 1 // the guard refuses one byte earlier
	op.Extensions = map[string]any{}
	op.Description = a.tell(op.Description)
	if a.public {
		op.Security = []map[string][]string{}
		if a.applicants {
			takeKey(op)
		}
		op.Errors = append(op.Errors, http.StatusBadRequest, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable)
		if op.Method == http.MethodGet {
			op.Errors = append(op.Errors, http.StatusRequestURITooLong)
		} else {
			op.Errors = append(op.Errors, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity)
		}
		return
	}
	names := []string{}
	for _, s := range a.scopes {
		names = append(names, string(s))
		op.Security = append(op.Security, map[string][]string{securityScheme: append([]string{string(s)}, namesOf(a.also)...)})
	}
	switch {
	case a.applicants:
		op.Security = append([]map[string][]string{{claimScheme: {}}}, op.Security...) // so that no scope is required
	case len(names) == 0:
		op.Security = []map[string][]string{{securityScheme: {}}}
	case len(names) == 1:
		op.Extensions["x-required-scope"] = names[0]
	default:
		op.Extensions["x-required-scope"] = names
	}
	if len(a.also) > 0 {
		op.Extensions["x-also-required-scope"] = namesOf(a.also)
	}
	op.Errors = append(op.Errors,
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound,
		http.StatusNotAcceptable, http.StatusGone, http.StatusUnprocessableEntity, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusServiceUnavailable,
	)
	if op.Method == http.MethodPost || op.Method == http.MethodPatch {
		takeKey(op)
	}
	if op.Method == http.MethodGet {
		op.Errors = append(op.Errors, http.StatusRequestURITooLong)
	} else {
		op.Errors = append(op.Errors, http.StatusConflict, http.StatusPreconditionFailed, http.StatusPreconditionRequired)
	}
	if op.Method != http.MethodGet || op.RequestBody != nil {
		op.Errors = append(op.Errors, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
}

// takeKey says in the document that the operation takes an Idempotency-Key.
func takeKey(op *huma.Operation) {
	op.Parameters = append(op.Parameters, &huma.Param{
		Name: "Idempotency-Key", In: "header", Schema: &huma.Schema{Type: huma.TypeString},
		Description: "1 to 255 visible ASCII characters. A request that is sent again with its key has its effect once, within 72 hours; with another body or query it is refused.",
	})
}

func accessOf(op *huma.Operation) access {
	a, ok := op.Metadata[accessKey].(access)
	if !ok {
		panic("api: operation " + op.OperationID + " does not say who may use it")
	}
	return a
}

package app

import (
	"net/http"
	"strings"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/console"
	"ostler.example/internal/desk"
)

// openConsole makes the pages of an environment that keeps its own clients; there are
// none of a sandbox.
func (e *Environment) openConsole(at *desk.Desk, o EnvironmentOptions) {
	if !e.keepsClients {
		return
	}
	e.Users = auth.NewUsers(auth.UsersOptions{Store: e.Ledger, Clock: o.Clock})
	e.console = console.New(console.Options{
		Desk: at, Users: e.Users, Document: e.API.GuestDocument, PublicURL: o.PublicURL, Stopping: e.hushed, Clock: o.Clock, Log: o.Log.With(zap.String("part", "console")),
	})
}

// Front is what is served to the world: /v1 with what belongs to it, and the console
// everywhere else.
func (e *Environment) Front() http.Handler {
	return sided(e.API, e.console)
}

// sided serves /v1 with what belongs to it by one handler, and everything else by another.
func sided(partners, people http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, of := range []string{"/v1", "/docs", "/.well-known"} {
			if rest, ok := strings.CutPrefix(r.URL.Path, of); ok && (rest == "" || rest[0] == '/') {
				partners.ServeHTTP(w, r)
				return
			}
		}
		people.ServeHTTP(w, r)
	})
}

// operator is who makes users that nobody asked for.
func operator(name string) hotel.By {
	return hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: name}}
}

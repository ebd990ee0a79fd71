package app

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// usersPath is where the operators' socket, and nothing else, serves the users of
// the console.
const usersPath = "/v1/console/users"

// userBody is a user as commands see and send it.
type userBody struct {
	Name     string               `json:"name"`
	Roles    map[string]auth.Role `json:"roles,omitempty"`
	Password string               `json:"password,omitempty"` // sent only, never answered
	URL      string               `json:"url,omitempty"`      // to sign in by, once
	Disabled *bool                `json:"disabled,omitempty"`

	CreatedAt time.Time `json:"created_at,omitzero"`
}

// serveUsers answers `ostler user`:
//
//	GET    /v1/console/users            all of them
//	POST   /v1/console/users            make one
//	PATCH  /v1/console/users/NAME       change its roles or password, disable or enable it; {} ends its sessions
//	DELETE /v1/console/users/NAME       remove it
//	POST   /v1/console/users/NAME/link  a link by which it signs in once
func (d *Daemon) serveUsers(operator string) http.Handler {
	by := hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: operator}, RequestID: hotel.NewID("req")}
	users := d.env.Users
	mux := http.NewServeMux()
	handle := func(pattern string, do func(r *http.Request, in userBody) (any, error)) {
		method, path, _ := strings.Cut(pattern, " ")
		mux.HandleFunc(method+" "+usersPath+path, func(w http.ResponseWriter, r *http.Request) {
			var in userBody
			if r.ContentLength != 0 {
				if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&in); err != nil {
					d.answerUsers(w, by, nil, hotel.Refuse("bad_request", "the body cannot be read"))
					return
				}
			}
			out, err := do(r, in)
			d.answerUsers(w, by, out, err)
		})
	}
	handle("GET ", func(r *http.Request, _ userBody) (any, error) {
		all, err := users.List(r.Context())
		list := make([]userBody, len(all))
		for i, u := range all {
			list[i] = bodyOfUser(u)
		}
		return map[string]any{"data": list}, err
	})
	handle("POST ", func(r *http.Request, in userBody) (any, error) {
		made, err := users.Add(r.Context(), by, in.Name, in.Password, in.Roles)
		return bodyOfUser(made), err
	})
	handle("PATCH /{name}", func(r *http.Request, in userBody) (any, error) {
		changed, err := users.Change(r.Context(), by, r.PathValue("name"), auth.UserChange{Password: in.Password, Roles: in.Roles, Disabled: in.Disabled})
		return bodyOfUser(changed), err
	})
	handle("DELETE /{name}", func(r *http.Request, _ userBody) (any, error) {
		return map[string]any{"removed": r.PathValue("name")}, users.Remove(r.Context(), by, r.PathValue("name"))
	})
	handle("POST /{name}/link", func(r *http.Request, _ userBody) (any, error) {
		token, err := users.Link(r.Context(), r.PathValue("name"))
		return userBody{Name: r.PathValue("name"), URL: d.publicURL + linkPath + token}, err
	})
	return mux
}

// linkPath is where a link to sign in by leads to.
const linkPath = "/sign-in/link?token="

func bodyOfUser(u auth.User) userBody {
	return userBody{Name: u.Name, Roles: u.Roles, Disabled: &u.Disabled, CreatedAt: u.CreatedAt}
}

// answerUsers answers in the form of /v1.
func (d *Daemon) answerUsers(w http.ResponseWriter, by hotel.By, out any, err error) {
	status := http.StatusOK
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		refused, ok := errors.AsType[*hotel.Refusal](err)
		if status = http.StatusUnprocessableEntity; !ok {
			d.log.Error("users of the console", zap.Error(err))
			refused, status = hotel.Refuse("internal_error", "the daemon could not do it; its log says why"), http.StatusInternalServerError
		}
		out = map[string]any{"status": status, "code": refused.Code, "detail": refused.Detail, "request_id": by.RequestID}
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(out) // whoever asked may have left
}

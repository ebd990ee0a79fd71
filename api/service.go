package api

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel"
)

type serviceBody struct {
	Service     string            `json:"service" example:"Ostler"`
	Version     string            `json:"version" example:"1.0.0"`
	Environment string            `json:"environment" example:"production"`
	Links       map[string]string `json:"links" doc:"Addresses by name."`
}

type healthBody struct {
	Status string `json:"status" enum:"pass"`
}

type codeBody struct {
	Code   string `json:"code" example:"not_available"`
	Kind   string `json:"kind" enum:"problem,item" doc:"A problem's own code, or that of one of its errors."`
	Status int    `json:"status" example:"409" doc:"The HTTP status it comes with."`
	Title  string `json:"title,omitempty"`
	Detail string `json:"detail" doc:"What it means and what to do."`
}

// kept is a public answer that caches may keep for a while.
type kept[T any] struct {
	Cache string `header:"Cache-Control"`
	Body  T
}

func (s *server) registerService() {
	service := huma.Operation{
		OperationID: "get-service", Method: http.MethodGet, Path: "/{$}",
		Summary: "The service and where things are", Tags: []string{tagService},
	}
	register(s, service, access{public: true}, func(context.Context, *struct{}) (*kept[serviceBody], error) {
		return &kept[serviceBody]{publicCache, serviceBody{
			Service: "Ostler", Version: s.version, Environment: string(cmp.Or(s.only, s.environment)), Links: s.links(),
		}}, nil
	})
	// The address as it is published has no slash at its end; the mux would answer it
	// with a redirection in HTML.
	s.mux.HandleFunc(http.MethodGet+" "+prefix, func(w http.ResponseWriter, r *http.Request) {
		at := *r.URL
		at.Path = prefix + "/"
		with := *r
		with.URL = &at
		s.mux.ServeHTTP(w, &with)
	})
	// The mux writes {$} where the document writes nothing.
	paths := s.api.OpenAPI().Paths
	paths["/"] = paths["/{$}"]
	delete(paths, "/{$}")

	health := huma.Operation{
		OperationID: "get-health", Method: http.MethodGet, Path: "/health",
		Summary: "Whether the service answers", Tags: []string{tagService},
	}
	register(s, health, access{public: true, unlimited: true}, func(context.Context, *struct{}) (*answer[healthBody], error) {
		return &answer[healthBody]{Body: healthBody{Status: "pass"}}, nil
	})

	code := huma.Operation{
		OperationID: "get-problem", Method: http.MethodGet, Path: "/problems/{code}",
		Summary: "What a problem code means", Tags: []string{tagService}, Errors: []int{http.StatusNotFound},
	}
	register(s, code, access{public: true}, func(_ context.Context, in *struct {
		Code string `path:"code"`
	},
	) (*kept[codeBody], error) {
		body, ok := explain(in.Code)
		if !ok {
			return nil, hotel.Refuse("not_found", "There is no such code.")
		}
		return &kept[codeBody]{publicCache, body}, nil
	})
	s.registerRateLimit()
}

func explain(code string) (codeBody, bool) {
	if info, ok := codes[code]; ok {
		return codeBody{Code: code, Kind: "problem", Status: info.status, Title: info.title, Detail: info.meaning}, true
	}
	if meaning, ok := itemCodes[code]; ok {
		return codeBody{Code: code, Kind: "item", Status: codes[codeInvalid].status, Detail: meaning}, true
	}
	return codeBody{}, false
}

// links names the collections of the service.
func (s *server) links() map[string]string {
	links := map[string]string{
		"authorization_server": s.origin + wellKnownServer,
		"protected_resource":   resourceMetadata(s.base()),
		"docs":                 s.origin + docsPath,
	}
	for _, path := range []string{
		"/openapi.json", "/changelog", "/oauth/token", "/availability", "/reservations", "/guests", "/inventory", "/rates", "/restrictions",
		"/properties", "/room-types", "/rate-plans", "/pools", "/channels", "/events", "/event-types", "/webhook-endpoints", "/rate-limit", "/health",
	} {
		name := strings.NewReplacer("/", "_", "-", "_", ".json", "").Replace(path[1:])
		links[name] = s.base() + path
	}
	return links
}

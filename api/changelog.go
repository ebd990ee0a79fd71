package api

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

type changelogBody struct {
	Version    string           `json:"version" example:"1.0.0" doc:"Of the program."`
	APIVersion string           `json:"api_version" example:"v1"`
	Changes    []changeEntry    `json:"changes" doc:"The newest first."`
	Deprecated []deprecatedBody `json:"deprecated" doc:"Routes on their way out."`
}

type changeEntry struct {
	Version string `json:"version"`
	Kind    string `json:"kind" enum:"added,changed,deprecated,retired,fixed"`
	Text    string `json:"text"`
}

type deprecatedBody struct {
	Method       string  `json:"method"`
	Path         string  `json:"path"`
	DeprecatedAt string  `json:"deprecated_at" format:"date-time"`
	SunsetAt     string  `json:"sunset_at" format:"date-time" doc:"From then on it answers 410 version_retired."`
	Successor    *string `json:"successor"`
}

// apiChanges is what changed in /v1 with each version of the program, the newest
// first. Within v1 things are only added.
var apiChanges = []changeEntry{
	{"1.0.0", "added", "The first version."},
}

func (s *server) registerChangelog() {
	op := huma.Operation{
		OperationID: "get-changelog", Method: http.MethodGet, Path: "/changelog",
		Summary: "What changed, and what is on its way out", Tags: []string{tagService},
		Description: "Within v1 things are only added: routes, members, values, types of events. A route that goes is announced a year before, " +
			"here and with the headers Deprecation, Sunset and Link of its answers.",
	}
	register(s, op, access{public: true}, func(context.Context, *struct{}) (*kept[changelogBody], error) {
		b := changelogBody{Version: s.version, APIVersion: strings.TrimPrefix(prefix, "/"), Changes: apiChanges, Deprecated: s.retired()}
		return &kept[changelogBody]{publicCache, b}, nil
	})
}

// retired lists the routes that are on their way out.
func (s *server) retired() []deprecatedBody {
	list := []deprecatedBody{}
	for _, route := range slices.Sorted(maps.Keys(s.deprecated)) {
		d := s.deprecated[route]
		method, path, _ := strings.Cut(route, " ")
		list = append(list, deprecatedBody{method, prefix + path, stamp(d.since), stamp(d.sunset), orNull(d.successor)})
	}
	return list
}

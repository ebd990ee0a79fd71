package sync

import (
	"errors"
	"strings"

	"ostler.example/hotel"
)

// mistakes turns what is wrong with settings into a refusal with one item for
// each mistake, which connectors name by their paths.
func mistakes(err error) error {
	var items []hotel.RefusedItem
	for _, e := range parts(err) {
		path, what, named := strings.Cut(e.Error(), ": ")
		if !named {
			path, what = "", e.Error()
		}
		path = strings.TrimPrefix(path, "settings.")
		code := "format"
		switch {
		case what == "no such setting":
			code = "unknown_field"
		case strings.HasPrefix(what, "say "):
			code = "required"
		case strings.HasPrefix(path, "connectors."):
			// A mistake of the configuration, which its operator mends.
			path, what = "", path+": "+what
		}
		items = append(items, hotel.Wrong(pointer(path), code, "%s", what))
	}
	r := hotel.Refuse("validation_failed", "the settings have %d mistakes", len(items))
	if len(items) == 1 {
		r = hotel.Refuse("validation_failed", "settings: %s", items[0])
	}
	r.Items = items
	return r
}

func pointer(path string) string {
	if path == "" {
		return "/settings"
	}
	return "/settings/" + strings.ReplaceAll(path, ".", "/")
}

// parts takes joined errors apart.
func parts(err error) []error {
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, parts(e)...)
	}
	return all
}

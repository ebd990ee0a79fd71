package browser

import (
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// visited are the paths of pages that were looked at.
var visited = map[string]bool{}

// sightless are routes by which no page is shown, by what is.
var sightless = map[string]string{
	"/p/{property}/live":                 "events for pages that are open",
	"/p/{property}/guests/{id}/file":     "a file to keep",
	"/p/{property}/reports":              "leads to the first report",
	"/p/{property}/reports/{name}/table": "a file to keep",
}

// missed are the console's pages that no test has looked at, after all tests; nothing after some
// of them.
func missed() ([]string, error) {
	if flag.Lookup("test.run").Value.String() != "" || flag.Lookup("test.skip").Value.String() != "" {
		return nil, nil
	}
	source, err := os.ReadFile(filepath.Join("..", "internal", "console", "console.go"))
	if err != nil {
		return nil, err
	}
	var routes []string
	mux := http.NewServeMux()
	for _, found := range regexp.MustCompile(`(?m)^\t(?:\{"GET", "([^"]+)"|mux\.HandleFunc\("GET ([^"]+)")`).FindAllStringSubmatch(string(source), -1) {
		route := found[2]
		if route == "" {
			route = "/p/{property}/" + found[1]
		}
		routes = append(routes, route)
		mux.HandleFunc(route, http.NotFound)
	}
	if len(routes) < 40 {
		return nil, fmt.Errorf("console.go has %d routes of pages: they are written otherwise than they were", len(routes))
	}
	for at := range visited {
		_, route := mux.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: at}})
		routes = slices.DeleteFunc(routes, func(r string) bool { return r == route })
	}
	return slices.DeleteFunc(routes, func(r string) bool { return sightless[r] != "" }), nil
}

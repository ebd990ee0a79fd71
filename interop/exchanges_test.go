package interop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// exchange is a request and its answer, as the tests of package api note them.
type exchange struct {
	Test, Method, URL string
	Header            http.Header
	Body              string
	Status            int
	AnswerHeader      http.Header
	Answer            string
}

// Every request that was answered well, and every answer, is as the document says.
func TestExchangesAreAsDocumented(t *testing.T) {
	file, err := os.Open(os.Getenv("OSTLER_EXCHANGES"))
	if err != nil {
		t.Skip("run it by make interop, which has the tests of api note what they say:", err)
	}
	defer file.Close()
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromFile("../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc.Servers = nil // the exchanges have the path alone
	paths := openapi3.NewPaths()
	for path, item := range doc.Paths.Map() {
		paths.Set("/v1"+path, item)
	}
	doc.Paths = paths
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	openapi3filter.RegisterBodyDecoder("application/problem+json", openapi3filter.JSONBodyDecoder)
	openapi3filter.RegisterBodyDecoder("application/merge-patch+json", openapi3filter.JSONBodyDecoder)
	lines := bufio.NewReaderSize(file, 1<<20)
	checked, wrong := 0, map[string]int{}
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var x exchange
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatal(err)
		}
		if complaint := x.check(router); complaint != "" {
			wrong[complaint]++
			continue
		}
		checked++
	}
	known := differences(t)
	for _, complaint := range slices.Sorted(maps.Keys(wrong)) {
		if !known[complaint] {
			t.Errorf("%d times: %s", wrong[complaint], complaint)
		}
	}
	for complaint := range known {
		if wrong[complaint] == 0 {
			t.Errorf("it is as documented by now, take it out of known.txt: %s", complaint)
		}
	}
	if checked < 1000 {
		t.Errorf("%d exchanges were looked at; the tests of api have thousands", checked)
	}
	t.Log(checked, "exchanges are as documented")
}

// differences are those between program and document that have a reason, a line each.
func differences(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("known.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "Prism: ") {
			known[line] = true
		}
	}
	return known
}

// check returns what is wrong with an exchange, "" when nothing is or the document
// does not speak of it.
func (x *exchange) check(router routers.Router) string {
	if x.Status == http.StatusTeapot || x.AnswerHeader.Get("Sandbox") != "" {
		return "" // a test of the handler around all others, or of what lies before a pretend sandbox
	}
	r, err := http.NewRequest(x.Method, "http://hotel.example"+x.URL, strings.NewReader(x.Body))
	if err != nil {
		return ""
	}
	r.Header = x.Header
	route, params, err := router.FindRoute(r)
	if err != nil {
		return "" // no route, or a method that OpenAPI has no word for
	}
	in := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route, Options: &openapi3filter.Options{
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true, MultiError: false,
	}}
	place := x.Method + " " + route.Path + ": "
	if x.Status < 300 {
		if err := openapi3filter.ValidateRequest(r.Context(), in); err != nil {
			return place + "request " + brief(err)
		}
	}
	if x.Method == http.MethodHead || x.Status == http.StatusNotModified {
		return ""
	}
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: x.Status, Header: x.AnswerHeader, Body: io.NopCloser(bytes.NewBufferString(x.Answer)),
		Options: in.Options,
	}
	if err := openapi3filter.ValidateResponse(r.Context(), out); err != nil {
		return place + http.StatusText(x.Status) + " " + brief(err)
	}
	return ""
}

// brief is what an error says, without the schema and the value.
func brief(err error) string {
	text := err.Error()
	for _, end := range []string{"\nSchema:", "\n  Schema:", "Schema:"} {
		text, _, _ = strings.Cut(text, end)
	}
	text = numbers.ReplaceAllString(strings.Join(strings.Fields(text), " "), "N")
	return strings.TrimSpace(text)
}

var numbers = regexp.MustCompile(`\d+`)

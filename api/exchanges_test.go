package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
)

// exchanges is the file to which `make interop` has the tests write what they asked
// and were answered, for a program of others to hold against the document.
var exchanges = sync.OnceValues(func() (*os.File, error) {
	return os.OpenFile(os.Getenv("OSTLER_EXCHANGES"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
})

// longestNoted is the longest body that is written down: longer ones are those that mean
// harm, at which programs of others give up.
const longestNoted = 4 << 10

// note writes down a request and its answer, a line each.
func note(t testing.TB, method, target string, header http.Header, body string, answer *httptest.ResponseRecorder) {
	t.Helper()
	if os.Getenv("OSTLER_EXCHANGES") == "" || strings.HasPrefix(t.Name(), "Fuzz") || len(body) > longestNoted {
		return
	}
	file, err := exchanges()
	if err != nil {
		t.Fatal(err)
	}
	line, err := json.Marshal(map[string]any{
		"Test": t.Name(), "Method": method, "URL": target, "Header": header, "Body": body,
		"Status": answer.Code, "AnswerHeader": answer.Header(), "Answer": answer.Body.String(),
	})
	if err == nil {
		_, err = file.Write(append(line, '\n'))
	}
	if err != nil {
		t.Fatal(err)
	}
}

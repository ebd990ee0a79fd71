package client_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"ostler.example/internal/client"
)

// TestAllReadsEveryPage with what the path asks for on each.
func TestAllReadsEveryPage(t *testing.T) {
	next := map[string]string{"": `"b"`, "b": `"c"`, "c": "null"}
	var asked []string
	dir := daemon(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.RequestURI())
		cursor := r.URL.Query().Get("cursor")
		fmt.Fprintf(w, `{"data":["%s1","%s2"],"next_cursor":%s}`, cursor, cursor, next[cursor])
	})
	c := client.New(dir)
	defer c.Close()
	got, err := client.All[string](t.Context(), c, "/things?of=me")
	if err != nil || !slices.Equal(got, []string{"1", "2", "b1", "b2", "c1", "c2"}) {
		t.Errorf("%q, %v", got, err)
	}
	if want := "/v1/things?of=me&limit=200&cursor=c"; len(asked) != 3 || asked[2] != want {
		t.Errorf("asked %q", asked)
	}
	if _, err := client.All[int](t.Context(), c, "/things"); err == nil {
		t.Error("what cannot be read is no error")
	}
}

package connectortest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
)

// refusesForgeries checks that a genuine call without credentials, and with wrong ones, is
// refused and reaches nobody. Which of its headers hold them shows by garbling one at a
// time: at least one is refused for that as a stranger's, and then without it too. That a
// call is refused when all of them are gone proves nothing: it may be for want of another.
func refusesForgeries(t T, what string, h http.Handler, genuine *http.Request, body []byte, reached func() int) {
	try := func(how string, change func(http.Header)) (stranger bool) {
		r := again(genuine, body)
		change(r.Header)
		before, answer := reached(), httptest.NewRecorder()
		h.ServeHTTP(answer, r)
		stranger = answer.Code == http.StatusUnauthorized || answer.Code == http.StatusForbidden
		if n := reached() - before; how != "" && (answer.Code < 400 || n > 0) || stranger && n > 0 {
			t.Errorf("%s %s is answered %d and reaches us %d times", what, how, answer.Code, n)
		}
		return stranger
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(genuine.Header)), func(name string) bool {
		return name == "Content-Type" || name == "Content-Length" || name == "User-Agent" || name == "Accept-Encoding"
	})
	try("without credentials", func(h http.Header) {
		for _, name := range names {
			h.Del(name)
		}
	})
	try("with wrong credentials", func(h http.Header) {
		for _, name := range names {
			garble(h, name)
		}
	})
	guarded := false
	for _, name := range names {
		if try("", func(h http.Header) { garble(h, name) }) {
			guarded = true
			if !try("without "+name, func(h http.Header) { h.Del(name) }) {
				t.Errorf("%s without %s is not refused as a stranger's", what, name)
			}
		}
	}
	if !guarded {
		t.Errorf("%s is not refused as a stranger's, whichever of its headers is another: %v", what, names)
	}
}

// garble turns the values of a header around.
func garble(h http.Header, name string) {
	for i, v := range h[name] {
		b := []byte(v)
		slices.Reverse(b)
		h[name][i] = string(b)
	}
}

package api

import (
	"net/http"
	"strings"
)

// Unopened answers every request while there is no ledger yet to answer from: why says, as a
// sentence, what it waits for, and after is in how many seconds it is worth to ask again.
func Unopened(version, why string, after int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{requestID: requestID(r), url: r.URL, header: w.Header()}
		c.head(version)
		if strings.HasPrefix(r.URL.Path, oauthPrefix) {
			(&oauthError{Code: "temporarily_unavailable", Description: why, status: http.StatusServiceUnavailable, after: after}).write(w)
			return
		}
		(&problem{Code: "temporarily_unavailable", Detail: why, members: map[string]any{"retry_after": after}}).complete(c).write(w)
	})
}

package app

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/zap"
)

// TestDoctorFollowsTheWayToAFarSide that does not answer: it says where that ends, with what
// to do there.
func TestDoctorFollowsTheWayToAFarSide(t *testing.T) {
	t.Setenv("HTTP_PROXY", "")
	t.Setenv("HTTPS_PROXY", "")
	plain, secure, gone := httptest.NewServer(http.NotFoundHandler()), httptest.NewTLSServer(http.NotFoundHandler()), httptest.NewServer(http.NotFoundHandler())
	secure.Config.ErrorLog = complaintsTo(zap.NewNop())
	gone.Close()
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	lost := func(_ context.Context, host string) error { return errors.New("lookup " + host + ": no such host") }
	for _, c := range []struct {
		name, settings string
		found          func(context.Context, string) error
		says, do       string // "": nothing is said of the way
	}{
		{"no name", `{"secret":"***","url":"https://far.example/in"}`, lost, "its name is not found: lookup far.example: no such host", "/etc/resolv.conf"},
		{"nobody there", `{"url":"` + gone.URL + `"}`, nil, "nothing is reached there: ", "firewall"},
		{"a certificate of nobody's", `{"url":"` + secure.URL + `/in"}`, nil, "its certificate is not accepted: ", "ca-certificates"},
		{"the way is free", `{"url":"` + plain.URL + `","hotel":"H1","rooms":3}`, nil, "does not answer as it should: it is silent", "ostler channel show ch_1"},
		{"no address", `{"hotel":"H1"}`, lost, "does not answer as it should: it is silent", "ostler channel show ch_1"},
		{"settings that cannot be used", `null`, lost, "does not answer as it should: it is silent", "ostler channel show ch_1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := askedOf(t, map[string]string{
				"GET /v1/channels":               `{"data":[{"id":"ch_1","status":"active","settings":` + c.settings + `}]}`,
				"GET /v1/channels/ch_1/mappings": `{"mappings":[{}]}`, "POST /v1/channels/ch_1/test": `{"code":"channel_error","detail":"it is silent"}`,
			}, func(d *doctor) {
				if c.found != nil {
					d.machine.found = c.found
				}
				d.channels()
			})
			if len(bad) != 1 || bad[0].Level != Fault || !strings.Contains(bad[0].Says, c.says) || !strings.Contains(bad[0].Says, "it is silent") || !strings.Contains(bad[0].Do, c.do) {
				t.Errorf("the doctor says %+v, want %q and %q", bad, c.says, c.do)
			}
		})
	}
}

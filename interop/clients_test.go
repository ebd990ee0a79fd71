package interop

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dunglas/httpsfv"
	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"golang.org/x/oauth2/clientcredentials"
)

// demo is demo.json of a running demo, which make interop starts.
type demo struct {
	BaseURL    string `json:"base_url"`
	PropertyID string `json:"property_id"`
	Clients    map[string]struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	} `json:"clients"`
}

func running(t *testing.T) (demo, *http.Client) {
	t.Helper()
	text, err := os.ReadFile(os.Getenv("OSTLER_DEMO"))
	if err != nil {
		t.Skip("run it by make interop, which starts a demo:", err)
	}
	var d demo
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	c := clientcredentials.Config{ClientID: d.Clients["production"].ID, ClientSecret: d.Clients["production"].Secret, TokenURL: d.BaseURL + "/oauth/token"}
	return d, c.Client(context.Background())
}

// post sends JSON and reads the answer.
func post(t *testing.T, c *http.Client, url, body string) map[string]any {
	t.Helper()
	answer, err := c.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var v map[string]any
	if err := json.NewDecoder(answer.Body).Decode(&v); err != nil || answer.StatusCode >= 300 {
		t.Fatal(answer.Status, v, err)
	}
	return v
}

func TestTokensAndLimitsAreReadByOthers(t *testing.T) {
	d, c := running(t)
	answer, err := c.Get(d.BaseURL + "/rate-limit")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
	for field, members := range map[string][]string{"RateLimit-Policy": {"q", "w"}, "RateLimit": {"r", "t"}} {
		list, err := httpsfv.UnmarshalList(answer.Header.Values(field))
		if err != nil || len(list) != 1 {
			t.Fatal(field, answer.Header.Values(field), err)
		}
		for _, name := range members {
			if n, ok := list[0].(httpsfv.Item).Params.Get(name); !ok || n.(int64) < 0 {
				t.Errorf("%s of %s is %v", name, field, n)
			}
		}
	}
}

func TestWebhooksAreVerifiedByOthers(t *testing.T) {
	vector, err := webhooks.NewWebhook("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
	if err != nil {
		t.Fatal(err)
	}
	signed, err := vector.Sign("evt_01TEST", time.Unix(1795219200, 0), []byte(`{"type":"webhook.ping","timestamp":"2026-11-21T00:00:00Z","data":{}}`))
	if want := "v1,CS06OMsOl+a27PIx8ws3khQAd/COG53P/jDGUo2xqmM="; err != nil || signed != want {
		t.Errorf("%s %v, want %s", signed, err, want)
	}
	d, c := running(t)
	type call struct {
		header http.Header
		body   []byte
	}
	heard := make(chan call, 8)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		heard <- call{r.Header, body}
	}))
	defer receiver.Close()
	endpoint := post(t, c, d.BaseURL+"/webhook-endpoints", `{"url":"`+receiver.URL+`","event_types":["guest.*"]}`)
	at := d.BaseURL + "/webhook-endpoints/" + endpoint["id"].(string)
	guest := func(last string) func() {
		return func() {
			post(t, c, d.BaseURL+"/guests", `{"property_id":"`+d.PropertyID+`","last_name":"`+last+`"}`)
		}
	}
	ping := func() { post(t, c, at+"/test", ``) }
	rotate := func(overlap string) string {
		return post(t, c, at+"/rotate-secret", `{"overlap_hours":`+overlap+`}`)["secret"].(string)
	}
	// verify has something happen, and looks whose signature the call bears that tells of it.
	verify := func(happens func(), kind string, good, ended []string) {
		t.Helper()
		happens()
		got := <-heard
		var event struct{ ID, Type string }
		if err := json.Unmarshal(got.body, &event); err != nil || event.Type != kind || event.ID != got.header.Get("Webhook-Id") {
			t.Errorf("heard %s, %v, want %s", got.body, err, kind)
		}
		for _, secret := range append(append([]string{}, good...), ended...) {
			w, err := webhooks.NewWebhook(secret)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Verify(got.body, got.header); (err == nil) != slices.Contains(good, secret) {
				t.Errorf("%s is verified by secret %q: %v", kind, secret, err)
			}
		}
	}
	first := endpoint["secret"].(string)
	verify(guest("Before"), "guest.created", []string{first}, nil)
	second := rotate("24")
	verify(guest("Meanwhile"), "guest.created", []string{first, second}, nil)
	verify(ping, "webhook.ping", []string{first, second}, nil)
	third := rotate("0")
	verify(guest("Afterwards"), "guest.created", []string{third}, []string{first, second})
}

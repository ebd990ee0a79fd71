package mock

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

// says is a far side that answers everything with the same bytes.
type says []byte

// RoundTrip implements [http.RoundTripper].
func (s says) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: r,
		Body: io.NopCloser(bytes.NewReader(s)),
	}, nil
}

// hears is a channel to a far side that says so.
func hears(body []byte) *conn {
	c := sound()
	c.URL = "http://far.invalid"
	return &conn{cfg: c, call: transport.Caller{Client: transport.New(transport.Options{Base: says(body)}), Clock: hotel.SystemClock{}}}
}

// FuzzProducts: whatever the far side says of its catalogue is one or an error of the
// far side.
func FuzzProducts(f *testing.F) {
	f.Add([]byte(`{"products":[{"room":"DBL","room_name":"Double","rate":"BAR","rate_name":"Best price"},{"room":"SGL"}]}`))
	f.Add([]byte(`{"products":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		products, err := hears(body).Products(t.Context())
		if e := connectors.AsError(err); err != nil && (e.Kind != connectors.Temporary || len(products) > 0) {
			t.Errorf("%q is %v with %v", body, err, products)
		}
	})
}

// FuzzAct: an action counts as done or refused by an answer that is about its booking
// alone, and any other answer leaves open what became of it.
func FuzzAct(f *testing.F) {
	f.Add([]byte(`{"reference":"R1","done":true}`))
	f.Add([]byte(`{"reference":"R1","done":false,"reason":"too late, secret"}`))
	f.Add([]byte(`{"reference":"R2","done":true}`))
	f.Add([]byte(`{"done":true}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		verdict, err := pulled{hears(body)}.Act(t.Context(), connectors.Action{ID: "act_1", Kind: hotel.ActionCancel, Ref: "R1"})
		var e *connectors.Error
		switch {
		case errors.As(err, &e) && (e.Effect == connectors.NotSent || e.Kind != connectors.Temporary):
			t.Errorf("%q is an answer, and %v", body, err)
		case err == nil && (verdict.Outcome == connectors.Unknown || !names(body, "R1")):
			t.Errorf("%q is the verdict %+v", body, verdict)
		case err != nil && verdict != connectors.Verdict{}:
			t.Errorf("%q is the verdict %+v and %v", body, verdict, err)
		case len(verdict.Words) > maxWords:
			t.Errorf("%d bytes of words are kept", len(verdict.Words))
		}
	})
}

// names reports whether a JSON object has the text as one of its values.
func names(body []byte, text string) bool {
	var object map[string]any
	_ = json.Unmarshal(body, &object) // no object names nothing
	for _, value := range object {
		if value == text {
			return true
		}
	}
	return false
}

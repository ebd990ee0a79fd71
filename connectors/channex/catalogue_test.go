package channex

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

// catalogue is a Channex that has nothing to say but its room types and rate plans.
type catalogue struct{ rooms, plans []byte }

// RoundTrip implements [http.RoundTripper].
func (c catalogue) RoundTrip(r *http.Request) (*http.Response, error) {
	body := c.plans
	if strings.HasSuffix(r.URL.Path, "/room_types") {
		body = c.rooms
	}
	return &http.Response{
		StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: r,
		Body: io.NopCloser(bytes.NewReader(body)),
	}, nil
}

// FuzzProducts: whatever Channex says of its rooms and rates is a catalogue in which each
// rate belongs to its room, or an error of the far side.
func FuzzProducts(f *testing.F) {
	rooms := []byte(`{"data":[{"id":"TWIN","attributes":{"title":"Twin"}},{"id":"SGL","attributes":{"title":"Single"}}],"meta":{"total":2}}`)
	plans := []byte(`{"data":` + twoOptions + `,"meta":{"total":1}}`)
	f.Add(rooms, plans)
	f.Add(rooms, []byte(`{"data":[],"meta":{"total":0}}`))
	f.Add([]byte(`{"data":[{"id":"TWIN"}],"meta":{"total":1e9}}`), plans)
	f.Fuzz(func(t *testing.T, rooms, plans []byte) {
		c := &conn{cfg: sound(), call: transport.Caller{Client: transport.New(transport.Options{Base: catalogue{rooms, plans}}), Clock: hotel.SystemClock{}}}
		products, err := c.Products(t.Context())
		if e := connectors.AsError(err); err != nil && (e.Kind != connectors.Temporary || len(products) > 0) {
			t.Errorf("%q and %q are %v with %v", rooms, plans, err, products)
		}
	})
}

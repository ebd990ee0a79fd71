package testkit

import (
	"net/http"
	"testing"

	"ostler.example/connectors"
	_ "ostler.example/connectors/channex" // what talks to it
	"ostler.example/connectors/channex/simulator"
	"ostler.example/hotel"
)

// Channex is a pretend Channex that a test holds in its hands.
type Channex struct {
	*simulator.Simulator
	Host string
}

// OpenChannex opens one at http://HOST that calls its webhook, at inbound, through
// client.
func OpenChannex(t testing.TB, host, inbound string, client *http.Client, products []connectors.RemoteProduct) Channex {
	t.Helper()
	s, err := simulator.Open(connectors.SimulatorOptions{
		Hotel: "P1", Secret: secret, Products: products, Clock: hotel.SystemClock{}, InboundURL: func() string { return inbound }, Client: client,
	})
	if err != nil {
		t.Fatal(err)
	}
	return Channex{s, host}
}

// Settings returns the settings of the channel that talks to it.
func (c Channex) Settings() []byte { return c.Simulator.Settings("http://" + c.Host) }

// Account returns the account of the channel that talks to it.
func (c Channex) Account() string { return "channex:http://" + c.Host + "/api/v1 P1" }

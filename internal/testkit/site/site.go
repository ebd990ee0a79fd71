// Package site is a pretend site of calendars for tests of the engine. It is apart
// from testkit, which the calendars' own tests use.
package site

import (
	"net/http"
	"testing"

	"ostler.example/connectors"
	_ "ostler.example/connectors/ical" // what talks to it
	"ostler.example/connectors/ical/simulator"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// Request is what a guest of the site asks for.
type Request = simkit.Request

// Site is the site. What it shows and has sold lives as long as the test.
type Site = simulator.Simulator

// Open opens one that sells the rooms of the products and reads our calendars
// through the client.
func Open(t testing.TB, products []connectors.RemoteProduct, client *http.Client) *Site {
	t.Helper()
	s, err := simulator.Open(connectors.SimulatorOptions{
		Preset: "airbnb", Hotel: "H1", Secret: "s3cret", Products: products, Clock: hotel.SystemClock{}, Client: client,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close the site: %v", err)
		}
	})
	return s
}

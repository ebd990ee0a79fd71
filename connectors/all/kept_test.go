package all

import (
	"encoding/json"
	"testing"

	"ostler.example/connectors"
)

// A secret goes to another address only when whoever changes it says the secret.
func TestCheckKept(t *testing.T) {
	operators := map[string]any{"url": "https://a.example", "secret": "secret:house"}
	const (
		own   = `{"url":"https://a.example","hotel":"H1","secret":"s3cret"}`
		named = `{"url":"https://a.example","hotel":"H1","secret":"secret:far"}`
	)
	for _, c := range []struct {
		name      string
		connector string
		defaults  map[string]any
		was, is   string
		given     string
		refused   bool
	}{
		{"nothing about the address", "mock", nil, own, `{"url":"https://a.example","hotel":"H2","secret":"s3cret"}`, `{"hotel":"H2"}`, false},
		{"kept by silence", "mock", nil, own, `{"url":"https://b.example","hotel":"H1","secret":"s3cret"}`, `{"url":"https://b.example"}`, true},
		{"kept by its mask", "mock", nil, own, `{"url":"https://b.example","hotel":"H1","secret":"s3cret"}`, `{"url":"https://b.example","secret":"***"}`, true},
		{"said again", "mock", nil, own, `{"url":"https://b.example","hotel":"H1","secret":"s3cret"}`, `{"url":"https://b.example","secret":"s3cret"}`, false},
		{"named as before", "mock", nil, named, `{"url":"https://b.example","hotel":"H1","secret":"secret:far"}`, `{"url":"https://b.example","secret":"secret:far"}`, true},
		{"another name", "mock", nil, named, `{"url":"https://b.example","hotel":"H1","secret":"secret:other"}`, `{"url":"https://b.example","secret":"secret:other"}`, false},
		{"a new channel with its own", "mock", nil, `{}`, own, own, false},
		{"a new channel at the configuration's address", "mock", operators, `{}`, `{"hotel":"H1"}`, `{"hotel":"H1"}`, false},
		{"a new channel that takes the configuration's secret elsewhere", "mock", operators, `{}`, `{"url":"https://b.example"}`, `{"url":"https://b.example"}`, true},
		{"or names it", "mock", operators, `{}`, `{"url":"https://b.example","secret":"secret:house"}`, `{"url":"https://b.example","secret":"secret:house"}`, true},
		{"one with its own elsewhere", "mock", operators, `{}`, `{"url":"https://b.example","secret":"s3cret"}`, `{"url":"https://b.example","secret":"s3cret"}`, false},
		{
			"a program's settings", "process", nil, `{"program":"p","settings":{"at":"a.example"},"secrets":{"key":"s3cret"}}`,
			`{"program":"p","settings":{"at":"b.example"},"secrets":{"key":"s3cret"}}`, `{"settings":{"at":"b.example"}}`, true,
		},
		{
			"with what it is to know", "process", nil, `{"program":"p","settings":{"at":"a.example"},"secrets":{"key":"s3cret"}}`,
			`{"program":"p","settings":{"at":"b.example"},"secrets":{"key":"s3cret"}}`, `{"settings":{"at":"b.example"},"secrets":{"key":"s3cret"}}`, false,
		},
		{"an agency's channel manager", "channex", nil, `{"api_key":"k"}`, `{"url":"https://b.example","api_key":"k"}`, `{"url":"https://b.example"}`, true},
		{"a portal", "alpinebits", nil, `{"url":"https://a.example","password":"k"}`, `{"url":"https://b.example","password":"k"}`, `{"url":"https://b.example"}`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			driver, ok := connectors.Lookup(c.connector)
			if !ok {
				t.Fatal("no such connector")
			}
			err := driver.CheckKept(c.defaults, json.RawMessage(c.was), json.RawMessage(c.is), json.RawMessage(c.given))
			if (err != nil) != c.refused {
				t.Errorf("%v, want refused %v", err, c.refused)
			}
		})
	}
}

package connectors_test

import (
	"net/url"
	"testing"

	"ostler.example/connectors"
)

func TestCheckPlain(t *testing.T) {
	for address, allowed := range map[string]bool{
		"https://channel.example":        true,
		"http://channel.example":         false,
		"http://192.0.2.7":               false,
		"http://8.8.8.8:8080/x":          false,
		"http://[2a00::1]":               false,
		"http://localhost.example":       false,
		"http://127.0.0.1.example":       false,
		"http://mylocalhost":             false,
		"http://169.254.169.254/latest":  false,
		"http://127.0.0.1:9":             true,
		"http://[::1]:9":                 true,
		"http://[::ffff:127.0.0.1]":      true,
		"http://10.1.2.3":                true,
		"http://192.168.0.4":             true,
		"http://[fd00::1]":               true,
		"http://localhost:8080":          true,
		"http://LOCALHOST.:8080":         true,
		"http://ch_1.sandbox.localhost/": true,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if err := connectors.CheckPlain(u); (err == nil) != allowed {
			t.Errorf("%s: %v, want allowed %v", address, err, allowed)
		}
	}
}

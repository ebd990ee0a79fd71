package config_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/internal/config"
)

func TestChanged(t *testing.T) {
	for _, c := range []struct {
		name, from, to string
		live, later    []string
	}{
		{"nothing, though it is written differently", "[log]\nlevel = \"info\"", "log.level = \"info\"", nil, nil},
		{"what is taken over", "", "[log]\nlevel = \"debug\"\n[rate_limits.tiers]\nstandard = 5\ngold = 6", []string{"log.level", "rate_limits.tiers.gold", "rate_limits.tiers.standard"}, nil},
		{"a tier that is gone", "[rate_limits.tiers]\ngold = 6", "", []string{"rate_limits.tiers.gold"}, nil},
		{"secrets", "[secrets]\na = \"/a\"\nb = \"/b\"", "[secrets]\na = \"/other\"\nc = \"/c\"", []string{"secrets.a", "secrets.b", "secrets.c"}, nil},
		{
			"another certificate, and the first one", "api.tls_cert = \"/a\"\napi.tls_key = \"a\"\n[secrets]\na = \"/k\"", "api.tls_cert = \"/b\"\napi.tls_key = \"a\"\ninbound.tls_cert = \"/a\"\ninbound.tls_key = \"a\"\n[secrets]\na = \"/k\"",
			[]string{"api.tls_cert"},
			[]string{"inbound.tls_cert", "inbound.tls_key"},
		},
		{
			"what waits for the next start",
			"",
			"data = \"/srv/o\"\npublic_url = \"https://h.example\"\napi.listen = \"127.0.0.1:1\"\ninbound.listen = \"127.0.0.1:2\"\nadmin.listen = \":3\"\nlog.format = \"console\"\n" +
				"[sync]\ncollect = \"1s\"\ncall_timeout = \"1s\"\nbreaker_failures = 1\nbreaker_open = \"1s\"\n" +
				"[connectors.mock]\ntimeout = \"1s\"",
			nil,
			[]string{
				"data", "public_url", "api.listen", "inbound.listen", "admin.listen", "log.format",
				"sync.collect", "sync.call_timeout", "sync.breaker_failures", "sync.breaker_open",
				"connectors.mock",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			from, err := config.Parse(c.from)
			if err != nil {
				t.Fatal(err)
			}
			to, err := config.Parse(c.to)
			if err != nil {
				t.Fatal(err)
			}
			live, later := config.Changed(from, to)
			if diff := cmp.Diff([][]string{c.live, c.later}, [][]string{live, later}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

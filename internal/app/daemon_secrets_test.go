package app

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/internal/config"
)

// TestSecretsThatAreRenewed are used from a reload on, but for those that sealed what is in
// the ledger; channels are opened anew for such alone as they may name.
func TestSecretsThatAreRenewed(t *testing.T) {
	before := config.Secrets{
		"wire": {Value: "a", Own: "api.tls_key"}, "seal": {Value: "a", Own: sealKeyPath}, "portal": {Value: "a"},
	}
	for _, c := range []struct {
		name   string
		change config.Secrets
		want   secretsRenewed
	}{
		{"nothing", nil, secretsRenewed{}},
		{"the key of a certificate", config.Secrets{"wire": {Value: "b", Own: "api.tls_key"}}, secretsRenewed{applied: []string{"secrets.wire"}}},
		{"the key of what is sealed", config.Secrets{"seal": {Value: "b\na", Own: sealKeyPath}}, secretsRenewed{waiting: []string{"secrets.seal"}}},
		{"a channel's", config.Secrets{"portal": {Value: "b"}}, secretsRenewed{applied: []string{"secrets.portal"}, channels: true}},
		{"one more", config.Secrets{"site": {Value: "b"}}, secretsRenewed{applied: []string{"secrets.site"}, channels: true}},
		{"one that channels may name no more", config.Secrets{"portal": {Value: "a", Own: "notify.smtp_password"}}, secretsRenewed{applied: []string{"secrets.portal"}, channels: true}},
	} {
		now := maps.Clone(before)
		maps.Copy(now, c.change)
		for _, time := range []string{"at once", "by the next reload"} {
			if diff := cmp.Diff(c.want, renewSecrets(before, now), cmp.AllowUnexported(secretsRenewed{})); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", c.name, time, diff)
			}
			if now["seal"] != before["seal"] {
				t.Errorf("%s: what opens the ledger's secrets is another before the next start", c.name)
			}
			maps.Copy(now, c.change)
		}
	}
	now := maps.Clone(before)
	delete(now, "portal")
	if got := renewSecrets(before, now); !got.channels {
		t.Errorf("one less: %+v", got)
	}
}

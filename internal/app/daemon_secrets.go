package app

import (
	"maps"
	"slices"

	"ostler.example/internal/config"
)

// sealKeyPath is the key of the configuration that names the keys with which secrets in
// the ledger are sealed. What they have sealed is sealed anew at a start alone.
const sealKeyPath = "ledger.seal_key"

// secretsRenewed is what it means that secrets are others than before, by their keys of the
// configuration.
type secretsRenewed struct {
	applied  []string // what is used from now on
	waiting  []string // what is used from the next start on
	channels bool     // whether there is something among them that channels may name
}

// renewSecrets compares the secrets of before with those that were read now. Those that
// wait for a start are put back as they were, so that each reload until then names them.
func renewSecrets(before, now config.Secrets) secretsRenewed {
	var r secretsRenewed
	all := maps.Clone(before)
	maps.Copy(all, now)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		was, known := before[name]
		is, kept := now[name]
		switch path := "secrets." + name; {
		case known == kept && was == is:
		case known && was.Own == sealKeyPath:
			now[name] = was
			r.waiting = append(r.waiting, path)
		case is.Own == sealKeyPath:
			r.waiting = append(r.waiting, path)
		default:
			r.applied = append(r.applied, path)
			r.channels = r.channels || known && was.Own == "" || kept && is.Own == ""
		}
	}
	return r
}

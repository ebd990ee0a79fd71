package sync_test

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// restoreMistakes are lines of the program that are written wrongly and concern the audit of
// channels behind a restored backup. Worlds in which one is restored find them.
var restoreMistakes = []mistake{
	{"an audit goes by counts alone", "sync/inbound/auditor.go", "	case a.Lists:\n", "	case a.Lists:\n		means.Listed = true\n	case false:\n"},
	{"accounts of before a restore are trusted", "ledger/estrange.go", "		if err := t.estrange(row.PropertyID, row.ID); err != nil {\n", "		if err := t.renewParties(row.PropertyID, row.ID); err != nil {\n"},
	{"an audit asks the feed, which tells once what it has sold", "sync/inbound/auditor.go", "	case a.Lists:\n", "	case a.Lists && a.Poller == nil:\n"},
}

var foundInRestored = regexp.MustCompile(`(?m)^ +(?:restore|guarded(?:_loss)?)_test\.go:\d+: (.*)$`)

// playRestored plays one world in which a backup is restored and returns the first thing that
// went wrong in it.
func playRestored(t *testing.T, binary string, seed uint64) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), binary, "-test.run", "^TestRestoredBackup$", "-restore.seed", fmt.Sprint(seed), "-restore.seeds", "1").CombinedOutput()
	if err == nil {
		return ""
	}
	if what := foundInRestored.FindSubmatch(out); what != nil {
		return strings.TrimSpace(string(what[1]))
	}
	t.Errorf("world %d ended badly: %s", seed, out)
	return ""
}

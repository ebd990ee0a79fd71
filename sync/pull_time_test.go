package sync

import (
	"testing"
	"time"

	"ostler.example/connectors"
)

// A pull takes as long as the connector says that it may, within bounds.
func TestPullTime(t *testing.T) {
	for says, want := range map[time.Duration]time.Duration{0: pullTimeout, time.Second: pullTimeout, 50 * time.Second: 50 * time.Second, time.Hour: longestPull} {
		if got := pullTime(connectors.Capabilities{PullTime: says}); got != want {
			t.Errorf("of %s it takes %s, want %s", says, got, want)
		}
	}
}

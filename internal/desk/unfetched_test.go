package desk

import (
	"testing"
	"time"
)

func TestUnfetched(t *testing.T) {
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		schedule string
		ago      time.Duration
		want     bool
	}{
		{"@every 60s", time.Minute, false},
		{"@every 60s", 11 * time.Minute, false},
		{"@every 60s", 11*time.Minute + time.Second, true},
		{"@every 6h", 6 * time.Hour, false},
		{"@every 6h", 7 * time.Hour, true},
		{"0 8 * * *", 24 * time.Hour, true},
		{"55 8 * * *", 24 * time.Hour, false},
		{"@every 60s", -time.Hour, false}, // by a clock that was set back since
		{"", time.Hour, false},
	} {
		if got := Unfetched(c.schedule, now.Add(-c.ago), now); got != c.want {
			t.Errorf("%s, last fetched %s ago: %v", c.schedule, c.ago, got)
		}
	}
}

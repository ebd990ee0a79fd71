package auth

import (
	"testing"
	"time"
)

func TestSetTiers(t *testing.T) {
	a := &Authority{clock: frozen{}, windows: newWindows(nil)}
	a.SetTiers(Tiers{Standard: 2, "gold": 9})
	gold := Who{ClientID: "c", Environment: Production, Tier: "gold"}
	if q := a.Count(gold); q.Limit != 9 || q.Remaining != 8 {
		t.Errorf("before: %+v", q)
	}
	a.SetTiers(Tiers{Standard: 2, "gold": 5})
	if q := a.Count(gold); q.Limit != 5 || q.Remaining != 3 {
		t.Errorf("a lower limit, with what was counted: %+v", q)
	}
	a.SetTiers(Tiers{Standard: 2})
	if q := a.Count(gold); q.Limit != 2 || !q.Exceeded {
		t.Errorf("a tier that is gone: %+v", q)
	}
}

// frozen is a clock that stands still.
type frozen struct{}

func (frozen) Now() time.Time                { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) }
func (frozen) Until(time.Time) time.Duration { return 0 }
func (f frozen) Steady() time.Time           { return f.Now() }

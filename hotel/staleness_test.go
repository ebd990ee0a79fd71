package hotel

import (
	"errors"
	"testing"
	"time"
)

func TestStalenessOf(t *testing.T) {
	of := &StalenessPolicy{AfterMinutes: 30, FreeAtMost: 1, Then: []StaleStep{StaleCall}}
	for name, c := range map[string]struct {
		channel, property Policies
		level, value      string
	}{
		"nobody has said anything": {level: "default", value: "after 10 minutes, at most 2 free: other_route, call"},
		"the property has":         {property: Policies{Staleness: of}, level: "property", value: "after 30 minutes, at most 1 free: call"},
		"the channel has, whole":   {channel: Policies{Staleness: &StalenessPolicy{AfterMinutes: 5}}, property: Policies{Staleness: of}, level: "channel", value: "after 5 minutes, at most 0 free: "},
	} {
		p, got := StalenessOf(c.channel, c.property)
		if got != (Applied{c.level, "staleness", c.value}) {
			t.Errorf("%s: %+v", name, got)
		}
		if read, ok := ReadStaleness(got.Value); !ok || read.String() != p.String() {
			t.Errorf("%s: read as %+v", name, read)
		}
	}
}

func TestStalenessStep(t *testing.T) {
	for name, c := range map[string]struct {
		then    []StaleStep
		step    StaleStep
		without int
	}{
		"nothing is said":                  {nil, "", 0},
		"the only step cannot be taken":    {[]StaleStep{StaleOtherRoute}, "", 1},
		"the next of the list is taken":    {[]StaleStep{StaleOtherRoute, StaleCall}, StaleCall, 1},
		"the first is taken, of what else": {[]StaleStep{StaleCall, StaleOtherRoute}, StaleCall, 0},
	} {
		if step, without := (StalenessPolicy{Then: c.then}).Step(); step != c.step || len(without) != c.without {
			t.Errorf("%s: %q without %v", name, step, without)
		}
	}
}

func TestStalenessExposes(t *testing.T) {
	p, now := StalenessPolicy{AfterMinutes: 10, FreeAtMost: 2}, time.Unix(1e9, 0)
	for name, c := range map[string]struct {
		shown *int64
		free  int
		want  bool
	}{
		"closed there":                {new(int64(0)), 0, false},
		"sold out, and on sale there": {new(int64(1)), 0, true},
		"few are left":                {new(int64(1)), 2, true},
		"many are left":               {new(int64(9)), 3, false},
		"nobody knows what it shows":  {nil, 2, true},
	} {
		if got := p.Exposes(c.shown, c.free); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if p.Due(now.Add(-10*time.Minute+1), now) || !p.Due(now.Add(-10*time.Minute), now) || p.Due(time.Time{}, now) {
		t.Error("due at another time than after ten minutes")
	}
}

func TestStalenessPoliciesThatCannotBe(t *testing.T) {
	p := Policies{Staleness: &StalenessPolicy{FreeAtMost: -1, Then: []StaleStep{StaleCall, "shout", StaleCall, StaleOtherRoute}}}
	r, _ := errors.AsType[*Refusal](p.Check())
	got := ""
	for _, i := range r.Items {
		got += i.Pointer + " " + i.Code + "\n"
	}
	if want := "/staleness/after_minutes min\n/staleness/free_at_most max\n/staleness/then/1 enum\n/staleness/then/2 enum\n/staleness/then/3 enum\n"; got != want {
		t.Errorf("refused\n%swant\n%s", got, want)
	}
}

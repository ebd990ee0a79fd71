package hotel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// StaleStep is something that can be done about a channel that is out of date.
type StaleStep string

// StaleOtherRoute closes the nights at the channel itself, where it is told closings in
// other calls than counts,
// StaleCloseOut closes the nights everywhere, so that what is left stays for it, and
// StaleCall calls whoever is on duty.
const (
	StaleOtherRoute StaleStep = "other_route"
	StaleCloseOut   StaleStep = "close_out"
	StaleCall       StaleStep = "call"
)

// StalenessPolicy says what is done about a channel that has not been told how many
// rooms are left, while it may still sell nights on which they are few.
type StalenessPolicy struct {
	AfterMinutes int         `json:"after_minutes"` // since the oldest change that it does not know
	FreeAtMost   int         `json:"free_at_most"`  // rooms of a type that are left on a night, inclusive
	Then         []StaleStep `json:"then"`          // the first that can be taken; none: nothing is done
}

// standardStaleness holds where nobody has said anything.
var standardStaleness = StalenessPolicy{AfterMinutes: 10, FreeAtMost: 2, Then: []StaleStep{StaleOtherRoute, StaleCall}}

// maxStaleMinutes is the longest that a channel may be out of date before something
// is done.
const maxStaleMinutes = 24 * 60

// StalenessOf returns the policy for a channel: its own, that of its property, or
// the default. It is taken over whole.
func StalenessOf(channel, property Policies) (StalenessPolicy, Applied) {
	p, applied := standardStaleness, Applied{Level: "default", Field: "staleness"}
	switch {
	case channel.Staleness != nil:
		p, applied.Level = *channel.Staleness, "channel"
	case property.Staleness != nil:
		p, applied.Level = *property.Staleness, "property"
	}
	applied.Value = p.String()
	return p, applied
}

func (p StalenessPolicy) String() string {
	steps := make([]string, len(p.Then))
	for i, s := range p.Then {
		steps[i] = string(s)
	}
	return fmt.Sprintf("after %d minutes, at most %d free: %s", p.AfterMinutes, p.FreeAtMost, strings.Join(steps, ", "))
}

// ReadStaleness reads a policy as String has it, which is how it is kept of a conflict.
func ReadStaleness(text string) (p StalenessPolicy, ok bool) {
	limits, steps, ok := strings.Cut(text, ": ")
	if !ok {
		return p, false
	}
	if _, err := fmt.Sscanf(limits, "after %d minutes, at most %d free", &p.AfterMinutes, &p.FreeAtMost); err != nil {
		return p, false
	}
	if steps != "" {
		for step := range strings.SplitSeq(steps, ", ") {
			p.Then = append(p.Then, StaleStep(step))
		}
	}
	return p, true
}

// Routes reports whether what a channel may sell is cut by another route, where there
// is one, before anything else is done.
func (p StalenessPolicy) Routes() bool { return len(p.Then) > 0 && p.Then[0] == StaleOtherRoute }

// Step returns what is done, "" for nothing, about what no other route has cut, and what
// comes before it.
func (p StalenessPolicy) Step() (step StaleStep, before []StaleStep) {
	for _, s := range p.Then {
		if s != StaleOtherRoute {
			return s, before
		}
		before = append(before, s)
	}
	return "", before
}

// closes reports whether nights may be closed by the policy.
func (p *StalenessPolicy) closes() bool { return p != nil && slices.Contains(p.Then, StaleCloseOut) }

// Due reports whether it is time to do something, at now, about a channel that does
// not know of a change at since; zero: it knows all.
func (p StalenessPolicy) Due(since, now time.Time) bool {
	return !since.IsZero() && now.Sub(since) >= time.Duration(p.AfterMinutes)*time.Minute
}

// Exposes reports whether a night on which so many rooms are free is at risk at a
// channel that may show so many; nil: nobody knows how many.
func (p StalenessPolicy) Exposes(shown *int64, free int) bool {
	return (shown == nil || *shown > 0) && free <= p.FreeAtMost
}

func (p *StalenessPolicy) check() (items []RefusedItem) {
	if p == nil {
		return nil
	}
	if p.AfterMinutes < 1 || p.AfterMinutes > maxStaleMinutes {
		items = append(items, Wrong("/staleness/after_minutes", "min", "expected 1 to %d minutes", maxStaleMinutes))
	}
	if p.FreeAtMost < 0 || p.FreeAtMost > MaxUnits {
		items = append(items, Wrong("/staleness/free_at_most", "max", "expected 0 to %d rooms", MaxUnits))
	}
	for i, s := range p.Then {
		at := "/staleness/then/" + strconv.Itoa(i)
		switch {
		case s != StaleOtherRoute && s != StaleCloseOut && s != StaleCall:
			items = append(items, Wrong(at, "enum", "expected other_route, close_out or call"))
		case slices.Contains(p.Then[:i], s):
			items = append(items, Wrong(at, "enum", "is there twice"))
		case s == StaleOtherRoute && i > 0:
			items = append(items, Wrong(at, "enum", "expected other_route before the other steps"))
		}
	}
	return items
}

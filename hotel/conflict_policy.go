package hotel

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// OptionAsk is the policy of leaving a conflict to somebody.
const OptionAsk = string(AskOwner)

// DeadlinePolicy is which option of an open conflict is taken when nobody has
// decided in time.
type DeadlinePolicy struct {
	After  int    `json:"after"` // minutes
	Option string `json:"option"`
}

// maxDeadline is the longest time after which a conflict is decided, in minutes.
const maxDeadline = 60 * 24 * 60

// MaxWarningDays is the earliest that a planned overbooking is urgent.
const MaxWarningDays = 365

// decidable says of which kinds policies may take an option without asking, which
// ones, and what holds where nobody has said anything.
var decidable = map[ConflictKind]struct {
	options  []string
	standard string
}{
	ConflictOversell:    {[]string{OptionAccept, OptionMove}, OptionAsk},
	ConflictUnmapped:    {[]string{OptionKeepUnassigned}, OptionAsk},
	ConflictDuplicate:   {[]string{OptionDistinct}, OptionAsk},
	ConflictBlockDue:    {[]string{OptionRelease, OptionKeep}, OptionAsk},
	ConflictOverstay:    {[]string{OptionCheckOut}, OptionAsk},
	ConflictAllotment:   {[]string{OptionAccept, string(Ours)}, OptionAsk},
	ConflictGroupShrink: {[]string{OptionCancelMissing, OptionKeepAll}, OptionAsk},
	ConflictStale:       {[]string{OptionIgnore, OptionApply}, OptionAsk}, // what is clearly older is ignored where nobody says otherwise
}

// DecidableKinds lists the kinds of which a policy may take an option.
func DecidableKinds() []ConflictKind {
	kinds := make([]ConflictKind, 0, len(decidable))
	for k := range decidable {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	return kinds
}

// PolicyOptions lists the options of a kind that a policy may take; nil: it decides
// nothing.
func PolicyOptions(k ConflictKind) []string { return decidable[k].options }

// OptionOf returns the option that is taken in a conflict of a kind without
// asking, or [OptionAsk]: the channel's policy, that of its property, or the
// default.
func OptionOf(k ConflictKind, channel, property Policies) (string, Applied) {
	applied := Applied{Level: "default", Field: string(k), Value: decidable[k].standard}
	if applied.Value == "" {
		applied.Value = OptionAsk
	}
	for _, p := range []struct {
		level string
		Policies
	}{{"property", property}, {"channel", channel}} {
		if v, said := p.Conflicts[k]; said {
			applied.Level, applied.Value = p.level, v
		}
	}
	return applied.Value, applied
}

// DeadlineOf returns after how long a conflict is decided when nobody has, and by
// which option, as the value of what applies; false: it waits.
func DeadlineOf(k ConflictKind, channel, property Policies) (after time.Duration, why Applied, said bool) {
	why.Level = "channel"
	p, said := channel.OnDeadline[k]
	if !said {
		why.Level = "property"
		p, said = property.OnDeadline[k]
	}
	why.Field, why.Value = "on_deadline."+string(k), p.Option
	return time.Duration(p.After) * time.Minute, why, said
}

// DeadlinesOf lists the policies by which conflicts are decided when nobody has, of the
// kinds of which there is one.
func DeadlinesOf(channel, property Policies) (all []Applied) {
	for _, k := range ConflictKinds() {
		if after, why, said := DeadlineOf(k, channel, property); said {
			why.Value = fmt.Sprintf("%s after %d minutes", why.Value, int(after.Minutes()))
			all = append(all, why)
		}
	}
	return all
}

// standardOverbookedWarning is how many days before the night a planned overbooking
// is urgent.
const standardOverbookedWarning = 2

// OverbookedWarning returns how many days before the night a planned overbooking is
// urgent.
func OverbookedWarning(channel, property Policies) int {
	for _, p := range []*int{channel.OverbookedWarning, property.OverbookedWarning} {
		if p != nil {
			return *p
		}
	}
	return standardOverbookedWarning
}

// OverbookedWarningOf is OverbookedWarning, and who said so.
func OverbookedWarningOf(channel, property Policies) Applied {
	days := strconv.Itoa(OverbookedWarning(channel, property))
	return Applied{Level: levelOf(channel.OverbookedWarning != nil, property.OverbookedWarning != nil), Field: "overbooked_warning_days", Value: days}
}

// levelOf is who said something, the channel's word coming first.
func levelOf(channel, property bool) string {
	switch {
	case channel:
		return "channel"
	case property:
		return "property"
	}
	return "default"
}

// standardTolerance is by how many percent a booking may differ from what the channel
// was told before it is urgent.
const standardTolerance = "5"

// PriceTolerance returns by how many percent, a decimal number, a booking may differ from
// what the channel was told before it is urgent.
func PriceTolerance(channel, property Policies) string {
	return cmp.Or(channel.PriceMismatch, property.PriceMismatch, standardTolerance)
}

// PriceToleranceOf is PriceTolerance, and who said so.
func PriceToleranceOf(channel, property Policies) Applied {
	return Applied{Level: levelOf(channel.PriceMismatch != "", property.PriceMismatch != ""), Field: "price_mismatch_pct", Value: PriceTolerance(channel, property)}
}

// Needs returns the scopes that whoever puts the policies in the place of others
// needs, because an option is taken by them that was not before, or what a channel shows
// becomes the property's own.
func (p Policies) Needs(before Policies) []string {
	needs := map[string]bool{}
	add := func(k ConflictKind, option string) {
		o, _ := k.Option(option)
		for _, scope := range o.Needs {
			needs[scope] = true
		}
	}
	for k, v := range p.Conflicts {
		if before.Conflicts[k] != v {
			add(k, v)
		}
	}
	for k, d := range p.OnDeadline {
		if before.OnDeadline[k] != d {
			add(k, d.Option)
		}
	}
	for f, v := range p.Drift {
		switch {
		case v != Theirs || before.Drift[f] == Theirs:
		case f == FieldAvailable:
			needs[writesInventory] = true
		default:
			needs[writesRates] = true
		}
	}
	if p.Staleness.closes() && !before.Staleness.closes() {
		add(ConflictExposed, OptionCloseAll)
	}
	// To deal rooms that another may have sold is to sell dealt rooms knowingly.
	if p.GuardedUnreachable == AcceptRisk && before.GuardedUnreachable != AcceptRisk || p.GuardedUnsafe == AcceptRisk && before.GuardedUnsafe != AcceptRisk {
		needs[overridesReservation] = true
	}
	return slices.Sorted(maps.Keys(needs))
}

// checkConflicts finds what cannot be among the policies about conflicts.
func (p Policies) checkConflicts() (items []RefusedItem) {
	for k, v := range p.Conflicts {
		options := PolicyOptions(k)
		switch {
		case options == nil:
			items = append(items, Wrong("/"+string(k), "unknown_field", "is no kind of conflict that a policy decides"))
		case v != OptionAsk && !slices.Contains(options, v):
			items = append(items, Wrong("/"+string(k), "enum", "expected ask or one of %q", options))
		}
	}
	for k, d := range p.OnDeadline {
		at := "/on_deadline/" + string(k)
		o, known := k.Option(d.Option)
		switch {
		case len(conflictOptions[k]) == 0:
			items = append(items, Wrong(at, "unknown_field", "is no kind of conflict"))
			continue
		case !known:
			items = append(items, Wrong(at+"/option", "unknown_option", "expected one of %q", k.OptionNames()))
		case !o.Unaided():
			items = append(items, Wrong(at+"/option", "unknown_option", "needs somebody who says more than its name"))
		}
		if d.After < 1 || d.After > maxDeadline {
			items = append(items, Wrong(at+"/after", "min", "expected 1 to %d minutes", maxDeadline))
		}
	}
	if p.PriceMismatch != "" && !isPercent(p.PriceMismatch) {
		items = append(items, Wrong("/price_mismatch_pct", "max", wantsPercent))
	}
	if days := p.OverbookedWarning; days != nil && (*days < 0 || *days > MaxWarningDays) {
		items = append(items, Wrong("/overbooked_warning_days", "max", "expected 0 to %d", MaxWarningDays))
	}
	return items
}

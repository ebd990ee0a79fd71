package hotel

import (
	"slices"
	"strings"
)

// Policies say how what the program cannot decide alone is decided. A channel's own
// come before those of its property; what neither says has its default.
type Policies struct {
	Drift      map[Field]DriftPolicy           `json:"drift,omitempty"`
	Conflicts  map[ConflictKind]string         `json:"conflicts,omitempty"` // the option that is taken, or ask
	OnDeadline map[ConflictKind]DeadlinePolicy `json:"on_deadline,omitempty"`

	OverbookedWarning *int   `json:"overbooked_warning_days,omitempty"`
	PriceMismatch     string `json:"price_mismatch_pct,omitempty"` // a decimal number: from how much on a difference is urgent; "": inherited

	Staleness   *StalenessPolicy   `json:"staleness,omitempty"`
	BlastRadius *BlastRadiusPolicy `json:"blast_radius,omitempty"`

	RateRank []RateSource `json:"rate_rank,omitempty"` // of a property alone: whose price comes first

	Absent map[Field]AbsentPolicy `json:"absent,omitempty"` // by field that a channel cannot carry

	GuardedUnreachable RiskPolicy `json:"guarded_unreachable,omitempty"`
	GuardedUnsafe      RiskPolicy `json:"guarded_unsafe,omitempty"`
}

// DriftPolicy says who is right when a channel shows something else than it was
// told.
type DriftPolicy string

// Ours tells the channel again, Theirs lets stand what it shows until something
// else is wanted there, Ask lets it stand until somebody has decided.
const (
	Ours     DriftPolicy = "ours"
	Theirs   DriftPolicy = "theirs"
	AskOwner DriftPolicy = "ask"
)

// Applied is a policy as it was found: who said so, about what, and what.
type Applied struct {
	Level string `json:"level"` // channel, property, or default
	Field string `json:"field"` // such as drift.amount
	Value string `json:"value"`
}

// DriftOf returns the policy for a field of a channel: the channel's own, that of
// its property, or Ours.
func DriftOf(f Field, channel, property Policies) (DriftPolicy, Applied) {
	applied := Applied{Field: "drift." + string(f)}
	for level, p := range map[string]Policies{"channel": channel, "property": property} {
		if v, said := p.Drift[f]; said && (applied.Level == "" || level == "channel") {
			applied.Level, applied.Value = level, string(v)
		}
	}
	if applied.Level == "" {
		applied.Level, applied.Value = "default", string(Ours)
	}
	return DriftPolicy(applied.Value), applied
}

// Check refuses policies of fields that there are not, and words that are none.
func (p Policies) Check() error {
	items := slices.Concat(p.checkConflicts(), p.Staleness.check(), p.BlastRadius.check(), p.checkRisks(), p.checkAbsent(), p.checkRateRank())
	for f, v := range p.Drift {
		switch {
		case !slices.Contains(Fields, f):
			items = append(items, Wrong("/drift/"+string(f), "unknown_field", "is no field that a channel is told"))
		case v != Ours && v != Theirs && v != AskOwner:
			items = append(items, Wrong("/drift/"+string(f), "enum", "expected ours, theirs or ask"))
		}
	}
	if len(items) == 0 {
		return nil
	}
	slices.SortFunc(items, func(a, b RefusedItem) int { return strings.Compare(a.Pointer, b.Pointer) })
	r := Refuse("validation_failed", "%d policies cannot be so; nothing was stored", len(items))
	r.Items = items
	return r
}

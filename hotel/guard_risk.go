package hotel

// RiskPolicy says whether rooms of guarded pools may be sold at a risk that nothing
// rules out.
type RiskPolicy string

// HoldBack keeps them from being sold, AcceptRisk sells them and shows the nights as
// exposed.
const (
	HoldBack   RiskPolicy = "hold"
	AcceptRisk RiskPolicy = "accept_risk"
)

// UnreachableOf returns what is done where nobody knows what a channel may sell of
// guarded rooms and it cannot be reached: the others wait, or are dealt its rooms.
func UnreachableOf(channel, property Policies) (RiskPolicy, Applied) {
	return riskOf("guarded_unreachable", channel.GuardedUnreachable, property.GuardedUnreachable)
}

// UnsafeOf returns what is done with a channel that promises too little to be granted
// guarded rooms: it is kept closed, or granted rooms all the same.
func UnsafeOf(channel, property Policies) (RiskPolicy, Applied) {
	return riskOf("guarded_unsafe", channel.GuardedUnsafe, property.GuardedUnsafe)
}

func riskOf(field string, channel, property RiskPolicy) (RiskPolicy, Applied) {
	applied := Applied{Level: "default", Field: field, Value: string(HoldBack)}
	switch {
	case channel != "":
		applied.Level, applied.Value = "channel", string(channel)
	case property != "":
		applied.Level, applied.Value = "property", string(property)
	}
	return RiskPolicy(applied.Value), applied
}

func (p Policies) checkRisks() (items []RefusedItem) {
	for at, v := range map[string]RiskPolicy{"/guarded_unreachable": p.GuardedUnreachable, "/guarded_unsafe": p.GuardedUnsafe} {
		if v != "" && v != HoldBack && v != AcceptRisk {
			items = append(items, Wrong(at, "enum", "expected hold or accept_risk"))
		}
	}
	return items
}

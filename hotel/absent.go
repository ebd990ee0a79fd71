package hotel

import (
	"maps"
	"slices"
)

// AbsentPolicy is what is done about a field that a channel cannot carry.
type AbsentPolicy string

// KeptAtChannel leaves it to the hotel to set it there; CloseNights closes the
// nights that need it.
const (
	KeptAtChannel AbsentPolicy = "kept_at_channel"
	CloseNights   AbsentPolicy = "close"
)

// AbsentOf returns what is done about fields that a channel cannot carry: its own
// policies, and for the others those of its property. Missing: KeptAtChannel.
func AbsentOf(channel, property Policies) map[Field]AbsentPolicy {
	all := maps.Clone(property.Absent)
	if all == nil {
		all = map[Field]AbsentPolicy{}
	}
	maps.Copy(all, channel.Absent)
	return all
}

// AbsentFieldOf is [AbsentOf] of one field, and who said so.
func AbsentFieldOf(f Field, channel, property Policies) (AbsentPolicy, Applied) {
	applied := Applied{Level: "default", Field: "absent." + string(f), Value: string(KeptAtChannel)}
	for _, p := range []struct {
		level string
		of    map[Field]AbsentPolicy
	}{{"property", property.Absent}, {"channel", channel.Absent}} {
		if v, said := p.of[f]; said {
			applied.Level, applied.Value = p.level, string(v)
		}
	}
	return AbsentPolicy(applied.Value), applied
}

// MayLack reports whether there is a policy about a channel that cannot carry a field.
func MayLack(f Field) bool { return f != FieldAvailable && slices.Contains(Fields, f) }

func (p Policies) checkAbsent() (items []RefusedItem) {
	for f, v := range p.Absent {
		switch at := "/absent/" + string(f); {
		case !MayLack(f):
			items = append(items, Wrong(at, "unknown_field", "is no field that a channel may lack"))
		case v != KeptAtChannel && v != CloseNights:
			items = append(items, Wrong(at, "enum", "expected kept_at_channel or close"))
		}
	}
	return items
}

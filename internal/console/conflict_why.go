package console

import (
	"strings"

	"ostler.example/hotel"
)

// decidedAs says which way out of a conflict was taken, and who took it; "" of one that is
// open.
func (v *visit) decidedAs(k hotel.Conflict, by doers) (taken, who string) {
	if k.Resolution == nil {
		return "", ""
	}
	taken = v.optionOf(k.Kind, k.Resolution.Option)
	if k.Resolution.Option == hotel.OptionOver {
		taken = v.words.T("conflicts.over")
	}
	switch a, somebody := k.DecidedByActor(); {
	case somebody:
		return taken, by.called(a)
	case k.DecidedBy == hotel.ByPolicy:
		return taken, v.words.T("conflicts.by_policy")
	}
	return taken, v.words.T("conflicts.by_itself")
}

// why says which policy had a conflict decided, or has it ask; "" where none had.
func (v *visit) why(k hotel.Conflict) string {
	if k.Applied == nil {
		return ""
	}
	about, answer := v.policy(k.Kind, *k.Applied)
	return v.words.T("conflicts.why."+k.Applied.Level, about, answer)
}

// policy is what a policy is about, and what it says, as the form of policies has it.
func (v *visit) policy(of hotel.ConflictKind, a hotel.Applied) (about, answer string) {
	group, field, _ := strings.Cut(a.Field, ".")
	switch group {
	case "on_deadline":
		return v.words.T("policy.deadlines"), v.chosen(of, a.Value)
	case "guarded_unreachable", "guarded_unsafe":
		return v.words.T("policy." + group), v.words.T("policy.risk." + a.Value)
	case "staleness":
		if p, ok := hotel.ReadStaleness(a.Value); ok {
			return v.words.T("policy.stale"), v.words.T("conflicts.stale", v.words.number(p.AfterMinutes), v.words.number(p.FreeAtMost), v.words.T("policy.stale."+staleWord(p)))
		}
	}
	switch {
	case group == "drift" && field != "":
		return v.words.T("field." + field), v.words.T("policy.drift." + a.Value)
	case group == string(of):
		return v.words.T("conflict." + group), v.chosen(of, a.Value)
	}
	return a.Field, a.Value
}

// chosen is an option of a policy in words.
func (v *visit) chosen(of hotel.ConflictKind, option string) string {
	if option == hotel.OptionAsk {
		return v.words.T("policy." + option)
	}
	return v.optionOf(of, option)
}

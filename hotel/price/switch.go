package price

import "ostler.example/hotel"

// Switch is what is remembered of a rule on a night, for a room type: whether it
// acts, and how often it was turned on the day on which that happened last. The
// zero value is that of a rule that has not acted yet. Days are counted only for
// rules that limit their changes.
type Switch struct {
	On    bool       `json:"on,omitempty"`
	Day   hotel.Date `json:"day,omitzero"` // the property's business date
	Turns int        `json:"turns,omitempty"`
}

// Hold says why a rule is not as its conditions are.
type Hold string

// The reasons.
const (
	Follows      Hold = ""                         // it is as they are
	ByHysteresis Hold = "held by hysteresis"       // it acts, though they are just not met any more
	ByLimit      Hold = "limit of changes reached" // it waits for the next business date
)

// Remembers reports whether what the rule does follows from its switch.
func (r *Rule) Remembers() bool { return r.maxTurns > 0 || !r.hysteresis.IsZero() }

// Turn returns the switch of a rule as it is from now on, with the figures of the
// night as they are on a business date, and why it stands against them. To turn
// what Turn returned changes nothing while the figures and the day stay.
func (r *Rule) Turn(s Switch, today hotel.Date, figure func(hotel.RuleMetric) Figure) (Switch, Hold) {
	on := r.Holds(figure)
	if !on && s.On && r.lingers(figure) {
		return s, ByHysteresis
	}
	if on == s.On {
		return s, Follows
	}
	if r.maxTurns == 0 {
		return Switch{On: on}, Follows
	}
	next := Switch{On: on, Day: today, Turns: 1}
	if s.Day >= today { // a clock that was set back begins no new day
		next.Day, next.Turns = s.Day, s.Turns+1
	}
	if next.Turns > r.maxTurns {
		return s, ByLimit
	}
	return next, Follows
}

// lingers reports whether every condition is met within the hysteresis.
func (r *Rule) lingers(figure func(hotel.RuleMetric) Figure) bool {
	for i := range r.conditions {
		c := &r.conditions[i]
		if !c.met(figure(c.metric), r.hysteresis) {
			return false
		}
	}
	return true
}

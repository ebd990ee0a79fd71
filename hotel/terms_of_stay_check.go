package hotel

func (r *Restriction) check(f checkup) {
	f.optional("min_stay_arrival", r.MinStayArrival, 1, MaxLength)
	f.optional("min_stay_through", r.MinStayThrough, 1, MaxLength)
	f.optional("max_stay_arrival", r.MaxStayArrival, 1, MaxLength)
	f.optional("max_stay_through", r.MaxStayThrough, 1, MaxLength)
	f.optional("min_advance_days", r.MinAdvance, 0, MaxAdvance)
	f.optional("max_advance_days", r.MaxAdvance, 1, MaxAdvance)
	f.ordered("max_stay_arrival", r.MinStayArrival, r.MaxStayArrival)
	f.ordered("max_stay_through", r.MinStayThrough, r.MaxStayThrough)
	f.ordered("max_advance_days", r.MinAdvance, r.MaxAdvance)
}

// ordered looks at a minimum and its maximum; the member is the maximum's.
func (f checkup) ordered(member string, least, most *int) {
	if least != nil && most != nil && *least > *most {
		f.add(member, "restriction_contradiction", "is %d, below its minimum of %d", *most, *least)
	}
}

func (c *CancellationPolicy) check(f checkup, currency Currency) {
	oneOf(f, "kind", c.Kind, policyKinds...)
	least := 0
	if c.Kind == "custom" {
		least = 1
	}
	checkSteps(f, c.Steps, least, currency)
	f.count("seasons", len(c.Seasons), 0, 50)
	for i, s := range c.Seasons {
		at := f.in("seasons", i)
		at.dates("date_to", s.DateFrom, s.DateTo)
		for _, other := range c.Seasons[:i] {
			if s.DateFrom <= other.DateTo && other.DateFrom <= s.DateTo {
				at.add("date_from", "date_order", "lies in another season, from %s to %s", other.DateFrom, other.DateTo)
			}
		}
		checkSteps(at, s.Steps, 1, currency)
	}
}

// checkSteps looks at steps, which must come in the order of their deadlines;
// only the last may be without one.
func checkSteps(f checkup, steps []CancellationStep, least int, c Currency) {
	f.count("steps", len(steps), least, 10)
	var before *CutOff
	for i, s := range steps {
		at := f.in("steps", i)
		s.Penalty.check(at.in("penalty"), c)
		if s.Until == nil {
			if i < len(steps)-1 {
				at.add("until", "required", "only the last step may be without a deadline")
			}
			continue
		}
		at.in("until").cutOff(s.Until)
		if before != nil && !before.earlier(*s.Until) {
			at.add("until", "date_order", "must be later than the deadline of the step before")
		}
		before = s.Until
	}
}

// earlier reports whether c comes before o.
func (c CutOff) earlier(o CutOff) bool {
	return c.DaysBefore > o.DaysBefore || c.DaysBefore == o.DaysBefore && c.Time < o.Time
}

func (p Penalty) check(f checkup, c Currency) {
	oneOf(f, "kind", p.Kind, NoPenalty, FirstNight, PercentPenalty, AmountPenalty)
	switch p.Kind {
	case PercentPenalty:
		f.number("value", p.Value, 0, 100, 4)
	case AmountPenalty:
		f.number("value", p.Value, 0, maxAmount, c.Exponent())
	case NoPenalty, FirstNight:
		if p.Value != "" {
			f.add("value", "unknown_option", "means nothing for a penalty of this kind")
		}
	}
}

package console

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
)

// policyForm is how what the program cannot decide alone is decided, in a house or at one
// of its channels.
type policyForm struct {
	form
	Channel string // its name; "": they are the house's own
	To      string // where the form goes
	Back    string // where whoever leaves it goes
	Groups  []policyGroup
	Locked  bool // the user may see it and change nothing
	mistakes
}

// policyGroup are questions of one kind. Title is the key of what they are about, and with
// ".words" of how they are meant.
type policyGroup struct {
	ID, Title string
	Rows      []policyRow
	Rare      bool // it has many rows, of which few are ever answered
}

// policyRow is one question, with what is decided where nothing is said.
type policyRow struct {
	Name    string // of the field of the form
	Of      string // in words
	Words   string // what it is for, "" where the group says so
	Choices []policyChoice
	Holds   string // in words; of a number the number
	Input   string // a number, a time or a text is typed, and there are no choices
	After   bool   // it takes a time besides
}

// What is typed where there are no choices.
const (
	typedNumber = "number"
	typedTime   = "time"
	typedText   = "text"
)

// policyChoice is an answer, with what it does where the question does not say so.
type policyChoice struct{ Value, Words, Effect string }

// ID tells the form from the others of its page.
func (f policyForm) ID() string { return f.Groups[0].ID + "-form" }

// Answers reports whether anything of a group is answered.
func (f policyForm) Answers(g policyGroup) bool {
	return slices.ContainsFunc(g.Rows, func(row policyRow) bool { return f.Get(row.Name) != "" || f.Get(row.Name+".after") != "" })
}

// Ask puts a row together with what is filled in.
func (f policyForm) Ask(row policyRow) policyQuestion { return policyQuestion{f.form, row} }

type policyQuestion struct {
	form
	policyRow
}

// Units are those in which a time is typed, the usual one first.
func (policyQuestion) Units() []string { return []string{"h", "m", "d"} }

// policyWords are what a form says about policies: whose they are, and what holds where
// they say nothing.
type policyWords struct {
	*visit
	inherited hotel.Policies
	standing  string // key of how it is said what holds
}

// holds says what is decided where nothing is said.
func (w policyWords) holds(what string) string { return w.words.T(w.standing, what) }

// choices are answers whose words lie under a key.
func (w policyWords) choices(key string, values ...string) (list []policyChoice) {
	for _, value := range values {
		list = append(list, policyChoice{Value: value, Words: w.words.T(key + value)})
	}
	return list
}

// drift asks who is right, field by field.
func (w policyWords) drift() policyGroup {
	g := policyGroup{ID: "drift", Title: "policy.drift"}
	for _, f := range hotel.Fields {
		_, holds := hotel.DriftOf(f, hotel.Policies{}, w.inherited)
		about := "policy.drift.of.restriction"
		if f == hotel.FieldAvailable || f == hotel.FieldAmount {
			about = "policy.drift.of." + string(f)
		}
		g.Rows = append(g.Rows, policyRow{
			Name: "drift." + string(f), Of: w.words.T("field." + string(f)), Words: w.words.T(about), Holds: w.holds(w.words.T("policy.drift." + holds.Value)),
			Choices: w.choices("policy.drift.", string(hotel.Ours), string(hotel.Theirs), string(hotel.AskOwner)),
		})
	}
	return g
}

// conflicts asks what is decided without asking, kind by kind.
func (w policyWords) conflicts() policyGroup {
	g := policyGroup{ID: "kinds", Title: "policy.conflicts"}
	for _, kind := range hotel.DecidableKinds() {
		held, _ := hotel.OptionOf(kind, hotel.Policies{}, w.inherited)
		row := policyRow{Name: "conflict." + string(kind), Of: w.words.T("conflict." + string(kind)), Choices: w.choices("policy.", hotel.OptionAsk), Holds: w.holds(w.words.T("policy." + hotel.OptionAsk))}
		for _, option := range hotel.PolicyOptions(kind) {
			choice := w.optionChoice(kind, option)
			if row.Choices = append(row.Choices, choice); option == held {
				row.Holds = w.holds(choice.Words)
			}
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

func (w policyWords) optionChoice(kind hotel.ConflictKind, option string) policyChoice {
	o, _ := kind.Option(option)
	said := w.option(kind, o)
	return policyChoice{option, said.Label, said.Effect}
}

// deadlines asks what is decided when nobody has, of every kind that has a way out which
// needs no more than its name.
func (w policyWords) deadlines() policyGroup {
	g := policyGroup{ID: "deadlines", Title: "policy.deadlines", Rare: true}
	for _, kind := range hotel.ConflictKinds() {
		row := policyRow{Name: "deadline." + string(kind), Of: w.words.T("conflict." + string(kind)), After: true, Holds: w.holds(w.words.T("policy.waits"))}
		after, why, said := hotel.DeadlineOf(kind, hotel.Policies{}, w.inherited)
		if said {
			row.Holds = w.holds(w.words.T("policy.after", w.words.duration(after), w.optionOf(kind, why.Value)))
		}
		for _, o := range hotel.ConflictOptions(kind) {
			if o.Unaided() {
				row.Choices = append(row.Choices, policyChoice{Value: o.Option, Words: w.option(kind, o).Label})
			}
		}
		if len(row.Choices) > 0 {
			g.Rows = append(g.Rows, row)
		}
	}
	return g
}

// silence asks what is done about a channel that cannot be told how few rooms are left.
func (w policyWords) silence() policyGroup {
	holds, _ := hotel.StalenessOf(hotel.Policies{}, w.inherited)
	return policyGroup{ID: "stale", Title: "policy.stale", Rows: []policyRow{
		{Name: "stale.then", Of: w.words.T("policy.stale.then"), Words: w.words.T("policy.stale.then.words"), Choices: w.choices("policy.stale.", staleWords...), Holds: w.holds(w.words.T("policy.stale." + staleWord(holds)))},
		{Name: "stale.after", Of: w.words.T("policy.stale.after"), Words: w.words.T("policy.stale.after.words"), Input: typedNumber, Holds: strconv.Itoa(holds.AfterMinutes)},
		{Name: "stale.free", Of: w.words.T("policy.stale.free"), Words: w.words.T("policy.stale.free.words"), Input: typedNumber, Holds: strconv.Itoa(holds.FreeAtMost)},
	}}
}

// limits asks from where on something is unusual.
func (w policyWords) limits() policyGroup {
	none := hotel.Policies{}
	radius, _ := hotel.BlastRadiusOf(none, w.inherited)
	row := func(name, holds string) policyRow {
		return policyRow{Name: name, Of: w.words.T("policy." + name), Words: w.words.T("policy." + name + ".words"), Input: typedNumber, Holds: holds}
	}
	return policyGroup{ID: "limits", Title: "policy.limits", Rows: []policyRow{
		row("blast_radius", strconv.Itoa(radius.Cells)),
		row("price_mismatch", w.words.decimal(hotel.PriceTolerance(none, w.inherited))),
		row("overbooked_warning", strconv.Itoa(hotel.OverbookedWarning(none, w.inherited))),
	}}
}

// lacking asks what is done on nights that need what a channel cannot be told, of some
// fields.
func (w policyWords) lacking(fields []hotel.Field) policyGroup {
	g := policyGroup{ID: "absent", Title: "policy.absent", Rare: true}
	for _, f := range fields {
		holds, _ := hotel.AbsentFieldOf(f, hotel.Policies{}, w.inherited)
		g.Rows = append(g.Rows, policyRow{
			Name: "absent." + string(f), Of: w.words.T("field." + string(f)), Holds: w.holds(w.words.T("policy.absent." + string(holds))),
			Choices: w.choices("policy.absent.", string(hotel.KeptAtChannel), string(hotel.CloseNights)),
		})
	}
	return g
}

// rank asks whose price counts.
func (w policyWords) rank() policyGroup {
	say := func(order []hotel.RateSource) string {
		words := make([]string, len(order))
		for i, source := range order {
			words[i] = w.words.T("policy.source." + string(source))
		}
		return strings.Join(words, " › ")
	}
	a, p, c := hotel.FromAPI, hotel.FromPMS, hotel.FromChannel
	row := policyRow{Name: "rate_rank", Of: w.words.T("policy.rate_rank"), Words: w.words.T("policy.rate_rank.words"), Holds: w.holds(say([]hotel.RateSource{a, p, c}))}
	for _, order := range [][]hotel.RateSource{{a, p, c}, {a, c, p}, {p, a, c}, {p, c, a}, {c, a, p}, {c, p, a}} {
		row.Choices = append(row.Choices, policyChoice{Value: rankWord(order), Words: say(order)})
	}
	return policyGroup{ID: "rank", Title: "policy.rank", Rows: []policyRow{row}}
}

// rankWord is the form's word for an order of sources.
func rankWord(order []hotel.RateSource) string {
	words := make([]string, len(order))
	for i, source := range order {
		words[i] = string(source)
	}
	return strings.Join(words, ",")
}

// risks asks whether rooms that are dealt are sold at a risk.
func (w policyWords) risks() policyGroup {
	g := policyGroup{ID: "risks", Title: "policy.risks"}
	unreachable, _ := hotel.UnreachableOf(hotel.Policies{}, w.inherited)
	unsafe, _ := hotel.UnsafeOf(hotel.Policies{}, w.inherited)
	for _, of := range []struct {
		name  string
		holds hotel.RiskPolicy
	}{{"guarded_unreachable", unreachable}, {"guarded_unsafe", unsafe}} {
		g.Rows = append(g.Rows, policyRow{
			Name: of.name, Of: w.words.T("policy." + of.name), Words: w.words.T("policy." + of.name + ".words"), Holds: w.holds(w.words.T("policy.risk." + string(of.holds))),
			Choices: w.choices("policy.risk.", string(hotel.HoldBack), string(hotel.AcceptRisk)),
		})
	}
	return g
}

// policyValues is a form filled in with policies.
func policyValues(w *words, p hotel.Policies, revision int64) form {
	f := form{url.Values{"revision": {strconv.FormatInt(revision, 10)}}}
	for field, value := range p.Drift {
		f.Set("drift."+string(field), string(value))
	}
	for kind, option := range p.Conflicts {
		f.Set("conflict."+string(kind), option)
	}
	for field, value := range p.Absent {
		f.Set("absent."+string(field), string(value))
	}
	for kind, d := range p.OnDeadline {
		name := "deadline." + string(kind)
		f.Set(name, d.Option)
		after, unit := inUnits(d.After)
		f.Set(name+".after", strconv.Itoa(after))
		f.Set(name+".unit", unit)
	}
	if s := p.Staleness; s != nil {
		f.Set("stale.then", staleWord(*s))
		f.Set("stale.after", strconv.Itoa(s.AfterMinutes))
		f.Set("stale.free", strconv.Itoa(s.FreeAtMost))
	}
	if p.BlastRadius != nil {
		f.Set("blast_radius", strconv.Itoa(p.BlastRadius.Cells))
	}
	f.set("rate_rank", rankWord(p.RateRank))
	f.setDecimal(w, "price_mismatch", p.PriceMismatch)
	f.setNumber("overbooked_warning", p.OverbookedWarning)
	f.set("guarded_unreachable", string(p.GuardedUnreachable))
	f.set("guarded_unsafe", string(p.GuardedUnsafe))
	return f
}

// policies are those of a form, with what it does not ask for as it was.
func (r *reader) policies(asked policyForm, was, inherited hotel.Policies) hotel.Policies {
	to := was
	to.Drift, to.Conflicts, to.OnDeadline, to.Absent = map[hotel.Field]hotel.DriftPolicy{}, map[hotel.ConflictKind]string{}, map[hotel.ConflictKind]hotel.DeadlinePolicy{}, map[hotel.Field]hotel.AbsentPolicy{}
	maps.Copy(to.Absent, was.Absent)
	for _, g := range asked.Groups {
		for _, row := range g.Rows {
			of, name, _ := strings.Cut(row.Name, ".")
			value := r.text(row.Name)
			switch {
			case of == "absent" && value == "":
				delete(to.Absent, hotel.Field(name))
			case of == "absent":
				to.Absent[hotel.Field(name)] = hotel.AbsentPolicy(value)
			case of == "deadline":
				if d, said := r.deadline(row.Name); said {
					to.OnDeadline[hotel.ConflictKind(name)] = d
				}
			case value == "":
			case of == "drift":
				to.Drift[hotel.Field(name)] = hotel.DriftPolicy(value)
			case of == "conflict":
				to.Conflicts[hotel.ConflictKind(name)] = value
			}
		}
	}
	to.RateRank = nil
	if order := r.text("rate_rank"); order != "" {
		for source := range strings.SplitSeq(order, ",") {
			to.RateRank = append(to.RateRank, hotel.RateSource(source))
		}
	}
	holds, _ := hotel.StalenessOf(hotel.Policies{}, inherited)
	to.Staleness = r.staleness(was.Staleness, holds)
	to.BlastRadius = nil
	if n := r.number("blast_radius"); n != nil {
		to.BlastRadius = &hotel.BlastRadiusPolicy{Cells: *n}
	}
	to.PriceMismatch, to.OverbookedWarning = r.decimal("price_mismatch"), r.number("overbooked_warning")
	to.GuardedUnreachable, to.GuardedUnsafe = hotel.RiskPolicy(r.text("guarded_unreachable")), hotel.RiskPolicy(r.text("guarded_unsafe"))
	return to
}

// unitMinutes are how many minutes the units of a time have.
var unitMinutes = map[string]int{"m": 1, "h": 60, "d": 24 * 60}

// inUnits is a time in minutes in the largest unit that it is a whole number of.
func inUnits(minutes int) (n int, unit string) {
	for _, unit := range []string{"d", "h"} {
		if of := unitMinutes[unit]; minutes%of == 0 {
			return minutes / of, unit
		}
	}
	return minutes, "m"
}

// deadline reads after how long which way out is taken; false where nothing is said.
func (r *reader) deadline(name string) (d hotel.DeadlinePolicy, said bool) {
	d.Option = r.text(name)
	after := r.number(name + ".after")
	switch {
	case d.Option == "" && r.text(name+".after") == "":
		return d, false
	case d.Option == "":
		r.fault(name, "required", "choose what is done after that time, or leave the time empty")
	case after == nil && r.text(name+".after") == "":
		r.fault(name+".after", "required", "say after how long it is done")
	case after != nil:
		d.After = *after * cmp.Or(unitMinutes[r.text(name+".unit")], unitMinutes["h"])
	}
	return d, true
}

// staleWords are the form's words for what is done about a channel that is silent: the
// steps that are tried, one after another.
var staleWords = []string{"other_route+call", "other_route+close_out", "other_route", "call", "close_out", "none"}

// staleSteps are the steps that a word of the form names.
func staleSteps(word string) []hotel.StaleStep {
	steps := []hotel.StaleStep{}
	if word == "none" {
		return steps
	}
	for step := range strings.SplitSeq(word, "+") {
		steps = append(steps, hotel.StaleStep(step))
	}
	return steps
}

// staleWord is the form's word for a policy. Of what stands behind the first step that
// can be taken nothing is done, and nothing said.
func staleWord(p hotel.StalenessPolicy) string {
	step, before := p.Step()
	if step != "" {
		before = append(before, step)
	}
	if len(before) == 0 {
		return "none"
	}
	words := make([]string, len(before))
	for i, s := range before {
		words[i] = string(s)
	}
	return strings.Join(words, "+")
}

// staleness reads what is done about silence. What is left empty beside something that is
// said is as it holds otherwise; nil: nothing is said.
func (r *reader) staleness(was *hotel.StalenessPolicy, holds hotel.StalenessPolicy) *hotel.StalenessPolicy {
	then, after, free := r.text("stale.then"), r.number("stale.after"), r.number("stale.free")
	if then == "" && r.text("stale.after") == "" && r.text("stale.free") == "" {
		return nil
	}
	p := holds
	switch {
	case was != nil && then == staleWord(*was):
		p.Then = was.Then
	case then != "":
		p.Then = staleSteps(then)
	}
	if after != nil {
		p.AfterMinutes = *after
	}
	if free != nil {
		p.FreeAtMost = *free
	}
	return &p
}

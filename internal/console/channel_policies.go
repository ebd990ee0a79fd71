package console

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// policyForm is how what the program cannot decide alone is decided at one channel.
type policyForm struct {
	form
	desk.ChannelView
	Drift  []policyRow
	Kinds  []policyRow
	Absent []policyRow
	Risks  []policyRow
}

// policyRow is one question: what the channel itself says, and what holds otherwise.
type policyRow struct {
	Name    string // of the field of the form
	Of      string // in words
	Choices []policyChoice
	Holds   string // in words, where the channel says nothing
}

type policyChoice struct{ Value, Words string }

// policies shows how a channel's questions are decided.
func (c *Console) policies(v *visit) error {
	f, _, err := v.policyForm()
	if err != nil {
		return err
	}
	return v.show("policies", http.StatusOK, f)
}

// policyForm reads the policies of the channel that the address names.
func (v *visit) policyForm() (f policyForm, p desk.Policies, err error) {
	if !v.may(auth.ChannelsWrite) {
		return f, p, hotel.Refuse("insufficient_scope", "your role may not change how channels are decided about")
	}
	if f.ChannelView, err = v.mine(); err != nil {
		return f, p, err
	}
	if p, err = v.c.desk.ChannelPolicies(v.r.Context(), v.caller, f.ID); err != nil {
		return f, p, err
	}
	f.form = form{url.Values{"revision": {strconv.FormatInt(p.Revision, 10)}}}
	for field, value := range p.Own.Drift {
		f.Set("drift."+string(field), string(value))
	}
	for kind, option := range p.Own.Conflicts {
		f.Set("conflict."+string(kind), option)
	}
	for field, value := range p.Own.Absent {
		f.Set("absent."+string(field), string(value))
	}
	f.set("guarded_unreachable", string(p.Own.GuardedUnreachable))
	f.set("guarded_unsafe", string(p.Own.GuardedUnsafe))
	f.set("price_mismatch", p.Own.PriceMismatch)
	v.policyRows(&f, p)
	return f, p, nil
}

// policyRows are the questions, each with what may be answered.
func (v *visit) policyRows(f *policyForm, p desk.Policies) {
	say := func(key string, values ...string) (list []policyChoice) {
		for _, value := range values {
			list = append(list, policyChoice{value, v.words.T(key + value)})
		}
		return list
	}
	for _, field := range hotel.Fields {
		_, holds := hotel.DriftOf(field, hotel.Policies{}, p.Inherited)
		f.Drift = append(f.Drift, policyRow{"drift." + string(field), v.words.T("field." + string(field)), say("policy.drift.", string(hotel.Ours), string(hotel.Theirs), string(hotel.AskOwner)), v.words.T("policy.drift." + holds.Value)})
	}
	for _, kind := range hotel.DecidableKinds() {
		row := policyRow{Name: "conflict." + string(kind), Of: v.words.T("conflict." + string(kind)), Choices: say("policy.", hotel.OptionAsk)}
		held, _ := hotel.OptionOf(kind, hotel.Policies{}, p.Inherited)
		row.Holds = v.words.T("policy." + hotel.OptionAsk)
		for _, option := range hotel.PolicyOptions(kind) {
			choice := policyChoice{option, v.optionOf(kind, option)}
			if row.Choices = append(row.Choices, choice); option == held {
				row.Holds = choice.Words
			}
		}
		f.Kinds = append(f.Kinds, row)
	}
	for _, field := range hotel.Fields {
		if !hotel.MayLack(field) || f.Configured == nil || f.Configured.Abilities.Fields[field].As != hotel.Absent {
			continue
		}
		holds, _ := hotel.AbsentFieldOf(field, hotel.Policies{}, p.Inherited)
		f.Absent = append(f.Absent, policyRow{"absent." + string(field), v.words.T("field." + string(field)), say("policy.absent.", string(hotel.KeptAtChannel), string(hotel.CloseNights)), v.words.T("policy.absent." + string(holds))})
	}
	unreachable, _ := hotel.UnreachableOf(hotel.Policies{}, p.Inherited)
	unsafe, _ := hotel.UnsafeOf(hotel.Policies{}, p.Inherited)
	for name, holds := range map[string]hotel.RiskPolicy{"guarded_unreachable": unreachable, "guarded_unsafe": unsafe} {
		f.Risks = append(f.Risks, policyRow{name, v.words.T("policy." + name), say("policy.risk.", string(hotel.HoldBack), string(hotel.AcceptRisk)), v.words.T("policy.risk." + string(holds))})
	}
	slices.SortFunc(f.Risks, func(a, b policyRow) int { return strings.Compare(a.Name, b.Name) })
}

// savePolicies replaces what a channel says itself. What the form does not ask for stays:
// deadlines, staleness, the size of changes.
func (c *Console) savePolicies(v *visit) error {
	f, was, err := v.policyForm()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	to := was.Own
	to.Drift, to.Conflicts, to.Absent = map[hotel.Field]hotel.DriftPolicy{}, map[hotel.ConflictKind]string{}, maps.Clone(was.Own.Absent)
	for _, row := range f.Drift {
		if value := r.text(row.Name); value != "" {
			to.Drift[hotel.Field(strings.TrimPrefix(row.Name, "drift."))] = hotel.DriftPolicy(value)
		}
	}
	for _, row := range f.Kinds {
		if value := r.text(row.Name); value != "" {
			to.Conflicts[hotel.ConflictKind(strings.TrimPrefix(row.Name, "conflict."))] = value
		}
	}
	for _, row := range f.Absent {
		field, value := hotel.Field(strings.TrimPrefix(row.Name, "absent.")), r.text(row.Name)
		if to.Absent == nil {
			to.Absent = map[hotel.Field]hotel.AbsentPolicy{}
		}
		if to.Absent[field] = hotel.AbsentPolicy(value); value == "" {
			delete(to.Absent, field)
		}
	}
	to.GuardedUnreachable, to.GuardedUnsafe, to.PriceMismatch = hotel.RiskPolicy(r.text("guarded_unreachable")), hotel.RiskPolicy(r.text("guarded_unsafe")), r.decimal("price_mismatch")
	revision := r.revision()
	if err := r.refusal(); err != nil {
		return err
	}
	if _, err := c.desk.SetChannelPolicies(v.r.Context(), v.caller, f.ID, revision, to); err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("channels/"+f.ID)+"?done=saved", http.StatusSeeOther)
	return nil
}

// questions are some rows of the form, with what is filled in.
type questions struct {
	Form form
	Rows []policyRow
}

// Ask puts rows together with what is filled in.
func (f policyForm) Ask(rows []policyRow) questions { return questions{f.form, rows} }

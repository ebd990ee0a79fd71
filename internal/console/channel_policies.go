package console

import (
	"net/http"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// policies shows how a channel's questions are decided.
func (c *Console) policies(v *visit) error {
	f, p, err := v.channelPolicies()
	if err != nil {
		return err
	}
	f.form = policyValues(v.words, p.Own, p.Revision)
	return v.show("policies", http.StatusOK, f)
}

// channelPolicies is the form, not filled in, of the channel that the address names.
func (v *visit) channelPolicies() (f policyForm, p desk.Policies, err error) {
	if !v.may(auth.ChannelsWrite) {
		return f, p, hotel.Refuse("insufficient_scope", "your role may not change how channels are decided about")
	}
	channel, err := v.mine()
	if err != nil {
		return f, p, err
	}
	if p, err = v.c.desk.ChannelPolicies(v.r.Context(), v.caller, channel.ID); err != nil {
		return f, p, err
	}
	w := policyWords{v, p.Inherited, "policy.inherit"}
	f = policyForm{Channel: channel.Name, To: v.path("channels/" + channel.ID + "/policies"), Back: v.path("channels/" + channel.ID)}
	f.Groups = []policyGroup{w.drift(), w.conflicts(), w.deadlines(), w.silence(), w.limits()}
	var lacks []hotel.Field
	for _, field := range hotel.Fields {
		if hotel.MayLack(field) && channel.Configured != nil && channel.Configured.Abilities.Fields[field].As == hotel.Absent {
			lacks = append(lacks, field)
		}
	}
	if len(lacks) > 0 {
		f.Groups = append(f.Groups, w.lacking(lacks))
	}
	f.Groups = append(f.Groups, w.risks())
	return f, p, nil
}

// savePolicies replaces what a channel says itself.
func (c *Console) savePolicies(v *visit) error {
	f, was, err := v.channelPolicies()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	to, revision := r.policies(f, was.Own, was.Inherited), r.revision()
	if err = r.refusal(); err == nil {
		_, err = c.desk.SetChannelPolicies(v.r.Context(), v.caller, v.r.PathValue("id"), revision, to)
	}
	m, ok := v.again(err, f.labels, r.form, policyValues(v.words, to, 0), policyValues(v.words, was.Own, was.Revision))
	switch {
	case ok:
		f.form, f.mistakes = r.form, m
		return v.show("policies", m.status(), f)
	case err != nil:
		return err
	}
	http.Redirect(v.w, v.r, f.Back+"?done=saved", http.StatusSeeOther)
	return nil
}

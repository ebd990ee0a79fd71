package console

import (
	"net/http"
	"net/url"
	"strconv"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// housePage is what a house has settled: when guests come and go and how far it sells, and
// how what the program cannot decide alone is decided.
type housePage struct {
	Hours    policyForm
	Policies policyForm
	Channels []houseChannel
}

// houseChannel is a channel, and whether it has policies of its own.
type houseChannel struct {
	ID, Name string
	Own      bool
}

// housePage is filled in with what is stored.
func (v *visit) housePage() (h housePage, p desk.Policies, err error) {
	if p, err = v.c.desk.PropertyPolicies(v.r.Context(), v.caller, v.house.ID); err != nil {
		return h, p, err
	}
	w := policyWords{v, hotel.Policies{}, "policy.standard"}
	h.Policies = policyForm{form: policyValues(v.words, p.Own, p.Revision), To: v.path("house/policies"), Back: v.path("house"), Locked: !v.may(auth.ChannelsWrite)}
	var fields []hotel.Field
	for _, f := range hotel.Fields {
		if hotel.MayLack(f) {
			fields = append(fields, f)
		}
	}
	h.Policies.Groups = []policyGroup{w.drift(), w.conflicts(), w.deadlines(), w.silence(), w.limits(), w.lacking(fields), w.risks(), w.rank()}
	h.Hours = policyForm{form: hoursOf(v.house), To: v.path("house/hours"), Back: v.path("house"), Locked: !v.may(auth.PropertiesWrite), Groups: []policyGroup{w.hours()}}
	channels, err := v.c.desk.ChannelList(v.r.Context(), v.caller, v.house.ID)
	for _, c := range channels {
		if c.Status != hotel.Disconnected {
			h.Channels = append(h.Channels, houseChannel{c.ID, c.Name, len(policyValues(v.words, c.Policies, 0).Values) > 1})
		}
	}
	return h, p, err
}

// settled shows what the house has settled.
func (c *Console) settled(v *visit) error {
	h, _, err := v.housePage()
	if err != nil {
		return err
	}
	return v.show("house", http.StatusOK, h)
}

// saveHousePolicies replaces the policies of the house.
func (c *Console) saveHousePolicies(v *visit) error {
	h, was, err := v.housePage()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	to, revision := r.policies(h.Policies, was.Own, hotel.Policies{}), r.revision()
	if err = r.refusal(); err == nil {
		_, err = c.desk.SetPropertyPolicies(v.r.Context(), v.caller, v.house.ID, revision, to)
	}
	return v.savedHouse(&h, &h.Policies, r, policyValues(v.words, to, 0), err)
}

// saveHours changes when guests come and go, and how far the house sells.
func (c *Console) saveHours(v *visit) error {
	h, _, err := v.housePage()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	to, revision := r.hours(), r.revision()
	if err = r.refusal(); err == nil {
		_, _, err = c.desk.ChangeProperty(v.r.Context(), v.caller, v.house.ID, hotel.Change[hotel.Property]{IfRevision: revision, Apply: to})
	}
	would := v.house
	_ = to(&would) // what is wrong with it err says
	return v.savedHouse(&h, &h.Hours, r, hoursOf(would), err)
}

// savedHouse shows what is stored now, or the form of the page again with why it was not
// taken; would is what it would have stored.
func (v *visit) savedHouse(h *housePage, sent *policyForm, r *reader, would form, err error) error {
	m, ok := v.again(err, sent.labels, r.form, would, sent.form)
	switch {
	case ok:
		sent.form, sent.mistakes = r.form, m
		return v.show("house", m.status(), *h)
	case err != nil:
		return err
	}
	http.Redirect(v.w, v.r, v.path("house")+"?done=saved", http.StatusSeeOther)
	return nil
}

// hours asks when guests come and go, and how far the house sells. Fields are called as in
// /v1.
func (w policyWords) hours() policyGroup {
	row := func(name, input string) policyRow {
		return policyRow{Name: name, Of: w.words.T("house." + name), Words: w.words.T("house." + name + ".words"), Input: input}
	}
	var standard hotel.Property
	standard.Complete()
	at := func(name, holds string) policyRow {
		r := row(name, typedTime)
		r.Holds = w.holds(holds)
		return r
	}
	recording := row("stay_recording", "")
	recording.Holds, recording.Choices = w.holds(w.words.T("house.stays."+string(hotel.Assumed))), w.choices("house.stays.", string(hotel.Assumed), string(hotel.Recorded))
	overdue := row("overdue_departure_holds", "")
	overdue.Holds, overdue.Choices = w.holds(w.words.T("house.overdue.true")), w.choices("house.overdue.", "true", "false")
	return policyGroup{ID: "hours", Title: "house.hours", Rows: []policyRow{
		at("check_in_time", standard.CheckIn), at("check_out_time", standard.CheckOut), at("day_roll_time", standard.DayRoll), at("release_time", standard.ReleaseTime),
		row("booking_horizon_days", typedNumber), row("cut_off.days_before", typedNumber), row("cut_off.time", typedTime), recording, overdue,
	}}
}

// hoursOf is a form filled in with those of a house.
func hoursOf(p hotel.Property) form {
	f := form{url.Values{"revision": {strconv.FormatInt(p.Revision, 10)}, "booking_horizon_days": {strconv.Itoa(p.HorizonDays)}}}
	f.set("check_in_time", p.CheckIn)
	f.set("check_out_time", p.CheckOut)
	f.set("day_roll_time", p.DayRoll)
	f.set("release_time", p.ReleaseTime)
	if p.CutOff != nil {
		f.set("cut_off.days_before", strconv.Itoa(p.CutOff.DaysBefore))
		f.set("cut_off.time", p.CutOff.Time)
	}
	f.set("stay_recording", string(p.StayRecording))
	if p.OverdueHolds != nil {
		f.set("overdue_departure_holds", strconv.FormatBool(*p.OverdueHolds))
	}
	return f
}

// hours is what the form makes of a house. What is left empty goes back to what holds where
// nothing is said, but for how far it sells: nobody puts a year more on sale by emptying a field.
func (r *reader) hours() func(*hotel.Property) error {
	horizon, days := r.number("booking_horizon_days"), r.number("cut_off.days_before")
	return func(p *hotel.Property) error {
		p.CheckIn, p.CheckOut, p.DayRoll, p.ReleaseTime = r.text("check_in_time"), r.text("check_out_time"), r.text("day_roll_time"), r.text("release_time")
		if horizon == nil {
			return hotel.Invalid("/booking_horizon_days", "required", "says how many nights ahead the house is sold")
		}
		p.HorizonDays = *horizon
		p.CutOff = nil
		if at := r.text("cut_off.time"); days != nil || at != "" {
			p.CutOff = &hotel.CutOff{Time: at}
			if days != nil {
				p.CutOff.DaysBefore = *days
			}
		}
		p.StayRecording, p.OverdueHolds = hotel.StayRecording(r.text("stay_recording")), nil
		if holds := r.text("overdue_departure_holds"); holds != "" {
			p.OverdueHolds = new(holds == "true")
		}
		return nil
	}
}

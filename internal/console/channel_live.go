package console

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"unicode/utf8"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// planView is a plan as pages show it.
type planView struct {
	Channel string // its name
	Words   string // what to say about raised nights
	Plan    hotel.ChannelPlan
	Calls   []liveCall // the first of them
	More    int        // calls that there are besides
	Raises  []liveRaise
	Further int    // raises that there are besides
	Nights  int    // that are raised
	Seen    string // of the raises
	Cells   int
}

// PlanView is what the pieces of a page are given of it.
func (p planView) PlanView() planView { return p }

// livePlan is what it takes to set a channel live.
type livePlan struct {
	desk.ChannelView
	planView
	Live    bool // the plan is for going live
	Changed bool // it is another than the one that was looked at
	Problem string
	May     bool
}

// Reads reports whether the channel can be asked what it shows.
func (p livePlan) Reads() bool { return p.Configured != nil && p.Configured.Abilities.Reads }

// liveCall is one call in words; Body is the beginning of what it says.
type liveCall struct {
	hotel.PlannedCall
	Excerpt string
}

// liveRaise is a run of nights that would show more rooms than now.
type liveRaise struct {
	hotel.Raise
	Room string
}

// What a page shows of a plan at most.
const (
	mostCalls    = 20
	mostRaises   = 200
	excerptBytes = 2000
)

// plan shows the calls that a channel would be told by.
func (c *Console) plan(v *visit) error {
	p, err := v.livePlan()
	if err != nil {
		return err
	}
	return v.show("plan", http.StatusOK, p)
}

// livePlan works out the plan of the channel that the address names.
func (v *visit) livePlan() (p livePlan, err error) {
	if p.ChannelView, err = v.mine(); err != nil {
		return p, err
	}
	plan, err := v.c.desk.ChannelPlan(v.r.Context(), v.caller, p.ID, hotel.PlanQuery{})
	if err != nil {
		return p, err
	}
	p.Live, p.May = plan.Kind == hotel.PlanLive, v.may(auth.ChannelsWrite)
	p.planView, err = v.planView(p.Name, "channel.raised_words", plan)
	return p, err
}

// planView is a plan in the words of a page.
func (v *visit) planView(channel, words string, plan hotel.ChannelPlan) (planView, error) {
	p := planView{Channel: channel, Words: words, Plan: plan}
	rooms, err := v.rooms()
	if err != nil {
		return p, err
	}
	for _, o := range p.Plan.Operations {
		p.Cells += o.Cells
	}
	for i, call := range p.Plan.Calls {
		if i == mostCalls {
			p.More = len(p.Plan.Calls) - mostCalls
			break
		}
		p.Calls = append(p.Calls, liveCall{call, beginning(call.Body)})
	}
	seen := sha256.New()
	for _, r := range p.Plan.Raises {
		fmt.Fprintln(seen, r.RoomTypeID, r.RemoteRoom, r.RemoteRate, r.From, r.To, v.numberOrNone(r.Shown), r.Wanted)
		p.Nights += r.Nights()
		p.Raises = append(p.Raises, liveRaise{r, cmp.Or(rooms[r.RoomTypeID], r.RoomTypeID)})
	}
	p.Seen = fmt.Sprintf("%x", seen.Sum(nil))
	p.Further = max(0, len(p.Raises)-mostRaises)
	p.Raises = p.Raises[:len(p.Raises)-p.Further]
	return p, nil
}

// beginning is as much of a message as a page shows.
func beginning(body []byte) string {
	if !utf8.Valid(body) {
		return ""
	}
	most := min(len(body), excerptBytes)
	for most < len(body) && !utf8.RuneStart(body[most]) {
		most--
	}
	return string(body[:most])
}

// goLive sets a channel live by the plan that was looked at. The nights that it raises are
// accepted by name: those that the form was shown with, if the plan has the same still. That
// it has the same calls is for the engine to find.
func (c *Console) goLive(v *visit) error {
	p, err := v.livePlan()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	if p.Changed = p.Seen != r.Get("seen"); p.Changed {
		return v.show("plan", http.StatusConflict, p)
	}
	if !p.Live {
		if _, _, err := c.desk.ApplyPlan(v.r.Context(), v.caller, p.ID, r.Get("plan")); err != nil {
			return v.showPlan(err)
		}
		http.Redirect(v.w, v.r, v.path("channels/"+p.ID)+"?done=asked", http.StatusSeeOther)
		return nil
	}
	a := hotel.Approval{PlanID: r.Get("plan"), AcceptedBy: cmp.Or(r.text("accepted_by"), v.user.Name), IfRevision: r.revision()}
	if err := r.refusal(); err != nil {
		return err
	}
	if r.Get("accept") != "" {
		a.Accept = p.Plan.Raises
	}
	for _, u := range p.Plan.Unchecked {
		if slices.Contains(r.Values["unchecked"], string(u)) {
			a.Unchecked = append(a.Unchecked, u)
		}
	}
	if _, _, err := c.desk.Activate(v.r.Context(), v.caller, p.ID, a); err != nil {
		return v.showPlan(err)
	}
	http.Redirect(v.w, v.r, v.path("channels/"+p.ID)+"?done=live", http.StatusSeeOther)
	return nil
}

// showPlan shows the plan again with why it was not taken.
func (v *visit) showPlan(err error) error {
	why, ok := v.disagrees(err)
	if !ok {
		return err
	}
	again, err := v.livePlan()
	if err != nil {
		return err
	}
	again.Problem = why
	return v.show("plan", http.StatusConflict, again)
}

// disagrees returns why a plan is not taken that somebody has looked at.
func (v *visit) disagrees(err error) (why string, ok bool) {
	refused, is := v.refusal(err)
	if !is || !slices.Contains([]string{"plan_outdated", "raises_need_confirmation", "unchecked_need_confirmation"}, refused.Code) {
		return "", false
	}
	return refused.Detail, true
}

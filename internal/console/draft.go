package console

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/desk"
)

// draft is what an alteration would do.
type draft struct {
	alterForm
	Form    url.Values // to be sent again
	Update  hotel.AriUpdate
	Lines   []draftLine
	More    int // lines that there are besides
	Untyped int // nights that are left out: no price is typed that could be adjusted
	Closing int // nights of plans that close, also because the plan's default holds again
	Opening int // likewise, unless something else closes them
	Told    []foreseen
	Seen    string // of the versions that the draft rests on
	Key     string // with which a form that is sent twice changes once
	Changed bool   // somebody has changed it since it was looked at

	cells []altered
}

// draftLine is a run of nights on which the same becomes the same.
type draftLine struct {
	Room, Plan string // names
	hotel.Span
	Before, After string
}

// foreseen is what a channel would be told of an alteration.
type foreseen struct {
	desk.ForeseenPlan
	Cells, Closes, Opens int // of all calls
}

// Last is when the last call leaves at the earliest, as the channel's limits let it.
func (f foreseen) Last() time.Duration { return time.Duration(f.Seconds * float64(time.Second)) }

// mostLines is how many lines a draft shows.
const mostLines = 200

// preview shows what an alteration would do.
func (c *Console) preview(v *visit) error {
	d, err := v.draft()
	if err != nil {
		return v.showDraft(d, err)
	}
	return v.showEffect(d, http.StatusOK)
}

// apply does what a preview has shown, if nothing of it has changed since. Where the form
// itself has changed it, by an earlier press of the button, that is told.
func (c *Console) apply(v *visit) error {
	d, err := v.draft()
	if err != nil {
		return v.showDraft(d, err)
	}
	caller := v.caller
	if caller.Once = v.once(); d.Seen != v.r.PostFormValue("seen") {
		caller.Once.Refused = hotel.Refuse("version_conflict", "the nights were changed meanwhile; nothing was stored")
	}
	update, err := v.alter(caller, &d.alterForm, d.cells, false)
	if r, ok := v.refusal(err); ok && r.Code == "version_conflict" {
		if d, err = v.draft(); err != nil {
			return err
		}
		d.Changed = true
		return v.showEffect(d, http.StatusConflict)
	}
	if err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("calendar/updates/"+update.ID)+"?done=altered", http.StatusSeeOther)
	return nil
}

// showDraft shows the form again with what is wrong in it.
func (v *visit) showDraft(d draft, err error) error {
	r, ok := v.refusal(err)
	if !ok || len(d.Can) == 0 || r.Code == "insufficient_scope" {
		return err
	}
	d.Problem, d.Faults = v.mistakesOf(r, v.called(changeFields)).Problem, d.faults(r)
	return v.show("change", http.StatusUnprocessableEntity, d.alterForm)
}

// draft works out what the form would do.
func (v *visit) draft() (d draft, err error) {
	if d.alterForm, err = v.alterForm(); err != nil {
		return d, err
	}
	if err := d.read(v.r); err != nil {
		return d, err
	}
	if d.cells, d.Untyped, err = v.cells(&d.alterForm); err != nil {
		return d, err
	}
	if err := d.bounded(); err != nil {
		return d, err
	}
	if d.Update, err = v.alter(v.caller, &d.alterForm, d.cells, true); err != nil {
		return d, err
	}
	d.Form = url.Values{}
	for _, name := range []string{"line", "room", "plan", "from", "to", "weekday", "what", "value"} {
		d.Form[name] = v.r.PostForm[name]
	}
	seen := sha256.New()
	for _, c := range d.cells {
		fmt.Fprintln(seen, c.room, c.plan, c.night, c.version)
	}
	d.Seen = fmt.Sprintf("%x", seen.Sum(nil))
	d.lines()
	return d, nil
}

// bounded refuses cells of more versions than one update can expect.
func (d *draft) bounded() error {
	if len(runsOf(d.cells)) <= hotel.MaxUpdateEntries {
		return nil
	}
	return hotel.Invalid("/to", "max", "too many of these nights were changed one by one for all to be changed at once: choose fewer nights, room types or rate plans")
}

// faults are what is wrong with an alteration, each with the line that it is about.
func (d *draft) faults(r *hotel.Refusal) (list []fault) {
	runs, name := runsOf(d.cells), d.names()
	for _, item := range r.Items {
		i := 0
		if _, err := fmt.Sscanf(item.Pointer, "/entries/%d", &i); err != nil || i >= len(runs) {
			continue // about the form
		}
		list = append(list, fault{draftLine{Room: name[runs[i].room], Plan: name[runs[i].plan], Span: runs[i].dates.Span}, item.Detail})
	}
	return list
}

// names are those of room types and rate plans, by id.
func (f *alterForm) names() map[string]string {
	name := map[string]string{}
	for _, r := range f.AllRooms {
		name[r.ID] = r.Name
	}
	for _, p := range f.AllPlans {
		name[p.ID] = p.Name
	}
	return name
}

// lines are the nights that become others, in runs.
func (d *draft) lines() {
	name := d.names()
	for _, c := range d.cells {
		if c.before == c.after {
			continue
		}
		if n := len(d.Lines) - 1; n >= 0 {
			l := &d.Lines[n]
			if l.To+1 == c.night && l.Room == name[c.room] && l.Plan == name[c.plan] && l.Before == c.before && l.After == c.after {
				l.To = c.night
				continue
			}
		}
		d.Lines = append(d.Lines, draftLine{name[c.room], name[c.plan], hotel.Span{From: c.night, To: c.night}, c.before, c.after})
	}
	d.More = max(0, len(d.Lines)-mostLines)
	d.Lines = d.Lines[:len(d.Lines)-d.More]
}

// showEffect shows a draft, with the nights that close and open and what each channel would
// be told.
func (v *visit) showEffect(d draft, status int) error {
	if d.Update.CellsChanged > 0 {
		u, err := v.bulk(&d.alterForm, d.cells)
		if err != nil {
			return err
		}
		of, err := v.c.desk.Foresee(v.r.Context(), v.caller, u)
		if err != nil { // somebody has changed a night since the draft was made
			return v.showDraft(d, err)
		}
		d.Closing, d.Opening = of.Closing, of.Opening
		for _, p := range of.Plans {
			f := foreseen{ForeseenPlan: p}
			for _, c := range p.Calls {
				f.Cells, f.Closes, f.Opens = f.Cells+c.Cells, f.Closes+c.Closes, f.Opens+c.Opens
			}
			d.Told = append(d.Told, f)
		}
	}
	d.Key = hotel.NewID("form")
	return v.show("draft", status, d)
}

package console

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// merger is what becomes of two profiles that are made one.
type merger struct {
	Into, From hotel.GuestProfile
	Lines      []mergeLine
	Bookings   int // that follow
}

// mergeLine is a member of both profiles, and what it is afterwards.
type mergeLine struct{ Name, Into, From, After string }

// merging reads the two profiles, and lays them together as the merge does.
func (v *visit) merging(with string) (m merger, err error) {
	if m.Into, err = v.askedGuest(); err != nil {
		return m, err
	}
	if m.From, err = v.guestNamed(with); err != nil {
		return m, err
	}
	if m.Into.ID == m.From.ID {
		return m, hotel.Invalid("/with", "unique", "is the same profile")
	}
	after := m.Into
	after.Merge(m.From)
	into, from, then := v.members(m.Into), v.members(m.From), v.members(after)
	for i, t := range then {
		if into[i].Into != "" || from[i].Into != "" {
			m.Lines = append(m.Lines, mergeLine{t.Name, into[i].Into, from[i].Into, t.Into})
		}
	}
	booked, err := v.c.desk.Stays(v.r.Context(), v.caller, m.From.ID)
	m.Bookings = len(booked.Booked)
	return m, err
}

// members are a profile in words, member by member.
func (v *visit) members(g hotel.GuestProfile) []mergeLine {
	p := person{GuestProfile: g}
	var lines []mergeLine
	add := func(name, value string) { lines = append(lines, mergeLine{Name: name, Into: value}) }
	for _, f := range p.Fields() {
		add("guest."+f.Name, f.Value)
	}
	vip := ""
	if g.VIP {
		vip = v.words.T("flag.true")
	}
	add("guest.vip", vip)
	var programmes []string
	for _, l := range g.Loyalty {
		programmes = append(programmes, l.Program+" "+l.Number)
	}
	add("guest.loyalty", strings.Join(programmes, ", "))
	consent := ""
	if g.Consent != nil {
		consent = v.words.T(fmt.Sprintf("flag.%t", g.Consent.Granted)) + " (" + v.words.date(hotel.DateIn(g.Consent.At, v.house.Zone())) + ")"
	}
	add("guest.consent", consent)
	for _, l := range p.Likings() {
		add("guest."+l.Name, strings.ReplaceAll(l.Lines(), "\n", ", "))
	}
	for _, r := range p.RoomLikings() {
		add("guest."+r.Name, r.Value)
	}
	return lines
}

// askMerge shows what becomes of each member.
func (c *Console) askMerge(v *visit) error {
	m, err := v.merging(v.r.URL.Query().Get("with"))
	if err != nil {
		return err
	}
	if err := v.shown("console.merge-guest", []string{m.Into.ID, m.From.ID}); err != nil {
		return err
	}
	return v.show("guest_merge", http.StatusOK, m)
}

// merge makes the two one, if the profile that stays is still as it was shown.
func (c *Console) merge(v *visit) error {
	g, err := v.askedGuest()
	if err != nil {
		return err
	}
	other, err := v.guestNamed(v.r.PostFormValue("with"))
	if err != nil {
		return err
	}
	if v.r.PostFormValue("with_revision") != fmt.Sprint(other.Revision) {
		return hotel.Refuse("precondition_failed", "the other profile was changed meanwhile: look again at what becomes of it")
	}
	seen, err := v.seen()
	if err != nil {
		return err
	}
	if _, _, err := c.desk.MergeGuest(v.r.Context(), v.caller, g.ID, hotel.GuestMerger{SourceID: other.ID, IfRevision: seen}); err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("guests/"+g.ID)+"?done=merged", http.StatusSeeOther)
	return nil
}

// guestFile is everything that is kept of a guest, as the guest may ask for.
func (c *Console) guestFile(v *visit) error {
	g, err := v.askedGuest()
	if err != nil {
		return err
	}
	text, err := c.document(v.r.Context(), v.caller, g.ID)
	if err != nil {
		return err
	}
	if err := c.desk.Shown(v.r.Context(), v.caller, "console.export-guest", []string{g.ID}); err != nil {
		return err
	}
	v.w.Header().Set("Content-Type", "application/json")
	v.w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.json"`, g.ID))
	if _, err := v.w.Write(text); err != nil {
		return nil //nolint:nilerr // whoever asked has left
	}
	return nil
}

// forgetting is what goes when a guest is forgotten.
type forgetting struct {
	hotel.GuestProfile
	Word    string // to be typed
	Booked  int
	Open    []guestLine // bookings that are not over, which keep the guest
	Problem bool        // something else was typed
}

func (v *visit) forgetting() (f forgetting, err error) {
	if f.GuestProfile, err = v.askedGuest(); err != nil {
		return f, err
	}
	f.Word = cmp.Or(f.DisplayName(), f.ID)
	booked, err := v.c.desk.Stays(v.r.Context(), v.caller, f.ID)
	if err != nil {
		return f, err
	}
	f.Booked = len(booked.Booked)
	open := slices.DeleteFunc(booked.Booked, func(r hotel.Reservation) bool { return stay.Over(r.Status) })
	f.Open, err = v.lines("console.forget-guest", open)
	return f, err
}

// askForget says what will be gone, and asks to type the name.
func (c *Console) askForget(v *visit) error {
	f, err := v.forgetting()
	if err != nil {
		return err
	}
	if err := v.shown("console.forget-guest", []string{f.ID}); err != nil {
		return err
	}
	return v.show("guest_forget", http.StatusOK, f)
}

// forget leaves nothing of the guest but the id. Whoever asks for it has typed the name.
func (c *Console) forget(v *visit) error {
	f, err := v.forgetting()
	if err != nil {
		return err
	}
	if f.Problem = hotel.GuestKey(v.r.PostFormValue("word")) != hotel.GuestKey(f.Word); f.Problem {
		return v.show("guest_forget", http.StatusUnprocessableEntity, f)
	}
	seen, err := v.seen()
	if err != nil {
		return err
	}
	reason := "guest_request"
	if v.r.PostFormValue("reason") == "retention" {
		reason = "retention"
	}
	if _, _, err := c.desk.ForgetGuest(v.r.Context(), v.caller, f.ID, hotel.ForgetRequest{Reason: reason, IfRevision: seen}); err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("guests/"+f.ID)+"?done=forgotten", http.StatusSeeOther)
	return nil
}

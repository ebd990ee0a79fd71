package console

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// conflictLine is a conflict in a list.
type conflictLine struct {
	hotel.Conflict
	From string // the channel's name; "" for none
	Of   string // the room type, rate plan and kind of value that it is about, as far as there are such
	Then string // the way out that is taken at its deadline; "": there is none

	Booking string // the one that it is about, as people know it; "": about none, or one that the user may not see

	Taken, By string // the way that was taken, and who took it, where whoever shows it says so
}

// conflictLines are conflicts as lists show them.
func (v *visit) conflictLines(list []hotel.Conflict) ([]conflictLine, error) {
	if len(list) == 0 {
		return nil, nil
	}
	sellers, err := v.sellers()
	if err != nil {
		return nil, err
	}
	bookings, err := v.bookingsOf(list)
	if err != nil {
		return nil, err
	}
	sold, err := v.ours()
	lines := make([]conflictLine, len(list))
	for i, k := range list {
		lines[i] = conflictLine{Conflict: k, From: sellers[k.ChannelID], Of: v.about(k, sold), Then: v.then(k), Booking: bookings[i]}
	}
	return lines, err
}

// bookingsOf are the bookings that conflicts are about, one for each: of many on one night
// nothing else tells which is which.
func (v *visit) bookingsOf(list []hotel.Conflict) ([]string, error) {
	called := make([]string, len(list))
	if !v.may(auth.ReservationsRead) {
		return called, nil
	}
	ids := make([]string, len(list))
	for i, k := range list {
		if k.Subject.Type == "reservation" {
			ids[i] = k.Subject.ID
		}
	}
	wanted := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(ids))), func(id string) bool { return id == "" })
	if len(wanted) == 0 {
		return called, nil
	}
	found, err := v.c.desk.Reservations(v.r.Context(), v.caller, hotel.ReservationFilter{PropertyIDs: []string{v.house.ID}, IDs: wanted, Limit: len(wanted)})
	if err != nil {
		return nil, err
	}
	lines, err := v.lines("console.conflicts", found)
	for _, l := range lines {
		for i, id := range ids {
			if id == l.ID {
				called[i] = l.called()
			}
		}
	}
	return called, err
}

// about is what of the house a conflict is about, in words.
func (v *visit) about(k hotel.Conflict, sold ours) string {
	of := []string{sold.called("room_type_id", k.Subject.RoomTypeID), sold.called("rate_plan_id", k.Subject.RatePlanID)}
	if code := v.codeOf(k); code != "" {
		of = append(of, code)
	}
	if len(k.Cells) > 0 {
		of = append(of, v.words.T("group."+k.Cells[0].Group.String()))
	}
	return strings.Join(slices.DeleteFunc(of, func(s string) bool { return s == "" }), " · ")
}

// codeOf is under which code of its channel a conflict is, where the channel sells the same
// under several; "" otherwise.
func (v *visit) codeOf(k hotel.Conflict) string {
	codes := slices.DeleteFunc([]string{k.Subject.RemoteRoom, k.Subject.RemoteRate}, func(s string) bool { return s == "" })
	if len(codes) == 0 {
		return ""
	}
	return v.words.T("conflict.code", strings.Join(codes, "/"))
}

// then is the way out that is taken when nobody has decided in time.
func (v *visit) then(k hotel.Conflict) string {
	if k.Deadline == nil || k.OnDeadline == "" {
		return ""
	}
	return v.optionOf(k.Kind, k.OnDeadline)
}

// decision is a conflict with all that it takes to decide it.
type decision struct {
	conflictLine
	Room string // the name of the room type that it is about; "": about none
	Plan string // likewise of the rate plan
	Code string // of the channel, where it sells the same under several; "" otherwise
	seen
	Why    string     // the policy that had it decided, or has it ask
	Ways   []way      // out of it, while it is open
	Booked *guestLine // the booking that it is about; nil: about none, or one that the user may not see
	mistakes
}

// asked is the conflict that the address names.
func (v *visit) asked() (hotel.Conflict, error) {
	k, err := v.c.desk.Conflict(v.r.Context(), v.caller, v.r.PathValue("id"))
	if err == nil && k.PropertyID != v.house.ID {
		err = hotel.Refuse("not_found", "there is no such conflict in this house")
	}
	return k, err
}

func (c *Console) conflict(v *visit) error {
	k, err := v.asked()
	if err != nil {
		return err
	}
	return v.showConflict(k, form{}, mistakes{})
}

// showConflict shows a conflict, and the form of the way out that somebody wanted to take as
// it is filled in.
func (v *visit) showConflict(k hotel.Conflict, typed form, m mistakes) error {
	by, err := v.doers()
	if err != nil {
		return err
	}
	sold, err := v.ours()
	if err != nil {
		return err
	}
	names, bookings, err := v.named(k, sold, by.channels)
	if err != nil {
		return err
	}
	d := decision{
		conflictLine: conflictLine{Conflict: k, From: by.channels[k.ChannelID], Then: v.then(k)},
		Room:         names[k.Subject.RoomTypeID], Plan: names[k.Subject.RatePlanID], Code: v.codeOf(k), Why: v.why(k), mistakes: m,
	}
	d.Taken, d.By = v.decidedAs(k, by)
	if booked, is := bookings[k.Subject.ID]; is {
		d.Booked = &booked
	}
	if d.seen, err = v.seenOf(k, names, d.Booked != nil); err != nil {
		return err
	}
	if k.Status == hotel.ConflictOpen {
		if d.Ways, err = v.ways(k, sold, names, bookings, taken{typed, m}); err != nil {
			return err
		}
	}
	return v.show("conflict", m.status(), d)
}

// decide takes the option of a form. What cannot be done is said on the page, with the form as
// it was filled in.
func (c *Console) decide(v *visit) error {
	k, err := v.asked()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	if err := v.picked(); err != nil {
		return err
	}
	taken := hotel.ConflictDecision{Option: r.Get("option"), Note: r.Get("note")}
	if option, known := k.Kind.Option(taken.Option); known && len(option.Arguments) > 0 {
		r.amounts("", option.Arguments, v.house.Currency)
		if taken.Arguments, err = json.Marshal(v.arguments("", option.Arguments, r.Values)); err != nil {
			return err
		}
	}
	if err = r.refusal(); err == nil {
		_, _, err = c.desk.ResolveConflict(v.r.Context(), v.alsoAt(r.Get("property_id")), k.ID, taken)
	}
	m, ok := v.mistakesIn(err, v.called(decisionFields))
	switch {
	case ok:
		for i, f := range m.Faults {
			m.Faults[i].Pointer = "/" + argumentOf(f.Pointer)
		}
		return v.showConflict(k, r.form, m)
	case err != nil:
		return err
	}
	http.Redirect(v.w, v.r, v.path("conflicts")+"?done=decided", http.StatusSeeOther)
	return nil
}

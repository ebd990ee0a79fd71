package console

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/internal/auth"
)

// folder is a booking with all that there is to see and do about it.
type folder struct {
	guestLine
	Together      []guestLine // rooms that were booked with it
	Group         int         // rooms of all of them that can be cancelled; 0 where the user may not
	GroupRevision int64       // of the group, as it was looked at
	Decisions     []conflictLine
	Steps         []stay.Action
	MayChange     bool
	Rooms         []hotel.RoomType // that it can be moved to
	Plans         []hotel.RatePlan
	Plan          string
	History       []chapter // the newest first
	Typed         form      // as the form to change it is filled in
	mistakes
}

// booking is the one that the address names, in this house.
func (v *visit) booking() (hotel.Reservation, error) {
	r, err := v.c.desk.Reservation(v.r.Context(), v.caller, v.r.PathValue("id"))
	if err == nil && r.PropertyID != v.house.ID {
		err = hotel.Refuse("not_found", "there is no such booking in this house")
	}
	return r, err
}

func (c *Console) reservation(v *visit) error {
	r, err := v.booking()
	if err != nil {
		return err
	}
	return v.showBooking(r, v.bookingValues(r), mistakes{})
}

// bookingValues is the form to change a booking as it is filled in for it.
func (v *visit) bookingValues(r hotel.Reservation) form {
	f := form{url.Values{"revision": {strconv.FormatInt(r.Revision, 10)}, "check_in": {r.Stay.CheckIn.String()}, "check_out": {r.Stay.CheckOut.String()}, "adults": {strconv.Itoa(r.Adults)}}}
	f.set("room_type_id", r.RoomTypeID)
	f.set("rate_plan_id", r.RatePlanID)
	f.set("children", agesText(r.ChildrenAges))
	f.set("room_number", r.RoomNumber)
	f.set("expected_arrival_time", r.ArrivalTime)
	if v.may(auth.GuestsRead) {
		f.set("notes", strings.TrimSpace(r.Notes))
	}
	return f
}

// showBooking shows a booking, and the form to change it as it is filled in.
func (v *visit) showBooking(r hotel.Reservation, typed form, m mistakes) error {
	ctx, c := v.r.Context(), v.c
	f := folder{MayChange: v.may(auth.ReservationsWrite) && !stay.Over(r.Status), Typed: typed, mistakes: m}
	of := []hotel.Reservation{r}
	if r.GroupID != "" {
		all, err := c.desk.Reservations(ctx, v.caller, hotel.ReservationFilter{PropertyIDs: []string{v.house.ID}, GroupIDs: []string{r.GroupID}, Limit: listed})
		if err != nil {
			return err
		}
		of = append(of, slices.DeleteFunc(all, func(o hotel.Reservation) bool { return o.ID == r.ID })...)
	}
	lines, err := v.lines("console.reservation", of)
	if err != nil {
		return err
	}
	f.guestLine, f.Together = lines[0], lines[1:]
	if v.may(auth.ReservationsWrite) {
		if err := f.together(v, of); err != nil {
			return err
		}
		f.Steps = slices.DeleteFunc(slices.Clone(offered), func(a stay.Action) bool { return !c.desk.Permits(v.house, r, a) })
	}
	if f.Rooms, err = c.desk.RoomTypes(ctx, v.caller, v.house.ID); err != nil {
		return err
	}
	if f.Plans, err = c.desk.RatePlans(ctx, v.caller, v.house.ID); err != nil {
		return err
	}
	f.Plan = nameOfPlan(f.Plans, r.RatePlanID)
	if v.may(auth.ChannelsRead) {
		open, err := v.waiting()
		if err != nil {
			return err
		}
		open = slices.DeleteFunc(open, func(k hotel.Conflict) bool { return k.Subject.ID != r.ID })
		if f.Decisions, err = v.conflictLines(open); err != nil {
			return err
		}
	}
	if f.History, err = v.history(r.ID, f); err != nil {
		return err
	}
	return v.show("reservation", m.status(), f)
}

func nameOfPlan(plans []hotel.RatePlan, id string) string {
	for _, p := range plans {
		if p.ID == id {
			return p.Name
		}
	}
	return id
}

// offered are the steps in the order in which they are offered. To ask for an answer by a
// time and to hold a room need a deadline: clients do that.
var offered = []stay.Action{
	stay.Confirm, stay.CheckIn, stay.CheckOut, stay.Decline, stay.NoShow, stay.Cancel, stay.Reinstate, stay.UndoCheckIn, stay.UndoCheckOut,
}

// take takes a step that a form asks for.
func (c *Console) take(v *visit) error {
	r, err := v.booking()
	if err != nil {
		return err
	}
	action := stay.Action(v.r.PathValue("action"))
	if !slices.ContainsFunc(stay.Steps, func(s stay.Step) bool { return s.Action == action }) {
		return hotel.Refuse("not_found", "there is no such step")
	}
	seen, err := v.seen()
	if err != nil {
		return err
	}
	var now hotel.Reservation
	if action == stay.Cancel {
		now, _, err = c.desk.Cancel(v.r.Context(), v.caller, r.ID, hotel.CancelRequest{
			Note: v.r.PostFormValue("note"), WaivePenalty: v.r.PostFormValue("waive") != "", IfRevision: seen,
		})
	} else {
		now, _, err = c.desk.Step(v.r.Context(), v.caller, r.ID, action, hotel.StepRequest{
			Charge: v.r.PostFormValue("charge") != "", IfRevision: seen,
		})
	}
	if err != nil {
		return err
	}
	done := "booking"
	if now.Status == r.Status {
		done = "channel_asked" // and says yes or no
	}
	http.Redirect(v.w, v.r, v.path("reservations/"+r.ID)+"?done="+done, http.StatusSeeOther)
	return nil
}

// together says how many rooms may be cancelled at once, and at which state of their group:
// all that are not over, or none.
func (f *folder) together(v *visit, of []hotel.Reservation) error {
	if of[0].GroupID == "" {
		return nil
	}
	for _, room := range of {
		switch {
		case v.c.desk.Permits(v.house, room, stay.Cancel):
			f.Group++
		case !stay.Over(room.Status):
			f.Group = 0
			return nil
		}
	}
	group, err := v.c.desk.Group(v.r.Context(), v.caller, of[0].GroupID)
	f.GroupRevision = group.Revision
	return err
}

// cancelTogether cancels every room that was booked together.
func (c *Console) cancelTogether(v *visit) error {
	r, err := v.booking()
	if err != nil {
		return err
	}
	if r.GroupID == "" {
		return hotel.Refuse("not_found", "no other room was booked with this one")
	}
	revision, err := v.seen()
	if err != nil {
		return err
	}
	group, _, err := c.desk.CancelGroup(v.r.Context(), v.caller, r.GroupID, hotel.CancelRequest{Note: v.r.PostFormValue("note"), WaivePenalty: v.r.PostFormValue("waive") != "", IfRevision: revision})
	if err != nil {
		return err
	}
	done := "booking"
	if slices.ContainsFunc(group.Reservations, func(r hotel.Reservation) bool { return r.OpenAction() != nil }) {
		done = "channel_asked" // and says yes or no
	}
	http.Redirect(v.w, v.r, v.path("reservations/"+r.ID)+"?done="+done, http.StatusSeeOther)
	return nil
}

// seen is the revision that the form was filled in at, so that nobody writes over what
// somebody else changed meanwhile.
func (v *visit) seen() (int64, error) {
	n, err := strconv.ParseInt(v.r.PostFormValue("revision"), 10, 64)
	if err != nil || n < 1 {
		return 0, hotel.Invalid("/revision", "type", "the form does not say which state of the booking it is about")
	}
	return n, nil
}

// change changes a booking as a form says. What cannot be stored is said on the page, with
// the form as it was filled in.
func (c *Console) change(v *visit) error {
	r, err := v.booking()
	if err != nil {
		return err
	}
	typed, err := readForm(v.r)
	if err != nil {
		return err
	}
	ch := hotel.ReservationChange{IfRevision: typed.revision()}
	if err = typed.refusal(); err == nil {
		err = v.changeOf(r, &ch)
	}
	if err == nil {
		_, _, err = c.desk.Change(v.r.Context(), v.caller, r.ID, ch)
	}
	would := form{maps.Clone(typed.Values)}
	would.Del("reprice") // which says how, and not what
	m, wrong := v.again(err, v.called(bookFields), typed.form, would, v.bookingValues(r))
	switch {
	case wrong:
		return v.showBooking(r, typed.form, m)
	case err != nil:
		return err
	}
	http.Redirect(v.w, v.r, v.path("reservations/"+r.ID)+"?done=booking", http.StatusSeeOther)
	return nil
}

// changeOf reads what the form has otherwise than the booking.
func (v *visit) changeOf(r hotel.Reservation, ch *hotel.ReservationChange) error {
	form := v.r.PostFormValue
	for _, d := range []struct {
		name string
		is   hotel.Date
		into **hotel.Date
	}{{"check_in", r.Stay.CheckIn, &ch.CheckIn}, {"check_out", r.Stay.CheckOut, &ch.CheckOut}} {
		to, err := hotel.ParseDate(form(d.name))
		if err != nil {
			return hotel.Invalid("/"+d.name, "date", "is not a date")
		}
		if to != d.is {
			*d.into = &to
		}
	}
	adults, ages, err := v.party(r)
	if err != nil {
		return err
	}
	if adults != r.Adults {
		ch.Adults = &adults
	}
	if v.r.PostForm.Has("children") && !slices.Equal(ages, r.ChildrenAges) {
		ch.ChildrenAges = &ages
	}
	for _, t := range []struct {
		name, is string
		most     int
		into     **string
	}{
		{"room_type_id", r.RoomTypeID, 100, &ch.RoomTypeID},
		{"rate_plan_id", r.RatePlanID, 100, &ch.RatePlanID},
		{"room_number", r.RoomNumber, 20, &ch.RoomNumber},
		{"expected_arrival_time", r.ArrivalTime, 5, &ch.ArrivalTime},
		{"notes", strings.TrimSpace(r.Notes), 2000, &ch.Notes},
	} {
		to, err := v.text(t.name, t.most)
		if err != nil {
			return err
		}
		if v.r.PostForm.Has(t.name) && to != t.is {
			*t.into = &to
		}
	}
	if at := ch.ArrivalTime; at != nil && *at != "" {
		if _, err := time.Parse("15:04", *at); err != nil {
			return hotel.Invalid("/expected_arrival_time", "format", "is a time such as 18:30")
		}
	}
	ch.Reprice = form("reprice") != ""
	return nil
}

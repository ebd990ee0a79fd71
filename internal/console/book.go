package console

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
	"ostler.example/internal/desk"
)

// quest is somebody who asks for a room, and what there is for them.
type quest struct {
	form
	Stay   hotel.Stay
	Adults int
	Ages   []int // of the children
	Asked  bool  // the dates were given, and Offers are for them
	Offers []offer
	Key    string // with which a form that is sent twice books once
	mistakes
}

// Party are the fields that say who asks, and for when.
func (quest) Party() []string { return []string{"check_in", "check_out", "adults", "children"} }

// Takes reports whether an offer is ticked, at whichever price it was.
func (q quest) Takes(o offer) bool {
	return slices.ContainsFunc(q.Values["offer"], func(taken string) bool { return strings.HasPrefix(taken, o.RoomID+" "+o.PlanID+" ") })
}

// Rooms is how many rooms of an offer are wanted, where it is ticked.
func (q quest) Rooms(o offer) string { return cmp.Or(q.Get(o.Count()), "1") }

// offer is a room under a rate plan for the whole stay.
type offer struct {
	RoomID, PlanID string
	Room, Plan     string
	Free           int // rooms, with those that channels give back when they are asked
	Asked          int // of these the rooms that have to be asked for first
	Total          *price.Total
	Because        []string // what forbids the stay; none: it can be booked
}

// Bookable reports whether the offer can be taken.
func (o offer) Bookable() bool { return o.Free > 0 && o.Total != nil && len(o.Because) == 0 }

// Count is the field that says how many rooms of the offer are wanted.
func (o offer) Count() string { return countOf(o.RoomID, o.PlanID) }

func countOf(room, plan string) string { return "rooms." + lineOf(room, plan) }

// ask reads the stay that an address or a form is about; given tells whether it names one.
func (v *visit) ask() (q quest, given bool, err error) {
	today := v.c.desk.Today(v.house)
	q = quest{Stay: hotel.Stay{CheckIn: today, CheckOut: today + 1}, Adults: 2, Key: hotel.NewID("form")}
	if v.r.FormValue("check_in") == "" {
		q.form = form{url.Values{"check_in": {q.Stay.CheckIn.String()}, "check_out": {q.Stay.CheckOut.String()}, "adults": {strconv.Itoa(q.Adults)}}}
		return q, false, nil
	}
	q.form = form{v.r.Form}
	if q.Stay.CheckIn, err = hotel.ParseDate(v.r.FormValue("check_in")); err != nil {
		return q, true, hotel.Invalid("/check_in", "date", "is not a date")
	}
	if q.Stay.CheckOut, err = hotel.ParseDate(v.r.FormValue("check_out")); err != nil {
		return q, true, hotel.Invalid("/check_out", "date", "is not a date")
	}
	if q.Adults, q.Ages, err = v.party(hotel.Reservation{}); err == nil {
		q.Set("children", agesText(q.Ages))
	}
	return q, true, err
}

// text is what a form says under a name, in at most so many characters.
func (v *visit) text(name string, most int) (string, error) {
	said := strings.TrimSpace(strings.ReplaceAll(v.r.PostFormValue(name), "\r\n", "\n"))
	if len([]rune(said)) > most {
		return "", hotel.Invalid("/"+name, "length", "has at most %d characters", most)
	}
	return said, nil
}

// offers shows what can be booked for a stay.
func (c *Console) offers(v *visit) error {
	q, given, err := v.ask()
	if given && err == nil {
		err = v.look(&q)
	}
	return v.showQuest(q, err)
}

// look finds what there is for somebody.
func (v *visit) look(q *quest) (err error) {
	q.Offers, err = v.offers(*q)
	q.Asked = err == nil
	return err
}

// showQuest shows what there is, with what is wrong in the form.
func (v *visit) showQuest(q quest, err error) error {
	status := http.StatusOK
	if m, ok := v.mistakesIn(err, v.called(bookFields)); ok {
		q.mistakes, status, err = m, http.StatusUnprocessableEntity, nil
	}
	if err != nil {
		return err
	}
	return v.show("book", status, q)
}

func (v *visit) offers(q quest) ([]offer, error) {
	a, err := v.c.desk.Availability(v.r.Context(), v.caller, desk.StayQuery{PropertyID: v.house.ID, Stay: q.Stay, Adults: q.Adults, ChildrenAges: q.Ages, Details: true})
	if err != nil {
		return nil, err
	}
	rooms, err := v.c.desk.RoomTypes(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return nil, err
	}
	plans, err := v.c.desk.RatePlans(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return nil, err
	}
	free := map[string]desk.StayRoom{}
	for _, r := range a.Details.Rooms {
		free[r.Code] = r
	}
	var list []offer
	for _, p := range a.Details.Plans {
		room := free[p.RoomCode]
		o := offer{PlanID: p.RatePlanID, Plan: nameOfPlan(plans, p.RatePlanID), Free: room.Direct + room.Recallable, Asked: room.Recallable, Total: p.Total}
		for _, r := range rooms {
			if r.Code == p.RoomCode {
				o.RoomID, o.Room = r.ID, r.Name
			}
		}
		for _, f := range p.Failed {
			o.Because = append(o.Because, v.words.sentence(f, f.Detail))
		}
		list = append(list, o)
	}
	return list, nil
}

// mostRooms is how many rooms are booked at once.
const mostRooms = 50

// wanted are the rooms that a form asks for: of every offer that is ticked so many as stand
// beside it, each at the price that was shown.
func (v *visit) wanted(q quest) (list []hotel.NewReservation, err error) {
	for _, taken := range v.r.PostForm["offer"] {
		room, plan, _ := strings.Cut(taken, " ")
		plan, amount, _ := strings.Cut(plan, " ")
		shown, err := hotel.ParseMoney(amount, v.house.Currency)
		if err != nil {
			return nil, hotel.Invalid("/offer", "required", "is missing")
		}
		count := 1
		if said := v.r.PostFormValue(countOf(room, plan)); said != "" {
			if count, err = strconv.Atoi(said); err != nil || count < 1 || count > mostRooms {
				return nil, hotel.Invalid("/offer", "range", "is a number from 1 to %d", mostRooms)
			}
		}
		for range count {
			list = append(list, hotel.NewReservation{
				PropertyID: v.house.ID, RoomTypeID: room, RatePlanID: plan, Stay: q.Stay, Adults: q.Adults, ChildrenAges: q.Ages, ExpectedTotal: &shown,
			})
		}
	}
	switch {
	case len(list) == 0:
		return nil, hotel.Invalid("/offer", "required", "is missing")
	case len(list) > mostRooms:
		return nil, hotel.Invalid("/offer", "max", "at most %d rooms can be booked at once", mostRooms)
	}
	return list, nil
}

// book takes a booking at the desk, of one room or of several together. What cannot be
// booked is said on the page, with the form as it was filled in and what is free by now.
func (c *Console) book(v *visit) error {
	q, given, err := v.ask()
	if err == nil && !given {
		err = hotel.Invalid("/check_in", "required", "is missing")
	}
	if err != nil {
		return v.showQuest(q, err)
	}
	made, err := v.bookedAs(q)
	if err == nil {
		http.Redirect(v.w, v.r, v.path("reservations/"+made.ID)+"?done=booked", http.StatusSeeOther)
		return nil
	}
	if _, ok := v.mistakesIn(err, v.called(bookFields)); ok {
		if unseen := v.look(&q); unseen != nil {
			err = unseen
		}
	}
	return v.showQuest(q, err)
}

// bookedAs books what a form asks for; of several rooms it returns the first.
func (v *visit) bookedAs(q quest) (made hotel.Reservation, err error) {
	var said [5]string
	for i, of := range []struct {
		name string
		most int
	}{{"first_name", 100}, {"last_name", 100}, {"email", 200}, {"phone", 50}, {"notes", 2000}} {
		if said[i], err = v.text(of.name, of.most); err != nil {
			return made, err
		}
	}
	guest := hotel.Guest{FirstName: said[0], LastName: said[1], Email: said[2], Phone: said[3]}
	if guest.Phone, err = phone(guest.Phone); err != nil {
		return made, err
	}
	list, err := v.wanted(q)
	if err != nil {
		return made, err
	}
	if guest.LastName == "" {
		return made, hotel.Invalid("/last_name", "required", "is missing")
	}
	for i := range list {
		list[i].Notes = said[4]
	}
	caller := v.caller
	caller.Once = v.once()
	if len(list) == 1 {
		list[0].Guest = guest
		made, _, err = v.c.desk.Book(v.r.Context(), caller, list[0])
		return made, err
	}
	group, _, err := v.c.desk.BookGroup(v.r.Context(), caller, hotel.NewReservationGroup{PropertyID: v.house.ID, Booker: &guest, Reservations: list})
	if err != nil {
		return made, err
	}
	return group.Reservations[0], nil
}

package console

import (
	"crypto/sha256"
	"net/http"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
	"ostler.example/internal/desk"
)

// quest is somebody who asks for a room, and what there is for them.
type quest struct {
	Stay   hotel.Stay
	Adults int
	Asked  bool // the dates were given, and Offers are for them
	Offers []offer
	Key    string // with which a form that is sent twice books once
}

// offer is a room under a rate plan for the whole stay.
type offer struct {
	RoomID, PlanID string
	Room, Plan     string
	Free           int // rooms
	Total          *price.Total
	Because        []string // what forbids the stay; none: it can be booked
}

// Bookable reports whether the offer can be taken.
func (o offer) Bookable() bool { return o.Free > 0 && o.Total != nil && len(o.Because) == 0 }

// ask reads the stay that an address or a form is about; given tells whether it names one.
func (v *visit) ask() (q quest, given bool, err error) {
	today := v.c.desk.Today(v.house)
	q = quest{Stay: hotel.Stay{CheckIn: today, CheckOut: today + 1}, Adults: 2, Key: hotel.NewID("form")}
	if v.r.FormValue("check_in") == "" {
		return q, false, nil
	}
	if q.Stay.CheckIn, err = hotel.ParseDate(v.r.FormValue("check_in")); err != nil {
		return q, true, hotel.Invalid("/check_in", "date", "is not a date")
	}
	if q.Stay.CheckOut, err = hotel.ParseDate(v.r.FormValue("check_out")); err != nil {
		return q, true, hotel.Invalid("/check_out", "date", "is not a date")
	}
	if q.Adults, err = strconv.Atoi(v.r.FormValue("adults")); err != nil {
		return q, true, hotel.Invalid("/adults", "type", "is not a number")
	}
	return q, true, nil
}

// offers shows what can be booked for a stay.
func (c *Console) offers(v *visit) error {
	q, given, err := v.ask()
	if err != nil {
		return err
	}
	if given {
		if q.Offers, err = v.offers(q); err != nil {
			return err
		}
		q.Asked = true
	}
	return v.show("book", http.StatusOK, q)
}

func (v *visit) offers(q quest) ([]offer, error) {
	a, err := v.c.desk.Availability(v.r.Context(), v.caller, desk.StayQuery{PropertyID: v.house.ID, Stay: q.Stay, Adults: q.Adults, Details: true})
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
	free := map[string]int{}
	for _, r := range a.Details.Rooms {
		free[r.Code] = r.Direct
	}
	var list []offer
	for _, p := range a.Details.Plans {
		o := offer{PlanID: p.RatePlanID, Plan: nameOfPlan(plans, p.RatePlanID), Free: free[p.RoomCode], Total: p.Total}
		for _, r := range rooms {
			if r.Code == p.RoomCode {
				o.RoomID, o.Room = r.ID, r.Name
			}
		}
		for _, f := range p.Failed {
			o.Because = append(o.Because, f.Detail)
		}
		list = append(list, o)
	}
	return list, nil
}

// book takes a booking at the desk.
func (c *Console) book(v *visit) error {
	q, given, err := v.ask()
	if err != nil {
		return err
	}
	if !given {
		return hotel.Invalid("/check_in", "required", "is missing")
	}
	form := func(name string) string { return strings.TrimSpace(v.r.PostFormValue(name)) }
	room, plan, _ := strings.Cut(form("offer"), " ")
	n := hotel.NewReservation{
		PropertyID: v.house.ID, RoomTypeID: room, RatePlanID: plan, Stay: q.Stay, Adults: q.Adults,
		Guest: hotel.Guest{FirstName: form("first_name"), LastName: form("last_name"), Email: form("email"), Phone: form("phone")},
		Words: hotel.Words{Notes: form("notes")},
	}
	if n.Guest.LastName == "" {
		return hotel.Invalid("/guest/last_name", "required", "is missing")
	}
	caller := v.caller
	caller.Once = hotel.Once{
		Client: "user:" + v.user.ID, Method: http.MethodPost, Path: v.r.URL.Path, Key: form("key"), Fingerprint: sha256.Sum256([]byte(v.r.PostForm.Encode())),
	}
	made, _, err := c.desk.Book(v.r.Context(), caller, n)
	if err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("reservations/"+made.ID)+"?done=booked", http.StatusSeeOther)
	return nil
}

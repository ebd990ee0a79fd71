package console

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// chapter is one change of a booking.
type chapter struct {
	At      time.Time
	Event   string
	By      string
	Changes []difference
}

// difference is one thing that was otherwise before.
type difference struct{ Field, From, To string }

// history tells how a booking came to be what it is.
func (v *visit) history(id string, f folder) ([]chapter, error) {
	revisions, err := v.c.desk.Revisions(v.r.Context(), v.caller, id)
	if err != nil {
		return nil, err
	}
	by, err := v.doers()
	if err != nil {
		return nil, err
	}
	rooms := map[string]string{}
	for _, r := range f.Rooms {
		rooms[r.ID] = r.Name
	}
	var people []string
	for _, r := range revisions {
		people = append(people, r.GuestID)
	}
	if err := v.shown("console.reservation", people); err != nil {
		return nil, err
	}
	chapters := make([]chapter, len(revisions))
	var before map[string]string
	for i, r := range revisions {
		now := v.traits(r.Reservation, rooms, f.Plans)
		told := chapter{At: r.UpdatedAt, Event: r.Event, By: by.called(r.Actor)}
		for _, field := range traitNames {
			if before != nil && before[field] != now[field] {
				told.Changes = append(told.Changes, difference{field, before[field], now[field]})
			}
		}
		chapters[len(revisions)-1-i] = told
		before = now
	}
	return chapters, nil
}

// traitNames are what is compared of two revisions of a booking, in their order.
var traitNames = []string{"status", "check_in", "check_out", "room", "number", "plan", "adults", "children", "guest", "email", "phone", "total", "nights", "commission", "deposit", "guarantee", "until", "arrival", "notes", "requests"}

// traits are a booking in words, to be compared with another revision of it.
func (v *visit) traits(r hotel.Reservation, rooms map[string]string, plans []hotel.RatePlan) map[string]string {
	t := map[string]string{
		"status": v.words.T("status." + string(r.Status)), "check_in": v.words.date(r.Stay.CheckIn), "check_out": v.words.date(r.Stay.CheckOut),
		"room": rooms[cmp.Or(r.RoomTypeID, r.HeldRoom)], "number": r.RoomNumber, "plan": nameOfPlan(plans, r.RatePlanID),
		"adults": strconv.Itoa(r.Adults), "children": agesText(r.ChildrenAges), "total": v.words.money(r.Total), "nights": v.nightly(r.Nightly),
		"guarantee": v.words.T("guarantee." + cmp.Or(r.Guarantee, "none")), "arrival": r.ArrivalTime,
	}
	if r.Commission != nil {
		t["commission"] = v.words.money(*r.Commission)
	}
	if r.DepositPaid != nil {
		t["deposit"] = v.words.money(*r.DepositPaid)
	}
	if !r.HoldExpires.IsZero() {
		t["until"] = v.moment(r.HoldExpires)
	}
	if v.may(auth.GuestsRead) {
		t["guest"], t["email"], t["phone"], t["notes"], t["requests"] = r.Guest.DisplayName(), r.Guest.Email, r.Guest.Phone, r.Notes, r.Requests
	}
	return t
}

// nightly are the prices of the nights, those that are alike together.
func (v *visit) nightly(nights []hotel.NightPrice) string {
	var said []string
	for i := 0; i < len(nights); {
		span, amount := hotel.Span{From: nights[i].Date, To: nights[i].Date}, nights[i].Amount
		for i++; i < len(nights) && nights[i].Amount == amount && nights[i].Date == span.To+1; i++ {
			span.To = nights[i].Date
		}
		said = append(said, v.words.span(span)+": "+v.words.money(amount))
	}
	return strings.Join(said, ", ")
}

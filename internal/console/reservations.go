package console

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/internal/auth"
)

// register is a list of bookings.
type register struct {
	Show   string // see [shelves]
	Search string // "": Show says which bookings are listed
	Lines  []guestLine
	Next   string // where the next page is; "": this is the last
	Day    hotel.Date
	Daily  bool // the list is one of a day
	Today  hotel.Date
}

// On is the address of the same list of another day, so many days on.
func (r register) On(days int) string {
	q := url.Values{"show": {r.Show}, "day": {(r.Day + hotel.Date(days)).String()}}
	return "?" + q.Encode()
}

// shelf is a list of bookings that somebody looks through every day.
type shelf struct {
	name   string
	phases []stay.Phase
	of     hotel.ReservationFilter
	on     func(day hotel.Date) hotel.Standing // which bookings those of another day than today are; nil: it is not of a day
}

// The phases of bookings that are looked at every day.
var (
	phasesArriving = []stay.Phase{stay.OverdueArrival, stay.DueIn}
	phasesLeaving  = []stay.Phase{stay.OverdueDeparture, stay.DueOut}
	phasesStaying  = append(slices.Clone(phasesLeaving), stay.Stayover)
)

// shelves are those that there are; the first is shown where none is asked for.
var shelves = []shelf{
	{"arriving", phasesArriving, hotel.ReservationFilter{Sort: hotel.SortCheckIn}, func(day hotel.Date) hotel.Standing { return hotel.Standing{InFrom: &day, InTo: &day} }},
	{"staying", phasesStaying, hotel.ReservationFilter{Sort: hotel.SortCheckIn}, func(day hotel.Date) hotel.Standing {
		return hotel.Standing{InTo: &day, OutFrom: new(day + 1)}
	}},
	{"leaving", phasesLeaving, hotel.ReservationFilter{Sort: hotel.SortCheckIn}, func(day hotel.Date) hotel.Standing { return hotel.Standing{OutFrom: &day, OutTo: &day} }},
	{"coming", []stay.Phase{stay.Future}, hotel.ReservationFilter{Sort: hotel.SortCheckIn}, nil},
	{"newest", nil, hotel.ReservationFilter{Sort: hotel.SortCreated, Descending: true}, nil},
	{"unmapped", nil, hotel.ReservationFilter{Sort: hotel.SortCreated, Descending: true, Unmapped: true}, nil},
}

// expected are the statuses of guests who come, are there or were.
var expected = []hotel.ReservationStatus{hotel.Requested, hotel.Held, hotel.Confirmed, hotel.CheckedIn, hotel.CheckedOut}

// Shelves are the lists that there are.
func (register) Shelves() []string {
	names := make([]string, len(shelves))
	for i, s := range shelves {
		names[i] = s.name
	}
	return names
}

// a page of a list has so many bookings.
const pageOfBookings = 100

func (c *Console) reservations(v *visit) error {
	q := v.r.URL.Query()
	r := register{Show: q.Get("show"), Search: strings.TrimSpace(q.Get("search")), Today: v.c.desk.Today(v.house)}
	i := max(0, slices.IndexFunc(shelves, func(s shelf) bool { return s.name == r.Show }))
	r.Show, r.Day, r.Daily = shelves[i].name, r.Today, r.Search == "" && shelves[i].on != nil
	var list []hotel.Reservation
	var err error
	if day := q.Get("day"); r.Daily && day != "" {
		if r.Day, err = hotel.ParseDate(day); err != nil {
			return hotel.Invalid("/day", "date", "is a date")
		}
	}
	if r.Search != "" {
		list, r.Next, err = v.find(r.Search, q)
	} else {
		list, r.Next, err = v.shelf(shelves[i], r, q)
	}
	if err != nil {
		return err
	}
	if r.Lines, err = v.lines("console.reservations", list); err != nil {
		return err
	}
	if r.Show == "arriving" {
		slices.SortStableFunc(r.Lines, byHour)
	}
	return v.show("reservations", http.StatusOK, r)
}

// byHour is the order in which guests of a day come, those last of whom nobody has said when.
func byHour(a, b guestLine) int {
	return cmp.Or(cmp.Compare(a.Stay.CheckIn, b.Stay.CheckIn), cmp.Compare(cmp.Or(a.ArrivalTime, "~"), cmp.Or(b.ArrivalTime, "~")))
}

// shelf reads a page of a list, and says where the next is. Today's have those besides who
// are overdue; of another day are listed all who come, stay or leave then, or did.
func (v *visit) shelf(s shelf, r register, q url.Values) (list []hotel.Reservation, next string, err error) {
	f, phases, of := s.of, s.phases, url.Values{"show": {s.name}}
	f.PropertyIDs, f.Limit = []string{v.house.ID}, pageOfBookings+1
	f.AfterKey, f.AfterID = placeIn(q)
	if r.Day != r.Today {
		on := s.on(r.Day)
		on.PropertyID, on.Statuses = v.house.ID, expected
		f.In, phases = []hotel.Standing{on}, nil
		of.Set("day", r.Day.String())
	}
	if list, err = v.c.desk.Reservations(v.r.Context(), v.caller, f, phases...); err != nil {
		return nil, "", err
	}
	list, next = v.paged(list, f.Sort, of)
	return list, next, nil
}

// placeIn is the booking behind which an address goes on.
func placeIn(q url.Values) (key int64, id string) {
	key, err := strconv.ParseInt(q.Get("key"), 10, 64)
	if err != nil {
		return 0, ""
	}
	return key, q.Get("after")
}

// paged is the first page of a list, and where the next is: the address of the list with
// the place behind which it goes on.
func (v *visit) paged(list []hotel.Reservation, by hotel.ReservationSort, of url.Values) (page []hotel.Reservation, next string) {
	if len(list) <= pageOfBookings {
		return list, ""
	}
	last := list[pageOfBookings-1]
	of.Set("key", strconv.FormatInt(last.SortKey(by), 10))
	of.Set("after", last.ID)
	return list[:pageOfBookings], v.path("reservations") + "?" + of.Encode()
}

// namesakes is how many guests of a name have their bookings listed.
const namesakes = 20

// find lists the bookings that a text may mean, the newest first: those of its
// confirmation, of a channel's number, and of guests whose name begins so. It says where
// the next page is.
func (v *visit) find(text string, q url.Values) (found []hotel.Reservation, next string, err error) {
	house := []string{v.house.ID}
	filters := []hotel.ReservationFilter{{Confirmations: []string{strings.ToUpper(strings.ReplaceAll(text, " ", ""))}}, {Reference: text}}
	if v.may(auth.GuestsRead) {
		people, err := v.c.desk.Guests(v.r.Context(), v.caller, hotel.GuestFilter{PropertyIDs: house, LastName: text, Limit: namesakes})
		if err != nil {
			return nil, "", err
		}
		ids := make([]string, len(people))
		for i, p := range people {
			ids[i] = p.ID
		}
		if len(ids) > 0 {
			filters = append(filters, hotel.ReservationFilter{GuestIDs: ids})
		}
	}
	for _, f := range filters {
		f.PropertyIDs, f.Limit, f.Sort, f.Descending = house, pageOfBookings+1, hotel.SortCreated, true
		f.AfterKey, f.AfterID = placeIn(q)
		list, err := v.c.desk.Reservations(v.r.Context(), v.caller, f)
		if err != nil {
			return nil, "", err
		}
		found = append(found, list...)
	}
	slices.SortFunc(found, func(a, b hotel.Reservation) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	found = slices.CompactFunc(found, func(a, b hotel.Reservation) bool { return a.ID == b.ID })
	found, next = v.paged(found, hotel.SortCreated, url.Values{"search": {text}})
	return found, next, nil
}

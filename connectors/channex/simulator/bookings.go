package simulator

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// The ids of bookings and of their revisions are made of their numbers.
func bookingID(b simkit.Booking) string {
	return fmt.Sprintf("b0000000-0000-4000-8000-%012d", b.Number)
}

func revisionID(b simkit.Booking) string {
	return fmt.Sprintf("e0000000-%04d-4000-8000-%012d", b.Revision, b.Number)
}

// statuses are the kinds of event in the words of a revision.
var statuses = map[connectors.EventKind]string{connectors.Booked: "new", connectors.Modified: "modified", connectors.Cancelled: "cancelled"}

// tell is a revision of a booking.
func (s *Simulator) tell(e simkit.Event) object {
	status := statuses[e.Kind]
	if s.kit.Faults.Garbles(e.Seq) {
		status = "garbled"
	}
	a := s.attributes(e.Booking, status)
	a["id"], a["property_id"], a["booking_id"] = revisionID(e.Booking), s.o.Hotel, bookingID(e.Booking)
	return object{Type: "booking_revision", ID: revisionID(e.Booking), Attributes: a}
}

// listed is a booking as its latest revision has it.
func (s *Simulator) listed(b simkit.Booking) object {
	status := "modified"
	if b.Revision == 1 {
		status = "new"
	}
	if b.Status == simkit.Cancelled {
		status = "cancelled"
	}
	a := s.attributes(b, status)
	a["id"], a["revision_id"] = bookingID(b), revisionID(b)
	return object{Type: "booking", ID: bookingID(b), Attributes: a}
}

// attributes are what both say.
func (s *Simulator) attributes(b simkit.Booking, status string) map[string]any {
	first, last, adults := b.CheckIn, b.CheckOut, 0
	var children []int
	var rooms []any
	for i, p := range b.Parts() {
		first, last = min(first, p.CheckIn), max(last, p.CheckOut)
		adults, children = adults+p.Adults, append(children, p.Children...)
		rooms = append(rooms, s.room(b, i, p))
	}
	amount := hotel.Money{Minor: b.Total().Minor, Currency: s.o.Currency}.Amount()
	return map[string]any{
		"unique_id": b.Reference, "ota_reservation_code": b.Reference[len("BDC-"):], "ota_name": "Booking.com", "system_id": fmt.Sprint(b.Number, ".", b.Revision),
		"status": status, "arrival_date": first, "departure_date": last, "arrival_hour": "18:00", "amount": amount, "currency": s.o.Currency,
		"ota_commission": "0.00", "payment_collect": "property", "payment_type": "credit_card", "notes": "Comes by train", "occupancy": people(adults, children),
		"customer":  map[string]any{"name": b.FirstName, "surname": b.LastName, "mail": nil, "phone": nil, "country": "AT", "language": "de"},
		"services":  []any{},
		"guarantee": map[string]any{"card_number": "411111******1111", "card_type": "VI", "cardholder_name": b.LastName, "cvv": "***", "expiration_date": "10/2030", "is_virtual": false},
		"deposits":  s.deposits(b), "rooms": rooms, "inserted_at": b.At.UTC().Format("2006-01-02T15:04:05.000000"),
	}
}

// deposits are what guests have paid to the agency: of every third booking a quarter of what
// it comes to.
func (s *Simulator) deposits(b simkit.Booking) []any {
	paid := hotel.Money{Minor: b.Total().Minor / 4, Currency: s.o.Currency}
	if b.Number%3 != 0 || paid.Minor == 0 {
		return []any{}
	}
	return []any{map[string]any{"amount": paid.Amount(), "currency": s.o.Currency, "charged_at": b.At.UTC().Format("2006-01-02T15:04:05"), "type": "credit_card", "notes": nil, "meta": nil}}
}

// infancy is the age from which a child is no infant any more.
const infancy = 2

// people are a party. Infants are counted by themselves, and nobody tells their ages.
func people(adults int, children []int) map[string]any {
	var ages []int // null where there are none
	for _, age := range children {
		if age >= infancy {
			ages = append(ages, age)
		}
	}
	return map[string]any{"adults": adults, "children": len(ages), "infants": len(children) - len(ages), "ages": ages}
}

// room is one of a booking's. Its name is that of its place among them.
func (s *Simulator) room(b simkit.Booking, i int, p simkit.Part) map[string]any {
	days, total := map[hotel.Date]string{}, hotel.Money{Currency: s.o.Currency}
	for i, amount := range p.Amounts {
		days[p.CheckIn+hotel.Date(i)] = amount.Amount()
		total.Minor += amount.Minor
	}
	var room, rate any = p.Room, p.Rate
	if s.kit.Faults.Unmaps(b.Number) {
		room, rate = nil, nil
	}
	return map[string]any{
		"booking_room_id": fmt.Sprint(bookingID(b), "-", i+1), "room_type_id": room, "rate_plan_id": rate, "checkin_date": p.CheckIn, "checkout_date": p.CheckOut,
		"amount": total.Amount(), "days": days, "occupancy": people(p.Adults, p.Children), "guests": nil, "taxes": []any{}, "is_cancelled": b.Status == simkit.Cancelled, "meta": nil,
		"services": []any{map[string]any{"type": "Breakfast", "name": "Breakfast", "is_inclusive": true, "nights": len(p.Amounts), "persons": p.Adults, "total_price": "0.00"}},
	}
}

// bookings lists those that hold a night between the dates that are asked for, and
// takes nothing out of the feed.
func (s *Simulator) bookings(w http.ResponseWriter, r *http.Request) {
	if !s.mine(w, r) {
		return
	}
	bounds := map[string]hotel.Date{}
	for _, name := range []string{"arrival_date][gte", "arrival_date][lte", "departure_date][gte", "departure_date][lte"} {
		said := r.URL.Query().Get("filter[" + name + "]")
		if said == "" {
			continue
		}
		date, err := hotel.ParseDate(said)
		if err != nil {
			problem(w, http.StatusUnprocessableEntity, "validation_error", "Validation Error", map[string][]string{name: {"is invalid"}})
			return
		}
		bounds[name] = date
	}
	between := func(field string, date hotel.Date) bool {
		from, bounded := bounds[field+"][gte"]
		if bounded && date < from {
			return false
		}
		to, bounded := bounds[field+"][lte"]
		return !bounded || date <= to
	}
	since := time.Time{}
	if said := r.URL.Query().Get("filter[inserted_at][gte]"); said != "" {
		var err error
		if since, err = time.Parse(time.RFC3339, said); err != nil {
			problem(w, http.StatusUnprocessableEntity, "validation_error", "Validation Error", map[string][]string{"inserted_at": {"is invalid"}})
			return
		}
	}
	held := s.kit.Book.Bookings()
	if order := r.URL.Query().Get("order[inserted_at]"); order != "" {
		slices.SortStableFunc(held, func(a, b simkit.Booking) int {
			if order == "desc" {
				a, b = b, a
			}
			return a.At.Compare(b.At)
		})
	}
	var all []object
	for _, b := range held {
		first, last := b.CheckIn, b.CheckOut
		for _, p := range b.Others {
			first, last = min(first, p.CheckIn), max(last, p.CheckOut)
		}
		if between("arrival_date", first) && between("departure_date", last) && !b.At.Before(since) {
			all = append(all, s.listed(b))
		}
	}
	paged(w, r, all)
}

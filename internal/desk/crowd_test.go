package desk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// deed is something that somebody asks of the desk while others do.
type deed struct {
	do   string
	as   hotel.ReservationStatus // of a booking
	of   int                     // of the reservations known before, if there are any
	room int
	stay hotel.Stay

	id  string // of the reservation that it was about, or made
	got string // "ok", or the code of the refusal
}

// booked is a reservation as a plain model has it.
type booked struct {
	status hotel.ReservationStatus
	room   int
	stay   hotel.Stay
}

// roomsOfAType is how many rooms the house has of each of its two types.
const roomsOfAType = 2

// standing is the whole house as a plain model has it: no board, no batches, one deed
// after the other.
type standing map[string]booked

func holds(s hotel.ReservationStatus) bool {
	return slices.Contains([]hotel.ReservationStatus{hotel.Requested, hotel.Held, hotel.Confirmed, hotel.CheckedIn}, s)
}

func (s standing) free(room int, night hotel.Date) int {
	n := roomsOfAType
	for _, b := range s {
		if holds(b.status) && b.room == room && b.stay.Contains(night) {
			n--
		}
	}
	return n
}

// put has a reservation stand otherwise, if it finds its rooms then.
func (s standing) put(id string, to booked) string {
	was, there := s[id]
	delete(s, id)
	for d := to.stay.CheckIn; holds(to.status) && d < to.stay.CheckOut; d++ {
		if s.free(to.room, d) < 1 {
			if there {
				s[id] = was
			}
			return "not_available"
		}
	}
	s[id] = to
	return "ok"
}

// steps of the model: from which statuses, to which; written apart from the program's.
var modelSteps = map[string]struct {
	from []hotel.ReservationStatus
	to   hotel.ReservationStatus
}{
	"hold":      {[]hotel.ReservationStatus{hotel.Enquired}, hotel.Held},
	"request":   {[]hotel.ReservationStatus{hotel.Enquired}, hotel.Requested},
	"confirm":   {[]hotel.ReservationStatus{hotel.Enquired, hotel.Requested, hotel.Held, hotel.Waitlisted}, hotel.Confirmed},
	"decline":   {[]hotel.ReservationStatus{hotel.Enquired, hotel.Requested, hotel.Held}, hotel.Declined},
	"cancel":    {[]hotel.ReservationStatus{hotel.Requested, hotel.Held, hotel.Waitlisted, hotel.Confirmed}, hotel.Cancelled},
	"reinstate": {[]hotel.ReservationStatus{hotel.Cancelled, hotel.Declined}, hotel.Confirmed},
}

// take does a deed, and returns what is answered.
func (s standing) take(d *deed) string {
	if d.do == "book" {
		return s.put(d.id, booked{d.as, d.room, d.stay})
	}
	b := s[d.id]
	if d.do == "change" {
		if b.status == hotel.Cancelled || b.status == hotel.Declined {
			return "invalid_transition"
		}
		return s.put(d.id, booked{b.status, d.room, d.stay})
	}
	step := modelSteps[d.do]
	switch {
	case b.status == step.to && d.do != "reinstate":
		return "ok"
	case !slices.Contains(step.from, b.status):
		return "invalid_transition"
	}
	b.status = step.to
	return s.put(d.id, b)
}

// explains reports whether there is an order of the deeds in which each is answered as it
// was and all comes to what is so in the end.
func (s standing) explains(deeds []*deed, end standing) bool {
	if len(deeds) == 0 {
		return maps.Equal(s, end)
	}
	for i, d := range deeds {
		next := maps.Clone(s)
		if next.take(d) == d.got && next.explains(slices.Delete(slices.Clone(deeds), i, i+1), end) {
			return true
		}
	}
	return false
}

// Many ask at once for the same rooms, and change, take back and take up again what
// others hold. Whatever they are answered, there is an order in which a plain model
// answers the same; and what is free afterwards is what that leaves.
func TestACrowdIsAnsweredAsIfOneCameAfterTheOther(t *testing.T) {
	d, _ := newDesk(t)
	rooms, plan := selling(t, d.ledger.(*ledger.Ledger))
	all := who(auth.AllScopes(), "*")
	first := hotel.DateOf(2026, 11, 23)
	dos := append([]string{"book", "book", "book", "change", "change"}, slices.Sorted(maps.Keys(modelSteps))...)
	model, known := standing{}, []string{}
	rapid.Check(t, func(t *rapid.T) {
		for _, id := range known { // the house begins empty
			r, err := d.Reservation(t.Context(), all, id)
			if err == nil && holds(r.Status) {
				_, _, err = d.Cancel(t.Context(), all, id, hotel.CancelRequest{Reason: "guest"})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		model, known = standing{}, nil
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			var deeds []*deed
			for range rapid.IntRange(1, 5).Draw(t, "at once") {
				in := first + hotel.Date(rapid.IntRange(0, 2).Draw(t, "in"))
				x := &deed{
					do: rapid.SampledFrom(dos).Draw(t, "do"), as: rapid.SampledFrom(stay.Initial[:5]).Draw(t, "as"), of: rapid.IntRange(0, 9).Draw(t, "of"),
					room: rapid.IntRange(0, 1).Draw(t, "room"), stay: hotel.Stay{CheckIn: in, CheckOut: in + hotel.Date(rapid.IntRange(1, 2).Draw(t, "nights"))},
				}
				if len(known) == 0 {
					x.do = "book"
				}
				if x.do != "book" {
					x.id = known[x.of%len(known)]
				}
				deeds = append(deeds, x)
			}
			var together sync.WaitGroup
			for _, x := range deeds {
				together.Go(func() { d.take(x, all, rooms, plan) })
			}
			together.Wait()
			end := standing{}
			for i, x := range deeds {
				if x.do == "book" && x.got == "ok" {
					known = append(known, x.id)
				} else if x.do == "book" {
					x.id = fmt.Sprint("refused ", i)
				}
			}
			for _, id := range known {
				r, err := d.Reservation(t.Context(), all, id)
				if err != nil {
					t.Fatal(err)
				}
				end[id] = booked{r.Status, slices.IndexFunc(rooms, func(x hotel.RoomType) bool { return x.ID == r.RoomTypeID }), r.Stay}
			}
			if !model.explains(deeds, end) {
				for _, x := range deeds {
					t.Logf("%s %s as %s, room %d, %s: %s", x.do, x.id, x.as, x.room, x.stay, x.got)
				}
				t.Fatalf("no order explains it: from %v to %v", model, end)
			}
			model = end
			d.compare(t, all, model, rooms, first)
		}
	})
}

// take asks the desk.
func (d *Desk) take(x *deed, as Caller, rooms []hotel.RoomType, plan hotel.RatePlan) {
	ctx, until := context.Background(), d.clock.Now().Add(48*time.Hour)
	var r hotel.Reservation
	var err error
	switch x.do {
	case "book":
		n := hotel.NewReservation{
			PropertyID: "h1", Status: x.as, RoomTypeID: rooms[x.room].ID, RatePlanID: plan.ID, Stay: x.stay, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
		}
		if x.as == hotel.Held {
			n.HoldExpires = until
		}
		if r, _, err = d.Book(ctx, as, n); err == nil {
			x.id = r.ID
		}
	case "change":
		_, _, err = d.Change(ctx, as, x.id, hotel.ReservationChange{RoomTypeID: &rooms[x.room].ID, CheckIn: &x.stay.CheckIn, CheckOut: &x.stay.CheckOut})
	case "cancel":
		_, _, err = d.Cancel(ctx, as, x.id, hotel.CancelRequest{Reason: "guest"})
	default:
		q := hotel.StepRequest{Refused: hotel.ByProperty}
		if x.do == "hold" || x.do == "request" {
			q.Until = until
		}
		_, _, err = d.Step(ctx, as, x.id, stay.Action(x.do), q)
	}
	x.got = "ok"
	if refusal, ok := errors.AsType[*hotel.Refusal](err); ok {
		x.got = refusal.Code
	} else if err != nil {
		x.got = err.Error()
	}
}

// compare asks what is free, night by night.
func (d *Desk) compare(t *rapid.T, as Caller, model standing, rooms []hotel.RoomType, first hotel.Date) {
	for night := first; night < first+5; night++ {
		answer, err := d.Availability(t.Context(), as, StayQuery{PropertyID: "h1", Stay: hotel.Stay{CheckIn: night, CheckOut: night + 1}})
		if err != nil {
			t.Fatal(err)
		}
		for _, room := range answer.Rooms {
			of := slices.IndexFunc(rooms, func(x hotel.RoomType) bool { return x.ID == room.RoomType.ID })
			if want := model.free(of, night); room.Available != want {
				t.Fatalf("on %s %d rooms of %s are free, want %d", night, room.Available, room.RoomType.Code, want)
			}
		}
		if len(answer.Rooms) != len(rooms) {
			t.Fatalf("on %s %d types are answered", night, len(answer.Rooms))
		}
	}
}

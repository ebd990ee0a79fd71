package stay

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

func TestNights(t *testing.T) {
	booked := hotel.Stay{CheckIn: 10, CheckOut: 13}
	for _, c := range []struct {
		name   string
		status hotel.ReservationStatus
		until  hotel.Date
		want   hotel.Stay
	}{
		{"an enquiry holds nothing", hotel.Enquired, 0, hotel.Stay{}},
		{"the waiting list holds nothing", hotel.Waitlisted, 0, hotel.Stay{}},
		{"a request holds its nights", hotel.Requested, 0, booked},
		{"an option holds its nights", hotel.Held, 0, booked},
		{"confirmed", hotel.Confirmed, 0, booked},
		{"in house", hotel.CheckedIn, 0, booked},
		{"in house and overdue", hotel.CheckedIn, 15, hotel.Stay{CheckIn: 10, CheckOut: 15}},
		{"in house until a date that the stay outlasts", hotel.CheckedIn, 11, booked},
		{"left", hotel.CheckedOut, 0, booked},
		{"left, the last night given back", hotel.CheckedOut, 12, hotel.Stay{CheckIn: 10, CheckOut: 12}},
		{"left on the day of arrival, the night given back", hotel.CheckedOut, 10, hotel.Stay{}},
		{"did not come", hotel.NoShow, 0, hotel.Stay{CheckIn: 10, CheckOut: 11}},
		{"did not come, the next nights kept", hotel.NoShow, 13, booked},
		{"cancelled", hotel.Cancelled, 0, hotel.Stay{}},
		{"declined", hotel.Declined, 0, hotel.Stay{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Nights(c.status, booked, c.until); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestLeave(t *testing.T) {
	booked := hotel.Stay{CheckIn: 10, CheckOut: 13}
	for _, c := range []struct {
		name    string
		today   hotel.Date
		release bool
		out     hotel.Date
		nights  int // still taken
	}{
		{"on time", 13, false, 13, 3},
		{"late", 15, false, 13, 3},
		{"on time, with nothing left to give back", 13, true, 13, 3},
		{"a day early", 12, false, 12, 2},
		{"on the day of arrival", 10, false, 11, 1},
		{"on the day of arrival, the night given back", 10, true, 11, 0},
		{"before the stay begins", 9, true, 11, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			left, until := Leave(booked, c.today, c.release)
			if n := Nights(hotel.CheckedOut, left, until).Nights(); left.CheckIn != 10 || left.CheckOut != c.out || n != c.nights {
				t.Errorf("left %v with %d nights taken, want out on %d with %d", left, n, c.out, c.nights)
			}
		})
	}
}

// The lookup of a phase finds exactly the reservations that are in it.
func TestPhaseIsWhatItsLookupFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		status := rapid.SampledFrom(Statuses).Draw(t, "status")
		today := hotel.Date(100)
		in := hotel.Date(rapid.IntRange(97, 103).Draw(t, "check-in"))
		stay := hotel.Stay{CheckIn: in, CheckOut: in + hotel.Date(rapid.IntRange(1, 4).Draw(t, "nights"))}
		within := func(d hotel.Date, from, to *hotel.Date) bool {
			return (from == nil || d >= *from) && (to == nil || d <= *to)
		}
		for _, p := range Phases {
			w := In(p, "hotel", today)
			found := slices.Contains(w.Statuses, status) && within(stay.CheckIn, w.InFrom, w.InTo) && within(stay.CheckOut, w.OutFrom, w.OutTo)
			if is := PhaseOn(status, stay, today) == p; is != found {
				t.Fatalf("%s %v is %s: %v, found: %v", status, stay, p, is, found)
			}
		}
	})
}

func TestRollCatchesUpAndThenRests(t *testing.T) {
	booked := hotel.Stay{CheckIn: 10, CheckOut: 13}
	for _, c := range []struct {
		name   string
		house  House
		status hotel.ReservationStatus
		ends   hotel.ReservationStatus
		nights int
	}{
		{"the arrival day is not over", House{Today: 10, Assumed: true}, hotel.Confirmed, hotel.Confirmed, 3},
		{"the arrival day is over", House{Today: 11, Assumed: true}, hotel.Confirmed, hotel.CheckedIn, 3},
		{"the departure day is not over", House{Today: 13, Assumed: true}, hotel.CheckedIn, hotel.CheckedIn, 3},
		{"the departure day is over", House{Today: 14, Assumed: true}, hotel.CheckedIn, hotel.CheckedOut, 3},
		{"after a week of downtime", House{Today: 20, Assumed: true}, hotel.Confirmed, hotel.CheckedOut, 3},
		{"recorded stays wait", House{Today: 20}, hotel.Confirmed, hotel.Confirmed, 3},
		{"recorded and overdue", House{Today: 14, OverdueHolds: true}, hotel.CheckedIn, hotel.CheckedIn, 5},
		{"recorded and overdue, but nothing is held", House{Today: 14}, hotel.CheckedIn, hotel.CheckedIn, 3},
		{"due out today", House{Today: 13, OverdueHolds: true}, hotel.CheckedIn, hotel.CheckedIn, 3},
		{"a no-show stays one", House{Today: 20, Assumed: true}, hotel.NoShow, hotel.NoShow, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, until := c.status, hotel.Date(0)
			for range 3 {
				var a Action
				if a, until = c.house.Due(status, booked, until); a != "" {
					if _, err := StepOf(a).Take(status); err != nil {
						t.Fatal(err)
					}
					status = StepOf(a).To
				}
			}
			if n := Nights(status, booked, until).Nights(); status != c.ends || n != c.nights {
				t.Errorf("%s with %d nights, want %s with %d", status, n, c.ends, c.nights)
			}
		})
	}
}

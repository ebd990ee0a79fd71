package ledger

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
	"ostler.example/hotel/stay"
)

// books reads the house's books of some nights from today on, in an order of their
// own.
func (h *house) books(t tb, from, to int, at time.Time) report.Books {
	t.Helper()
	b := must(h.Books(context.Background(), BooksQuery{
		PropertyID: h.property.ID, Span: hotel.Span{From: h.today + hotel.Date(from), To: h.today + hotel.Date(to)}, Known: at, Stock: at,
	}))(t)
	b.Property.Entity = hotel.Entity{ID: h.property.ID} // its times are not journalled
	slices.SortFunc(b.Bookings, func(x, y hotel.Reservation) int { return cmp.Compare(x.ID, y.ID) })
	slices.SortFunc(b.Supply, func(x, y report.Supply) int {
		return cmp.Or(cmp.Compare(x.Night, y.Night), cmp.Compare(x.RoomTypeID, y.RoomTypeID), x.Total-y.Total)
	})
	return b
}

// The books as they stood are those that were read then.
func TestBooksAreAsTheyStood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		h.newFarSide(t, 5)
		var made []hotel.Reservation
		seen := map[time.Time]report.Books{}
		for range rapid.IntRange(1, 12).Draw(t, "writes") {
			h.drawWrite(t, &made)
			seen[h.clock.Now()] = h.books(t, -2, 6, time.Time{})
			h.clock.move(time.Second)
		}
		for at, want := range seen {
			if diff := gocmp.Diff(want, h.books(t, -2, 6, at)); diff != "" {
				t.Fatalf("as of %s: %s", at, diff)
			}
		}
	})
}

// A waitlisted booking never held a room, and what becomes of it is still known.
func TestBooksHaveWhatNeverHeldARoom(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	r := h.bring(t, hotel.Waitlisted)
	waiting := h.clock.Now()
	h.clock.move(time.Hour)
	must2(h.CancelReservation(context.Background(), tester, hotel.Once{}, r.ID, hotel.CancelRequest{}))(t)
	for at, want := range map[time.Time]hotel.ReservationStatus{waiting: hotel.Waitlisted, h.clock.Now(): hotel.Cancelled, {}: hotel.Cancelled} {
		if b := h.books(t, 0, 3, at); len(b.Bookings) != 1 || b.Bookings[0].Status != want {
			t.Errorf("at %s: %v, want one that is %s", at, b.Bookings, want)
		}
	}
}

// What was imported is known to have been booked before, and what was cancelled then
// is known to have been alive until it was.
func TestImportedBookingsStandFromTheirBooking(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.clock.move(30 * 24 * time.Hour)
	bookedAt := h.clock.Now().Add(-20 * 24 * time.Hour)
	h.outcomes(t, false, h.row(2, 2, func(r *hotel.ImportRow) { r.Source.BookedAt = bookedAt }))
	for at, want := range map[time.Time]int{bookedAt.Add(-time.Second): 0, bookedAt: 1, h.clock.Now(): 1, {}: 1} {
		if got := h.books(t, 0, 6, at).Bookings; len(got) != want {
			t.Errorf("at %s: %d bookings, want %d", at, len(got), want)
		}
	}
}

// A night that is over keeps the rooms that it had.
func TestPastNightsKeepTheirPools(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	rooms := func() (totals []int) {
		for _, s := range h.books(t, -1, 3, time.Time{}).Supply {
			if s.RoomTypeID == h.suite.ID {
				totals = append(totals, s.Total)
			}
		}
		return totals
	}
	h.clock.move(48 * time.Hour)
	must2(h.ChangePool(context.Background(), tester, hotel.Once{}, h.suite.Consumes[0].AnyOf[0], hotel.Change[hotel.Pool]{Apply: func(p *hotel.Pool) error {
		p.TotalUnits = 3
		return nil
	}}))(t)
	if got := rooms(); !slices.Equal(got, []int{2, 2, 2, 3, 3}) {
		t.Errorf("suites by night are %v, want 2 up to yesterday and 3 from today on", got)
	}
}

// A hotel whose guests are checked in and out by nobody has the reports, all of them, of
// one that does it every day: check 19 of docs/api-checks.md, from the ledger on.
func TestReportsOfAHotelThatNeverClicks(t *testing.T) {
	t.Parallel()
	stays := [][2]hotel.Date{{0, 2}, {0, 3}, {1, 2}, {2, 5}}
	var quiet, busy []report.Report
	for _, recording := range []hotel.StayRecording{hotel.Assumed, hotel.Recorded} {
		h := newHouse(t)
		h.recordStays(t, recording)
		first := h.today
		var made []hotel.Reservation
		for _, s := range stays {
			made = append(made, must2(h.book(h.double, first+s[0], first+s[1], hotel.Once{}))(t))
		}
		for range 4 {
			today := h.property.BusinessDate(h.clock.Now())
			for _, r := range made {
				if recording == hotel.Assumed {
					continue
				}
				if r.Stay.CheckOut == today {
					must(h.take(r.ID, stay.CheckOut, hotel.StepRequest{}))(t)
				}
				if r.Stay.CheckIn == today {
					must(h.take(r.ID, stay.CheckIn, hotel.StepRequest{}))(t)
				}
			}
			h.passes(t, 24*time.Hour)
		}
		var out []report.Report
		b := h.books(t, 0, 6, time.Time{})
		for i := range b.Bookings {
			b.Bookings[i].ID = ""
		}
		for _, d := range report.Definitions {
			q := report.Query{Span: hotel.Span{From: first, To: first + 6}, Currency: "EUR", GroupBy: []report.Dimension{report.ByDay}}
			set := report.Set{Books: []report.Books{b}, Since: []report.Books{{Property: b.Property}}, LastYear: []report.Books{{Property: b.Property}}}
			r := d.Make(q, set, nil, nil)
			r.Definition = nil
			out = append(out, r)
		}
		quiet, busy = busy, out
	}
	if diff := gocmp.Diff(quiet, busy); diff != "" {
		t.Error(diff)
	}
	if sold := quiet[0].Totals.Values[3]; sold != (report.Value{Known: true, N: 9}) {
		t.Errorf("%v nights sold, want 9", sold)
	}
}

package ledger

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
)

// underOneNumber are two rows of a file: a booking that was cancelled, and the one that has
// its reference since.
func underOneNumber(h *house, room string, booked time.Time) (was, is hotel.ImportRow) {
	was = h.row(3, 2, of("ch", "B7", room))
	was.Status, was.Guest = hotel.Cancelled, hotel.Guest{LastName: "First"}
	is = h.row(10, 3, of("ch", "B7", room))
	is.Guest = hotel.Guest{LastName: "Another"}
	if !booked.IsZero() {
		was.Source.BookedAt, is.Source.BookedAt = booked, booked.Add(2*time.Hour)
	}
	return was, is
}

// TestImportOfAReferenceThatWasUsedAgain: of two bookings under one reference in a file each is
// one of its own, whichever comes first, and each hears what its channel says of it from then on.
func TestImportOfAReferenceThatWasUsedAgain(t *testing.T) {
	for _, order := range feedOrders {
		for _, room := range []string{"1", ""} {
			for _, newerFirst := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s room %q newer first %t", order, room, newerFirst), func(t *testing.T) {
					h := newHouse(t)
					h.newFarSide(t, 5)
					booked := h.clock.Now().Add(-24 * time.Hour)
					was, is := underOneNumber(h, room, booked)
					rows := []hotel.ImportRow{was, is}
					if newerFirst {
						slices.Reverse(rows)
					}
					for _, dry := range []bool{true, false} {
						if got, _ := h.outcomes(t, dry, rows...); got != "2 created, 0 attached, 0 duplicate, 0 invalid" {
							t.Fatalf("dry run %t: %s", dry, got)
						}
					}
					again := func() {
						t.Helper()
						if got, _ := h.outcomes(t, false, rows...); got != "0 created, 0 attached, 2 duplicate, 0 invalid" || len(h.reservations(t)) != 2 {
							t.Errorf("imported again: %s, %d reservations", got, len(h.reservations(t)))
						}
					}
					again()
					receive := func(r Receipt, key, event, revision string, at time.Time) {
						r.Key, r.Event, r.Revision, r.At, r.Order = key, event, revision, at, order
						must(h.Receive(t.Context(), r))(t)
						h.checkSold(t)
					}
					before, now := first(h, h.today+3, 2), another(h, "", h.today+10, 3)
					gone := before
					gone.Booking.Rooms = nil
					longer := another(h, "", h.today+10, 4)
					receive(before, "1", "booked", "1", booked)
					receive(gone, "2", "cancelled", "2", booked.Add(time.Hour))
					receive(now, "3", "booked", "1", booked.Add(2*time.Hour))
					receive(longer, "4", "modified", "2", booked.Add(3*time.Hour))
					live := h.heldFor(t, "Another")
					if len(live) != 1 || live[0].Stay != longer.Booking.Rooms[0].Stay || !live[0].Imported || live[0].Source.Reuse != 1 || live[0].Source.RoomRef != "1" {
						t.Fatalf("behind the channel's messages %+v is held", live)
					}
					if n := len(h.heldFor(t, "First")); n != 0 {
						t.Errorf("%d rooms are held for the guest who cancelled", n)
					}
					again()
					longer.Booking.Rooms = nil
					receive(longer, "5", "cancelled", "3", booked.Add(4*time.Hour))
					if live = h.heldFor(t, "Another"); len(live) != 0 {
						t.Errorf("behind its cancellation %+v is held", live)
					}
					again()
					h.sound(t)
				})
			}
		}
	}
}

// TestImportBesideWhatAChannelHasEnded: a row that holds a room is no word on a booking that
// its channel has cancelled, or whose guest has left; what only its time could tell is asked for.
func TestImportBesideWhatAChannelHasEnded(t *testing.T) {
	const created, attached, refused = "1 created, 0 attached, 0 duplicate, 0 invalid", "0 created, 1 attached, 0 duplicate, 0 invalid", "0 created, 0 attached, 0 duplicate, 1 invalid"
	for name, test := range map[string]struct {
		departed bool
		bookedAt time.Duration // since the booking before was made; 0: not told
		same     bool          // the row names the stay and the guest of the booking before
		room     string
		want     string
		live     int
	}{
		"booked behind the cancellation":                 {bookedAt: 2 * time.Hour, room: "1", want: created, live: 1},
		"booked behind it, of no room":                   {bookedAt: 2 * time.Hour, want: created, live: 1},
		"booked behind it, as before":                    {bookedAt: 2 * time.Hour, same: true, room: "1", want: created, live: 1},
		"the booking that was cancelled":                 {bookedAt: time.Minute, same: true, room: "1", want: attached},
		"nobody says when it was booked":                 {room: "1", want: refused},
		"nobody says when, of no room":                   {want: refused},
		"nobody says when, as before":                    {same: true, room: "1", want: refused},
		"booked behind the departure":                    {departed: true, bookedAt: 9 * 24 * time.Hour, room: "1", want: created, live: 1},
		"the guest who has left":                         {departed: true, bookedAt: time.Minute, same: true, room: "1", want: attached},
		"the guest who has left, nobody says when":       {departed: true, same: true, room: "1", want: attached},
		"a later stay than of who has left, nobody says": {departed: true, room: "1", want: refused},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			made := h.clock.Now()
			was := first(h, h.today+3, 2)
			if test.departed {
				was = first(h, h.today, 1)
			}
			heard := must(h.Receive(t.Context(), was))(t).Reservations[0]
			if test.departed {
				h.moveOn(t, heard.ID, hotel.CheckedOut)
				h.clock.move(10 * 24 * time.Hour)
				h.today = h.property.BusinessDate(h.clock.Now())
			} else {
				h.clock.move(time.Hour)
				gone := was
				gone.Key, gone.Event, gone.Revision, gone.At = "gone", "cancelled", "2", h.clock.Now()
				must(h.Receive(t.Context(), gone))(t)
				h.clock.move(3 * time.Hour)
			}
			_, row := underOneNumber(h, test.room, time.Time{})
			if test.same {
				row.Guest, row.Stay = *was.Booking.Guest, was.Booking.Rooms[0].Stay
			}
			if test.bookedAt > 0 {
				row.Source.BookedAt = made.Add(test.bookedAt)
			}
			got, out := h.outcomes(t, false, row)
			if got != test.want {
				t.Fatalf("%s, want %s: %+v", got, test.want, out.Rows)
			}
			if got == refused && out.Rows[0].Items[0].Pointer != "/source/booked_at" {
				t.Errorf("it says %+v", out.Rows[0].Items)
			}
			if n := len(h.heldFor(t, "Another")) + len(h.heldFor(t, "First")); n != test.live {
				t.Errorf("%d rooms are held, want %d", n, test.live)
			}
			again := "0 created, 0 attached, 1 duplicate, 0 invalid"
			if got == refused {
				again = refused
			}
			if got, _ := h.outcomes(t, false, row); got != again {
				t.Errorf("imported again: %s, want %s", got, again)
			}
			h.checkSold(t)
			h.sound(t)
		})
	}
}

// TestImportedRowsThatOnlyTheirTimesTellApart: what one reference and one room say of two bookings
// is never taken for one of them in silence.
func TestImportedRowsThatOnlyTheirTimesTellApart(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	was, is := underOneNumber(h, "1", time.Time{})
	got, out := h.outcomes(t, false, was, is)
	if got != "1 created, 0 attached, 0 duplicate, 1 invalid" || len(h.heldFor(t, "Another")) != 1 || out.Rows[0].Items[0].Pointer != "/source/booked_at" {
		t.Fatalf("%s: %+v", got, out.Rows)
	}
	// Mended, the one that was refused is older than what has its number now.
	was, is = underOneNumber(h, "1", h.clock.Now().Add(-24*time.Hour))
	got, out = h.outcomes(t, false, was, is)
	if got != "0 created, 0 attached, 1 duplicate, 1 invalid" || out.Rows[0].Items[0].Pointer != "/source/channel_reference" {
		t.Fatalf("mended: %s: %+v", got, out.Rows)
	}
	// A guest who moves has two rows, which are not one room.
	moves, moved := h.row(3, 2, of("ch", "B8", "1")), h.row(5, 1, of("ch", "B8", "1"))
	for range 2 {
		_, out = h.outcomes(t, false, moves, moved, moves)
		if out.Rows[1].Outcome != hotel.RowInvalid || out.Rows[2].ReservationID != out.Rows[0].ReservationID {
			t.Fatalf("moved: %+v", out.Rows)
		}
	}
	h.sound(t)
}

// TestImportedRoomsOfOneBooking: rooms of one booking, of which some are cancelled, were made
// together, and are one booking without any times.
func TestImportedRoomsOfOneBooking(t *testing.T) {
	for _, refs := range []bool{false, true} {
		for _, timed := range []bool{false, true} {
			t.Run(fmt.Sprint(refs, timed), func(t *testing.T) {
				h := newHouse(t)
				h.newFarSide(t, 5)
				var rows []hotel.ImportRow
				for i := range 4 {
					row := h.row(3, 2, of("ch", "B7", ""))
					if row.Guest.FirstName = fmt.Sprint(i / 2); refs {
						row.Source.RoomRef = fmt.Sprint(i)
					}
					if timed {
						row.Source.BookedAt = h.clock.Now().Add(-time.Hour)
					}
					if i < 2 {
						row.Status = hotel.Cancelled
					}
					rows = append(rows, row)
				}
				for i := range rows {
					_, out := h.outcomes(t, false, rows[:i+1]...)
					if out.Rows[i].Outcome != hotel.RowCreated {
						t.Fatalf("row %d: %+v", i, out.Rows[i])
					}
				}
				all := h.reservations(t)
				if len(all) != 4 || slices.ContainsFunc(all, func(r hotel.Reservation) bool {
					return r.GroupID != all[0].GroupID || r.GroupID == "" || r.Source.Reuse != 0
				}) {
					t.Errorf("stored as %+v", all)
				}
				// A newer file says more of the same rooms.
				for i := range rows {
					rows[i].Notes = "late"
				}
				if got, _ := h.outcomes(t, false, rows...); got != "0 created, 0 attached, 4 duplicate, 0 invalid" {
					t.Errorf("with notes: %s", got)
				}
				h.sound(t)
			})
		}
	}
}

// TestAChannelsMessageBesideWhatWasImportedAsCancelled: a booking of another guest, or a later
// one for other nights, leaves the cancelled one that had its reference as it was.
func TestAChannelsMessageBesideWhatWasImportedAsCancelled(t *testing.T) {
	for name, test := range map[string]struct {
		timed   bool // both say when they were made
		guest   string
		from    hotel.Date
		another bool
	}{
		"of another guest":                      {guest: "Another", from: 10, another: true},
		"of another guest, with times":          {guest: "Another", from: 10, another: true, timed: true},
		"of the guest, later, for other nights": {guest: "First", from: 10, another: true, timed: true},
		"of the guest, for other nights":        {guest: "First", from: 10},
		"the booking itself":                    {guest: "First", from: 3, timed: true},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.newFarSide(t, 5)
			booked := h.clock.Now().Add(-24 * time.Hour)
			was, _ := underOneNumber(h, "1", time.Time{})
			said := another(h, "is", h.today+test.from, 2)
			said.Booking.Guest, said.At = &hotel.Guest{LastName: test.guest}, time.Time{}
			if test.timed {
				was.Source.BookedAt, said.At = booked, booked.Add(time.Hour)
			}
			h.outcomes(t, false, was)
			must(h.Receive(t.Context(), said))(t)
			live, want := h.heldFor(t, test.guest), 0
			if test.another {
				want = 1
			}
			if len(live) != 1 || live[0].Stay != said.Booking.Rooms[0].Stay || live[0].Source.Reuse != want || len(h.reservations(t)) != 1+want {
				t.Errorf("of %d reservations %+v is held", len(h.reservations(t)), live)
			}
			h.checkSold(t)
			h.sound(t)
		})
	}
}

// TestImportOfWhatASellerBehindARelayHasSold: a file, and a client, that do not name the seller,
// or write it otherwise, mean the booking that the channel has told of with its name.
func TestImportOfWhatASellerBehindARelayHasSold(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	told := first(h, h.today+3, 2)
	told.Booking.Seller = "Booking.com"
	must(h.Receive(t.Context(), told))(t)
	for _, seller := range []string{"", "booking.com"} {
		row := h.row(3, 2, of("ch", told.Ref, told.Booking.Rooms[0].Ref))
		row.Source.SubChannel = seller
		if got, _ := h.outcomes(t, false, row); got != "0 created, 1 attached, 0 duplicate, 0 invalid" || len(h.reservations(t)) != 1 {
			t.Errorf("by %q: %s, %d reservations", seller, got, len(h.reservations(t)))
		}
		again := hotel.NewReservation{
			PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 5}, Adults: 2,
			Guest: hotel.Guest{LastName: "Lovelace"}, Source: row.Source,
		}
		if _, _, err := h.CreateReservation(t.Context(), tester, hotel.Once{}, again); refusedAs(err) != "duplicate_reservation" {
			t.Errorf("booked again by %q: %v", seller, err)
		}
	}
}

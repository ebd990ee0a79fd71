package console

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// twice has channel ch_1 sell rooms to guests who seem to book them again and again: about
// 9 of 10 bookings are asked about, which is not urgent.
func (s *site) twice(t *testing.T, bookings int) {
	t.Helper()
	today := s.house.Property.Today(s.clock.Now())
	for i := range bookings {
		ref, in := fmt.Sprint("N", i), today+4+hotel.Date(i/10)
		if _, err := s.l.Receive(t.Context(), ledger.Receipt{
			ChannelID: "ch_1", Key: ref, Ref: ref, Event: "booked", Order: hotel.OrderNone,
			Booking: hotel.ChannelBooking{Guest: &hotel.Guest{FirstName: "Ada", LastName: fmt.Sprint("N", i/10)}, Rooms: []hotel.ChannelRoom{{
				Room: s.house.RemoteRoom(0), Rate: s.house.RemoteRate(0), Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 1,
			}}},
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// Whatever came in since, the most urgent decision stands first, all are counted, and the
// list goes on page by page.
func TestTheMostUrgentIsNotCutOff(t *testing.T) {
	s := newSite(t)
	k := s.crowded(t) // the oldest, and critical
	s.twice(t, 2*pageOfConflicts+30)
	b := s.as(t, "owner")
	all, err := s.l.Conflicts(t.Context(), hotel.ConflictFilter{PropertyID: s.house.Property.ID, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 1000})
	if err != nil || all[len(all)-1].ID != k.ID || k.Severity != hotel.Critical {
		t.Fatalf("%d conflicts, the oldest %+v: %v", len(all), all[len(all)-1], err)
	}
	shows(t, b.get(s.path("today")).body, s.path("conflicts/"+k.ID), fmt.Sprintf(`<span class="count">%d</span>`, len(all)), fmt.Sprintf("All %d decisions", len(all)))
	seen, next := map[string]bool{}, s.path("conflicts")
	for pages := 0; next != ""; pages++ {
		if pages > 5 {
			t.Fatal("the list has no end")
		}
		page := b.get(next).body
		if pages == 0 {
			first, _, _ := strings.Cut(page[strings.Index(page, s.path("conflicts/cfl_")):], `"`)
			if first != s.path("conflicts/"+k.ID) {
				t.Errorf("the first is %s, want %s", first, k.ID)
			}
		}
		for _, c := range all {
			if strings.Contains(page, s.path("conflicts/"+c.ID)) {
				if seen[c.ID] {
					t.Errorf("%s stands on two pages", c.ID)
				}
				seen[c.ID] = true
			}
		}
		next, _ = older(page)
	}
	if len(seen) != len(all) {
		t.Errorf("%d of %d are on a page", len(seen), len(all))
	}
}

// What was decided goes on page by page too.
func TestDecidedGoesOn(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	b := s.as(t, "owner")
	form := formOf(t, b.get(s.path("house")).body, s.path("house/policies"))
	form.Set("conflict.duplicate_suspect", hotel.OptionDistinct)
	b.post(s.path("house/policies"), form)
	s.twice(t, pageOfConflicts+20)
	next, more := older(b.get(s.path("conflicts?status=resolved")).body)
	if last := b.get(next).body; !more || strings.Count(last, `<a class="row"`) != 8 {
		t.Errorf("the second page is\n%s", last)
	}
}

// Who is in house is counted, however many are listed.
func TestTodayCounts(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 3}, 9000)
	units := hotel.InventoryUpdate{PropertyID: s.house.Property.ID, Source: "api", Entries: []hotel.InventoryEntry{{RoomTypeID: s.house.Rooms[0].ID, Dates: hotel.Dates{Span: hotel.Span{From: today, To: today + 3}}, Total: hotel.Given(3 * listed)}}}
	if _, _, err := s.l.UpdateInventory(t.Context(), by, hotel.Once{}, units); err != nil {
		t.Fatal(err)
	}
	const many = listed + 50
	for range many {
		if _, _, err := s.l.CreateReservation(t.Context(), by, hotel.Once{}, hotel.NewReservation{
			PropertyID: s.house.Property.ID, RoomTypeID: s.house.Rooms[0].ID, RatePlanID: s.house.Plans[0].ID, Stay: hotel.Stay{CheckIn: today, CheckOut: today + 2}, Adults: 1, Guest: hotel.Guest{LastName: "Guest"}, Status: hotel.Confirmed,
		}); err != nil {
			t.Fatal(err)
		}
	}
	page := s.as(t, "owner").get(s.path("today")).body
	shows(t, page, fmt.Sprintf("<span>Arrivals</span><b>%d</b>", many), fmt.Sprintf("All %d arrivals", many), s.path("reservations")+"?show=arriving")
	if n := strings.Count(page, `<a class="row" href="`+s.path("reservations/res_")); n != listed {
		t.Errorf("%d are listed, want %d", n, listed)
	}
}

// A guest who has not come is among what is due, until the channel takes it no more; a
// decision with a deadline leads to itself.
func TestWhatIsDueLeadsThere(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 3}, 9000)
	b := s.as(t, "owner")
	form := formOf(t, b.get(s.path("house")).body, s.path("house/policies"))
	form.Set("deadline.unmapped_booking", hotel.OptionKeepUnassigned)
	form.Set("deadline.unmapped_booking.after", "99")
	b.post(s.path("house/policies"), form)
	k := s.sells(t)
	made, err := s.l.Receive(t.Context(), ledger.Receipt{
		ChannelID: "ch_1", Key: "2", Ref: "R2", Event: "booked", Order: hotel.OrderNone,
		Booking: hotel.ChannelBooking{Guest: &hotel.Guest{LastName: "Absent"}, Rooms: []hotel.ChannelRoom{{Room: s.house.RemoteRoom(0), Rate: s.house.RemoteRate(0), Stay: hotel.Stay{CheckIn: today, CheckOut: today + 2}, Adults: 1}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	due := func() string {
		_, after, _ := strings.Cut(b.get(s.path("today")).body, `id="due-h"`)
		due, _, _ := strings.Cut(after, "</section>")
		return due
	}
	absent := s.path("reservations/" + made.Reservations[0].ID)
	if said := due(); strings.Contains(said, absent) || !strings.Contains(said, s.path("conflicts/"+k.ID)) {
		t.Errorf("on the day of the arrival there is due\n%s", said)
	}
	s.clock.advance(24 * time.Hour)
	b = s.as(t, "owner")
	shows(t, due(), absent, catalogue["en"]["due.no_show"], "Absent", "24 Nov, 00:00")
	s.clock.advance(24 * time.Hour)
	b = s.as(t, "owner")
	if said := due(); strings.Contains(said, absent) {
		t.Errorf("when the channel takes it no more there is due\n%s", said)
	}
}

// A virtual card may be charged from its day on and until it ends, as long as something is on
// it, and a request has to be answered before it lapses. Who may not see guests is told of no
// card.
func TestCardsAndRequestsAreDue(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 9000)
	s.sells(t) // connects the channel
	booked := func(ref string, arrival hotel.Date, card hotel.Card) string {
		t.Helper()
		made, err := s.l.Receive(t.Context(), ledger.Receipt{
			ChannelID: "ch_1", Key: ref, Ref: ref, Event: "booked", Order: hotel.OrderNone,
			Booking: hotel.ChannelBooking{
				Guest: &hotel.Guest{LastName: "Noether"}, Payment: hotel.ChannelPayment{Card: &card},
				Rooms: []hotel.ChannelRoom{{Room: s.house.RemoteRoom(0), Rate: s.house.RemoteRate(0), Stay: hotel.Stay{CheckIn: arrival, CheckOut: arrival + 2}, Adults: 1}},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return s.path("reservations/" + made.Reservations[0].ID)
	}
	euros := func(minor int64) *hotel.Money { return &hotel.Money{Minor: minor, Currency: "EUR"} }
	now := booked("R1", today, hotel.Card{Last4: "1111", Virtual: true, ActiveUntil: s.clock.Now().Add(48 * time.Hour), Balance: euros(9000)})
	others := []string{
		booked("R2", today, hotel.Card{Last4: "1111", Virtual: true, Balance: euros(0)}),
		booked("R3", today, hotel.Card{Last4: "1111", Virtual: true, ChargeAt: new(today + 1)}),
		booked("R4", today, hotel.Card{Last4: "1111"}),
	}
	held, _, err := s.l.CreateReservation(t.Context(), by, hotel.Once{}, hotel.NewReservation{
		PropertyID: s.house.Property.ID, RoomTypeID: s.house.Rooms[0].ID, RatePlanID: s.house.Plans[0].ID, Stay: hotel.Stay{CheckIn: today + 3, CheckOut: today + 4}, Adults: 2,
		Guest: hotel.Guest{LastName: "Lovelace"}, Status: hotel.Held, HoldExpires: s.clock.Now().Add(3 * time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	due := func(role string) string {
		_, after, _ := strings.Cut(s.as(t, role).get(s.path("today")).body, `id="due-h"`)
		due, _, _ := strings.Cut(after, "</section>")
		return due
	}
	said := due("owner")
	shows(t, said, now, catalogue["en"]["due.card"], "Noether", s.path("reservations/"+held.ID), catalogue["en"]["due.request"], held.Confirmation)
	for _, path := range others {
		if strings.Contains(said, path) {
			t.Errorf("a card that may not be charged now is due: %s", path)
		}
	}
	if said := due("revenue"); strings.Contains(said, now) || strings.Contains(said, "Noether") {
		t.Errorf("who may not see guests is told\n%s", said)
	}
	s.clock.advance(49 * time.Hour)
	if said := due("owner"); strings.Contains(said, now) || !strings.Contains(said, others[1]) {
		t.Errorf("two days later there is due\n%s", said)
	}
}

// How full a night is has the decimals and the form that reports have.
func TestTodayTellsSharesAsReportsDo(t *testing.T) {
	for _, c := range []struct {
		taken, all int
		en, de     string
	}{
		{4, 15, "26.7%", "26,7 %"}, {0, 15, "0%", "0 %"}, {1, 3, "33.3%", "33,3 %"}, {2, 3, "66.7%", "66,7 %"}, {16, 15, "106.7%", "106,7 %"}, {1, 0, "100%", "100 %"}, {0, 0, "0%", "0 %"},
	} {
		of := share(c.taken, c.all)
		if en, de := wordsIn("en").percent(of), wordsIn("de").percent(of); en != c.en || de != c.de {
			t.Errorf("%d of %d: %q and %q, want %q and %q", c.taken, c.all, en, de, c.en, c.de)
		}
	}
	s := newSite(t)
	s.book(t, "Lovelace", 0)
	b := s.as(t, "owner")
	page := b.get(s.path("today")).body
	if strings.Contains(page, " % (") || !strings.Contains(page, "% (1 of ") {
		t.Errorf("the nights are told as\n%s", page)
	}
	b.post("/language", url.Values{"language": {"de"}, "back": {"/"}})
	shows(t, b.get(s.path("today")).body, " % (1 von ")
}

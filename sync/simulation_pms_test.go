package sync_test

import (
	"context"

	"ostler.example/hotel"
	staying "ostler.example/hotel/stay"
	"ostler.example/internal/testkit"
)

// suite is the room type that another system counts, where one does.
const suiteRoom = 2

// pms is that system: it reads what is booked and says that it has, and tells from time
// to time, of all nights, how many suites are left by what it has read.
type pms struct {
	read  int64 // up to which entry of the journal
	knows map[string]hotel.Stay
	given map[hotel.Date]int
}

// found has the suites counted by another system. Which rooms are granted to one channel
// at a time nobody else can say.
func (p *pms) found(w *world) {
	if w.guarded(suiteRoom) || w.last(suiteRoom) > 0 {
		w.habits.pms = false
	}
	if !w.habits.pms {
		return
	}
	p.knows, p.given = map[string]hotel.Stay{}, map[hotel.Date]int{}
	if _, _, err := w.ldg.ChangeRoomType(context.Background(), testkit.Tester, hotel.Once{}, w.facts.house.Rooms[suiteRoom].ID, hotel.Change[hotel.RoomType]{
		Apply: func(r *hotel.RoomType) error { r.Mode = hotel.GivenMode; return nil },
	}); err != nil {
		w.t.Fatal(err)
	}
}

// pmsReads lets it read whatever is new, and acknowledge it.
func (w *world) pmsReads() {
	if !w.habits.pms {
		return
	}
	w.mine()
	ctx := context.Background()
	newest, err := w.ldg.Sequence(ctx)
	if err != nil || newest == w.pms.read {
		return
	}
	w.pms.read = newest
	kept, err := w.ldg.Reservations(ctx, hotel.ReservationFilter{Unacknowledged: true, Limit: 100000})
	if err != nil {
		w.t.Error(err)
	}
	for _, r := range kept {
		_, _, err := w.ldg.AcknowledgeReservation(ctx, testkit.Tester, hotel.Once{}, r.ID, hotel.AcknowledgeRequest{Revision: r.Revision})
		if err != nil {
			w.t.Error(err)
		}
		nights := staying.Nights(r.Status, r.Stay, r.RoomUntil)
		if delete(w.pms.knows, r.ID); w.roomIn(r) == suiteRoom && nights.Nights() > 0 {
			w.pms.knows[r.ID] = nights
			for d := nights.CheckIn; d < nights.CheckOut; d++ {
				delete(w.pms.given, d) // it tells its number anew, be it the same; of what has left it tells changes alone
			}
		}
	}
	w.count("another system has read")
}

// pmsOwes says what it has not read yet.
func (w *world) pmsOwes() string {
	if !w.habits.pms {
		return ""
	}
	kept, err := w.ldg.Reservations(context.Background(), hotel.ReservationFilter{Unacknowledged: true, Limit: 1})
	if err != nil {
		return err.Error()
	}
	if len(kept) > 0 {
		return "the system that counts the suites has not read reservation " + kept[0].ID
	}
	return ""
}

// pmsGives lets it tell how many suites there are, of the nights of which it has said
// something else or nothing yet.
func (w *world) pmsGives() {
	if !w.habits.pms {
		return
	}
	w.mine()
	u := hotel.InventoryUpdate{PropertyID: w.facts.house.Property.ID, Source: "pms"}
	for d := w.today(); d <= w.facts.last; d++ {
		left := testkit.Suites - w.facts.nights[d][suiteRoom].outOfOrder
		for _, nights := range w.pms.knows {
			if nights.Contains(d) {
				left--
			}
		}
		left = max(0, left)
		if was, told := w.pms.given[d]; told && was == left {
			continue
		}
		w.pms.given[d] = left
		u.Entries = append(u.Entries, hotel.InventoryEntry{
			RoomTypeID: w.facts.house.Rooms[suiteRoom].ID, Dates: hotel.Dates{Span: hotel.Span{From: d, To: d}}, Given: hotel.Given(left),
		})
	}
	if len(u.Entries) == 0 {
		return
	}
	if _, _, err := w.ldg.UpdateInventory(context.Background(), testkit.Tester, hotel.Once{}, u); err != nil {
		w.t.Error(err)
	}
	w.count("another system has counted")
}

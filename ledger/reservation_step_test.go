package ledger

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// bring takes a new reservation for tonight and the next night to a status, by
// the way that the table gives.
func (h *house) bring(t tb, status hotel.ReservationStatus) hotel.Reservation {
	t.Helper()
	ctx := context.Background()
	begin, steps := hotel.Confirmed, []stay.Action(nil)
	switch status {
	case hotel.Enquired, hotel.Requested, hotel.Held, hotel.Waitlisted:
		begin = status
	case hotel.CheckedIn:
		steps = []stay.Action{stay.CheckIn}
	case hotel.CheckedOut:
		steps = []stay.Action{stay.CheckIn, stay.CheckOut}
	case hotel.Declined:
		begin, steps = hotel.Requested, []stay.Action{stay.Decline}
	case hotel.NoShow:
		steps = []stay.Action{stay.NoShow}
	case hotel.Confirmed, hotel.Cancelled:
	}
	in := h.today
	if status == hotel.NoShow {
		h.clock.move(24 * time.Hour) // the stay is booked, and then the arrival night passes
		h.today++
		in = h.today
	}
	n := hotel.NewReservation{
		PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: in, CheckOut: in + 2}, Adults: 2,
		Guest: hotel.Guest{LastName: "Guest"}, Status: begin,
	}
	if begin == hotel.Held {
		n.HoldExpires = h.clock.Now().Add(48 * time.Hour)
	}
	r := must2(h.CreateReservation(ctx, tester, hotel.Once{}, n))(t)
	if status == hotel.NoShow {
		h.clock.move(24 * time.Hour)
		h.today++
	}
	if status == hotel.Cancelled {
		return must2(h.CancelReservation(ctx, tester, hotel.Once{}, r.ID, hotel.CancelRequest{}))(t)
	}
	for _, a := range steps {
		r = must2(h.StepReservation(ctx, tester, hotel.Once{}, r.ID, a, hotel.StepRequest{Charge: true}))(t)
	}
	if r.Status != status {
		t.Fatalf("brought to %s, want %s", r.Status, status)
	}
	return r
}

// take asks for an action.
func (h *house) take(id string, a stay.Action, q hotel.StepRequest) (hotel.Reservation, error) {
	ctx := context.Background()
	if a == stay.Cancel {
		r, _, err := h.CancelReservation(ctx, tester, hotel.Once{}, id, hotel.CancelRequest{})
		return r, err
	}
	if a == stay.Hold || a == stay.Request {
		q.Until = h.clock.Now().Add(time.Hour)
	}
	r, _, err := h.StepReservation(ctx, tester, hotel.Once{}, id, a, q)
	return r, err
}

// Every action in every status: it is taken and told, taken already, or refused
// with what can be done instead; and the rooms taken are those of the status.
func TestEveryActionInEveryStatus(t *testing.T) {
	for _, from := range stay.Statuses {
		for _, step := range stay.Steps {
			t.Run(string(from)+" "+string(step.Action), func(t *testing.T) {
				h := newHouse(t)
				r := h.bring(t, from)
				before := must(h.Sequence(context.Background()))(t)
				got, err := h.take(r.ID, step.Action, hotel.StepRequest{Charge: true})
				again, refused := step.Take(from)
				facts := stay.Facts{Status: from, Stay: r.Stay, Today: h.today, ArrivedOn: h.today, DepartedOn: h.today}
				left := stay.Reached(from)
				if refused == nil && !again { // what a guard refuses is not left to do
					refused = facts.Check(step.Action)
					left = slices.DeleteFunc(left, func(s hotel.ReservationStatus) bool { return s == step.To })
				}
				kinds := h.kinds(t, before)
				switch {
				case refused != nil:
					refusal, ok := errors.AsType[*hotel.Refusal](err)
					if !ok || refusal.Code != "invalid_transition" || !slices.Equal(refusal.Members["allowed"].([]hotel.ReservationStatus), left) {
						t.Errorf("got %v, want %v", err, refused)
					}
				case err != nil:
					t.Errorf("refused: %v", err)
				case again:
					if got.Revision != r.Revision || len(kinds) > 0 {
						t.Errorf("a second time made revision %d and %v", got.Revision, kinds)
					}
				default:
					if got.Status != step.To || got.Revision != r.Revision+1 || len(kinds) == 0 || kinds[0] != Kind(step.Event) {
						t.Errorf("%s at revision %d, told as %v", got.Status, got.Revision, kinds)
					}
				}
				h.checkSold(t)
			})
		}
	}
}

func TestCheckOutGivesNightsBack(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	r := must2(h.book(h.double, h.today, h.today+3, hotel.Once{}))(t)
	must(h.take(r.ID, stay.CheckIn, hotel.StepRequest{}))(t)
	left := must(h.take(r.ID, stay.CheckOut, hotel.StepRequest{ReleaseTonight: true}))(t)
	if left.Stay.CheckOut != h.today+1 || left.FirstOut != h.today+3 || len(heldRooms(&left)) != 0 || left.Total != r.Total {
		t.Errorf("left %+v holding %v for %s", left.Stay, heldRooms(&left), left.Total)
	}
	for range 5 { // somebody else takes the rooms meanwhile
		must2(h.book(h.double, h.today+1, h.today+2, hotel.Once{}))(t)
	}
	if _, err := h.take(r.ID, stay.UndoCheckOut, hotel.StepRequest{}); !isRefusal(err, "not_available") {
		t.Errorf("the nights were taken back although they are sold: %v", err)
	}
	back := must(h.take(r.ID, stay.UndoCheckOut, hotel.StepRequest{Overbook: true}))(t)
	if back.Stay != r.Stay || !back.Overbooked || back.Departed != nil {
		t.Errorf("taken back as %+v", back)
	}
	h.checkSold(t)
	if _, _, err := h.CancelReservation(ctx, tester, hotel.Once{}, r.ID, hotel.CancelRequest{}); !isRefusal(err, "invalid_transition") {
		t.Errorf("cancelled in the house: %v", err)
	}
}

func TestNoShowKeepsTheFirstNight(t *testing.T) {
	h := newHouse(t)
	r := must2(h.book(h.double, h.today, h.today+3, hotel.Once{}))(t)
	if _, err := h.take(r.ID, stay.NoShow, hotel.StepRequest{}); !isRefusal(err, "invalid_transition") {
		t.Errorf("a no-show before the night is over: %v", err)
	}
	h.clock.move(24 * time.Hour)
	gone := must(h.take(r.ID, stay.NoShow, hotel.StepRequest{Charge: true}))(t)
	if held := heldRooms(&gone); len(held) != 1 || held[0].From != h.today || held[0].To != h.today {
		t.Errorf("holds %v", held)
	}
	here := must(h.take(r.ID, stay.Reinstate, hotel.StepRequest{}))(t)
	if here.Status != hotel.Confirmed || here.Cancel != nil {
		t.Errorf("reinstated as %+v", here)
	}
	kept := must(h.take(r.ID, stay.NoShow, hotel.StepRequest{HoldNextNights: true}))(t)
	if held := heldRooms(&kept); len(held) != 1 || held[0].To != h.today+2 || !kept.Cancel.Waived {
		t.Errorf("holds %v, cancel %+v", held, kept.Cancel)
	}
	h.checkSold(t)
}

func TestReleaseNeedsTheHourAndNoGuarantee(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	release := hotel.CancelRequest{Reason: hotel.ReleasedRoom}
	r := must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t)
	if _, _, err := h.CancelReservation(ctx, tester, hotel.Once{}, r.ID, release); !isRefusal(err, "invalid_transition") {
		t.Errorf("released at ten in the morning: %v", err)
	}
	h.clock.move(8 * time.Hour) // 18:00 in Berlin
	sure := "card_on_file"
	must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{Guarantee: &sure}))(t)
	if _, _, err := h.CancelReservation(ctx, tester, hotel.Once{}, r.ID, release); !isRefusal(err, "invalid_transition") {
		t.Errorf("released although it is guaranteed: %v", err)
	}
	sure = "none"
	must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{Guarantee: &sure}))(t)
	r = must2(h.CancelReservation(ctx, tester, hotel.Once{}, r.ID, release))(t)
	if r.Cancel.Penalty == nil || r.Cancel.Penalty.Minor != 0 {
		t.Errorf("a room that was given away costs %v", r.Cancel.Penalty)
	}
}

// What was not firm costs nothing to cancel, which is known, whatever its policy.
func TestWhatWasNotFirmIsCancelledForNothing(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	for _, status := range []hotel.ReservationStatus{hotel.Requested, hotel.Held, hotel.Waitlisted, hotel.Confirmed} {
		n := hotel.NewReservation{
			PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 5}, Adults: 2,
			Guest: hotel.Guest{LastName: "Patient"}, Status: status,
		}
		if status == hotel.Held {
			n.HoldExpires = h.clock.Now().Add(time.Hour)
		}
		r := must2(h.CreateReservation(ctx, tester, hotel.Once{}, n))(t)
		r = must2(h.CancelReservation(ctx, tester, hotel.Once{}, r.ID, hotel.CancelRequest{Reason: "guest"}))(t)
		if p := r.Cancel.Penalty; p == nil || p.Currency != h.flex.Currency || status != hotel.Confirmed && p.Minor != 0 {
			t.Errorf("%s: cancelling costs %v", status, p)
		}
	}
}

func TestStepsOfAChannelsBooking(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	got := must(h.Receive(context.Background(), oneRoom(h, "1", "booked", hotel.ChannelRoom{
		Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 2}, Adults: 2,
	})))(t).Reservations[0]
	h.clock.move(24 * time.Hour)
	if _, err := h.take(got.ID, stay.NoShow, hotel.StepRequest{}); !isRefusal(err, "channel_owned") {
		t.Errorf("marked as a no-show behind the channel's back: %v", err)
	}
	r := must(h.take(got.ID, stay.NoShow, hotel.StepRequest{DoneAtChannel: true}))(t)
	if len(r.Actions) != 1 || r.Actions[0].Kind != "no_show" || r.Actions[0].State != "by_hand" {
		t.Errorf("actions %+v", r.Actions)
	}
}

func TestDueStays(t *testing.T) {
	for _, c := range []struct {
		name      string
		recording hotel.StayRecording
		status    hotel.ReservationStatus
		days      int
		ends      hotel.ReservationStatus
		kinds     []Kind
	}{
		{"nothing is due", hotel.Assumed, hotel.Confirmed, 0, hotel.Confirmed, nil},
		{"the arrival day is over", hotel.Assumed, hotel.Confirmed, 1, hotel.CheckedIn, []Kind{"reservation.checked_in"}},
		{"after a week of downtime", hotel.Assumed, hotel.Confirmed, 7, hotel.CheckedOut, []Kind{"reservation.checked_in", "reservation.checked_out"}},
		{"recorded stays wait", hotel.Recorded, hotel.Confirmed, 7, hotel.Confirmed, nil},
		{"an overdue guest takes tonight too", hotel.Recorded, hotel.CheckedIn, 3, hotel.CheckedIn, []Kind{"reservation.updated", ConflictDetected}},
		{"a hold that ran out", hotel.Assumed, hotel.Held, 2, hotel.Declined, []Kind{"reservation.declined"}},
		{"an enquiry without a deadline waits", hotel.Assumed, hotel.Enquired, 7, hotel.Enquired, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			ctx := context.Background()
			h.recordStays(t, c.recording)
			r := h.bring(t, c.status)
			h.clock.move(time.Duration(c.days) * 24 * time.Hour)
			before := must(h.Sequence(ctx))(t)
			changed := must(h.DueStays(ctx))(t)
			got := must(h.Reservation(ctx, r.ID))(t)
			kinds := slices.DeleteFunc(h.kinds(t, before), func(k Kind) bool { return k == InventoryUpdated })
			if got.Status != c.ends || !slices.Equal(kinds, c.kinds) || (changed == 1) != (len(c.kinds) > 0) {
				t.Errorf("%s, told as %v", got.Status, kinds)
			}
			if again := must(h.DueStays(ctx))(t); again != 0 {
				t.Errorf("%d are due again", again)
			}
			if c.name == "an overdue guest takes tonight too" && heldRooms(&got)[0].To != h.today+3 {
				t.Errorf("holds %v", heldRooms(&got))
			}
			h.checkSold(t)
		})
	}
}

// recordStays has somebody write down who comes and goes. No method changes a
// property yet, so it is written into the file.
func (h *house) recordStays(t tb, recording hotel.StayRecording) {
	t.Helper()
	h.close(t)
	db := must(sql.Open("sqlite3", h.path))(t)
	must(db.Exec("UPDATE property SET body = json_set(body, '$.stay_recording', ?)", string(recording)))(t)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	h.open(t)
}

func isRefusal(err error, code string) bool {
	refusal, ok := errors.AsType[*hotel.Refusal](err)
	return ok && refusal.Code == code
}

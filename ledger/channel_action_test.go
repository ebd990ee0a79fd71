package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
)

// asking is what somebody is asked about an action now; nil: nothing.
func (a *acting) asking(t testing.TB) (*hotel.Conflict, AnswerToAction) {
	t.Helper()
	for _, c := range a.conflicts(t, hotel.ConflictCancelAsked) {
		if c.Status == hotel.ConflictOpen {
			var facts AskedFacts
			if err := json.Unmarshal(c.Facts, &facts); err != nil {
				t.Fatal(err)
			}
			return &c, facts.Answer
		}
	}
	return nil, ""
}

// time does what time does by itself.
func (a *acting) time(t testing.TB, d time.Duration) {
	t.Helper()
	a.clock.move(d)
	_, err := a.DueStays(context.Background())
	if err := errors.Join(err, a.NoteUnanswered(context.Background())); err != nil {
		t.Fatal(err)
	}
}

// TestTimeWaitsForAnActionThatMayBeDone: a request whose time is up, and an assumed
// guest who should have left, stay as they are while the channel may have done what it
// was asked: its yes, or somebody, says what they are.
func TestTimeWaitsForAnActionThatMayBeDone(t *testing.T) {
	for name, c := range map[string]struct {
		kind   hotel.ActionKind
		called bool
		then   string // "yes", or the option of the conflict
		ends   hotel.ReservationStatus
	}{
		"confirmed after its time":             {hotel.ActionConfirm, true, "yes", hotel.Confirmed},
		"confirmed there, as somebody says":    {hotel.ActionConfirm, true, hotel.OptionDoneAtChannel, hotel.Confirmed},
		"left to time by somebody":             {hotel.ActionConfirm, true, hotel.OptionWithdraw, hotel.Declined},
		"never asked, so it expires":           {hotel.ActionConfirm, false, "", hotel.Declined},
		"a no-show after the departure":        {hotel.ActionNoShow, true, "yes", hotel.NoShow},
		"a departure that nobody was asked":    {hotel.ActionNoShow, false, "", hotel.CheckedOut},
		"a departure after all, somebody says": {hotel.ActionNoShow, true, hotel.OptionWithdraw, hotel.CheckedOut},
	} {
		t.Run(name, func(t *testing.T) {
			a := newActing(t, hotel.Terms{Actions: []hotel.ActionTerms{{Kind: hotel.ActionConfirm}, {Kind: hotel.ActionNoShow}}})
			a.sell(t, c.kind)
			wait := 2 * time.Hour
			if c.kind == hotel.ActionConfirm {
				until := a.clock.Now().Add(time.Hour)
				must2(a.ChangeReservation(context.Background(), tester, hotel.Once{}, a.booking.ID, hotel.ReservationChange{HoldExpires: &until}))(t)
			} else {
				for range 3 {
					a.dayOn(t)
					a.time(t, 0)
				}
				wait = 48 * time.Hour
			}
			was := a.now(t)
			must(a.ask(c.kind, false))(t)
			var of Asked
			var call string
			if c.called {
				of, call, _ = a.call(t)
			}
			a.time(t, wait)
			conflict, answer := a.asking(t)
			if c.called && (a.now(t).Status != was.Status || conflict == nil || answer != AnswerNone) {
				t.Fatalf("%s, and somebody is asked %+v", a.now(t).Status, conflict)
			}
			switch c.then {
			case "":
			case "yes":
				a.answer(t, of, call, DeliveryApplied)
			default:
				a.resolve(t, *conflict, c.then, "")
			}
			a.time(t, time.Minute)
			if r := a.now(t); r.Status != c.ends {
				t.Errorf("it is %s, want %s", r.Status, c.ends)
			}
			if left, _ := a.asking(t); left != nil {
				t.Errorf("somebody is asked still: %+v", left)
			}
			a.checkSold(t)
			a.sound(t)
		})
	}
}

// TestActionAcceptedAfterItWasWithdrawn: the channel has done what nobody wants any
// more, and the booking that goes on here is somebody's to decide about.
func TestActionAcceptedAfterItWasWithdrawn(t *testing.T) {
	for name, withdraw := range map[string]func(t *testing.T, a *acting){
		"nights given back by hand": func(t *testing.T, a *acting) { must(a.ask(hotel.ActionShorten, true))(t) },
		"left at the deadline": func(t *testing.T, a *acting) {
			a.time(t, 2*time.Hour)
			conflict, _ := a.asking(t)
			a.resolve(t, *conflict, hotel.OptionWithdraw, "")
		},
	} {
		for option, ends := range map[string]hotel.ReservationStatus{hotel.OptionDoneAtChannel: hotel.Cancelled, hotel.OptionWithdraw: hotel.Confirmed} {
			t.Run(name+" "+option, func(t *testing.T) {
				a := newActing(t, hotel.Terms{Actions: everyAction})
				a.sell(t, hotel.ActionCancel)
				must(a.ask(hotel.ActionCancel, false))(t)
				of, call, _ := a.call(t)
				withdraw(t, a)
				a.answer(t, of, call, DeliveryApplied)
				conflict, answer := a.asking(t)
				if conflict == nil || answer != AnswerLate || a.now(t).Status != hotel.Confirmed {
					t.Fatalf("%s, and somebody is asked %q", a.now(t).Status, answer)
				}
				a.resolve(t, *conflict, option, "")
				if r := a.now(t); r.Status != ends {
					t.Errorf("it is %s, want %s", r.Status, ends)
				}
				a.checkSold(t)
				a.sound(t)
			})
		}
	}
}

// TestActionOnAStayThatHasChanged: what was to be left of another stay is not asked
// for, nor asked for again.
func TestActionOnAStayThatHasChanged(t *testing.T) {
	for name, change := range map[string]func(*hotel.ChannelRoom){
		"longer": func(r *hotel.ChannelRoom) { r.Stay.CheckOut++; r.Amounts = append(r.Amounts, r.Amounts[0]) },
		"later":  func(r *hotel.ChannelRoom) { r.Stay.CheckIn += 8; r.Stay.CheckOut += 8 },
	} {
		t.Run(name, func(t *testing.T) {
			a := newActing(t, hotel.Terms{Actions: everyAction})
			a.sell(t, hotel.ActionShorten)
			must(a.ask(hotel.ActionShorten, false))(t)
			a.says(t, a.said, "2", "2", "modified", change)
			conflict, answer := a.asking(t)
			r := a.now(t)
			if conflict == nil || answer != AnswerOutdated || r.LastAction(hotel.ActionShorten).State != hotel.ActionWithdrawn {
				t.Fatalf("somebody is asked %q about %+v", answer, r.Actions)
			}
			if _, _, err := a.ResolveConflict(context.Background(), tester, hotel.Once{}, conflict.ID, hotel.ConflictDecision{Option: hotel.OptionRetry}); !isRefusal(err, "invalid_transition") {
				t.Errorf("asked for again: %v", err)
			}
			a.resolve(t, *conflict, hotel.OptionWithdraw, "")
			if _, _, may := a.call(t); may || a.now(t).Stay != r.Stay {
				t.Errorf("the channel may be asked (%v) about %v", may, a.now(t).Stay)
			}
			a.sound(t)
		})
	}
}

// TestActionCostsTheSameInEitherOrder: whether the answer of the call or the channel's
// own message comes first, and whatever the guest changes before, is nothing to the
// reason and the fee.
func TestActionCostsTheSameInEitherOrder(t *testing.T) {
	ends := func(reason string, waive bool, steps ...string) hotel.Reservation {
		a := newActing(t, hotel.Terms{Actions: everyAction})
		a.sell(t, hotel.ActionNoShow) // it arrives today, so that there is a fee
		must2(a.CancelReservation(context.Background(), tester, hotel.Once{}, a.booking.ID, hotel.CancelRequest{Reason: reason, Note: "note", WaivePenalty: waive}))(t)
		of, call, _ := a.call(t)
		for i, step := range steps {
			if step == "yes" {
				a.answer(t, of, call, DeliveryApplied)
				continue
			}
			a.says(t, a.said, step, string(rune('2'+i)), step, nil)
		}
		a.sound(t)
		return a.now(t)
	}
	for _, waive := range []bool{false, true} {
		want := ends("closed for repairs", waive, "yes")
		if want.Cancel == nil || want.Cancel.Penalty == nil || want.Cancel.Waived != waive {
			t.Fatalf("cancelled as %+v", want.Cancel)
		}
		for _, steps := range [][]string{{"cancelled", "yes"}, {"modified", "yes"}, {"modified", "cancelled", "yes"}} {
			got := ends("closed for repairs", waive, steps...)
			if got.Status != hotel.Cancelled || got.CancelReason != want.CancelReason || got.CancelNote != want.CancelNote || got.Cancel.By != want.Cancel.By ||
				got.Cancel.Waived != waive || got.Cancel.Penalty == nil || *got.Cancel.Penalty != *want.Cancel.Penalty {
				t.Errorf("%v: %q %+v, want %q %+v", steps, got.CancelReason, got.Cancel, want.CancelReason, want.Cancel)
			}
		}
	}
}

// TestActionsOfAChannelJoinedElsewhere: another place knows nothing of the bookings of
// the former one, whatever it was asked for there and however that stood.
func TestActionsOfAChannelJoinedElsewhere(t *testing.T) {
	for _, way := range []string{"asked", "called", "unanswered", "refused"} {
		t.Run(way, func(t *testing.T) {
			a := newActing(t, hotel.Terms{Actions: everyAction, RepeatKey: true})
			a.far.catchUp(t)
			a.sell(t, hotel.ActionCancel)
			a.far.catchUp(t)
			a.far.pause(t)
			a.far.catchUp(t)
			must(a.ask(hotel.ActionCancel, false))(t)
			if way != "asked" {
				of, call, _ := a.call(t)
				switch way {
				case "unanswered":
					a.time(t, 2*time.Hour)
				case "refused":
					a.answer(t, of, call, DeliveryRejected)
				}
			}
			if err := a.far.rejoin(); err != nil {
				t.Fatal(err)
			}
			conflict, answer := a.asking(t)
			if r := a.now(t); conflict == nil || answer != AnswerRejoined || r.OpenAction() != nil || r.Status != hotel.Confirmed {
				t.Fatalf("%s with %+v, and somebody is asked %q", r.Status, r.Actions, answer)
			}
			if _, _, err := a.ResolveConflict(context.Background(), tester, hotel.Once{}, conflict.ID, hotel.ConflictDecision{Option: hotel.OptionRetry}); !isRefusal(err, "channel_owned") {
				t.Errorf("the other place is asked: %v", err)
			}
			a.resolve(t, *conflict, hotel.OptionDoneAtChannel, "")
			if r := a.now(t); r.Status != hotel.Cancelled {
				t.Errorf("done at the former place, it is %s", r.Status)
			}
			a.sound(t)
		})
	}
}

// TestActionIsAskedOfTheChannelAsItIs: whoever knows the channel as it was does not
// call it.
func TestActionIsAskedOfTheChannelAsItIs(t *testing.T) {
	a := newActing(t, hotel.Terms{Actions: everyAction})
	a.sell(t, hotel.ActionCancel)
	must(a.ask(hotel.ActionCancel, false))(t)
	known := must(a.Channel(context.Background(), "ch"))(t).Revision
	a.far.pause(t)
	asked := must(a.AskedOfChannel(context.Background(), "ch"))(t)
	if len(asked) != 1 {
		t.Fatalf("asked for is %+v", asked)
	}
	_, err := a.Begin(context.Background(), NewDelivery{ChannelID: "ch", Revision: known, Kind: Act, Operation: "act", SentAt: a.clock.Now(), Asked: asked[0]})
	if !errors.Is(err, ErrOutrun) {
		t.Errorf("it is called: %v", err)
	}
}

// TestMessageFromBeforeAnActionWasAccepted: what the guest changed before the channel
// cancelled, and comes after its yes, takes the room again only when somebody says so.
func TestMessageFromBeforeAnActionWasAccepted(t *testing.T) {
	for name, c := range map[string]struct {
		after, ownFirst bool
		ends            hotel.ReservationStatus
		asks            bool
	}{
		"made before":                       {ends: hotel.Cancelled, asks: true},
		"made after":                        {after: true, ends: hotel.Confirmed},
		"made after its own word of it too": {after: true, ownFirst: true, ends: hotel.Confirmed},
	} {
		t.Run(name, func(t *testing.T) {
			a := newActing(t, hotel.Terms{Actions: everyAction})
			a.sell(t, hotel.ActionCancel)
			a.clock.move(time.Minute)
			guest := a.said
			guest.At = a.clock.Now()
			a.clock.move(time.Minute)
			must(a.ask(hotel.ActionCancel, false))(t)
			of, call, _ := a.call(t)
			a.answer(t, of, call, DeliveryApplied)
			if c.ownFirst {
				a.says(t, a.said, "2", "2", "cancelled", nil)
			}
			if c.after {
				a.clock.move(time.Minute)
				guest.At = a.clock.Now()
			}
			a.says(t, guest, "3", "3", "modified", nil)
			if r := a.now(t); r.Status != c.ends {
				t.Errorf("it is %s, want %s", r.Status, c.ends)
			}
			if n := len(a.conflicts(t, hotel.ConflictStale)); (n == 1) != c.asks {
				t.Errorf("somebody is asked %d times", n)
			}
			if c.asks {
				a.resolve(t, a.conflict(t, hotel.ConflictStale), hotel.OptionApply, "")
				if r := a.now(t); r.Status != hotel.Confirmed {
					t.Errorf("it counts, and the booking is %s", r.Status)
				}
			}
			a.checkSold(t)
			a.sound(t)
		})
	}
}

// TestMessageAfterAnAnswer: a channel's yes has no place among its messages. What it wrote
// before, or may have, does not take again what was given back, unless somebody says so;
// what it wrote later does, and so does what follows a message that knows of it.
func TestMessageAfterAnAnswer(t *testing.T) {
	const before, after, untimed = -30 * time.Second, time.Minute, time.Duration(0)
	for _, c := range []struct {
		name    string
		kind    hotel.ActionKind
		event   string
		written time.Duration // from the answer on
		order   hotel.FeedOrder
		knows   bool // what it says of the stay is what was asked for
		heard   bool // another one has told of that before
		status  hotel.ReservationStatus
		nights  int
		asks    bool
	}{
		{"booked, as it was", hotel.ActionCancel, "booked", before, hotel.OrderRevisionNumber, false, false, hotel.Cancelled, 4, false},
		{"booked, and nobody knows when", hotel.ActionCancel, "booked", untimed, hotel.OrderRevisionNumber, false, false, hotel.Cancelled, 4, true},
		{"booked, without any order", hotel.ActionCancel, "booked", untimed, hotel.OrderNone, false, false, hotel.Cancelled, 4, true},
		{"booked again", hotel.ActionCancel, "booked", after, hotel.OrderRevisionNumber, false, false, hotel.Confirmed, 4, false},
		{"modified before", hotel.ActionCancel, "modified", before, hotel.OrderRevisionNumber, false, false, hotel.Cancelled, 4, true},
		{"modified, and nobody knows when", hotel.ActionCancel, "modified", untimed, hotel.OrderRevisionNumber, false, false, hotel.Cancelled, 4, true},
		{"modified behind its own cancellation", hotel.ActionCancel, "modified", untimed, hotel.OrderRevisionNumber, false, true, hotel.Confirmed, 4, false},
		{"declined, and booked as it was", hotel.ActionDecline, "booked", before, hotel.OrderRevisionNumber, false, false, hotel.Declined, 4, false},
		{"declined, and booked, nobody knows when", hotel.ActionDecline, "booked", untimed, hotel.OrderRevisionNumber, false, false, hotel.Declined, 4, true},
		{"declined, and modified before", hotel.ActionDecline, "modified", before, hotel.OrderRevisionNumber, false, false, hotel.Declined, 4, true},
		{"declined, and booked after all", hotel.ActionDecline, "booked", after, hotel.OrderRevisionNumber, false, false, hotel.Confirmed, 4, false},
		{"shortened, and booked as it was", hotel.ActionShorten, "booked", before, hotel.OrderRevisionNumber, false, false, hotel.Confirmed, 2, false},
		{"shortened, and modified before", hotel.ActionShorten, "modified", before, hotel.OrderRevisionNumber, false, false, hotel.Confirmed, 2, true},
		{"shortened, and modified, nobody knows when", hotel.ActionShorten, "modified", untimed, hotel.OrderRevisionNumber, false, false, hotel.Confirmed, 2, true},
		{"shortened, as it says too", hotel.ActionShorten, "modified", untimed, hotel.OrderRevisionNumber, true, false, hotel.Confirmed, 2, false},
		{"shortened, as it has said, and longer again", hotel.ActionShorten, "modified", untimed, hotel.OrderRevisionNumber, false, true, hotel.Confirmed, 4, false},
		{"shortened, and longer again", hotel.ActionShorten, "modified", after, hotel.OrderRevisionNumber, false, false, hotel.Confirmed, 4, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newActing(t, hotel.Terms{Actions: everyAction})
			a.sell(t, c.kind)
			a.clock.move(time.Minute)
			must(a.ask(c.kind, false))(t)
			a.clock.move(time.Minute)
			of, call, _ := a.call(t)
			a.answer(t, of, call, DeliveryApplied)
			said := a.said
			said.Order = c.order
			shorter := func(r *hotel.ChannelRoom) { r.Stay.CheckOut -= 2; r.Amounts = r.Amounts[:2] }
			if c.heard {
				event, own := "modified", shorter
				if c.kind == hotel.ActionCancel {
					event, own = "cancelled", nil
				}
				a.says(t, said, "8", "8", event, own)
			}
			if said.At = (time.Time{}); c.written != untimed {
				said.At = a.clock.Now().Add(c.written)
			}
			a.clock.move(2 * time.Minute)
			var change func(*hotel.ChannelRoom)
			if c.knows {
				change = shorter
			}
			a.says(t, said, "9", "9", c.event, change)
			if r := a.now(t); r.Status != c.status || r.Stay.Nights() != c.nights {
				t.Errorf("it is %s with %d nights, want %s with %d", r.Status, r.Stay.Nights(), c.status, c.nights)
			}
			open := slices.DeleteFunc(a.conflicts(t, hotel.ConflictStale), func(k hotel.Conflict) bool { return k.Status != hotel.ConflictOpen })
			if (len(open) == 1) != c.asks {
				t.Fatalf("somebody is asked %d times", len(open))
			}
			a.checkSold(t)
			a.sound(t)
			if c.asks {
				a.resolve(t, open[0], hotel.OptionApply, "")
				if r := a.now(t); r.Status != hotel.Confirmed || r.Stay.Nights() != 4 {
					t.Errorf("it counts, and the booking is %s with %d nights", r.Status, r.Stay.Nights())
				}
				a.checkSold(t)
				a.sound(t)
			}
		})
	}
}

// TestWhatWaitedBehindAnAnswerIsTakenUp: a message that nobody can place beside the
// channel's yes waits until the channel's own message of that comes late, which has the
// number before; it ends as if they had come in their order.
func TestWhatWaitedBehindAnAnswerIsTakenUp(t *testing.T) {
	longer := func(r *hotel.ChannelRoom) { r.Stay.CheckOut++; r.Amounts = append(r.Amounts, r.Amounts[0]) }
	shorter := func(r *hotel.ChannelRoom) { r.Stay.CheckOut -= 2; r.Amounts = r.Amounts[:2] }
	for name, c := range map[string]struct {
		first  []string // which wait, by number
		nights int
	}{
		"one":                      {[]string{"9"}, 5},
		"two":                      {[]string{"9", "10"}, 6},
		"two, the later one first": {[]string{"10", "9"}, 6},
	} {
		t.Run(name, func(t *testing.T) {
			a := newActing(t, hotel.Terms{Actions: everyAction})
			a.sell(t, hotel.ActionShorten)
			a.clock.move(time.Minute)
			must(a.ask(hotel.ActionShorten, false))(t)
			a.clock.move(time.Minute)
			of, call, _ := a.call(t)
			a.answer(t, of, call, DeliveryApplied)
			said := a.said
			said.Order, said.At = hotel.OrderRevisionNumber, time.Time{}
			for _, n := range c.first {
				change := longer
				if n == "10" {
					change = func(r *hotel.ChannelRoom) { longer(r); longer(r) }
				}
				a.says(t, said, n, n, "modified", change)
			}
			if r := a.now(t); r.Stay.Nights() != 2 || a.number(t, "SELECT COUNT(*) FROM message WHERE outcome = 'waiting'") != len(c.first) {
				t.Fatalf("%d nights before it is known what came first", r.Stay.Nights())
			}
			a.says(t, said, "8", "8", "modified", shorter)
			if r := a.now(t); r.Stay.Nights() != c.nights {
				t.Errorf("%d nights by revision %s, want %d", r.Stay.Nights(), r.Source.Revision, c.nights)
			}
			if n := a.number(t, "SELECT COUNT(*) FROM message WHERE outcome IN ('waiting', 'ignored')"); n != 0 {
				t.Errorf("%d messages wait or count for nothing", n)
			}
			if open := slices.DeleteFunc(a.conflicts(t, hotel.ConflictStale), func(k hotel.Conflict) bool { return k.Status != hotel.ConflictOpen }); len(open) > 0 {
				t.Errorf("somebody is asked: %+v", open)
			}
			a.checkSold(t)
			a.sound(t)
		})
	}
}

// TestActionIsAskedWhereTheBookingIs: a booking is of the place that told of it. Another
// one is asked nothing about it, until it tells of the booking itself.
func TestActionIsAskedWhereTheBookingIs(t *testing.T) {
	for _, k := range []hotel.ActionKind{hotel.ActionCancel, hotel.ActionDecline} { // told by the channel, and entered by somebody
		t.Run(string(k), func(t *testing.T) {
			a := newActing(t, hotel.Terms{Actions: everyAction})
			a.far.catchUp(t)
			a.sell(t, k)
			a.far.catchUp(t)
			a.far.pause(t)
			a.far.catchUp(t)
			if err := a.far.rejoin(); err != nil {
				t.Fatal(err)
			}
			if _, err := a.ask(k, false); !isRefusal(err, "channel_owned") {
				t.Errorf("the other place is asked: %v", err)
			}
			a.says(t, a.said, "2", "2", "modified", nil)
			must(a.ask(hotel.ActionCancel, false))(t)
			if _, _, may := a.call(t); !may {
				t.Error("the place that tells of it is not asked")
			}
			a.sound(t)
		})
	}
}

// TestActionNamesTheRoomAsTheChannelDoes: what tells rooms apart here means nothing
// there, so that a room is asked about alone only where the channel has a word for it.
// A whole booking needs none.
func TestActionNamesTheRoomAsTheChannelDoes(t *testing.T) {
	a := newActing(t, hotel.Terms{Actions: everyAction})
	rooms := a.group(t, "booked", "1", "", "A", "A", "B")
	for i, r := range rooms {
		a.booking = r
		_, err := a.ask(hotel.ActionCancel, false)
		if i < 3 {
			if refusal, ok := errors.AsType[*hotel.Refusal](err); !ok || refusal.Code != "channel_owned" {
				t.Errorf("room %q: the channel was asked: %v", r.Source.RoomRef, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		of, call, _ := a.call(t)
		if of.RoomRef != "B" {
			t.Errorf("room %q is asked about as %q", r.Source.RoomRef, of.RoomRef)
		}
		a.answer(t, of, call, DeliveryApplied)
	}
	must2(a.CancelReservationGroup(t.Context(), tester, hotel.Once{}, rooms[0].GroupID, hotel.CancelRequest{Reason: "storm"}))(t)
	for i, want := range []string{"", "A", "A"} {
		of, call, _ := a.call(t)
		if of.RoomRef != want {
			t.Errorf("of the whole booking room %d is asked about as %q, want %q", i, of.RoomRef, want)
		}
		a.answer(t, of, call, DeliveryApplied)
	}
	a.checkSold(t)
}

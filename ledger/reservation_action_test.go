package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// everyAction is what a channel takes that can be asked for everything.
var everyAction = []hotel.ActionTerms{
	{Kind: hotel.ActionConfirm},
	{Kind: hotel.ActionDecline},
	{Kind: hotel.ActionCancel},
	{Kind: hotel.ActionShorten},
	{Kind: hotel.ActionNoShow, Within: 48 * time.Hour},
}

// acting is a house whose channel can be asked to do something with its bookings.
type acting struct {
	*house
	far     *farSide
	said    Receipt // what the channel said of its booking
	booking hotel.Reservation
}

func newActing(t testing.TB, terms hotel.Terms) *acting {
	t.Helper()
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	if err := h.KeepTerms(context.Background(), "ch", terms); err != nil {
		t.Fatal(err)
	}
	return &acting{house: h, far: f}
}

// sell is a booking of the channel, from the third of its nights on, or from today.
func (a *acting) sell(t testing.TB, k hotel.ActionKind) {
	t.Helper()
	a.said = oneRoom(a.house, "1", "booked", channelRoom(a.today+3, a.today+7, "D", true))
	if k == hotel.ActionNoShow {
		a.said.Booking.Rooms[0].Stay = hotel.Stay{CheckIn: a.today, CheckOut: a.today + 4}
	}
	if k != hotel.ActionConfirm && k != hotel.ActionDecline {
		a.booking = must(a.Receive(context.Background(), a.said))(t).Reservations[0]
		return
	}
	a.booking = must2(a.CreateReservation(context.Background(), tester, hotel.Once{}, hotel.NewReservation{
		PropertyID: a.property.ID, RoomTypeID: a.double.ID, RatePlanID: a.flex.ID, Stay: a.said.Booking.Rooms[0].Stay, Adults: 2, Status: hotel.Requested,
		Guest: hotel.Guest{LastName: "Guest"}, Source: hotel.Source{ChannelID: "ch", Reference: a.said.Ref, RoomRef: "1"},
	}))(t)
}

// dayOn has a day pass, and the channel work out what it is to show.
func (a *acting) dayOn(t testing.TB) {
	t.Helper()
	a.passes(t, 24*time.Hour)
	for a.far.derive(t) {
	}
}

// ask asks the channel for an action.
func (a *acting) ask(k hotel.ActionKind, byHand bool) (hotel.Reservation, error) {
	ctx := context.Background()
	if k == hotel.ActionCancel {
		r, _, err := a.CancelReservation(ctx, tester, hotel.Once{}, a.booking.ID, hotel.CancelRequest{Reason: "closed for repairs", DoneAtChannel: byHand})
		return r, err
	}
	if k == hotel.ActionShorten {
		until := a.booking.Stay.CheckOut - 2
		r, _, err := a.ChangeReservation(ctx, tester, hotel.Once{}, a.booking.ID, hotel.ReservationChange{CheckOut: &until, DoneAtChannel: byHand})
		return r, err
	}
	step, _ := stepOf(k)
	return a.take(a.booking.ID, step, hotel.StepRequest{Refused: hotel.ByProperty, Charge: true, DoneAtChannel: byHand})
}

// call is a call for the action that is asked for, if one may be made.
func (a *acting) call(t testing.TB) (Asked, string, bool) {
	t.Helper()
	ctx := context.Background()
	list := must(a.AskedOfChannel(ctx, "ch"))(t)
	if len(list) == 0 {
		return Asked{}, "", false
	}
	begun, err := a.Begin(ctx, NewDelivery{ChannelID: "ch", Kind: Act, Operation: "act", Lane: 2, SentAt: a.clock.Now(), Asked: list[0]})
	if errors.Is(err, ErrOutrun) {
		return list[0], "", false
	}
	if err != nil {
		t.Fatal(err)
	}
	if begun.Key != list[0].Action.ID {
		t.Errorf("the call carries %s, want that of the action, %s", begun.Key, list[0].Action.ID)
	}
	return list[0], begun.ID, true
}

func (a *acting) answer(t testing.TB, of Asked, call string, state DeliveryState) {
	t.Helper()
	if err := a.Answered(context.Background(), of, Settlement{DeliveryID: call, State: state, Error: "not by us"}); err != nil {
		t.Fatal(err)
	}
}

func (a *acting) now(t testing.TB) hotel.Reservation {
	t.Helper()
	return must(a.Reservation(context.Background(), a.booking.ID))(t)
}

// TestEveryActionByEveryAnswer: whatever a channel is asked for, the booking keeps its
// nights until the channel has said yes, in whatever way; what comes of each answer is
// a row here.
func TestEveryActionByEveryAnswer(t *testing.T) {
	wholly, partly := 4, 2
	for k, ends := range map[hotel.ActionKind]struct {
		status hotel.ReservationStatus
		nights int
	}{
		hotel.ActionConfirm: {hotel.Confirmed, wholly}, hotel.ActionDecline: {hotel.Declined, 0}, hotel.ActionCancel: {hotel.Cancelled, 0},
		hotel.ActionShorten: {hotel.Confirmed, partly}, hotel.ActionNoShow: {hotel.NoShow, 1},
	} {
		for _, way := range []string{"accepted", "refused", "lost", "lost where repeats are noticed", "not sent", "no answer", "late answer", "message first"} {
			t.Run(string(k)+" "+way, func(t *testing.T) {
				a := newActing(t, hotel.Terms{Actions: everyAction, RepeatKey: way == "lost where repeats are noticed"})
				a.sell(t, k)
				if k == hotel.ActionNoShow {
					a.dayOn(t)
				}
				was := a.now(t)
				asked := must(a.ask(k, false))(t)
				open := asked.OpenAction()
				if open == nil || open.Kind != k || asked.Status != was.Status || asked.Stay != was.Stay || !open.Deadline.Equal(a.clock.Now().Add(time.Hour)) {
					t.Fatalf("asked: %s %v with %+v", asked.Status, asked.Stay, asked.Actions)
				}
				must(a.ask(k, false))(t) // once more changes nothing
				if again := a.now(t); again.Revision != asked.Revision {
					t.Errorf("to ask again is revision %d behind %d", again.Revision, asked.Revision)
				}
				of, call, may := a.call(t)
				if !may {
					t.Fatal("there is nothing to ask for")
				}
				state, status, nights, told := hotel.ActionAsked, was.Status, wholly, 0
				if k == hotel.ActionNoShow {
					nights = 4
				}
				switch way {
				case "accepted":
					a.answer(t, of, call, DeliveryApplied)
					state, status, nights = hotel.ActionAccepted, ends.status, ends.nights
				case "refused":
					a.answer(t, of, call, DeliveryRejected)
					state, told = hotel.ActionRefused, 1
				case "lost":
					a.answer(t, of, call, DeliveryUnknown)
					if _, _, may := a.call(t); may {
						t.Error("it is asked again, and may do twice what it was asked once")
					}
				case "lost where repeats are noticed":
					a.answer(t, of, call, DeliveryUnknown)
					if of, call, may = a.call(t); !may {
						t.Fatal("it is not asked again")
					}
					a.answer(t, of, call, DeliveryApplied)
					state, status, nights = hotel.ActionAccepted, ends.status, ends.nights
				case "not sent":
					a.answer(t, of, call, DeliveryNotSent)
					if _, _, may := a.call(t); !may {
						t.Error("what did not leave is not sent again")
					}
				case "no answer", "late answer":
					a.clock.move(2 * time.Hour)
					if err := a.NoteUnanswered(context.Background()); err != nil {
						t.Fatal(err)
					}
					if told = 1; way == "late answer" {
						a.answer(t, of, call, DeliveryApplied)
						state, status, nights, told = hotel.ActionAccepted, ends.status, ends.nights, 0
					}
				case "message first":
					switch k {
					case hotel.ActionShorten:
						a.says(t, a.said, "2", "2", "modified", func(r *hotel.ChannelRoom) { r.Stay.CheckOut -= 2; r.Amounts = r.Amounts[:2] })
						state, nights = hotel.ActionAccepted, partly
					case hotel.ActionConfirm:
						a.says(t, a.said, "2", "2", "modified", nil)
						state, status = hotel.ActionAccepted, hotel.Confirmed
					case hotel.ActionDecline, hotel.ActionCancel:
						a.says(t, a.said, "2", "2", "cancelled", nil)
						state, status, nights = hotel.ActionAccepted, hotel.Cancelled, 0
					case hotel.ActionNoShow: // there is no guest left who did not come
						a.says(t, a.said, "2", "2", "cancelled", nil)
						state, status, nights = hotel.ActionWithdrawn, hotel.Cancelled, 0
					}
					a.answer(t, of, call, DeliveryApplied) // that it comes as well changes nothing
				}
				r := a.now(t)
				held := 0
				for _, room := range heldRooms(&r) {
					held += int(room.To-room.From) + 1
				}
				if got := r.Actions[len(r.Actions)-1].State; got != state || r.Status != status || held != nights {
					t.Errorf("%s: the booking is %s with %d nights, want %s: %s with %d", got, r.Status, held, state, status, nights)
				}
				asking := slices.DeleteFunc(a.conflicts(t, hotel.ConflictCancelAsked), func(c hotel.Conflict) bool { return c.Status != hotel.ConflictOpen })
				if len(asking) != told {
					t.Errorf("%d conflicts are open, want %d", len(asking), told)
				}
				if k == hotel.ActionCancel && state == hotel.ActionAccepted && r.CancelReason != "closed for repairs" {
					t.Errorf("it is cancelled because %q", r.CancelReason)
				}
				a.checkSold(t)
				a.sound(t)
			})
		}
	}
}

// TestChannelThatCannotBeAsked: what to do is said, and counts at once when somebody
// says that it was done there.
func TestChannelThatCannotBeAsked(t *testing.T) {
	for name, c := range map[string]struct {
		terms  hotel.Terms
		kind   hotel.ActionKind
		before func(t *testing.T, a *acting)
		ends   hotel.ReservationStatus
	}{
		"it takes no cancellations":           {kind: hotel.ActionCancel, ends: hotel.Cancelled},
		"it does not shorten":                 {terms: hotel.Terms{Actions: everyAction[:3]}, kind: hotel.ActionShorten, ends: hotel.Confirmed},
		"its time for no-shows is over":       {terms: hotel.Terms{Actions: everyAction}, kind: hotel.ActionNoShow, before: func(t *testing.T, a *acting) { a.dayOn(t); a.dayOn(t) }, ends: hotel.NoShow},
		"somebody else may be running it yet": {terms: hotel.Terms{Actions: everyAction}, kind: hotel.ActionCancel, before: func(t *testing.T, a *acting) { a.shadow(t) }, ends: hotel.Cancelled},
	} {
		t.Run(name, func(t *testing.T) {
			a := newActing(t, c.terms)
			a.sell(t, c.kind)
			if c.kind == hotel.ActionNoShow {
				a.dayOn(t)
			}
			if c.before != nil {
				c.before(t, a)
			}
			if _, err := a.ask(c.kind, false); !isRefusal(err, "channel_owned") {
				t.Fatalf("asked: %v", err)
			}
			from := must(a.Sequence(context.Background()))(t)
			r := must(a.ask(c.kind, true))(t)
			if last := r.LastAction(c.kind); last == nil || last.State != hotel.ActionByHand || r.Status != c.ends {
				t.Errorf("done by hand: %s, %+v", r.Status, r.Actions)
			}
			if kinds := a.kinds(t, from); kinds[0] != ReservationChannelAction {
				t.Errorf("told as %v", kinds)
			}
			if c.kind == hotel.ActionShorten && r.Stay.Nights() != 2 {
				t.Errorf("the stay is %v", r.Stay)
			}
			a.checkSold(t)
			a.sound(t)
		})
	}
}

// shadow has somebody else run the channel.
func (a *acting) shadow(t testing.TB) {
	t.Helper()
	must2(a.ShadowChannel(context.Background(), tester, hotel.Once{}, "ch", 0))(t)
}

// TestOneActionAtATime: another one waits, and the same one more urgently put is
// another.
func TestOneActionAtATime(t *testing.T) {
	a := newActing(t, hotel.Terms{Actions: everyAction})
	a.sell(t, hotel.ActionCancel)
	must(a.ask(hotel.ActionShorten, false))(t)
	if _, err := a.ask(hotel.ActionCancel, false); !isRefusal(err, "channel_action_open") {
		t.Errorf("cancelled while it is shortened: %v", err)
	}
	r := must(a.ask(hotel.ActionCancel, true))(t) // what was done there counts all the same
	if r.Status != hotel.Cancelled || r.Actions[0].State != hotel.ActionWithdrawn || r.Actions[1].State != hotel.ActionByHand {
		t.Errorf("%s with %+v", r.Status, r.Actions)
	}
	a.sound(t)
}

// TestNotesGoWithAShorterStay: what a change says besides counts at once.
func TestNotesGoWithAShorterStay(t *testing.T) {
	a := newActing(t, hotel.Terms{Actions: everyAction})
	a.sell(t, hotel.ActionShorten)
	until, notes := a.booking.Stay.CheckOut-1, "leaves early"
	r := must2(a.ChangeReservation(context.Background(), tester, hotel.Once{}, a.booking.ID, hotel.ReservationChange{CheckOut: &until, Notes: &notes}))(t)
	if r.Notes != notes || r.Stay != a.booking.Stay || r.OpenAction() == nil {
		t.Errorf("notes %q, stay %v, actions %+v", r.Notes, r.Stay, r.Actions)
	}
	longer := a.booking.Stay.CheckOut + 1
	if _, _, err := a.ChangeReservation(context.Background(), tester, hotel.Once{}, a.booking.ID, hotel.ReservationChange{CheckOut: &longer}); !isRefusal(err, "channel_owned") {
		t.Errorf("a longer stay: %v", err)
	}
	a.sound(t)
}

// TestOptionsOfAnAction: asked again, done there, and left.
func TestOptionsOfAnAction(t *testing.T) {
	for name, c := range map[string]struct {
		refused bool
		option  string
		state   hotel.ActionState
		status  hotel.ReservationStatus
		sameKey bool
	}{
		"refused, asked again":    {true, hotel.OptionRetry, hotel.ActionAsked, hotel.Confirmed, false},
		"unanswered, asked again": {false, hotel.OptionRetry, hotel.ActionAsked, hotel.Confirmed, true},
		"refused, done there":     {true, hotel.OptionDoneAtChannel, hotel.ActionByHand, hotel.Cancelled, false},
		"unanswered, done there":  {false, hotel.OptionDoneAtChannel, hotel.ActionByHand, hotel.Cancelled, true},
		"refused, left":           {true, hotel.OptionWithdraw, hotel.ActionRefused, hotel.Confirmed, true},
		"unanswered, left":        {false, hotel.OptionWithdraw, hotel.ActionWithdrawn, hotel.Confirmed, true},
	} {
		t.Run(name, func(t *testing.T) {
			a := newActing(t, hotel.Terms{Actions: everyAction})
			a.sell(t, hotel.ActionCancel)
			must(a.ask(hotel.ActionCancel, false))(t)
			of, call, _ := a.call(t)
			if c.refused {
				a.answer(t, of, call, DeliveryRejected)
			} else {
				a.answer(t, of, call, DeliveryUnknown)
				a.clock.move(2 * time.Hour)
				if err := errors.Join(a.NoteUnanswered(context.Background()), a.NoteUnanswered(context.Background())); err != nil {
					t.Fatal(err)
				}
			}
			conflict := a.conflict(t, hotel.ConflictCancelAsked)
			var facts AskedFacts
			if err := json.Unmarshal(conflict.Facts, &facts); err != nil || facts.Action.Kind != hotel.ActionCancel || (facts.Answer == AnswerRefused) != c.refused {
				t.Errorf("raised with %s (%v)", conflict.Facts, err)
			}
			if _, _, may := a.call(t); may {
				t.Error("the channel is asked while somebody decides")
			}
			a.resolve(t, conflict, c.option, "")
			r := a.now(t)
			last := r.LastAction(hotel.ActionCancel)
			if last.State != c.state || r.Status != c.status || (last.ID == of.Action.ID) != c.sameKey {
				t.Errorf("%s with %+v", r.Status, r.Actions)
			}
			if _, _, may := a.call(t); may != (c.option == hotel.OptionRetry) {
				t.Errorf("it may be called: %v", may)
			}
			a.checkSold(t)
			a.sound(t)
		})
	}
}

// TestActionOverByItself: when the booking ends without it nobody has to decide.
func TestActionOverByItself(t *testing.T) {
	a := newActing(t, hotel.Terms{Actions: everyAction})
	a.sell(t, hotel.ActionCancel)
	must(a.ask(hotel.ActionCancel, false))(t)
	of, call, _ := a.call(t)
	a.answer(t, of, call, DeliveryRejected)
	a.says(t, a.said, "2", "2", "cancelled", nil) // the guest has
	if c := a.conflict(t, hotel.ConflictCancelAsked); c.DecidedBy != hotel.ByItself {
		t.Errorf("still %+v", c)
	}
	a.sound(t)
}

// TestAcceptedTooLateForAGuestInTheHouse: the channel's yes moves nobody out.
func TestAcceptedTooLateForAGuestInTheHouse(t *testing.T) {
	a := newActing(t, hotel.Terms{Actions: everyAction})
	a.sell(t, hotel.ActionNoShow)
	must(a.ask(hotel.ActionCancel, false))(t)
	of, call, _ := a.call(t)
	must(a.take(a.booking.ID, stay.CheckIn, hotel.StepRequest{}))(t)
	a.answer(t, of, call, DeliveryApplied)
	r := a.now(t)
	if r.Status != hotel.CheckedIn || r.LastAction(hotel.ActionCancel).State != hotel.ActionAccepted {
		t.Errorf("%s with %+v", r.Status, r.Actions)
	}
	if c := a.conflict(t, hotel.ConflictCancelledInHouse); c.Status != hotel.ConflictOpen {
		t.Errorf("nobody is told: %+v", c)
	}
	a.sound(t)
}

// TestActionsOfARestoredLedger: what was asked for before the backup may have been
// answered, withdrawn or done since; nobody is asked again unseen.
func TestActionsOfARestoredLedger(t *testing.T) {
	a := newActing(t, hotel.Terms{Actions: everyAction, RepeatKey: true})
	a.sell(t, hotel.ActionCancel)
	must(a.ask(hotel.ActionCancel, false))(t)
	a.restoredFrom(t, a.backedUp(t))
	if _, _, may := a.call(t); may {
		t.Error("it is asked for unseen")
	}
	if c := a.conflict(t, hotel.ConflictCancelAsked); c.Status != hotel.ConflictOpen {
		t.Errorf("nobody is asked: %+v", c)
	}
}

// TestCallOfAnActionAcrossAKill: a call that was under way is one of which nobody
// knows.
func TestCallOfAnActionAcrossAKill(t *testing.T) {
	for _, notices := range []bool{false, true} {
		a := newActing(t, hotel.Terms{Actions: everyAction, RepeatKey: notices})
		a.sell(t, hotel.ActionCancel)
		must(a.ask(hotel.ActionCancel, false))(t)
		_, call, _ := a.call(t)
		a.reopen(t)
		must(a.Recover(context.Background()))(t)
		of, again, may := a.call(t)
		if may != notices || may && again == call || of.Action.ID == "" || !of.Unclear {
			t.Errorf("where repeats are noticed (%v): %+v, called again: %v", notices, of, may)
		}
	}
}

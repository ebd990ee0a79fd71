package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// Two changes of different members at once lose neither: each is laid over what
// the other left.
func TestChangesAtOnceLoseNothing(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	r := must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t)
	const writers = 20
	errs := make([]error, 2*writers)
	var wg sync.WaitGroup
	for i := range writers {
		key, value := fmt.Sprint("k", i), fmt.Sprint(i)
		wg.Go(func() {
			_, _, errs[2*i] = h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{
				Metadata: hotel.Given(map[string]*string{key: &value}),
			})
		})
		wg.Go(func() {
			phone, email := fmt.Sprintf("+49301234%02d", i), fmt.Sprintf("guest%d@example.com", i)
			change := hotel.ReservationChange{Guest: &hotel.GuestChange{Phone: &phone}}
			if i%2 == 0 {
				change.Guest = &hotel.GuestChange{Email: &email}
			}
			_, _, errs[2*i+1] = h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, change)
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	got := must(h.Reservation(ctx, r.ID))(t)
	if len(got.Metadata) != writers || got.Guest.Phone == "" || got.Guest.Email == "" || got.Guest.LastName != "Guest" {
		t.Errorf("left of %d changes: %v, %+v", 2*writers, got.Metadata, got.Guest)
	}
}

func TestChangePrices(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	in := h.today + 5
	two, three := 2, 3
	later, sooner := in+3, in+1
	first := hotel.Money{Minor: 7000, Currency: "EUR"}
	free := true
	for _, c := range []struct {
		name   string
		change hotel.ReservationChange
		want   []int64 // by night
	}{
		{"another room type keeps the price", hotel.ReservationChange{RoomTypeID: &h.suite.ID}, []int64{10000, 10000}},
		{"another room type, priced again", hotel.ReservationChange{RoomTypeID: &h.suite.ID, Reprice: true}, []int64{12000, 12000}},
		{"an added night costs what it costs today", hotel.ReservationChange{CheckOut: &later}, []int64{10000, 10000, 12000}},
		{"a night given back", hotel.ReservationChange{CheckOut: &sooner}, []int64{10000}},
		{"a new plan prices every night", hotel.ReservationChange{RatePlanID: &h.saver.ID}, []int64{10800, 10800}},
		{"the same party again changes nothing", hotel.ReservationChange{Adults: &two}, []int64{10000, 10000}},
		{"another party is priced", hotel.ReservationChange{Adults: &three}, []int64{12000, 12000}},
		{"one night by hand", hotel.ReservationChange{Overrides: []hotel.NightAmount{{Date: in, Amount: first}}}, []int64{7000, 10000}},
		{"one night by hand, the rest priced again", hotel.ReservationChange{Overrides: []hotel.NightAmount{{Date: in, Amount: first}}, Reprice: true}, []int64{7000, 12000}},
		{"free of charge", hotel.ReservationChange{Free: &free}, []int64{0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := must2(h.book(h.double, in, in+2, hotel.Once{}))(t)
			for _, room := range []hotel.RoomType{h.double, h.suite} {
				must(h.setPrice(room, h.flex, in, in+5, 12000))(t)
			}
			got := must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, c.change))(t)
			var nights []int64
			for _, n := range got.Nightly {
				nights = append(nights, n.Amount.Minor)
			}
			if !slices.Equal(nights, c.want) {
				t.Errorf("costs %v, want %v", nights, c.want)
			}
			for _, room := range []hotel.RoomType{h.double, h.suite} {
				must(h.setPrice(room, h.flex, in, in+5, 10000))(t)
			}
			must2(h.CancelReservation(ctx, tester, hotel.Once{}, r.ID, hotel.CancelRequest{}))(t)
		})
	}
}

// Who was booked beyond what there is can still be changed in what takes no room.
func TestOverbookedStayCanBeChanged(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	for range 5 {
		must2(h.book(h.double, h.today, h.today+2, hotel.Once{}))(t)
	}
	r := must2(h.CreateReservation(ctx, tester, hotel.Once{}, hotel.NewReservation{
		PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 2}, Adults: 2,
		Guest: hotel.Guest{LastName: "Sixth"}, Overbook: true,
	}))(t)
	one, out := 1, h.today+1
	got := must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{Adults: &one}))(t)
	if got.Adults != 1 || !got.Overbooked {
		t.Errorf("changed to %+v", got)
	}
	if _, _, err := h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{RoomTypeID: &h.twin.ID}); !isRefusal(err, "not_available") {
		t.Errorf("moved into a room that is not there: %v", err)
	}
	got = must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{RoomTypeID: &h.suite.ID}))(t)
	if got.Overbooked {
		t.Error("overbooked in a room that is free")
	}
	must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{CheckOut: &out}))(t)
	h.checkSold(t)
}

// What somebody here set on a channel's booking outlives the channel's next word.
func TestKeptFieldsOutliveTheNextRevision(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	ctx := context.Background()
	said := oneRoom(h, "1", "booked", hotel.ChannelRoom{Ref: "1", Room: "unheard of", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 2}, Adults: 2})
	got := must(h.Receive(ctx, said))(t).Reservations[0]
	if got.RoomTypeID != "" || got.HeldRoom == "" {
		t.Fatalf("an unmapped room is %+v", got)
	}
	phone, three := "+4930123456", 3
	must2(h.ChangeReservation(ctx, tester, hotel.Once{}, got.ID, hotel.ReservationChange{
		RoomTypeID: &h.suite.ID, Adults: &three, Guest: &hotel.GuestChange{Phone: &phone},
	}))(t)
	said.Key, said.Revision, said.Event = "2", "2", "modified"
	said.Booking.Rooms[0].Stay.CheckOut = h.today + 3
	before := must(h.Sequence(ctx))(t)
	got = must(h.Receive(ctx, said))(t).Reservations[0]
	if got.RoomTypeID != h.suite.ID || got.Adults != 3 || got.Guest.Phone != phone || got.Stay.CheckOut != h.today+3 || len(got.Kept) != 3 {
		t.Errorf("after the next revision: %+v", got)
	}
	if slices.Contains(h.kinds(t, before), ReservationUnmapped) {
		t.Error("a room that somebody gave it is told as unmapped")
	}
	h.checkSold(t)
}

// Whatever the desk did with a channel's stay before, every order of the same
// messages leaves it the same.
func TestEveryOrderOfMessagesToAStayThatMovedOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		status := rapid.SampledFrom([]hotel.ReservationStatus{hotel.Confirmed, hotel.CheckedIn, hotel.CheckedOut, hotel.NoShow, hotel.Cancelled}).Draw(t, "status")
		n := rapid.IntRange(1, 4).Draw(t, "messages")
		type said struct {
			Cancels, Silent bool
			Out             hotel.Date
			Room            string
			Amounts         bool
		}
		var messages []said
		for range n {
			messages = append(messages, said{
				Cancels: rapid.Bool().Draw(t, "cancels"), Silent: rapid.Bool().Draw(t, "without rooms"), Out: hotel.Date(rapid.IntRange(1, 4).Draw(t, "nights")),
				Room: rapid.SampledFrom([]string{"D", "T"}).Draw(t, "room"), Amounts: rapid.Bool().Draw(t, "priced"),
			})
		}
		numbers := make([]int, n)
		for i := range numbers {
			numbers[i] = i
		}
		order := rapid.Permutation(append(slices.Clone(numbers), rapid.SliceOfN(rapid.SampledFrom(numbers), 0, 2).Draw(t, "again")...)).Draw(t, "arrival")
		var ends [2]string
		for i, arrival := range [][]int{numbers, order} {
			h := newHouse(t)
			h.newFarSide(t, 5)
			first := channelRoom(h.today, h.today+2, "D", true)
			booked := oneRoom(h, "booked", "booked", first)
			booked.Ref = "B"
			r := must(h.Receive(context.Background(), booked))(t).Reservations[0]
			h.moveOn(t, r.ID, status)
			for _, at := range arrival {
				m := messages[at]
				event := "modified"
				if m.Cancels {
					event = "cancelled"
				}
				msg := oneRoom(h, fmt.Sprint("m", at), event, channelRoom(h.today, h.today+m.Out, m.Room, m.Amounts))
				msg.Ref, msg.Revision = "B", fmt.Sprint(at+2)
				if m.Cancels && m.Silent {
					msg.Booking.Rooms = nil
				}
				must(h.Receive(context.Background(), msg))(t)
				h.checkSold(t)
			}
			got := must(h.Reservation(context.Background(), r.ID))(t)
			waived := got.Cancel != nil && got.Cancel.Waived
			var issues []string
			for _, issue := range got.Issues {
				issues = append(issues, issue.Code)
			}
			slices.Sort(issues)
			ends[i] = fmt.Sprintf("%s %v in %s of %v for %v known %v waived %v issues %v holding %v",
				got.Status, got.Stay, got.RoomTypeID, got.Nightly, got.Total, got.PriceKnown, waived, issues, h.soldByNight(t))
			if (status == hotel.CheckedIn || status == hotel.CheckedOut || status == hotel.NoShow) && got.Status != status {
				t.Fatalf("a message moved a guest who is %s to %s", status, got.Status)
			}
		}
		if diff := gocmp.Diff(ends[0], ends[1]); diff != "" {
			t.Fatalf("the order of arrival matters (-in order +as it came):\n%s", diff)
		}
	})
}

func channelRoom(in, out hotel.Date, room string, amounts bool) hotel.ChannelRoom {
	r := hotel.ChannelRoom{Ref: "1", Room: room, Rate: "F", Stay: hotel.Stay{CheckIn: in, CheckOut: out}, Adults: 2}
	for range r.Stay.Nights() {
		if amounts {
			r.Amounts = append(r.Amounts, hotel.Money{Minor: int64(1000 + out), Currency: "EUR"})
		}
	}
	return r
}

// moveOn brings a channel's booking for tonight to a status by the desk's doing.
func (h *house) moveOn(t tb, id string, status hotel.ReservationStatus) {
	t.Helper()
	if status == hotel.Cancelled {
		must2(h.CancelReservation(context.Background(), tester, hotel.Once{}, id, hotel.CancelRequest{DoneAtChannel: true}))(t)
		return
	}
	if status == hotel.NoShow {
		h.clock.move(24 * time.Hour)
	}
	for _, a := range map[hotel.ReservationStatus][]stay.Action{
		hotel.CheckedIn: {stay.CheckIn}, hotel.CheckedOut: {stay.CheckIn, stay.CheckOut}, hotel.NoShow: {stay.NoShow},
	}[status] {
		must(h.take(id, a, hotel.StepRequest{Charge: true, DoneAtChannel: true}))(t)
	}
	if status == hotel.CheckedIn {
		h.clock.move(24 * time.Hour) // the first night is over
	}
}

// A booking is given to another guest: the profiles stay what they are, and a
// channel's later message does not give it back.
func TestBookingIsGivenToAnotherGuest(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	ctx := context.Background()
	said := oneRoom(h, "1", "booked", channelRoom(h.today, h.today+2, "D", true))
	booked := must(h.Receive(ctx, said))(t).Reservations[0]
	other := must2(h.book(h.double, h.today+5, h.today+6, hotel.Once{}))(t)
	nobody := "gst_none"
	if _, _, err := h.ChangeReservation(ctx, tester, hotel.Once{}, booked.ID, hotel.ReservationChange{GuestID: &nobody}); refusedAs(err) != "validation_failed" {
		t.Errorf("given to nobody: %v", err)
	}
	got := must2(h.ChangeReservation(ctx, tester, hotel.Once{}, booked.ID, hotel.ReservationChange{GuestID: &other.GuestID}))(t)
	if got.GuestID != other.GuestID || got.Guest != other.Guest || !got.Keeps(hotel.KeptGuest) {
		t.Errorf("given to %s: %+v", other.GuestID, got)
	}
	said.Key, said.Revision, said.Event = "2", "2", "modified"
	if got = must(h.Receive(ctx, said))(t).Reservations[0]; got.GuestID != other.GuestID {
		t.Errorf("the channel's next message gave it to %s", got.GuestID)
	}
	if was := must(h.Guest(ctx, booked.GuestID))(t); was.Guest != booked.Guest {
		t.Errorf("whom it was for is %+v now", was.Guest)
	}
	h.sound(t)
}

// A channel's guests get no room that is too small for them by mistake: whoever may do it
// all the same does so knowingly, and it is noted until they have another.
func TestGuestsAreNotMovedIntoARoomThatIsTooSmall(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	ctx := context.Background()
	said := oneRoom(h, "1", "booked", hotel.ChannelRoom{Ref: "1", Room: "unheard of", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 2}, Adults: h.double.MaxOccupancy + 1})
	r := must(h.Receive(ctx, said))(t).Reservations[0]
	small := hotel.ReservationChange{RoomTypeID: &h.double.ID}
	if _, _, err := h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, small); !refusesItem(err, "/room_type_id", "occupancy_exceeded") {
		t.Errorf("moved into a room that is too small: %v", err)
	}
	small.Override = true
	if r = must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, small))(t); r.RoomTypeID != h.double.ID || !r.HasIssue("occupancy_exceeded") {
		t.Errorf("moved knowingly: %+v", r)
	}
	two := 2
	r = must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{RoomTypeID: &h.twin.ID, Adults: &two}))(t)
	if r.RoomTypeID != h.twin.ID || r.HasIssue("occupancy_exceeded") {
		t.Errorf("as two they fit: %+v", r)
	}
	h.checkSold(t)
}

// refusesItem reports whether a member is refused with a code.
func refusesItem(err error, pointer, code string) bool {
	refusal, ok := errors.AsType[*hotel.Refusal](err)
	return ok && len(refusal.Items) == 1 && refusal.Items[0].Pointer == pointer && refusal.Items[0].Code == code
}

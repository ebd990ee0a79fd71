package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// refusingSide is a live channel that knows everything and refuses what it is told from
// now on.
func refusingSide(t *testing.T) (*house, *farSide) {
	t.Helper()
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	return h, f
}

// requestID is what the far side adds to its words, where it numbers its calls.
func (f *farSide) requestID() string {
	if !f.numbers {
		return ""
	}
	f.requests++
	return fmt.Sprintf(" (request %d)", f.requests)
}

// refuse derives what there is and sends it; cells of a group are refused, others
// taken. It returns how many were refused.
func (f *farSide) refuse(t *testing.T, of hotel.Group) int {
	t.Helper()
	f.h.deriveAll(t)
	for f.derive(t) {
	}
	refused := 0
	for cells := f.dirty(t); len(cells) > 0; cells = f.dirty(t) {
		reasons := map[hotel.Cell]string{}
		for _, c := range cells {
			if c.Cell.Group == of {
				reasons[c.Cell] = "too odd" + f.requestID()
			}
		}
		refused += len(reasons)
		f.begin(t, cells)
		f.take(0, reasons)
		f.settle(t, 0, Settlement{State: DeliveryPartial, Rejected: reasons})
	}
	return refused
}

func (h *house) priceTwin(t *testing.T, from, to hotel.Date, minor int64) {
	t.Helper()
	must(h.setPrice(h.twin, h.flex, h.today+from, h.today+to, minor))(t)
}

func TestRefusedValueIsAConflict(t *testing.T) {
	h, f := refusingSide(t)
	h.priceTwin(t, 3, 4, 12345)
	f.refuse(t, hotel.Price)
	h.priceTwin(t, 5, 5, 12345)
	f.refuse(t, hotel.Price)
	c := h.conflict(t, hotel.ConflictRejected)
	var facts RejectedFacts
	if err := json.Unmarshal(c.Facts, &facts); err != nil {
		t.Fatal(err)
	}
	if c.Severity != hotel.Critical || c.Subject.RoomTypeID != h.twin.ID || c.Subject.Date != h.today+3 || facts.Group != "price" || len(facts.Nights) != 1 ||
		facts.Nights[0].Span != (hotel.Span{From: h.today + 3, To: h.today + 5}) || facts.Nights[0].Reason != "too odd" {
		t.Errorf("raised %+v: %s", c, c.Facts)
	}
	h.priceTwin(t, 3, 5, 12000)
	f.catchUp(t)
	if c := h.conflict(t, hotel.ConflictRejected); c.DecidedBy != hotel.ByItself {
		t.Errorf("taken, and it is %+v", c)
	}
}

func TestOptionsOfARefusedValue(t *testing.T) {
	for _, test := range []struct {
		option, arguments string
		sent              int // cells told again
		raised            int // conflicts in the end, when they are refused again
	}{
		{hotel.OptionRetry, "", 2, 2},
		{hotel.OptionSkip, "", 0, 1},
		{hotel.OptionChange, `{"values":{"amount":{"amount":"120.00","currency":"EUR"}}}`, 2, 2},
	} {
		t.Run(test.option, func(t *testing.T) {
			h, f := refusingSide(t)
			h.priceTwin(t, 3, 4, 12345)
			f.refuse(t, hotel.Price)
			h.resolve(t, h.conflict(t, hotel.ConflictRejected), test.option, test.arguments)
			if n := f.refuse(t, hotel.Price); n != test.sent {
				t.Errorf("%d cells told again, want %d", n, test.sent)
			}
			if n := len(h.conflicts(t, hotel.ConflictRejected)); n != test.raised {
				t.Errorf("%d conflicts", n)
			}
			h.sound(t)
		})
	}
}

// TestRefusedValueThatIsLeft: who has left it is not asked again about it, but about
// another value.
func TestRefusedValueThatIsLeft(t *testing.T) {
	h, f := refusingSide(t)
	h.priceTwin(t, 3, 3, 12345)
	f.refuse(t, hotel.Price)
	h.resolve(t, h.conflict(t, hotel.ConflictRejected), hotel.OptionSkip, "")
	h.priceTwin(t, 3, 3, 10000)
	f.catchUp(t)
	h.priceTwin(t, 3, 3, 12345)
	f.refuse(t, hotel.Price)
	h.conflict(t, hotel.ConflictRejected)
	h.priceTwin(t, 3, 3, 12346)
	f.refuse(t, hotel.Price)
	if n := len(h.conflicts(t, hotel.ConflictRejected)); n != 2 {
		t.Errorf("%d conflicts, want one about the new price", n)
	}
}

func TestChangeOfARefusedCountAndLength(t *testing.T) {
	h, f := refusingSide(t)
	must(h.updateRules(hotel.RestrictionEntry{RoomTypeID: h.twin.ID, RatePlanID: h.flex.ID, Dates: h.span(3, 3), MinStayArrival: hotel.Given(40)}))(t)
	f.refuse(t, hotel.Lengths)
	c := h.conflict(t, hotel.ConflictRejected)
	if _, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{
		Option: hotel.OptionChange, Arguments: json.RawMessage(`{"values":{"available":1}}`),
	}); faultOf(err) == "" {
		t.Error("another group's value is taken")
	}
	h.resolve(t, c, hotel.OptionChange, `{"values":{"min_stay_arrival":30}}`)
	b := must(h.Board(context.Background(), h.property.ID))(t)
	room, _ := b.Room(h.twin.ID)
	plan, _ := b.Plan(h.flex.ID)
	if n := b.HouseRules(h.today+3, room, plan).Lengths.MinStayArrival; n != 30 {
		t.Errorf("the minimum is %d", n)
	}
	must2(h.book(h.suite, h.today, h.today+1, hotel.Once{}))(t) // not sold at the channel
	f.catchUp(t)
	must2(h.book(h.double, h.today+6, h.today+7, hotel.Once{}))(t)
	f.refuse(t, hotel.Availability)
	for _, c := range h.conflicts(t, hotel.ConflictRejected) {
		if c.Status == hotel.ConflictOpen {
			if c.Severity != hotel.Critical {
				t.Errorf("a lowering that is refused is %s", c.Severity)
			}
			h.resolve(t, c, hotel.OptionChange, `{"values":{"available":1}}`)
		}
	}
	b = must(h.Board(context.Background(), h.property.ID))(t)
	if most := b.Channel(h.today+6, room, "ch", "").Limit; most == nil || *most != 1 {
		t.Errorf("the channel is shown at most %v", most)
	}
}

// TestRetryOfARefusedCountOfAGuardedPool: the refusal has used up what it was ordered.
func TestRetryOfARefusedCountOfAGuardedPool(t *testing.T) {
	h, f := refusingSide(t)
	h.protect(t, hotel.Guarded)
	refused := f.refuse(t, hotel.Availability)
	if refused == 0 {
		t.Fatal("nothing is to be closed")
	}
	for _, c := range h.conflicts(t, hotel.ConflictRejected) {
		h.resolve(t, c, hotel.OptionRetry, "")
	}
	h.deriveAll(t)
	if n := len(f.dirty(t)); n != refused {
		t.Errorf("%d counts are told again, want %d", n, refused)
	}
}

// TestARefusalIsNotForgottenByWhatEndsTheProgram: when a closing is told again follows from
// when it was refused, and not from when somebody first looked.
func TestARefusalIsNotForgottenByWhatEndsTheProgram(t *testing.T) {
	h, f := refusingSide(t)
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(3, 3), Closed: hotel.Given(true)}))(t)
	f.refuse(t, hotel.Availability)
	h.reopen(t)
	h.clock.move(closingAgain)
	if err := h.RetryClosings(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(f.dirty(t)); n != 1 {
		t.Errorf("%d cells are told again, want the closing", n)
	}
}

// TestRefusedClosingIsToldAgain: the wanted value of a night that is sold out never
// changes, so that time alone can bring it on its way again.
func TestRefusedClosingIsToldAgain(t *testing.T) {
	h, f := refusingSide(t)
	retry := func() int {
		t.Helper()
		if err := h.RetryClosings(context.Background()); err != nil {
			t.Fatal(err)
		}
		return len(f.dirty(t))
	}
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(3, 3), Closed: hotel.Given(true)}))(t)
	f.refuse(t, hotel.Availability)
	h.priceTwin(t, 9, 9, 12345)
	f.refuse(t, hotel.Price)
	for _, minutes := range []int{0, 5, 4} {
		h.clock.move(time.Duration(minutes) * time.Minute)
		h.reopen(t) // when it is due outlives the program
		if n := retry(); n != 0 {
			t.Errorf("%d cells after %d minutes", n, minutes)
		}
	}
	h.clock.move(time.Minute)
	if n := retry(); n != 1 {
		t.Errorf("%d cells are told again, want the closing alone", n)
	}
	f.refuse(t, hotel.Availability)
	if h.clock.move(5 * time.Minute); retry() != 0 {
		t.Error("told again too soon")
	}
	h.clock.move(5 * time.Minute)
	retry()
	f.catchUp(t)
	for _, c := range h.conflicts(t, hotel.ConflictRejected) {
		if (c.Status == hotel.ConflictResolved) != (c.Subject.RoomTypeID == h.double.ID) {
			t.Errorf("the closing is taken, the price is not, and it is %+v", c)
		}
	}
	h.clock.move(10 * 24 * time.Hour)
	for range 2 { // the clock begins to tick with the first
		if err := h.Tick(context.Background()); err != nil {
			t.Fatal(err)
		}
		h.clock.move(24 * time.Hour)
	}
	for _, c := range h.conflicts(t, hotel.ConflictRejected) {
		if c.Status == hotel.ConflictOpen {
			t.Errorf("the night is over, and it is %+v", c)
		}
	}
}

// A channel that cannot be seen to keeps nobody's closings from being told again.
func TestClosingsOfOthersAreToldAgain(t *testing.T) {
	h, f := refusingSide(t)
	h.newChannel(t, "a") // comes first, and nothing of it can be stored
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(3, 3), Closed: hotel.Given(true)}))(t)
	f.refuse(t, hotel.Availability)
	h.exec(t, "UPDATE channel SET retry_at = 1 WHERE id = 'a'")
	h.exec(t, "CREATE TRIGGER ill BEFORE UPDATE OF retry_at ON channel WHEN NEW.id = 'a' BEGIN SELECT RAISE(ABORT, 'ill'); END")
	for range 2 { // the first time it is noted when it is due
		if err := h.RetryClosings(context.Background()); err == nil || !strings.Contains(err.Error(), "channel a ") {
			t.Errorf("it says %v, want what is wrong with channel a", err)
		}
		h.clock.move(10 * time.Minute)
	}
	if n := len(f.dirty(t)); n != 1 {
		t.Errorf("%d cells are told again, want the closing", n)
	}
}

// TestRefusedPriceIsTriedAgain: the rate was switched off at the far side for a while.
// One night of it is tried each hour, and the others follow when that is taken.
func TestRefusedPriceIsTriedAgain(t *testing.T) {
	h, f := refusingSide(t)
	f.numbers = true
	h.priceTwin(t, 3, 6, 12345)
	f.refuse(t, hotel.Price)
	first := h.conflict(t, hotel.ConflictRejected)
	look := func() {
		t.Helper()
		if err := h.RetryClosings(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	told := func(hours int) (n int) { // cells, while the far side refuses them
		t.Helper()
		for range hours * 60 {
			h.clock.move(time.Minute)
			look()
			n += f.refuse(t, hotel.Price)
		}
		return n
	}
	look()
	if n := told(3); n < 3 || n > 4 {
		t.Errorf("%d cells are told in three hours, want one an hour", n)
	}
	if c := h.conflict(t, hotel.ConflictRejected); c.Status != hotel.ConflictOpen || len(cellsOfConflict(&c)) != 4 || c.Revision != first.Revision {
		t.Errorf("it is refused as ever, and the conflict is %+v, at first %+v", c, first)
	}
	for range 70 {
		h.clock.move(time.Minute)
		look()
		f.catchUp(t) // it takes whatever it is told
	}
	if c := h.conflict(t, hotel.ConflictRejected); c.DecidedBy != hotel.ByItself {
		t.Errorf("it is taken, and the conflict is %+v", c)
	}
	for _, night := range []hotel.Date{3, 4, 5, 6} {
		cell := hotel.Cell{Line: f.mappings[2].Line, Group: hotel.Price, Night: h.today + night}
		if g := f.group(t, cell); g.state != settled || g.dirty() {
			t.Errorf("night %d is not taken: %+v", night, g)
		}
	}
	h.sound(t)
}

// What somebody has decided to leave is not tried.
func TestRefusedPriceThatIsLeftIsNotTried(t *testing.T) {
	h, f := refusingSide(t)
	h.priceTwin(t, 3, 3, 12345)
	f.refuse(t, hotel.Price)
	h.resolve(t, h.conflict(t, hotel.ConflictRejected), hotel.OptionSkip, "")
	for range 15 {
		h.clock.move(10 * time.Minute)
		if err := h.RetryClosings(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := f.refuse(t, hotel.Price); n != 0 {
		t.Errorf("%d cells are told again", n)
	}
}

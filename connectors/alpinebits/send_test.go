package alpinebits

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/connectors/alpinebits/simulator"
	"ostler.example/hotel"
)

// night is the night that these tests tell something of.
var night = hotel.DateOf(2027, 2, 1)

// tellAll sends changes one after the other and returns the last answer.
func tellAll(t *testing.T, c connectors.Connector, changes ...connectors.Change) (answer connectors.Answer) {
	t.Helper()
	for _, change := range changes {
		calls, refused := c.Encode([]connectors.Change{change})
		if len(calls) != 1 || len(refused) != 0 {
			t.Fatalf("%v is %d calls and %v", change, len(calls), refused)
		}
		var err error
		if answer, err = c.Send(t.Context(), calls[0]); err != nil {
			t.Fatal(err)
		}
	}
	return answer
}

func of(g hotel.Group, guests int, o hotel.Offer) connectors.Change {
	return connectors.Change{Key: connectors.Key{Room: "DBL", Rate: "BAR", Group: g, Occupancy: guests, Night: night}, Offer: o}
}

func euro(minor int64) hotel.Offer {
	return hotel.Offer{Amount: hotel.Money{Minor: minor, Currency: "EUR"}}
}

// everything has all told that can be.
func everything(c *Config) {
	c.BookingRules, c.OccupancyPrices, c.StandardGuests = true, true, Guests{"DBL": 2, "SGL": 1}
}

// TestWhatGoesTogetherIsToldTogether: a rule or a rate replaces all that was said of its
// nights, so that what was told before is in it, and what was refused is not.
func TestWhatGoesTogetherIsToldTogether(t *testing.T) {
	s, conn := talkAs(t, map[string]string{message.RatePlans.Name: rs(message.Priced, `<Success/>`)}, everything)
	closed, long := of(hotel.Closures, 0, hotel.Offer{Closed: hotel.Closed{Arrival: true}}), of(hotel.Lengths, 0, hotel.Offer{Lengths: hotel.LengthLimits{MinStayThrough: 3}})
	read := func() message.Plan {
		t.Helper()
		set, err := message.ReadRatePlans([]byte(s.seen[message.RatePlans.Name]))
		if err != nil || len(set.Plans) != 1 {
			t.Fatalf("%v of %s", err, s.seen[message.RatePlans.Name])
		}
		return set.Plans[0]
	}
	tellAll(t, conn, closed, long)
	p := read()
	if len(p.Rules) != 1 || p.Rules[0].Arrival != [7]bool{true, true, true, true, true, true, true} || p.Rules[0].Lengths.MinStayThrough != 3 || p.Kind != message.Overlay {
		t.Errorf("behind a closing, a length is told as %+v", p)
	}
	tellAll(t, conn, of(hotel.Price, 1, euro(9000)), of(hotel.Price, 0, euro(12000)), of(hotel.Price, 3, euro(15000)))
	if p = read(); len(p.Rates) != 1 || len(p.Rates[0].Prices) != 3 || p.Rates[0].Prices[1] != (message.GuestPrice{Guests: 2, Minor: 12000}) || len(p.Rules) != 0 {
		t.Errorf("the last of three prices is told as %+v", p)
	}
	s.answers[message.RatePlans.Name] = rs(message.Priced, `<Success/><Warnings><Warning Type="3">no</Warning></Warnings>`)
	longer := long
	longer.Offer.Lengths.MinStayThrough = 5
	if a := tellAll(t, conn, longer); a.Rest != connectors.Rejected {
		t.Errorf("a warning is %v", a)
	}
	s.answers[message.RatePlans.Name] = rs(message.Priced, `<Success/>`)
	closed.Offer.Closed = hotel.Closed{Closed: true}
	tellAll(t, conn, closed)
	if p = read(); len(p.Rules) != 1 || p.Rules[0].Lengths.MinStayThrough != 3 || !p.Rules[0].Closed || p.Rules[0].Arrival[0] {
		t.Errorf("behind a length that was refused, a closing is told as %+v", p)
	}
}

// forgetful is a shelf that cannot be read once, after something of a rate plan was put on it.
type forgetful struct {
	memory
	armed, down bool
}

func (f *forgetful) Get(ctx context.Context, name string) ([]byte, error) {
	if f.down {
		f.down = false
		return nil, errors.New("the disk is asleep")
	}
	return f.memory.Get(ctx, name)
}

func (f *forgetful) Put(ctx context.Context, name string, body []byte) error {
	if f.armed && strings.HasPrefix(name, "plan ") {
		f.down, f.armed = true, false
	}
	return f.memory.Put(ctx, name, body)
}

// TestAShelfThatCannotBeRead while a message is composed is no rejection: nothing has left, the
// call is made again, and tells the plan as a whole, which the portal does not have yet.
func TestAShelfThatCannotBeRead(t *testing.T) {
	rates := []string{"BAR"}
	shelf := &forgetful{memory: memory{}, armed: true}
	sim, conn := sells(t, "2024-10", &rates, func(_ *Config, with *connectors.Env) { with.Shelf = shelf })
	price := of(hotel.Price, 0, euro(12000))
	calls, _ := conn.Encode([]connectors.Change{price})
	_, err := conn.Send(t.Context(), calls[0])
	if failed := connectors.AsError(err); failed.Kind != connectors.Temporary || failed.Effect != connectors.NotSent || !strings.Contains(err.Error(), "asleep") {
		t.Errorf("it is %q with effect %q: %v", failed.Kind, failed.Effect, err)
	}
	if kept := string(shelf.memory[together{"BAR"}.line("DBL")]); kept != "[]" {
		t.Errorf("of a call that has not left stands on the shelf %s", kept)
	}
	if answer := tellAll(t, conn, price); answer.Rest != connectors.Applied {
		t.Errorf("made again it is answered %+v", answer)
	}
	if o, _ := sim.Book().Shown(price.Key); o.Amount.Minor != 12000 {
		t.Errorf("the portal shows %d", o.Amount.Minor)
	}
}

// TestAPriceThatCannotBeSaid is forgotten: of a plan in two currencies nothing has left, and those
// behind it in its own are told.
func TestAPriceThatCannotBeSaid(t *testing.T) {
	rates := []string{"BAR"}
	sim, conn := sells(t, "sets", &rates, func(*Config, *connectors.Env) {})
	on := func(days hotel.Date, currency hotel.Currency) connectors.Change {
		c := of(hotel.Price, 0, hotel.Offer{Amount: hotel.Money{Minor: 12000, Currency: currency}})
		c.Key.Night += days
		return c
	}
	tellAll(t, conn, on(0, "EUR"))
	calls, _ := conn.Encode([]connectors.Change{on(1, "CHF")})
	_, err := conn.Send(t.Context(), calls[0])
	if failed := connectors.AsError(err); failed.Kind != connectors.Invalid || failed.Effect != connectors.NotSent || !strings.Contains(err.Error(), "prices in [CHF EUR]") {
		t.Errorf("it is %q with effect %q: %v", failed.Kind, failed.Effect, err)
	}
	last := on(2, "EUR")
	tellAll(t, conn, last)
	if o, _ := sim.Book().Shown(last.Key); o.Amount != last.Offer.Amount {
		t.Errorf("the portal shows %v", o.Amount)
	}
}

// TestPortalAsksForAll: a portal that asks for all that there is gets it at once.
func TestPortalAsksForAll(t *testing.T) {
	s, conn := talkAs(t, map[string]string{}, func(c *Config) {
		everything(c)
		c.WholePlans = Pairs{"BAR": "3"}
	})
	count := func(room string, n int) connectors.Change {
		return connectors.Change{Key: connectors.Key{Room: room, Group: hotel.Availability, Night: night}, Offer: hotel.Offer{Available: n}}
	}
	s.answers[message.FreeRooms.Name] = rs(message.Answered, `<Success/>`)
	tellAll(t, conn, count("DBL", 2))
	s.answers[message.FreeRooms.Name] = rs(message.Answered, `<Success/><Warnings><Warning Type="11" Status="ALPINEBITS_SEND_FREEROOMS">48 hours</Warning></Warnings>`)
	if a := tellAll(t, conn, count("SGL", 1)); a.Rest != connectors.Applied || !strings.Contains(a.Excerpt, "48 hours") || !strings.Contains(a.Excerpt, "told again") {
		t.Errorf("the answer is %+v", a)
	}
	set, err := message.ReadFreeRooms([]byte(s.seen[message.FreeRooms.Name]))
	if err != nil || !set.Complete || len(set.Rooms) != 2 || set.Rooms[0].Free != 2 || set.Rooms[1].Free != 1 {
		t.Errorf("told again is %+v, %v", set, err)
	}
	s.answers[message.RatePlans.Name] = rs(message.Priced, `<Success/>`)
	tellAll(t, conn, of(hotel.Price, 0, euro(12000)))
	if got := s.seen[message.RatePlans.Name]; !strings.Contains(got, `"New"`) || !strings.Contains(got, `Type="25"`) || !strings.Contains(got, `MealPlanCodes="3"`) {
		t.Errorf("a plan that is ours begins with %s", got)
	}
	tellAll(t, conn, of(hotel.Lengths, 0, hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 4}}))
	if got := s.seen[message.RatePlans.Name]; !strings.Contains(got, `"Overlay"`) || strings.Contains(got, "12000") {
		t.Errorf("a change of it is %s", got)
	}
	s.answers[message.RatePlans.Name] = rs(message.Priced, `<Success/><Warnings><Warning Type="11" Status="ALPINEBITS_SEND_RATEPLANS"/></Warnings>`)
	tellAll(t, conn, of(hotel.Closures, 0, hotel.Offer{Closed: hotel.Closed{Closed: true}}))
	whole, err := message.ReadRatePlans([]byte(s.seen[message.RatePlans.Name]))
	if err != nil || whole.Plans[0].Kind != message.New || len(whole.Plans[0].Rates) != 1 || !whole.Plans[0].Rules[0].Closed || whole.Plans[0].Rules[0].Lengths.MinStayArrival != 4 {
		t.Errorf("told again is %+v, %v", whole, err)
	}
}

// TestPortalAsksInAnotherAnswer: what a portal asks for when it is asked for reservations
// is told with the next call of that kind, once.
func TestPortalAsksInAnotherAnswer(t *testing.T) {
	s, conn := talk(t, map[string]string{
		message.FreeRooms.Name:    rs(message.Answered, `<Success/>`),
		message.ReadRequests.Name: rs(message.Retrieved, `<Success/><Warnings><Warning Type="11" Status="ALPINEBITS_SEND_FREEROOMS">long ago</Warning></Warnings><ReservationsList/>`),
	})
	tell := func() (messages int, complete bool) {
		t.Helper()
		s.asked = nil
		if _, err := conn.Send(t.Context(), oneNight(t, conn)); err != nil {
			t.Fatal(err)
		}
		set, err := message.ReadFreeRooms([]byte(s.seen[message.FreeRooms.Name]))
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range s.asked {
			if a == message.FreeRooms.Name {
				messages++
			}
		}
		return messages, set.Complete
	}
	if n, complete := tell(); n != 1 || !complete {
		t.Errorf("for the first time: %d messages, the last complete: %t", n, complete)
	}
	if n, complete := tell(); n != 1 || complete {
		t.Errorf("before: %d messages, the last complete: %t", n, complete)
	}
	if _, err := conn.Poll(t.Context(), "", &kept{}); err != nil {
		t.Fatal(err)
	}
	if n, complete := tell(); n != 1 || !complete {
		t.Errorf("asked for: %d messages, the last complete: %t", n, complete)
	}
	if n, complete := tell(); n != 1 || complete {
		t.Errorf("after: %d messages, the last complete: %t", n, complete)
	}
}

// free is a change of how many rooms are free.
func free(room string, n int) connectors.Change {
	return connectors.Change{Key: connectors.Key{Room: room, Group: hotel.Availability, Night: night}, Offer: hotel.Offer{Available: n}}
}

// send sends one change.
func send(t *testing.T, c connectors.Connector, change connectors.Change) (connectors.Answer, error) {
	t.Helper()
	calls, refused := c.Encode([]connectors.Change{change})
	if len(calls) != 1 || len(refused) != 0 {
		t.Fatalf("%v is %d calls and %v", change, len(calls), refused)
	}
	return c.Send(t.Context(), calls[0])
}

// roomsTold are the free rooms of the latest message, and whether it was a complete set.
func (s *script) roomsTold() (string, bool) {
	s.t.Helper()
	set, err := message.ReadFreeRooms([]byte(s.seen[message.FreeRooms.Name]))
	if err != nil {
		s.t.Fatal(err)
	}
	var said []string
	for _, r := range set.Rooms {
		said = append(said, fmt.Sprintf("%s %d", r.Category, r.Free))
	}
	slices.Sort(said)
	return strings.Join(said, ", "), set.Complete
}

// TestFirstToldIsAllThatThereIs: whatever another system told the portal of categories
// that are not sold here is gone with the first message; a restart is no first time.
func TestFirstToldIsAllThatThereIs(t *testing.T) {
	s, opened := stage(t, map[string]string{message.FreeRooms.Name: rs(message.Answered, `<Success/>`)}, func(*Config) {})
	conn := opened()
	for i, change := range []connectors.Change{free("DBL", 2), free("SGL", 1), free("DBL", 1)} {
		if _, err := send(t, conn, change); err != nil {
			t.Fatal(err)
		}
		if said, complete := s.roomsTold(); complete != (i == 0) {
			t.Errorf("message %d tells %s, complete: %t", i, said, complete)
		}
		conn = opened()
	}
}

// TestPortalAsksByAnError: a portal that takes nothing but a complete set gets one, also
// after a restart, and is told changes again behind it.
func TestPortalAsksByAnError(t *testing.T) {
	s, opened := stage(t, map[string]string{message.FreeRooms.Name: rs(message.Answered, `<Success/>`)}, func(*Config) {})
	conn := opened()
	tellAll(t, conn, free("DBL", 2))
	s.deltas = rs(message.Answered, `<Errors><Error Type="11" Status="ALPINEBITS_SEND_FREEROOMS"/></Errors>`)
	if _, err := send(t, conn, free("SGL", 1)); err == nil || connectors.AsError(err).Kind != connectors.Temporary {
		t.Fatalf("the portal takes no changes: %v", err)
	}
	conn = opened()
	if a, err := send(t, conn, free("SGL", 1)); err != nil || a.Rest != connectors.Applied {
		t.Fatalf("%+v, %v", a, err)
	}
	if said, complete := s.roomsTold(); !complete || said != "DBL 2, SGL 1" {
		t.Errorf("told is %s, complete: %t", said, complete)
	}
	s.deltas = ""
	tellAll(t, conn, free("DBL", 0))
	if said, complete := s.roomsTold(); complete || said != "DBL 0" {
		t.Errorf("behind it %s is told, complete: %t", said, complete)
	}
}

// TestAHandshakeThatFailsRefusesNothing: of the call behind it nothing has left, so that
// it is made when hands can be shaken.
func TestAHandshakeThatFailsRefusesNothing(t *testing.T) {
	for _, said := range []string{"ERROR: maintenance", string(message.WritePong(message.Agreement{}, ""))} {
		s, opened := stage(t, map[string]string{message.FreeRooms.Name: rs(message.Answered, `<Success/>`)}, func(*Config) {})
		s.shakes = said
		conn := opened()
		if _, err := send(t, conn, free("DBL", 0)); err == nil || connectors.AsError(err).Effect != connectors.NotSent {
			t.Errorf("%q: %v", said, err)
		}
		s.shakes = ""
		if a, err := send(t, conn, free("DBL", 0)); err != nil || a.Rest != connectors.Applied {
			t.Errorf("%q: afterwards %+v, %v", said, a, err)
		}
	}
}

// TestWhatWasClosedIsNotOpenedByACompleteSet: of a message that the portal has taken in part
// nobody knows which part. What it lowered is told no higher with what goes together with it.
func TestWhatWasClosedIsNotOpenedByACompleteSet(t *testing.T) {
	s, opened := stage(t, map[string]string{message.FreeRooms.Name: rs(message.Answered, `<Success/>`)}, func(*Config) {})
	conn := opened()
	tellAll(t, conn, free("DBL", 2), free("SGL", 1))
	s.answers[message.FreeRooms.Name] = rs(message.Answered, `<Success/><Warnings><Warning Type="3">not all of it</Warning></Warnings>`)
	for _, change := range []connectors.Change{free("DBL", 0), free("SGL", 3)} {
		if a := tellAll(t, conn, change); a.Rest != connectors.Rejected {
			t.Fatalf("the answer is %+v", a)
		}
	}
	s.answers[message.FreeRooms.Name] = rs(message.Answered, `<Success/><Warnings><Warning Type="11" Status="ALPINEBITS_SEND_FREEROOMS"/></Warnings>`)
	tellAll(t, conn, free("FAM", 4))
	if said, complete := s.roomsTold(); !complete || said != "DBL 0, FAM 4, SGL 1" {
		t.Errorf("told is %s, complete: %t", said, complete)
	}
}

// TestAPortalThatTakesNoCompleteSet is told changes between the attempts, so that what
// closes goes through.
func TestAPortalThatTakesNoCompleteSet(t *testing.T) {
	s, opened := stage(t, map[string]string{message.FreeRooms.Name: rs(message.Answered, `<Success/><Warnings><Warning Type="3">too large</Warning></Warnings>`)}, func(*Config) {})
	s.deltas = rs(message.Answered, `<Success/>`)
	conn := opened()
	if a := tellAll(t, conn, free("DBL", 2)); a.Rest != connectors.Rejected {
		t.Fatalf("the complete set is %+v", a)
	}
	for range 3 {
		if a := tellAll(t, conn, free("DBL", 0)); a.Rest != connectors.Applied {
			t.Errorf("a closing behind it is %+v", a)
		}
	}
}

// TestAPortalThatAsksForEverything is told the categories, all rooms and the plans of ours with
// the next calls, and then asks no more.
func TestAPortalThatAsksForEverything(t *testing.T) {
	rates := []string{"BAR"}
	sim, conn := sells(t, "2024-10", &rates, func(cfg *Config, _ *connectors.Env) { cfg.Inventory = "en" })
	tellAll(t, conn, free("DBL", 2), of(hotel.Price, 0, euro(12000)))
	sim.Ask()
	if left := sim.Wishes(); len(left) != 3 {
		t.Errorf("it waits for %v", left)
	}
	tellAll(t, conn, of(hotel.Price, 0, euro(13000)))
	if left := sim.Wishes(); !slices.Equal(left, []string{message.AskFreeRooms}) {
		t.Errorf("behind a price it waits for %v", left)
	}
	tellAll(t, conn, free("DBL", 1))
	if left := sim.Wishes(); len(left) > 0 {
		t.Errorf("behind rooms it waits for %v", left)
	}
	if o, _ := sim.Book().Shown(free("DBL", 1).Key); o.Available != 1 {
		t.Errorf("it shows %d rooms", o.Available)
	}
}

// TestAPortalThatHeardOfNothing asks for all free rooms once it has not been told a complete
// set for two days, in whatever it answers; and is told one with the next call.
func TestAPortalThatHeardOfNothing(t *testing.T) {
	clock := &standing{time.Now()}
	sim, err := simulator.Open(connectors.SimulatorOptions{
		Preset: "2024-10", Hotel: "H1", Secret: testSecret, Clock: clock,
		Products: []connectors.RemoteProduct{{Room: "DBL", RoomName: "Double", Rate: "BAR", RateName: "Best price"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(sim)
	defer server.Close()
	defer func() { _ = sim.Close() }()
	cfg := sound()
	cfg.URL = server.URL
	with := env(t)
	with.Clock = clock
	conn, err := open(t.Context(), cfg, with)
	if err != nil {
		t.Fatal(err)
	}
	tellAll(t, conn, free("DBL", 2))
	clock.now = clock.now.Add(47 * time.Hour)
	if left := sim.Wishes(); len(left) > 0 {
		t.Errorf("after 47 hours it waits for %v", left)
	}
	clock.now = clock.now.Add(2 * time.Hour)
	if left := sim.Wishes(); !slices.Equal(left, []string{message.AskFreeRooms}) {
		t.Errorf("after 49 hours it waits for %v", left)
	}
	tellAll(t, conn, free("DBL", 1))
	if left := sim.Wishes(); len(left) > 0 {
		t.Errorf("behind a complete set it waits for %v", left)
	}
}

package console

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// pool is the pool of the doubles as it is stored.
func (s *site) pool(t *testing.T) hotel.Pool {
	t.Helper()
	p, err := s.l.Pool(t.Context(), s.house.Rooms[0].Consumes[0].AnyOf[0])
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// protecting is the form that chooses a way of protecting the doubles.
func (s *site) protecting(t *testing.T, way, n string, from ...string) url.Values {
	t.Helper()
	return url.Values{"way": {way}, "n_" + way: {n}, "from": from, "revision": {strconv.FormatInt(s.pool(t).Revision, 10)}}
}

// keptOn is what is kept back of a room type on a night, by channel.
func (s *site) keptOn(t *testing.T, room int, night hotel.Date) map[string]int {
	t.Helper()
	inv, err := s.l.Inventory(t.Context(), hotel.InventoryQuery{PropertyID: s.house.Property.ID, Span: hotel.Span{From: night, To: night}, RoomTypeIDs: []string{s.house.Rooms[room].ID}})
	if err != nil {
		t.Fatal(err)
	}
	return inv.Cells[0].KeepBack
}

// Every pool is shown with what each way of protecting it costs and saves, by the
// channels that sell it and the nights to come.
func TestPoolsAreShownWithWhatProtectionCosts(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	s.house.Stock(t, s.l, 0, hotel.Span{From: today, To: today + 4}, hotel.InventoryEntry{OutOfOrder: hotel.Given(28)})
	s.connect(t, "ch_1")
	page := s.as(t, "read_only").get(s.path("rates/protection")).body
	shows(t, page, "double, family", "2 of 30 free tonight, at fewest 2 in 30 nights", "Portal", catalogue["en"]["level.close_only"], // nobody knows what the connector promises
		"Every site shows all that is free: 2 tonight.", "Each sale is told to the others: up to 1 calls.", "Portal (seconds)",
		"On 5 nights of the next 30 it is down to 2 or fewer", "tonight 0 of 2.", "Closed for these rooms, since no number is safe there: Portal.", "Of 2 rooms about: the house 2.",
		catalogue["en"]["protect.may_not"])
}

// A channel that promises too little is dealt rooms where somebody has said that the risk
// is taken.
func TestRiskIsSaidOfPools(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	_, _, err := s.l.ChangeChannel(t.Context(), by, hotel.Once{}, "ch_1", 0, func(c *hotel.Channel) error {
		c.Policies.GuardedUnsafe = hotel.AcceptRisk
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	shows(t, s.as(t, "owner").get(s.path("rates/protection")).body, "at a risk that somebody has accepted: Portal.", "Of 2 rooms about: Portal 1, the house 1.")
}

// Rooms are kept from the channels that were chosen, on every night and in every type that
// takes them, and given back; what it does is shown before.
func TestRoomsAreKeptBackAndGivenBack(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	s.connect(t, "ch_2")
	b := s.as(t, "revenue") // who may change stock and no pools
	today := s.house.Property.Today(s.clock.Now())
	last := today + hotel.Date(s.house.Property.HorizonDays)
	path := s.path("rates/protection/" + s.pool(t).ID)
	form := s.protecting(t, "keep", "3", "ch_2")
	shows(t, b.post(path+"/try", form).body, "The last 3 are sold by the house alone", "On "+strconv.Itoa(2*(s.house.Property.HorizonDays+1))+" nights of room types")
	if got := s.keptOn(t, 0, today); len(got) != 0 {
		t.Fatalf("looking has kept back %v", got)
	}
	shows(t, b.post(path, form).body, catalogue["en"]["done.saved"])
	for _, night := range []hotel.Date{today, last} {
		if got := s.keptOn(t, 0, night); len(got) != 1 || got["ch_2"] != 3 {
			t.Errorf("of doubles on %s are kept %v", night, got)
		}
		if got := s.keptOn(t, 1, night); len(got) != 1 || got["ch_2"] != 2 { // a family takes two
			t.Errorf("of families on %s are kept %v", night, got)
		}
	}
	b.post(path, s.protecting(t, "keep", "1", "ch_1", "ch_2"))
	if got := s.keptOn(t, 0, last); len(got) != 1 || got["*"] != 1 {
		t.Errorf("kept from every channel are %v", got)
	}
	shows(t, b.get(s.path("rates/protection")).body, `class="way now"`)
	b.post(path, s.protecting(t, "open", "", "ch_1", "ch_2"))
	if got := s.keptOn(t, 0, today); len(got) != 0 {
		t.Errorf("open to all, and kept are %v", got)
	}
	for _, wrong := range []url.Values{s.protecting(t, "keep", "0", "ch_1"), s.protecting(t, "keep", "2"), s.protecting(t, "other", "2")} {
		if r := b.post(path+"/try", wrong); r.status != http.StatusUnprocessableEntity {
			t.Errorf("%v: %d", wrong, r.status)
		}
	}
}

// The last rooms are dealt out by whoever may change the house, at the revision that was
// seen; what was kept back is given up with it.
func TestLastRoomsAreDealt(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	path := s.path("rates/protection/" + s.pool(t).ID)
	b := s.as(t, "owner")
	b.post(path, s.protecting(t, "keep", "3", "ch_1"))
	form := s.protecting(t, "last", "4")
	if r := s.as(t, "revenue").post(path, form); r.status != http.StatusForbidden || s.pool(t).Protection.Kind == hotel.GuardedLast {
		t.Errorf("dealt by whoever may not: %d", r.status)
	}
	shows(t, b.post(path, form).body, catalogue["en"]["done.saved"])
	if got := s.pool(t).Protection; got != (hotel.Protection{Kind: hotel.GuardedLast, N: 4}) {
		t.Errorf("the pool is protected by %+v", got)
	}
	if got := s.keptOn(t, 0, s.house.Property.Today(s.clock.Now())); len(got) != 0 {
		t.Errorf("kept back are still %v", got)
	}
	form.Set("n_last", "5")
	if r := b.post(path, form); r.status != http.StatusConflict {
		t.Errorf("an older form: %d", r.status)
	}
	b.post(path, s.protecting(t, "guard", ""))
	if got := s.pool(t).Protection.Kind; got != hotel.Guarded {
		t.Errorf("the pool is %s", got)
	}
	b.post(path, s.protecting(t, "open", ""))
	if got := s.pool(t).Protection.Kind; got != hotel.Shared {
		t.Errorf("the pool is %s", got)
	}
}

// A price guard is set by whoever may change channels, and what is wrong is said beside
// what was typed.
func TestPriceGuardIsSet(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	_, _, err := s.l.ChangeChannel(t.Context(), by, hotel.Once{}, "ch_1", 0, func(c *hotel.Channel) error {
		c.Schedule = "@every 60s"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b := s.as(t, "revenue")
	path := s.path("rates/guards/ch_1")
	form := formOf(t, b.get(s.path("rates/guards")).body, path)
	form.Set("floor", "50,00")
	form.Set("max_change", "40")
	form.Set("too_high", "close")
	shows(t, b.post(path, form).body, catalogue["en"]["done.saved"], `value="50.00"`)
	ch, err := s.l.Channel(t.Context(), "ch_1")
	if err != nil {
		t.Fatal(err)
	}
	if g := ch.Pricing.Guard; g.Floor == nil || g.Floor.Minor != 5000 || g.Ceiling != nil || g.MaxChangePct != "40" || g.TooHigh != hotel.GuardClose {
		t.Errorf("the guard is %+v", g)
	}
	if r := b.post(path, form); r.status != http.StatusConflict {
		t.Errorf("an older form: %d", r.status)
	}
	form = formOf(t, b.get(s.path("rates/guards")).body, path)
	form.Set("ceiling", "5 0,0,0")
	if r := b.post(path, form); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, `value="5 0,0,0"`) {
		t.Errorf("no amount: %d", r.status)
	}
	for _, r := range auth.Roles {
		if got, want := strings.Contains(s.as(t, string(r)).get(s.path("rates/guards")).body, ">"+catalogue["en"]["booking.save"]+"<"), r.Scopes().Has(auth.ChannelsWrite); got != want {
			t.Errorf("%s may set a guard: %v", r, got)
		}
	}
}

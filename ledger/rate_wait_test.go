package ledger

import (
	"context"
	"testing"

	"ostler.example/hotel"
)

// quotes has a source say the price of a night, or something else of it.
func (h *house) quotes(t tb, source string, change func(e *hotel.RateEntry)) (hotel.AriUpdate, error) {
	t.Helper()
	e := hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 0)}
	change(&e)
	upd, _, err := h.UpdateRates(context.Background(), tester, hotel.Once{}, hotel.RateUpdate{PropertyID: h.property.ID, Source: source, Entries: []hotel.RateEntry{e}})
	return upd, err
}

func (h *house) costs(amount int64) func(e *hotel.RateEntry) {
	return func(e *hotel.RateEntry) { e.Amount = h.euros(amount) }
}

// A word that waits behind another makes no other version of the cell, is not named as what
// the price rests on, and keeps nobody from taking back what counts.
func TestAWordThatWaitsLeavesTheCellAsItIs(t *testing.T) {
	h := newHouse(t)
	must(h.quotes(t, "api", h.costs(10000)))(t)
	was := h.price(t, h.double, 0)
	h.clock.move(1)
	must(h.quotes(t, "pms", h.costs(9000)))(t)
	c := h.price(t, h.double, 0)
	if c.Version != was.Version || !c.UpdatedAt.Equal(was.UpdatedAt) || c.Amount.Minor != 10000 {
		t.Errorf("the cell is %+v, was %+v", c, was)
	}
	if _, err := h.quotes(t, "api", func(e *hotel.RateEntry) { e.Amount, e.ExpectedVersion = h.euros(11000), new(was.Version-1) }); refusedAs(err) != "version_conflict" {
		t.Errorf("another version: %v", err)
	}
	second := must(h.quotes(t, "api", func(e *hotel.RateEntry) { e.Amount, e.ExpectedVersion = h.euros(11000), &was.Version }))(t)
	must(h.quotes(t, "pms", h.costs(9500)))(t)
	must2(h.UndoUpdate(t.Context(), tester, hotel.Once{}, second.ID, 0))(t)
	if c := h.price(t, h.double, 0); c.Amount.Minor != 10000 || c.Source != sourceUndo {
		t.Errorf("taken back: %+v", c)
	}
	must(h.quotes(t, "api", func(e *hotel.RateEntry) { e.Amount = null[hotel.Money]() }))(t)
	if c := h.price(t, h.double, 0); c.Amount.Minor != 9500 || c.Source != "pms" {
		t.Errorf("what waited: %+v", c)
	}
	h.reopen(t)
	h.checkHouse(t)
}

// What a waiting word said is taken back without touching what counts.
func TestAWaitingWordIsTakenBack(t *testing.T) {
	h := newHouse(t)
	must(h.quotes(t, "api", h.costs(10000)))(t)
	waits := must(h.quotes(t, "pms", h.costs(9000)))(t)
	must(h.quotes(t, "api", h.costs(11000)))(t)
	must2(h.UndoUpdate(t.Context(), tester, hotel.Once{}, waits.ID, 0))(t)
	if c := h.price(t, h.double, 0); c.Amount.Minor != 11000 {
		t.Errorf("what counts: %+v", c)
	}
	must(h.quotes(t, "api", func(e *hotel.RateEntry) { e.Amount = null[hotel.Money]() }))(t)
	if c := h.price(t, h.double, 0); c.Amount != nil {
		t.Errorf("the word that was taken back: %+v", c)
	}
}

// A lock stands above the rank of sources: it holds what its setter says, and where that is
// nothing what stands, until it is taken away or over.
func TestALockStandsAboveTheRank(t *testing.T) {
	until := func(h *house, last int) hotel.Optional[hotel.Lock] {
		d := h.today + hotel.Date(last)
		return hotel.Given(hotel.Lock{By: "Ada", Until: &d})
	}
	type step struct {
		source string
		change func(h *house) func(e *hotel.RateEntry)
		want   int64
	}
	cost := func(amount int64) func(h *house) func(e *hotel.RateEntry) {
		return func(h *house) func(e *hotel.RateEntry) { return h.costs(amount) }
	}
	lock := func(amount int64) func(h *house) func(e *hotel.RateEntry) {
		return func(h *house) func(e *hotel.RateEntry) {
			return func(e *hotel.RateEntry) {
				if e.Lock = until(h, 1); amount > 0 {
					e.Amount = h.euros(amount)
				}
			}
		}
	}
	unlock := func(*house) func(e *hotel.RateEntry) {
		return func(e *hotel.RateEntry) { e.Lock = null[hotel.Lock]() }
	}
	for name, steps := range map[string][]step{
		"of a price that ranks lower":          {{"pms", cost(9000), 9000}, {"api", lock(10000), 10000}, {"pms", cost(9500), 10000}, {"api", unlock, 9500}},
		"of the price that stands":             {{"pms", cost(9000), 9000}, {"user", lock(0), 9000}, {"pms", cost(9500), 9000}, {"user", unlock, 9500}},
		"against a client too":                 {{"user", lock(10000), 10000}, {"api", cost(12000), 10000}, {"user", cost(11000), 11000}, {"user", unlock, 11000}},
		"of a client, which people may change": {{"api", lock(10000), 10000}, {"user", cost(11000), 11000}, {"api", cost(12000), 12000}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			must2(h.ChangeProperty(t.Context(), tester, hotel.Once{}, h.property.ID, hotel.Change[hotel.Property]{Apply: func(p *hotel.Property) error {
				p.Policies.RateRank = []hotel.RateSource{hotel.FromPMS, hotel.FromAPI, hotel.FromChannel}
				return nil
			}}))(t)
			for i, s := range steps {
				must(h.quotes(t, s.source, s.change(h)))(t)
				if c := h.price(t, h.double, 0); c.Amount == nil || c.Amount.Minor != s.want {
					t.Fatalf("step %d: the night costs %v, want %d", i, c.Amount, s.want)
				}
			}
			h.reopen(t)
			h.checkHouse(t)
		})
	}
}

// A lock that has ended holds nothing back from the next word on.
func TestALockThatHasEnded(t *testing.T) {
	h := newHouse(t)
	d := h.today
	must(h.quotes(t, "user", func(e *hotel.RateEntry) {
		e.Dates, e.Amount, e.Lock = h.span(9, 9), h.euros(10000), hotel.Given(hotel.Lock{By: "Ada", Until: &d})
	}))(t)
	say := func(amount int64) {
		must(h.quotes(t, "api", func(e *hotel.RateEntry) { e.Dates, e.Amount = h.span(9, 9), h.euros(amount) }))(t)
	}
	say(12000)
	if c := h.price(t, h.double, 9); c.Amount.Minor != 10000 {
		t.Errorf("held: %+v", c)
	}
	h.clock.move(48 * 60 * 60 * 1e9)
	say(12500)
	if c := h.price(t, h.double, 9); c.Amount.Minor != 12500 {
		t.Errorf("when it has ended: %+v", c)
	}
}

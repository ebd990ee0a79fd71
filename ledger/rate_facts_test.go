package ledger

import (
	"context"
	"errors"
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

func TestRatesBesideTheAmount(t *testing.T) {
	h := newHouse(t)
	entry := hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 1)}
	cell := func() hotel.RateCell { return h.price(t, h.double, 0) }
	version := cell().Version

	entry.ExtraAdult = h.euros(4000)
	entry.Lock = hotel.Given(hotel.Lock{By: "Reception", Until: new(h.span(0, 0).From)})
	must(h.updateRates(entry))(t)
	c := cell()
	if c.ExtraAdult == nil || c.ExtraAdult.Minor != 4000 || c.Lock == nil || c.Lock.By != "Reception" || c.Version == version || c.Amount == nil {
		t.Fatalf("cell %+v", c)
	}
	rate := must(h.Board(context.Background(), h.property.ID))(t).Night(h.span(0, 0).From).Rates[0][0]
	if rate.Extra == nil || rate.Extra.Adult != 4000 || rate.LockedTo != h.span(0, 0).From {
		t.Fatalf("on the board %+v", rate)
	}
	h.reopen(t)
	if again := cell(); again.ExtraAdult == nil || again.Lock == nil || again.Version != c.Version {
		t.Fatalf("after a restart %+v", again)
	}
	if upd := must(h.updateRates(entry))(t); upd.CellsChanged != 0 {
		t.Errorf("the same again changed %d cells", upd.CellsChanged)
	}

	entry.ExtraAdult, entry.Lock = null[hotel.Money](), null[hotel.Lock]()
	must(h.updateRates(entry))(t)
	if c := cell(); c.ExtraAdult != nil || c.Lock != nil || c.Amount == nil {
		t.Errorf("taken away: %+v", c)
	}
	h.checkHouse(t)

	for name, spoil := range map[string]func(e *hotel.RateEntry){
		"currency_mismatch": func(e *hotel.RateEntry) { e.ExtraAdult = hotel.Given(hotel.Money{Minor: 1, Currency: "JPY"}) },
		"min":               func(e *hotel.RateEntry) { e.ExtraAdult = hotel.Given(hotel.Money{Minor: -1, Currency: "EUR"}) },
		"enum": func(e *hotel.RateEntry) {
			e.ExtraChild = map[string]hotel.Optional[hotel.Money]{"kid": h.euros(1)}
		},
		"length": func(e *hotel.RateEntry) { e.Lock = hotel.Given(hotel.Lock{By: string(make([]byte, 101))}) },
	} {
		e := hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 0)}
		spoil(&e)
		_, err := h.updateRates(e)
		r, ok := errors.AsType[*hotel.Refusal](err)
		if !ok || len(r.Items) != 1 || r.Items[0].Code != name {
			t.Errorf("%s: refused with %v", name, err)
		}
	}
}

func TestFactsBecomeRates(t *testing.T) {
	until := hotel.Date(9)
	for name, test := range map[string]struct {
		fact priceFact
		want price.Rate
	}{
		"nothing":      {priceFact{}, price.Rate{Amount: price.None}},
		"a child only": {priceFact{prices: prices{ExtraChild: map[string]int64{"kid": 3}}}, price.Rate{Amount: price.None, Extra: &price.Extra{Adult: price.None}}},
		"a lock":       {priceFact{Lock: &hotel.Lock{}}, price.Rate{Amount: price.None, LockedTo: price.Forever}},
		"a short lock": {priceFact{Lock: &hotel.Lock{Until: &until}}, price.Rate{Amount: price.None, LockedTo: until}},
	} {
		got := test.fact.rate()
		if got.Amount != test.want.Amount || got.LockedTo != test.want.LockedTo || (got.Extra == nil) != (test.want.Extra == nil) ||
			got.Extra != nil && got.Extra.Adult != test.want.Extra.Adult {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

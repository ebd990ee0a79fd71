package ledger

import (
	"fmt"
	"testing"

	"ostler.example/hotel"
)

// Where several sources have said what a night costs, the rank of the property decides
// whose word counts, in whatever order they said it.
func TestTheRankOfSourcesDecidesAPrice(t *testing.T) {
	type word struct {
		source string
		amount int64 // 0: null
	}
	pmsFirst := []hotel.RateSource{hotel.FromPMS, hotel.FromAPI, hotel.FromChannel}
	for _, test := range []struct {
		name  string
		rank  []hotel.RateSource
		truth hotel.Authority
		words []word
		want  string
	}{
		{"a client before the PMS", nil, "", []word{{"api", 100}, {"pms", 90}}, "100 api"},
		{"whoever was first", nil, "", []word{{"pms", 90}, {"api", 100}}, "100 api"},
		{"the newer of two of one rank", nil, "", []word{{"api", 100}, {"api", 80}}, "80 api"},
		{"the newer of two behind another", nil, "", []word{{"api", 100}, {"pms", 90}, {"pms", 70}, {"api", 0}}, "70 pms"},
		{"the next when the first takes back its own", nil, "", []word{{"api", 100}, {"pms", 90}, {"api", 0}}, "90 pms"},
		{"nobody when the first takes back what it never said", nil, "", []word{{"pms", 90}, {"api", 0}}, "none"},
		{"the PMS where the property ranks it first", []hotel.RateSource{hotel.FromPMS, hotel.FromAPI, hotel.FromChannel}, "", []word{{"pms", 90}, {"api", 100}}, "90 pms"},
		{"the PMS to which the property has given its prices", nil, hotel.ByPMS, []word{{"api", 100}, {"pms", 90}}, "90 pms"},
		{"the first where the next takes back more than it has said", nil, "", []word{{"api", 100}, {"pms", 90}, {"pms", 0}, {"pms", 0}}, "100 api"},
		{"nobody where the PMS that has them takes its own back", nil, hotel.ByPMS, []word{{"api", 100}, {"pms", 90}, {"pms", 0}}, "none"},
		{"who decides while the PMS that has them says nothing", nil, hotel.ByPMS, []word{{"api", 100}}, "100 api"},
		{"what was decided of a channel", nil, "", []word{{"api", 100}, {"pms", 90}, {"channel:a", 60}}, "60 channel:a"},
		{"a client after it", nil, "", []word{{"channel:a", 60}, {"api", 100}}, "100 api"},
		{"the PMS after it", nil, "", []word{{"channel:a", 60}, {"pms", 90}}, "90 pms"},
		{"the channel where it is ranked first", []hotel.RateSource{hotel.FromChannel, hotel.FromPMS, hotel.FromAPI}, "", []word{{"channel:a", 60}, {"pms", 90}}, "60 channel:a"},
		{"somebody of the house after a PMS that ranks first", pmsFirst, "", []word{{"pms", 90}, {"user", 100}}, "100 user"},
		{"the PMS that ranks first after somebody of the house", pmsFirst, "", []word{{"pms", 90}, {"user", 100}, {"pms", 95}}, "95 pms"},
		{"who repeats what no longer counts", pmsFirst, "", []word{{"user", 100}, {"pms", 95}, {"user", 100}}, "100 user"},
		{"the PMS where somebody of the house takes back a word", pmsFirst, "", []word{{"pms", 90}, {"user", 100}, {"user", 0}}, "90 pms"},
		{"nobody where somebody of the house takes back another's", nil, "", []word{{"api", 90}, {"user", 0}}, "none"},
		{"the newer of two channels", nil, "", []word{{"channel:a", 60}, {"channel:b", 50}}, "50 channel:b"},
	} {
		p := hotel.Property{Policies: hotel.Policies{RateRank: test.rank}, Truth: hotel.Truth{Prices: test.truth}}
		var f priceFact
		for i, w := range test.words {
			e := hotel.RateEntry{Amount: hotel.Given(hotel.Money{Minor: w.amount})}
			if w.amount == 0 {
				e.Amount = hotel.Optional[hotel.Money]{Set: true, Null: true}
			}
			f = f.settled(int64(i), int64(i)).with(e, terms{w.source, hotel.RateRankOf(&p), 0})
		}
		got := "none"
		if f.Amount != nil {
			got = fmt.Sprint(*f.Amount, " ", f.counts(test.words[len(test.words)-1].source))
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		if f.none() && (f.By != "" || f.Said != nil) {
			t.Errorf("%s: nothing that is said is kept as %+v", test.name, f)
		}
	}
}

// What a source says nothing of counts as the next one has it.
func TestPricesOfSeveralSourcesCountMemberByMember(t *testing.T) {
	h := newHouse(t)
	e := hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 1)}
	say := func(source string, change func(e *hotel.RateEntry)) hotel.RateCell {
		t.Helper()
		e := e
		change(&e)
		_, _, err := h.UpdateRates(t.Context(), tester, hotel.Once{}, hotel.RateUpdate{PropertyID: h.property.ID, Source: source, Entries: []hotel.RateEntry{e}})
		if err != nil {
			t.Fatal(err)
		}
		return h.price(t, h.double, 0)
	}
	say("api", func(e *hotel.RateEntry) { e.Amount = h.euros(20000) })
	c := say("pms", func(e *hotel.RateEntry) { e.Amount, e.ExtraAdult = h.euros(15000), h.euros(3000) })
	if c.Amount.Minor != 20000 || c.ExtraAdult == nil || c.ExtraAdult.Minor != 3000 || c.Source != "api" {
		t.Errorf("the PMS says more: %+v", c)
	}
	down := hotel.PriceStep{Kind: "percent", Value: "-10"}
	if c = say("pms", func(e *hotel.RateEntry) { e.Adjust = &down }); c.Amount.Minor != 20000 {
		t.Errorf("the PMS adjusts its own: %+v", c)
	}
	h.reopen(t)
	if c = say("api", func(e *hotel.RateEntry) { e.Amount = null[hotel.Money]() }); c.Amount.Minor != 13500 || c.Source != "pms" {
		t.Errorf("the client takes back its price: %+v", c)
	}
	h.checkHouse(t)
}

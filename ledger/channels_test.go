package ledger

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// fullChannel is a channel of which everything is said.
func fullChannel(property string) hotel.Channel {
	return hotel.Channel{
		PropertyID: property, Connector: "mock", Name: "Mock", Settings: []byte(`{"secret":"secret:mock"}`), Account: "mock:a", Schedule: "@every 1m",
		Markup: &hotel.Markup{Kind: hotel.Percent, Value: "12.5"},
		Pricing: hotel.ChannelPricing{
			Basis: hotel.TaxExcluded, Currency: "CHF", Exchange: &hotel.Exchange{Rate: "0.95", Date: hotel.DateOf(2026, 11, 20)},
			Guard: hotel.PriceGuard{Floor: &hotel.Money{Minor: 5000, Currency: "CHF"}, MaxChangePct: "40", TooHigh: hotel.GuardClose},
		},
		CutOff: &hotel.CutOff{DaysBefore: 1, Time: "18:00"}, Policies: hotel.Policies{Absent: map[hotel.Field]hotel.AbsentPolicy{hotel.FieldMinStayThrough: hotel.CloseNights}},
		Commission: &hotel.Commission{Pct: "15", Base: "gross", OnNoShow: true},
	}
}

func TestChannelIsKeptWhole(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	want := fullChannel(h.property.ID)
	made, _, err := h.CreateChannel(t.Context(), tester, hotel.Once{}, want)
	if err != nil {
		t.Fatal(err)
	}
	want.Entity, want.Status = made.Entity, hotel.Draft
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("made (-want +got):\n%s", diff)
	}
	rename := func(c *hotel.Channel) error { c.Name = "Renamed"; return nil }
	changed, _, err := h.ChangeChannel(t.Context(), tester, hotel.Once{}, made.ID, 1, rename)
	if err != nil || changed.Revision != 2 || changed.Name != "Renamed" {
		t.Errorf("changed: %+v, %v", changed, err)
	}
	_, _, err = h.ChangeChannel(t.Context(), tester, hotel.Once{}, made.ID, 1, rename)
	if r, ok := errors.AsType[*hotel.Refusal](err); !ok || r.Code != "precondition_failed" {
		t.Errorf("a change of what has changed meanwhile: %v", err)
	}
	same, _, err := h.ChangeChannel(t.Context(), tester, hotel.Once{}, made.ID, 0, rename)
	if err != nil || same.Revision != 2 {
		t.Errorf("a change that changes nothing: %+v, %v", same, err)
	}
	entries, err := h.Entries(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Kind != ChannelUpdated {
			continue
		}
		body, err := decode[ChannelBody](e)
		if err != nil || body.Name != "Renamed" || body.Commission.Pct != "15" || body.Settings != nil || e.Offers {
			t.Errorf("the journal says %s, %v", e.Body, err)
		}
	}
}

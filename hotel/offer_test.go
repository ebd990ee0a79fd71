package hotel_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
)

var groups = []hotel.Group{hotel.Availability, hotel.Closures, hotel.Lengths, hotel.Price}

func TestPickKeepsOneGroup(t *testing.T) {
	full := hotel.Offer{
		Available: 3,
		Closed:    hotel.Closed{Arrival: true},
		Lengths:   hotel.LengthLimits{MinStayArrival: 2},
		Amount:    hotel.Money{Minor: 18900, Currency: "EUR"},
	}
	want := map[hotel.Group]hotel.Offer{
		hotel.Availability: {Available: 3},
		hotel.Closures:     {Closed: hotel.Closed{Arrival: true}},
		hotel.Lengths:      {Lengths: hotel.LengthLimits{MinStayArrival: 2}},
		hotel.Price:        {Amount: hotel.Money{Minor: 18900, Currency: "EUR"}},
		0:                  {},
	}
	for g, offer := range want {
		if diff := cmp.Diff(offer, full.Pick(g)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", g, diff)
		}
	}
}

func TestLower(t *testing.T) {
	tests := []struct {
		name    string
		o, held hotel.Offer
		want    []hotel.Group // in which it is lower
	}{
		{"the same", hotel.Offer{Available: 2}, hotel.Offer{Available: 2}, nil},
		{"fewer rooms", hotel.Offer{Available: 1}, hotel.Offer{Available: 2}, []hotel.Group{hotel.Availability}},
		{"more rooms", hotel.Offer{Available: 3}, hotel.Offer{Available: 2}, nil},
		{"closed", hotel.Offer{Closed: hotel.Closed{Closed: true}}, hotel.Offer{}, []hotel.Group{hotel.Closures}},
		{"opened", hotel.Offer{}, hotel.Offer{Closed: hotel.Closed{Closed: true}}, nil},
		{
			"one closed, another opened",
			hotel.Offer{Closed: hotel.Closed{Arrival: true}},
			hotel.Offer{Closed: hotel.Closed{Departure: true}},
			[]hotel.Group{hotel.Closures},
		},
		{"closed already", hotel.Offer{Closed: hotel.Closed{Arrival: true}}, hotel.Offer{Closed: hotel.Closed{Arrival: true, Closed: true}}, nil},
		{
			"stricter lengths and another price are no lowering",
			hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 5}, Amount: hotel.Money{Minor: 1, Currency: "EUR"}},
			hotel.Offer{Amount: hotel.Money{Minor: 2, Currency: "EUR"}},
			nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []hotel.Group
			for _, g := range groups {
				if test.o.Lower(test.held, g) {
					got = append(got, g)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("lower in (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryFieldHasItsGroup(t *testing.T) {
	want := map[hotel.Field]string{
		hotel.FieldAvailable:         "availability",
		hotel.FieldClosed:            "closures",
		hotel.FieldClosedToArrival:   "closures",
		hotel.FieldClosedToDeparture: "closures",
		hotel.FieldMinStayArrival:    "lengths",
		hotel.FieldMinStayThrough:    "lengths",
		hotel.FieldMaxStayArrival:    "lengths",
		hotel.FieldMaxStayThrough:    "lengths",
		hotel.FieldMinAdvance:        "lengths",
		hotel.FieldMaxAdvance:        "lengths",
		hotel.FieldAmount:            "price",
		"a guess":                    "Group(0)",
	}
	for f, group := range want {
		if got := f.Group().String(); got != group {
			t.Errorf("group of %s = %s, want %s", f, got, group)
		}
	}
}

func TestOffersComeBackFromTheirIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := func(label string) int { return rapid.IntRange(0, 1023).Draw(t, label) }
		want := hotel.Offer{
			Available: rapid.IntRange(0, 9999).Draw(t, "available"),
			Closed: hotel.Closed{
				Closed:    rapid.Bool().Draw(t, "closed"),
				Arrival:   rapid.Bool().Draw(t, "arrival"),
				Departure: rapid.Bool().Draw(t, "departure"),
			},
			Lengths: hotel.LengthLimits{
				MinStayArrival: length("min arrival"), MinStayThrough: length("min through"),
				MaxStayArrival: length("max arrival"), MaxStayThrough: length("max through"),
				MinAdvance: length("min advance"), MaxAdvance: length("max advance"),
			},
			Amount: hotel.Money{Minor: rapid.Int64().Draw(t, "minor"), Currency: "KWD"},
		}
		for _, g := range groups {
			if got := hotel.DecodeOffer(g, want.Encode(g), "KWD"); got != want.Pick(g) {
				t.Fatalf("%s came back as %+v, want %+v", g, got, want.Pick(g))
			}
		}
	})
}

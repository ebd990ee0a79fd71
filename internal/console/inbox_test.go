package console

import (
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// A line of the inbox says what it is about, so that many of a kind can be told apart.
func TestInboxSaysWhatItIsAbout(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 12950)
	s.connect(t, "ch_1")
	s.push(t, today)
	shows(t, s.as(t, "owner").get(s.path("conflicts")).body, s.house.Rooms[0].Name+" · "+s.house.Plans[0].Name+" · "+catalogue["en"]["group.price"])
	shows(t, s.as(t, "owner").get(s.path("today")).body, s.house.Rooms[0].Name+" · "+s.house.Plans[0].Name)
}

// Of a closing that a channel refuses nothing else can be wanted: no form offers it.
func TestNothingElseIsWantedOfAClosing(t *testing.T) {
	v := &visit{words: wordsIn("en"), caller: desk.Caller{Who: auth.Who{Scopes: auth.RoleOwner.Scopes()}}}
	for group, want := range map[hotel.Group]int{hotel.Closures: 2, hotel.Price: 3} {
		k := hotel.Conflict{Kind: hotel.ConflictRejected, Options: []string{hotel.OptionRetry, hotel.OptionSkip, hotel.OptionChange}, Cells: []hotel.ConflictCells{{Group: group}}}
		ways, err := v.ways(k, ours{}, nil, nil)
		if err != nil || len(ways) != want {
			t.Errorf("of %s there are %d ways out, want %d: %v", group, len(ways), want, err)
		}
	}
}

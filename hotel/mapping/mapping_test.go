package mapping

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// testHouse has rooms whose names are parts of one another, and plans that differ by
// their board.
func testHouse() House {
	h := House{ChannelID: "ch"}
	for _, r := range []struct {
		code, name string
		base, most int
	}{{"standard", "Standard", 2, 2}, {"deluxe", "Deluxe", 2, 3}, {"twin", "Deluxe Twin", 2, 2}, {"family", "Family Suite", 4, 6}, {"suite", "Suite", 2, 4}} {
		h.Rooms = append(h.Rooms, hotel.RoomType{
			Entity: hotel.Entity{ID: "r_" + r.code}, Code: r.code, Name: r.name, BaseOccupancy: r.base, MaxOccupancy: r.most, Status: hotel.Active,
		})
	}
	var rooms []string
	for _, r := range h.Rooms {
		rooms = append(rooms, r.ID)
	}
	for _, p := range []struct{ code, name, meal string }{
		{"flex", "Flexible", "room_only"}, {"breakfast", "Flexible with Breakfast", "breakfast"}, {"saver", "Saver", "room_only"}, {"half", "Half Board", "half_board"},
	} {
		h.Plans = append(h.Plans, hotel.RatePlan{
			Entity: hotel.Entity{ID: "p_" + p.code}, Code: p.code, Name: p.name, MealPlan: p.meal, RoomTypeIDs: rooms, SoldBy: []string{"ch"}, Status: hotel.Active,
		})
	}
	return h
}

func TestPropose(t *testing.T) {
	for _, c := range []struct {
		name, room, rate string // as the far side calls them
		want             string
	}{
		{"the same names", "Deluxe Twin", "Flexible", "r_twin p_flex high"},
		{"one name within another", "Deluxe", "Flexible with Breakfast", "r_deluxe p_breakfast high"},
		{"another order and filling words", "Twin Room Deluxe", "Flexible Rate", "r_twin p_flex high"},
		{"another language", "Familienzimmer Suite", "Halbpension", "r_family p_half high"},
		{"accents and abbreviations", "Std", "Flexibel Frühstück", "r_standard p_breakfast medium"}, //nolint:misspell // German
		{"board decides between plans", "Suite", "BB flex", "r_suite p_breakfast high"},
		{"a rate that cannot be given back", "Standard Room", "Non-refundable", "r_standard p_saver high"},
		{"codes, without names", "#suite", "#saver", "r_suite p_saver high"},
		{"too many guests for the name", "Standard for 6 persons", "Flexible", "r_standard p_flex medium"},
		{"nothing like it", "Penthouse", "Flexible", ""},
		{"a board that we do not have", "Suite", "All inclusive", ""},
	} {
		p := hotel.RemoteProduct{Room: "1", RoomName: c.room, Rate: "2", RateName: c.rate}
		if code, bare := strings.CutPrefix(c.room, "#"); bare {
			p = hotel.RemoteProduct{Room: code, Rate: strings.TrimPrefix(c.rate, "#")}
		}
		got := ""
		if made := testHouse().Propose([]hotel.RemoteProduct{p})[0]; made != nil {
			got = fmt.Sprintf("%s %s %s", made.RoomTypeID, made.RatePlanID, made.Confidence)
			if len(made.Reasons) == 0 {
				t.Errorf("%s: no reason is given", c.name)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s at %s is proposed to be %q, want %q", c.name, c.room, c.rate, got, c.want)
		}
	}
}

// Two rooms of ours that a name fits alike are a guess, and the proposal says so.
func TestProposeTellsDoubt(t *testing.T) {
	h := testHouse()
	h.Rooms[1].Name, h.Rooms[2].Name = "Deluxe East", "Deluxe West"
	made := h.Propose([]hotel.RemoteProduct{{Room: "1", RoomName: "Deluxe", Rate: "2", RateName: "Saver"}})[0]
	if made == nil || made.Confidence != Low || !strings.Contains(strings.Join(Sentences(made.Reasons), "; "), "could as well be Deluxe") {
		t.Errorf("of two rooms that are alike one is proposed as %+v", made)
	}
}

// What the far side tells of a room and a rate decides between names that are alike.
func TestProposeByFacts(t *testing.T) {
	h := testHouse()
	h.Rooms[1].Name, h.Rooms[2].Name = "Deluxe East", "Deluxe West"
	h.Rooms[1].MaxAdults, h.Rooms[2].MaxAdults = 3, 2
	h.Plans[1].Name, h.Plans[0].Name = "Daily A", "Daily B"
	for adults, room := range map[int]string{3: "r_deluxe", 2: "r_twin"} {
		for board, plan := range map[string]string{"breakfast": "p_breakfast", "room_only": "p_flex"} {
			p := h.Propose([]hotel.RemoteProduct{{Room: "1", RoomName: "Deluxe", Rate: "2", RateName: "Daily", Adults: adults, Board: board}})[0]
			if p == nil || p.RoomTypeID != room || p.RatePlanID != plan {
				t.Errorf("for %d adults with %s %+v is proposed, want %s and %s", adults, board, p, room, plan)
			}
		}
	}
}

func TestDoubts(t *testing.T) {
	h := testHouse()
	h.Currency = "EUR"
	h.Rooms[0].MaxAdults = 2
	for _, c := range []struct {
		name   string
		theirs hotel.RemoteProduct
		want   []string
	}{
		{"nothing is told", hotel.RemoteProduct{}, nil},
		{"all of it is alike", hotel.RemoteProduct{Adults: 2, Board: "room_only", Currency: "EUR"}, nil},
		{"fewer adults", hotel.RemoteProduct{Adults: 1}, nil},
		{"more adults", hotel.RemoteProduct{Adults: 3}, []string{"it is sold to up to 3 adults, Standard takes 2"}},
		{"another board", hotel.RemoteProduct{Board: "half_board"}, []string{"theirs comes with half board, ours with room only"}},
		{"another currency", hotel.RemoteProduct{Currency: "GBP"}, []string{"its prices are in GBP, the channel is told EUR: set one to the other before it goes live"}},
	} {
		if diff := cmp.Diff(c.want, Sentences(h.Doubts(c.theirs, "r_standard", "p_flex"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// What is mapped is not proposed again, its room is known by it, and without rates the
// plan is a matter of who sells.
func TestProposeBesideWhatIsMapped(t *testing.T) {
	h := testHouse()
	h.Mappings = []hotel.Mapping{{RoomTypeID: "r_suite", RatePlanID: "p_flex", RemoteRoom: "X9", RemoteRate: "A"}}
	for i := range h.Plans[1:] {
		h.Plans[1+i].SoldBy = nil
	}
	got := h.Propose([]hotel.RemoteProduct{{Room: "X9", Rate: "A"}, {Room: "X9", RoomName: "Deluxe", Rate: "B", RateName: "Half board"}, {Room: "Y", RoomName: "Family suite"}, {Room: "Deluxe", Rate: "A"}})
	if got[0] != nil {
		t.Errorf("what is mapped is proposed as %+v", got[0])
	}
	if got[1] == nil || got[1].RoomTypeID != "r_suite" || got[1].RatePlanID != "p_half" || !slices.Contains(Sentences(got[1].Reasons), "Half Board does not name this channel in sold_by") {
		t.Errorf("another rate of a mapped room is proposed as %+v", got[1])
	}
	if got[2] == nil || got[2].RoomTypeID != "r_family" || got[2].RatePlanID != "p_flex" || got[2].Confidence != Medium {
		t.Errorf("a room without rates is proposed as %+v", got[2])
	}
	if got[3] == nil || got[3].RoomTypeID != "r_deluxe" || got[3].RatePlanID != "p_flex" {
		t.Errorf("a rate that another room has is proposed as %+v", got[3])
	}
}

func TestGaps(t *testing.T) {
	h := testHouse()
	h.Mappings = []hotel.Mapping{
		{RoomTypeID: "r_suite", RatePlanID: "p_flex", RemoteRoom: "X", RemoteRate: "A"}, {RoomTypeID: "r_twin", RatePlanID: "p_half", RemoteRoom: "Z", RemoteRate: "A", Retired: true},
	}
	var got []string
	for _, g := range h.Gaps() {
		got = append(got, g.Code+" "+g.RoomTypeID+g.RatePlanID)
	}
	want := []string{
		"room_not_mapped r_standard", "room_not_mapped r_deluxe", "room_not_mapped r_twin", "room_not_mapped r_family",
		"plan_not_mapped p_breakfast", "plan_not_mapped p_saver", "plan_not_mapped p_half",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
}

// Whatever things are called, reading it is harmless and the same twice.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"Deluxe Twin", "Zimmer für 2 Erwachsene", "2x1 \x00", "Non-refundable"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if diff := cmp.Diff(read(text), read(text), cmp.AllowUnexported(name{})); diff != "" {
			t.Error(diff)
		}
	})
}

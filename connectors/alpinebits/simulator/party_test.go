package simulator

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// TestAFamilyOfTwoRooms is one reservation with two rooms, its children by their ages, as it
// is changed and as it is cancelled, by the schema of each version.
func TestAFamilyOfTwoRooms(t *testing.T) {
	folder := testkit.Corpus(t, "alpinebits")
	s := start(t, newest, "H1")
	from := hotel.DateIn(hotel.SystemClock{}.Now(), time.UTC) + 40
	ask(t, s, newest, freeRoomsAction, rooms("", of(fmt.Sprintf(`Start="%s" End="%s" %s`, from, from+2, dbl), "3")))
	b, err := s.Book().Sell(simkit.Request{
		Room: "double", Rate: "BAR", CheckIn: from, CheckOut: from + 2, Adults: 2, Children: []int{9, 4, 9}, LastName: "Hopper",
		Others: []simkit.Part{{Room: "double", Rate: "BAR", CheckIn: from, CheckOut: from + 1, Adults: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string, rooms int, first []guests) {
		t.Helper()
		for _, v := range versions {
			said := ask(t, s, v, readAction, readAll).Body.Bytes()
			testkit.Schema(t, filepath.Join(folder, "schemas", "alpinebits-"+v+".xsd"))(v+" "+when, said)
			var list struct {
				All []reservation `xml:"ReservationsList>HotelReservation"`
			}
			if err := read(said, listAnswer, &list); err != nil {
				t.Fatal(err)
			}
			r := list.All[len(list.All)-1]
			if len(r.Stays) != rooms || !slices.Equal(r.Stays[0].Guests, first) {
				t.Errorf("%s %s it is %+v", v, when, r.Stays)
			}
		}
	}
	check("when it is made", 2, []guests{{"2", ""}, {"1", "4"}, {"2", "9"}})
	if _, err := s.Book().Modify(simkit.Request{Reference: b.Reference, Children: []int{4}}); err != nil {
		t.Fatal(err)
	}
	check("when two children stay at home", 2, []guests{{"2", ""}, {"1", "4"}})
	if _, err := s.Book().Modify(simkit.Request{Reference: b.Reference, Without: 2}); err != nil {
		t.Fatal(err)
	}
	check("when a room is given up", 1, []guests{{"2", ""}, {"1", "4"}})
	if _, err := s.Book().Cancel(b.Reference); err != nil {
		t.Fatal(err)
	}
	check("when it is cancelled", 1, []guests{{"2", ""}, {"1", "4"}})
}

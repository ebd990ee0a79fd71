package hotel_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

var may = hotel.DateOf(2027, time.May, 1)

func blockOf(lines ...hotel.BlockLine) hotel.Block {
	return hotel.Block{Name: "Choir", BlockStatus: hotel.Tentative, Lines: lines}
}

func line(room string, from, to hotel.Date, units int) hotel.BlockLine {
	return hotel.BlockLine{RoomTypeID: room, DateFrom: may + from, DateTo: may + to, Units: units}
}

func TestBlockTakesRooms(t *testing.T) {
	tests := []struct {
		name    string
		status  hotel.BlockStatus
		deducts *bool
		want    bool
	}{
		{"tentative", hotel.Tentative, nil, false},
		{"definite", hotel.Definite, nil, true},
		{"tentative and told to", hotel.Tentative, new(true), true},
		{"definite and told not to", hotel.Definite, new(false), false},
		{"released, whatever was told", hotel.Released, new(true), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := (&hotel.Block{BlockStatus: test.status, Deducts: test.deducts}).TakesRooms(); got != test.want {
				t.Errorf("takes rooms %t, want %t", got, test.want)
			}
		})
	}
}

func TestBlockReleasesOn(t *testing.T) {
	tests := []struct {
		name string
		on   *hotel.Date
		days *int
		want hotel.Date
		ok   bool
	}{
		{"never by itself", nil, nil, 0, false},
		{"the whole block on a date", new(may), nil, may, true},
		{"so many days before the night", nil, new(14), may + 20 - 14, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := hotel.Block{ReleaseOn: test.on, ReleaseDays: test.days}
			if got, ok := b.ReleasesOn(may + 20); got != test.want || ok != test.ok {
				t.Errorf("releases on %s %t, want %s %t", got, ok, test.want, test.ok)
			}
		})
	}
}

func TestBlockRemaining(t *testing.T) {
	b := blockOf(line("rt_a", 0, 2, 3), line("rt_b", 1, 1, 5))
	b.GivenBack = []hotel.Span{{From: may + 2, To: may + 9}}
	tests := []struct {
		name   string
		room   string
		night  hotel.Date
		picked int
		want   int
	}{
		{"as promised", "rt_a", 0, 0, 3},
		{"less what is picked up", "rt_a", 1, 2, 1},
		{"never below nothing", "rt_a", 1, 4, 0},
		{"another room type", "rt_b", 1, 0, 5},
		{"a night of another line", "rt_b", 0, 0, 0},
		{"a night that was given back", "rt_a", 2, 0, 0},
		{"a room type that it does not have", "rt_c", 1, 0, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := b.Remaining(test.room, may+test.night, test.picked); got != test.want {
				t.Errorf("remaining %d, want %d", got, test.want)
			}
		})
	}
	if got, want := b.Nights(), []hotel.Date{may, may + 1, may + 2}; !slices.Equal(got, want) {
		t.Errorf("nights %v, want %v", got, want)
	}
	b.BlockStatus = hotel.Released
	if b.Remaining("rt_a", may, 0) != 0 {
		t.Error("a released block still promises rooms")
	}
}

func TestBlockCheck(t *testing.T) {
	good := blockOf(line("rt_a", 0, 2, 3), line("rt_a", 3, 3, 1), line("rt_b", 1, 1, 5))
	tests := []struct {
		name   string
		change func(*hotel.Block)
		want   string // pointers and codes; "" for a block that can be
	}{
		{"a block that can be", func(*hotel.Block) {}, ""},
		{"no name", func(b *hotel.Block) { b.Name = " " }, "/name required"},
		{"long words", func(b *hotel.Block) { b.Contact, b.Notes = strings.Repeat("é", 501), strings.Repeat("é", 2000) }, "/contact length"},
		{"no lines", func(b *hotel.Block) { b.Lines = nil }, "/lines length"},
		{"a line of nothing", func(b *hotel.Block) { b.Lines = []hotel.BlockLine{line("rt_a", 0, 0, 0)} }, "/lines/0/units min"},
		{"a line backwards", func(b *hotel.Block) { b.Lines = []hotel.BlockLine{line("rt_a", 1, 0, 1)} }, "/lines/0/date_to date_order"},
		{"two lines for one night", func(b *hotel.Block) { b.Lines = []hotel.BlockLine{line("rt_a", 0, 2, 1), line("rt_a", 2, 4, 1)} }, "/lines/1/date_from date_order"},
		{"too many nights", func(b *hotel.Block) { b.Lines = []hotel.BlockLine{line("rt_a", 0, 4000, 1)} }, "/lines length"},
		{"a price agreed in two ways", func(b *hotel.Block) { b.RatePlanID, b.Amounts = "rp", []hotel.BlockAmount{{RoomTypeID: "rt_a"}} }, "/amounts type"},
		{"a price below nothing", func(b *hotel.Block) {
			b.Amounts = []hotel.BlockAmount{{Amount: hotel.Money{Minor: -1, Currency: "EUR"}}}
		}, "/amounts/0/amount min"},
		{"released after the night", func(b *hotel.Block) { b.ReleaseDays = new(-1) }, "/release_days max"},
		{"released in two ways", func(b *hotel.Block) { b.ReleaseOn, b.ReleaseDays = new(may), new(3) }, "/release_days type"},
		{"everything at once", func(b *hotel.Block) { b.Name, b.Lines = "", []hotel.BlockLine{line("", 0, 0, 0)} }, "/name required /lines/0/room_type_id required /lines/0/units min"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := good
			test.change(&b)
			got := ""
			if refusal, ok := errors.AsType[*hotel.Refusal](b.Check()); ok {
				for i, item := range refusal.Items {
					if i > 0 {
						got += " "
					}
					got += item.Pointer + " " + item.Code
				}
			}
			if got != test.want {
				t.Errorf("wrong: %q, want %q", got, test.want)
			}
		})
	}
}

func TestBlockChange(t *testing.T) {
	b := blockOf(line("rt_a", 0, 0, 1))
	b.Contact, b.ReleaseOn, b.Deducts = "somebody", new(may), new(true)
	hotel.BlockChange{
		Name: hotel.Given("Orchestra"), Status: hotel.Given(hotel.Definite), Contact: hotel.Optional[string]{Set: true, Null: true},
		ReleaseOn: hotel.Optional[hotel.Date]{Set: true, Null: true}, ReleaseDays: hotel.Given(7),
	}.Apply(&b)
	if b.Name != "Orchestra" || b.BlockStatus != hotel.Definite || b.Contact != "" || b.ReleaseOn != nil || *b.ReleaseDays != 7 || !*b.Deducts || len(b.Lines) != 1 {
		t.Errorf("block %+v", b)
	}
}

func TestBlockFilter(t *testing.T) {
	b := blockOf(line("rt_a", 0, 2, 3))
	b.ChannelID = "ch_a"
	tests := []struct {
		name string
		f    hotel.BlockFilter
		want bool
	}{
		{"no filter", hotel.BlockFilter{}, true},
		{"its status", hotel.BlockFilter{Statuses: []hotel.BlockStatus{hotel.Tentative}}, true},
		{"its status or another", hotel.BlockFilter{Statuses: []hotel.BlockStatus{hotel.Definite, hotel.Tentative}}, true},
		{"another status", hotel.BlockFilter{Statuses: []hotel.BlockStatus{hotel.Definite}}, false},
		{"its channel", hotel.BlockFilter{ChannelIDs: []string{"ch_a"}}, true},
		{"another channel", hotel.BlockFilter{ChannelIDs: []string{"ch_b"}}, false},
		{"its last night", hotel.BlockFilter{StayingOn: new(may + 2)}, true},
		{"the night after", hotel.BlockFilter{StayingOn: new(may + 3)}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.f.Matches(&b); got != test.want {
				t.Errorf("matches %t, want %t", got, test.want)
			}
		})
	}
}

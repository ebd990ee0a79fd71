package drift

import (
	"testing"

	"ostler.example/hotel"
)

func TestJudge(t *testing.T) {
	rooms := func(told, shown int64) Seen { return Seen{Group: hotel.Availability, Told: new(told), Shown: shown} }
	price := func(told, shown int64) Seen { return Seen{Group: hotel.Price, Told: new(told), Shown: shown} }
	with := func(s Seen, f func(*Seen)) Seen { f(&s); return s }
	for _, c := range []struct {
		name string
		seen Seen
		want Verdict
	}{
		{"it shows what it was told", rooms(2, 2), None},
		{"nothing is known of what it was told", Seen{Group: hotel.Availability, Shown: 2}, Unknown},

		{"a room less where guests buy that we have not heard of", with(rooms(2, 1), func(s *Seen) { s.Sells = true }), Sale},
		{"and it was right before", with(rooms(2, 1), func(s *Seen) { s.Sells, s.Before = true, new(int64(2)) }), Sale},
		{"all its guests are known", with(rooms(2, 1), func(s *Seen) { s.Sells, s.Heard, s.Before = true, true, new(int64(2)) }), ExtranetEdit},
		{"it does not lower its own count", with(rooms(2, 1), func(s *Seen) { s.Before = new(int64(2)) }), ExtranetEdit},

		{"a guest has cancelled, and a room is back", with(rooms(0, 1), func(s *Seen) { s.Freed = 1 }), AutoReplenish},
		{"it was right before, then a guest cancelled", with(rooms(0, 1), func(s *Seen) { s.Freed, s.Before = 1, new(int64(0)) }), AutoReplenish},
		{"two rooms are back, one guest has cancelled", with(rooms(0, 2), func(s *Seen) { s.Freed, s.Before = 1, new(int64(0)) }), ExtranetEdit},
		{"a guest has cancelled, and a room is missing", with(rooms(2, 1), func(s *Seen) { s.Freed, s.Before = 1, new(int64(2)) }), ExtranetEdit},

		{"the price was right, and is another", with(price(20000, 15000), func(s *Seen) { s.Before = new(int64(20000)) }), ExtranetEdit},
		{"it was right, then set to what it once was", with(price(20000, 15000), func(s *Seen) { s.Before, s.Former = new(int64(20000)), []int64{15000} }), ExtranetEdit},

		{"it was closed twice and shows the same two rooms", with(rooms(0, 2), func(s *Seen) { s.Again, s.Before = 2, new(int64(2)) }), Allotment},
		{"it was closed once", with(rooms(0, 2), func(s *Seen) { s.Again, s.Before = 1, new(int64(2)) }), LostPush},
		{"it was closed twice, seen closed, and opened again", with(rooms(0, 2), func(s *Seen) { s.Again, s.Before = 2, new(int64(0)) }), ExtranetEdit},
		{"fewer rooms are no allotment", with(rooms(3, 2), func(s *Seen) { s.Again, s.Before = 2, new(int64(2)) }), LostPush},

		{"a price without cents", price(12340, 12300), Rounding},
		{"a price taken up", price(12340, 12400), Rounding},
		{"to the next five", price(12340, 12500), Rounding},
		{"a round price is not rounded", price(12000, 12100), Unknown},
		{"nor is one that would have to go further than a step", price(12300, 12450), Unknown},
		{"too far for rounding", price(1040, 2000), Unknown},
		{"rooms are not rounded", rooms(12, 10), Unknown},

		{"all above ten is shown as ten", with(rooms(12, 10), func(s *Seen) { s.Beside = []Pair{{15, 10}, {7, 7}} }), Clamp},
		{"all below 50 is shown as 50", with(price(4000, 5000), func(s *Seen) { s.Beside = []Pair{{3000, 5000}, {9000, 9000}} }), Clamp},
		{"only one value is", with(rooms(12, 10), func(s *Seen) { s.Beside = []Pair{{12, 10}, {7, 7}} }), Unknown},
		{"it can show more than that", with(rooms(12, 10), func(s *Seen) { s.Beside = []Pair{{15, 10}, {11, 11}} }), Unknown},
		{"lengths have no such bound", with(Seen{Group: hotel.Lengths, Told: new(int64(3)), Shown: 2}, func(s *Seen) { s.Beside = []Pair{{4, 2}} }), Unknown},

		{"it shows what it showed before it was told", with(price(20000, 15000), func(s *Seen) { s.Before = new(int64(15000)) }), LostPush},
		{"it shows what it was told earlier", with(price(20000, 15000), func(s *Seen) { s.Former = []int64{18000, 15000} }), LostPush},
		{"a closing that was confirmed and is not there", with(Seen{Group: hotel.Closures, Told: new(int64(1)), Shown: 0}, func(s *Seen) { s.Before = new(int64(0)) }), LostPush},

		{"nobody knows", price(20000, 15000), Unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Judge(c.seen); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name string
		of   Case
		want Action
	}{
		{"a guest may have bought", Case{Verdict: Sale, Policy: hotel.Ours}, Wait},
		{"ours", Case{Verdict: LostPush, Policy: hotel.Ours}, PutRight},
		{"ours, and it came back thrice", Case{Verdict: ExtranetEdit, Policy: hotel.Ours, Again: 3}, Ask},
		{"theirs", Case{Verdict: ExtranetEdit, Policy: hotel.Theirs}, Take},
		{"theirs, but it says nothing of the night", Case{Verdict: ExtranetEdit, Policy: hotel.Theirs, LeftOut: true}, PutRight},
		{"nor before, which nobody can explain", Case{Verdict: Unknown, Policy: hotel.Theirs, LeftOut: true}, PutRight},
		{"and somebody is to be asked about all", Case{Verdict: ExtranetEdit, Policy: hotel.AskOwner, LeftOut: true}, Ask},
		{"theirs, and nobody knows why", Case{Verdict: Unknown, Policy: hotel.Theirs}, Ask},
		{"theirs, nobody knows why, and the house has had another word since", Case{Verdict: Unknown, Policy: hotel.Theirs, Newer: true}, PutRight},
		{"theirs, which nobody has chosen there", Case{Verdict: LostPush, Policy: hotel.Theirs}, PutRight},
		{"theirs, which it rounds", Case{Verdict: Rounding, Policy: hotel.Theirs}, Leave},
		{"theirs, which is its bound", Case{Verdict: Clamp, Policy: hotel.Theirs, Again: 1}, Leave},
		{"theirs, and the house has had another word since", Case{Verdict: ExtranetEdit, Policy: hotel.Theirs, Newer: true}, PutRight},
		{"theirs, which it makes of an older word", Case{Verdict: Rounding, Policy: hotel.Theirs, Newer: true}, PutRight},
		{"what the house has said is yet to be worked out", Case{Verdict: Early, Policy: hotel.Theirs}, Wait},
		{"ask", Case{Verdict: ExtranetEdit, Policy: hotel.AskOwner}, Ask},
		{"too many rooms", Case{Verdict: AutoReplenish, Policy: hotel.Ours, Harms: true}, PutRight},
		{"too many rooms, for the fourth time", Case{Verdict: ExtranetEdit, Policy: hotel.Ours, Harms: true, Again: 3}, Insist},
		{"too many rooms are never theirs", Case{Verdict: ExtranetEdit, Policy: hotel.Theirs, Harms: true}, Insist},
		{"too many rooms do not wait for an answer", Case{Verdict: ExtranetEdit, Policy: hotel.AskOwner, Harms: true}, Insist},
		{"a number that was promised", Case{Verdict: Allotment, Policy: hotel.Ours, Harms: true, Again: 2}, Ask},
		{"rounding is told once more", Case{Verdict: Rounding, Policy: hotel.Ours}, PutRight},
		{"and then understood", Case{Verdict: Rounding, Policy: hotel.Ours, Again: 1}, Ask},
		{"a bound is understood", Case{Verdict: Clamp, Policy: hotel.Ours, Again: 1}, Ask},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Decide(c.of); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

package board_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
)

// The model works every answer out from the definitions and tries everything.

func (w *world) plan(id string) hotel.RatePlan {
	return w.plans[slices.IndexFunc(w.plans, func(p hotel.RatePlan) bool { return p.ID == id })]
}

// available tries to sell one room more, and one more.
func (w *world) available(f facts, r hotel.RoomType) int {
	n, night := 0, f.rooms[r.ID]
	for !night.Closed && w.fits(f, r, n+1) && (night.SellLimit < 0 || night.Sold+night.Held+n+1 <= night.SellLimit) {
		n++
	}
	return n
}

// fits tries whether so many more rooms of a type find units; those of other
// types may be too many already.
func (w *world) fits(f facts, r hotel.RoomType, more int) bool {
	needed := map[string]int{}
	for _, other := range w.rooms {
		n := f.rooms[other.ID].Sold + f.rooms[other.ID].Held
		if other.ID == r.ID {
			n += more
		}
		for _, c := range other.Consumes {
			needed[c.AnyOf[0]] += n * c.Units
		}
	}
	for _, c := range r.Consumes {
		p := f.pools[c.AnyOf[0]]
		if needed[c.AnyOf[0]] > p.Total-p.OutOfOrder-p.OutOfInventory+p.Overbooking {
			return false
		}
	}
	return true
}

func halfEven(x *big.Rat) int64 {
	low := new(big.Int).Div(x.Num(), x.Denom()).Int64()
	rest := new(big.Rat).Sub(x, big.NewRat(low, 1))
	switch rest.Cmp(big.NewRat(1, 2)) {
	case -1:
		return low
	case 1:
		return low + 1
	}
	return low + low&1
}

// allows asks the plan, its parent, and so on: each must let the stay through by
// its own levels.
func (w *world) allows(r hotel.RoomType, p hotel.RatePlan, in, out, ahead int) bool {
	if p.DerivedFrom != nil && !w.allows(r, w.plan(p.DerivedFrom.RatePlanID), in, out, ahead) {
		return false
	}
	levels := func(night int) []hotel.Restriction {
		if night >= len(w.nights) {
			return []hotel.Restriction{p.Restrictions}
		}
		said := w.nights[night].rules
		return []hotel.Restriction{said[product{r.ID, p.ID}], said[product{"", p.ID}], said[product{r.ID, ""}], said[product{}], p.Restrictions}
	}
	closed := func(night int, field func(hotel.Restriction) *bool) bool {
		all := levels(night)
		says := slices.DeleteFunc(all[:len(all)-1], func(x hotel.Restriction) bool { return field(x) == nil })
		if len(says) == 0 { // the plan's default, where nothing else is said
			return field(p.Restrictions) != nil && *field(p.Restrictions)
		}
		return slices.ContainsFunc(says, func(x hotel.Restriction) bool { return *field(x) })
	}
	limit := func(night int, field func(hotel.Restriction) *int) int {
		for _, x := range levels(night) {
			if field(x) != nil {
				return *field(x)
			}
		}
		return 0
	}
	atMost := func(n, limit int) bool { return limit == 0 || n <= limit }
	length := out - in
	ok := !closed(in, func(x hotel.Restriction) *bool { return x.ClosedToArrival }) &&
		!closed(out, func(x hotel.Restriction) *bool { return x.ClosedToDeparture }) &&
		length >= limit(in, func(x hotel.Restriction) *int { return x.MinStayArrival }) &&
		atMost(length, limit(in, func(x hotel.Restriction) *int { return x.MaxStayArrival })) &&
		ahead >= limit(in, func(x hotel.Restriction) *int { return x.MinAdvance }) &&
		atMost(ahead, limit(in, func(x hotel.Restriction) *int { return x.MaxAdvance }))
	for night := in; night < out; night++ {
		ok = ok && !closed(night, func(x hotel.Restriction) *bool { return x.Closed }) &&
			length >= limit(night, func(x hotel.Restriction) *int { return x.MinStayThrough }) &&
			atMost(length, limit(night, func(x hotel.Restriction) *int { return x.MaxStayThrough }))
	}
	return ok
}

// candidate is one plan that a room could be sold by.
type candidate struct {
	plan    string
	total   int64
	allowed bool
}

// answer lists every plan of every room, and picks.
func (w *world) answer(in, out, adults, children, ahead int, ota bool) (bool, []entry) {
	anything := false
	var all []entry
	for _, r := range w.rooms {
		who := adults
		if who == 0 {
			who = r.BaseOccupancy
		}
		if who > r.MaxAdults || children > r.MaxChildren || who+children > r.MaxOccupancy || who+children < r.MinOccupancy {
			continue
		}
		free := 99
		for night := in; night < out; night++ {
			if night >= len(w.nights) {
				free = 0
				break
			}
			free = min(free, w.available(w.nights[night], r))
		}
		var found []candidate
		for _, p := range w.plans {
			if !slices.Contains(p.SoldBy, "me") && (ota || p.Audience != hotel.Public) {
				continue
			}
			c := candidate{plan: p.ID, allowed: w.allows(r, p, in, out, ahead)}
			priced := out <= len(w.nights)
			for night := in; priced && night < out; night++ {
				var amount int64
				amount, priced = w.quoted(w.nights[night], r, p, who+children)
				c.total += amount
			}
			if priced {
				found = append(found, c)
			}
		}
		slices.SortStableFunc(found, func(a, b candidate) int { return int(a.total - b.total) })
		if len(found) == 0 {
			continue
		}
		best := found[0]
		shown := 0
		if first := slices.IndexFunc(found, func(c candidate) bool { return c.allowed }); free > 0 && first >= 0 {
			best, shown, anything = found[first], free, true
		}
		rate := hotel.Money{Minor: halfEven(big.NewRat(best.total, int64(out-in))), Currency: "EUR"}
		all = append(all, entry{r.ID, best.plan, shown, rate.String()})
	}
	return anything, all
}

func TestAnswersEqualTryingEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		b := w.board(t, w.nights)
		adults, children := rapid.IntRange(0, 3).Draw(t, "adults"), rapid.IntRange(0, 1).Draw(t, "children")
		ahead, ota := rapid.IntRange(0, 10).Draw(t, "ahead"), rapid.Bool().Draw(t, "ota")
		for in := range w.nights {
			for out := in + 1; out <= len(w.nights)+1; out++ {
				stay := nights(hotel.Date(in), hotel.Date(out))
				today := stay.CheckIn - hotel.Date(ahead)
				available, want := w.answer(in, out, adults, children, ahead, ota)
				got := b.Availability(stay, board.Every, party(adults, children), board.Asker{Seller: hotel.Seller{ID: "me", Channel: ota}, Today: today}, nil)
				if diff := cmp.Diff(want, entries(got)); diff != "" || got.Available != available {
					t.Fatalf("nights %d to %d: available %t, want %t; rooms (-want +got):\n%s", in, out, got.Available, available, diff)
				}
				w.checkQuotes(t, b, in, out, adults, children, ahead)
			}
		}
	})
}

// checkQuotes compares the quote of every product.
func (w *world) checkQuotes(t *rapid.T, b *board.Board, in, out, adults, children, ahead int) {
	stay := nights(hotel.Date(in), hotel.Date(out))
	for i, r := range w.rooms {
		who := adults
		if who == 0 {
			who = r.BaseOccupancy
		}
		for j, p := range w.plans {
			var want board.Quote
			want.Priced = out <= len(w.nights)
			for night := in; want.Priced && night < out; night++ {
				var amount int64
				amount, want.Priced = w.quoted(w.nights[night], r, p, who+children)
				want.Nightly = append(want.Nightly, euros(amount)...)
				want.Total = euros(want.Total.Minor + amount)[0]
			}
			if !want.Priced {
				want.Nightly, want.Total = nil, hotel.Money{}
			}
			if out <= len(w.nights) {
				want.Available = 99
				for night := in; night < out; night++ {
					want.Available = min(want.Available, w.available(w.nights[night], r))
				}
			}
			allowed := w.allows(r, p, in, out, ahead)
			fits := who <= r.MaxAdults && children <= r.MaxChildren && who+children <= r.MaxOccupancy && who+children >= r.MinOccupancy
			want.Bookable = allowed && fits && want.Priced && want.Available > 0

			got := b.Quote(stay, i, j, party(adults, children), stay.CheckIn-hotel.Date(ahead))
			if (len(got.Failed) == 0) != allowed {
				t.Fatalf("%s %s, nights %d to %d: failed %v, allowed %t", r.ID, p.ID, in, out, got.Failed, allowed)
			}
			got.Failed = nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s %s, nights %d to %d: quote (-want +got):\n%s", r.ID, p.ID, in, out, diff)
			}
		}
	}
}

func TestExplainedPricesAreTheHousePrices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		b := w.board(t, w.nights)
		for i := range w.rooms {
			for j := range w.plans {
				for d := from; d <= b.To(); d++ {
					var tr hotel.Trace
					want, ok := b.HousePrice(d, i, j, 2)
					got, explained := b.ExplainPrice(d, i, j, 2, &tr)
					if ok != explained || ok && (!got.Amount.Equal(want.Amount) || got.Rounding != want.Rounding) {
						t.Fatalf("explained %+v %t, price %+v %t", got, explained, want, ok)
					}
					if ok && tr.Steps[len(tr.Steps)-1].Text != want.Text() {
						t.Fatalf("the steps %+v do not end at %s", tr.Steps, want.Text())
					}
				}
			}
		}
	})
}

// A board changed night by night answers as one made of the same nights at once.
func TestWithEqualsANewBoard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		b := w.board(t, w.nights)
		for sequence := range rapid.Int64Range(1, 4).Draw(t, "changes") {
			changed := map[hotel.Date]*board.Night{}
			for range rapid.IntRange(1, 3).Draw(t, "nights") {
				at := rapid.IntRange(0, len(w.nights)-1).Draw(t, "at")
				w.nights[at] = drawFacts(t, w, at)
				changed[from+hotel.Date(at)] = w.night(w.nights[at])
			}
			b = b.With(2+sequence, changed)
		}
		fresh := w.board(t, w.nights)
		if b.To() != fresh.To() {
			t.Fatalf("the board ends on %s, want %s", b.To(), fresh.To())
		}
		for in := from; in <= b.To(); in++ {
			if diff := cmp.Diff(fresh.House(in), b.House(in)); diff != "" {
				t.Fatalf("house of %s (-fresh +changed):\n%s", in, diff)
			}
			stay := hotel.Stay{CheckIn: in, CheckOut: in + 2}
			want := entries(fresh.Availability(stay, board.Every, board.Party{}, board.Asker{Seller: hotel.Seller{ID: "me"}, Today: from}, nil))
			narrow := b.Over(9, in, b.Nights[in-b.From:min(int(in-b.From)+3, len(b.Nights))]) // the check-out date counts
			if diff := cmp.Diff(want, entries(narrow.Availability(stay, board.Every, board.Party{}, board.Asker{Seller: hotel.Seller{ID: "me"}, Today: from}, nil))); diff != "" {
				t.Fatalf("rooms for %s (-whole board +its nights alone):\n%s", in, diff)
			}
			if diff := cmp.Diff(want, entries(b.Availability(stay, board.Every, board.Party{}, board.Asker{Seller: hotel.Seller{ID: "me"}, Today: from}, nil))); diff != "" {
				t.Fatalf("rooms for %s (-fresh +changed):\n%s", in, diff)
			}
		}
	})
}

package exposure

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// open is a party that was granted so many rooms and shows them.
func open(account int) Party { return Party{Account: account} }

func holder(p Party, live int) Holder {
	return Holder{Party: p, Ability: Ability{Once: true, Versions: true, Replenishes: true, Extends: true}, Level: Guaranteed, Live: live, Here: live, Most: 99}
}

// kept is a holder of totals from which nothing comes back.
func kept(p Party, live int) Holder {
	return with(holder(p, live), func(h *Holder) { h.Level, h.Total, h.Replenishes = OneWay, true, false })
}

func with(h Holder, change func(*Holder)) Holder { change(&h); return h }

// hotel is a night on which every room type sells the same rooms, one each.
func rooms(capacity, direct int, holders ...Holder) Night {
	return Night{Holders: holders, Now: noon, Keep: []int{0}, Left: func(more []int) []Left {
		left := capacity - direct - more[0]
		for _, h := range holders {
			left -= h.Granted() + h.Here
		}
		return []Left{{left, max(0, left)}}
	}}
}

// apart is a night of two room types, of so many rooms each, that share none of them.
func apart(first, second int) Night {
	other := with(holder(Party{}, 0), func(h *Holder) { h.Room, h.Share = 1, 1 })
	return Night{Holders: []Holder{holder(Party{}, 0), other}, Now: noon, Keep: []int{0, 0}, Left: func(more []int) []Left {
		return []Left{{first - more[0], max(0, first-more[0])}, {second - more[1], max(0, second-more[1])}}
	}}
}

func TestOrders(t *testing.T) {
	raised := Party{Account: 1, Raise: true, Paid: 1, RaiseLast: noon, Doing: Setting, Value: 1}
	slow := Ability{Once: true, Lifetime: time.Minute, Extends: true}
	for _, c := range []struct {
		name  string
		night Night
		want  []Order
	}{
		{"what is free is dealt by weight", rooms(4, 0, holder(Party{}, 0), holder(Party{}, 0)), []Order{{0, 2}, {1, 2}}},
		{"everybody has one before anybody has two", rooms(2, 0, with(holder(Party{}, 0), func(h *Holder) { h.Seller.Weight = 50 }), holder(Party{}, 0)), []Order{{0, 1}, {1, 1}}},
		{"priority decides who has the last", rooms(1, 0, with(holder(Party{}, 0), func(h *Holder) { h.Seller.Priority = 2 }), with(holder(Party{}, 0), func(h *Holder) { h.Seller.Priority = 1 })), []Order{{1, 1}}},
		{"who has rooms is left alone", rooms(6, 0, holder(open(1), 0), holder(open(3), 0)), nil},
		{"who has sold all is topped up", rooms(4, 0, holder(open(1), 1), holder(open(1), 0)), []Order{{0, 2}}},
		{"direct sales keep their part", with2(rooms(4, 0, holder(Party{}, 0)), func(n *Night) { n.Direct = map[int]int{0: 1} }), []Order{{0, 2}}},
		{"direct sales keep their part of their own rooms", with2(apart(4, 4), func(n *Night) { n.Direct = map[int]int{0: 1, 1: 3} }), []Order{{0, 2}, {1, 1}}},
		{"an unknown party is closed and nothing is dealt", rooms(4, 0, holder(Stranger(noon), 0), holder(Party{}, 0)), []Order{{0, 0}}},
		{"what is told once is not told again before its answer", rooms(4, 0, with(holder(Stranger(noon), 0), func(h *Holder) { h.Busy = true })), nil},
		{"closed for good: it waits for its list", rooms(4, 0, holder(Party{Account: 2, Doing: Closed, Clean: true, Since: noon}, 0)), nil},
		{"closed beside a raise that may still act: it waits", rooms(4, 0, with(holder(Party{Account: 2, Doing: Closed, Raise: true, RaiseLast: noon}, 0), func(h *Holder) { h.Ability = slow })), nil},
		{"and is told again when that is over", rooms(4, 0, with(holder(Party{Account: 2, Doing: Closed, Raise: true, RaiseLast: noon.Add(-time.Hour)}, 0), func(h *Holder) { h.Ability = slow })), []Order{{0, 0}}},
		{"drained: it is dealt to", rooms(4, 0, holder(Party{Account: 1, Doing: Drained, Clean: true}, 1)), []Order{{0, 3}}},
		{"a cancellation during the closing: closed once more", rooms(4, 0, holder(Party{Account: 2, Doing: Drained, Clean: true, Back: 1}, 1)), []Order{{0, 0}}},
		{"a raise without an answer: closed", rooms(4, 0, holder(raised, 0)), []Order{{0, 0}}},
		{"a raise beside a count that came to nothing: closed", rooms(4, 0, holder(Party{Account: 1, Raise: true, Doing: Counting}, 0)), []Order{{0, 0}}},
		{"a raise beside a count that was read, and no list: closed", rooms(4, 0, holder(Party{Account: 1, Raise: true, Doing: Counted}, 0)), []Order{{0, 0}}},
		{"a total is raised until it is known dead: left alone", rooms(4, 0, with(holder(Party{Account: 1, Raise: true, Doing: Set}, 0), func(h *Holder) { h.Total = true })), nil},
		{"a contract has ended: closed at once", rooms(4, 0, holder(open(2).Uncontracted(Ability{Once: true, Replenishes: true}, Guaranteed), 0)), []Order{{0, 0}}},
		{"a contract has ended beside a raise: closed", rooms(4, 0, holder(raised.Uncontracted(Ability{Once: true, Replenishes: true}, Guaranteed), 0)), []Order{{0, 0}}},
		{"a contract for a total has ended beside a raise: closed", rooms(4, 0, with(holder(raised.Uncontracted(Ability{Total: true, Replenishes: true}, Guaranteed), 0), func(h *Holder) { h.Total = true })), []Order{{0, 0}}},
		{"a raise on its way: left alone", rooms(4, 0, with(holder(raised, 0), func(h *Holder) { h.Busy = true })), nil},
		{"a raise without an answer where nothing comes back, and rooms are left: closed", rooms(4, 0, with(holder(raised, 0), func(h *Holder) { h.Level = OneWay })), []Order{{0, 0}}},
		{"and none are left: left alone", rooms(1, 0, with(holder(raised, 0), func(h *Holder) { h.Level = OneWay })), nil},
		{"and it may act yet: left alone", rooms(4, 0, with(holder(raised, 0), func(h *Holder) { h.Level, h.Versions = OneWay, false })), nil},
		{"and it is on its way: left alone", rooms(4, 0, with(holder(raised, 0), func(h *Holder) { h.Level, h.Busy = OneWay, true })), nil},
		{"and it is closed by now: granted of what is left", rooms(4, 0, with(holder(Party{Account: 1, Doing: Closed, Clean: true}, 0), func(h *Holder) { h.Level = OneWay })), []Order{{0, 3}}},
		{"and its closing has no answer: closed", rooms(4, 0, with(holder(Party{Account: 1, Doing: Closing}, 0), func(h *Holder) { h.Level = OneWay })), []Order{{0, 0}}},
		{"a total without an answer where nothing comes back: it is told what it has, and its part", rooms(4, 0, kept(raised, 0)), []Order{{0, 4}}},
		{"nothing to sell: closed", rooms(4, 0, with(holder(open(2), 0), func(h *Holder) { h.Most = 0 })), []Order{{0, 0}}},
		{"nothing to sell and nothing on sale: left alone", rooms(4, 0, with(holder(open(2), 2), func(h *Holder) { h.Most = 0 })), nil},
		{"nothing to sell, and somebody has put a room on sale there: closed", rooms(0, 0, with(holder(Party{Doing: Drained, Clean: true}.Overshown(1), 0), func(h *Holder) { h.Most = 0 })), []Order{{0, 0}}},
		{"it promises too little to be granted anything, and somebody has put a room on sale there: closed", rooms(0, 0, with(holder(Party{}.Overshown(1), 0), func(h *Holder) { h.Level = CloseOnly })), []Order{{0, 0}}},
		{"nothing to sell, all sold, and its closing went unanswered: closed", rooms(4, 0, with(holder(Party{Account: 3, Doing: Closing, Clean: true}, 3), func(h *Holder) { h.Most = 0 })), []Order{{0, 0}}},
		{"nothing to sell, and nobody could tell it so yet: closed", rooms(0, 0, with(holder(Stranger(noon).Risked(0, 2), 0), func(h *Holder) { h.Most = 0 })), []Order{{0, 0}}},
		{"no more than it may be shown", rooms(4, 0, with(holder(Party{}, 0), func(h *Holder) { h.Most = 3 })), []Order{{0, 3}}},
		{"its count may say more than it may be shown, what it sold has no code: closed", rooms(9, 0, with(holder(open(5), 0), func(h *Holder) { h.Strays, h.Shown, h.Most = 1, 5, 4 })), []Order{{0, 0}}},
		{"its count says no more than it may be shown, whatever sold it: left alone", rooms(9, 0, with(holder(open(5), 0), func(h *Holder) { h.Strays, h.Shown, h.Most = 1, 4, 4 })), nil},
		{"who promises too little gets nothing", rooms(4, 0, with(holder(Party{}, 0), func(h *Holder) { h.Level = BoundedRisk })), nil},
		{"unless that is accepted", rooms(4, 0, with(holder(Party{}, 0), func(h *Holder) { h.Level, h.Risk = BoundedRisk, true })), []Order{{0, 4}}},
		{"at risk, its count does not say what it has sold: closed", rooms(4, 0, with(holder(Party{Account: 3, Doing: Set}, 1), func(h *Holder) { h.Level, h.Risk, h.Loose, h.Shown = CloseOnly, true, true, 3 })), []Order{{0, 0}}},
		{"at risk, and nothing sold yet: left alone", rooms(4, 0, with(holder(Party{Account: 3, Doing: Set}, 0), func(h *Holder) { h.Level, h.Risk, h.Loose, h.Shown = CloseOnly, true, true, 3 })), nil},
		{"at risk, all sold, and an earlier raise may still act: closed", rooms(4, 0, with(holder(Party{Account: 1, Raise: true, Doing: Set}, 1), func(h *Holder) { h.Level, h.Risk = BoundedRisk, true })), []Order{{0, 0}}},
		{"who cannot be reached keeps nobody waiting where that is accepted", rooms(2, 0, with(holder(Stranger(noon).Risked(0, 2), 0), func(h *Holder) { h.Busy = true }), holder(Party{}, 0)), []Order{{1, 2}}},
		{"and is closed when it can be told so", rooms(2, 0, holder(Stranger(noon).Risked(0, 2), 0), holder(open(2), 0)), []Order{{0, 0}}},
		{"nothing comes back from it, and it was taken to have nothing: closed", rooms(2, 0, with(holder(Stranger(noon).Risked(0, 2), 0), func(h *Holder) { h.Level = OneWay })), []Order{{0, 0}}},
		{"a relay at two places: half of its part at each", rooms(4, 0, with(holder(Party{}, 0), func(h *Holder) { h.Sites = 2 })), []Order{{0, 2}}},
		{"a relay at two places: one room is not enough", rooms(1, 0, with(holder(Party{}, 0), func(h *Holder) { h.Sites = 2 })), nil},
		{"a total has what was sold in it", rooms(4, 0, with(holder(open(1), 1), func(h *Holder) { h.Total = true })), []Order{{0, 3}}},
		{"a total that was taken at its word, and a guest has cancelled: dealt to", rooms(4, 0, with(holder(Party{Account: 1, Doing: Drained, Clean: true, Back: 1}, 0), func(h *Holder) { h.Level, h.Total = OneWay, true })), []Order{{0, 4}}},
		{"a one-way total is opened again: it is told what it has", rooms(4, 1, kept(Party{Account: 3, Doing: Closed, Clean: true}, 1)), []Order{{0, 2}}},
		{"and its part of what is left", rooms(6, 0, kept(Party{Account: 3, Doing: Closed, Clean: true}, 1), holder(open(1), 0)), []Order{{0, 3}}},
		{"and nobody answered its closing", rooms(3, 0, kept(Party{Account: 3, Doing: Closing, Clean: true}, 1)), []Order{{0, 2}}},
		{"and it has refused to be opened before", rooms(3, 0, kept(Party{Account: 3}, 1)), []Order{{0, 2}}},
		{"it shows them still: left alone", rooms(3, 0, with(kept(Party{Account: 3}, 1), func(h *Holder) { h.Shown = 2 })), nil},
		{"it may be shown fewer", rooms(3, 0, with(kept(Party{Account: 3, Doing: Closed, Clean: true}, 0), func(h *Holder) { h.Most = 2 })), []Order{{0, 2}}},
		{"but an earlier raise may act yet", rooms(3, 0, with(kept(Party{Account: 3, Doing: Closed, Raise: true, RaiseLast: noon}, 0), func(h *Holder) { h.Most, h.Versions = 2, false })), nil},
		{"and there are fewer than it has: closed it stays", rooms(2, 0, kept(Party{Account: 3, Doing: Closed, Clean: true}, 1)), nil},
		{"a contract is no reason to close", rooms(4, 0, with(holder(open(2), 0), func(h *Holder) { h.Floor, h.Most, h.Doing = 2, 0, Drained })), nil},
		{"a contract has rooms to sell", rooms(4, 0, with(holder(open(2), 0), func(h *Holder) { h.Floor, h.Doing = 2, Drained })), nil},
		{"rooms out of order: a contract is closed in vain", rooms(1, 0, with(holder(open(2), 0), func(h *Holder) { h.Floor = 2 })), nil},
		{"rooms out of order: who may sell most is closed", rooms(3, 0, holder(open(2), 0), holder(open(1), 0), holder(open(2), 1)), []Order{{0, 0}}},
		{"rooms out of order: as many as it needs", rooms(1, 1, holder(open(2), 0), holder(open(1), 0)), []Order{{0, 0}, {1, 0}}},
		{"rooms out of order: what a one-way channel has does not come back", rooms(2, 0, with(holder(open(2), 0), func(h *Holder) { h.Level = OneWay }), holder(open(1), 0), holder(open(1), 0)), []Order{{0, 0}, {1, 0}, {2, 0}}},
		{"rooms out of order: a one-way channel is closed already", rooms(2, 0, with(holder(Party{Account: 2, Doing: Closed, Clean: true}, 0), func(h *Holder) { h.Level, h.Most = OneWay, 0 }), holder(open(1), 0)), []Order{{1, 0}}},
		{"a guest at the desk: a party is closed for it", with2(rooms(2, 0, holder(open(1), 0), holder(open(1), 0)), func(n *Night) { n.Keep = []int{1} }), []Order{{0, 0}}},
		{"a guest at the desk: what is drained is not dealt", with2(rooms(2, 0, holder(Party{Account: 0, Doing: Drained, Clean: true}, 0), holder(open(1), 0)), func(n *Night) { n.Keep = []int{1} }), nil},
		{"away: it cannot be told", rooms(4, 0, with(holder(open(2), 0), func(h *Holder) { h.Most, h.Away = 0, true })), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.night.Orders(); !slices.Equal(got, c.want) {
				t.Errorf("orders %v, want %v", got, c.want)
			}
		})
	}
}

func with2(n Night, change func(*Night)) Night { change(&n); return n }

// A total was closed and drained with a booking in it, which is cancelled then: the room
// is in its account, and not on sale. It is closed once more, and dealt when that is
// drained; a cancellation that the list has in it asks for nothing.
func TestADrainedTotalIsGrantedAgain(t *testing.T) {
	total := Ability{Once: true, Lifetime: time.Minute, Total: true, Extends: true}
	p, err := Party{}.Grant(2, 2, total, noon, noon)
	if err != nil {
		t.Fatal(err)
	}
	p = p.Applied(total, noon).Close(0, total, noon).Freed(total).Shut(noon).Listing(1, total, noon).Listed(1, 1, total)
	orders := func(live int) []Order {
		h := holder(p, live)
		h.Ability = total
		return rooms(2, 1, h).Orders()
	}
	if got := orders(1); p.Doing != Drained || p.Account != 1 || len(got) > 0 {
		t.Fatalf("drained it is at %+v, and is ordered %v", p, got)
	}
	p = p.Freed(total)
	if got := orders(0); !slices.Equal(got, []Order{{0, 0}}) {
		t.Fatalf("after the cancellation it is ordered %v", got)
	}
	p = p.Close(0, total, noon).Shut(noon).Listing(2, total, noon).Listed(2, 0, total)
	if got := orders(0); p.Account != 0 || !slices.Equal(got, []Order{{0, 1}}) {
		t.Errorf("drained again it is at %+v, and is ordered %v", p, got)
	}
}

// Whatever the parties are at, carrying out the orders comes to rest after a few
// rounds, never grants more than there is, and leaves nobody without a room while
// somebody could be given one.
func TestOrdersComeToRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity, direct := rapid.IntRange(0, 8).Draw(t, "capacity"), rapid.IntRange(0, 3).Draw(t, "direct")
		parties := rapid.IntRange(1, 4).Draw(t, "parties")
		left, hs := capacity-direct, []Holder{}
		for i := range parties {
			account := rapid.IntRange(0, 3).Draw(t, fmt.Sprint("account ", i))
			live := rapid.IntRange(0, account).Draw(t, fmt.Sprint("live ", i))
			p := open(account)
			if rapid.IntRange(0, 3).Draw(t, fmt.Sprint("unknown ", i)) == 0 {
				p = Stranger(noon)
			}
			h := holder(p, live)
			h.Most = rapid.SampledFrom([]int{0, 2, 99}).Draw(t, fmt.Sprint("most ", i))
			h.Seller = Seller{rapid.IntRange(0, 9).Draw(t, fmt.Sprint("weight ", i)), i}
			left -= live
			hs = append(hs, h)
		}
		at := noon
		for round := 0; ; round++ {
			if round > 20 {
				t.Fatalf("no rest: %+v", hs)
			}
			night := rooms(capacity, direct, hs...)
			night.Now = at
			orders := night.Orders()
			listed := false
			for _, o := range orders {
				h := &hs[o.Holder]
				at = at.Add(time.Second)
				if o.Show == 0 {
					h.Party = h.Close(0, h.Ability, at).Shut(at)
					continue
				}
				holdings := []Holding{}
				for _, x := range hs {
					holdings = append(holdings, Holding{x.Party, x.Live})
				}
				undealt, _ := Undealt(capacity, direct, holdings)
				p, err := h.Grant(h.Before()+o.Show, undealt, h.Ability, at, at)
				if err != nil {
					t.Fatalf("order %v of %+v: %v", o, hs, err)
				}
				h.Party = p.Applied(h.Ability, at)
			}
			for i := range hs {
				if h := &hs[i]; h.Doing == Closed {
					listed = true
					h.Party = h.Listing(int64(round+1), h.Ability, at).Listed(int64(round+1), h.Live, h.Ability)
				}
			}
			if len(orders) == 0 && !listed {
				break
			}
		}
		for i, h := range hs {
			left -= max(0, h.Account-h.Live)
			if h.Unknown || h.Most == 0 && h.Account > h.Live {
				t.Errorf("party %d rests as %+v", i, h.Party)
			}
		}
		for i, h := range hs {
			if left > 0 && h.Most > 0 && h.Account == h.Live && capacity-direct > 0 {
				t.Errorf("party %d has nothing to sell, and %d rooms are left: %+v", i, left, hs)
			}
		}
	})
}

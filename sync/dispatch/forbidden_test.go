package dispatch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/internal/testkit/race"
)

// rules are what is said of one night, field by field: a length, 1 for a closing; 0 for
// nothing.
type rules map[hotel.Field]int

// ruled are the fields that stays can be forbidden by.
var ruled = []hotel.Field{
	hotel.FieldClosed, hotel.FieldClosedToArrival, hotel.FieldClosedToDeparture, hotel.FieldMinStayArrival, hotel.FieldMinStayThrough,
	hotel.FieldMaxStayArrival, hotel.FieldMaxStayThrough, hotel.FieldMinAdvance, hotel.FieldMaxAdvance,
}

// forbids reads one field of a calendar as a guest meets it, who comes so many nights from
// the first on and stays so long. departure: what is read on every night is read on the
// morning of departure too.
func forbids(f hotel.Field, calendar []rules, in, nights int, departure bool) bool {
	out := in + nights
	at := func(night int) int {
		if night >= len(calendar) {
			return 0
		}
		return calendar[night][f]
	}
	touches := func(to int, bad func(int) bool) bool {
		for night := in; night < to; night++ {
			if v := at(night); v > 0 && bad(v) {
				return true
			}
		}
		return false
	}
	touched := out
	if departure {
		touched++
	}
	first := at(in)
	switch f {
	case hotel.FieldClosed:
		return touches(out, func(int) bool { return true })
	case hotel.FieldClosedToArrival:
		return first > 0
	case hotel.FieldClosedToDeparture:
		return at(out) > 0
	case hotel.FieldMinStayArrival:
		return nights < first
	case hotel.FieldMaxStayArrival:
		return first > 0 && nights > first
	case hotel.FieldMinStayThrough:
		return touches(touched, func(least int) bool { return nights < least })
	case hotel.FieldMaxStayThrough:
		return touches(touched, func(most int) bool { return nights > most })
	case hotel.FieldMinAdvance:
		return in < first // the calendar begins today
	case hotel.FieldMaxAdvance:
		return first > 0 && in > first
	default:
		return false
	}
}

// TestNoStayIsSoldThatTheHouseForbids: whatever is closed and limited at whatever level, and
// whatever the channel can be told of it, no stay of up to 14 nights is on sale there that the
// house forbids; and of those that the house allows and the channel turns away it is explained
// how many they are.
func TestNoStayIsSoldThatTheHouseForbids(t *testing.T) {
	lost, seeds := 0, uint64(4)
	if race.On {
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 14))
			absent := map[hotel.Field]hotel.AbsentPolicy{}
			run(t, func(b *bench) { b.lacks(r, absent) }, func(b *bench) { lost += b.sells(r, absent) })
		})
	}
	if lost < 20 {
		t.Errorf("%d stays are lost in all worlds: there is little to count", lost)
	}
}

// lacks draws what the channel can be told, and what is done about the rest.
func (b *bench) lacks(r *rand.Rand, absent map[hotel.Field]hotel.AbsentPolicy) {
	for _, f := range ruled {
		delete(b.caps.Fields, f)
		told := hotel.Carriage{As: hotel.Exact}
		if f.Group() == hotel.Lengths && r.IntN(4) == 0 {
			told.Min = 1 + r.IntN(2)
			told.Max = told.Min + 1 + r.IntN(4)
		}
		if f == hotel.FieldMinStayThrough || f == hotel.FieldMaxStayThrough {
			told.ThroughIncludesDeparture = r.IntN(3) == 0
		}
		switch n := r.IntN(5); {
		case n < 2:
			b.caps.Fields[f] = told
		case n == 2 && f != hotel.FieldClosed:
			told.As = hotel.Coarser
			b.caps.Fields[f] = told
		case n == 3:
			absent[f] = hotel.CloseNights
		}
	}
}

// closeTheHouse closes a night whose products all say that they are open.
func (b *bench) closeTheHouse(said map[[2]string][]rules) {
	night := hotel.Span{From: b.today + 9, To: b.today + 9}
	for room := range b.house.Rooms {
		for plan := range b.house.Plans {
			e := hotel.RestrictionEntry{RoomTypeID: b.house.Rooms[room].ID, RatePlanID: b.house.Plans[plan].ID, Dates: hotel.Dates{Span: night}}
			b.say(e, said, hotel.FieldClosed, 0)
		}
	}
	b.say(hotel.RestrictionEntry{Dates: hotel.Dates{Span: night}}, said, hotel.FieldClosed, 1)
}

// intent is what the house says of a product, night by night: closed is what any level
// closes, and of a length the nearest level counts that has one. A plan that is derived has
// what its parent has too, of lengths the stricter one.
func (b *bench) intent(said map[[2]string][]rules, room, plan int) []rules {
	ofRoom, ofPlan := b.house.Rooms[room].ID, b.house.Plans[plan].ID
	out := make([]rules, testkit.HorizonDays+1)
	for night := range out {
		out[night] = rules{}
		for _, level := range [][2]string{{"", ""}, {ofRoom, ""}, {"", ofPlan}, {ofRoom, ofPlan}} {
			if said[level] == nil {
				continue
			}
			for f, v := range said[level][night] {
				if f.Group() == hotel.Lengths || v > 0 {
					out[night][f] = v
				}
			}
		}
	}
	if plan == 0 {
		return out
	}
	for night, parent := range b.intent(said, room, 0) {
		for f, v := range parent {
			own := out[night][f]
			out[night][f] = max(own, v)
			if longest := f == hotel.FieldMaxStayArrival || f == hotel.FieldMaxStayThrough || f == hotel.FieldMaxAdvance; longest && own > 0 {
				out[night][f] = min(own, v)
			}
		}
	}
	return out
}

// onSale is what the far side shows of a product, night by night.
func (b *bench) onSale(room, plan int) []rules {
	out := make([]rules, testkit.HorizonDays+1)
	flag := map[bool]int{true: 1}
	for night := range out {
		key := connectors.Key{Room: b.house.RemoteRoom(room), Group: hotel.Availability, Night: b.today + hotel.Date(night)}
		rooms := b.far.shows(key).Available
		key.Rate, key.Group = b.house.RemoteRate(plan), hotel.Closures
		closed := b.far.shows(key).Closed
		key.Group = hotel.Lengths
		l := b.far.shows(key).Lengths
		out[night] = rules{
			hotel.FieldClosed: flag[closed.Closed || rooms == 0], hotel.FieldClosedToArrival: flag[closed.Arrival], hotel.FieldClosedToDeparture: flag[closed.Departure],
			hotel.FieldMinStayArrival: l.MinStayArrival, hotel.FieldMinStayThrough: l.MinStayThrough, hotel.FieldMaxStayArrival: l.MaxStayArrival,
			hotel.FieldMaxStayThrough: l.MaxStayThrough, hotel.FieldMinAdvance: l.MinAdvance, hotel.FieldMaxAdvance: l.MaxAdvance,
		}
	}
	return out
}

// explainedLosses adds up what the nights of a product are explained to cost.
func (b *bench) explainedLosses(w *Worker, room, plan, nights int) (stays int) {
	b.t.Helper()
	for night := range nights {
		x, err := w.Explain(context.Background(), hotel.ExplainQuery{
			ChannelID: channel, RoomTypeID: b.house.Rooms[room].ID, RatePlanID: b.house.Plans[plan].ID, Night: b.today + hotel.Date(night),
		})
		if err != nil {
			b.t.Fatal(err)
		}
		for _, n := range x.Numbers {
			for _, s := range n.Steps {
				lost := 0
				if _, err := fmt.Sscanf(s.By, "turns away %d stays of up to 14 nights", &lost); err == nil {
					stays += lost
				}
			}
		}
	}
	return stays
}

// sells says this and that of the nights, and compares what is on sale at the channel.
func (b *bench) sells(r *rand.Rand, absent map[hotel.Field]hotel.AbsentPolicy) (lost int) {
	b.t.Helper()
	if err := b.ldg.KeepTerms(context.Background(), channel, b.caps.Terms); err != nil {
		b.t.Fatal(err)
	}
	for room := range b.house.Rooms {
		b.house.Price(b.t, b.ldg, room, hotel.Span{From: b.today + testkit.HorizonDays, To: b.today + testkit.HorizonDays}, 10000)
	}
	b.change(func(c *hotel.Channel) { c.Policies.Absent = absent })
	said := map[[2]string][]rules{} // by room type and plan, "" for all of them
	for range 40 {
		b.restrictAnything(r, said)
	}
	b.closeTheHouse(said)
	b.rest()
	explainer, counted := New(b.worker.Options), r.IntN(len(b.house.Rooms)) // to explain every night takes long
	for room := range b.house.Rooms {
		for plan := range b.house.Plans {
			house, shown := b.intent(said, room, plan), b.onSale(room, plan)
			turnedAway := 0
			for in := range house {
				for nights := 1; nights <= 14 && in+nights <= len(house); nights++ {
					sold, allowed, kept := true, true, true // kept: by the fields that are not the hotel's to keep there
					for _, f := range ruled {
						sold = sold && !forbids(f, shown, in, nights, b.caps.Fields[f].ThroughIncludesDeparture)
						if forbids(f, house, in, nights, false) {
							allowed = false
							kept = kept && f != hotel.FieldClosed && b.caps.Fields[f].As == hotel.Absent && absent[f] != hotel.CloseNights
						}
					}
					if sold && !kept {
						b.t.Fatalf("%d nights from day %d of %s are on sale\nhouse %v\nshown %v\ntold by %+v", nights, in, b.house.RemoteRoom(room), house, shown, b.caps.Fields)
					}
					if allowed && !sold {
						turnedAway++
					}
				}
			}
			if room != counted {
				continue
			}
			if n := b.explainedLosses(explainer, room, plan, len(house)); n != turnedAway {
				b.t.Errorf("of %s, plan %d, the channel turns away %d stays, and %d are explained\nhouse %v\nshown %v", b.house.RemoteRoom(room), plan, turnedAway, n, house, shown)
			}
			lost += turnedAway
		}
	}
	return lost
}

// restrictAnything says something of some nights at one of the levels, and notes it.
func (b *bench) restrictAnything(r *rand.Rand, said map[[2]string][]rules) {
	b.t.Helper()
	e := hotel.RestrictionEntry{}
	if r.IntN(2) == 0 {
		e.RoomTypeID = b.house.Rooms[r.IntN(len(b.house.Rooms))].ID
	}
	if r.IntN(2) == 0 {
		e.RatePlanID = b.house.Plans[r.IntN(len(b.house.Plans))].ID
	}
	first := r.IntN(testkit.HorizonDays - 2)
	e.Span = hotel.Span{From: b.today + hotel.Date(first), To: b.today + hotel.Date(first+r.IntN(3))}
	most := map[hotel.Field]int{
		hotel.FieldMinStayArrival: 4, hotel.FieldMinStayThrough: 4, hotel.FieldMaxStayArrival: 7, hotel.FieldMaxStayThrough: 7, hotel.FieldMinAdvance: 20, hotel.FieldMaxAdvance: 20,
	}
	f := ruled[r.IntN(len(ruled))]
	v := r.IntN(2)
	if n := most[f]; n > 0 {
		v = 1 + r.IntN(n)
	}
	b.say(e, said, f, v)
}

// say says one field of the nights of an entry, and notes it.
func (b *bench) say(e hotel.RestrictionEntry, said map[[2]string][]rules, f hotel.Field, v int) {
	b.t.Helper()
	switch flag, number := hotel.Given(v > 0), hotel.Given(v); f {
	case hotel.FieldClosed:
		e.Closed = flag
	case hotel.FieldClosedToArrival:
		e.ClosedToArrival = flag
	case hotel.FieldClosedToDeparture:
		e.ClosedToDeparture = flag
	case hotel.FieldMinStayArrival:
		e.MinStayArrival = number
	case hotel.FieldMinStayThrough:
		e.MinStayThrough = number
	case hotel.FieldMaxStayArrival:
		e.MaxStayArrival = number
	case hotel.FieldMaxStayThrough:
		e.MaxStayThrough = number
	case hotel.FieldMinAdvance:
		e.MinAdvance = number
	case hotel.FieldMaxAdvance:
		e.MaxAdvance = number
	case hotel.FieldAvailable, hotel.FieldAmount:
	}
	update := hotel.RestrictionUpdate{PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{e}}
	if _, _, err := b.ldg.UpdateRestrictions(context.Background(), testkit.Tester, hotel.Once{}, update); err != nil {
		if _, refused := errors.AsType[*hotel.Refusal](err); refused {
			return // a shortest stay that is longer than the longest
		}
		b.t.Fatal(err)
	}
	of := [2]string{e.RoomTypeID, e.RatePlanID}
	if said[of] == nil {
		said[of] = make([]rules, testkit.HorizonDays+1)
	}
	for night := e.From; night <= e.To; night++ {
		at := &said[of][night-b.today]
		if *at == nil {
			*at = rules{}
		}
		(*at)[f] = v
	}
}

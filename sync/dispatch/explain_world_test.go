package dispatch

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// answers are what explanations of a span end at: by product, night, field and guests.
type answers map[string]string

// explainAll explains every product on some nights, as of an entry of the journal; 0: now.
// It returns what each number ends at and, of the present, what the far side shows of it
// where it is told it as it is.
func (b *bench) explainAll(nights hotel.Span, asOf int64) (ends, shown answers, sequence int64) {
	b.t.Helper()
	ends, shown = answers{}, answers{}
	for room := range b.house.Rooms {
		for plan := range b.house.Plans {
			for night := nights.From; night <= nights.To; night++ {
				x, err := New(b.worker.Options).Explain(context.Background(), hotel.ExplainQuery{
					ChannelID: channel, RoomTypeID: b.house.Rooms[room].ID, RatePlanID: b.house.Plans[plan].ID, Night: night, AsOf: hotel.AsOf{Sequence: asOf},
				})
				if err != nil {
					b.t.Fatal(err)
				}
				sequence = x.Sequence
				for _, n := range x.Numbers {
					if b.caps.Fields[n.Field].As != hotel.Exact {
						continue
					}
					at := fmt.Sprintf("%d %d %s %s %d", room, plan, night, n.Field, n.Occupancy)
					if ends[at] = n.Result().Text; n.Field == hotel.FieldAvailable {
						ends[at] = strconv.Itoa(n.Result().Count)
					}
					if asOf > 0 {
						b.endsAtWanted(x, n, at, ends[at])
						continue
					}
					key := connectors.Key{Room: b.house.RemoteRoom(room), Group: n.Group, Night: night}
					if n.Group != hotel.Availability {
						key.Rate = b.house.RemoteRate(plan)
					}
					if n.Group == hotel.Price && n.Occupancy != b.house.Rooms[room].BaseOccupancy {
						key.Occupancy = n.Occupancy
					}
					o := b.far.shows(key)
					shown[at] = ofField(n.Field, hotel.GroupSight{Desired: &hotel.ShownFact{Value: o}})
				}
			}
		}
	}
	return ends, shown, sequence
}

// endsAtWanted holds a number of the past to what is said to have been wanted of it then.
func (b *bench) endsAtWanted(x hotel.Explanation, n hotel.Explained, at, end string) {
	b.t.Helper()
	for _, g := range x.Groups {
		if g.Group != n.Group || n.Group == hotel.Price && g.Occupancy != n.Occupancy || g.Desired == nil {
			continue
		}
		if wanted := ofField(n.Field, g); wanted != end {
			b.t.Errorf("as of %d %s is explained as %s; wanted is said to have been %s", x.Sequence, at, end, wanted)
		}
	}
}

// TestWhatIsExplainedIsWhatIsPushed: in worlds made by chance, at channels that lack this or
// that, every number of every product and night is explained as the far side shows it.
func TestWhatIsExplainedIsWhatIsPushed(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 10))
			run(t, func(b *bench) { b.crippled(r) }, func(b *bench) {
				if err := b.ldg.KeepTerms(context.Background(), channel, b.caps.Terms); err != nil {
					t.Fatal(err)
				}
				b.rest()
				for range 2 {
					for range 12 {
						b.anyFact(r)
					}
					b.rest()
					ends, shown, _ := b.explainAll(hotel.Span{From: b.today, To: b.today + 9}, 0)
					if len(ends) < 200 {
						t.Fatalf("%d numbers are explained", len(ends))
					}
					for at, want := range shown {
						if ends[at] != want {
							t.Errorf("%s is explained as %s and shown as %s", at, ends[at], want)
						}
					}
				}
			})
		})
	}
}

// TestThePastDiffersOnlyWhereAnEntryActs: as of each entry of the journal everything is
// explained as it was before it, but for what the fact behind the entry is about.
func TestThePastDiffersOnlyWhereAnEntryActs(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.rest()
		nights := hotel.Span{From: b.today, To: b.today + 5}
		moved := 0
		last, _, sequence := b.explainAll(nights, 0)
		for i, fact := range []struct {
			name string
			room int        // -1: any
			span hotel.Span // in days from today
			does func(hotel.Span)
		}{
			{"a limit", 2, hotel.Span{From: 1, To: 2}, func(s hotel.Span) {
				b.house.Stock(t, b.ldg, 2, s, hotel.InventoryEntry{SellLimit: hotel.Given(1)})
			}},
			{"prices", 0, hotel.Span{From: 2, To: 4}, func(s hotel.Span) { b.house.Price(t, b.ldg, 0, s, 15500) }},
			{"a booking", -1, hotel.Span{From: 3, To: 3}, func(s hotel.Span) {
				_, _, err := b.ldg.CreateReservation(context.Background(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
					PropertyID: b.house.Property.ID, RoomTypeID: b.house.Rooms[0].ID, RatePlanID: b.house.Plans[0].ID,
					Stay: hotel.Stay{CheckIn: s.From, CheckOut: s.To + 1}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
				})
				if err != nil {
					t.Fatal(err)
				}
			}},
			{"a restriction", 1, hotel.Span{From: 0, To: 1}, func(s hotel.Span) {
				e := hotel.RestrictionEntry{RoomTypeID: b.house.Rooms[1].ID, Dates: hotel.Dates{Span: s}, Closed: hotel.Given(true), MinStayArrival: hotel.Given(2)}
				if _, _, err := b.ldg.UpdateRestrictions(context.Background(), testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{e}}); err != nil {
					t.Fatal(err)
				}
			}},
		} {
			fact.does(hotel.Span{From: b.today + fact.span.From, To: b.today + fact.span.To})
			b.rest()
			now, _, through := b.explainAll(nights, 0)
			before, acted := last, 0
			for s := sequence + 1; s <= through; s++ {
				then, _, _ := b.explainAll(nights, s)
				for at := range merged(before, then) {
					if before[at] == then[at] {
						continue
					}
					acted++
					var room, plan int
					var night hotel.Date
					if night = b.nightOf(at, &room, &plan); fact.room >= 0 && room != fact.room || night < b.today+fact.span.From || night > b.today+fact.span.To {
						t.Errorf("fact %d, %s: entry %d makes %s %q, which was %q", i, fact.name, s, at, then[at], before[at])
					}
				}
				before = then
			}
			if acted == 0 {
				t.Errorf("%s moved nothing in %d entries", fact.name, through-sequence)
			}
			if !maps.Equal(before, now) {
				t.Errorf("behind its entries %s is not explained as it is now", fact.name)
			}
			last, sequence, moved = now, through, moved+acted
		}
		if moved < 10 {
			t.Errorf("%d numbers moved", moved)
		}
	})
}

// nightOf reads the place of an answer.
func (b *bench) nightOf(at string, room, plan *int) hotel.Date {
	b.t.Helper()
	var night string
	if _, err := fmt.Sscanf(at, "%d %d %s", room, plan, &night); err != nil {
		b.t.Fatal(err)
	}
	d, err := hotel.ParseDate(night)
	if err != nil {
		b.t.Fatal(err)
	}
	return d
}

// merged is the places of either.
func merged(a, b answers) answers {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

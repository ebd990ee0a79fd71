package dispatch

import (
	"context"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// at sleeps until a local time of the day and lets the clock tick then.
func (b *bench) at(night hotel.Date, hour, minute int) {
	b.t.Helper()
	time.Sleep(time.Until(night.At(hour, minute, b.house.Property.Zone())))
	if err := b.ldg.Tick(context.Background()); err != nil {
		b.t.Fatal(err)
	}
}

// change changes the channel, and has a worker follow that knows of it.
func (b *bench) change(edit func(*hotel.Channel)) {
	b.t.Helper()
	_, _, err := b.ldg.ChangeChannel(context.Background(), testkit.Tester, hotel.Once{}, channel, 0, func(c *hotel.Channel) error {
		edit(c)
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.stop()
	if err := b.ldg.Close(); err != nil {
		b.t.Fatal(err)
	}
	b.open()
}

func TestACutOffIsSentAtItsMinute(t *testing.T) {
	for _, c := range []struct {
		name    string
		arrival bool // the channel can be told that a night is closed to arrivals
	}{{"as closed to arrival", true}, {"as closed, where that cannot be told", false}} {
		t.Run(c.name, func(t *testing.T) {
			run(t, func(b *bench) {
				if !c.arrival {
					delete(b.caps.Fields, hotel.FieldClosedToArrival)
				}
			}, func(b *bench) {
				b.change(func(c *hotel.Channel) { c.CutOff = &hotel.CutOff{Time: "18:00"} })
				b.rest()
				k := b.suiteRate(hotel.Closures, b.today)
				shut := func() bool { o := b.far.shows(k).Closed; return o.Arrival == c.arrival && o.Closed == !c.arrival }
				b.at(b.today, 17, 59)
				b.rest()
				if shut() {
					t.Fatal("closed before the cut-off")
				}
				b.at(b.today, 18, 0)
				time.Sleep(collect / 2) // closings wait for nothing
				if !shut() {
					t.Errorf("%+v is shown at the cut-off", b.far.shows(k).Closed)
				}
				if o := b.far.shows(b.suiteRate(hotel.Closures, b.today+1)).Closed; o != (hotel.Closed{}) {
					t.Errorf("%+v is shown for the next arrival", o)
				}
			})
		})
	}
}

// A channel that can be told of nothing but rooms shows none from the cut-off on, and
// the explanation says that this is why.
func TestACutOffIsToldAsNoRooms(t *testing.T) {
	run(t, func(b *bench) {
		for _, f := range []hotel.Field{hotel.FieldClosed, hotel.FieldClosedToArrival, hotel.FieldClosedToDeparture} {
			delete(b.caps.Fields, f)
		}
	}, func(b *bench) {
		if err := b.ldg.KeepTerms(context.Background(), channel, b.caps.Terms); err != nil {
			t.Fatal(err)
		}
		b.change(func(c *hotel.Channel) { c.CutOff = &hotel.CutOff{Time: "18:00"} })
		at := func(minute int) (shown int, steps map[string]hotel.Step) {
			b.at(b.today, 17+minute/60, minute%60)
			b.rest()
			x, err := b.worker.Explain(context.Background(), hotel.ExplainQuery{
				ChannelID: channel, RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Night: b.today,
			})
			if err != nil {
				t.Fatal(err)
			}
			steps = map[string]hotel.Step{}
			for _, n := range x.Numbers {
				for _, s := range n.Steps {
					if n.Field == hotel.FieldAvailable {
						steps[s.Name] = s
					}
				}
			}
			return b.far.shows(b.suiteKey(b.today)).Available, steps
		}
		if shown, steps := at(59); shown == 0 || steps["cut_off"].By != "" || steps["cut_off"].Count != shown {
			t.Errorf("before the cut-off %d are shown, because of %+v", shown, steps["cut_off"])
		}
		if shown, steps := at(60); shown != 0 || steps["cut_off"].By == "" || steps["cut_off"].Count != 0 || steps["closed"].By != "" {
			t.Errorf("at the cut-off %d are shown, because of %+v and %+v", shown, steps["cut_off"], steps["closed"])
		}
		if n := b.far.shows(b.suiteKey(b.today + 1)).Available; n == 0 {
			t.Error("the next arrival is closed as well")
		}
	})
}

func TestMidnightBringsANightAndTakesOne(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.at(b.today, 12, 0)
		b.rest()
		fresh := b.today + testkit.HorizonDays + 1
		b.house.Price(t, b.ldg, 2, hotel.Span{From: fresh - 1, To: fresh - 1}, 10000)
		b.rest()
		k := connectors.Key{Room: b.house.RemoteRoom(2), Group: hotel.Availability, Night: fresh}
		if b.far.shows(k).Available != 0 {
			t.Fatal("a night behind the horizon is sold")
		}
		n := b.rest()
		b.at(b.today+1, 0, 0)
		b.suites(b.today, 1) // yesterday's by now
		b.rest()
		time.Sleep(time.Minute)
		if b.far.shows(k).Available == 0 {
			t.Error("the night that has come within the horizon is not sold")
		}
		for _, call := range b.far.since(n) {
			for _, sent := range call.Keys {
				if sent.Night < b.today+1 {
					t.Errorf("%+v is over, and was sent", sent)
				}
			}
		}
	})
}

func TestAdvanceDaysThatCannotBeToldCloseDayByDay(t *testing.T) {
	run(t, func(b *bench) { b.caps.Fields[hotel.FieldMinAdvance] = hotel.Carriage{As: hotel.Coarser} }, func(b *bench) {
		b.at(b.today, 12, 0)
		_, _, err := b.ldg.UpdateRestrictions(context.Background(), testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{
			PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{{
				Dates:      hotel.Dates{Span: hotel.Span{From: b.today, To: b.today + 20}},
				MinAdvance: hotel.Given(2),
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for day := range hotel.Date(3) {
			b.rest()
			for night := b.today + day; night < b.today+10; night++ {
				want := night-(b.today+day) < 2
				if got := b.far.shows(b.suiteRate(hotel.Closures, night)).Closed.Arrival; got != want {
					t.Errorf("on %s, arrivals of %s are closed: %t, want %t", b.today+day, night, got, want)
				}
			}
			b.at(b.today+day+1, 0, 0)
		}
	})
}

// A far side that refuses a call with a night that is over is told none, though calls
// wait for their turn across midnight: a refusal would be of all nights of the call.
func TestACallThatWaitsAcrossMidnightLosesTheNightThatIsOver(t *testing.T) {
	run(t, func(b *bench) {
		b.caps.Buckets = []connectors.Bucket{{Operation: opRates, Scope: connectors.PerProperty, N: 1, Per: time.Minute}}
	}, func(b *bench) {
		b.at(b.today, 12, 0)
		b.rest()
		b.at(b.today, 23, 59)
		time.Sleep(20 * time.Second)
		b.price(b.today+20, 11000) // takes the turn
		time.Sleep(30 * time.Second)
		n := b.far.count()
		b.house.Price(t, b.ldg, 2, hotel.Span{From: b.today, To: b.today + 5}, 12000) // waits for the next
		time.Sleep(5 * time.Second)
		if b.far.count() != n {
			t.Fatal("the prices did not wait")
		}
		b.rest()
		for _, call := range b.far.since(n) {
			today := b.house.Property.Today(call.at)
			for _, k := range call.Keys {
				if k.Night < today {
					t.Errorf("at %s a call leaves with %+v, which is over", call.at, k)
				}
			}
		}
		if o := b.far.shows(b.suiteRate(hotel.Price, b.today+5)); o.Amount.Minor != 12000 {
			t.Errorf("a night to come is shown at %d, want 12000", o.Amount.Minor)
		}
	})
}

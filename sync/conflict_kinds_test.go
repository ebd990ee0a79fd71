package sync_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"ostler.example/hotel"
	hotelstay "ostler.example/hotel/stay"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// disputed is a hotel with two simulated channels in which conflicts come about.
type disputed struct {
	*pained
	night hotel.Date
	p     hotel.Policies
}

// say adds to the policies of the house.
func (d *disputed) say(change func(*hotel.Policies)) {
	d.t.Helper()
	change(&d.p)
	d.property(func(of *hotel.Property) { of.Policies = d.p })
}

func (d *disputed) property(change func(*hotel.Property)) {
	d.t.Helper()
	_, _, err := d.ldg.ChangeProperty(d.t.Context(), testkit.Tester, hotel.Once{}, d.house.Property.ID, hotel.Change[hotel.Property]{Apply: func(of *hotel.Property) error {
		change(of)
		return nil
	}})
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *disputed) suites(e hotel.InventoryEntry) {
	d.house.Stock(d.t, d.ldg, suite, hotel.Span{From: d.night, To: d.night}, e)
	d.pass(10 * time.Second)
}

// both has the last room of the night sold by each channel before either has heard.
func (d *disputed) both() {
	d.sell(d.a, d.wish(suite, 0, d.night))
	d.sell(d.b, d.wish(suite, 0, d.night))
	d.pass(2 * time.Minute)
}

// arrived is a guest of the first channel who is in the house.
func (d *disputed) arrived() testkit.Booking {
	q := d.wish(suite, 0, d.first)
	q.CheckOut = d.first + 3
	b := d.sell(d.a, q)
	d.pass(2 * time.Minute)
	if _, _, err := d.ldg.StepReservation(d.t.Context(), testkit.Tester, hotel.Once{}, d.kept()[0].ID, hotelstay.CheckIn, hotel.StepRequest{}); err != nil {
		d.t.Fatal(err)
	}
	return b
}

// edits has somebody type a price into the extranet of the first channel.
func (d *disputed) edits(price string) {
	d.a.Type(d.t, testkit.Edit{Room: d.house.RemoteRoom(suite), Rate: d.house.RemoteRate(0), From: d.night, To: d.night, Price: &price})
}

// message hands over what the inbound part has read of a message that the simulators
// never write.
func (d *disputed) message(event, revision string, rooms ...string) {
	d.t.Helper()
	r := ledger.Receipt{
		ChannelID: "a", Key: event + revision, Ref: "B", Revision: revision, Event: event, At: time.Now(), Order: hotel.OrderRevisionNumber,
		Booking: hotel.ChannelBooking{Guest: &hotel.Guest{LastName: "Guest"}},
	}
	for _, ref := range rooms {
		r.Booking.Rooms = append(r.Booking.Rooms, hotel.ChannelRoom{
			Ref: ref, Room: d.house.RemoteRoom(0), Rate: d.house.RemoteRate(0), Stay: hotel.Stay{CheckIn: d.night, CheckOut: d.night + 1}, Adults: 2,
		})
	}
	if _, err := d.ldg.Receive(d.t.Context(), r); err != nil {
		d.t.Fatal(err)
	}
}

// comesAbout says how each kind of conflict comes about between the engine and the
// simulated channels.
var comesAbout = map[hotel.ConflictKind]func(*disputed){
	hotel.ConflictOversell: func(d *disputed) {
		d.suites(hotel.InventoryEntry{Total: hotel.Given(1)})
		d.both()
	},
	hotel.ConflictPlanned: func(d *disputed) {
		d.suites(hotel.InventoryEntry{Total: hotel.Given(1), Overbooking: hotel.Given(1)})
		d.both()
	},
	hotel.ConflictExposed: func(d *disputed) {
		d.suites(hotel.InventoryEntry{Total: hotel.Given(2)})
		d.net.Serve(context.Background(), d.a.Host, nil)
		d.sell(d.b, d.wish(suite, 0, d.night))
		d.pass(13 * time.Minute)
	},
	hotel.ConflictSoldBeforeClose: func(d *disputed) {
		d.sell(d.a, d.wish(suite, 0, d.night))
		d.pass(25 * time.Second)
		d.suites(hotel.InventoryEntry{Closed: hotel.Given(true)})
		d.pass(2 * time.Minute)
	},
	hotel.ConflictDrift: func(d *disputed) {
		d.say(func(p *hotel.Policies) {
			p.Drift = map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.AskOwner}
		})
		d.edits("55.00")
		d.readBack()
	},
	hotel.ConflictAllotment: func(d *disputed) {
		d.a.Acquire(d.t, testkit.Habits{Promised: 2})
		d.suites(hotel.InventoryEntry{SellLimit: hotel.Given(0)})
		for range 4 {
			d.readBack()
		}
	},
	hotel.ConflictUnmapped: func(d *disputed) {
		d.sell(d.a, d.wish(suite, 1, d.night)) // and before it is read, somebody takes the rate away
		known := slices.DeleteFunc(d.house.Mappings(), func(m hotel.Mapping) bool { return m.RemoteRate == d.house.RemoteRate(1) })
		d.mapped("a", known)
		d.pass(2 * time.Minute)
	},
	hotel.ConflictDuplicate: func(d *disputed) {
		q := d.wish(suite, 0, d.night)
		q.FirstName, q.LastName = "Ann", "Lee"
		d.sell(d.a, q)
		d.sell(d.b, q)
		d.pass(2 * time.Minute)
	},
	hotel.ConflictStale: func(d *disputed) {
		d.message("booked", "1", "1")
		d.message("modified", "", "1")
	},
	hotel.ConflictGroupShrink: func(d *disputed) {
		d.message("booked", "1", "1", "2", "3")
		d.message("modified", "2", "1")
	},
	hotel.ConflictRejected: func(d *disputed) {
		d.a.Plant(d.t, testkit.Fault{Kind: testkit.Reject})
		d.house.Price(d.t, d.ldg, suite, hotel.Span{From: d.night, To: d.night}, 12345)
		d.pass(10 * time.Second)
	},
	hotel.ConflictCredentials: func(d *disputed) {
		d.net.Serve(context.Background(), d.a.Host, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
		d.pass(2 * time.Minute)
	},
	hotel.ConflictPriceGuard: func(d *disputed) {
		_, _, err := d.ldg.ChangeChannel(d.t.Context(), testkit.Tester, hotel.Once{}, "a", 0, func(c *hotel.Channel) error {
			c.Pricing.Guard = hotel.PriceGuard{Floor: &hotel.Money{Minor: 5000, Currency: "EUR"}}
			return nil
		})
		if err != nil {
			d.t.Fatal(err)
		}
		d.pass(10 * time.Second)
		d.house.Price(d.t, d.ldg, suite, hotel.Span{From: d.night, To: d.night}, 777)
		d.pass(10 * time.Second)
	},
	hotel.ConflictMissingPrice: func(d *disputed) {
		e := d.house.PriceEntry(suite, hotel.Span{From: d.night, To: d.night}, 0)
		e.Amount, e.Occupancies = hotel.Optional[hotel.Money]{Set: true, Null: true}, nil
		if _, _, err := d.ldg.UpdateRates(d.t.Context(), testkit.Tester, hotel.Once{}, hotel.RateUpdate{PropertyID: d.house.Property.ID, Source: "api", Entries: []hotel.RateEntry{e}}); err != nil {
			d.t.Fatal(err)
		}
		d.pass(2 * time.Minute)
	},
	hotel.ConflictMismatch: func(d *disputed) {
		d.a.Acquire(d.t, testkit.Habits{RoundTo: 5000})
		d.house.Price(d.t, d.ldg, suite, hotel.Span{From: d.night, To: d.night}, 12000)
		d.pass(20 * time.Minute)
		d.sell(d.a, d.wish(suite, 0, d.night))
		d.pass(2 * time.Minute)
	},
	hotel.ConflictBlastRadius: func(d *disputed) {
		d.say(func(p *hotel.Policies) { p.BlastRadius = &hotel.BlastRadiusPolicy{Cells: 5} })
		d.pass(10 * time.Second)
		d.house.Price(d.t, d.ldg, suite, hotel.Span{From: d.night, To: d.night + 9}, 90)
		d.pass(10 * time.Second)
	},
	hotel.ConflictUnread: func(d *disputed) {
		d.a.Plant(d.t, testkit.Fault{Kind: testkit.Garble})
		d.sell(d.a, d.wish(suite, 0, d.night))
		d.pass(2 * time.Minute)
	},
	hotel.ConflictReported: func(d *disputed) {
		if err := d.ldg.Report(d.t.Context(), "a", hotel.ChannelReport{Code: "sync_error", Of: "Locanda Online"}); err != nil {
			d.t.Fatal(err)
		}
	},
	hotel.ConflictCancelAsked: func(d *disputed) {
		d.sell(d.a, d.wish(suite, 0, d.night))
		d.pass(2 * time.Minute)
		d.a.Plant(d.t, testkit.Fault{Kind: testkit.Reject})
		if _, _, err := d.ldg.CancelReservation(d.t.Context(), testkit.Tester, hotel.Once{}, d.kept()[0].ID, hotel.CancelRequest{Reason: "repairs"}); err != nil {
			d.t.Fatal(err)
		}
		d.pass(10 * time.Second)
	},
	hotel.ConflictCancelledInHouse: func(d *disputed) {
		d.cancel(d.a, d.arrived().Reference)
		d.pass(2 * time.Minute)
	},
	hotel.ConflictLateModification: func(d *disputed) {
		b := d.arrived()
		_, err := d.a.Book().Modify(testkit.Request{
			Reference: b.Reference, Room: d.house.RemoteRoom(0), Rate: b.Rate, CheckIn: b.CheckIn, CheckOut: b.CheckOut, Adults: 2, LastName: "Guest",
		})
		if err != nil {
			d.t.Fatal(err)
		}
		d.pass(2 * time.Minute)
	},
	hotel.ConflictOverstay: func(d *disputed) {
		d.property(func(of *hotel.Property) { of.StayRecording = hotel.Recorded })
		r, _, err := d.ldg.CreateReservation(d.t.Context(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
			PropertyID: d.house.Property.ID, RoomTypeID: d.house.Rooms[suite].ID, RatePlanID: d.house.Plans[0].ID,
			Stay: hotel.Stay{CheckIn: d.first, CheckOut: d.first + 1}, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
		})
		if err != nil {
			d.t.Fatal(err)
		}
		if _, _, err := d.ldg.StepReservation(d.t.Context(), testkit.Tester, hotel.Once{}, r.ID, hotelstay.CheckIn, hotel.StepRequest{}); err != nil {
			d.t.Fatal(err)
		}
		d.sleeps(48 * time.Hour)
	},
	hotel.ConflictBlockDue: func(d *disputed) {
		_, _, err := d.ldg.CreateBlock(d.t.Context(), testkit.Tester, hotel.Once{}, hotel.Block{
			PropertyID: d.house.Property.ID, Name: "fair", BlockStatus: hotel.Definite, ReleaseOn: new(d.first + 4),
			Lines: []hotel.BlockLine{{RoomTypeID: d.house.Rooms[suite].ID, DateFrom: d.first + 10, DateTo: d.first + 10, Units: 1}},
		})
		if err != nil {
			d.t.Fatal(err)
		}
		d.sleeps(24 * time.Hour)
	},
}

// sleeps lets much time go by in large steps.
func (d *disputed) sleeps(long time.Duration) {
	d.t.Helper()
	(&kinds{pained: d.pained}).sleeps(long)
}

// newest returns the newest conflict of a kind.
func (d *disputed) newest(k hotel.ConflictKind) hotel.Conflict {
	d.t.Helper()
	list, err := d.ldg.Conflicts(d.t.Context(), hotel.ConflictFilter{PropertyID: d.house.Property.ID, Kinds: []hotel.ConflictKind{k}, Limit: 100})
	if err != nil || len(list) == 0 {
		d.t.Fatalf("nobody raised %s (%v)", k, err)
	}
	return list[0]
}

func alreadyResolved(err error) bool {
	r, refused := errors.AsType[*hotel.Refusal](err)
	return refused && r.Code == "conflict_already_resolved"
}

// TestEveryConflictComesAboutBehindSimulators: each kind of conflict is raised by the engine
// beside simulated channels, decided by hand and by the policy that there is, and decided
// otherwise by nobody after that. A kind that nobody raises here fails the test.
func TestEveryConflictComesAboutBehindSimulators(t *testing.T) {
	for _, k := range hotel.ConflictKinds() {
		raise := comesAbout[k]
		if raise == nil {
			t.Errorf("nobody raises %s", k)
			continue
		}
		story := func(name string, tell func(*disputed)) {
			t.Run(string(k)+" "+name, func(t *testing.T) {
				hurts(t, func(p *pained) { tell(&disputed{pained: p, night: p.first + 3}) })
			})
		}
		story("by hand", func(d *disputed) {
			raise(d)
			c := d.newest(k)
			if c.Status != hotel.ConflictOpen || c.Applied == nil {
				d.t.Fatalf("raised %+v", c)
			}
			options := hotel.ConflictOptions(k)
			take := slices.IndexFunc(options, hotel.ConflictOption.Unaided)
			decide := func(option string) (hotel.Conflict, error) {
				done, _, err := d.ldg.ResolveConflict(d.t.Context(), testkit.Tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: option})
				return done, err
			}
			if done, err := decide(options[take].Option); err != nil || done.Status != hotel.ConflictResolved || done.DecidedBy != "operator:tester" {
				d.t.Fatalf("decided %+v, %v", done, err)
			}
			for i, o := range options {
				if _, err := decide(o.Option); i != take && !alreadyResolved(err) {
					d.t.Errorf("then %s: %v", o.Option, err)
				}
			}
		})
		for i, option := range hotel.PolicyOptions(k) {
			story("by policy "+strconv.Itoa(i), func(d *disputed) {
				d.say(func(p *hotel.Policies) { p.Conflicts = map[hotel.ConflictKind]string{k: option} })
				raise(d)
				d.pass(10 * time.Second)
				if c := d.newest(k); c.DecidedBy != hotel.ByPolicy || c.Applied.Level != "property" || c.Applied.Field != string(k) || c.Resolution.Option != option {
					d.t.Errorf("decided %+v because of %+v", c, c.Applied)
				}
			})
		}
	}
}

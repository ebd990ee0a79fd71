package ledger

import (
	"context"
	"encoding/json"
	"maps"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// inbox is a house with a channel in which conflicts are raised.
type inbox struct {
	*house
	f *farSide
	p hotel.Policies
}

// asks adds to the policies of the house, before or after it has conflicts.
func (b *inbox) asks(t *testing.T, change func(*hotel.Policies)) {
	t.Helper()
	change(&b.p)
	b.policies(t, b.p)
}

// full has the doubles of a night sold, and so many more rooms.
func (b *inbox) full(t *testing.T, more int) {
	t.Helper()
	for i := range 5 + more {
		said := oneRoom(b.house, string(rune('a'+i)), "booked", channelRoom(b.today+5, b.today+6, "D", true))
		said.Booking.Guest = &hotel.Guest{LastName: string(rune('A' + i))}
		must(b.Receive(context.Background(), said))(t)
	}
}

// live has the channel sell and know everything.
func (b *inbox) live(t *testing.T) {
	t.Helper()
	b.f.goLive(t)
	b.f.catchUp(t)
}

// guest is a booking of the channel whose guest is in the house.
func (b *inbox) guest(t *testing.T) Receipt {
	t.Helper()
	said := oneRoom(b.house, "1", "booked", hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: b.today, CheckOut: b.today + 3}, Adults: 2})
	r := must(b.Receive(context.Background(), said))(t).Reservations[0]
	must2(b.StepReservation(context.Background(), tester, hotel.Once{}, r.ID, stay.CheckIn, hotel.StepRequest{}))(t)
	return said
}

// everyConflict says how each kind of conflict comes about, and what is said with
// those of its options that need to be told something.
var everyConflict = map[hotel.ConflictKind]struct {
	raise func(t *testing.T, b *inbox)
	said  map[string]func(b *inbox, c hotel.Conflict) any
}{
	hotel.ConflictOversell: {func(t *testing.T, b *inbox) { b.full(t, 1) }, map[string]func(*inbox, hotel.Conflict) any{
		hotel.OptionWalk: func(*inbox, hotel.Conflict) any {
			return map[string]string{"external": "The other house", "note": "by taxi"}
		},
		hotel.OptionKeepBackMore: func(*inbox, hotel.Conflict) any { return map[string]int{"n": 1} },
	}},
	hotel.ConflictPlanned: {raise: func(t *testing.T, b *inbox) {
		must(b.updateStock(hotel.InventoryEntry{PoolID: b.double.Consumes[0].AnyOf[0], Dates: b.span(5, 6), Overbooking: hotel.Given(1)}))(t)
		b.full(t, 1)
	}},
	hotel.ConflictExposed: {raise: func(t *testing.T, b *inbox) {
		b.live(t)
		b.clock.move(time.Minute)
		b.f.short(t, b.today+3)
		b.look(t)
	}},
	hotel.ConflictSoldBeforeClose: {raise: func(t *testing.T, b *inbox) {
		b.live(t)
		said := oneRoom(b.house, "1", "booked", channelRoom(b.today+3, b.today+4, "D", true))
		b.clock.move(time.Minute)
		must(b.updateStock(hotel.InventoryEntry{RoomTypeID: b.double.ID, Dates: b.span(3, 3), Closed: hotel.Given(true)}))(t)
		for b.f.derive(t) {
		}
		must(b.Receive(context.Background(), said))(t)
	}},
	hotel.ConflictDrift: {raise: func(t *testing.T, b *inbox) {
		b.asks(t, func(p *hotel.Policies) {
			p.Drift = map[hotel.Field]hotel.DriftPolicy{hotel.FieldAmount: hotel.AskOwner}
		})
		b.live(t)
		b.f.shown[hotel.Cell{Line: b.f.mappings[0].Line, Group: hotel.Price, Night: b.today + 3}] = 4321
		b.f.beginRead(t)
		b.f.endRead(t)
	}},
	hotel.ConflictAllotment: {
		func(t *testing.T, b *inbox) {
			b.live(t)
			b.closeNights(t, b.today+3, b.today+3, true)
			for range 4 {
				b.f.catchUp(t)
				b.f.shown[hotel.Cell{Line: b.f.counters[0].Line, Group: hotel.Availability, Night: b.today + 3}] = 2
				b.f.beginRead(t)
				b.f.endRead(t)
			}
		},
		map[string]func(*inbox, hotel.Conflict) any{hotel.OptionRelease: func(b *inbox, _ hotel.Conflict) any { return map[string]hotel.Date{"until": b.today + 2} }},
	},
	hotel.ConflictUnmapped: {
		func(t *testing.T, b *inbox) { b.unmapped(t, "1") },
		map[string]func(*inbox, hotel.Conflict) any{hotel.OptionMap: func(b *inbox, _ hotel.Conflict) any {
			return map[string]string{"room_type_id": b.double.ID, "rate_plan_id": b.flex.ID}
		}},
	},
	hotel.ConflictStale: {raise: func(t *testing.T, b *inbox) {
		said := oneRoom(b.house, "1", "booked", hotel.ChannelRoom{Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: b.today + 3, CheckOut: b.today + 5}, Adults: 2})
		must(b.Receive(context.Background(), said))(t)
		said = longer(b.house, said, "2", 3)
		said.Revision = ""
		must(b.Receive(context.Background(), said))(t)
	}},
	hotel.ConflictGroupShrink: {raise: func(t *testing.T, b *inbox) {
		b.group(t, "booked", "1", "r1", "r2", "r3")
		b.group(t, "modified", "2", "r1")
	}},
	hotel.ConflictDuplicate: {
		func(t *testing.T, b *inbox) {
			for _, key := range []string{"1", "2"} {
				said := oneRoom(b.house, key, "booked", channelRoom(b.today+3, b.today+5, "D", true))
				said.Booking.Guest = &hotel.Guest{FirstName: "Ann", LastName: "Lee"}
				must(b.Receive(context.Background(), said))(t)
			}
		},
		map[string]func(*inbox, hotel.Conflict) any{hotel.OptionSame: func(_ *inbox, c hotel.Conflict) any { return map[string]string{"keep": c.Subject.ID} }},
	},
	hotel.ConflictRejected: {
		func(t *testing.T, b *inbox) {
			b.live(t)
			b.priceTwin(t, 3, 4, 12345)
			b.f.refuse(t, hotel.Price)
		},
		map[string]func(*inbox, hotel.Conflict) any{hotel.OptionChange: func(*inbox, hotel.Conflict) any {
			return map[string]any{"values": map[string]any{"amount": hotel.Money{Minor: 12000, Currency: "EUR"}}}
		}},
	},
	hotel.ConflictPriceGuard: {raise: func(t *testing.T, b *inbox) {
		b.live(t)
		must(b.setPrice(b.double, b.flex, b.today+3, b.today+3, 777))(t)
		for b.f.derive(t) {
		}
		cell := hotel.Cell{Line: b.f.mappings[0].Line, Group: hotel.Price, Night: b.today + 3}
		must(b.Hold(context.Background(), b.f.id, 0, []HeldPrice{{SentCell: SentCell{Cell: cell, Value: 777}, Reason: "below_floor", By: "floor 50.00", Near: new(int64(5000))}}))(t)
	}},
	hotel.ConflictCredentials: {raise: func(t *testing.T, b *inbox) {
		b.live(t)
		b.f.beginRead(t)
		now := b.clock.Now()
		denied := Standing{Turn: 1, Failures: 1, Cause: hotel.Denied, Since: now, ProbeAt: now.Add(time.Hour), Words: "answered 401"}
		if err := b.Settle(context.Background(), Settlement{DeliveryID: b.f.read.id, State: DeliveryUnknown, Standing: denied}); err != nil {
			t.Fatal(err)
		}
	}},
	hotel.ConflictMissingPrice: {
		func(t *testing.T, b *inbox) {
			b.live(t)
			b.unprice(t, b.today+3, b.today+5)
			b.f.missing(t)
		},
		map[string]func(*inbox, hotel.Conflict) any{hotel.OptionSetPrice: func(*inbox, hotel.Conflict) any {
			return map[string]hotel.Money{"amount": {Minor: 12000, Currency: "EUR"}}
		}},
	},
	hotel.ConflictMismatch: {
		func(t *testing.T, b *inbox) {
			b.live(t)
			b.clock.move(time.Hour)
			room := channelRoom(b.today+3, b.today+5, "D", true)
			room.Amounts = []hotel.Money{{Minor: 9100, Currency: "EUR"}, {Minor: 12300, Currency: "EUR"}}
			must(b.Receive(context.Background(), oneRoom(b.house, "1", "booked", room)))(t)
		},
		map[string]func(*inbox, hotel.Conflict) any{hotel.OptionRemap: func(b *inbox, _ hotel.Conflict) any {
			return map[string]string{"room_type_id": b.double.ID, "rate_plan_id": b.saver.ID}
		}},
	},
	hotel.ConflictBlastRadius: {raise: func(t *testing.T, b *inbox) {
		b.live(t)
		b.asks(t, func(p *hotel.Policies) { p.BlastRadius = &hotel.BlastRadiusPolicy{Cells: 5} })
		b.f.catchUp(t)
		must(b.setPrice(b.twin, b.flex, b.today+3, b.today+23, 90))(t)
		b.deriveAll(t)
		for b.f.derive(t) {
		}
		must(b.Brake(context.Background(), b.f.id, must(b.Dirty(context.Background(), b.f.id, b.today, 20000))(t)))(t)
	}},
	hotel.ConflictUnread: {raise: func(t *testing.T, b *inbox) {
		must(b.Receive(context.Background(), Receipt{ChannelID: b.f.id, Key: "odd", Ref: "1", Problem: "no end tag", Raw: []byte("<x>")}))(t)
	}},
	hotel.ConflictReported: {raise: func(t *testing.T, b *inbox) {
		if err := b.Report(context.Background(), b.f.id, hotel.ChannelReport{Code: "sync_error", Of: "Locanda Online"}); err != nil {
			t.Fatal(err)
		}
	}},
	hotel.ConflictCancelAsked: {raise: func(t *testing.T, b *inbox) {
		b.live(t)
		a := acting{house: b.house}
		if err := b.KeepTerms(context.Background(), b.f.id, hotel.Terms{Actions: everyAction}); err != nil {
			t.Fatal(err)
		}
		a.sell(t, hotel.ActionCancel)
		must(a.ask(hotel.ActionCancel, false))(t)
		of, call, _ := a.call(t)
		a.answer(t, of, call, DeliveryRejected)
	}},
	hotel.ConflictCancelledInHouse: {raise: func(t *testing.T, b *inbox) { b.says(t, b.guest(t), "2", "2", "cancelled", nil) }},
	hotel.ConflictLateModification: {raise: func(t *testing.T, b *inbox) {
		b.says(t, b.guest(t), "2", "2", "modified", func(r *hotel.ChannelRoom) { r.Room = "T" })
	}},
	hotel.ConflictOverstay: {
		func(t *testing.T, b *inbox) {
			r := must2(b.book(b.double, b.today, b.today+1, hotel.Once{}))(t)
			must2(b.StepReservation(context.Background(), tester, hotel.Once{}, r.ID, stay.CheckIn, hotel.StepRequest{}))(t)
			b.recordStays(t, hotel.Recorded)
			b.clock.move(48 * time.Hour)
			must(b.DueStays(context.Background()))(t)
		},
		map[string]func(*inbox, hotel.Conflict) any{hotel.OptionExtend: func(b *inbox, _ hotel.Conflict) any { return map[string]hotel.Date{"check_out": b.today + 3} }},
	},
	hotel.ConflictBlockDue: {
		func(t *testing.T, b *inbox) {
			block := b.block(t, hotel.Definite, b.line(b.double, 10, 10, 2))
			must2(b.ChangeBlock(context.Background(), tester, hotel.Once{}, block.ID, hotel.BlockChange{ReleaseOn: hotel.Given(b.today + 4)}))(t)
			b.clock.move(24 * time.Hour)
			if err := b.Tick(context.Background()); err != nil {
				t.Fatal(err)
			}
		},
		map[string]func(*inbox, hotel.Conflict) any{hotel.OptionExtend: func(b *inbox, _ hotel.Conflict) any { return map[string]hotel.Date{"release_on": b.today + 8} }},
	},
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	h := newHouse(t)
	return &inbox{house: h, f: h.newFarSide(t, 5)}
}

// open returns the conflict of a kind that was raised.
func (b *inbox) open(t *testing.T, k hotel.ConflictKind) hotel.Conflict {
	t.Helper()
	list := b.conflicts(t, k)
	if len(list) == 0 {
		t.Fatalf("nobody raised %s", k)
	}
	return list[0]
}

// TestEveryOptionOfEveryConflict: each kind is raised and decided by hand by each of its
// options, once; by its deadline; and by each policy that there is.
func TestEveryOptionOfEveryConflict(t *testing.T) {
	for _, k := range hotel.ConflictKinds() {
		row, there := everyConflict[k]
		if !there {
			t.Errorf("nobody tries %s", k)
			continue
		}
		said := maps.Clone(row.said)
		for _, o := range hotel.ConflictOptions(k) {
			t.Run(string(k)+" by hand "+o.Option, func(t *testing.T) { decideByHand(t, k, o) })
			delete(said, o.Option)
		}
		if len(said) > 0 {
			t.Errorf("%s has arguments of options that there are not: %v", k, said)
		}
		for _, o := range hotel.ConflictOptions(k) {
			if o.Unaided() {
				t.Run(string(k)+" by its deadline "+o.Option, func(t *testing.T) { decideByDeadline(t, k, o) })
				break
			}
		}
		for _, option := range hotel.PolicyOptions(k) {
			t.Run(string(k)+" by the policy "+option, func(t *testing.T) { decideByPolicy(t, k, option) })
		}
	}
}

func decideByHand(t *testing.T, k hotel.ConflictKind, o hotel.ConflictOption) {
	b, ctx := newInbox(t), context.Background()
	everyConflict[k].raise(t, b)
	c := b.open(t, k)
	if c.Status != hotel.ConflictOpen || c.Applied == nil {
		t.Fatalf("raised %+v", c)
	}
	if _, _, err := b.ResolveConflict(ctx, tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: "no such option"}); refusedAs(err) != "validation_failed" {
		t.Errorf("an option that there is not: %v", err)
	}
	d := hotel.ConflictDecision{Option: o.Option}
	if say := everyConflict[k].said[o.Option]; say != nil {
		d.Arguments = json.RawMessage(must(json.Marshal(say(b, c)))(t))
	} else if !o.Unaided() {
		t.Fatal("nobody says what it needs")
	}
	done := must2(b.ResolveConflict(ctx, tester, hotel.Once{}, c.ID, d))(t)
	if done.Status != hotel.ConflictResolved || done.DecidedBy != "operator:tester" || done.Resolution.Option != o.Option {
		t.Errorf("decided %+v", done)
	}
	must2(b.ResolveConflict(ctx, tester, hotel.Once{}, c.ID, d))(t) // the same once more is no mistake
	for _, other := range hotel.ConflictOptions(k) {
		if other.Option == o.Option {
			continue
		}
		if _, _, err := b.ResolveConflict(ctx, tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: other.Option}); refusedAs(err) != "conflict_already_resolved" {
			t.Errorf("then %s: %v", other.Option, err)
		}
	}
}

func decideByDeadline(t *testing.T, k hotel.ConflictKind, o hotel.ConflictOption) {
	b := newInbox(t)
	b.asks(t, func(p *hotel.Policies) {
		p.OnDeadline = map[hotel.ConflictKind]hotel.DeadlinePolicy{k: {After: 60, Option: o.Option}}
	})
	everyConflict[k].raise(t, b)
	c := b.open(t, k)
	if c.Status != hotel.ConflictOpen || c.OnDeadline != o.Option {
		t.Fatalf("raised %+v", c)
	}
	b.clock.move(time.Hour)
	b.decideDue(t)
	c = must(b.Conflict(context.Background(), c.ID))(t)
	if c.DecidedBy != hotel.ByPolicy || c.Applied.Field != "on_deadline."+string(k) || c.Resolution.Option != o.Option {
		t.Errorf("at its deadline it is %+v because of %+v", c, c.Applied)
	}
}

func decideByPolicy(t *testing.T, k hotel.ConflictKind, option string) {
	b := newInbox(t)
	b.asks(t, func(p *hotel.Policies) { p.Conflicts = map[hotel.ConflictKind]string{k: option} })
	everyConflict[k].raise(t, b)
	b.decideDue(t)
	c := b.open(t, k)
	if c.DecidedBy != hotel.ByPolicy || c.Applied.Field != string(k) || c.Applied.Value != option || c.Resolution.Option != option {
		t.Errorf("decided %+v because of %+v", c, c.Applied)
	}
}

package ledger

import (
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// sights reads every night of the channel, page after page.
func (f *farSide) sights(t tb, atLeast int) []hotel.Sight {
	t.Helper()
	return f.sightsUntil(t, f.h.today+399, atLeast)
}

func (f *farSide) sightsUntil(t tb, to hotel.Date, atLeast int) []hotel.Sight {
	t.Helper()
	of := hotel.SightQuery{ChannelID: f.id, Span: hotel.Span{From: f.h.today, To: to}, AtLeast: atLeast}
	var all []hotel.Sight
	for {
		got := must(f.h.Sights(context.Background(), of))(t)
		all = append(all, got.Cells...)
		if !got.More {
			f.agree(t, of.Span, all)
			return all
		}
		last := all[len(all)-1].Place()
		of.After = &last
	}
}

// agree holds how nights stand, as told of many channels at a glance, against what is told of
// every group.
func (f *farSide) agree(t tb, span hotel.Span, all []hotel.Sight) {
	t.Helper()
	list := must(f.h.Standings(context.Background(), hotel.StandingQuery{PropertyID: f.h.property.ID, ChannelIDs: []string{f.id}, Span: span}))(t)
	all = slices.DeleteFunc(slices.Clone(all), func(s hotel.Sight) bool { return s.Retired })
	if len(list) != 1 || len(list[0]) != len(all) {
		t.Fatalf("%d nights stand somehow at %d channels, want %d", len(slices.Concat(list...)), len(list), len(all))
	}
	for i, n := range list[0] {
		var states []hotel.SightState
		for _, g := range all[i].Groups {
			states = append(states, g.State)
		}
		rest := len(n.States) == 1 && n.States[0] == hotel.InSync && all[i].Dot() == hotel.DotEqual
		if n.RoomTypeID != all[i].RoomTypeID || n.RatePlanID != all[i].RatePlanID || n.RemoteRoom != all[i].RemoteRoom || n.Night != all[i].Night || !rest && !slices.Equal(n.States, states) {
			t.Fatalf("%+v, but the groups of %s of %s on %s are %v", n, all[i].RatePlanID, all[i].RoomTypeID, all[i].Night, states)
		}
	}
}

// limit sets how many doubles are sold on a night at most.
func (h *house) limit(t tb, night hotel.Date, rooms int) {
	t.Helper()
	must2(h.UpdateInventory(context.Background(), tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{{
		RoomTypeID: h.double.ID, Dates: hotel.Dates{Span: hotel.Span{From: night, To: night}}, SellLimit: hotel.Given(rooms),
	}}}))(t)
}

// sight returns one group of the night of a product.
func (f *farSide) sight(t tb, of hotel.Mapping, night hotel.Date, g hotel.Group) hotel.GroupSight {
	t.Helper()
	for _, s := range f.sights(t, 1) {
		if s.RatePlanID == of.RatePlanID && s.RoomTypeID == of.RoomTypeID && s.Night == night {
			for _, group := range s.Groups {
				if group.Group == g {
					return group
				}
			}
		}
	}
	t.Fatalf("nothing is known of %s of %s on %s", g, of.RatePlanID, night)
	return hotel.GroupSight{}
}

// What was sent and acknowledged last is found among the calls, whatever happens
// in between.
func TestSightsSayWhatWasSent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		f := h.newFarSide(t, 0)
		f.goLive(t)
		f.derive(t)
		sent, acknowledged := map[hotel.Cell]int64{}, map[hotel.Cell]int64{}
		t.Repeat(map[string]func(*rapid.T){
			"change": func(t *rapid.T) {
				d := h.today + hotel.Date(rapid.IntRange(0, 15).Draw(t, "night"))
				h.limit(t, d, rapid.IntRange(0, 5).Draw(t, "rooms"))
				for f.derive(t) {
				}
			},
			"begin": func(t *rapid.T) {
				cells := f.dirty(t)
				if len(cells) == 0 {
					t.Skip("nothing to send")
				}
				cells = cells[:rapid.IntRange(1, len(cells)).Draw(t, "cells")]
				f.begin(t, cells)
				for _, c := range cells {
					sent[c.Cell] = c.Value
				}
			},
			"settle": func(t *rapid.T) {
				if len(f.calls) == 0 {
					t.Skip("no call")
				}
				i := rapid.IntRange(0, len(f.calls)-1).Draw(t, "call")
				s := Settlement{State: rapid.SampledFrom([]DeliveryState{DeliveryApplied, DeliveryUnknown, DeliveryPartial, DeliveryNotSent}).Draw(t, "outcome")}
				s.Rejected, s.Unknown = map[hotel.Cell]string{}, map[hotel.Cell]bool{}
				for at, c := range f.calls[i].cells {
					switch {
					case s.State == DeliveryPartial && at%3 == 0:
						s.Rejected[c.Cell] = "no"
					case s.State == DeliveryPartial && at%3 == 1:
						s.Unknown[c.Cell] = true
					case s.State == DeliveryApplied, s.State == DeliveryPartial:
						acknowledged[c.Cell] = c.Value
					}
				}
				f.settle(t, i, s)
			},
			"": func(t *rapid.T) {
				for _, s := range f.sightsUntil(t, h.today+15, 1000) {
					for _, g := range s.Groups {
						cell := f.cellOf(s, g)
						v, was := sent[cell]
						if was != (g.Sent != nil) || was && g.Sent.Value.Encode(g.Group) != v {
							t.Fatalf("%+v: sent %+v, want %d %t", cell, g.Sent, v, was)
						}
						v, was = acknowledged[cell]
						known := g.Acknowledged != nil && g.Acknowledged.Sequence > 0
						if was != known || was && (g.Acknowledged.Value.Encode(g.Group) != v || g.Acknowledged.DeliveryID == "" || g.Acknowledged.At.IsZero()) {
							t.Fatalf("%+v: acknowledged %+v, want %d %t", cell, g.Acknowledged, v, was)
						}
						if g.State != hotel.InSync && g.Code == "" || (g.Code == "") != (g.Reason == "") {
							t.Fatalf("%+v is %s because of %q %s", cell, g.State, g.Code, g.Reason)
						}
					}
				}
			},
		})
	})
}

// cellOf is the cell of a group.
func (f *farSide) cellOf(s hotel.Sight, g hotel.GroupSight) hotel.Cell {
	if g.Group == hotel.Availability {
		at := slices.IndexFunc(f.counters, func(c Counter) bool { return c.RemoteRoom == s.RemoteRoom })
		return hotel.Cell{Line: f.counters[at].Line, Group: g.Group, Night: s.Night}
	}
	at := slices.IndexFunc(f.mappings, func(m hotel.Mapping) bool { return m.RemoteRoom == s.RemoteRoom && m.RemoteRate == s.RemoteRate })
	return hotel.Cell{Line: f.mappings[at].Line, Group: g.Group, Night: s.Night}
}

// A page ends where a product does, and goes on behind it.
func TestSightsInPages(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	f.catchUp(t)
	whole := f.sights(t, 1<<20)
	if len(whole) == 0 || len(whole)%len(f.mappings) != 0 {
		t.Fatalf("%d nights of %d products", len(whole), len(f.mappings))
	}
	if got := f.sights(t, 1); len(got) != len(whole) {
		t.Errorf("%d nights in pages, %d at once", len(got), len(whole))
	}
	ctx := t.Context()
	of := hotel.SightQuery{ChannelID: f.id, RatePlanIDs: []string{h.saver.ID}, Span: hotel.Span{From: h.today + 2, To: h.today + 4}, AtLeast: 1}
	got := must(h.Sights(ctx, of))(t)
	if len(got.Cells) != 3 || got.More {
		t.Errorf("%d nights of one product, more: %t", len(got.Cells), got.More)
	}
	of.After = &hotel.SightPlace{RoomTypeID: h.double.ID, RatePlanID: h.saver.ID, RemoteRoom: "D", RemoteRate: "S", Night: h.today + 3}
	if got := must(h.Sights(ctx, of))(t); len(got.Cells) != 1 || got.Cells[0].Night != h.today+4 {
		t.Errorf("behind the middle: %+v", got.Cells)
	}
	of.After.RemoteRoom = "gone"
	if _, err := h.Sights(ctx, of); refusedAs(err) != "cursor_invalid" {
		t.Errorf("behind what is not there: %v", err)
	}
	of.Span.To = of.Span.From + 400
	if _, err := h.Sights(ctx, of); refusedAs(err) != "validation_failed" {
		t.Errorf("401 nights: %v", err)
	}
}

// Every state has its reason, in words.
func TestWhyACellStandsAsItDoes(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	ctx, night := t.Context(), h.today+1
	flex := f.mappings[0]
	f.goLive(t)
	f.derive(t)
	expect := func(g hotel.Group, state hotel.SightState, code string) hotel.GroupSight {
		t.Helper()
		got := f.sight(t, flex, night, g)
		if got.State != state || got.Code != code || (got.Reason == "") != (code == "") {
			t.Errorf("%s is %s, %s: %q; want %s, %s", g, got.State, got.Code, got.Reason, state, code)
		}
		return got
	}
	send := func(g hotel.Group) SentCell {
		t.Helper()
		for _, c := range f.dirty(t) {
			if c.Cell.Night == night && c.Cell.Group == g && (g == hotel.Availability && c.Cell.Line == f.counters[0].Line || c.Cell.Line == flex.Line && g != hotel.Availability) {
				f.begin(t, []SentCell{c})
				return c
			}
		}
		t.Fatalf("%s is not to be sent", g)
		return SentCell{}
	}
	expect(hotel.Availability, hotel.Pending, "waits")
	send(hotel.Availability)
	expect(hotel.Availability, hotel.InFlight, "under_way")
	f.settle(t, 0, Settlement{State: DeliveryUnknown, Error: "timeout"})
	expect(hotel.Availability, hotel.Unclear, "no_answer")
	send(hotel.Availability)
	f.settle(t, 0, Settlement{State: DeliveryNotSent, Error: "no route"})
	expect(hotel.Availability, hotel.Unclear, "not_sent")
	c := send(hotel.Availability)
	f.settle(t, 0, Settlement{State: DeliveryRejected, Rejected: map[hotel.Cell]string{c.Cell: "too many"}})
	expect(hotel.Availability, hotel.Rejected, "refused")
	h.limit(t, night, 2)
	for f.derive(t) {
	}
	expect(hotel.Availability, hotel.Unclear, "refused_before")
	f.catchUp(t)
	got := expect(hotel.Availability, hotel.InSync, "")
	if got.Desired.Value.Available != 2 || got.Acknowledged.Value.Available != 2 || got.Sent.DeliveryID != got.Acknowledged.DeliveryID || got.ReadBack != nil {
		t.Errorf("in sync: %+v", got)
	}
	f.sell(f.counters[0], night)
	f.hear(t, 0)
	expect(hotel.Availability, hotel.Unclear, "counted_itself")
	f.catchUp(t)

	price := f.sight(t, flex, night, hotel.Price)
	must(h.setPrice(h.double, h.flex, night, night, 777))(t)
	for f.derive(t) {
	}
	cell := hotel.Cell{Line: flex.Line, Group: hotel.Price, Night: night}
	if _, err := h.Hold(ctx, f.id, 0, []HeldPrice{{SentCell: SentCell{Cell: cell, Value: 777}, Reason: "below_floor", By: "floor 50.00"}}); err != nil {
		t.Fatal(err)
	}
	held := expect(hotel.Price, hotel.HeldBack, "price_guard")
	if held.Acknowledged.Value != price.Acknowledged.Value || held.Desired.Value.Amount.Minor != 777 {
		t.Errorf("held: %+v", held)
	}
	must2(h.PauseChannel(ctx, tester, hotel.Once{}, f.id, 0, true))(t)
	h.limit(t, night, 1)
	for f.derive(t) {
	}
	expect(hotel.Availability, hotel.HeldBack, "frozen")
	if s := f.sights(t, 1)[0]; s.Exposure == nil || s.Guarded {
		t.Errorf("exposure: %+v", s)
	}
}

// What is no longer kept of a call is not missed.
func TestSightsWithoutOldCalls(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	f.catchUp(t)
	h.clock.now = h.clock.now.Add(3 * 24 * time.Hour)
	if err := h.pruneDeliveries(t.Context(), h.clock.now); err != nil {
		t.Fatal(err)
	}
	if err := h.pruneCells(t.Context(), h.today); err != nil {
		t.Fatal(err)
	}
	got := f.sight(t, f.mappings[0], h.today+5, hotel.Availability)
	if got.Sent != nil || got.Acknowledged == nil || got.Acknowledged.Sequence == 0 || got.State != hotel.InSync {
		t.Errorf("%+v", got)
	}
}

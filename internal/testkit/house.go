package testkit

import (
	"context"
	"slices"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
)

// Tester is who does things in tests.
var Tester = hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: "tester"}}

// House is a small hotel: double has 30 rooms, of which a family takes two at
// once, and suite 3 of its own. Plan flex is priced for the room and for one
// guest, saver is flex less 10 per cent. No night has a price yet.
type House struct {
	Property hotel.Property
	Rooms    []hotel.RoomType // double, family, suite
	Plans    []hotel.RatePlan // flex, saver
}

// The stock of the house, in units of the pools of double and of suite.
const (
	Doubles = 30
	Suites  = 3
)

// HorizonDays is how far ahead the house is sold.
const HorizonDays = 30

// NewHouse stores the house in an empty ledger. It stands in Vienna.
func NewHouse(t testing.TB, l *ledger.Ledger, sellers ...string) House {
	t.Helper()
	return NewHouseIn(t, l, "Europe/Vienna", HorizonDays, sellers...)
}

// NewHouseIn is NewHouse in another time zone, sold so many days ahead.
func NewHouseIn(t testing.TB, l *ledger.Ledger, zone string, days int, sellers ...string) House {
	t.Helper()
	ctx := context.Background()
	var h House
	var err error
	h.Property, _, err = l.CreateProperty(ctx, Tester, hotel.Once{}, hotel.Property{
		Entity: hotel.Entity{ID: "hotel_1"}, Name: "Test House", TimeZone: zone, Currency: "EUR", Country: "AT",
		CheckIn: "15:00", CheckOut: "11:00", DayRoll: "03:00", HorizonDays: days, Status: hotel.Active,
	})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	room := func(code string, units int, draws ...hotel.Draw) {
		r, _, err := l.CreateRoomType(ctx, Tester, hotel.Once{}, hotel.RoomType{
			PropertyID: h.Property.ID, Code: code, Name: code, TotalUnits: units, Consumes: draws, BaseOccupancy: 2, MaxAdults: 4, MaxChildren: 2, MaxOccupancy: 4,
			Position: len(h.Rooms) + 1, Status: hotel.Active,
		})
		if err != nil {
			t.Fatal(err)
		}
		h.Rooms = append(h.Rooms, r)
		all = append(all, r.ID)
	}
	room("double", Doubles)
	room("family", 0, hotel.Draw{AnyOf: h.Rooms[0].Consumes[0].AnyOf, Units: 2})
	room("suite", Suites)
	plan := func(code string, from *hotel.Derivation) {
		p, _, err := l.CreateRatePlan(ctx, Tester, hotel.Once{}, hotel.RatePlan{
			PropertyID: h.Property.ID, Code: code, Name: code, Currency: "EUR", Pricing: hotel.PerOccupancy, MealPlan: "room_only", TaxMode: "inclusive",
			RoomTypeIDs: all, Audience: hotel.Public, SoldBy: sellers, DerivedFrom: from, Position: len(h.Plans) + 1, Status: hotel.Active,
		})
		if err != nil {
			t.Fatal(err)
		}
		h.Plans = append(h.Plans, p)
	}
	plan("flex", nil)
	plan("saver", &hotel.Derivation{RatePlanID: h.Plans[0].ID, Kind: hotel.Percent, Value: "-10", Rounding: hotel.RoundNone})
	return h
}

// Price sets the price of a room on the nights of a span, in minor units: amount
// for two guests, ten less in the hundred for one.
func (h House) Price(t testing.TB, l *ledger.Ledger, room int, nights hotel.Span, amount int64) {
	t.Helper()
	_, _, err := l.UpdateRates(context.Background(), Tester, hotel.Once{}, hotel.RateUpdate{
		PropertyID: h.Property.ID, Source: "api", Entries: []hotel.RateEntry{h.PriceEntry(room, nights, amount)},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// PriceEntry is what Price stores.
func (h House) PriceEntry(room int, nights hotel.Span, amount int64) hotel.RateEntry {
	euro := func(minor int64) hotel.Optional[hotel.Money] {
		return hotel.Given(hotel.Money{Minor: minor, Currency: "EUR"})
	}
	return hotel.RateEntry{
		RoomTypeID: h.Rooms[room].ID, RatePlanID: h.Plans[0].ID, Dates: hotel.Dates{Span: nights},
		Amount: euro(amount), Occupancies: map[int]hotel.Optional[hotel.Money]{1: euro(amount * 9 / 10)},
	}
}

// Stock changes the stock facts of one room type on the nights of a span.
func (h House) Stock(t testing.TB, l *ledger.Ledger, room int, nights hotel.Span, e hotel.InventoryEntry) {
	t.Helper()
	e.RoomTypeID, e.Dates = h.Rooms[room].ID, hotel.Dates{Span: nights}
	_, _, err := l.UpdateInventory(context.Background(), Tester, hotel.Once{}, hotel.InventoryUpdate{
		PropertyID: h.Property.ID, Source: "api", Entries: []hotel.InventoryEntry{e},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// RemoteRoom and RemoteRate are the codes of the house at every far side.
func (h House) RemoteRoom(room int) string { return "R-" + h.Rooms[room].Code }

// RemoteRate is the code of a plan at every far side.
func (h House) RemoteRate(plan int) string { return "P-" + h.Plans[plan].Code }

// RoomOf returns the room behind a code, -1 when it is none of the house's.
func (h House) RoomOf(remote string) int {
	return slices.IndexFunc(h.Rooms, func(r hotel.RoomType) bool { return "R-"+r.Code == remote })
}

// Remote lists what a far side of the house sells.
func (h House) Remote() []connectors.RemoteProduct {
	var out []connectors.RemoteProduct
	for r := range h.Rooms {
		for p := range h.Plans {
			out = append(out, connectors.RemoteProduct{
				Room: h.RemoteRoom(r), RoomName: h.Rooms[r].Name, Adults: h.Rooms[r].MaxAdults,
				Rate: h.RemoteRate(p), RateName: h.Plans[p].Name, Board: h.Plans[p].MealPlan,
			})
		}
	}
	return out
}

// Mappings joins every product of the house with its codes.
func (h House) Mappings() []hotel.Mapping {
	var out []hotel.Mapping
	for r := range h.Rooms {
		for p := range h.Plans {
			out = append(out, hotel.Mapping{RoomTypeID: h.Rooms[r].ID, RatePlanID: h.Plans[p].ID, RemoteRoom: h.RemoteRoom(r), RemoteRate: h.RemoteRate(p)})
		}
	}
	return out
}

// SoldBy lets a channel sell every plan of the house.
func (h House) SoldBy(t testing.TB, l *ledger.Ledger, channel string) {
	t.Helper()
	for _, p := range h.Plans {
		_, _, err := l.ChangeRatePlan(context.Background(), Tester, hotel.Once{}, p.ID, hotel.Change[hotel.RatePlan]{Apply: func(p *hotel.RatePlan) error {
			p.SoldBy = append(p.SoldBy, channel)
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Connect stores a channel and sets it live, showing nothing. stockPer says
// which of its numbers are counters.
func (h House) Connect(t testing.TB, l *ledger.Ledger, c hotel.Channel, stockPer hotel.StockPer) {
	t.Helper()
	ctx := context.Background()
	c.PropertyID = h.Property.ID
	if _, _, err := l.CreateChannel(ctx, Tester, hotel.Once{}, c); err != nil {
		t.Fatal(err)
	}
	h.SoldBy(t, l, c.ID)
	if err := l.MapChannel(ctx, Tester, c.ID, hotel.Remap{StockPer: stockPer, Mappings: h.Mappings()}); err != nil {
		t.Fatal(err)
	}
	if err := l.GoLive(ctx, Tester, c.ID, 0); err != nil {
		t.Fatal(err)
	}
}

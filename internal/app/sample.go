package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
)

// SampleProperty is the id of the sample hotel.
const SampleProperty = "hotel_123"

// sampleNights is how far ahead the sample hotel sells.
const sampleNights = 500

// sampleRoom is one room type of the sample hotel.
type sampleRoom struct {
	code, name  string
	units       int    // of a pool of its own
	sharesWith  string // the room type whose pool it draws on instead
	sharedUnits int
	base, most  int   // guests
	price       int64 // of an ordinary weekday night, minor units
	remote      string
}

// Deluxe and twin are the same rooms with the beds apart; the family suite is
// two of them joined.
var sampleRooms = []sampleRoom{
	{code: "standard", name: "Standard", units: 5, base: 2, most: 2, price: 11900, remote: "STD"},
	{code: "deluxe", name: "Deluxe", units: 8, base: 2, most: 3, price: 16900, remote: "DLX"},
	{code: "twin", name: "Deluxe Twin", sharesWith: "deluxe", sharedUnits: 1, base: 2, most: 2, price: 15900, remote: "TWN"},
	{code: "family", name: "Family Suite", sharesWith: "deluxe", sharedUnits: 2, base: 4, most: 6, price: 28900, remote: "FAM"},
	{code: "suite", name: "Suite", units: 2, base: 2, most: 4, price: 34900, remote: "SUI"},
}

// sampleChannel is one pretend channel of the sample hotel.
type sampleChannel struct {
	id, name  string
	connector string // "": mock
	preset    string
	prefix    string // of its codes; "": they are the hotel's own
	markup    *hotel.Markup
	schedule  string // when its bookings are fetched; "": every two seconds

	rooms, plans []string       // which of the hotel's it sells, by code; nil: all
	besides      map[string]any // what the far side has told on paper, beside the simulator's settings
}

var sampleChannels = []sampleChannel{
	{id: "ch_alpha", name: "Alpha", preset: "push", prefix: "A"},
	{id: "ch_bravo", name: "Bravo", preset: "pull", prefix: "B", markup: &hotel.Markup{Kind: hotel.Percent, Value: "12"}},
	{id: "ch_charlie", name: "Charlie", preset: "hub", prefix: "C", markup: &hotel.Markup{Kind: hotel.Amount, Value: "5.00"}},
}

// otherChannels are of other kinds. They are connected as a person connects one: tested,
// mapped, planned and activated.
var otherChannels = []sampleChannel{
	{
		id: "ch_delta", name: "Delta", connector: "channex", prefix: "D",
		rooms: []string{"standard", "deluxe", "suite"}, plans: []string{"flex", "breakfast"},
	},
	{
		id: "ch_echo", name: "Echo", connector: "alpinebits", prefix: "E",
		rooms: []string{"standard", "deluxe", "suite"}, plans: []string{"flex"}, besides: map[string]any{"standard_guests": "E-STD=2, E-DLX=2, E-SUI=2"},
	},
	{id: "ch_foxtrot", name: "Foxtrot", connector: "ical", rooms: []string{"suite", "family"}, plans: []string{"flex"}, schedule: "@every 10s"},
}

// driver is the name of the channel's connector.
func (c sampleChannel) driver() string { return cmp.Or(c.connector, "mock") }

func (c sampleChannel) room(r sampleRoom) string {
	if c.prefix == "" {
		return r.code
	}
	return c.prefix + "-" + r.remote
}

func (c sampleChannel) rate(plan string) string { return c.prefix + "-" + plan }

// sells reports whether the channel sells a room type or rate plan, given those that
// it names.
func sells(named []string, code string) bool { return named == nil || slices.Contains(named, code) }

// products is what the pretend channel can sell, in its own codes.
func (c sampleChannel) products(of sampleHotel) []connectors.RemoteProduct {
	var out []connectors.RemoteProduct
	for _, r := range of.rooms {
		for _, p := range of.plans {
			if !sells(c.rooms, r.code) || !sells(c.plans, p.code) {
				continue
			}
			out = append(out, connectors.RemoteProduct{Room: c.room(r), RoomName: r.name, Rate: c.rate(p.code), RateName: p.name, Adults: r.most, Board: p.meal})
		}
	}
	return out
}

// samplePlan is one rate plan of the sample hotel.
type samplePlan struct {
	code, name, meal string
	parent           string
	adjust           hotel.AdjustmentKind
	value            string
	rounding         hotel.Rounding
	pricing          hotel.Pricing
	minStay          int
}

// The first plan is sold directly, without restriction.
var samplePlans = []samplePlan{
	{code: "flex", name: "Flexible", meal: "room_only", pricing: hotel.PerRoomPrice},
	{code: "breakfast", name: "Flexible with Breakfast", meal: "breakfast", pricing: hotel.PerOccupancy},
	{code: "saver", name: "Saver", meal: "room_only", parent: "flex", adjust: hotel.Percent, value: "-10", rounding: hotel.RoundNearest1, pricing: hotel.PerRoomPrice},
	{code: "long", name: "Long Stay", meal: "room_only", parent: "flex", adjust: hotel.Percent, value: "-15", rounding: hotel.RoundEnd9, pricing: hotel.PerRoomPrice, minStay: 4},
}

// breakfastPrice is what each guest's breakfast adds, in minor units.
const breakfastPrice = 1800

// sampleHotel is what of the sample hotel there is.
type sampleHotel struct {
	rooms    []sampleRoom
	plans    []samplePlan
	channels []sampleChannel
}

// The demo has all of it, a sandbox what a partner needs to try things on.
var (
	demoHotel    = sampleHotel{sampleRooms, samplePlans, slices.Concat(sampleChannels, otherChannels)}
	sandboxHotel = sampleHotel{[]sampleRoom{sampleRooms[0], sampleRooms[1], sampleRooms[4]}, samplePlans[:2], sampleChannels[:2]}
)

// sample builds the sample hotel in an empty ledger.
type sample struct {
	sampleHotel

	ctx     context.Context
	l       *ledger.Ledger
	by      hotel.By
	today   hotel.Date
	roomsBy map[string]hotel.RoomType // by code
	plansBy map[string]hotel.RatePlan
}

// buildSample fills an empty ledger with the sample hotel and its channels,
// which are not reachable yet. progress is told of every part.
func buildSample(ctx context.Context, l *ledger.Ledger, of sampleHotel, by string, now time.Time, progress func(part string)) error {
	s := &sample{
		sampleHotel: of, ctx: ctx, l: l, by: hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: by}},
		roomsBy: map[string]hotel.RoomType{}, plansBy: map[string]hotel.RatePlan{},
	}
	for _, part := range []struct {
		name  string
		build func(time.Time) error
	}{
		{"property", s.property}, {"channels", s.connect}, {"rate plans", s.structure}, {"prices and stock", s.nights}, {"house values", s.derive},
	} {
		progress(part.name)
		if err := part.build(now); err != nil {
			return fmt.Errorf("build sample hotel: %s: %w", part.name, err)
		}
	}
	return nil
}

func (s *sample) property(now time.Time) error {
	p, _, err := s.l.CreateProperty(s.ctx, s.by, hotel.Once{}, hotel.Property{
		Entity: hotel.Entity{ID: SampleProperty}, Name: "Sample Hotel", TimeZone: "Europe/Vienna", Currency: "EUR", Country: "AT",
		CheckIn: "15:00", CheckOut: "11:00", DayRoll: "03:00", HorizonDays: sampleNights, Status: hotel.Active,
	})
	s.today = p.BusinessDate(now)
	return err
}

func (s *sample) connect(time.Time) error {
	for _, c := range s.channels {
		status := hotel.Testing
		if c.connector != "" {
			status = hotel.Draft
		}
		_, _, err := s.l.CreateChannel(s.ctx, s.by, hotel.Once{}, hotel.Channel{
			Entity: hotel.Entity{ID: c.id}, Status: status, PropertyID: SampleProperty, Connector: c.driver(), Name: c.name,
			Settings: []byte("{}"), Markup: c.markup, Schedule: cmp.Or(c.schedule, "@every 2s"),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *sample) structure(time.Time) error {
	for i, r := range s.rooms {
		var draws []hotel.Draw
		if r.sharesWith != "" {
			draws = []hotel.Draw{{AnyOf: s.roomsBy[r.sharesWith].Consumes[0].AnyOf, Units: r.sharedUnits}}
		}
		room, _, err := s.l.CreateRoomType(s.ctx, s.by, hotel.Once{}, hotel.RoomType{
			PropertyID: SampleProperty, Code: r.code, Name: r.name, TotalUnits: r.units, Consumes: draws, BaseOccupancy: r.base, MaxAdults: r.most,
			MaxChildren: r.most - 1, MaxOccupancy: r.most, Position: i + 1, Status: hotel.Active,
		})
		if err != nil {
			return err
		}
		s.roomsBy[r.code] = room
	}
	var rooms []string
	for _, r := range s.rooms {
		rooms = append(rooms, s.roomsBy[r.code].ID)
	}
	for i, p := range s.plans {
		var sellers []string
		for _, c := range s.channels {
			if sells(c.plans, p.code) {
				sellers = append(sellers, c.id)
			}
		}
		plan := hotel.RatePlan{
			PropertyID: SampleProperty, Code: p.code, Name: p.name, Currency: "EUR", Pricing: p.pricing, MealPlan: p.meal, TaxMode: "inclusive",
			RoomTypeIDs: rooms, Audience: hotel.Public, SoldBy: sellers, Position: i + 1, Status: hotel.Active,
		}
		if p.parent != "" {
			plan.DerivedFrom = &hotel.Derivation{RatePlanID: s.plansBy[p.parent].ID, Kind: p.adjust, Value: p.value, Rounding: p.rounding}
		}
		if p.minStay > 0 {
			plan.Restrictions.MinStayArrival = &p.minStay
		}
		stored, _, err := s.l.CreateRatePlan(s.ctx, s.by, hotel.Once{}, plan)
		if err != nil {
			return err
		}
		s.plansBy[p.code] = stored
	}
	for _, c := range s.channels {
		if c.connector != "" {
			continue
		}
		var mappings []hotel.Mapping
		for _, r := range s.rooms {
			for _, p := range s.plans {
				mappings = append(mappings, hotel.Mapping{
					RoomTypeID: s.roomsBy[r.code].ID, RatePlanID: s.plansBy[p.code].ID, RemoteRoom: c.room(r), RemoteRate: c.rate(p.code),
				})
			}
		}
		if err := s.l.MapChannel(s.ctx, s.by, c.id, hotel.Remap{StockPer: hotel.PerRoom, Mappings: mappings}); err != nil {
			return err
		}
	}
	return nil
}

// seasonal varies an ordinary price over the year and the week, in steps of a
// whole currency unit.
func seasonal(price int64, d hotel.Date) int64 {
	percent := int64(100)
	switch d.Time().Month() {
	case time.July, time.August:
		percent += 25
	case time.December, time.February:
		percent += 15
	case time.November, time.March:
		percent -= 10
	default:
	}
	switch d.Weekday() {
	case time.Friday, time.Saturday:
		percent += 15
	case time.Sunday:
		percent -= 5
	default:
	}
	return (price*percent/100 + 50) / 100 * 100
}

func (s *sample) nights(time.Time) error {
	var nights []hotel.Date
	for d := s.today; d <= s.today+sampleNights; d++ {
		nights = append(nights, d)
	}
	for _, r := range s.rooms {
		for _, p := range s.plans {
			if p.parent != "" {
				continue
			}
			if err := s.price(r, p, nights); err != nil {
				return err
			}
		}
	}
	return s.stock()
}

// price sets one product's prices, a run of equal nights in each entry.
func (s *sample) price(r sampleRoom, p samplePlan, nights []hotel.Date) error {
	update := hotel.RateUpdate{PropertyID: SampleProperty, Source: "api"}
	for _, run := range hotel.Runs(nights, func(i int) int64 { return seasonal(r.price, nights[i]) }) {
		e := hotel.RateEntry{RoomTypeID: s.roomsBy[r.code].ID, RatePlanID: s.plansBy[p.code].ID, Dates: hotel.Dates{Span: run.Span}}
		euro := func(minor int64) hotel.Optional[hotel.Money] {
			return hotel.Given(hotel.Money{Minor: minor, Currency: "EUR"})
		}
		if p.pricing == hotel.PerOccupancy {
			e.Amount = euro(run.Value + int64(r.base)*breakfastPrice)
			e.Occupancies = map[int]hotel.Optional[hotel.Money]{}
			for guests := 1; guests <= r.most; guests++ {
				e.Occupancies[guests] = euro(run.Value + int64(guests)*breakfastPrice + int64(guests-r.base)*1500)
			}
		} else {
			e.Amount = euro(run.Value)
		}
		update.Entries = append(update.Entries, e)
	}
	_, _, err := s.l.UpdateRates(s.ctx, s.by, hotel.Once{}, update)
	return err
}

// stock makes the calendar look lived in: a room under repair, a house that is
// closed over a holiday eve, a minimum stay at the turn of the year. None of it
// touches the first room type, nor any night far ahead.
func (s *sample) stock() error {
	near := func(from, to hotel.Date) hotel.Dates {
		return hotel.Dates{Span: hotel.Span{From: s.today + from, To: s.today + to}}
	}
	stock := hotel.InventoryUpdate{PropertyID: SampleProperty, Source: "api"}
	for _, e := range []struct {
		room  string
		entry hotel.InventoryEntry
	}{
		{"deluxe", hotel.InventoryEntry{Dates: near(7, 20), OutOfOrder: hotel.Given(1)}},
		{"family", hotel.InventoryEntry{Dates: near(0, 120), SellLimit: hotel.Given(2)}},
		{"suite", hotel.InventoryEntry{Dates: near(40, 42), Closed: hotel.Given(true)}},
	} {
		if room, has := s.roomsBy[e.room]; has {
			e.entry.RoomTypeID = room.ID
			stock.Entries = append(stock.Entries, e.entry)
		}
	}
	if _, _, err := s.l.UpdateInventory(s.ctx, s.by, hotel.Once{}, stock); err != nil {
		return err
	}
	weekend := near(0, 150)
	weekend.Weekdays[time.Friday] = true
	rules := hotel.RestrictionUpdate{PropertyID: SampleProperty, Source: "api", Entries: []hotel.RestrictionEntry{
		{RoomTypeID: s.roomsBy["deluxe"].ID, Dates: near(30, 36), MinStayArrival: hotel.Given(2)},
	}}
	if saver, has := s.plansBy["saver"]; has {
		rules.Entries = append(rules.Entries, hotel.RestrictionEntry{
			RoomTypeID: s.roomsBy["suite"].ID, RatePlanID: saver.ID, Dates: weekend, ClosedToArrival: hotel.Given(true),
		})
	}
	_, _, err := s.l.UpdateRestrictions(s.ctx, s.by, hotel.Once{}, rules)
	return err
}

// derive works off the house values, so that channels find them complete.
func (s *sample) derive(time.Time) error {
	for {
		more, err := s.l.DeriveDue(s.ctx)
		if err != nil || !more {
			return err
		}
	}
}

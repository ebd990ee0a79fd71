package connectortest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// house is the ledger's part for the hotel's own system: room types, a rate plan and one
// reservation, which it keeps or refuses to keep.
type house struct {
	layout connectors.Layout

	out *current

	mu       sync.Mutex
	refuses  bool
	entered  int // of any kind
	wrote    int
	free     map[hotel.Date]int
	booking  hotel.Reservation
	received int64 // the revision of it that is acknowledged
}

var _ connectors.House = (*house)(nil)

// soldFor is how far ahead the house sells, in days.
const soldFor = 400

// property is that of the house.
func (s *session) property() hotel.Property {
	return hotel.Property{
		Entity: hotel.Entity{ID: "house"}, Name: "The house of the suite", Currency: s.far.Currency, TimeZone: "UTC", Country: "AT",
		CheckIn: "15:00", CheckOut: "11:00", DayRoll: "03:00", HorizonDays: soldFor, Status: hotel.Active,
	}
}

// sold is what the channel sells, in the order of the far side's codes.
func (s *session) sold() []connectors.SoldRoom {
	type product struct{ id, room, rate, name string }
	products := []product{{"room", s.far.Room, s.far.Rate, "Double"}}
	if s.far.OtherRoom != "" {
		products = append(products, product{"other", s.far.OtherRoom, s.far.OtherRate, "Twin"})
	}
	if s.misled {
		products = append(products, product{"unknown", unknownRoom, unknownRate, "A room of nobody's"})
	}
	var out []connectors.SoldRoom
	for _, p := range products {
		room := connectors.SoldRoom{Room: p.room, Type: hotel.RoomType{
			Entity: hotel.Entity{ID: p.id}, PropertyID: "house", Code: p.room, Name: p.name, Status: hotel.Active,
			TotalUnits: 999, MinOccupancy: 1, BaseOccupancy: 2, MaxAdults: 2, MaxOccupancy: 2,
		}}
		if s.far.Rate != "" {
			room.Rates = []string{p.rate}
		}
		out = append(out, room)
	}
	slices.SortFunc(out, func(a, b connectors.SoldRoom) int { return strings.Compare(a.Room, b.Room) })
	return out
}

// newHouse is the house where the hotel's own system counts the rooms. Its codes are those
// of the far side.
func (s *session) newHouse() *house {
	today := tomorrow() - 2
	var rooms []hotel.RoomType
	for _, r := range s.sold() {
		rooms = append(rooms, r.Type)
	}
	property := s.property()
	property.Mode, property.Truth = hotel.GivenMode, hotel.Truth{Stock: hotel.ByPMS, Prices: hotel.ByPMS, Restrictions: hotel.ByPMS}
	plans := []hotel.RatePlan{{Entity: hotel.Entity{ID: "plan"}, Code: s.far.Rate, Currency: s.far.Currency, RoomTypeIDs: []string{"room"}, Status: hotel.Active}}
	return &house{
		layout: connectors.Layout{
			Property: property, Rooms: rooms, Plans: plans, Today: today, Last: today + soldFor,
		},
		out: s.out, free: map[hotel.Date]int{},
		booking: hotel.Reservation{
			Entity: hotel.Entity{ID: "res_1", Revision: 1, CreatedAt: time.Unix(0, 0), UpdatedAt: time.Unix(0, 0)},
			Status: hotel.Confirmed, RoomTypeID: "room", RatePlanID: "plan", Adults: 2,
			Stay: stayOf(2), Guest: hotel.Guest{FirstName: "Ada", LastName: "Lovelace"},
		},
	}
}

var errFull = errors.New("the disk is full")

// enter counts a visit, and says what comes of one that writes.
func (h *house) enter(writes bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.entered++
	if !writes {
		return h.out.asked()
	}
	if h.refuses {
		return errFull
	}
	if err := h.out.fails(func(o outage) bool { return o.takes }); err != nil {
		return err
	}
	h.wrote++
	return nil
}

// Layout implements [connectors.House].
func (h *house) Layout(context.Context) (connectors.Layout, error) {
	if err := h.enter(false); err != nil {
		return connectors.Layout{}, err
	}
	return h.layout, nil
}

// WriteStock implements [connectors.House].
func (h *house) WriteStock(_ context.Context, entries []hotel.InventoryEntry) error {
	if err := h.enter(true); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range entries {
		for night := e.From; night <= e.To; night++ {
			h.free[night] = e.Given.Value
		}
	}
	return nil
}

// WriteRates implements [connectors.House].
func (h *house) WriteRates(context.Context, []hotel.RateEntry) error { return h.enter(true) }

// WriteRestrictions implements [connectors.House].
func (h *house) WriteRestrictions(context.Context, []hotel.RestrictionEntry) error {
	return h.enter(true)
}

// Reservations implements [connectors.House].
func (h *house) Reservations(context.Context, time.Time, string) ([]hotel.Reservation, string, error) {
	if err := h.enter(false); err != nil {
		return nil, "", err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.received == h.booking.Revision {
		return nil, "", nil
	}
	return []hotel.Reservation{h.booking}, "", nil
}

// Acknowledge implements [connectors.House].
func (h *house) Acknowledge(_ context.Context, id string, revision int64) error {
	if err := h.enter(true); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if id == h.booking.ID {
		h.received = max(h.received, revision)
	}
	return nil
}

// Rates implements [connectors.House].
func (h *house) Rates(context.Context, hotel.Span) ([]hotel.RateCell, error) {
	return nil, h.enter(false)
}

// refuse has it refuse everything that is to be kept, or take it again.
func (h *house) refuse(all bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.refuses = all
}

// change makes the reservation another one.
func (h *house) change() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.booking.Revision++
	h.booking.Stay.CheckOut++
}

func (h *house) visits() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.entered
}

func (h *house) writes() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.wrote
}

func (h *house) left(night hotel.Date) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.free[night]
}

func (h *house) acknowledged() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.received
}

package ledger

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// refusalOf is the code of a refusal and of its first item.
func refusalOf(err error) string {
	r, ok := errors.AsType[*hotel.Refusal](err)
	if !ok {
		return ""
	}
	if len(r.Items) > 0 {
		return r.Code + " " + r.Items[0].Pointer + " " + r.Items[0].Code
	}
	return r.Code
}

func changed[R any](apply func(*R)) hotel.Change[R] {
	return hotel.Change[R]{Apply: func(r *R) error { apply(r); return nil }}
}

func (h *house) changeRoom(id string, apply func(*hotel.RoomType)) (hotel.RoomType, error) {
	r, _, err := h.ChangeRoomType(context.Background(), tester, hotel.Once{}, id, changed(apply))
	return r, err
}

func (h *house) changePlan(id string, apply func(*hotel.RatePlan)) (hotel.RatePlan, error) {
	p, _, err := h.ChangeRatePlan(context.Background(), tester, hotel.Once{}, id, changed(apply))
	return p, err
}

func (h *house) changeProperty(apply func(*hotel.Property)) (hotel.Property, error) {
	p, _, err := h.ChangeProperty(context.Background(), tester, hotel.Once{}, h.property.ID, changed(apply))
	return p, err
}

func TestChangesOfTheHouseMoveWhatFollows(t *testing.T) {
	own := func(h *house) string { return h.double.Consumes[0].AnyOf[0] }
	limited := func(h *house) error { // a whole double is left, and half of one that counts as two
		_, err := h.updateStock(hotel.InventoryEntry{Dates: h.span(3, 4), HouseLimit: hotel.Given(1)})
		return err
	}
	for _, c := range []struct {
		name   string
		change func(h *house) error
		kinds  string               // of the entries, each once
		before func(h *house) error // the change; nil: nothing
	}{
		{"a name", func(h *house) error {
			_, err := h.changeRoom(h.double.ID, func(r *hotel.RoomType) { r.Name = "Doppelzimmer" })
			return err
		}, "room_type.updated", nil},
		{"more rooms, told to the room type", func(h *house) error {
			r, err := h.changeRoom(h.double.ID, func(r *hotel.RoomType) { r.TotalUnits = 7 })
			if err == nil && r.TotalUnits != 7 {
				return errors.New("the room type does not have them")
			}
			return err
		}, "pool.updated inventory.updated room_type.updated", nil},
		{"more rooms, told to the pool", func(h *house) error {
			_, _, err := h.ChangePool(t.Context(), tester, hotel.Once{}, own(h), changed(func(p *hotel.Pool) { p.TotalUnits = 7 }))
			return err
		}, "pool.updated inventory.updated", nil},
		{"the suite takes a double too", func(h *house) error {
			_, err := h.changeRoom(h.suite.ID, func(r *hotel.RoomType) {
				r.Consumes = append(r.Consumes, hotel.Draw{AnyOf: []string{own(h)}, Units: 3})
			})
			return err
		}, "room_type.updated inventory.updated", nil},
		{"a room that counts as two under a limit of the house", func(h *house) error {
			_, err := h.changeRoom(h.double.ID, func(r *hotel.RoomType) { r.Rooms = new(2) })
			return err
		}, "room_type.updated inventory.updated", limited},
		{"units of two rooms under a limit of the house", func(h *house) error {
			_, _, err := h.ChangePool(t.Context(), tester, hotel.Once{}, own(h), changed(func(p *hotel.Pool) { p.RoomsPerUnit = 2 }))
			return err
		}, "pool.updated inventory.updated", limited},
		{"a plan sells one room less", func(h *house) error {
			_, err := h.changePlan(h.saver.ID, func(p *hotel.RatePlan) { p.RoomTypeIDs = p.RoomTypeIDs[:2] })
			return err
		}, "rate_plan.updated rates.updated restrictions.updated", nil},
		{"a derivation", func(h *house) error {
			_, err := h.changePlan(h.saver.ID, func(p *hotel.RatePlan) { p.DerivedFrom.Value = "-12.5" })
			return err
		}, "rate_plan.updated rates.updated", nil},
		{"a minimum stay by default", func(h *house) error {
			_, err := h.changePlan(h.flex.ID, func(p *hotel.RatePlan) { p.Restrictions.MinStayArrival = new(2) })
			return err
		}, "rate_plan.updated restrictions.updated", nil},
		{"who sells a plan", func(h *house) error {
			_, err := h.changePlan(h.flex.ID, func(p *hotel.RatePlan) { p.SoldBy = []string{"ch_1"} })
			return err
		}, "rate_plan.updated", nil},
		{"a plan's end", func(h *house) error {
			_, _, err := h.ArchiveRatePlan(t.Context(), tester, hotel.Once{}, h.saver.ID, 0)
			return err
		}, "rate_plan.archived rates.updated restrictions.updated", nil},
		{"a property that sells nothing for a while", func(h *house) error {
			_, err := h.changeProperty(func(p *hotel.Property) { p.Status = hotel.Suspended })
			return err
		}, "property.updated restrictions.updated", nil},
		{"a longer horizon", func(h *house) error {
			_, err := h.changeProperty(func(p *hotel.Property) { p.HorizonDays = 70 })
			return err
		}, "property.updated inventory.updated restrictions.updated", nil},
		{"a telephone number", func(h *house) error {
			_, err := h.changeProperty(func(p *hotel.Property) { p.Phone = "+4930123456" })
			return err
		}, "property.updated", nil},
		{"nothing", func(h *house) error {
			_, err := h.changeProperty(func(*hotel.Property) {})
			return err
		}, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			if c.before != nil {
				if err := c.before(h); err != nil {
					t.Fatal(err)
				}
			}
			before := must(h.Sequence(t.Context()))(t)
			if err := c.change(h); err != nil {
				t.Fatal(err)
			}
			h.deriveAll(t)
			h.checkHouse(t)
			var got []string
			for _, k := range h.kinds(t, before) {
				if !slices.Contains(got, string(k)) {
					got = append(got, string(k))
				}
			}
			if diff := cmp.Diff(c.kinds, strings.Join(got, " ")); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChangesThatCannotBe(t *testing.T) {
	h := newHouse(t)
	must2(h.book(h.suite, h.today+3, h.today+4, hotel.Once{}))(t)
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"a code that another room type has", second(h.changeRoom(h.twin.ID, func(r *hotel.RoomType) { r.Code = "double" })), "duplicate_code"},
		{"units of a room type that draws on another's pool", second(h.changeRoom(h.twin.ID, func(r *hotel.RoomType) { r.TotalUnits = 9 })), "validation_failed /total_units read_only"},
		{"a draw on a pool that there is not", second(h.changeRoom(h.twin.ID, func(r *hotel.RoomType) { r.Consumes[0].AnyOf[0] = "none" })), "validation_failed /consumes/0/any_of/0 unknown_pool"},
		{"a plan derived from its own child", second(h.changePlan(h.flex.ID, func(p *hotel.RatePlan) {
			p.DerivedFrom = &hotel.Derivation{RatePlanID: h.saver.ID, Kind: hotel.Percent, Value: "-10"}
		})), "validation_failed /derived_from/rate_plan_id max"},
		{"another currency of a plan with prices", second(h.changePlan(h.flex.ID, func(p *hotel.RatePlan) {
			p.Currency, p.Audience = "USD", hotel.Restricted
		})), "validation_failed /currency currency_mismatch"},
		{"another currency of a house with plans", second(h.changeProperty(func(p *hotel.Property) { p.Currency = "USD" })), "validation_failed /currency read_only"},
		{"archived without asking whether it is needed", second(h.changeProperty(func(p *hotel.Property) { p.Status = hotel.Archived })), "validation_failed /status enum"},
		{"a pool that room types draw on", third(h.ArchivePool(t.Context(), tester, hotel.Once{}, h.double.Consumes[0].AnyOf[0], 0)), "resource_in_use"},
		{"a room type that plans sell", third(h.ArchiveRoomType(t.Context(), tester, hotel.Once{}, h.suite.ID, 0)), "resource_in_use"},
		{"a plan that another is derived from", third(h.ArchiveRatePlan(t.Context(), tester, hotel.Once{}, h.flex.ID, 0)), "resource_in_use"},
		{"a property with guests to come", third(h.ArchiveProperty(t.Context(), tester, hotel.Once{}, h.property.ID, 0)), "resource_in_use"},
		{"a revision that is past", third(h.ChangeRoomType(t.Context(), tester, hotel.Once{}, h.twin.ID, hotel.Change[hotel.RoomType]{IfRevision: 7})), "precondition_failed"},
	} {
		if got := refusalOf(c.err); got != c.want {
			t.Errorf("%s: %q (%v), want %q", c.name, got, c.err, c.want)
		}
	}
	if err := third(h.ArchiveRoomType(t.Context(), tester, hotel.Once{}, "none", 0)); !errors.Is(err, ErrNotFound) {
		t.Errorf("a room type that there is not: %v", err)
	}
	h.deriveAll(t)
	h.checkHouse(t)
}

func second[A any](_ A, err error) error        { return err }
func third[A, B any](_ A, _ B, err error) error { return err }

func TestARoomTypeIsArchivedWithItsPool(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	r := must2(h.book(h.suite, h.today, h.today+1, hotel.Once{}))(t)
	for _, p := range []hotel.RatePlan{h.flex, h.saver} {
		must(h.changePlan(p.ID, func(p *hotel.RatePlan) { p.RoomTypeIDs = p.RoomTypeIDs[:2] }))(t)
	}
	if got := refusalOf(third(h.ArchiveRoomType(ctx, tester, hotel.Once{}, h.suite.ID, 0))); got != "resource_in_use" {
		t.Fatalf("with a guest in it: %s", got)
	}
	must2(h.CancelReservation(ctx, tester, hotel.Once{}, r.ID, hotel.CancelRequest{Reason: "x"}))(t)
	for range 2 { // the second changes nothing
		suite := must2(h.ArchiveRoomType(ctx, tester, hotel.Once{}, h.suite.ID, 0))(t)
		if suite.Status != hotel.Archived || suite.Revision != 2 {
			t.Errorf("archived to %+v", suite.Entity)
		}
	}
	if pool := must(h.Pool(ctx, h.suite.Consumes[0].AnyOf[0]))(t); pool.Status != hotel.Archived {
		t.Error("its pool is still there")
	}
	h.deriveAll(t)
	h.checkHouse(t)
	if _, ok := must(h.Board(ctx, h.property.ID))(t).Room(h.suite.ID); ok {
		t.Error("the board still has it")
	}
	if got := refusalOf(second(h.changeRoom(h.suite.ID, func(r *hotel.RoomType) { r.Name = "x" }))); got != "invalid_transition" {
		t.Errorf("a change of it: %s", got)
	}
	if got := refusalOf(third(h.book(h.suite, h.today, h.today+1, hotel.Once{}))); got != "validation_failed /room_type_id unknown_room_type" {
		t.Errorf("a booking of it: %s", got)
	}
	if list := must(h.RoomTypes(ctx, h.property.ID))(t); len(list) != 3 {
		t.Errorf("%d room types are listed", len(list))
	}
	must2(h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{Notes: new("kept")}))(t)
}

// Of two changes at a time neither is lost: each is made to what the other left.
// A room type that names no pool draws on its own again, whatever it drew on before.
func TestARoomTypeGoesBackToItsPool(t *testing.T) {
	h := newHouse(t)
	own := h.double.Consumes
	for _, drawn := range [][]hotel.Draw{own, h.twin.Consumes} {
		if _, err := h.changeRoom(h.double.ID, func(r *hotel.RoomType) { r.Consumes = drawn }); err != nil {
			t.Fatal(err)
		}
		r, err := h.changeRoom(h.double.ID, func(r *hotel.RoomType) { r.Consumes = nil })
		if diff := cmp.Diff(own, r.Consumes); err != nil || diff != "" {
			t.Errorf("back from %v: %s, %v", drawn, diff, err)
		}
	}
	if units := must(h.RoomType(t.Context(), h.double.ID))(t).TotalUnits; units != 5 {
		t.Errorf("%d of it, want the 5 of its pool", units)
	}
	if r, err := h.changeRoom(h.double.ID, func(r *hotel.RoomType) { r.Consumes, r.TotalUnits = nil, 7 }); err != nil || r.TotalUnits != 7 {
		t.Errorf("%d of it, %v", r.TotalUnits, err)
	}
}

func TestChangesAtATimeAreBothKept(t *testing.T) {
	h := newHouse(t)
	var both sync.WaitGroup
	for _, change := range []func(*hotel.RoomType){
		func(r *hotel.RoomType) { r.Name = "Doppelzimmer" }, func(r *hotel.RoomType) { r.Description = "quiet" },
	} {
		both.Go(func() {
			if _, err := h.changeRoom(h.double.ID, change); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	got := must(h.RoomType(t.Context(), h.double.ID))(t)
	if got.Name != "Doppelzimmer" || got.Description != "quiet" || got.Revision != 3 {
		t.Errorf("left %+v", got)
	}
}

func TestARepeatedChangeHasItsEffectOnce(t *testing.T) {
	h := newHouse(t)
	once := hotel.Once{Client: "c", Method: "PATCH", Path: "/x", Key: "k"}
	more := changed(func(r *hotel.RoomType) { r.TotalUnits++ })
	for i, again := range []bool{false, true, true} {
		r, replayed, err := h.ChangeRoomType(t.Context(), tester, once, h.double.ID, more)
		if err != nil || replayed != again || r.TotalUnits != 6 {
			t.Errorf("time %d: %d units, replayed %v, %v", i, r.TotalUnits, replayed, err)
		}
	}
	once.Path = "/y"
	first := must2(h.CreateProperty(t.Context(), tester, once, hotel.Property{Name: "Two", TimeZone: "Asia/Tokyo", Currency: "JPY", Country: "JP"}))(t)
	second := must2(h.CreateProperty(t.Context(), tester, once, hotel.Property{Name: "Two", TimeZone: "Asia/Tokyo", Currency: "JPY", Country: "JP"}))(t)
	if diff := cmp.Diff(first, second); diff != "" || first.CheckIn != "15:00" {
		t.Errorf("made twice, or without defaults: %s", diff)
	}
}

// Whatever is changed in whatever order, the stored house values are what the
// facts and the house as it is come to.
func TestTheHouseFollowsAnyChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		rooms := []hotel.RoomType{h.double, h.twin, h.suite}
		plans := []hotel.RatePlan{h.flex, h.saver}
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			room := rapid.SampledFrom(rooms).Draw(t, "room")
			plan := rapid.SampledFrom(plans).Draw(t, "plan")
			n := rapid.IntRange(0, 9).Draw(t, "n")
			var err error
			switch rapid.SampledFrom([]string{"units", "draw", "rooms of a plan", "derive", "rule", "end of a plan", "end of a room", "status", "price", "guests"}).Draw(t, "what") {
			case "units":
				_, err = h.changeRoom(room.ID, func(r *hotel.RoomType) { r.TotalUnits = n })
			case "draw":
				_, err = h.changeRoom(room.ID, func(r *hotel.RoomType) { r.Consumes[0].Units = 1 + n%3 })
			case "rooms of a plan":
				_, err = h.changePlan(plan.ID, func(p *hotel.RatePlan) {
					p.RoomTypeIDs = []string{rooms[n%3].ID}
					if n > 4 && rooms[(n+1)%3].ID != rooms[n%3].ID {
						p.RoomTypeIDs = append(p.RoomTypeIDs, rooms[(n+1)%3].ID)
					}
				})
			case "derive":
				_, err = h.changePlan(plan.ID, func(p *hotel.RatePlan) {
					p.DerivedFrom = nil
					if n > 3 {
						p.DerivedFrom = &hotel.Derivation{RatePlanID: h.flex.ID, Kind: hotel.Amount, Value: "-5"}
					}
				})
			case "rule":
				_, err = h.changePlan(plan.ID, func(p *hotel.RatePlan) { p.Restrictions.MinStayThrough = new(1 + n) })
			case "end of a plan":
				_, _, err = h.ArchiveRatePlan(context.Background(), tester, hotel.Once{}, plan.ID, 0)
			case "end of a room":
				_, _, err = h.ArchiveRoomType(context.Background(), tester, hotel.Once{}, room.ID, 0)
			case "status":
				_, err = h.changeProperty(func(p *hotel.Property) { p.Status = []hotel.Status{hotel.Active, hotel.Suspended}[n%2] })
			case "price":
				_, err = h.setPrice(room, plan, h.today, h.today+60, int64(1000*n+1))
			case "guests":
				_, err = h.changeRoom(room.ID, func(r *hotel.RoomType) { r.BaseOccupancy = 1 + n%4 })
			}
			if err != nil && refusalOf(err) == "" {
				t.Fatal(err)
			}
			h.deriveAll(t)
			h.checkHouse(t)
		}
	})
}

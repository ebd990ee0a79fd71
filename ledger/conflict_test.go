package ledger

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"ostler.example/hotel"
)

// policies sets the policies of the house.
func (h *house) policies(t tb, p hotel.Policies) {
	t.Helper()
	must2(h.ChangeProperty(context.Background(), tester, hotel.Once{}, h.property.ID, hotel.Change[hotel.Property]{Apply: func(of *hotel.Property) error {
		of.Policies = p
		return nil
	}}))(t)
}

// conflicts lists the conflicts of a kind, the newest first.
func (h *house) conflicts(t tb, k hotel.ConflictKind) []hotel.Conflict {
	t.Helper()
	return must(h.Conflicts(context.Background(), hotel.ConflictFilter{PropertyID: h.property.ID, Kinds: []hotel.ConflictKind{k}, Limit: 100}))(t)
}

// conflict returns the one conflict of a kind.
func (h *house) conflict(t tb, k hotel.ConflictKind) hotel.Conflict {
	t.Helper()
	list := h.conflicts(t, k)
	if len(list) != 1 {
		t.Fatalf("%d conflicts of kind %s, want 1: %+v", len(list), k, list)
	}
	return list[0]
}

// resolve takes an option of a conflict.
func (h *house) resolve(t tb, c hotel.Conflict, option, arguments string) hotel.Conflict {
	t.Helper()
	c, _, err := h.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: option, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// decideDue lets deadlines pass.
func (h *house) decideDue(t tb) int {
	t.Helper()
	return must(h.DecideDue(context.Background()))(t)
}

// unmapped has a channel sell what is not mapped.
func (h *house) unmapped(t tb, key string) hotel.Reservation {
	t.Helper()
	room := hotel.ChannelRoom{Room: "X", Rate: "F", Stay: hotel.Stay{CheckIn: h.today + 3, CheckOut: h.today + 5}, Adults: 2}
	return must(h.Receive(context.Background(), oneRoom(h, key, "booked", room)))(t).Reservations[0]
}

func TestConflictIsDecidedAtItsDeadline(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	h.policies(t, hotel.Policies{OnDeadline: map[hotel.ConflictKind]hotel.DeadlinePolicy{hotel.ConflictUnmapped: {After: 60, Option: hotel.OptionKeepUnassigned}}})
	h.unmapped(t, "1")
	c := h.conflict(t, hotel.ConflictUnmapped)
	if c.Status != hotel.ConflictOpen || c.Deadline == nil || !c.Deadline.Equal(h.clock.Now().Add(time.Hour)) || c.OnDeadline != hotel.OptionKeepUnassigned || c.Applied.Value != "ask" {
		t.Fatalf("raised %+v", c)
	}
	if h.clock.move(59 * time.Minute); h.decideDue(t) != 0 {
		t.Error("decided before its deadline")
	}
	if h.clock.move(time.Minute); h.decideDue(t) != 1 || h.decideDue(t) != 0 {
		t.Error("not decided once at its deadline")
	}
	c = h.conflict(t, hotel.ConflictUnmapped)
	if c.Status != hotel.ConflictResolved || c.DecidedBy != hotel.ByPolicy || *c.Applied != (hotel.Applied{Level: "property", Field: "on_deadline.unmapped_booking", Value: "keep_unassigned"}) {
		t.Errorf("decided %+v, because of %+v", c, c.Applied)
	}
}

func TestConflictThatSomebodyDecidesHasNoDeadline(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	h.policies(t, hotel.Policies{OnDeadline: map[hotel.ConflictKind]hotel.DeadlinePolicy{hotel.ConflictUnmapped: {After: 60, Option: hotel.OptionKeepUnassigned}}})
	h.unmapped(t, "1")
	h.resolve(t, h.conflict(t, hotel.ConflictUnmapped), hotel.OptionKeepUnassigned, "")
	h.clock.move(2 * time.Hour)
	if h.decideDue(t) != 0 {
		t.Error("decided twice")
	}
	if c := h.conflict(t, hotel.ConflictUnmapped); c.DecidedBy != "operator:tester" || c.Deadline != nil {
		t.Errorf("decided %+v", c)
	}
}

func TestPolicyDecidesWithoutAsking(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	h.policies(t, hotel.Policies{Conflicts: map[hotel.ConflictKind]string{hotel.ConflictUnmapped: hotel.OptionKeepUnassigned}})
	before := must(h.Sequence(context.Background()))(t)
	h.unmapped(t, "1")
	c := h.conflict(t, hotel.ConflictUnmapped)
	if c.Status != hotel.ConflictResolved || c.DecidedBy != hotel.ByPolicy || c.Applied.Level != "property" || c.Resolution.Option != hotel.OptionKeepUnassigned {
		t.Errorf("decided %+v, because of %+v", c, c.Applied)
	}
	for _, k := range h.kinds(t, before) {
		if k == ConflictDetected {
			t.Error("somebody is asked what a policy has decided")
		}
	}
}

func TestConflictEndsWithItsCause(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	r := h.unmapped(t, "1")
	must2(h.ChangeReservation(context.Background(), tester, hotel.Once{}, r.ID, hotel.ReservationChange{RoomTypeID: &h.double.ID}))(t)
	if c := h.conflict(t, hotel.ConflictUnmapped); c.Status != hotel.ConflictResolved || c.DecidedBy != hotel.ByItself || c.Resolution.Option != hotel.OptionOver {
		t.Errorf("ended as %+v", c)
	}
}

// A conflict that cannot be decided for a fault of ours does not keep others open.
func TestConflictThatFailsKeepsNoOtherOpen(t *testing.T) {
	h := newHouse(t)
	h.newFarSide(t, 5)
	h.policies(t, hotel.Policies{OnDeadline: map[hotel.ConflictKind]hotel.DeadlinePolicy{hotel.ConflictUnmapped: {After: 60, Option: hotel.OptionKeepUnassigned}}})
	h.unmapped(t, "1")
	h.exec(t, "UPDATE conflict SET body = json_set(body, '$.channel_id', 'gone')")
	h.unmapped(t, "2")
	h.clock.move(time.Hour)
	if n, err := h.DecideDue(context.Background()); n != 1 || err == nil {
		t.Errorf("%d conflicts were decided, want 1 and an error: %v", n, err)
	}
}

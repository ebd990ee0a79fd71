package ical

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ostler.example/connectors"
)

// full is a sink that takes so many messages and no more.
type full struct {
	taken
	room int
}

// Deliver implements [connectors.Sink].
func (k *full) Deliver(ctx context.Context, m connectors.Message) error {
	if len(k.messages) == k.room {
		return errors.New("no room")
	}
	return k.taken.Deliver(ctx, m)
}

// A calendar that is broken in many places keeps no booking back, not of another calendar
// either, and is told within bounds.
func TestUnreadComesBehindBookings(t *testing.T) {
	var broken []string
	for i := range 2 * maxUnread {
		broken = append(broken, fmt.Sprintf("x%d 5-8 Reserved - Guest %d", i, i))
	}
	h := newHouse(t, "ch_1", settings())
	h.bodies["/d1"] = strings.ReplaceAll(ics(broken...), "DTEND;VALUE=DATE:20270108", "DTEND:soon")
	h.bodies["/d2"] = ics("a 5-8 Reserved")

	few := &full{room: 3}
	next, err := h.Poll(t.Context(), "", few)
	if err == nil || len(few.messages) != 3 || few.messages[0].Ref != "a" || next == "" {
		t.Errorf("told %d messages up to %q with %v, want the booking first", len(few.messages), next, err)
	}
	h.clock.now = h.clock.now.Add(20 * time.Minute)
	all := &full{room: 1000}
	if _, err := h.Poll(t.Context(), next, all); err != nil || len(all.messages) != maxUnread+1 {
		t.Fatalf("told %d messages and %v, want %d", len(all.messages), err, maxUnread+1)
	}
	if words := all.messages[maxUnread].Problem; words != fmt.Sprintf("the calendar of double-1 has %d more events that cannot be read", maxUnread) {
		t.Errorf("the last says %s", words)
	}
}

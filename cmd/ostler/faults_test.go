package main_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"ostler.example/hotel"
)

// change is what the fault tests write: a cap on the rooms of one night and the
// price of that night. Each goes out in a call of its own.
type change struct {
	night hotel.Date
	limit int
	price string
}

func (d *demo) write(t *testing.T, c change) {
	t.Helper()
	h := d.mustHouse(t)
	entry := func(values map[string]any) map[string]any {
		e := map[string]any{"room_type_id": h.room("deluxe"), "date_from": c.night.String(), "date_to": c.night.String(), "values": values}
		return map[string]any{"property_id": property, "entries": []any{e}}
	}
	d.post(t, "/inventory/updates", entry(map[string]any{"sell_limit": c.limit}), http.StatusOK)
	prices := entry(map[string]any{"amount": map[string]string{"amount": c.price, "currency": "EUR"}})
	prices["entries"].([]any)[0].(map[string]any)["rate_plan_id"] = h.plan("flex")
	d.post(t, "/rates/updates", prices, http.StatusOK)
}

// shownAt returns nil when the channel shows the change; markups apart, which
// only the count of the others is compared for.
func (c change) shownAt(f *farSide) error {
	got, err := f.shows("deluxe", c.night)
	if err != nil {
		return err
	}
	if got.Available != c.limit {
		return fmt.Errorf("%s shows %d rooms on %s, not %d", f.id, got.Available, c.night, c.limit)
	}
	if f.id == "ch_alpha" && got.Prices["0"] != c.price {
		return fmt.Errorf("%s shows the price %s on %s, not %s", f.id, got.Prices["0"], c.night, c.price)
	}
	return nil
}

// reaches waits until the channels show the change.
func (c change) reaches(t *testing.T, all ...*farSide) {
	t.Helper()
	eventually(t, patience, 50*time.Millisecond, func() error {
		for _, f := range all {
			if err := c.shownAt(f); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestHangingChannel changes something while one channel takes calls and never
// answers: the others are told at once, that one when it answers again.
func TestHangingChannel(t *testing.T) {
	t.Parallel()
	d := newDemo(t)
	alpha := d.channels[0]
	c := change{ahead(210), 3, "177.00"}
	alpha.fail(t, "timeout", 2) // ten seconds each is how long an answer is waited for
	d.write(t, c)
	c.reaches(t, d.channels[1:]...)
	if c.shownAt(alpha) == nil {
		t.Error("the channel that hangs has the change")
	}
	c.reaches(t, alpha)
	d.settled(t, nights(200, 240))
}

// TestFaults lets one channel fail in every way while something changes.
func TestFaults(t *testing.T) {
	t.Parallel()
	d := newDemo(t)
	alpha, others := d.channels[0], d.channels[1:]
	for i, kind := range []string{"cut", "429", "5xx", "lost_answer"} {
		t.Run(kind, func(t *testing.T) {
			c := change{ahead(220 + i), 2, "188.00"}
			alpha.fail(t, kind, 2)
			d.write(t, c)
			c.reaches(t, others...)
			c.reaches(t, alpha)
			eventually(t, patience, 100*time.Millisecond, d.quiet)
		})
	}
	t.Run("reject", func(t *testing.T) {
		c := change{ahead(230), 2, "188.00"}
		alpha.fail(t, "reject", 2)
		d.write(t, c)
		c.reaches(t, others...)
		eventually(t, patience, 100*time.Millisecond, func() error { return d.rejected(alpha, 2) })
		if got, err := alpha.shows("deluxe", c.night); err != nil || got.Available != 8 {
			t.Errorf("what was refused is shown: %+v (%v)", got, err)
		}
		// A refused cell is left alone until another value is wanted.
		c.limit, c.price = 1, "248.00"
		d.write(t, c)
		c.reaches(t, d.channels...)
		eventually(t, patience, 100*time.Millisecond, func() error { return d.rejected(alpha, 0) })
	})
	d.settled(t, nights(200, 240))
}

// rejected returns nil when the channel counts at least so many refused cells,
// or none when none is wanted.
func (d *demo) rejected(f *farSide, want int) error {
	var got channel
	if err := d.get("/channels/"+f.id, &got); err != nil {
		return err
	}
	if got.Rejected < want || want == 0 && got.Rejected > 0 {
		return fmt.Errorf("%s counts %d refused cells, waiting for %d", f.id, got.Rejected, want)
	}
	return nil
}

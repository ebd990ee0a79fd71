package ledger

import (
	"context"
	"testing"

	"ostler.example/hotel"
)

// Whoever waits is woken by the commits that concern it, before their callers
// are answered, and by no others.
func TestWakeUps(t *testing.T) {
	for _, test := range []struct {
		name               string
		write              func(t *testing.T, h *house)
		offers, other, due bool
	}{
		{"a sale", func(t *testing.T, h *house) { must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t) }, true, false, false},
		{"a price that was the same", func(t *testing.T, h *house) { must(h.setPrice(h.double, h.flex, h.today, h.today, 10000))(t) }, false, false, false},
		{"more prices than are derived at once", func(t *testing.T, h *house) {
			h.exec(t, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 600)")
			must(h.setPrice(h.double, h.flex, h.today, h.today+499, 1))(t)
		}, false, false, true},
		{"a refusal", func(t *testing.T, h *house) {
			if _, _, err := h.book(h.double, h.today-1, h.today, hotel.Once{}); err == nil {
				t.Error("sold")
			}
		}, false, false, false},
		{"the house of another property", func(t *testing.T, h *house) {
			err := h.write(context.Background(), urgent, tester, func(t *tx) error {
				_, err := t.append(entry{property: "other", kind: InventoryUpdated, offers: true, body: "none"})
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}, false, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHouse(t)
			changed, due := h.Changed(), h.DueChanged()
			offers, other := h.OffersChanged(h.property.ID), h.OffersChanged("other")
			select {
			case <-changed:
				t.Fatal("told of a commit before there was one")
			default:
			}
			test.write(t, h)
			woken := func(name string, ch <-chan struct{}, want bool) {
				t.Helper()
				select {
				case <-ch:
					if !want {
						t.Errorf("%s: woken for nothing", name)
					}
				default:
					if want {
						t.Errorf("%s: not woken before the caller was answered", name)
					}
				}
			}
			woken("any", changed, true)
			woken("due", due, test.due)
			woken("offers", offers, test.offers)
			woken("offers of the other", other, test.other)
		})
	}
}

package api

import (
	"fmt"
	"testing"
)

// Of a channel's policies null inherits what its property says, as what is left out does.
func TestPoliciesThatAreNullInherit(t *testing.T) {
	h := newHouse(t)
	of, house := "/v1/channels/"+h.draft()+"/policies", "/v1/properties/hotel_123/policies"
	effective := func(path, field string) string {
		p, _ := h.call("GET", path, "").want(t, 200, "").json(t)["effective"].(map[string]any)[field].(map[string]any)
		return fmt.Sprintf("%v %v", p["level"], p["value"])
	}
	expect := func(want map[string]string) {
		t.Helper()
		for field, of1 := range want {
			if got := effective(of, field); got != of1 {
				t.Errorf("%s is %s, want %s", field, got, of1)
			}
		}
	}
	expect(map[string]string{"price_mismatch_pct": "default 5", "overbooked_warning_days": "default 2", "on_deadline.drift": "<nil> <nil>"})
	h.call("PUT", house, `{"drift":{"amount":"theirs"},"absent":{"min_stay_through":"close"},"overbooked_warning_days":7,"on_deadline":{"drift":{"after":60,"option":"ours"}}}`).want(t, 200, "")
	h.call("PUT", of, `{"drift":{"amount":"ask"},"absent":{"min_stay_through":"kept_at_channel"},"price_mismatch_pct":2.5}`).want(t, 200, "")
	expect(map[string]string{
		"drift.amount": "channel ask", "absent.min_stay_through": "channel kept_at_channel",
		"price_mismatch_pct": "channel 2.5", "overbooked_warning_days": "property 7", "on_deadline.drift": "property ours after 60 minutes",
	})
	h.call("PUT", of, `{"drift":{"amount":null},"absent":{"min_stay_through":null}}`).want(t, 200, "")
	expect(map[string]string{"drift.amount": "property theirs", "absent.min_stay_through": "property close"})
	h.call("PUT", of, `{"drift":{"amount":"mine"}}`).want(t, 422, "validation_failed")
}

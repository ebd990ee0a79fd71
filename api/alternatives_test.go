package api

import (
	"fmt"
	"testing"
)

// A value that may have one of several forms is told what keeps it from the one that it was
// meant to have: a number out of range is no fault of its type.
func TestAValueOfOneOfSeveralFormsIsToldWhatIsWrong(t *testing.T) {
	h := newHouse(t)
	h.newChannel(t, "ch_a")
	for _, c := range []struct{ body, pointer, code string }{
		{`{"commission":{"pct":101,"base":"gross"}}`, "/commission/pct", "max"},
		{`{"commission":{"pct":-1,"base":"gross"}}`, "/commission/pct", "min"},
		{`{"commission":{"pct":"much","base":"gross"}}`, "/commission/pct", "pattern"},
		{`{"commission":{"pct":true,"base":"gross"}}`, "/commission/pct", "type"},
		{`{"sellers":{"Booking.com":{"commission":{"pct":101,"base":"gross"}}}}`, "/sellers/Booking.com/commission/pct", "max"},
	} {
		items := h.call("PATCH", "/v1/channels/ch_a", c.body).want(t, 422, "validation_failed").json(t)["errors"].([]any)
		if is := items[0].(map[string]any); len(items) != 1 || is["pointer"] != c.pointer || is["code"] != c.code {
			t.Errorf("%s: %v, want %s at %s", c.body, fmt.Sprint(items), c.code, c.pointer)
		}
	}
	both := h.call("PATCH", "/v1/channels/ch_a", `{"commission":{"pct":101,"base":"none"}}`).want(t, 422, "validation_failed")
	if items := both.json(t)["errors"].([]any); len(items) != 2 {
		t.Errorf("of two faults in one form it is told %v", items)
	}
}

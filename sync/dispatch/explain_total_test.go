package dispatch

import (
	"testing"

	"ostler.example/hotel"
)

func TestTheStepOfATotal(t *testing.T) {
	for _, c := range []struct{ left, sold, total int }{{3, 2, 5}, {3, 0, 3}, {0, 2, 0}} {
		var tr hotel.Trace
		tr.AddCount("capability_clamp", c.left, "")
		inAll(c.sold, &tr)
		last := tr.Steps[len(tr.Steps)-1]
		if last.Name != "total_limit" || last.Count != c.left || *last.Acted.Limit != c.total || *last.Acted.Counted != c.sold {
			t.Errorf("%d left, %d sold: %+v", c.left, c.sold, last)
		}
	}
}

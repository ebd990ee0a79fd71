package ledger

import (
	"testing"
	"time"
)

// A debt that is asked about keeps its age, however many others come and go meanwhile.
func TestADebtKeepsItsAge(t *testing.T) {
	var d debts
	now := time.Unix(0, 0)
	of := debt{channel: "a", through: 1}
	d.age(of, now)
	for i := range 5 * mostDebts {
		if i%(mostDebts/2) == 0 {
			now = now.Add(time.Second)
			d.age(of, now)
		}
		d.age(debt{channel: "b", through: int64(i)}, now)
	}
	if got := d.age(of, now); got != 10*time.Second {
		t.Errorf("it is %v old, want 10 s", got)
	}
	if n := len(d.young) + len(d.old); n > 2*mostDebts {
		t.Errorf("%d are kept", n)
	}
	of.changed++
	if got := d.age(of, now); got != 0 {
		t.Errorf("since the channel was changed it is %v old", got)
	}
}

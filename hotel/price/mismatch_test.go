package price

import "testing"

func TestPromotions(t *testing.T) {
	for _, c := range []struct {
		name         string
		ours, theirs []int64
		percent      int
	}{
		{"ten percent", []int64{10000, 20000}, []int64{9000, 18000}, 10},
		{"rounded to whole units", []int64{10900, 9900}, []int64{9800, 8900}, 10},
		{"of one night alone", []int64{10000, 20000}, []int64{10000, 17000}, 0},
		{"dearer", []int64{10000}, []int64{11000}, 0},
		{"nothing to speak of", []int64{10000}, []int64{9980}, 0},
		{"all but given away", []int64{10000}, []int64{1000}, 0},
		{"of nothing", []int64{0}, []int64{0}, 0},
		{"other nights", []int64{10000, 10000}, []int64{18000}, 0},
	} {
		if got, ok := PromotionOf(c.ours, c.theirs); got != c.percent || ok != (c.percent > 0) {
			t.Errorf("%s: %d %t", c.name, got, ok)
		}
	}
	if !Alike([]int64{10000, 10001}, []int64{10001, 10002}) || Alike([]int64{10000}, []int64{10002}) {
		t.Error("a minor unit a night is rounding, and no more")
	}
}

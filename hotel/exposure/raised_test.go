package exposure

import (
	"testing"
	"time"
)

// A count that was read is above its account where it and the bookings heard of before are
// more than was granted. A cancellation that is yet to be heard of may explain that where it
// raises the count, up to all that was granted; nothing else does.
func TestWhenACountIsAboveItsAccount(t *testing.T) {
	dry := Ability{Once: true, Lifetime: time.Minute, Extends: true}
	back := Ability{Once: true, Lifetime: time.Minute, Extends: true, Replenishes: true}
	total := Ability{Once: true, Lifetime: time.Minute, Extends: true, Total: true}
	for _, c := range []struct {
		name        string
		ability     Ability
		party       Party
		count, sold int
		rooms       int
		sure        bool
	}{
		{"it shows what it was granted", back, open(2), 2, 0, 0, false},
		{"it shows what it has left", back, open(2), 1, 1, 0, false},
		{"it shows less", back, open(3), 1, 1, 0, false},
		{"above all that it was granted", back, open(2), 5, 0, 3, true},
		{"by a room that it has sold: a guest may have cancelled", back, open(2), 2, 1, 1, false},
		{"its cancellations raise nothing", dry, open(2), 2, 1, 1, true},
		{"a total has its sales in it", total, open(2), 2, 1, 0, false},
		{"a total above what it was granted", total, open(2), 3, 1, 1, true},
		{"what somebody has accepted is known", back, Party{Account: 1, Accepted: 2}, 3, 0, 0, false},
		{"nobody knows what it was granted", back, Stranger(noon), 9, 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if rooms, sure := c.party.Beyond(c.count, c.sold, c.ability); rooms != c.rooms || sure != c.sure {
				t.Errorf("%d rooms above its account, for certain: %t; want %d, %t", rooms, sure, c.rooms, c.sure)
			}
		})
	}
}

// A count above all that was granted is not settled by a list: its party is closed.
func TestACountAboveAllThatWasGrantedIsClosed(t *testing.T) {
	back := Ability{Once: true, Lifetime: time.Minute, Extends: true, Replenishes: true}
	for count, want := range map[int]Doing{0: Counted, 2: Counted, 3: Closing} {
		p, err := open(2).Count(back)
		if err != nil {
			t.Fatal(err)
		}
		if p = p.CountRead(count, back, noon); p.Doing != want || p.Accepted != max(0, count-2) {
			t.Errorf("granted 2 it shows %d, and is %+v, want %s", count, p, want)
		}
	}
}

// What somebody has put on sale by hand, and is sold before the closing, is in the account
// when the bookings are listed.
func TestWhatWasSoldByHandIsInTheAccount(t *testing.T) {
	back := Ability{Once: true, Lifetime: time.Minute, Extends: true, Replenishes: true}
	p := open(1).Overshown(2).Close(0, back, noon).Shut(noon).Listing(1, back, noon.Add(time.Second)).Listed(1, 3, back)
	if p.Doing != Drained || p.Account != 3 || p.Accepted != 0 {
		t.Errorf("it has sold 3 and is at %+v", p)
	}
}

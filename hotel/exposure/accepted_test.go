package exposure

import (
	"testing"
	"time"
)

// What a policy accepts that a party may sell is shown, whatever else becomes of the
// party, until the channel is closed and known again.
func TestAcceptedRiskIsShownUntilThePartyIsKnown(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	able := Ability{Once: true, Replenishes: true, Lifetime: time.Minute}
	lost := Stranger(noon).Risked(1, 3)
	closed := func(p Party) Party {
		later := noon.Add(time.Hour)
		return p.Close(0, able, later).Shut(later).Listing(7, able, later)
	}
	granted := func(v int) Party {
		p, err := Party{Account: 1}.Grant(v, v, able, noon, noon)
		if err != nil {
			t.Fatal(err)
		}
		return p.Unsafe(1)
	}
	for _, c := range []struct {
		name     string
		p        Party
		live     int
		account  int
		exposure int
		risk     int
	}{
		{"what it may have on sale", lost, 1, 1, 0, 3},
		{"less what we hear that it has sold", lost, 3, 1, 0, 1},
		{"no less than nothing", lost, 6, 1, 0, 0},
		{"after a restart", lost.Restarted(noon), 1, 1, 0, 3},
		{"closed, and not listed yet", closed(lost), 1, 1, 0, 3},
		{"listed: it has sold none of it", closed(lost).Listed(7, 1, able), 1, 1, 0, 0},
		{"listed: it has sold two", closed(lost).Listed(7, 3, able), 3, 3, 0, 0},
		{"listed, and one came back that it may sell again", closed(lost).Freed(able).Listed(7, 1, able), 1, 2, 1, 0},
		{"taken at its word", lost.Shut(noon).Trust(1), 1, 1, 0, 0},
		{"nobody knows again", lost.Uncontracted(able, OneWay), 1, 1, 0, 0},
		{"granted to an unsafe channel: once more", granted(2), 1, 3, 2, 2},
		{"and when one of them is sold", granted(2), 2, 3, 1, 2},
		{"refused for certain", granted(2).TurnedDown(able, noon), 1, 1, 0, 0},
	} {
		e, _ := c.p.Exposure(c.live)
		if got := [...]int{c.p.Account, e, c.p.AtRisk(c.live)}; got != [...]int{c.account, c.exposure, c.risk} {
			t.Errorf("%s: account, exposure and risk %v, want %v", c.name, got, [...]int{c.account, c.exposure, c.risk})
		}
		if left, known := Undealt(9, 0, []Holding{{c.p, c.live}}); known && left != 9-max(c.account, c.live) {
			t.Errorf("%s: %d are left to deal", c.name, left)
		}
	}
}

// TestOnSale: a count says otherwise what a party may sell, by what its channel means.
func TestOnSale(t *testing.T) {
	for _, c := range []struct {
		name  string
		a     Ability
		rooms int
	}{
		{"as it says", Ability{}, 3}, {"at each of two places", Ability{Sites: 2}, 6}, {"of a total, what is not sold", Ability{Total: true}, 1},
	} {
		if n := c.a.OnSale(3, 2); n != c.rooms {
			t.Errorf("%s: %d, want %d", c.name, n, c.rooms)
		}
	}
	if n := (Ability{Total: true}).OnSale(1, 2); n != 0 {
		t.Errorf("a total that is sold out has %d on sale", n)
	}
}

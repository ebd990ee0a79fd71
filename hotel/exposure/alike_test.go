package exposure

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var anyDoing = []Doing{Resting, Setting, Set, Closing, Closed, Drained, Counting, Counted}

func anyParty(t *rapid.T) Party {
	return Party{
		Account: rapid.IntRange(0, 2).Draw(t, "account"), Unknown: rapid.IntRange(0, 5).Draw(t, "unknown") == 0,
		Raise: rapid.Bool().Draw(t, "raise"), RaiseLast: noon.Add(-time.Duration(rapid.IntRange(0, 1).Draw(t, "ago")) * time.Hour),
		Doing: rapid.SampledFrom(anyDoing).Draw(t, "doing"), Value: rapid.IntRange(0, 1).Draw(t, "value"), Clean: rapid.Bool().Draw(t, "clean"),
		Back: rapid.IntRange(0, 1).Draw(t, "back"), Read: rapid.Int64Range(0, 1).Draw(t, "read"), Accepted: rapid.IntRange(0, 1).Draw(t, "accepted"),
	}
}

// otherwise is a party in which any members are drawn anew: many of those that come
// of it differ from the first in what makes no difference.
func otherwise(t *rapid.T, p Party) Party {
	q := anyParty(t)
	anew := func(member string) bool { return rapid.IntRange(0, 3).Draw(t, member+" anew") == 0 }
	if anew("account") {
		p.Account = q.Account
	}
	if anew("unknown") {
		p.Unknown = q.Unknown
	}
	if anew("raise") {
		p.Raise = q.Raise
	}
	if anew("time of the raise") {
		p.RaiseLast = q.RaiseLast
	}
	if anew("doing") {
		p.Doing, p.Value = q.Doing, q.Value
	}
	if anew("clean") {
		p.Clean = q.Clean
	}
	if anew("accepted") {
		p.Accepted = q.Accepted
	}
	if anew("back") {
		p.Back, p.Read = q.Back, q.Read
	}
	return p
}

// Among any others a party gets the orders that one alike gets, now and later: what
// is not dealt anew because nothing has changed for dealing would come out the same.
func TestAlikePartiesAreDealtAlike(t *testing.T) {
	alike := 0
	rapid.Check(t, func(t *rapid.T) {
		var holders []Holder
		for range rapid.IntRange(1, 3).Draw(t, "parties") {
			h := holder(anyParty(t), rapid.IntRange(0, 2).Draw(t, "live"))
			h.Ability = Ability{
				Once: rapid.Bool().Draw(t, "once"), Versions: rapid.Bool().Draw(t, "versions"), Lifetime: time.Minute,
				Total: rapid.Bool().Draw(t, "total"),
			}
			h.Level = rapid.SampledFrom([]Level{Guaranteed, OneWay, BoundedRisk, CloseOnly}).Draw(t, "level")
			h.Most, h.Busy, h.Floor = rapid.SampledFrom([]int{0, 1, 99}).Draw(t, "most"), rapid.Bool().Draw(t, "busy"), rapid.IntRange(0, 1).Draw(t, "floor")
			holders = append(holders, h)
		}
		other := slices.Clone(holders)
		other[0].Party = otherwise(t, holders[0].Party)
		if !holders[0].Alike(other[0].Party, holders[0].Ability) {
			return
		}
		alike++
		capacity := rapid.IntRange(0, 5).Draw(t, "capacity")
		for _, now := range []time.Time{noon, noon.Add(2 * time.Minute)} {
			a, b := rooms(capacity, 0, holders...), rooms(capacity, 0, other...)
			a.Now, b.Now = now, now
			if a, b := a.Orders(), b.Orders(); !slices.Equal(a, b) {
				t.Errorf("%+v: %v, %+v: %v", holders[0].Party, a, other[0].Party, b)
			}
		}
	})
	if alike == 0 {
		t.Error("no two parties were alike")
	}
}

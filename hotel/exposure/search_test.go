package exposure

import (
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// search returns how many states there are, and how the promise was broken.
func (w world) search(most int) (states int, history []string) {
	type from struct {
		at   int
		name string
	}
	first := w.begin()
	seen := map[key]bool{first.key(): true}
	queue := []state{first}
	came := []from{{-1, ""}}
	for n := 0; n < len(queue); n++ {
		for _, step := range w.next(queue[n]) {
			k := step.to.key()
			if seen[k] {
				continue
			}
			seen[k] = true
			queue = append(queue, step.to)
			came = append(came, from{n, step.name})
			if wrong := w.wrong(step.to); wrong != "" {
				history = []string{wrong}
				for k := len(queue) - 1; k > 0; k = came[k].at {
					history = append([]string{came[k].name}, history...)
				}
				return len(queue), history
			}
			if len(queue) > most {
				return len(queue), []string{"too many states"}
			}
		}
	}
	return len(queue), nil
}

// base is a channel that sets values, applies each request once and within a
// lifetime, and counts its own cancellations back.
var base = Ability{Once: true, Lifetime: lifetime, Replenishes: true, Extends: true}

func TestNoRoomIsSoldTwice(t *testing.T) {
	dry := base
	dry.Replenishes = false
	relay := dry
	relay.Sites = 2
	back := base
	back.Sites = 2
	lagging := base
	lagging.Lag = time.Minute
	versions := Ability{Versions: true, Replenishes: true, Extends: true}
	total := Ability{Once: true, Lifetime: lifetime, Total: true, Extends: true}
	repeated := Ability{Lifetime: lifetime, Total: true, Extends: true}
	for _, w := range []struct {
		name string
		world
	}{
		{"one channel, two rooms", world{rooms: 2, parties: 1, lives: 2, ability: base, late: true}},
		{"one that does not replenish", world{rooms: 2, parties: 1, lives: 3, ability: dry, late: true}},
		{"given other values while open", world{rooms: 2, parties: 1, lives: 3, ability: dry, late: true, sets: true}},
		{"settled by reading", world{rooms: 1, parties: 1, lives: 2, ability: base, late: true, sets: true, settles: true}},
		{"a feed that lags", world{rooms: 1, parties: 1, lives: 2, ability: lagging, late: true, sets: true}},
		{"a feed that lags, settled by reading", world{rooms: 1, parties: 1, lives: 2, ability: lagging, late: true, settles: true}},
		{"versions and copies", world{rooms: 1, parties: 1, lives: 2, ability: versions, copies: true, late: true, sets: true}},
		{"two channels and the desk, one room", world{rooms: 1, parties: 2, lives: 1, ability: dry}},
		{"two counters of one channel, of which nobody has mapped a booking", world{rooms: 1, parties: 2, lives: 1, ability: dry, strays: true}},
		{"and which replenishes", world{rooms: 2, parties: 1, lives: 2, ability: base, late: true, strays: true}},
		{"bookings that are moved to what nobody has mapped", world{rooms: 1, parties: 1, lives: 2, ability: base, moves: true}},
		{"and from one to another", world{rooms: 1, parties: 1, lives: 2, ability: base, strays: true, moves: true}},
		{"and which does not replenish", world{rooms: 2, parties: 1, lives: 2, ability: dry, late: true, moves: true}},
		{"a contract, one channel and the desk", world{rooms: 2, parties: 1, lives: 2, ability: base, contract: 1}},
		{"a contract, given other values while open", world{rooms: 2, parties: 1, lives: 2, ability: dry, contract: 1, sets: true, late: true}},
		{"a relay that shows its count at two places", world{rooms: 2, parties: 1, lives: 2, ability: relay, late: true, sets: true}},
		{"a total that is given other values, and copies", world{rooms: 2, parties: 1, lives: 3, ability: repeated, late: true, copies: true, sets: true}},
		{"a total, settled by reading", world{rooms: 2, parties: 1, lives: 2, ability: total, late: true, settles: true}},
		{"a relay that counts back what is cancelled at each place", world{rooms: 2, parties: 1, lives: 2, ability: back, late: true, sets: true}},
		{"unknown past", world{rooms: 1, parties: 1, lives: 2, ability: base, late: true, strangers: true}},
		{"unknown past, with a value on its way", world{rooms: 1, parties: 1, lives: 1, ability: base, late: true, strangers: true, shared: true}},
		{"unknown past, with versions on their way", world{rooms: 1, parties: 1, lives: 1, ability: versions, late: true, strangers: true, shared: true, settles: true}},
	} {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			states, history := w.search(2_000_000)
			if history != nil {
				t.Fatalf("after %d states:\n%s", states, strings.Join(history, "\n"))
			}
			t.Logf("%d states", states)
		})
	}
}

// Each of these is one rule left out. The search finds a night sold twice for
// every one of them.
func TestEveryRuleIsNeeded(t *testing.T) {
	one := world{rooms: 1, parties: 1, lives: 2, ability: base, late: true}
	with := func(broken string, change func(w *world)) world {
		w := one
		if change != nil {
			change(&w)
		}
		w.broken = broken
		return w
	}
	sets := func(w *world) { w.sets = true }
	two := func(w *world) { w.rooms, w.lives, w.sets = 2, 3, true }
	settles := func(w *world) { w.settles = true }
	for _, w := range []world{
		with("the desk sells what looks free", nil),
		with("pays when the answer comes", nil),
		with("a raise without an answer is given back", nil),
		with("a raise is repeated after a time-out", nil),
		with("the open value is sent again", sets),
		with("lowered by a value above none", two),
		with("tops up for the difference", two),
		with("a closing that is answered frees", nil),
		with("a closing without an answer counts as answered", nil),
		with("a list begun before the answer counts", nil),
		with("the last page is skipped", nil),
		with("a feed that lags is read at once", func(w *world) { w.ability.Lag = time.Minute }),
		with("a late raise is ignored", nil),
		with("waits after the closing", nil),
		with("a cancellation frees though the count goes up", nil),
		with("cancellations during a closing are forgotten", nil),
		with("settles with the bookings first", settles),
		with("settles while a raise may act", settles),
		with("a relay's count is paid once", func(w *world) { w.ability.Sites = 2 }),
		// No rule, but a channel that breaks an assumption: no account can hold what it sells.
		with("a relay counts back at every place", func(w *world) { w.ability.Sites, w.rooms, w.lives = 2, 2, 3 }),
		with("a closing takes back what a contract promises", func(w *world) { w.contract = 1 }),
		with("what was closed beside a contract stays closed", func(w *world) { w.contract = 1 }),
		with("what is not mapped counts nowhere", func(w *world) { w.strays = true }),
		with("one that is moved to what is not mapped gives nothing back", func(w *world) { w.moves = true }),
		with("one that has sold all is let go", nil),
		with("trusts what it knew before", func(w *world) { w.strangers = true }),
	} {
		t.Run(w.broken, func(t *testing.T) {
			t.Parallel()
			states, history := w.search(1_000_000)
			if history == nil || history[0] == "too many states" {
				t.Fatalf("the promise holds in all %d states", states)
			}
			t.Logf("%d steps: %s", len(history)-1, strings.Join(history, "; "))
		})
	}
}

func TestLevelOf(t *testing.T) {
	sound := hotel.Terms{
		AdjustsOn:  hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes},
		AtMostOnce: true, Lifetime: time.Minute, ListsByDate: true, Acknowledges: hotel.BySeller,
	}
	for _, c := range []struct {
		name   string
		change func(t *hotel.Terms)
		want   Level
	}{
		{"keeps every promise", func(*hotel.Terms) {}, Guaranteed},
		{"never extends a stay", func(t *hotel.Terms) { t.AdjustsOn.Modify = hotel.AdjustNever }, Guaranteed},
		{"versions in place of acting once", func(t *hotel.Terms) { t.AtMostOnce, t.Versions = false, true }, Guaranteed},
		{"versions, and no lifetime", func(t *hotel.Terms) { t.Versions, t.Lifetime = true, 0 }, Guaranteed},
		{"a request may act however late", func(t *hotel.Terms) { t.Lifetime = 0 }, OneWay},
		{"a total may act however late", func(t *hotel.Terms) { t.TotalLimit, t.Lifetime = true, 0 }, OneWay},
		{"lists with a known lag", func(t *hotel.Terms) { t.SaleSettle = time.Hour }, Guaranteed},
		{"tells nothing by date", func(t *hotel.Terms) { t.ListsByDate = false }, OneWay},
		{"a sale is never sure to be listed", func(t *hotel.Terms) { t.SaleSettle = hotel.Never }, OneWay},
		{"a relay answers", func(t *hotel.Terms) { t.Acknowledges = hotel.ByRelay }, OneWay},
		{"sells through nobody knows how many", func(t *hotel.Terms) { t.Sellers = hotel.Many }, BoundedRisk},
		{"sells through three", func(t *hotel.Terms) { t.Sellers, t.Sites = hotel.Many, 3 }, Guaranteed},
		{"sells through three, and nobody knows where a cancelled room is on sale", func(t *hotel.Terms) { t.Sellers, t.Sites, t.AdjustsOn.Cancel = hotel.Many, 3, hotel.AdjustUnknown }, BoundedRisk},
		{"sells through many, from one count", func(t *hotel.Terms) { t.Sellers, t.KeepsSum = hotel.Many, true }, Guaranteed},
		{"sells totals through three", func(t *hotel.Terms) { t.Sellers, t.Sites, t.TotalLimit = hotel.Many, 3, true }, BoundedRisk},
		{"a longer stay leaves its count", func(t *hotel.Terms) { t.AdjustsOn.Modify = hotel.AdjustNo }, BoundedRisk},
		{"a request may act again", func(t *hotel.Terms) { t.AtMostOnce = false }, BoundedRisk},
		{"a request may act again, keys that are recognised", func(t *hotel.Terms) { t.AtMostOnce, t.RepeatKey = false, true }, BoundedRisk},
		{"its count stays on a sale", func(t *hotel.Terms) { t.AdjustsOn.Book = hotel.AdjustNo }, CloseOnly},
		{"nothing declared", func(t *hotel.Terms) { *t = hotel.Terms{} }, CloseOnly},
	} {
		t.Run(c.name, func(t *testing.T) {
			terms := sound
			c.change(&terms)
			if got := LevelOf(terms); got != c.want {
				t.Errorf("level %s, want %s", got, c.want)
			}
		})
	}
}

package console

import (
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/desk"
)

// The board says of each channel how well it keeps up, each figure with what it means.
func TestBoardTellsHealth(t *testing.T) {
	s := newSite(t)
	s.sells(t)
	b := s.as(t, "owner")
	for _, page := range []string{"channels", "channels/ch_1"} {
		body := b.get(s.path(page)).body
		for _, key := range []string{"state", "breaker", "bucket", "oldest", "accepted", "window"} {
			shows(t, body, "<dt>"+catalogue["en"]["health."+key]+"</dt>")
		}
		if n := strings.Count(body, "<dt>"); n != strings.Count(body, `class="gloss"`) {
			t.Errorf("%s: of %d figures some have no word about them", page, n)
		}
	}
}

// Of several limits the one is told that is nearest to its end, and of what waits the room,
// the plan and the night.
func TestHealthIsSaid(t *testing.T) {
	v := &visit{c: &Console{clock: &wound{now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}}, words: wordsIn("en")}
	h := v.health(desk.ChannelView{
		Link:       hotel.Link{Open: true, Abilities: hotel.Abilities{Limits: []hotel.Limit{{N: 100, Per: time.Hour, Remaining: 40}, {N: 10, Per: time.Minute, Remaining: 3}, {N: 5, Per: time.Second, Remaining: 5}}}},
		Configured: &hotel.Configured{}, Health: &hotel.ChannelHealth{Oldest: &hotel.Unconfirmed{RoomTypeID: "rt_1", RatePlanID: "rp_1", Night: hotel.DateOf(2026, 12, 24), Group: hotel.Price}},
	}, map[string]string{"rt_1": "Suite", "rp_1": "Flexible"})
	if h.Near == nil || h.Near.N != 10 || h.Oldest != "Suite · Flexible · Price · 24 Dec" {
		t.Errorf("%+v of %q", h.Near, h.Oldest)
	}
}

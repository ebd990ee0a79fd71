package ledger

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// How long a channel may be quiet follows from its own history, and of one that
// seldom says anything nothing follows.
func TestHowLongAChannelMayBeQuiet(t *testing.T) {
	every := func(hours ...int64) (list []int64) {
		at := int64(500_000)
		for range 28 * 24 {
			for _, h := range hours {
				if at += h; at < 500_000+28*24 {
					list = append(list, at)
				}
			}
		}
		return list
	}
	for _, test := range []struct {
		name  string
		hours []int64
		want  time.Duration // 0: nothing is said
	}{
		{"every hour", every(1), 8 * time.Hour},
		{"four times an evening", every(1, 1, 1, 21), 48 * time.Hour}, // usually every 6 h
		{"by day, and at no night", every(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 12), 18 * time.Hour},
		{"once a day", every(24), 8 * 24 * time.Hour},
		{"twice a week", every(84), 0},
		{"a list of all when it was connected", every(1)[:100], 0},
		{"never", nil, 0},
	} {
		got, known := silentAfter(test.hours)
		if known != (test.want > 0) || known && ((got-test.want).Abs() > test.want/12) {
			t.Errorf("%s: %s, %v; want about %s", test.name, got, known, test.want)
		}
	}
}

// A channel that brings bookings every day and brings none any more is told of once,
// stays so over a restart, and is heard again with its next message.
func TestAChannelFallsSilent(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	begun, n := h.clock.Now(), 0
	hear := func() {
		t.Helper()
		n++
		must(h.Receive(t.Context(), oneRoom(h, fmt.Sprint("m", n), "booked", hotel.ChannelRoom{
			Ref: "1", Room: "D", Rate: "F", Stay: hotel.Stay{CheckIn: h.today, CheckOut: h.today + 1}, Adults: 1,
		})))(t)
	}
	look := func(want ...string) {
		t.Helper()
		var got []string
		for range 2 {
			if err := h.NoteSilence(t.Context(), begun); err != nil {
				t.Fatal(err)
			}
		}
		for _, k := range h.kinds(t, 0) {
			if k == ChannelSilent || k == ChannelHeard {
				got = append(got, string(k))
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Fatalf("at %s the journal heard %v, want %v", h.clock.Now(), got, want)
		}
		silent := len(want) > 0 && want[len(want)-1] == string(ChannelSilent)
		if since := f.state(t).SilentSince; since.IsZero() == silent {
			t.Fatalf("the channel shows that it is silent since %v", since)
		}
	}
	for range 3 * 24 {
		hear()
		h.clock.move(4 * time.Hour)
	}
	look()
	h.clock.move(24 * time.Hour)
	look()
	begun = h.clock.Now() // a restart: whatever came before it was not heard
	h.clock.move(28 * time.Hour)
	look()
	h.clock.move(8 * time.Hour)
	look("channel.silent")
	begun = h.clock.Now()
	look("channel.silent")
	hear()
	look("channel.silent", "channel.heard")
	h.clock.move(30 * 24 * time.Hour)
	look("channel.silent", "channel.heard", "channel.silent")
	must2(h.PauseChannel(t.Context(), tester, hotel.Once{}, "ch", 0, true))(t)
	look("channel.silent", "channel.heard", "channel.silent", "channel.heard")
}

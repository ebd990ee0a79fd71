package notify

import (
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// fetched has bookings of a channel fetched now.
func (w *world) fetched(channel string) {
	w.Helper()
	call, err := w.l.Begin(w.Context(), ledger.NewDelivery{ChannelID: channel, Kind: ledger.Pull, Operation: "poll", SentAt: w.clock.now})
	if err != nil {
		w.Fatal(err)
	}
	if err := w.l.Polled(w.Context(), channel, call.ID, ""); err != nil {
		w.Fatal(err)
	}
}

// TestWhatIsNotFetchedIsTold: a feed that is down is told of where nothing is to be pushed,
// once, and when it is over; a program that has just begun tells of nothing yet, and keeps
// what it told before.
func TestWhatIsNotFetchedIsTold(t *testing.T) {
	w := newWorld(t, reader("en", hotel.NoticeNotFetched))
	w.house.Connect(t, w.l, hotel.Channel{Entity: hotel.Entity{ID: "ch_1"}, Connector: "mock", Name: "Portal", Settings: []byte("{}"), Account: "a", Schedule: "@every 60s"}, hotel.PerRoom)
	open := hotel.Link{Open: true, Abilities: hotel.Abilities{Polls: true}}
	w.link = open
	w.fetched("ch_1")
	w.later(11 * time.Minute)
	w.want()
	w.later(time.Minute)
	mail := w.want("en@hotel.example Test House: No bookings come in from a channel")
	if !strings.Contains(mail[0].text, "Portal, since Sun 22 Nov 2026 10:00") {
		t.Errorf("it is told\n%s", mail[0].text)
	}
	w.link = hotel.Link{}
	w.start() // before anybody has tried to open it
	w.link = open
	w.later(time.Hour)
	w.want()
	w.fetched("ch_1")
	w.later(time.Minute)
	w.want("en@hotel.example Test House: Bookings come in from the channel again")

	w.clock.now = w.clock.now.Add(24 * time.Hour) // the program was off
	w.start()
	w.later(5 * time.Minute)
	w.want()
	w.link = hotel.Link{Failure: "a setting is missing"}
	w.later(10 * time.Minute)
	w.want("en@hotel.example Test House: No bookings come in from a channel")

	// Of one that nobody wants bookings of any more it is not said that they come in again.
	if _, _, err := w.l.ChangeChannel(w.Context(), testkit.Tester, hotel.Once{}, "ch_1", 0, func(c *hotel.Channel) error {
		c.Status = hotel.Disconnected
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	w.later(time.Hour)
	w.want()
}

func TestUnheard(t *testing.T) {
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	hour := now.Add(-time.Hour)
	polls := hotel.Link{Open: true, Abilities: hotel.Abilities{Polls: true}}
	for _, c := range []struct {
		name  string
		state hotel.ChannelState
		link  hotel.Link
		want  time.Time
	}{
		{"a feed that is down", hotel.ChannelState{LastPullAt: hour}, polls, hour},
		{"one that is wanted again since a minute", hotel.ChannelState{Channel: hotel.Channel{Entity: hotel.Entity{UpdatedAt: now.Add(-time.Minute)}}, LastPullAt: now.Add(-1000 * time.Hour)}, polls, time.Time{}},
		{"one that is well", hotel.ChannelState{LastPullAt: now.Add(-time.Minute)}, polls, time.Time{}},
		{"one that never came", hotel.ChannelState{Channel: hotel.Channel{Entity: hotel.Entity{UpdatedAt: hour}}}, polls, hour},
		{"one that is asked every six hours", hotel.ChannelState{Channel: hotel.Channel{Schedule: "@every 6h"}, LastPullAt: hour}, polls, time.Time{}},
		{"one that is paused, and received", hotel.ChannelState{Channel: hotel.Channel{Status: hotel.Paused}, LastPullAt: hour}, polls, hour},
		{"one that is disconnected", hotel.ChannelState{Channel: hotel.Channel{Status: hotel.Disconnected}, LastPullAt: hour}, polls, time.Time{}},
		{"one in shadow that cannot be listed", hotel.ChannelState{Channel: hotel.Channel{Shadow: true}, LastPullAt: hour}, polls, time.Time{}},
		{"one in shadow that can", hotel.ChannelState{Channel: hotel.Channel{Shadow: true}, LastPullAt: hour}, hotel.Link{Open: true, Abilities: hotel.Abilities{Lists: true}}, hour},
		{"one that calls us", hotel.ChannelState{LastPullAt: hour}, hotel.Link{Open: true, Abilities: hotel.Abilities{Receives: true}}, time.Time{}},
		{"one that calls us and is silent", hotel.ChannelState{SilentSince: hour}, hotel.Link{Open: true, Abilities: hotel.Abilities{Receives: true}}, hour},
		{"one that cannot be opened", hotel.ChannelState{LastPullAt: hour}, hotel.Link{Failure: "no"}, hour},
		{"one that nobody has tried to open", hotel.ChannelState{LastPullAt: hour}, hotel.Link{}, time.Time{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := New(Options{Clock: &wound{now}, Link: func(string) hotel.Link { return c.link }})
			w.began = now.Add(-24 * time.Hour)
			if c.state.Status == "" {
				c.state.Status = hotel.ChannelActive
			}
			if c.state.Schedule == "" {
				c.state.Schedule = "@every 60s"
			}
			if got := w.unheard(&c.state, false); !got.Equal(c.want) {
				t.Errorf("since %v, want %v", got, c.want)
			}
		})
	}
}

package sync_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// A channel that cannot be asked what it shows is told everything again once a day,
// so that what was changed there by hand does not stay. A program that was away for
// days makes up for it once.
func TestRefreshWithoutReadBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer func() { b.stop() }()
		patient = &ill{shown: map[connectors.Key]hotel.Offer{}, release: make(chan struct{})}
		b.house.Connect(t, b.ldg, hotel.Channel{
			Entity: hotel.Entity{ID: "ill"}, Connector: "ill", Name: "Mute", Settings: []byte(`{"mute":true}`), Account: "ill", Schedule: "@every 24h",
		}, hotel.PerRoom)
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.pass(20 * time.Second)
		key := connectors.Key{Group: hotel.Availability, Room: b.house.RemoteRoom(2), Night: b.first + 3}
		shows := func(set int) (was int) {
			patient.mu.Lock()
			defer patient.mu.Unlock()
			was = patient.shown[key].Available
			if set >= 0 {
				patient.shown[key] = hotel.Offer{Available: set}
			}
			return was
		}
		right := shows(7)
		first := patient.sends
		b.pass(time.Minute)
		if patient.sends != first || shows(-1) != 7 {
			t.Errorf("%d calls more than were needed to go live", patient.sends-first)
		}
		if err := b.eng.Stop(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(60 * time.Hour)
		b.newEngine()
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.pass(time.Minute)
		if got := shows(-1); got != right {
			t.Errorf("it shows %d, want %d", got, right)
		}
		once := patient.sends
		b.pass(10 * time.Minute)
		if patient.sends != once {
			t.Errorf("%d calls more within the day", patient.sends-once)
		}
	})
}

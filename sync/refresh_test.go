package sync_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A channel that cannot be asked what it shows is told everything again once a day,
// so that what was changed there by hand does not stay. A program that was away for
// days makes up for it once.
func TestRefreshWithoutReadBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		patient = &ill{shown: map[connectors.Key]hotel.Offer{}, release: make(chan struct{})}
		b.house.Connect(t, b.ldg, hotel.Channel{
			Entity: hotel.Entity{ID: "ill"}, Connector: "ill", Name: "Mute", Settings: []byte(`{"mute":true}`), Account: "ill", Schedule: "@every 24h",
		}, hotel.PerRoom)
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.pass(20 * time.Second)
		key := connectors.Key{Group: hotel.Availability, Room: b.house.RemoteRoom(2), Night: b.first + 3}
		right := patient.shows(key)
		for _, order := range []hotel.SyncOrder{{Kind: hotel.SyncReadBack}, {Kind: hotel.SyncReservations, Nights: hotel.Span{From: b.first, To: b.first}}} {
			if _, _, err := b.eng.Sync(t.Context(), testkit.Tester, hotel.Once{}, "ill", order); codeOf(err) != "not_implemented" {
				t.Errorf("%s of a channel that cannot be asked: %v", order.Kind, err)
			}
		}
		patient.mu.Lock()
		patient.shown[key] = hotel.Offer{Available: 7} // by hand
		patient.mu.Unlock()
		first := patient.told()
		b.pass(time.Minute)
		if patient.told() != first || patient.shows(key) != 7 {
			t.Errorf("%d calls more than were needed to go live", patient.told()-first)
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
		if got := patient.shows(key); got != right {
			t.Errorf("it shows %d, want %d", got, right)
		}
		once := patient.told()
		b.pass(10 * time.Minute)
		if patient.told() != once {
			t.Errorf("%d calls more within the day", patient.told()-once)
		}
	})
}

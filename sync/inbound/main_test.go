package inbound

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const channel = "ch_1"

// newLedger opens a ledger with the house and one live channel in it.
func newLedger(t *testing.T) (l *ledger.Ledger, h testkit.House, path string) {
	t.Helper()
	path = filepath.Join(testkit.Folder(t), "ledger.db")
	l, err := ledger.Open(context.Background(), ledger.Options{Path: path, Clock: hotel.SystemClock{}})
	if err != nil {
		t.Fatal(err)
	}
	h = testkit.NewHouse(t, l)
	h.Connect(t, l, hotel.Channel{Entity: hotel.Entity{ID: channel}, Connector: "none", Name: "One", Settings: []byte("{}"), Account: "acc", Schedule: "@every 60s"}, hotel.PerRoom)
	return l, h, path
}

// message is a booking of the house's first room.
func message(h testkit.House) connectors.Message {
	in := h.Property.Today(time.Now()) + 5
	return connectors.Message{
		Key: "REF/1", Ref: "REF", Revision: "1", Event: connectors.Booked, At: time.Now(), Raw: []byte(`{"card": "4111 1111 1111 1111"}`),
		Booking: hotel.ChannelBooking{Rooms: []hotel.ChannelRoom{{
			Room: h.RemoteRoom(0), Rate: h.RemoteRate(0), Stay: hotel.Stay{CheckIn: in, CheckOut: in + 2}, Adults: 2,
		}}},
	}
}

func newSink(l *ledger.Ledger) (*Sink, *int) {
	told := 0
	return &Sink{
		Ledger: l, Channel: channel, Log: zap.NewNop(), Stuck: &Stuck{}, Stored: func() { told++ },
		Terms: hotel.Terms{FeedOrder: hotel.OrderRevisionNumber, AdjustsOn: hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes}},
	}, &told
}

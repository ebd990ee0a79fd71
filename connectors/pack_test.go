package connectors_test

import (
	"testing"

	"pgregory.net/rapid"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// prices is a price of its own for each of some nights of a room, so many bytes long in the
// body of a call as its minor units say.
func prices(sizes []int) []connectors.Change {
	changes := make([]connectors.Change, len(sizes))
	for i, n := range sizes {
		changes[i] = says(hotel.Date(2*i), 0, hotel.Offer{Amount: hotel.Money{Minor: int64(n), Currency: "EUR"}})
	}
	return changes
}

// long is the body of prices that are as long as they say, and counts what is written.
func long(written *int) connectors.Body {
	return func(_ string, entries []connectors.Entry) []byte {
		n := 0
		for _, e := range entries {
			n += int(e.Says[0].Offer.Amount.Minor)
		}
		*written += n
		return make([]byte, n)
	}
}

// Each call holds as many entries as fit in their order, however long each is, and one that
// fits into none has its own.
func TestPackFillsCallsToTheByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(1, 3), rapid.IntRange(1, 60)), 1, 80).Draw(t, "sizes")
		o := connectors.Operation{Name: "rates", Groups: []hotel.Group{hotel.Price}, Bytes: rapid.IntRange(1, 50).Draw(t, "bytes"), Entries: rapid.IntRange(0, 9).Draw(t, "entries")}
		var want []int
		sum, in := 0, 0
		for _, n := range sizes {
			if in > 0 && (sum+n > o.Bytes || o.Entries > 0 && in == o.Entries) {
				want, sum, in = append(want, in), 0, 0
			}
			sum, in = sum+n, in+1
		}
		want = append(want, in)
		calls, _ := connectors.Pack([]connectors.Operation{o}, prices(sizes), long(new(int)))
		if len(calls) != len(want) {
			t.Fatalf("%d calls, want %v", len(calls), want)
		}
		for i, c := range calls {
			if len(c.Keys) != want[i] {
				t.Fatalf("call %d holds %d, want %v", i, len(c.Keys), want)
			}
		}
	})
}

// To find out how much fits into a call, bodies are written a few times and not some dozen:
// those of a whole house with a price of its own on each night have tens of megabytes.
func TestPackWritesFewBodies(t *testing.T) {
	sizes := make([]int, 20_000)
	total := 0
	for i := range sizes {
		sizes[i] = 120 + i*7%40
		total += sizes[i]
	}
	written := 0
	o := connectors.Operation{Name: "rates", Groups: []hotel.Group{hotel.Price}, Bytes: total/3 - 1}
	calls, _ := connectors.Pack([]connectors.Operation{o}, prices(sizes), long(&written))
	if len(calls) != 4 || written > 8*total {
		t.Errorf("%d calls, and %d bytes written for %d", len(calls), written, total)
	}
}

package sync_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// Channels of one account that know of different limits keep the stricter one of each
// operation between them, whichever of them comes first; when the one that knows of it is
// gone, the other keeps its own.
func TestAnAccountKeepsTheStricterLimit(t *testing.T) {
	for _, limits := range [][2]int{{300, 6}, {6, 300}} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t)
			defer b.stop()
			for i, id := range []string{"a", "b"} {
				b.channelAt(id, "mock:shared", b.far(id).Settings(limits[i]), b.house.Mappings())
				if err := b.ldg.GoLive(t.Context(), testkit.Tester, id, 0); err != nil {
					t.Fatal(err)
				}
			}
			if err := b.eng.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			most := func() (most int) { // calls of an operation in a minute of which each second has news
				began := time.Now()
				for i := range 90 {
					b.house.Price(t, b.ldg, 0, hotel.Span{From: b.first + 3, To: b.first + 3}, int64(10000+i))
					b.pass(time.Second)
				}
				sent, err := b.ldg.SentSince(t.Context(), "mock:shared", began)
				if err != nil {
					t.Fatal(err)
				}
				for _, first := range sent {
					n := 0
					for _, s := range sent {
						if s.Operation == first.Operation && !s.At.Before(first.At) && s.At.Sub(first.At) <= time.Minute {
							n++
						}
					}
					most = max(most, n)
				}
				return most
			}
			b.pass(3 * time.Minute)
			if n := most(); n > 6 {
				t.Errorf("%v: %d calls in a minute, want 6 at the most", limits, n)
			}
			stricter := "a"
			if limits[1] == 6 {
				stricter = "b"
			}
			if _, _, err := b.ldg.DisconnectChannel(t.Context(), testkit.Tester, hotel.Once{}, stricter, 0, true); err != nil {
				t.Fatal(err)
			}
			b.eng.Renew(stricter)
			b.pass(time.Minute)
			if n := most(); n <= 6 {
				t.Errorf("%v: %d calls in a minute, though nobody knows of a limit of 6 any more", limits, n)
			}
		})
	}
}

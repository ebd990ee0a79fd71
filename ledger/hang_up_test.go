package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// hangUp is the context of a caller who stops waiting just when the item is
// taken, so that the call returns while the item runs.
type hangUp struct {
	context.Context
	done chan struct{}
	end  func()
}

func newHangUp() *hangUp {
	done := make(chan struct{})
	return &hangUp{context.Background(), done, sync.OnceFunc(func() { close(done) })}
}

// Done implements [context.Context].
func (c *hangUp) Done() <-chan struct{} { return c.done }

// Err implements [context.Context]. The writer asks it before it takes an item.
func (c *hangUp) Err() error {
	select {
	case <-c.done:
		return context.Canceled
	default:
		go c.end()
		return nil
	}
}

// What a caller left behind is stored whole, and found again under its key.
func TestCallerHangsUpWhileItBooks(t *testing.T) {
	h := newHouse(t)
	left := 0
	for i := range 40 {
		once := hotel.Once{Client: "c", Method: "POST", Path: "/v1/reservations", Key: fmt.Sprint(i), Fingerprint: [32]byte{1}}
		in := h.today + hotel.Date(20+i)
		asked := hotel.NewReservation{
			PropertyID: h.property.ID, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 2,
			Guest: hotel.Guest{LastName: "Guest"},
		}
		_, _, err := h.CreateReservation(newHangUp(), tester, once, asked)
		ran := err == nil || errors.Is(err, ErrUnknown)
		if err != nil && ran {
			left++
		}
		r, replayed, err := h.CreateReservation(context.Background(), tester, once, asked)
		if err != nil || replayed != ran {
			t.Fatalf("again under the key: replayed %v, want %v (%v)", replayed, ran, err)
		}
		if diff := cmp.Diff(asked.Stay, r.Stay); diff != "" || r.RoomTypeID != asked.RoomTypeID || r.Guest.LastName != asked.Guest.LastName || r.ID == "" {
			t.Errorf("stored as %+v", r)
		}
	}
	if left == 0 {
		t.Error("nobody hung up in time")
	}
}

// TestCallerHangsUpWhileItRepeats: who stops waiting for a request that had its effect
// before is told neither that nor what it made, for the item still writes both.
func TestCallerHangsUpWhileItRepeats(t *testing.T) {
	h := newHouse(t)
	once := hotel.Once{Client: "c", Method: "POST", Path: "/v1/x", Key: "1", Fingerprint: [32]byte{1}}
	if _, replayed, err := storeUnderKey(context.Background(), h.Ledger, tester, once,
		func(*tx) (string, error) { return "made", nil }, func(_ *tx, id string) (string, error) { return id, nil }); err != nil || replayed {
		t.Fatalf("the first time: replayed %v (%v)", replayed, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	gone, ended := make(chan struct{}), make(chan struct{})
	made, replayed, err := underKey(ctx, h.Ledger, urgent, tester, once, func(_ *tx, kept string, done bool) (string, error) {
		defer close(ended)
		if !done {
			t.Error("its key is not known")
		}
		cancel()
		<-gone
		return kept, nil
	})
	close(gone)
	if made != "" || replayed || !errors.Is(err, ErrUnknown) {
		t.Errorf("told %q, replayed %v (%v)", made, replayed, err)
	}
	<-ended
}

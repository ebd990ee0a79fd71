package process

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// oneShelf keeps one thing; what is called slow takes until nobody waits for it.
type oneShelf struct{ body []byte }

func (s *oneShelf) Get(ctx context.Context, name string) ([]byte, error) {
	if name == "slow" {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.body, nil
}

func (s *oneShelf) Put(_ context.Context, name string, body []byte) error {
	if name != "n" {
		return errors.New("an other name")
	}
	s.body = body
	return nil
}

// What a program puts on the shelf is there when it looks, and nonsense is told.
func TestShelfTravels(t *testing.T) {
	t.Parallel()
	c, _ := openedWith(t, &oneShelf{}, "shelf")
	products, err := c.Products(t.Context())
	if err != nil || len(products) != 1 || products[0].Room != "kept" || !strings.Contains(products[0].RoomName, "a name to get, or one to put") {
		t.Errorf("on the shelf is %v, %v", products, err)
	}
}

// What a call that was cancelled has left behind can still be put down.
func TestACancelledCallPutsDownWhatItKnows(t *testing.T) {
	t.Parallel()
	shelf := awaited{put: make(chan string, 1)}
	c, _ := openedWith(t, shelf, "notes cancels")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Products(ctx); err == nil || ctx.Err() == nil {
		t.Fatalf("it ends with %v", err)
	}
	if got := <-shelf.put; got != "cancelled" {
		t.Errorf("on the shelf is %q", got)
	}
}

// awaited is a shelf that tells what is put there.
type awaited struct{ put chan string }

func (awaited) Get(context.Context, string) ([]byte, error) { return nil, nil }

func (s awaited) Put(ctx context.Context, _ string, body []byte) error {
	s.put <- string(body)
	return ctx.Err()
}

func TestWhoAsksTooMuchIsEnded(t *testing.T) {
	t.Parallel()
	c, _ := openedWith(t, &oneShelf{}, "asks too much")
	if _, err := c.Products(t.Context()); err == nil || !strings.Contains(err.Error(), "too much") && !strings.Contains(err.Error(), "floods") {
		t.Errorf("it ends with %v", err)
	}
}

// A program shakes hands for itself, and what that found out it is told when it is
// opened, so that it can say what it can do then.
func TestHandshakeTravels(t *testing.T) {
	t.Parallel()
	config := configOf("handshake")
	env := connectors.Env{ChannelID: "ch_1", Log: zap.NewNop(), Clock: hotel.SystemClock{}}
	after, err := discover(t.Context(), config, env)
	if err != nil || after.Version != "7" || len(after.Features) != 1 {
		t.Fatalf("the handshake finds %+v, %v", after, err)
	}
	d, err := describe(config)
	if err != nil || d.Capabilities(connectors.Discovered{}).HorizonDays != 0 || d.Capabilities(after).HorizonDays != 700 {
		t.Errorf("it can do %v, %v after the handshake, %v", d.Capabilities(connectors.Discovered{}).HorizonDays, d.Capabilities(after).HorizonDays, err)
	}
	none, err := discover(t.Context(), configOf("chatter"), env)
	if err != nil || none.Version != "" {
		t.Errorf("a program without a handshake finds %+v, %v", none, err)
	}
}

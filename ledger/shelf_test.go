package ledger

import (
	"context"
	"testing"
)

func TestAShelfKeepsWhatAConnectorPutsThere(t *testing.T) {
	h := newHouse(t)
	h.newChannel(t, "ch")
	ctx := context.Background()
	holds := func(want string) {
		t.Helper()
		if got, err := h.Shelved(ctx, "ch", "feed"); err != nil || string(got) != want {
			t.Errorf("the shelf holds %q and %v, want %q", got, err, want)
		}
	}
	holds("")
	for _, body := range []string{"one", "two", ""} {
		if err := h.Shelve(ctx, "ch", "feed", []byte(body)); err != nil {
			t.Fatal(err)
		}
		holds(body)
	}
	if err := h.Shelve(ctx, "ch", "feed", []byte("three")); err != nil {
		t.Fatal(err)
	}
	if got, err := h.Shelved(ctx, "other", "feed"); err != nil || got != nil {
		t.Errorf("another channel's shelf holds %q and %v", got, err)
	}
	if err := h.Shelve(ctx, "ch", "feed", make([]byte, maxShelved+1)); err == nil {
		t.Error("more than may be kept is kept")
	}
	if err := h.Shelve(ctx, "nobody", "feed", nil); err == nil {
		t.Error("something is kept for a channel that there is not")
	}
	holds("three")
}

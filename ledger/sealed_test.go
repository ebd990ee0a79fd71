package ledger

import (
	"context"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestAReaderKeepsNoHotelClosed: while somebody reads, as whoever replicates the log does,
// secrets are sealed all the same, and the files are written anew by the next start. No
// revision and no entry of the journal comes of it.
func TestAReaderKeepsNoHotelClosed(t *testing.T) {
	h := newHouse(t)
	c, _, err := h.CreateChannel(t.Context(), tester, hotel.Once{}, fullChannel(h.property.ID))
	if err != nil {
		t.Fatal(err)
	}
	before := must(h.Sequence(t.Context()))(t)
	reading, err := h.readDB.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var channels int
	if err := reading.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM channel").Scan(&channels); err != nil || channels != 1 {
		t.Fatalf("%d channels, %v", channels, err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	done, err := h.SealAnew(ctx, Sealing{Settings: func(c hotel.Channel) ([]byte, error) {
		return []byte(strings.ReplaceAll(string(c.Settings), "secret:mock", "sealed")), nil
	}})
	if err != nil || done.Changed != 1 || done.Left == nil {
		t.Errorf("beside a reader: %+v, %v", done, err)
	}
	if err := reading.Rollback(); err != nil {
		t.Fatal(err)
	}
	left := func() int64 {
		t.Helper()
		cursor, err := h.read.GetCursor(t.Context(), scrubReader)
		if err != nil {
			t.Fatal(err)
		}
		return cursor.Position - cursor.Sequence
	}
	if left() == 0 {
		t.Error("nobody knows that something is left")
	}
	h.reopen(t)
	if left() != 0 {
		t.Error("the next start has left it")
	}
	after, err := h.Channel(t.Context(), c.ID)
	if err != nil || string(after.Settings) != `{"secret":"sealed"}` || after.Revision != c.Revision || must(h.Sequence(t.Context()))(t) != before {
		t.Errorf("kept are %s at revision %d of %d, %v", after.Settings, after.Revision, c.Revision, err)
	}
}

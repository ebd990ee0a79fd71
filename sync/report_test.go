package sync

import (
	"context"
	"net/http"
	"testing"

	"go.uber.org/zap"

	"ostler.example/hotel"
)

// reported is a ledger that keeps what is reported.
type reported struct {
	Ledger
	of map[string]hotel.ChannelReport // by channel
}

func (r reported) Report(_ context.Context, channel string, said hotel.ChannelReport) error {
	r.of[channel] = said
	return nil
}

// TestWhatAConnectorReportsHasNoCards: the words may be anybody's, and are kept where nothing
// can be forgotten.
func TestWhatAConnectorReportsHasNoCards(t *testing.T) {
	l := reported{of: map[string]hotel.ChannelReport{}}
	e := &Engine{o: Options{Ledger: l, Client: func(string) *http.Client { return nil }, Log: zap.NewNop(), Clock: hotel.SystemClock{}}}
	err := e.env(hotel.Channel{Entity: hotel.Entity{ID: "ch_1"}}).Report(t.Context(), hotel.ChannelReport{
		Code: "sync_error", Of: "4111111111111111 Online", Reason: "card 4111 1111 1111 1111", Severity: hotel.Critical, Over: true,
	})
	got := l.of["ch_1"]
	if err != nil || got.Code != "sync_error" || got.Severity != hotel.Critical || !got.Over {
		t.Errorf("%+v is kept, %v", got, err)
	}
	if got.Of != "************1111 Online" || got.Reason == "card 4111 1111 1111 1111" {
		t.Errorf("a card is kept: %+v", got)
	}
}

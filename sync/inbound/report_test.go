package inbound

import (
	"context"
	"testing"

	"ostler.example/hotel"
)

// reports keeps what is reported, by channel.
type reports map[string]hotel.ChannelReport

func (r reports) Report(_ context.Context, channel string, said hotel.ChannelReport) error {
	r[channel] = said
	return nil
}

// TestReportsHaveNoCards: the words may be anybody's, and are kept where nothing can be
// forgotten.
func TestReportsHaveNoCards(t *testing.T) {
	kept := reports{}
	err := Report(t.Context(), kept, "ch_1", hotel.ChannelReport{
		Code: "sync_error", Of: "4111111111111111 Online", Reason: "card 4111 1111 1111 1111", Severity: hotel.Critical, Over: true,
	})
	got := kept["ch_1"]
	if err != nil || got.Code != "sync_error" || got.Severity != hotel.Critical || !got.Over {
		t.Errorf("%+v is kept, %v", got, err)
	}
	if got.Of != "************1111 Online" || got.Reason == "card 4111 1111 1111 1111" {
		t.Errorf("a card is kept: %+v", got)
	}
}

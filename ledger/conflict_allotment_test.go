package ledger

import (
	"context"
	"encoding/json"
	"testing"

	"ostler.example/hotel"
)

// promisedSide is a channel that goes on selling two doubles of a closed night, of
// which a third is sold.
func promisedSide(t *testing.T) (*inbox, hotel.Conflict) {
	t.Helper()
	b := newInbox(t)
	must(b.Receive(context.Background(), oneRoom(b.house, "1", "booked", channelRoom(b.today+3, b.today+4, "D", true))))(t)
	everyConflict[hotel.ConflictAllotment].raise(t, b)
	return b, b.open(t, hotel.ConflictAllotment)
}

// TestPromisedRoomsAreKept: what a channel goes on selling is taken from what others
// are sold, for good or until a date.
func TestPromisedRoomsAreKept(t *testing.T) {
	for option, until := range map[string]hotel.Date{hotel.OptionAccept: 0, hotel.OptionRelease: 2} {
		t.Run(option, func(t *testing.T) {
			b, c := promisedSide(t)
			arguments := ""
			if until > 0 {
				arguments = `{"until":"` + (b.today + until).String() + `"}`
			}
			b.resolve(t, c, option, arguments)
			blocks := must(b.Blocks(context.Background(), b.property.ID, hotel.BlockFilter{}))(t)
			if len(blocks) != 1 || blocks[0].ChannelID != "ch" || len(blocks[0].Lines) != 1 || blocks[0].Lines[0].Units != 3 || blocks[0].Lines[0].DateFrom != b.today+3 {
				t.Fatalf("blocks %+v", blocks)
			}
			if on := blocks[0].ReleaseOn; (on != nil) != (until > 0) || on != nil && *on != b.today+until {
				t.Errorf("released on %v", on)
			}
			b.closeNights(t, b.today+3, b.today+3, false)
			if free := b.free(t, b.double, 3, 3); free != "[2]" { // of five, three are the channel's
				t.Errorf("%s are free", free)
			}
			b.sound(t)
		})
	}
}

func TestPromisedRoomsAreRefused(t *testing.T) {
	b, c := promisedSide(t)
	_, _, err := b.ResolveConflict(context.Background(), tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: hotel.OptionRelease, Arguments: json.RawMessage(`{"until":"` + b.today.String() + `"}`)})
	if refusedAs(err) != "validation_failed" {
		t.Errorf("until today: %v", err)
	}
	if c := b.open(t, hotel.ConflictAllotment); c.Status != hotel.ConflictOpen {
		t.Errorf("refused, and it is %+v", c)
	}
}

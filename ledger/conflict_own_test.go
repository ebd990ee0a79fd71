package ledger

import (
	"encoding/json"
	"testing"

	"ostler.example/hotel"
)

// Of every kind of conflict it is said here what a channel's client is told of its facts:
// a kind that nobody has thought of tells nothing.
func TestOwnFactsOfEveryKind(t *testing.T) {
	kept := map[hotel.ConflictKind]string{
		hotel.ConflictDuplicate:   `{"bookings":[{"reservation_id":"mine","channel_id":"ch_a"}]}`,
		hotel.ConflictOversell:    `{"reservation_id":"mine","channel_id":"ch_a","nights":null,"house_limit":false,"sequence":0,"movable":[]}`,
		hotel.ConflictPlanned:     `{"reservation_id":"mine","channel_id":"ch_a","nights":null,"house_limit":false,"sequence":0,"movable":[]}`,
		hotel.ConflictBlastRadius: `{"sequence":0,"change":"","changed_id":"","changed_by":"","channels":[{"channel_id":"ch_a","cells":0,"limit":0,"nights":{"from":"1970-01-01","to":"1970-01-01"},"sample":null}]}`,
		hotel.ConflictExposed:     `{"reason":"","since":"0001-01-01T00:00:00Z","nights":[]}`,
	}
	facts := `{"reservation_id":"mine","channel_id":"ch_a","bookings":[{"reservation_id":"mine","channel_id":"ch_a"},{"reservation_id":"direct"},{"reservation_id":"theirs","channel_id":"ch_b"}],` +
		`"movable":[{"reservation_id":"theirs"}],"channels":[{"channel_id":"ch_a"},{"channel_id":"ch_b"}],"changed_by":"client cli_1","changed_id":"ari_1","update_id":"ari_1",` +
		`"nights":null}`
	whole := 0
	for _, kind := range hotel.ConflictKinds() {
		of := hotel.Conflict{
			Kind: kind, ChannelID: "ch_a", Facts: json.RawMessage(facts),
			Resolution: &hotel.ConflictDecision{Option: hotel.OptionMove, Arguments: json.RawMessage(`{"reservation_id":"theirs"}`), Note: "Mr Turing minds least"},
		}
		told := OwnFacts(of)
		switch want, is := kept[kind]; {
		case is && string(told.Facts) != want:
			t.Errorf("%s: %s, want %s", kind, told.Facts, want)
		case !is && string(told.Facts) == facts:
			whole++
		case !is:
			t.Errorf("%s tells %s", kind, told.Facts)
		}
		if r := told.Resolution; r.Option != hotel.OptionMove || r.Arguments != nil || r.Note != "" || of.Resolution.Note == "" {
			t.Errorf("%s: the decision is told as %+v", kind, r)
		}
	}
	if whole != len(hotel.ConflictKinds())-len(kept) {
		t.Errorf("%d kinds are told whole", whole)
	}
	if got := string(OwnFacts(hotel.Conflict{Kind: "new", Facts: json.RawMessage(facts)}).Facts); got != "{}" {
		t.Errorf("a kind that is not known tells %s", got)
	}
}

package ledger

import (
	"fmt"
	"strings"
	"testing"

	"ostler.example/hotel"
)

// TestWhatAChannelReports is asked about once until somebody has seen to it or it is over,
// and anew when it is reported anew. One that reports without end does not fill the inbox.
func TestWhatAChannelReports(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	report := func(r hotel.ChannelReport) {
		t.Helper()
		if err := h.Report(t.Context(), f.id, r); err != nil {
			t.Fatal(err)
		}
	}
	open := func(want int) []hotel.Conflict {
		t.Helper()
		list := must(h.Conflicts(t.Context(), hotel.ConflictFilter{PropertyID: h.property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictReported}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 200}))(t)
		if len(list) != want {
			t.Fatalf("%d reports are open, want %d", len(list), want)
		}
		return list
	}
	off := hotel.ChannelReport{Code: "deactivate_channel", Of: "Locanda Online", Reason: "by hand", Severity: hotel.Critical}
	report(off)
	before := must(h.Sequence(t.Context()))(t)
	report(off)
	if after := must(h.Sequence(t.Context()))(t); after != before {
		t.Errorf("what is known already makes %d entries", after-before)
	}
	k := open(1)[0]
	if k.Severity != hotel.Critical || k.ChannelID != f.id || string(k.Facts) != `{"report":"deactivate_channel","of":"Locanda Online","reason":"by hand"}` {
		t.Errorf("it is asked as %+v, %s", k, k.Facts)
	}
	report(hotel.ChannelReport{Code: "deactivate_channel", Of: "somebody else", Over: true})
	report(hotel.ChannelReport{Code: "sync_error", Of: "Locanda Online"})
	open(2)
	report(hotel.ChannelReport{Code: "deactivate_channel", Of: "Locanda Online", Over: true})
	k = open(1)[0]
	if k.Severity != hotel.Warning {
		t.Errorf("it is %s", k.Severity)
	}
	must2(h.ResolveConflict(t.Context(), tester, hotel.Once{}, k.ID, hotel.ConflictDecision{Option: hotel.OptionDismiss}))(t)
	open(0)
	report(hotel.ChannelReport{Code: "sync_error", Of: "Locanda Online"})
	open(1)
	for i := range 3 * mostReports {
		report(hotel.ChannelReport{Code: "sync_error", Of: fmt.Sprint(strings.Repeat("x", i), i), Reason: strings.Repeat("é", 2*mostReportReason)})
	}
	open(mostReports + 1)
	if err := h.Report(t.Context(), "nobody", off); err == nil {
		t.Error("a channel that there is not reports something")
	}
}

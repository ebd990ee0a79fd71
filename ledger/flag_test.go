package ledger

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// The journal hears of the first fault of a part and of its end, and of nothing
// that happens between.
func TestFlagsOfAChannel(t *testing.T) {
	f, _ := told(t)
	began := f.h.clock.Now().Truncate(time.Second)
	call := func(s Settlement) {
		t.Helper()
		f.beginRead(t)
		s.DeliveryID, f.read = f.read.id, nil
		if err := f.h.Settle(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		f.h.clock.move(time.Minute)
	}
	flags := func(want ...hotel.Flag) {
		t.Helper()
		got := f.state(t).Flags
		for i := range got { // its clock goes on a little with every look
			got[i].Since, got[i].LastAt = got[i].Since.Truncate(time.Second), got[i].LastAt.Truncate(time.Second)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("flags (-want +got):\n%s", diff)
		}
	}
	negative, panicked := hotel.Fault{Kind: hotel.FaultNumber, Words: "-1 rooms"}, hotel.Fault{Kind: hotel.FaultPanic, Words: "oh"}
	flags()
	call(Settlement{State: DeliveryApplied, Fault: negative})
	call(Settlement{State: DeliveryUnknown, Fault: panicked})
	read := hotel.Flag{Part: "read", Fault: panicked, Since: began, LastAt: began.Add(time.Minute), Times: 2}
	flags(read)
	call(Settlement{State: DeliveryUnknown}) // no answer is no good answer
	if err := f.h.Flag(t.Context(), f.id, PartReceive, panicked); err != nil {
		t.Fatal(err)
	}
	flags(read, hotel.Flag{Part: "receive", Fault: panicked, Since: began.Add(3 * time.Minute), LastAt: began.Add(3 * time.Minute), Times: 1})
	call(Settlement{State: DeliveryApplied})
	for range 2 {
		if err := f.h.Unflag(t.Context(), f.id, PartReceive); err != nil {
			t.Fatal(err)
		}
	}
	flags()
	got := ""
	for _, e := range must(f.h.Entries(t.Context(), 0, 10000))(t) {
		if e.Kind == ChannelFlagged || e.Kind == ChannelUnflagged {
			got += string(e.Kind) + " " + must(decode[FlagBody](e))(t).Part + "\n"
		}
	}
	if want := "channel.flagged read\nchannel.flagged receive\nchannel.unflagged read\nchannel.unflagged receive\n"; got != want {
		t.Errorf("the journal heard\n%swant\n%s", got, want)
	}
}

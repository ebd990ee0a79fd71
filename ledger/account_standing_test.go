package ledger

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// How an account stands is stored with the call that made it so, and told once for
// each of its channels.
func TestStandingIsStoredWithTheCall(t *testing.T) {
	f, cell := told(t)
	began := f.h.clock.Now()
	ends := func(s Standing) {
		t.Helper()
		f.beginRead(t)
		read := f.read.id
		f.read = nil
		if err := f.h.Settle(t.Context(), Settlement{DeliveryID: read, State: DeliveryUnknown, Standing: s}); err != nil {
			t.Fatal(err)
		}
	}
	stored := func() Standing {
		t.Helper()
		return must(f.h.Standing(t.Context(), f.id))(t)
	}
	sequence := must(f.h.Sequence(t.Context()))(t)

	denied := Standing{Turn: 5, Failures: 1, Cause: hotel.Denied, Since: began, ProbeAt: began.Add(time.Hour), Words: "answered 401"}
	ends(denied)
	older := Standing{Turn: 4, HeldUntil: began.Add(time.Minute)}
	ends(older)
	if got := stored(); got != denied {
		t.Errorf("stored %+v, want the newest, %+v", got, denied)
	}
	probed := denied
	probed.Turn, probed.Failures, probed.ProbeAt = 6, 2, began.Add(2*time.Hour)
	ends(probed)
	if got := stored(); got != probed {
		t.Errorf("after a probe %+v, want %+v", got, probed)
	}
	ends(Standing{Turn: 7})

	var got []string
	for _, e := range must(f.h.Entries(t.Context(), sequence, 100))(t) {
		if e.Kind == CircuitOpened || e.Kind == CircuitClosed {
			got = append(got, string(e.Kind)+" "+e.Subject+" "+string(e.Body))
		}
	}
	body := string(must(json.Marshal(CircuitBody{ChannelID: f.id, Failures: 1, Cause: hotel.Denied, RetryAt: &denied.ProbeAt}))(t))
	want := []string{"channel.circuit_opened ch " + body, `channel.circuit_closed ch {"channel_id":"ch","failures":0}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if g := f.group(t, cell); g.dirty() {
		t.Error("a read that failed makes a cell differ")
	}
}

// Of two calls that end together the later one left the account as it was stored: what
// the earlier one left is not stored over it, whichever is stored last.
func TestAnOlderStandingIsPassedOver(t *testing.T) {
	f, _ := told(t)
	for _, s := range []Standing{{Turn: 9}, {Turn: 11}, {Turn: 10, Failures: 1}} {
		f.beginRead(t)
		read := f.read.id
		f.read = nil
		if err := f.h.Settle(t.Context(), Settlement{DeliveryID: read, State: DeliveryUnknown, Standing: s}); err != nil {
			t.Fatal(err)
		}
	}
	if got := must(f.h.Standing(t.Context(), f.id))(t); got != (Standing{Turn: 11}) {
		t.Errorf("stored %+v, want the newest", got)
	}
}

// A channel that cannot be opened stays in error whatever happens to the calls of another
// one of its account: that the account is well opens nothing.
func TestAnErrorOutlivesTheCallsOfAnotherChannel(t *testing.T) {
	f, _ := told(t)
	at := f.h.clock.Now()
	look := func(closed bool) {
		t.Helper()
		link := hotel.Link{Open: !closed}
		if closed {
			link.Failure = "a setting is missing"
		}
		if err := f.h.NoteErrors(t.Context(), func(string) (hotel.Link, bool) { return link, true }); err != nil {
			t.Fatal(err)
		}
	}
	look(true)
	for turn := range int64(6) {
		f.beginRead(t)
		read := f.read.id
		f.read = nil
		s := Standing{Turn: 5 + turn}
		if turn%2 == 0 {
			s.Failures, s.HeldUntil = 1, at.Add(time.Minute)
		}
		if err := f.h.Settle(t.Context(), Settlement{DeliveryID: read, State: DeliveryUnknown, Standing: s}); err != nil {
			t.Fatal(err)
		}
		look(true)
	}
	look(false)
	var got []string
	for _, e := range must(f.h.Entries(t.Context(), 0, 10000))(t) {
		if e.Kind == ChannelFailed || e.Kind == ChannelRecovered {
			got = append(got, string(e.Kind)+" "+string(e.Body))
		}
	}
	want := []string{
		"channel.error " + string(must(json.Marshal(ErrorBody{ChannelID: f.id, Since: &at}))(t)), `channel.recovered {"channel_id":"ch","from":"error"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

package ledger

import (
	"testing"

	"ostler.example/hotel"
)

// After a restored backup nothing of a guarded pool is sold until its channels are
// closed and what they have sold is known. One that cannot prove its closing has to
// be taken live again by somebody.
func TestRestoredAccountsCountForNothing(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 1)
	f.goLive(t)
	h.protect(t, hotel.Guarded)
	f.catchUp(t)
	h.drain(t)
	sells := func() bool {
		r, _, err := h.book(h.double, h.today+1, h.today+2, hotel.Once{})
		if err == nil {
			must2(h.CancelReservation(t.Context(), tester, hotel.Once{}, r.ID, hotel.CancelRequest{}))(t)
		}
		return err == nil
	}
	if !sells() {
		t.Fatal("what is granted to nobody is not sold directly")
	}
	if err := h.write(t.Context(), urgent, tester, func(t *tx) error { return t.estrangeAll() }); err != nil {
		t.Fatal(err)
	}
	h.drain(t)
	if n := h.number(t, "SELECT COUNT(*) FROM party WHERE account IS NOT NULL OR NOT raised"); n > 0 {
		t.Errorf("%d accounts are trusted after the backup was restored", n)
	}
	f.catchUp(t)
	h.drain(t)
	if n := h.number(t, "SELECT COUNT(*) FROM party WHERE doing <> 'closed'"); n > 0 || sells() {
		t.Errorf("%d counters were not closed; rooms are sold directly: %t", n, sells())
	}
	f.pause(t)
	f.catchUp(t)
	must2(h.ActivateChannel(t.Context(), tester, hotel.Once{}, f.id, must(h.read.NewestEntry(t.Context()))(t).Sequence, hotel.Approval{AcceptedBy: "somebody"}))(t)
	h.drain(t)
	if !sells() {
		t.Error("nothing is sold directly after the channel was taken live again")
	}
}

// drain works off what is due.
func (h *house) drain(t *testing.T) {
	t.Helper()
	for must(h.DeriveDue(t.Context()))(t) {
	}
}

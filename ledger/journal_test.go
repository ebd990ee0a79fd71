package ledger

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

func TestChainTellsOfTampering(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t)
	last := must(h.Sequence(ctx))(t)
	victim := last / 2
	for _, change := range []string{
		"at = at + 1", "kind = 'stock.changed'", "subject = subject || 'x'", "actor = 'client:x'", "request_id = 'x'",
		"offers = 1 - offers", "body = '{}'", "hash = zeroblob(32)", "id = 'evt_x'",
	} {
		t.Run(change, func(t *testing.T) {
			h := newHouse(t)
			must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t)
			if bad := must(h.VerifyChain(ctx, h.property.ID))(t); bad != 0 {
				t.Fatalf("broken at %d before anything was done", bad)
			}
			err := h.write(ctx, urgent, tester, func(t *tx) error {
				_, err := t.b.w.conn.ExecContext(t.ctx, "UPDATE journal SET "+change+" WHERE sequence = ?", victim)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if bad := must(h.VerifyChain(ctx, h.property.ID))(t); bad != victim {
				t.Errorf("first bad entry %d, tampered with %d", bad, victim)
			}
		})
	}
	h.exec(t, "DELETE FROM touch")
	err := h.write(ctx, urgent, tester, func(t *tx) error {
		_, err := t.b.w.conn.ExecContext(t.ctx, "DELETE FROM journal WHERE sequence = ?", victim)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if bad := must(h.VerifyChain(ctx, h.property.ID))(t); bad != victim+1 {
		t.Errorf("first bad entry %d, taken out was %d", bad, victim)
	}
}

func TestChainsOfPropertiesAreApart(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	other := h.property
	other.ID = "other"
	must2(h.CreateProperty(ctx, tester, hotel.Once{}, other))(t)
	must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t)
	entries := must(h.Entries(ctx, 0, 1000))(t)
	for i, e := range entries {
		if e.Sequence != int64(i+1) {
			t.Fatalf("entry %d in place %d", e.Sequence, i+1)
		}
	}
	for _, p := range []string{"other", h.property.ID, ""} {
		if bad := must(h.VerifyChain(ctx, p))(t); bad != 0 {
			t.Errorf("chain of %q broken at %d", p, bad)
		}
	}
}

func TestInstantsNeverDecrease(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	must2(h.book(h.double, h.today+9, h.today+10, hotel.Once{}))(t)
	newest := func() Entry {
		t.Helper()
		return must(h.Entries(ctx, must(h.Sequence(ctx))(t)-1, 1))(t)[0]
	}
	before := newest()
	h.clock.move(-48 * time.Hour)
	r := must2(h.book(h.double, h.today+9, h.today+10, hotel.Once{}))(t)
	if got := newest(); got.At.Before(before.At) || r.CreatedAt.Before(before.At) {
		t.Errorf("entry at %s behind one at %s", got.At, before.At)
	}
	h.clock.move(-48 * time.Hour)
	h.reopen(t)
	must2(h.book(h.double, h.today+9, h.today+10, hotel.Once{}))(t)
	if got := newest(); got.At.Before(before.At) {
		t.Errorf("after a restart, entry at %s behind one at %s", got.At, before.At)
	}
}

func TestRestartGoesOnWithSequenceAndChain(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	for range 3 {
		before := must(h.Sequence(ctx))(t)
		h.reopen(t)
		must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t)
		if first := must(h.Entries(ctx, before, 1))(t)[0]; first.Sequence != before+1 {
			t.Errorf("sequence %d after %d", first.Sequence, before)
		}
		if bad := must(h.VerifyChain(ctx, h.property.ID))(t); bad != 0 {
			t.Errorf("chain broken at %d", bad)
		}
	}
}

// The touch index finds the newest entry for a night before any point.
func TestTouchFindsTheNewestEntry(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	night := h.today + 40 // in January, its update begins in December
	touched := func(at int64, d hotel.Date) int64 {
		t.Helper()
		seq, err := h.read.NewestTouch(ctx, ledgerdb.NewestTouchParams{
			Kind: string(PricesChanged), Subject: product{h.suite.ID, h.flex.ID}.subject(), Month: monthOf(d), AtMost: at,
		})
		if errors.Is(err, sql.ErrNoRows) {
			return 0
		}
		return must(seq, err)(t)
	}
	if must(hotel.ParseDate("2026-12-31"))(t) != night {
		t.Fatalf("the clock of the house has moved: %s", night)
	}
	first := must(h.setPrice(h.suite, h.flex, night-20, night+1, 7000))(t)
	second := must(h.setPrice(h.suite, h.flex, night-25, night-25, 7100))(t)
	fact := func(u hotel.AriUpdate) int64 { // its first entry is the fact
		t.Helper()
		for _, e := range must(h.Entries(ctx, 0, 10_000))(t) {
			body := must(decode[struct {
				Update string `json:"update_id"`
			}](e))(t)
			if body.Update == u.ID {
				return e.Sequence
			}
		}
		t.Fatalf("no entry of update %s", u.ID)
		return 0
	}
	if got := touched(second.Sequence, night); got != fact(second) {
		t.Errorf("newest of December is %d, want %d", got, fact(second))
	}
	if got := touched(fact(second)-1, night); got != fact(first) {
		t.Errorf("newest of December before the second update is %d, want %d", got, fact(first))
	}
	if got := touched(second.Sequence, night+1); got != fact(first) {
		t.Errorf("newest of January is %d, want %d", got, fact(first))
	}
	if got := touched(second.Sequence, night+400); got != 0 {
		t.Errorf("an entry %d for a month that nobody touched", got)
	}
}

func TestMonthsOfSpans(t *testing.T) {
	d := func(s string) hotel.Date { return must(hotel.ParseDate(s))(t) }
	got := months([]hotel.Span{{From: d("2026-11-30"), To: d("2026-12-01")}, {From: d("2026-12-20"), To: d("2027-01-31")}})
	if len(got) != 3 || got[0] != 2026*12+10 || got[2] != 2027*12 {
		t.Errorf("months %v", got)
	}
}

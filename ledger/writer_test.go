package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
	"ostler.example/ledger/internal/sqlite"
)

// A transaction that SQLite has undone as a whole takes every item with it, and
// no later one.
func TestLostTransactionIsToldToAll(t *testing.T) {
	h := newHouse(t)
	m := newCommitModel()
	sequence := must(h.Sequence(context.Background()))(t)
	before, loser, behind := &deed{name: "before", how: "works"}, &deed{name: "loser", how: "loses the transaction"}, &deed{name: "behind", how: "works"}
	deeds := []*deed{before, loser, behind}
	for _, d := range deeds {
		d.ctx = context.Background()
	}
	inOneBatch(h, deeds)
	if !errors.Is(before.got, errRolledBack) || !errors.Is(loser.got, errRolledBack) || errors.Is(before.got, ErrUnknown) {
		t.Errorf("told %v and %v", before.got, loser.got)
	}
	if behind.got != nil {
		t.Errorf("the item behind the lost batch: %v", behind.got)
	}
	m.stored["behind"] = true
	h.checkDeeds(t, m)
	if got := must(h.Sequence(context.Background()))(t); got != sequence+1 {
		t.Errorf("sequence %d after %d", got, sequence)
	}
}

func TestFullDiskFailsTheItemAlone(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	var pages int
	if err := h.readDB.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	h.exec(t, fmt.Sprintf("PRAGMA max_page_count = %d", pages+3))
	var full error
	booked := 0
	for range 200 {
		err := h.write(ctx, urgent, tester, func(t *tx) error {
			return t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: fmt.Sprintf("%d%4000s", booked, "")})
		})
		if full = err; err != nil {
			break
		}
		booked++
	}
	if full == nil || errors.Is(full, ErrUnknown) {
		t.Fatalf("the full disk was told as %v", full)
	}
	h.exec(t, "PRAGMA max_page_count = 1000000")
	if _, _, err := h.book(h.double, h.today, h.today+1, hotel.Once{}); err != nil {
		t.Errorf("booking after the disk was cleared: %v", err)
	}
	var rows int
	if err := h.readDB.QueryRowContext(ctx, "SELECT COUNT(*) FROM cursor WHERE length(reader) > 1000").Scan(&rows); err != nil || rows != booked {
		t.Errorf("%d rows, %d were acknowledged (%v)", rows, booked, err)
	}
}

// While something urgent waits, a batch takes one bulk item, and takes it first;
// so neither queue starves.
func TestOneBulkItemABatchWhileUrgentWaits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &writer{wake: make(chan struct{}, 1)}
		submit := func(in queue, n int) {
			for range n {
				if err := w.submit(&item{ctx: context.Background(), done: make(chan error, 1)}, in); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range rapid.IntRange(1, 20).Draw(t, "batches") {
			bulkTaken := 0
			for range rapid.IntRange(1, 6).Draw(t, "items") {
				submit(urgent, rapid.IntRange(0, 2).Draw(t, "urgent"))
				submit(bulk, rapid.IntRange(0, 2).Draw(t, "bulk"))
				waiting := [2]int{len(w.waiting[urgent]), len(w.waiting[bulk])}
				it, in := w.next(bulkTaken)
				switch {
				case it == nil && waiting[urgent]+waiting[bulk] > 0:
					t.Fatalf("nothing taken of %v", waiting)
				case it == nil:
				case in == bulk && bulkTaken > 0 && waiting[urgent] > 0:
					t.Fatalf("a second bulk item was taken before %d urgent ones", waiting[urgent])
				case in == urgent && bulkTaken == 0 && waiting[bulk] > 0:
					t.Fatal("an urgent item was taken before the batch's bulk item")
				case in == bulk:
					bulkTaken++
				}
			}
		}
	})
}

// What the clock notes, and what readers wait for, stands before all that is long: a tick
// writes a dozen of these one after the other.
func TestClockWaitsForNothingLong(t *testing.T) {
	ctx := context.Background()
	h := newHouse(t)
	for name, do := range map[string]func() error{
		"a read-back's end": func() error { return h.ReadDone(ctx, "ch_none", h.clock.Now()) },
		"a run's end":       func() error { return h.EndSyncRun(ctx, hotel.SyncRun{ID: "run_none"}) },
		"answers counted":   func() error { return h.SaveAnswers(ctx, nil) },
		"traffic counted":   func() error { return h.SaveTraffic(ctx, nil) },
		"endpoints moved":   func() error { return h.TurnWebhooks(ctx, nil) },
		"endpoints gone":    func() error { return h.GiveWebhooksUp(ctx, nil) },
		"people told":       func() error { return h.Notify(ctx, h.property.ID, hotel.NoticeStep{}) },
		"a mail's end":      func() error { return h.EndMail(ctx, "mail_none") },
		"a session seen":    func() error { return h.SeeSession(ctx, "ses_none", h.clock.Now()) },
		"a board shown": func() error {
			h.boards.drop()
			_, err := h.Board(ctx, h.property.ID)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			began, proceed := make(chan struct{}), make(chan struct{})
			var running sync.WaitGroup
			running.Go(func() {
				_ = h.write(ctx, bulk, tester, func(*tx) error {
					close(began)
					<-proceed
					return nil
				})
			})
			<-began
			running.Go(func() {
				if err := do(); err != nil {
					t.Error(err)
				}
			})
			h.await(1)
			h.w.mu.Lock()
			if n := len(h.w.waiting[bulk]); n > 0 {
				t.Error("it waits behind what is long")
			}
			h.w.mu.Unlock()
			close(proceed)
			running.Wait()
		})
	}
}

// A clock that was set back must not lengthen a batch.
func TestBatchEndsByTheClock(t *testing.T) {
	h := newHouse(t)
	must2(h.book(h.double, h.today, h.today+1, hotel.Once{}))(t)
	h.clock.move(-time.Hour)
	batches := map[*batch]bool{}
	deeds := make(chan error, 3)
	busy, proceed := make(chan struct{}), make(chan struct{})
	run := func(t *tx) {
		batches[t.b] = true
		h.clock.move(sqlite.BatchTime)
	}
	go func() {
		deeds <- h.write(context.Background(), urgent, tester, func(t *tx) error {
			close(busy)
			<-proceed
			run(t)
			return nil
		})
	}()
	<-busy
	for i := range 2 {
		go func() {
			deeds <- h.write(context.Background(), urgent, tester, func(t *tx) error {
				run(t)
				return nil
			})
		}()
		h.await(i + 1)
	}
	close(proceed)
	for range 3 {
		if err := <-deeds; err != nil {
			t.Error(err)
		}
	}
	if len(batches) != 3 {
		t.Errorf("3 items of a batch's whole time each made %d batches", len(batches))
	}
}

func TestClosedLedgerTakesNothing(t *testing.T) {
	h := newHouse(t)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if err := h.write(context.Background(), urgent, tester, func(*tx) error { return nil }); !errors.Is(err, errClosed) {
		t.Errorf("write after Close: %v", err)
	}
	h.open(t)
}

// Nothing is stored while another process has the database locked, nobody is told that
// it is, and what comes afterwards is taken as ever.
func TestAnotherProcessHasTheDatabaseLocked(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	h.close(t)
	h.Ledger = must(Open(ctx, Options{Path: h.path, Clock: h.clock, Patience: time.Millisecond}))(t)
	opened := must((&sqlite3.SQLiteDriver{}).Open("file:" + sqlite.Escaped(h.path) + "?_busy_timeout=1"))(t)
	other, _ := opened.(*sqlite3.SQLiteConn)
	must(other.Exec("BEGIN IMMEDIATE", nil))(t)
	before := must(h.Sequence(ctx))(t)
	_, _, err := h.book(h.double, h.today+3, h.today+5, hotel.Once{})
	if err == nil || errors.Is(err, ErrUnknown) {
		t.Errorf("a booking while the database is locked ends with %v", err)
	}
	if now := must(h.Sequence(ctx))(t); now != before {
		t.Errorf("the journal went from %d to %d", before, now)
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	must2(h.book(h.double, h.today+3, h.today+5, hotel.Once{}))(t)
}

package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit/figures"
	"ostler.example/ledger/internal/ledgerdb"
)

// statement is one statement as the ledger ran it.
type statement struct {
	text string
	args []any
	rows bool
}

// recorder notes every statement of the writer on its way to the connection.
type recorder struct {
	ledgerdb.DBTX
	ran []statement
}

func (r *recorder) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	r.ran = append(r.ran, statement{text, args, false})
	return r.DBTX.ExecContext(ctx, text, args...)
}

func (r *recorder) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	r.ran = append(r.ran, statement{text, args, true})
	return r.DBTX.QueryContext(ctx, text, args...)
}

func (r *recorder) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	r.ran = append(r.ran, statement{text, args, true})
	return r.DBTX.QueryRowContext(ctx, text, args...)
}

// bare runs recorded items from a bare loop: the same statements in the same
// order, prepared once, with the same savepoints and the same group commit.
type bare struct {
	conn    *sql.Conn
	stmts   map[string]*sql.Stmt
	waiting chan bareItem
}

type bareItem struct {
	run  []statement
	done chan error
}

func (b *bare) exec(s statement) error {
	stmt := b.stmts[s.text]
	if stmt == nil {
		var err error
		if stmt, err = b.conn.PrepareContext(context.Background(), s.text); err != nil {
			return err
		}
		b.stmts[s.text] = stmt
	}
	if !s.rows {
		_, err := stmt.ExecContext(context.Background(), s.args...)
		return err
	}
	rows, err := stmt.QueryContext(context.Background(), s.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		continue
	}
	return rows.Err()
}

func (b *bare) loop() {
	for first := range b.waiting {
		batch, started := []bareItem{first}, time.Now()
		err := b.exec(statement{text: "BEGIN IMMEDIATE"})
		for it, more := first, true; more && err == nil; {
			err = b.item(it)
			if len(batch) >= batchItems || time.Since(started) >= batchTime {
				break
			}
			select {
			case it, more = <-b.waiting:
				if more {
					batch = append(batch, it)
				}
			default:
				more = false
			}
		}
		err = errors.Join(err, b.exec(statement{text: "COMMIT"}))
		for _, it := range batch {
			it.done <- err
		}
	}
}

func (b *bare) item(it bareItem) error {
	err := b.exec(statement{text: "SAVEPOINT item"})
	for _, s := range it.run {
		err = errors.Join(err, b.exec(s))
	}
	return errors.Join(err, b.exec(statement{text: "RELEASE item"}))
}

// newLodge opens a house for measuring: 400 nights, and rooms that do not run out.
func newLodge(b *testing.B) *house {
	h := newHouse(b)
	h.exec(b, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 400)")
	for _, r := range []hotel.RoomType{h.double, h.suite} {
		must(h.updateStock(hotel.InventoryEntry{RoomTypeID: r.ID, Dates: h.span(0, 400), Total: hotel.Given(9999)}))(b)
	}
	for _, r := range []hotel.RoomType{h.double, h.twin, h.suite} {
		must(h.setPrice(r, h.flex, h.today, h.today+400, 10000))(b)
	}
	h.deriveAll(b)
	h.checkBoards = false
	must(h.Board(context.Background(), h.property.ID))(b)
	return h
}

// sale is the n-th reservation of a run: two nights, somewhere in the year.
func (h *house) sale(n int) error {
	room := []hotel.RoomType{h.double, h.twin, h.suite}[n%3]
	in := h.today + hotel.Date(n*7%390)
	_, _, err := h.book(room, in, in+2, hotel.Once{Client: "c", Method: "POST", Path: "/v1/reservations", Key: fmt.Sprint(n)})
	return err
}

// record makes n sales on a copy of the house and returns their statements.
func (h *house) record(b *testing.B, n int) [][]statement {
	r := &recorder{DBTX: h.w.conn}
	prepared := h.w.q
	h.w.q = ledgerdb.New(r)
	items := make([][]statement, n)
	for i := range items {
		r.ran = nil
		if err := h.sale(i); err != nil {
			b.Fatal(err)
		}
		items[i] = r.ran
	}
	h.w.q = prepared
	return items
}

// callers runs f for from to to-1 from so many callers and returns how long it
// took.
func callers(b *testing.B, count, from, to int, f func(i int) error) time.Duration {
	var next atomic.Int64
	next.Store(int64(from))
	var all sync.WaitGroup
	started := time.Now()
	for range count {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < to; i = int(next.Add(1)) - 1 {
				if err := f(i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(started)
}

// BenchmarkFigures prints the ledger's rows of `make bench`.
func BenchmarkFigures(b *testing.B) {
	b.Run("reservations", benchReservations)
	b.Run("bulk", benchBulk)
	b.Run("derive", benchDerive)
	b.Run("difference", benchDifference)
	b.Run("night", benchNight)
	b.Run("forget", benchForget)
}

func benchReservations(b *testing.B) {
	const turns, sales = 7, 400 // of each turn
	for b.Loop() {
		h := newLodge(b)
		h.close(b)
		for _, count := range []int{1, 64} {
			recorded, ours := h.copied(b), h.copied(b)
			items := recorded.record(b, turns*sales)
			loop, stop := newBare(b, h.copied(b))
			ratio := figures.Ratio(turns, func(turn int) time.Duration {
				return callers(b, count, turn*sales, (turn+1)*sales, ours.sale)
			}, func(turn int) time.Duration {
				return callers(b, count, turn*sales, (turn+1)*sales, func(i int) error {
					done := make(chan error, 1)
					loop.waiting <- bareItem{items[i], done}
					return <-done
				})
			})
			stop()
			recorded.close(b)
			ours.close(b)
			figures.Row(fmt.Sprintf("reservations, callers: %d", count), fmt.Sprintf("%.2f of bare SQLite", ratio), figures.AtLeast(0.5, ratio),
				fmt.Sprintf("2 nights, key, 2 types on one pool, %d statements; %s", len(items[9]), onFolder(h.path)))
		}
		h.open(b)
	}
}

// copied opens a copy of the house's file, with its board in memory.
func (h *house) copied(b *testing.B) *house {
	c := *h
	c.path = filepath.Join(folder(b), "ledger.db")
	if err := os.WriteFile(c.path, must(os.ReadFile(h.path))(b), 0o600); err != nil {
		b.Fatal(err)
	}
	c.open(b)
	c.checkBoards = false
	must(c.Board(context.Background(), h.property.ID))(b)
	return &c
}

// newBare starts a bare loop on the file of a house, which it closes.
func newBare(b *testing.B, h *house) (loop *bare, stop func()) {
	h.close(b)
	db := must(sql.Open("sqlite3", dsn(h.path, true)))(b)
	loop = &bare{conn: must(db.Conn(context.Background()))(b), stmts: map[string]*sql.Stmt{}, waiting: make(chan bareItem, batchItems)}
	if err := keepUndoInMemory(context.Background(), loop.conn); err != nil { // as the writer's is
		b.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		loop.loop()
	}()
	return loop, func() {
		close(loop.waiting)
		<-ended
		if err := errors.Join(loop.conn.Close(), db.Close()); err != nil {
			b.Error(err)
		}
	}
}

// onFolder says on what kind of file system the file lies.
func onFolder(path string) string {
	if strings.HasPrefix(path, "/dev/shm") {
		return "tmpfs, synchronous=FULL"
	}
	return "disk, synchronous=FULL"
}

func benchDerive(b *testing.B) {
	const nights, plans = 1000, 34
	for b.Loop() {
		h := newLodge(b)
		ctx := context.Background()
		h.exec(b, fmt.Sprintf("UPDATE property SET body = json_set(body, '$.booking_horizon_days', %d)", nights))
		for i := range plans - 2 {
			must2(h.CreateRatePlan(ctx, tester, hotel.Once{}, hotel.RatePlan{
				PropertyID: h.property.ID, Code: fmt.Sprint("plan", i), Name: "Plan", Currency: "EUR", Pricing: hotel.PerRoomPrice, MealPlan: "room_only", TaxMode: "inclusive",
				RoomTypeIDs: []string{h.double.ID, h.twin.ID, h.suite.ID}, Audience: hotel.Public, Position: 3 + i, Status: hotel.Active,
				DerivedFrom: &hotel.Derivation{RatePlanID: h.flex.ID, Kind: hotel.Percent, Value: fmt.Sprint(-i)},
			}))(b)
		}
		h.deriveAll(b)
		must(h.Board(ctx, h.property.ID))(b)
		var holds, longest, took []time.Duration
		for round := range 3 {
			for _, r := range []hotel.RoomType{h.double, h.twin, h.suite} {
				for from := h.today; from < h.today+nights; from += nights / 2 { // a call takes so many
					must(h.setPrice(r, h.flex, from, from+nights/2-1, int64(12345+round)))(b)
				}
			}
			holds = nil
			started := time.Now()
			for more := true; more; {
				begun := time.Now()
				more = must(h.DeriveDue(ctx))(b)
				holds = append(holds, time.Since(begun))
			}
			took = append(took, time.Since(started))
			longest = append(longest, slices.Max(holds))
		}
		conditions := fmt.Sprintf("3 types, %d plans, %d nights, one price changed; %s", plans, nights, onFolder(h.path))
		figures.Row("house values of 102,000 cells", figures.Millis(figures.Quantile(took, 0.5)), "", conditions)
		hold := slices.Min(longest) // what the ledger itself does comes in every round
		figures.Row("one item held the writer", "p50 "+figures.Millis(figures.Quantile(holds, 0.5))+", longest "+figures.Millis(hold), figures.AtMost(20*time.Millisecond, hold),
			fmt.Sprintf("of those %d items, commit included; the least of 3 rounds", len(holds)))
	}
}

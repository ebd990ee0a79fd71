package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// deed is one item of the model: what it does, and what its caller is told.
type deed struct {
	name string
	how  string
	key  string // idempotency key; "" without
	in   queue
	ctx  context.Context
	quit context.CancelFunc
	ran  bool
	got  error
}

var (
	errItem  = errors.New("the item's own mistake")
	errLeave = errors.New("the caller has left")
)

// run leaves a row and an entry under the deed's name, then ends as it is to.
func (d *deed) run(t *tx) error {
	d.ran = true
	if d.how == "leaves while it runs" {
		d.quit()
	}
	if d.key != "" {
		_, done, err := t.begin(hotel.Once{Client: "c", Method: "POST", Path: "/", Key: d.key})
		if err != nil || done {
			return err
		}
	}
	if err := t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: "deed:" + d.name}); err != nil {
		return err
	}
	if _, err := t.append(entry{property: "p", kind: "deed", subject: d.name, body: d.how}); err != nil {
		return err
	}
	switch d.how {
	case "fails":
		return errItem
	case "panics":
		panic(errItem)
	case "is refused":
		return hotel.Refuse("not_available", "%s", d.name)
	case "breaks a statement":
		return t.q.InsertPool(t.ctx, ledgerdb.InsertPoolParams{ID: d.name, Body: "{}"})
	case "spoils the commit": // a deferred reference to nothing
		pool, err := documentOf(&hotel.Pool{Entity: t.entity(d.name), PropertyID: "hotel_1", Code: d.name, OwnOf: "none", Status: hotel.Active})
		return errors.Join(err, t.q.InsertPool(t.ctx, ledgerdb.InsertPoolParams(pool)))
	case "loses the transaction": // as a full disk may
		return errors.Join(errItem, t.b.w.exec("ROLLBACK"))
	}
	if d.key != "" {
		return t.keep(d.name)
	}
	return nil
}

// inOneBatch submits the deeds while the writer is busy, lets callers leave, and
// waits for all answers.
func inOneBatch(h *house, deeds []*deed) {
	busy, proceed := make(chan struct{}), make(chan struct{})
	var callers sync.WaitGroup
	callers.Go(func() {
		_ = h.write(context.Background(), urgent, tester, func(*tx) error { // its batch may be lost
			close(busy)
			<-proceed
			return nil
		})
	})
	<-busy
	for i, d := range deeds {
		callers.Go(func() { d.got = h.write(d.ctx, d.in, tester, d.run) })
		h.await(i + 1) // one after the other, so that the model knows the order
	}
	for _, d := range deeds {
		if d.how == "leaves before" {
			d.quit()
		}
	}
	close(proceed)
	callers.Wait()
	// Who left was told before the commit: it is over when another item has run.
	_ = h.write(context.Background(), urgent, tester, func(*tx) error { return nil })
}

// await returns when so many items wait for a batch.
func (h *house) await(items int) {
	for {
		h.w.mu.Lock()
		n := len(h.w.waiting[urgent]) + len(h.w.waiting[bulk])
		h.w.mu.Unlock()
		if n >= items {
			return
		}
		runtime.Gosched()
	}
}

// inOrder returns the deeds in the order in which one batch takes them: one bulk
// item, all that is urgent, the rest.
func inOrder(deeds []*deed) (out []*deed) {
	var queues [2][]*deed
	for _, d := range deeds {
		queues[d.in] = append(queues[d.in], d)
	}
	rest := queues[bulk]
	for len(rest) > 0 { // who has left takes no place
		d := rest[0]
		out, rest = append(out, d), rest[1:]
		if d.how != "leaves before" {
			break
		}
	}
	return append(append(out, queues[urgent]...), rest...)
}

// commitModel is what the file holds: which deeds are stored, and under which
// keys.
type commitModel struct {
	stored  map[string]bool
	refused map[string]string // by key: who was refused
	done    map[string]string // by key: who did it
}

func newCommitModel() *commitModel {
	return &commitModel{map[string]bool{}, map[string]string{}, map[string]string{}}
}

// batch says what the waiting deeds leave behind, and what each caller is to be
// told.
func (m *commitModel) batch(deeds []*deed) map[*deed]string {
	told, next, unknown := map[*deed]string{}, newCommitModel(), false
	order := inOrder(deeds)
	for i, d := range order {
		did := d.key != "" && m.done[d.key]+next.done[d.key] != ""
		said := d.key != "" && m.refused[d.key]+next.refused[d.key] != ""
		switch {
		case d.how == "leaves before":
			told[d] = "left"
		case did:
			told[d] = "done"
		case said:
			told[d] = "refused"
		case d.how == "fails" || d.how == "panics" || d.how == "breaks a statement":
			told[d] = "own error"
		case d.how == "is refused":
			told[d] = "refused"
			next.refused[d.key] = d.name
		case d.how == "loses the transaction":
			told[d] = ""
			all(told, "nothing is stored")
			later := slices.DeleteFunc(slices.Clone(deeds), func(d *deed) bool { return slices.Contains(order[:i+1], d) })
			maps.Copy(told, m.batch(later)) // a batch of their own
			return told
		default:
			told[d] = "done"
			next.stored[d.name] = true
			next.done[d.key] = d.name
			unknown = unknown || d.how == "spoils the commit"
		}
	}
	if unknown {
		all(told, "unknown")
		return told
	}
	maps.Copy(m.stored, next.stored)
	maps.Copy(m.refused, next.refused)
	maps.Copy(m.done, next.done)
	return told
}

// all tells everybody who ran the same.
func all(told map[*deed]string, what string) {
	for d, t := range told {
		if t != "left" {
			told[d] = what
		}
	}
}

// right reports whether the caller was told what the model says.
func (d *deed) right(told string) bool {
	if d.how == "leaves while it runs" && errors.Is(d.got, ErrUnknown) {
		return true // not told more, whatever came of it
	}
	refusal := (*hotel.Refusal)(nil)
	switch told {
	case "left":
		return errors.Is(d.got, errLeave) && !errors.Is(d.got, ErrUnknown) && !d.ran
	case "done":
		return d.got == nil
	case "refused":
		return errors.As(d.got, &refusal) && refusal.Code == "not_available"
	case "unknown":
		return errors.Is(d.got, ErrUnknown)
	case "nothing is stored":
		return errors.Is(d.got, errRolledBack)
	case "own error":
		return d.got != nil && !errors.Is(d.got, ErrUnknown) && !errors.Is(d.got, errRolledBack)
	}
	return false
}

func TestGroupCommitAgainstItsModel(t *testing.T) {
	hows := []string{"works", "works", "works", "fails", "panics", "is refused", "breaks a statement", "leaves before", "leaves while it runs"}
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		m := newCommitModel()
		for n := range rapid.IntRange(1, 4).Draw(t, "batches") {
			var deeds []*deed
			size := rapid.IntRange(1, 64).Draw(t, "size")
			spoiled := -1
			if rapid.IntRange(0, 3).Draw(t, "spoiled") == 0 {
				spoiled = rapid.IntRange(0, size-1).Draw(t, "by")
			}
			for i := range size {
				d := &deed{name: fmt.Sprintf("%d.%d", n, i), how: rapid.SampledFrom(hows).Draw(t, "how"), in: queue(rapid.IntRange(0, 1).Draw(t, "queue"))}
				if i == spoiled {
					d.how = rapid.SampledFrom([]string{"spoils the commit", "loses the transaction"}).Draw(t, "how")
				} else if rapid.Bool().Draw(t, "keyed") {
					d.key = rapid.StringMatching("[a-d]").Draw(t, "key")
				}
				ctx, quit := context.WithCancelCause(context.Background())
				d.ctx, d.quit = ctx, func() { quit(errLeave) }
				deeds = append(deeds, d)
			}
			inOneBatch(h, deeds)
			told := m.batch(deeds)
			for _, d := range deeds {
				if !d.right(told[d]) {
					t.Fatalf("%s %s (key %q, ran %v): told %v, by the model %q", d.name, d.how, d.key, d.ran, d.got, told[d])
				}
				d.quit()
			}
			h.checkDeeds(t, m)
		}
		h.reopen(t) // what counts is in the file
		h.checkDeeds(t, m)
	})
}

// checkDeeds compares rows and entries with the model, and the journal with
// itself.
func (h *house) checkDeeds(t tb, m *commitModel) {
	t.Helper()
	ctx := context.Background()
	rows, err := h.readDB.QueryContext(ctx, "SELECT reader FROM cursor WHERE reader LIKE 'deed:%'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	got, told := map[string]bool{}, map[string]bool{}
	for rows.Next() {
		var reader string
		if err := rows.Scan(&reader); err != nil {
			t.Fatal(err)
		}
		got[strings.TrimPrefix(reader, "deed:")] = true
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.stored, got); diff != "" {
		t.Fatalf("stored (-model +file):\n%s", diff)
	}
	sequence := int64(0)
	for _, e := range must(h.Entries(ctx, 0, 10_000))(t) {
		if sequence++; e.Sequence != sequence {
			t.Fatalf("entry %d in place %d", e.Sequence, sequence)
		}
		if e.Kind == "deed" {
			told[e.Subject] = true
		}
	}
	if diff := cmp.Diff(m.stored, told); diff != "" {
		t.Fatalf("journalled (-model +file):\n%s", diff)
	}
	for _, p := range []string{"p", h.property.ID} {
		if bad := must(h.VerifyChain(ctx, p))(t); bad != 0 {
			t.Fatalf("chain of %s broken at %d", p, bad)
		}
	}
}

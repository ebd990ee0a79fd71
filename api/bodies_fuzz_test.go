package api

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// FuzzBodies sends any body to any operation that takes one: whatever it says, the
// server does not fail, and says what is wrong in words that are documented.
func FuzzBodies(f *testing.F) {
	open, stays := newGuestHouse(f), 0
	for _, op := range open.operations {
		for _, seed := range []string{text(open.sample(op.schema, "", false)), text(open.sample(op.schema, "", true)), `{}`, `[null]`, `{"id":{}}`} {
			f.Add(op.id, seed)
		}
	}
	var next chan *guestHouse
	f.Fuzz(func(t *testing.T, id, body string) {
		// What one body does others find; now and then there is a house that
		// nobody has touched. It is opened beside the bodies: whoever fuzzes ends a
		// program that keeps one waiting for a second.
		if stays++; stays%500 == 0 && next == nil {
			next = make(chan *guestHouse, 1)
			go func() { next <- newGuestHouse(f) }()
		}
		select {
		case opened := <-next:
			open.close()
			open, next = opened, nil
		default:
		}
		open.t = t
		op := open.operation(id)
		open.known(t, op, body, open.send(op, body))
	})
	if next != nil {
		(<-next).close()
	}
	open.close()
}

// operation returns the operation of an id, or for another text any one.
func (h *busyHouse) operation(id string) bodyOperation {
	if i := slices.IndexFunc(h.operations, func(op bodyOperation) bool { return op.id == id }); i >= 0 {
		return h.operations[i]
	}
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(id))
	return h.operations[int(sum.Sum32()%uint32(len(h.operations)))]
}

// known expects an answer that a client can act on.
func (h *busyHouse) known(t *testing.T, op bodyOperation, body string, r reply) {
	t.Helper()
	if strings.HasPrefix(op.target, prefix+"/oauth/") {
		if r.StatusCode >= 500 {
			t.Errorf("%s %s: %d %s", op.id, body, r.StatusCode, r.body)
		}
		return
	}
	if r.StatusCode < 300 {
		if r.StatusCode != http.StatusNoContent && !json.Valid(r.body) {
			t.Errorf("%s %s: %d %s", op.id, body, r.StatusCode, r.body)
		}
		return
	}
	var p problem
	if err := json.Unmarshal(r.body, &p); err != nil || r.Header.Get("Content-Type") != mediaProblem {
		t.Fatalf("%s %s: %d %s (%v)", op.id, body, r.StatusCode, r.body, err)
	}
	ours := r.StatusCode >= 500 && p.Code != "channel_error" && p.Code != "channel_timeout"
	if known, ok := codes[p.Code]; !ok || known.status != r.StatusCode || ours {
		t.Errorf("%s %s: %d %s", op.id, body, r.StatusCode, r.body)
	}
	if (p.Code == codeInvalid) != (len(p.Errors) > 0) {
		t.Errorf("%s %s: %s", op.id, body, r.body)
	}
	for _, i := range p.Errors {
		if itemCodes[i.Code] == "" || i.Detail == "" || i.Header != "" || i.Parameter != "" && op.method != http.MethodGet {
			t.Errorf("%s %s: item %+v", op.id, body, i)
		}
	}
}

// guestHouse is a house that lasts as long as somebody wants it, whatever test runs.
type guestHouse struct {
	testing.TB
	*busyHouse
	cleanups []func()
}

func newGuestHouse(t testing.TB) *guestHouse {
	g := &guestHouse{TB: t}
	g.busyHouse = newBusyHouse(g)
	return g
}

// Cleanup keeps what is to be done when the house closes.
func (g *guestHouse) Cleanup(f func()) { g.cleanups = append(g.cleanups, f) }

// Context is that of the house.
func (g *guestHouse) Context() context.Context { return context.Background() }

// Helper says nothing: no test may be asked while another runs.
func (g *guestHouse) Helper() {}

// Fatal ends the program: a house that cannot be opened is nobody's test.
func (g *guestHouse) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func (g *guestHouse) close() {
	for _, f := range slices.Backward(g.cleanups) {
		f()
	}
}

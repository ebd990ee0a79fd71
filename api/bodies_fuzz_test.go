package api

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// FuzzBodies sends any body to any operation that takes one: whatever it says, the
// server does not fail, and says what is wrong in words that are documented.
func FuzzBodies(f *testing.F) {
	h := newBusyHouse(f)
	for _, op := range h.operations {
		for _, seed := range []string{text(h.sample(op.schema, "", false)), text(h.sample(op.schema, "", true)), `{}`, `[null]`, `{"id":{}}`} {
			f.Add(op.id, seed)
		}
	}
	stays := 0
	var open *guestHouse
	f.Fuzz(func(t *testing.T, id, body string) {
		// What one body does others find; now and then there is a house that
		// nobody has touched.
		if stays++; open == nil || stays%500 == 0 {
			open.close()
			open = &guestHouse{TB: t}
			open.busyHouse = newBusyHouse(open)
		}
		open.t = t
		op := open.operation(id)
		open.known(t, op, body, open.send(op, body))
	})
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

// guestHouse is a house that lasts longer than the test that opened it.
type guestHouse struct {
	testing.TB
	*busyHouse
	cleanups []func()
}

// Cleanup keeps what is to be done when the house closes.
func (g *guestHouse) Cleanup(f func()) { g.cleanups = append(g.cleanups, f) }

// Context is that of the house.
func (g *guestHouse) Context() context.Context { return context.Background() }

func (g *guestHouse) close() {
	if g == nil {
		return
	}
	for _, f := range slices.Backward(g.cleanups) {
		f()
	}
}

package sync_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// trace is all that can be seen of a run: every call, every durable step, every
// journal entry.
type trace struct {
	mu    sync.Mutex
	sum   hash.Hash
	lines []string // kept only when a run is to be compared
	keep  bool
}

func newTrace(keep bool) *trace { return &trace{sum: sha256.New(), keep: keep} }

func (t *trace) add(format string, args ...any) {
	line := time.Now().Format("02 15:04:05.000000000 ") + fmt.Sprintf(format, args...)
	t.mu.Lock()
	defer t.mu.Unlock()
	_, _ = fmt.Fprintln(t.sum, line)
	if t.keep {
		t.lines = append(t.lines, line)
	}
}

func (t *trace) hash() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return hex.EncodeToString(t.sum.Sum(nil)[:8])
}

// addJournal takes in the entries that came since it last did.
func (w *world) addJournal() {
	for {
		entries, err := w.ldg.Entries(context.Background(), w.traced, 1000)
		if err != nil {
			w.t.Error(err)
		}
		for _, e := range entries {
			w.traced = e.Sequence
			w.trace.add("entry %d %s %s %x", e.Sequence, e.Kind, e.Subject, e.Hash[:8])
		}
		if len(entries) < 1000 {
			return
		}
	}
}

// write writes the trace to a file, if one is named.
func (t *trace) write(tb testing.TB, file string) {
	if file == "" {
		return
	}
	if err := os.WriteFile(file, []byte(strings.Join(t.lines, "\n")+"\n"), 0o600); err != nil {
		tb.Error(err)
	}
}

// differs tells where two traces part.
func (t *trace) differs(from *trace) string {
	for i, line := range t.lines {
		if i >= len(from.lines) {
			return fmt.Sprintf("line %d is missing: %s", i, line)
		}
		if line != from.lines[i] {
			before := ""
			for _, b := range t.lines[max(0, i-5):i] {
				before += "\n   " + b
			}
			return fmt.Sprintf("line %d of %d and %d:%s\n-  %s\n+  %s", i, len(t.lines), len(from.lines), before, line, from.lines[i])
		}
	}
	return fmt.Sprintf("there are %d lines more", len(from.lines)-len(t.lines))
}

package simkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// play makes a book with something of everything in it.
func play(t *testing.T, b *Book) {
	t.Helper()
	if _, err := b.Take(onSale(first+10, 3, 4), Receipt{ID: "x", Version: 9, Answer: []byte(`{"ok":true}`)}); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		booking, err := b.Sell(ask(i, 2))
		if err != nil {
			t.Fatal(err)
		}
		b.called()
		if i%2 == 0 {
			if _, err := b.Modify(Request{Reference: booking.Reference, CheckOut: booking.CheckOut + 1}); err != nil {
				t.Fatal(err)
			}
		} else if _, err := b.Cancel(booking.Reference); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Acknowledge(1, 3, 99); err != nil {
		t.Fatal(err)
	}
}

// seen is all that a book knows.
func seen(b *Book) any {
	return []any{b.State(), b.Events(0, 100), b.Bookings(), b.state.receipts, b.state.version, b.state.lastEvent}
}

// TestSurvivesAKillAtAnyByte opens what a kill after any written byte leaves:
// every step that was answered is there whole, and no half of another.
func TestSurvivesAKillAtAnyByte(t *testing.T) {
	dir := t.TempDir()
	b := open(t, options(dir, yes))
	play(t, b)
	want := seen(b)
	if _, err := Open(options(dir, yes)); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("the book opens twice: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "book.log"))
	if err != nil {
		t.Fatal(err)
	}
	// The states after each whole line, from the lines alone.
	lines := strings.SplitAfter(string(raw), "\n")
	var after []any
	for n := range lines {
		after = append(after, seen(reopen(t, strings.Join(lines[:n], ""))))
	}
	if diff := cmp.Diff(want, after[len(after)-1]); diff != "" {
		t.Fatalf("the book that was closed is not the one that is opened:\n%s", diff)
	}
	step := max(1, len(raw)/300)
	for at := len(lines[0]); at < len(raw); at += step {
		whole := strings.Count(string(raw[:at]), "\n")
		if diff := cmp.Diff(after[whole], seen(reopen(t, string(raw[:at])))); diff != "" {
			t.Fatalf("cut at byte %d it is not the book after %d steps:\n%s", at, whole, diff)
		}
	}
	if _, err := openText(t, strings.Replace(string(raw), "\n", "}\n", 1)); err == nil {
		t.Errorf("a book damaged in the middle opens")
	}
}

// reopen opens a book with that file.
func reopen(t *testing.T, text string) *Book {
	t.Helper()
	b, err := openText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	return b
}

func openText(t *testing.T, text string) (*Book, error) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "book.log"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Open(options(dir, yes))
}

func TestCompactionKeepsEverything(t *testing.T) {
	dir := t.TempDir()
	b := open(t, options(dir, yes))
	play(t, b)
	// A crash in the middle of an earlier compaction has left half a file.
	if err := os.WriteFile(filepath.Join(dir, "book.log.new"), []byte(`{"ru`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.journal.compact(b.state.whole()); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Sell(ask(5, 1)); err != nil {
		t.Fatal(err)
	}
	want := seen(b)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, seen(open(t, options(dir, yes)))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestBrokenFileTakesNothing: a step that could not be written did not happen,
// and none comes after it.
func TestBrokenFileTakesNothing(t *testing.T) {
	b := open(t, options(t.TempDir(), yes))
	before := seen(b)
	if err := b.journal.file.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := b.Sell(ask(0, 1)); err == nil {
			t.Errorf("a booking that is nowhere is confirmed")
		}
	}
	if diff := cmp.Diff(before, seen(b)); diff != "" {
		t.Errorf("the book changed all the same:\n%s", diff)
	}
}

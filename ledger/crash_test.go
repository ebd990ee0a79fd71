package ledger

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"ostler.example/hotel"
)

// crashChild makes the test binary book rooms in the ledger that it names until
// it is killed.
const crashChild = "OSTLER_TEST_CRASH"

// TestKillLosesNothing kills a process while it books: whatever it was told to
// be booked is there when the ledger is opened again, once.
func TestKillLosesNothing(t *testing.T) {
	if path := os.Getenv(crashChild); path != "" {
		bookUntilKilled(t, path)
		return
	}
	h := newHouse(t)
	ctx := context.Background()
	if _, _, err := h.UpdateInventory(ctx, tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{{
		RoomTypeID: h.double.ID, Dates: hotel.Dates{Span: hotel.Span{From: h.today, To: h.today + 9}}, Total: hotel.Given(9999),
	}}}); err != nil {
		t.Fatal(err)
	}
	h.close(t)
	acknowledged := map[string]string{} // by key: the reservation's id
	for kill := range 5 {
		// Every child is killed after another number of acknowledgements, which
		// four callers get at moments of their own.
		childBooks(t, h, kill, 3+17*kill, acknowledged)
		h.open(t)
		h.checkAcknowledged(t, acknowledged)
		h.close(t)
	}
	h.open(t)
}

func childBooks(t *testing.T, h *house, round, least int, acknowledged map[string]string) {
	t.Helper()
	cmd := exec.Command(must(os.Executable())(t), "-test.run", "^TestKillLosesNothing$")
	cmd.Env = append(os.Environ(), crashChild+"="+h.path, fmt.Sprintf("%s_ROUND=%d", crashChild, round),
		crashChild+"_BOOK="+strings.Join([]string{h.property.ID, h.double.ID, h.flex.ID, h.today.String()}, " "))
	cmd.Stderr = os.Stderr
	out := must(cmd.StdoutPipe())(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		if n == least {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		key, id, ok := strings.Cut(lines.Text(), " ")
		if ok && strings.HasPrefix(id, "res_") {
			acknowledged[key] = id
		}
	}
	_ = cmd.Wait() // it was killed
	if len(acknowledged) < least {
		t.Fatalf("the child ended after %d bookings", len(acknowledged))
	}
}

// bookUntilKilled books from four callers and prints what was acknowledged.
func bookUntilKilled(t *testing.T, path string) {
	h := &house{path: path, clock: &fixedClock{now: opening}}
	h.open(t)
	ids := strings.Fields(os.Getenv(crashChild + "_BOOK"))
	h.property.ID, h.double.ID, h.flex.ID = ids[0], ids[1], ids[2]
	night := must(hotel.ParseDate(ids[3]))(t)
	var callers sync.WaitGroup
	for caller := range 4 {
		callers.Go(func() {
			for i := 0; ; i++ {
				key := fmt.Sprintf("%s.%d.%d", os.Getenv(crashChild+"_ROUND"), caller, i)
				r, _, err := h.book(h.double, night, night+1, onceOf(key, 1))
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				fmt.Fprintln(os.Stdout, key, r.ID)
			}
		})
	}
	callers.Wait()
}

func (h *house) checkAcknowledged(t *testing.T, acknowledged map[string]string) {
	t.Helper()
	ctx := context.Background()
	stored := map[string]bool{}
	for _, r := range must(h.Reservations(ctx, hotel.ReservationFilter{Limit: 1_000_000}))(t) {
		stored[r.ID] = true
	}
	kept := map[string]string{}
	rows, err := h.readDB.QueryContext(ctx, "SELECT key, resource_id FROM idempotency")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var key, id string
		if err := rows.Scan(&key, &id); err != nil {
			t.Fatal(err)
		}
		kept[key] = id
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for key, id := range acknowledged {
		if !stored[id] || kept[key] != id {
			t.Errorf("booking %s was acknowledged as %s; stored %v, under its key %s", key, id, stored[id], kept[key])
		}
	}
	if len(kept) != len(stored) {
		t.Errorf("%d reservations under %d keys", len(stored), len(kept))
	}
	h.checkSold(t)
	if bad := must(h.VerifyChain(ctx, h.property.ID))(t); bad != 0 {
		t.Errorf("chain broken at %d", bad)
	}
	var sound string
	if err := h.readDB.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&sound); err != nil || sound != "ok" {
		t.Errorf("integrity check: %s, %v", sound, err)
	}
}

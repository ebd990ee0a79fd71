package ledger

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"ostler.example/hotel"
)

// bulkChild makes the test binary set prices in the ledger that it names until
// it is killed.
const bulkChild = "OSTLER_TEST_BULK_CRASH"

// TestKillLeavesNoHalfUpdate kills a process in the middle of large updates and
// of what follows from them: every night has the price of one and the same
// update, none older than the last that was acknowledged.
func TestKillLeavesNoHalfUpdate(t *testing.T) {
	if path := os.Getenv(bulkChild); path != "" {
		updateUntilKilled(t, path)
		return
	}
	h := newHouse(t)
	h.longer(t)
	h.close(t)
	price := int64(0)
	for kill := range 4 {
		price = h.childUpdates(t, price, 2+kill)
		h.open(t)
		seen := map[int64]int{}
		for _, room := range []hotel.RoomType{h.double, h.suite} {
			for _, c := range must(h.RateCells(context.Background(), hotel.CellQuery{PropertyID: h.property.ID, Span: h.span(0, 249).Span, RoomTypeIDs: []string{room.ID}, RatePlanIDs: []string{h.flex.ID}}))(t) {
				seen[c.Base.Minor]++
			}
		}
		if len(seen) != 1 {
			t.Fatalf("after kill %d the nights have prices %v", kill, seen)
		}
		for now := range seen {
			if now < price {
				t.Errorf("price %d was acknowledged, and %d is there", price, now)
			}
			price = now
		}
		h.deriveAll(t)
		h.checkHouse(t)
		if bad := must(h.VerifyChain(context.Background(), h.property.ID))(t); bad != 0 {
			t.Errorf("chain broken at %d", bad)
		}
		h.close(t)
	}
	h.open(t)
}

// childUpdates lets a child go on from a price, kills it after so many
// acknowledgements, and returns the last price that it was told is stored.
func (h *house) childUpdates(t *testing.T, from int64, least int) int64 {
	t.Helper()
	cmd := exec.Command(must(os.Executable())(t), "-test.run", "^TestKillLeavesNoHalfUpdate$")
	cmd.Env = append(os.Environ(), bulkChild+"="+h.path,
		bulkChild+"_IDS="+strings.Join([]string{h.property.ID, h.double.ID, h.suite.ID, h.flex.ID, h.today.String(), fmt.Sprint(from)}, " "))
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
		if price, err := strconv.ParseInt(lines.Text(), 10, 64); err == nil {
			from = price
		}
	}
	_ = cmd.Wait() // it was killed
	return from
}

// updateUntilKilled sets higher and higher prices, derives a little after each,
// and prints what was acknowledged.
func updateUntilKilled(t *testing.T, path string) {
	h := &house{path: path, clock: &fixedClock{now: opening}}
	h.open(t)
	ids := strings.Fields(os.Getenv(bulkChild + "_IDS"))
	h.property.ID, h.double.ID, h.suite.ID, h.flex.ID = ids[0], ids[1], ids[2], ids[3]
	h.today = must(hotel.ParseDate(ids[4]))(t)
	for price := must(strconv.ParseInt(ids[5], 10, 64))(t) + 1; ; price++ {
		var entries []hotel.RateEntry
		for _, room := range []string{h.double.ID, h.suite.ID} {
			entries = append(entries, hotel.RateEntry{RoomTypeID: room, RatePlanID: h.flex.ID, Dates: h.span(0, 249), Amount: h.euros(price)})
		}
		if _, err := h.updateRates(entries...); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Fprintln(os.Stdout, price)
		for range price % 4 {
			must(h.DeriveDue(context.Background()))(t)
		}
	}
}

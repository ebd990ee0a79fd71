package main_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ostler.example/hotel"
)

var loadFor = flag.Duration("load.for", 10*time.Second, "how long clients ask and book")

// loadClients ask at the same time, each on a connection of its own.
const loadClients = 64

// TestLoad lets many clients ask, book, change, cancel and set prices at once, as fast as
// they are answered. Nothing may be answered as our fault, nothing may be unexpected, and
// memory may not grow with what was served.
func TestLoad(t *testing.T) {
	d := newDemo(t)
	d.unlimited(t)
	l := &load{demo: d, house: d.mustHouse(t), took: map[string][]time.Duration{}, answers: map[int]int{}}
	end := time.Now().Add(*loadFor)
	var crowd sync.WaitGroup
	for n := range loadClients {
		crowd.Go(func() {
			own := d.client
			own.http = newHTTP()
			defer own.http.CloseIdleConnections()
			l.ask(&own, rand.New(rand.NewPCG(7, uint64(n))), end)
		})
	}
	var memory []int64
	for range 20 {
		pause(*loadFor / 20)
		memory = append(memory, d.resident(t))
	}
	crowd.Wait()
	l.report(t, memory)
}

// unlimited makes the demo's client one whose requests are not counted. A demo has no
// door for its operator: the daemon makes it, on the demo's folder.
func (d *demo) unlimited(t *testing.T) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(file, fmt.Appendf(nil, "data = %q\n[api]\nlisten = \"127.0.0.1:0\"\n[inbound]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n", d.dir), 0o600); err != nil {
		t.Fatal(err)
	}
	d.hangUp()
	if err := d.stop(); err != nil {
		t.Fatal(err)
	}
	daemon := begin(t, "serve", "--config", file)
	await(t, daemon, "started", 1)
	d.id, d.secret = unlimitedClient(t, file)
	err := daemon.stop()
	if err == nil {
		err = d.start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if d.token, err = d.newToken(); err != nil {
		t.Fatal(err)
	}
}

// unlimitedClient has the daemon of a configuration make a client whose requests are not
// counted.
func unlimitedClient(t testing.TB, config string) (id, secret string) {
	t.Helper()
	out, code := run(t, "client", "create", "--config", config, "--name", "Load", "--limit", "0", "--scope", "all")
	found := regexp.MustCompile(`client_id +(\S+)\nclient_secret +(\S+)\n`).FindStringSubmatch(out)
	if code != 0 || found == nil {
		t.Fatalf("code %d: %s", code, out)
	}
	return found[1], found[2]
}

// resident returns how much memory the program has, in bytes; 0 where the machine does
// not tell.
func (d *demo) resident(t *testing.T) int64 {
	t.Helper()
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", d.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if size, is := strings.CutPrefix(lines.Text(), "VmRSS:"); is {
			kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(size, "kB")), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kb << 10
		}
	}
	return 0
}

// load is what a crowd was answered.
type load struct {
	*demo
	house house

	mu      sync.Mutex
	took    map[string][]time.Duration // by read and write
	answers map[int]int                // by status
	wrong   []string
}

// ask goes on until the end: six questions for four writes.
func (l *load) ask(c *client, dice *rand.Rand, end time.Time) {
	took, answers := map[string][]time.Duration{}, map[int]int{}
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for kind, list := range took {
			l.took[kind] = append(l.took[kind], list...)
		}
		for status, n := range answers {
			l.answers[status] += n
		}
	}()
	send := func(kind, method, path string, body any, expected ...int) answer {
		begun := time.Now()
		a, err := c.do(method, path, body, nil)
		took[kind] = append(took[kind], time.Since(begun))
		answers[a.status]++
		if err != nil || !slices.Contains(expected, a.status) {
			l.mu.Lock()
			l.wrong = append(l.wrong, fmt.Sprintf("%s %s: %d %.300s %v", method, path, a.status, a.body, err))
			l.mu.Unlock()
		}
		return a
	}
	var mine []string
	for time.Now().Before(end) {
		from := ahead(185 + dice.IntN(300))
		nights := 1 + dice.IntN(3)
		room := l.house.rooms[dice.IntN(len(l.house.rooms))]
		stretch := url.Values{"property_id": {property}, "date_from": {from.String()}, "date_to": {(from + 27).String()}}.Encode()
		switch dice.IntN(10) {
		case 0, 1, 2:
			question := url.Values{"property_id": {property}, "check_in": {from.String()}, "check_out": {(from + hotel.Date(nights)).String()}}
			send("read", http.MethodGet, "/availability?"+question.Encode(), nil, http.StatusOK)
		case 3:
			send("read", http.MethodGet, "/inventory?"+stretch, nil, http.StatusOK)
		case 4:
			send("read", http.MethodGet, "/rates?"+stretch, nil, http.StatusOK)
		case 5:
			send("read", http.MethodGet, "/reservations?limit=20&staying_on="+from.String(), nil, http.StatusOK)
		case 6:
			body := map[string]any{"property_id": property, "entries": []any{map[string]any{
				"room_type_id": room.ID, "rate_plan_id": l.house.plans[0].ID, "date_from": from.String(), "date_to": (from + 6).String(),
				"values": map[string]any{"amount": map[string]string{"amount": strconv.Itoa(90+dice.IntN(90)) + ".00", "currency": "EUR"}},
			}}}
			send("write", http.MethodPost, "/rates/updates", body, http.StatusOK)
		case 7, 8:
			a := send("write", http.MethodPost, "/reservations", stay(room.ID, l.house.plans[0].ID, from, nights, "Load"), http.StatusCreated, http.StatusConflict)
			var r reservation
			if a.status == http.StatusCreated && json.Unmarshal(a.body, &r) == nil {
				mine = append(mine, r.ID)
			}
		case 9:
			if len(mine) == 0 {
				continue
			}
			send("write", http.MethodPatch, "/reservations/"+mine[len(mine)-1], map[string]any{"notes": "late"}, http.StatusOK)
			if len(mine) > 4 { // what is booked stays about the same
				for _, id := range mine[:2] {
					send("write", http.MethodPost, "/reservations/"+id+"/cancel", map[string]any{"reason": "guest"}, http.StatusOK)
				}
				mine = mine[2:]
			}
		}
	}
}

// report says what came of it, and fails the test where it must not be so.
func (l *load) report(t *testing.T, memory []int64) {
	t.Helper()
	total := 0
	for _, kind := range slices.Sorted(maps.Keys(l.took)) {
		list := l.took[kind]
		slices.Sort(list)
		total += len(list)
		at := func(part float64) time.Duration {
			return list[min(int(float64(len(list))*part), len(list)-1)].Round(100 * time.Microsecond)
		}
		fmt.Printf("%s: %d, p50 %s, p99 %s, longest %s\n", kind, len(list), at(.5), at(.99), at(1))
	}
	fmt.Printf("requests: %d in %s, %.0f a second, by status %v\n", total, *loadFor, float64(total)/loadFor.Seconds(), l.answers)
	for status, n := range l.answers {
		if status >= http.StatusInternalServerError || status == 0 {
			t.Errorf("%d times %d", n, status)
		}
	}
	for _, w := range l.wrong[:min(len(l.wrong), 10)] {
		t.Error(w)
	}
	if total < loadClients {
		t.Errorf("%d requests of %d clients", total, loadClients)
	}
	if memory[0] == 0 {
		return // the machine does not tell
	}
	middle := func(part []int64) int64 {
		part = slices.SortedFunc(slices.Values(part), cmp.Compare)
		return part[len(part)/2]
	}
	early, late := middle(memory[len(memory)/4:len(memory)/2]), middle(memory[3*len(memory)/4:])
	fmt.Printf("memory: %d MB in the second quarter, %d MB in the last\n", early>>20, late>>20)
	if late > early+early/2+64<<20 {
		t.Errorf("memory grows: %d MB, later %d MB", early>>20, late>>20)
	}
}

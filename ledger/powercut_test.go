//go:build linux

package ledger

import (
	"context"
	"database/sql"
	"errors"
	flags "flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/testkit/powercut"
	"ostler.example/ledger/internal/sqlite"
)

var (
	cutPoints = flags.Int("powercut.points", 200, "power cuts to play")
	cutRounds = flags.Int("powercut.rounds", 3, "rounds of the workload that the power is cut in")
)

// A power cut at any moment, whatever the disk keeps of what it was not told to
// keep, loses nothing that was promised and leaves a ledger that verifies.
func TestPowerCutLosesNothing(t *testing.T) {
	events := workload(t, *cutRounds)
	found := cutEverywhere(t, events, *cutPoints)
	kinds, promises := map[powercut.Kind]int{}, 0
	for _, e := range events {
		kinds[e.Kind]++
		if e.Kind == powercut.Promised {
			promises++
		}
	}
	fmt.Fprintf(os.Stdout, "power-cut points: %d, after %d events (%d writes, %d syncs, %d truncations, %d creations, %d deletions)\n",
		*cutPoints, len(events), kinds[powercut.Write], kinds[powercut.Sync], kinds[powercut.Truncate], kinds[powercut.Create], kinds[powercut.Delete])
	fmt.Fprintf(os.Stdout, "promises: %d, opened and verified whole: %d, copies looked through: %d\nacknowledged reservations lost: %d\nledgers that do not verify: %d\n",
		promises, found.verified.Load(), found.copies.Load(), found.lost.Load(), found.broken.Load())
	if found.lost.Load()+found.broken.Load() > 0 {
		t.Fail()
	}
	if kinds[powercut.Truncate] == 0 || kinds[powercut.Delete] == 0 || promises < 20 {
		t.Error("the workload leaves something out")
	}

	// A disk that does not do what it says loses promises: what looks for them sees
	// it when they are lost.
	var lying []powercut.Event
	for _, e := range events {
		if e.Kind != powercut.Sync || !strings.HasSuffix(e.Name, "-wal") {
			lying = append(lying, e)
		}
	}
	if lied := cutEverywhere(nil, lying, 100); lied.lost.Load() == 0 || lied.untold.Load() == 0 {
		t.Errorf("on a disk that keeps nothing when told to, something is lost at %d cuts, and of what a channel told at %d", lied.lost.Load(), lied.untold.Load())
	}
}

// workload notes what the ledger does to its files from its foundation on, through
// bookings, large updates, checkpoints, copies, restarts and a migration.
func workload(t *testing.T, rounds int) []powercut.Event {
	t.Helper()
	ctx := context.Background()
	h := &house{clock: &fixedClock{now: opening}, path: filepath.Join(folder(t), "ledger", "ledger.db")}
	if err := os.Mkdir(filepath.Dir(h.path), 0o700); err != nil {
		t.Fatal(err)
	}
	rec := must(powercut.Record(filepath.Dir(h.path)))(t)
	h.open(t)
	if err := h.furnish(ctx); err != nil {
		t.Fatal(err)
	}
	f := h.newFarSide(t, 5)
	f.goLive(t)
	promise := func(r hotel.Reservation) { rec.Promise(fmt.Sprintf("%s %d", r.ID, r.Revision)) }
	for round := range rounds {
		var callers sync.WaitGroup
		for caller := range 4 {
			callers.Go(func() {
				for i := range 3 {
					from := h.today + hotel.Date((round*12+caller*3+i)%55)
					r, _, err := h.book([]hotel.RoomType{h.double, h.suite, h.twin}[i], from, from+2, hotel.Once{})
					if err != nil {
						continue // sold out
					}
					promise(r)
					switch i {
					case 0:
						r, _, err = h.ChangeReservation(ctx, tester, hotel.Once{}, r.ID, hotel.ReservationChange{CheckOut: new(from + 1)})
					case 1:
						r, _, err = h.CancelReservation(ctx, tester, hotel.Once{}, r.ID, hotel.CancelRequest{Reason: "x"})
					}
					if err == nil {
						promise(r)
					}
				}
			})
		}
		callers.Go(func() { sell(t, h, rec, round) })
		callers.Wait()
		must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(0, 55), SellLimit: hotel.Given(4 + round%2)}))(t)
		h.deriveAll(t)
		f.catchUp(t)
		switch round % 3 {
		case 0:
			maintain(t, h.path, "PRAGMA wal_checkpoint(RESTART)")
		case 1:
			name := fmt.Sprintf("copy%d.db", round)
			if err := Copy(ctx, h.path, filepath.Join(filepath.Dir(h.path), name), func(float64) {}); err != nil {
				t.Fatal(err)
			}
			rec.Promise("copy " + name)
			maintain(t, h.path, "PRAGMA wal_checkpoint(TRUNCATE)")
		case 2:
			h.close(t)
			becomeLater(t)
			h.open(t)
			rec.Promise("later version")
		}
	}
	h.close(t)
	return must(rec.End())(t)
}

// sell has a channel tell of a booking that is made, changed and cancelled. It is told each
// time that we have it, so that it never tells again: message and booking are promised.
func sell(t *testing.T, h *house, rec *powercut.Recorder, round int) {
	for i, event := range []string{"booked", "modified", "cancelled"} {
		from := h.today + hotel.Date(round%50)
		m := oneRoom(h, fmt.Sprintf("%d-%s", round, event), event, channelRoom(from, from+hotel.Date(1+i), "D", true))
		m.Ref, m.Revision = fmt.Sprintf("B-%d", round), strconv.Itoa(i+1)
		got, err := h.Receive(context.Background(), m)
		if err != nil || len(got.Reservations) != 1 {
			t.Errorf("%s %s: %+v, %v", m.Ref, event, got, err)
			return
		}
		rec.Promise("message " + m.Key)
		rec.Promise(fmt.Sprintf("%s %d", got.Reservations[0].ID, got.Reservations[0].Revision))
	}
}

// maintain runs statements beside the open ledger.
func maintain(t *testing.T, path string, statements ...string) {
	t.Helper()
	db := must(sql.Open(sqlite.Driver, sqlite.DSN(path, true)))(t)
	for _, s := range statements {
		must(db.ExecContext(context.Background(), s))(t)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// cutFindings is what power cuts have come to.
type cutFindings struct {
	lost, broken, verified, copies atomic.Int64
	untold                         atomic.Int64 // of those that lost something, what a channel told was among it
}

// cutEverywhere cuts the power at so many moments, spread evenly over the events.
// With t it complains of the first of what is found.
func cutEverywhere(t *testing.T, events []powercut.Event, points int) *cutFindings {
	found := &cutFindings{}
	var all sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for worker := range workers {
		all.Go(func() {
			dir, err := tmpfs()
			if err != nil {
				panic(err)
			}
			defer os.RemoveAll(dir)
			c := &cutter{found: found, dir: dir, disk: powercut.NewDisk(), promised: map[string]int64{}}
			done := 0
			for point := worker; point < points; point += workers {
				for ; done <= point*len(events)/points; done++ {
					c.happen(events[done])
				}
				if err := c.cut(uint64(point)); err != nil {
					if n := found.lost.Load() + found.broken.Load(); t != nil && n < 10 {
						t.Errorf("power cut %d, behind event %d: %v", point, done, err)
					}
				}
			}
		})
	}
	all.Wait()
	return found
}

// cutter cuts the power again and again along one course of events.
type cutter struct {
	found    *cutFindings
	dir      string
	disk     *powercut.Disk
	promised map[string]int64 // revisions by reservation
	messages []string         // of the channel that was told that we have them, by key
	copies   []string         // finished, by name
	later    bool             // the ledger is of the version to come
}

func (c *cutter) happen(e powercut.Event) {
	c.disk.Do(e)
	if e.Kind != powercut.Promised {
		return
	}
	text := string(e.Data)
	if name, copied := strings.CutPrefix(text, "copy "); copied {
		c.copies = append(c.copies, name)
		return
	}
	if key, told := strings.CutPrefix(text, "message "); told {
		c.messages = append(c.messages, key)
		return
	}
	if text == "later version" {
		c.later = true
		return
	}
	var id string
	var revision int64
	if _, err := fmt.Sscan(text, &id, &revision); err != nil {
		panic(err)
	}
	c.promised[id] = max(c.promised[id], revision)
}

// everyWhole is how many cuts there are to one after which the ledger is opened by
// the program and verified, which takes as long as many looks at its rows.
const everyWhole = 20

// cut cuts the power once, and looks at what is left.
func (c *cutter) cut(point uint64) error {
	if err := powercut.Clear(c.dir); err != nil {
		return err
	}
	if err := c.disk.Cut(rand.New(rand.NewPCG(point, 7)), c.dir); err != nil {
		return err
	}
	path := filepath.Join(c.dir, "ledger.db")
	if point%everyWhole == 0 {
		if err := c.openWhole(path); err != nil {
			c.found.broken.Add(1)
			return err
		}
	}
	if err := c.kept(path); err != nil {
		c.found.lost.Add(1)
		return err
	}
	if point%everyCopies == 0 {
		if err := c.copiesKept(); err != nil {
			c.found.broken.Add(1)
			return err
		}
	}
	return nil
}

// everyCopies is how many cuts there are to one after which finished copies are
// looked at.
const everyCopies = 10

// copiesKept looks through the copies that were finished.
func (c *cutter) copiesKept() error {
	ctx := context.Background()
	for _, name := range c.copies {
		path := filepath.Join(c.dir, name)
		if err := Sound(ctx, path); err != nil {
			return err
		}
		// That it is written through a log is the last that SQLite does, and durable
		// with the folder, which a backup sees to.
		if err := keepLog(ctx, path); err != nil {
			return err
		}
		if _, err := CheckChains(ctx, path, quietly); err != nil {
			return err
		}
		c.found.copies.Add(1)
	}
	return nil
}

// kept looks for everything that was promised.
func (c *cutter) kept(path string) (err error) {
	db, err := sql.Open(sqlite.Driver, sqlite.DSN(path, true))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if len(c.promised) == 0 {
		return db.Ping() // it may have no table yet
	}
	if err := wholeVersion(context.Background(), db, c.later); err != nil {
		return err
	}
	told, err := numbersOf(db, "SELECT key, 1 FROM message WHERE channel_id = 'ch'")
	if err != nil {
		return err
	}
	for _, key := range c.messages {
		if told[key] == 0 {
			c.found.untold.Add(1)
			return fmt.Errorf("the channel was told that we have message %s, and it is not there", key)
		}
	}
	stands, err := numbersOf(db, "SELECT id, revision FROM reservation")
	if err != nil {
		return err
	}
	for id, revision := range c.promised {
		if stands[id] < revision {
			return fmt.Errorf("%s was promised in revision %d, and has %d", id, revision, stands[id])
		}
	}
	return nil
}

// numbersOf reads rows of a name and a number.
func numbersOf(db *sql.DB, query string) (map[string]int64, error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	of := map[string]int64{}
	for rows.Next() {
		var name string
		var n int64
		if err := rows.Scan(&name, &n); err != nil {
			return nil, err
		}
		of[name] = n
	}
	return of, rows.Err()
}

// openWhole opens the ledger as the program does, and verifies it.
func (c *cutter) openWhole(path string) (err error) {
	ctx := context.Background()
	l, err := Open(ctx, Options{Path: path, Clock: &fixedClock{now: opening}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	v, err := l.Verify(ctx, VerifyOptions{Report: quietly, Stage: asTheyAre})
	if err != nil {
		return err
	}
	c.found.verified.Add(1)
	if len(v.Differences) > 0 {
		return fmt.Errorf("%s", v.Differences[0])
	}
	return nil
}

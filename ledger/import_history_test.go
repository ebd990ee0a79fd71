package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/report"
)

// past imports rows of history and says what became of them.
func (h *house) past(t tb, dry bool, sales ...hotel.PastSales) string {
	t.Helper()
	i := hotel.Import{PropertyID: h.property.ID, DryRun: dry}
	for _, s := range sales {
		i.History = append(i.History, hotel.HistoryRow{PastSales: s})
	}
	n := map[hotel.HistoryOutcome]int{}
	for _, r := range must(h.ImportHistory(context.Background(), tester, i))(t) {
		n[r.Outcome]++
	}
	return fmt.Sprintf("%d stored, %d replaced, %d unchanged, %d invalid", n[hotel.HistoryStored], n[hotel.HistoryReplaced], n[hotel.HistoryUnchanged], n[hotel.HistoryInvalid])
}

// sold is a row of some days ago.
func (h *house) sold(days, rooms int, euros int64) hotel.PastSales {
	s := hotel.PastSales{Night: h.today - hotel.Date(days), RoomTypeID: h.double.ID, ChannelID: hotel.Direct, Rooms: rooms}
	if euros > 0 {
		s.Revenue = &hotel.Money{Minor: 100 * euros, Currency: "EUR"}
	}
	return s
}

func TestHistoryIsStoredOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	first := []hotel.PastSales{h.sold(1, 3, 300), h.sold(2, 2, 0)}
	byCode := first[0]
	byCode.RoomTypeID = h.double.Code
	mended := h.sold(2, 2, 150)
	for _, test := range []struct {
		name string
		rows []hotel.PastSales
		want string
	}{
		{"first", first, "2 stored, 0 replaced, 0 unchanged, 0 invalid"},
		{"again", first, "0 stored, 0 replaced, 2 unchanged, 0 invalid"},
		{"by code", []hotel.PastSales{byCode}, "0 stored, 0 replaced, 1 unchanged, 0 invalid"},
		{"mended", []hotel.PastSales{mended, first[0]}, "0 stored, 1 replaced, 1 unchanged, 0 invalid"},
		{"twice in one", []hotel.PastSales{first[0], byCode}, "0 stored, 0 replaced, 1 unchanged, 1 invalid"},
		{"of tonight", []hotel.PastSales{h.sold(0, 1, 0)}, "0 stored, 0 replaced, 0 unchanged, 1 invalid"},
	} {
		for _, dry := range []bool{true, false} {
			before := h.sequence(t)
			if got := h.past(t, dry, test.rows...); got != test.want {
				t.Errorf("%s, dry run %t: %s, want %s", test.name, dry, got, test.want)
			}
			changes := !dry && test.want[0] != '0' || !dry && test.name == "mended"
			if after := h.sequence(t); (after > before) != changes {
				t.Errorf("%s, dry run %t: the journal goes from %d to %d", test.name, dry, before, after)
			}
		}
	}
	if got := h.books(t, -3, 0, time.Time{}).History; len(got) != 2 || *got[0].Revenue != *mended.Revenue {
		t.Errorf("the books have %v", got)
	}
	if v := h.verified(t); len(v.Differences) > 0 {
		t.Error(v.Differences[0])
	}
}

func (h *house) sequence(t tb) int64 {
	t.Helper()
	return must(h.read.NewestEntry(context.Background()))(t).Sequence
}

// The books of any moment have what was known of each night then, and of nights that
// were imported later what was said first; a cut of the journal takes none of it.
func TestHistoryAsItStood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		type key struct {
			night hotel.Date
			room  string
		}
		type version struct {
			at    time.Time
			rooms int
		}
		said := map[key][]version{}
		moments, first := []time.Time{h.clock.Now()}, h.today
		for range rapid.IntRange(1, 10).Draw(t, "imports") {
			h.clock.move(time.Duration(rapid.IntRange(1, 40).Draw(t, "hours")) * time.Hour)
			h.today = h.property.BusinessDate(h.clock.Now())
			s := h.sold(rapid.IntRange(1, 4).Draw(t, "days"), rapid.IntRange(0, 3).Draw(t, "rooms"), 0)
			if rapid.Bool().Draw(t, "suite") {
				s.RoomTypeID = h.suite.ID
			}
			h.past(t, false, s)
			k := key{s.Night, s.RoomTypeID}
			said[k] = append(said[k], version{h.clock.Now(), s.Rooms})
			moments = append(moments, h.clock.Now())
		}
		cut := rapid.Bool().Draw(t, "cut")
		if cut {
			if err := h.CutJournal(context.Background(), h.clock.Now()); err != nil {
				t.Fatal(err)
			}
			moments = moments[len(moments)-1:]
		}
		h.today = first
		for _, at := range moments {
			var want []report.History
			for k, versions := range said {
				rooms := versions[0].rooms
				for _, v := range versions {
					if !v.at.After(at) {
						rooms = v.rooms
					}
				}
				want = append(want, report.History{
					PastSales: hotel.PastSales{Night: k.night, RoomTypeID: k.room, ChannelID: hotel.Direct, Rooms: rooms}, Later: k.night >= h.property.BusinessDate(at),
				})
			}
			slices.SortFunc(want, func(a, b report.History) int {
				return cmp.Or(cmp.Compare(a.Night, b.Night), cmp.Compare(a.RoomTypeID, b.RoomTypeID))
			})
			if cut {
				at = time.Time{} // now: what lay before is told no more
			}
			if diff := gocmp.Diff(want, h.books(t, -10, 30, at).History); diff != "" {
				t.Fatalf("as of %s: %s", at, diff)
			}
		}
		if v := h.verified(t); len(v.Differences) > 0 {
			t.Fatal(v.Differences[0])
		}
	})
}

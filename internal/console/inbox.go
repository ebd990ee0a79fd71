package console

import (
	"cmp"
	"math"
	"net/http"
	"net/url"
	"slices"

	"ostler.example/hotel"
)

// inbox is what waits for a decision, or was decided.
type inbox struct {
	Status hotel.ConflictStatus
	Lines  []conflictLine
	Next   string // where the next page is; "": this is the last
}

// severities are how urgent a conflict can be, the most urgent first.
var severities = []hotel.Severity{hotel.Critical, hotel.Warning, hotel.Info}

// pageOfConflicts is how many conflicts are on one page.
const pageOfConflicts = 100

// byUrgency puts the most urgent conflicts first, of those that are alike the newest.
func byUrgency(a, b hotel.Conflict) int {
	return cmp.Or(cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)), cmp.Compare(b.ID, a.ID))
}

// decisions lists conflicts of the house.
func (v *visit) decisions(f hotel.ConflictFilter) ([]hotel.Conflict, error) {
	return v.c.desk.Conflicts(v.r.Context(), v.caller, []string{v.house.ID}, f)
}

// waiting are all conflicts that are open, the most urgent first: of a page of the newest
// an old one that is critical would be missing.
func (v *visit) waiting() ([]hotel.Conflict, error) {
	open, err := v.decisions(hotel.ConflictFilter{Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: math.MaxInt})
	slices.SortFunc(open, byUrgency)
	return open, err
}

func (c *Console) inbox(v *visit) error {
	q := v.r.URL.Query()
	in := inbox{Status: hotel.ConflictOpen}
	if q.Get("status") == string(hotel.ConflictResolved) {
		in.Status = hotel.ConflictResolved
	}
	var list []hotel.Conflict
	var err error
	if in.Status == hotel.ConflictOpen {
		list, err = v.waiting()
		if last := (hotel.Conflict{Entity: hotel.Entity{ID: q.Get("after")}, Severity: hotel.Severity(q.Get("severity"))}); last.ID != "" {
			list = slices.DeleteFunc(list, func(k hotel.Conflict) bool { return byUrgency(k, last) <= 0 })
		}
	} else {
		list, err = v.decisions(hotel.ConflictFilter{Statuses: []hotel.ConflictStatus{in.Status}, After: q.Get("after"), Limit: pageOfConflicts + 1})
	}
	if err != nil {
		return err
	}
	if len(list) > pageOfConflicts {
		list = list[:pageOfConflicts]
		last := list[pageOfConflicts-1]
		in.Next = v.path("conflicts") + "?" + url.Values{"status": {string(in.Status)}, "severity": {string(last.Severity)}, "after": {last.ID}}.Encode()
	}
	if in.Lines, err = v.conflictLines(list); err != nil {
		return err
	}
	if in.Status == hotel.ConflictResolved {
		by, err := v.doers()
		if err != nil {
			return err
		}
		for i := range in.Lines {
			l := &in.Lines[i]
			l.Taken, l.By = v.decidedAs(l.Conflict, by)
		}
	}
	return v.show("conflicts", http.StatusOK, in)
}

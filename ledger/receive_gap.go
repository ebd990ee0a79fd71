package ledger

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// issueGap is the code of the issue that revisions of a booking have not arrived.
const issueGap = "revision_gap"

// noteGap flags the rooms of a booking of which the channel has counted more messages
// than have come, and takes the flag away when they have. What the newest says holds
// all the same: each message has the whole booking.
func (m *message) noteGap() error {
	if m.r.Order != hotel.OrderRevisionCount {
		return nil
	}
	arrived, err := m.t.q.OrderingsOf(m.t.ctx, ledgerdb.OrderingsOfParams{Ref: m.r.Ref, Reuse: m.reuse, ChannelID: m.r.ChannelID})
	if err != nil {
		return fmt.Errorf("read revisions: %w", err)
	}
	issue := gapIn(append(arrived, m.r.Revision))
	rooms := slices.Clone(m.stored)
	for _, r := range m.existing {
		if !m.has(r.ID) {
			rooms = append(rooms, r)
		}
	}
	for i := range rooms {
		before := &rooms[i]
		flagged := before.HasIssue(issueGap)
		if issue != nil && (!stay.Live(before.Status) || slices.Contains(before.Issues, *issue)) || issue == nil && !flagged {
			continue
		}
		r := *before
		r.Issues = slices.DeleteFunc(slices.Clone(r.Issues), func(i hotel.Issue) bool { return i.Code == issueGap })
		if issue != nil {
			r.Issues = append(r.Issues, *issue)
		}
		if err := m.t.bookEntry(ReservationUpdated, m.s, &r, before); err != nil {
			return err
		}
		if at := slices.IndexFunc(m.stored, func(s hotel.Reservation) bool { return s.ID == r.ID }); at >= 0 {
			m.stored[at] = r
		}
	}
	return nil
}

// revisionRun is a run of numbers, both inclusive.
type revisionRun struct{ from, to int64 }

// notArrived returns the numbers between the lowest and the highest revision that are none of
// them.
func notArrived(revisions []string) (missing []revisionRun) {
	var counted []int64
	for _, text := range revisions {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			counted = append(counted, n)
		}
	}
	slices.Sort(counted)
	for i := 1; i < len(counted); i++ {
		if of := (revisionRun{counted[i-1] + 1, counted[i] - 1}); of.from <= of.to {
			missing = append(missing, of)
		}
	}
	return missing
}

// gapIn says which numbers are missing; nil: none.
func gapIn(revisions []string) *hotel.Issue {
	var missing []string
	for _, of := range notArrived(revisions) {
		text := fmt.Sprint(of.from)
		if of.from < of.to {
			text += fmt.Sprint(" to ", of.to)
		}
		missing = append(missing, text)
	}
	if len(missing) == 0 {
		return nil
	}
	return &hotel.Issue{Code: issueGap, Detail: "the channel has counted messages that have not come: revision " + strings.Join(missing, ", ")}
}

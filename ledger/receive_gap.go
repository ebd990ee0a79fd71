package ledger

import (
	"fmt"
	"slices"
	"strconv"

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

// gapIn says which numbers between the lowest and the highest are missing; nil: none.
func gapIn(revisions []string) *hotel.Issue {
	var numbers []int64
	for _, text := range revisions {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	missing := ""
	for i := 1; i < len(numbers); i++ {
		switch from, to := numbers[i-1]+1, numbers[i]-1; {
		case from > to:
			continue
		case missing != "":
			missing += ", "
			fallthrough
		default:
			if missing += fmt.Sprint(from); from < to {
				missing += fmt.Sprint(" to ", to)
			}
		}
	}
	if missing == "" {
		return nil
	}
	return &hotel.Issue{Code: issueGap, Detail: "the channel has counted messages that have not come: revision " + missing}
}

package stay

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

func TestMessageToAStayThatMovedOn(t *testing.T) {
	for _, c := range []struct {
		message   string
		cancelled bool
		status    hotel.ReservationStatus
		want      Effect
	}{
		{"cancelled", true, hotel.CheckedIn, Effect{To: hotel.CheckedIn, Nights: NoNights, Issue: CancelledInHouse}},
		{"cancelled", true, hotel.CheckedOut, Effect{To: hotel.CheckedOut, Nights: NoNights, Issue: CancelledInHouse}},
		{"modified", false, hotel.CheckedIn, Effect{To: hotel.CheckedIn, Nights: NightsToCome, Price: true}},
		{"modified", false, hotel.Cancelled, Effect{To: hotel.Confirmed, Nights: AllNights, Price: true}},
		{"modified", false, hotel.CheckedOut, Effect{To: hotel.CheckedOut, Nights: NoNights, Price: true, Issue: LateModification}},
		{"modified", false, hotel.NoShow, Effect{To: hotel.NoShow, Nights: NoNights, Price: true, Issue: LateModification}},
		{"cancelled", true, hotel.NoShow, Effect{To: hotel.NoShow, Nights: NoNights, Waived: true}},
		{"cancelled", true, hotel.Confirmed, Effect{To: hotel.Cancelled, Nights: AllNights, Price: true}},
		{"modified", false, hotel.Held, Effect{To: hotel.Confirmed, Nights: AllNights, Price: true}},
	} {
		if got := OnMessage(c.cancelled, c.status); got != c.want {
			t.Errorf("%s for a stay that is %s: %+v, want %+v", c.message, c.status, got, c.want)
		}
	}
}

// told is a stay as the test's plain model keeps it: for each part of it the
// number of the message that decided it.
type told struct {
	status                         hotel.ReservationStatus
	nights, price, content, newest int
	waived                         bool
	issue                          string
}

func (s *told) hear(number int, cancelled bool) {
	e := OnMessage(cancelled, s.status)
	switch {
	case number > s.newest:
		s.newest, s.status, s.waived, s.issue = number, e.To, e.Waived, e.Issue
	case cancelled || number <= s.content:
		return
	}
	if e.Nights != NoNights {
		s.nights, s.content = number, number
	}
	if e.Price {
		s.price, s.content = number, number
	}
}

// Whatever the guest has done meanwhile, every order of the same messages, with
// repeats, leaves the stay the same.
func TestEveryOrderOfMessagesEndsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		status := rapid.SampledFrom(Statuses).Draw(t, "status")
		cancels := rapid.SliceOfN(rapid.Bool(), 1, 5).Draw(t, "messages")
		numbers := make([]int, len(cancels))
		for i := range numbers {
			numbers[i] = i + 1
		}
		again := rapid.SliceOfN(rapid.SampledFrom(numbers), 0, 3).Draw(t, "again")
		var ends [2]string
		for i, order := range [][]int{numbers, rapid.Permutation(append(append([]int{}, numbers...), again...)).Draw(t, "order")} {
			s := told{status: status}
			for _, n := range order {
				s.hear(n, cancels[n-1])
			}
			ends[i] = fmt.Sprintf("%+v", s)
		}
		if ends[0] != ends[1] {
			t.Fatalf("in order %s, as they came %s", ends[0], ends[1])
		}
	})
}

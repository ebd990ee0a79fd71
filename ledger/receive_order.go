package ledger

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// The steps of a booking's life as messages tell of them, the earliest first.
const (
	eventBooked    = "booked"
	eventModified  = "modified"
	eventCancelled = "cancelled"
)

// position is where a message stands among the messages of its booking.
type position struct {
	StalePlace
	event string
}

func positionOf(b ledgerdb.ChannelBooking) position {
	return position{StalePlace{b.Ordering, instantOrZero(b.At)}, b.Event}
}

// positionOfRoom is that of the newest message of a room.
func positionOfRoom(r *hotel.Reservation) position {
	p := position{StalePlace{r.Source.Revision, r.Source.ModifiedAt}, eventBooked}
	if r.Status == hotel.Cancelled {
		p.event = eventCancelled
	}
	return p
}

func (m *message) position() position {
	p := position{StalePlace{m.r.Revision, m.r.At}, m.r.Event}
	if m.changes {
		p.event = eventModified
	}
	return p
}

// isChange reports whether the message is a change of a booking that was told before.
// One that tells the booking once more is, where the channel does not say which of two
// messages came first: a redelivery has the key of what it repeats, so this is another
// message, of a booking that was changed or of a number that is used again.
func (m *message) isChange(made []ledgerdb.BookedBeforeRow) bool {
	if m.r.Event != eventBooked || m.known == nil || m.tells(positionOf(*m.known).StalePlace) {
		return m.r.Event == eventModified
	}
	return len(made) > 0
}

// tells reports whether the channel itself says which came first, the message or what
// stands at another place.
func (m *message) tells(p StalePlace) bool {
	if m.r.Order == hotel.OrderNone {
		return m.timed(p.At) && !m.r.At.Equal(p.At)
	}
	return placed(m.r.Order, m.r.Revision, m.r.At) && placed(m.r.Order, p.Revision, p.At)
}

// isNewest reports whether the message, which has come before, is certainly the newest
// that is known of its booking.
func (m *message) isNewest() bool {
	if m.known == nil || m.known.Event != m.position().event {
		return false
	}
	known := positionOf(*m.known)
	sure := m.r.Order == hotel.OrderNone && m.timed(known.At) || m.tells(known.StalePlace)
	return sure && m.compare(known.Revision, known.At) == 0
}

// newer reports whether the message comes behind what stands at another place, by the
// order that the channel declares. Of two with one place in it, or with none, the later
// step of a booking's life wins, and of two changes the one that arrives later; but a
// cancellation that was written before what has its number is of a booking that had the
// reference before, and what has its number came early. Where a
// channel without an order gives times for some of its messages, those decide among
// themselves; of the others a change comes before, and a cancellation behind,
// those of its step that have one. So all have one order, whatever arrives first.
func (m *message) newer(p position) bool {
	if c := m.compare(p.Revision, p.At); c != 0 {
		return c > 0
	}
	is := m.position().event
	if m.cancels() && m.timed(p.At) && m.r.At.Before(p.At) {
		return false
	}
	if m.r.Order == hotel.OrderNone && is == p.event && m.r.At.IsZero() != p.At.IsZero() {
		return is != eventBooked && m.cancels() == m.r.At.IsZero()
	}
	return m.cancels() || m.changes && p.event != eventCancelled
}

// unordered reports whether nobody can say if a change comes behind what is known: one
// of them has no place in the order that the channel declares, or an earlier
// modification has the same place and says something else.
func (m *message) unordered() (bool, error) {
	known := positionOf(*m.known)
	switch {
	case !m.changes:
		return false, nil // a step of a booking's life has its place by itself
	case m.r.Order == hotel.OrderNone:
		// Where it comes before by its step alone the booking may live again, or the
		// change be late.
		return !m.timed(known.At) && !m.newer(known), nil
	case !m.tells(known.StalePlace):
		return true, nil
	case known.event == eventCancelled || m.compare(known.Revision, known.At) < 0:
		return false, nil
	}
	changes, err := m.t.q.AppliedChanges(m.t.ctx, ledgerdb.AppliedChangesParams{Ref: m.r.Ref, Reuse: m.reuse, ChannelID: m.r.ChannelID})
	if err != nil {
		return false, fmt.Errorf("look for modifications: %w", err)
	}
	for _, c := range changes {
		if m.compare(c.Ordering, instantOrZero(c.At)) == 0 && !bytes.Equal(c.Raw, m.r.Raw) {
			return true, nil
		}
	}
	return false, nil
}

// compare puts the message in the order that the channel declares: behind another
// one (above 0), before it, or in the same place.
func (m *message) compare(revision string, at time.Time) int {
	return comparePlaces(m.r.Order, StalePlace{m.r.Revision, m.r.At}, StalePlace{revision, at})
}

// comparePlaces does so for the places of any two messages.
func comparePlaces(order hotel.FeedOrder, a, b StalePlace) int {
	switch order {
	case hotel.OrderRevisionNumber, hotel.OrderRevisionCount:
		return compareNumbers(a.Revision, b.Revision)
	case hotel.OrderRevisionText:
		return strings.Compare(a.Revision, b.Revision)
	case hotel.OrderTime:
		return a.At.Compare(b.At)
	case hotel.OrderNone:
		if !a.At.IsZero() && !b.At.IsZero() {
			return a.At.Compare(b.At)
		}
	}
	return 0
}

// timed reports whether the message and another one, of which at is the time, can be
// told apart by when they were made.
func (m *message) timed(at time.Time) bool { return !m.r.At.IsZero() && !at.IsZero() }

// compareNumbers compares revisions as numbers, and as text where they are none.
func compareNumbers(a, b string) int {
	x, errX := strconv.ParseInt(a, 10, 64)
	y, errY := strconv.ParseInt(b, 10, 64)
	if errX != nil || errY != nil {
		return strings.Compare(a, b)
	}
	return cmp.Compare(x, y)
}

// placed reports whether what a message says has a place in an order.
func placed(o hotel.FeedOrder, revision string, at time.Time) bool {
	switch o {
	case hotel.OrderRevisionNumber, hotel.OrderRevisionCount:
		_, err := strconv.ParseInt(revision, 10, 64)
		return err == nil
	case hotel.OrderRevisionText:
		return revision != ""
	case hotel.OrderTime:
		return !at.IsZero()
	case hotel.OrderNone:
	}
	return false
}

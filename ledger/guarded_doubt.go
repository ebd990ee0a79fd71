package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// Doubt is a counter of a guarded pool on a night of which nobody knows for sure
// how many of its rooms it shows: a message may have been lost, or a cancellation
// may have come before what was told afterwards.
type Doubt struct {
	Line       int64
	Night      hotel.Date
	RemoteRoom string
	RemoteRate string
}

// Doubts lists the counters of a channel that nobody has seen since stale, and those
// told something since unsure beside which a cancellation was heard of. One that was seen
// at an instant which lies ahead, by a clock that was set back, is as unseen. One whose count
// was read is left out: it waits for a list of its bookings. There are none
// where no list would take anything back.
func (l *Ledger) Doubts(ctx context.Context, channel string, stale, unsure time.Time) ([]Doubt, error) {
	if may, err := l.takesBack(ctx, channel); err != nil || !may {
		return nil, err
	}
	rows, err := l.read.DoubtfulParties(ctx, ledgerdb.DoubtfulPartiesParams{ChannelID: channel, Stale: stale.UnixMicro(), Now: l.clock.Now().UnixMicro(), Unsure: microsOrNil(l.steadyAt(unsure))})
	if err != nil {
		return nil, fmt.Errorf("doubtful counters of channel %s: %w", channel, err)
	}
	out := make([]Doubt, len(rows))
	for i, r := range rows {
		out[i] = Doubt{r.Line, hotel.Date(r.Night), r.RemoteRoom, r.RemoteRate}
	}
	return out, nil
}

// NextDoubt returns when the first counter of a channel will not have been seen for
// unseen, or was told something unsure ago beside which a cancellation was heard of: now,
// when one was seen at an instant that lies ahead; the zero time when there is none of
// which that can be.
func (l *Ledger) NextDoubt(ctx context.Context, channel string, unseen, unsure time.Duration) (time.Time, error) {
	first, err := l.doubts.get(&l.changes.commits, channel, func() (first nextDoubts, err error) {
		if may, err := l.takesBack(ctx, channel); err != nil || !may {
			return nextDoubts{seen: -1, told: -1, newest: -1}, err
		}
		row, err := l.read.NextDoubts(ctx, channel)
		if err != nil {
			return first, fmt.Errorf("next doubtful counter of channel %s: %w", channel, err)
		}
		return nextDoubts{seen: row.Seen, told: row.Told, newest: row.Newest}, nil
	})
	now := l.clock.Now()
	var next time.Time
	if first.newest > now.UnixMicro() {
		next = now
	}
	for _, due := range []struct {
		from  int64
		now   time.Time
		after time.Duration
	}{{first.seen, now, unseen}, {first.told, l.clock.Steady(), unsure}} {
		if at := now.Add(instant(due.from).Add(due.after).Sub(due.now)); due.from >= 0 && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next, err
}

// sees is when something is seen of a counter: by the clock, which the item's instant lies
// ahead of where it was set back.
func (t *tx) sees() int64 { return t.l.clock.Now().UnixMicro() }

// steadyAt is an instant in steady time, as far as nobody has set the clock since.
func (l *Ledger) steadyAt(at time.Time) time.Time { return l.clock.Steady().Add(at.Sub(l.clock.Now())) }

// nextDoubts are when the counter was seen that was not for longest, when, in steady time,
// it was told something that was so first, and when one was seen last, in microseconds;
// -1: there is none.
type nextDoubts struct{ seen, told, newest int64 }

// BeginCount notes that counters of a channel are about to be read. What is sent to
// one of them before its bookings are read too ends that; one that was told something
// since it came to be in doubt is left out.
func (l *Ledger) BeginCount(ctx context.Context, channel string, of []Doubt) error {
	return l.counting(ctx, channel, of, func(t *tx, row ledgerdb.Channel, nights hotel.Span, chosen func(*holding) bool) error {
		return t.channelParties(row, nights, func(a exposure.Ability, h *holding) {
			if p, err := h.now.Count(a); err == nil && chosen(h) {
				h.now = p
			}
		})
	})
}

// Counted stores the counts that were read. A list of the channel's bookings has to
// follow.
func (l *Ledger) Counted(ctx context.Context, channel string, counts map[Doubt]int) error {
	of := make([]Doubt, 0, len(counts))
	read := map[partyNight]int{}
	for d, n := range counts {
		of = append(of, d)
		read[partyNight{d.Line, d.Night}] = n
	}
	return l.counting(ctx, channel, of, func(t *tx, row ledgerdb.Channel, nights hotel.Span, chosen func(*holding) bool) error {
		var over []overshown
		err := t.channelParties(row, nights, func(a exposure.Ability, h *holding) {
			if !chosen(h) {
				return
			}
			before := h.now
			if h.now = h.now.CountRead(read[h.at()], h.ability(a), t.steady); before.Doing == exposure.Counting && h.now.Doing == exposure.Closing {
				over = append(over, overshownBy(h, read[h.at()]))
			}
		})
		if err != nil {
			return err
		}
		return t.tellOvershown(row, t.micros(), over)
	})
}

// Reclose has counters of a channel closed whose counts cannot be read. They are
// opened again, and granted what they are to have, behind the list of bookings that
// follows. One that has nothing to sell shows nothing, and is left alone; so is one of
// a channel that gives nothing back.
func (l *Ledger) Reclose(ctx context.Context, channel string, of []Doubt) error {
	row, err := l.read.GetChannel(ctx, channel)
	if err != nil {
		return notFound(err)
	}
	terms, err := termsOf(row)
	if err != nil || exposure.LevelOf(terms) != exposure.Guaranteed {
		return err
	}
	return l.counting(ctx, channel, of, func(t *tx, row ledgerdb.Channel, nights hotel.Span, chosen func(*holding) bool) error {
		return t.channelParties(row, nights, func(a exposure.Ability, h *holding) {
			if _, err := h.now.Count(a); !chosen(h) || errors.Is(err, exposure.ErrAlive) || errors.Is(err, exposure.ErrUnknown) {
				return // it was told something meanwhile
			}
			if e, _ := h.now.Exposure(h.live); e == 0 {
				h.seen = t.sees()
				return
			}
			h.now = h.now.Close(0, a, t.steady)
		})
	})
}

// counting does something to counters of a channel in one item, unless no list takes
// anything back from it; f is given which they are.
func (l *Ledger) counting(ctx context.Context, channel string, of []Doubt, f func(t *tx, row ledgerdb.Channel, nights hotel.Span, chosen func(*holding) bool) error) error {
	if len(of) == 0 {
		return nil
	}
	span := hotel.Span{From: of[0].Night, To: of[0].Night}
	named := map[partyNight]bool{}
	for _, d := range of {
		span = hotel.Span{From: min(span.From, d.Night), To: max(span.To, d.Night)}
		named[partyNight{d.Line, d.Night}] = true
	}
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, err := t.q.GetChannel(t.ctx, channel)
		if err != nil {
			return notFound(err)
		}
		if may, err := listsTakeBack(row); err != nil || !may {
			return err
		}
		return f(t, row, span, func(h *holding) bool { return named[h.at()] })
	})
}

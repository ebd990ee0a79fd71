package ledger

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// JournalCut is what a [JournalWasCut] entry carries: the checkpoint.
type JournalCut struct {
	Through  int64     `json:"through"`  // the last entry of the chain that may be gone
	Earliest time.Time `json:"earliest"` // the oldest instant that can still be looked at
	Kept     int       `json:"kept"`     // entries up to there that still count, and stay
	Digest   string    `json:"digest"`   // SHA-256 over those, in hexadecimal
}

// cutItem is how many rows one item removes.
const cutItem = 200

// CutJournal takes out of the journal what was overwritten before an instant,
// chain by chain, in small items. What an entry up to there says that still
// counted then stays as it is: those entries are the checkpoint from which past
// values and verification go on, and an entry notes their digest. What was said of
// nights that were over by then is not kept, but for reservations: their history
// stays, as they do. It may be called again at any time, and goes on
// where an earlier call was interrupted.
func (l *Ledger) CutJournal(ctx context.Context, before time.Time) error {
	chains, err := l.read.ListChains(ctx)
	if err != nil {
		return fmt.Errorf("list chains: %w", err)
	}
	for _, property := range chains {
		if err := l.cutChain(ctx, property, before); err != nil {
			return fmt.Errorf("cut the journal of %q: %w", property, err)
		}
	}
	return l.cutTouches(ctx)
}

// cut is where a chain was cut; the zero value is a whole one.
type cut struct {
	sequence int64
	earliest time.Time
	hash     [32]byte // of the entry at sequence, behind which the chain goes on
}

// floor is the first night that counts behind the cut.
func (c cut) floor() hotel.Date {
	if c.earliest.IsZero() {
		return zeroNight
	}
	return dateOf(c.earliest) - 1 // it may be the day before somewhere
}

// pickupFrom is the first day whose pickup is known behind the cut, early enough
// for whatever asks for it from there on.
func (c cut) pickupFrom() hotel.Date {
	return max(zeroNight, c.floor()-board.PickupDays)
}

// expired refuses what cannot be answered any more: a point before the cut, or a
// night that was over by then.
func (c cut) expired(property string) error {
	earliest := c.earliest.Add(time.Millisecond - 1).Truncate(time.Millisecond).Format("2006-01-02T15:04:05.000Z07:00")
	r := hotel.Refuse("as_of_expired", "the journal of %s tells of %s and later, and of the nights that were not over then", property, earliest)
	r.Members = map[string]any{"earliest": earliest}
	return r
}

func cutOf(ctx context.Context, q *ledgerdb.Queries, property string) (cut, error) {
	row, err := q.GetJournalCut(ctx, property)
	if errors.Is(err, sql.ErrNoRows) {
		return cut{}, nil
	}
	if err != nil {
		return cut{}, fmt.Errorf("read where the journal was cut: %w", err)
	}
	return cut{row.Sequence, instant(row.Earliest), [32]byte(row.Hash)}, nil
}

func (l *Ledger) cutChain(ctx context.Context, property string, before time.Time) error {
	gone, err := l.beginCut(ctx, property, before)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(gone, cutItem) {
		err := l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
			return t.q.DeleteEntries(t.ctx, part)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// beginCut makes the cut of a chain stand, before anything is removed, and lists
// the entries that are to go, oldest first. When the chain was cut there already
// it lists those that an interrupted removal has left.
func (l *Ledger) beginCut(ctx context.Context, property string, before time.Time) (gone []int64, err error) {
	var old, next cut
	var kept map[int64][32]byte
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) (err error) {
		if old, err = cutOf(ctx, q, property); err != nil {
			return err
		}
		if next, err = cutBefore(ctx, q, property, before); err != nil {
			return err
		}
		if next.sequence <= old.sequence {
			next = old
		}
		kept, gone, err = sift(ctx, q, property, next)
		return err
	})
	if err == nil && next.sequence > old.sequence {
		err = l.noteCut(ctx, property, next, kept)
	}
	return gone, err
}

// cutBefore returns the cut behind the last entry of a chain before an instant, and
// behind nothing that something has still to follow from; the zero value when no
// entry is left.
func cutBefore(ctx context.Context, q *ledgerdb.Queries, property string, before time.Time) (cut, error) {
	e, err := entryAt(ctx, q, hotel.AsOf{At: before.Add(-time.Microsecond)})
	if err != nil {
		return cut{}, ignoreNotFound(err)
	}
	last := e.Sequence
	for _, of := range []dueKind{dueStock, duePrices} {
		list, err := listDue(ctx, q, property, of)
		if err != nil {
			return cut{}, err
		}
		for _, d := range list {
			last = min(last, d.sequence-1)
		}
	}
	unread, err := slowestChannel(ctx, q, property)
	if err != nil {
		return cut{}, err
	}
	last = min(last, unread)
	row, err := q.ChainBefore(ctx, ledgerdb.ChainBeforeParams{PropertyID: property, Sequence: last})
	if err != nil {
		return cut{}, ignoreNotFound(notFound(err))
	}
	return cut{row.Sequence, before.UTC(), [32]byte(row.Hash)}, nil
}

// slowestChannel returns the entry up to which every channel that is told of the
// property has read its journal.
func slowestChannel(ctx context.Context, q *ledgerdb.Queries, property string) (int64, error) {
	rows, err := q.ListChannelsOf(ctx, property)
	if err != nil {
		return 0, fmt.Errorf("list channels: %w", err)
	}
	slowest := int64(math.MaxInt64)
	for _, row := range rows {
		c, err := channelOf(row)
		if err != nil {
			return 0, err
		}
		if !c.Told() {
			continue
		}
		at, err := placeOf(ctx, q, row)
		if err != nil {
			return 0, fmt.Errorf("read how far channel %s is: %w", c.ID, err)
		}
		slowest = min(slowest, at.through)
	}
	return slowest, nil
}

func ignoreNotFound(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// sift tells the entries of a chain up to a cut apart: those that still count,
// with what they say as a digest, and the rest.
func sift(ctx context.Context, q *ledgerdb.Queries, property string, at cut) (kept map[int64][32]byte, gone []int64, err error) {
	p, all := newPast(), map[int64][32]byte{}
	err = walk(ctx, q, property, 0, at.sequence, func(e Entry) error {
		all[e.Sequence] = e.chain([32]byte{})
		return p.apply(e)
	})
	kept = map[int64][32]byte{}
	for sequence := range p.counting(at) {
		kept[sequence] = all[sequence]
	}
	for sequence := range all {
		if _, ok := kept[sequence]; !ok {
			gone = append(gone, sequence)
		}
	}
	slices.Sort(gone)
	return kept, gone, err
}

// counting lists the entries of which something still counts behind a cut.
func (p *past) counting(at cut) map[int64]struct{} {
	out, floor := map[int64]struct{}{}, at.floor()
	for _, k := range p.parts {
		out[k.sequence] = struct{}{}
	}
	for _, c := range p.channels {
		out[c.said], out[c.mapped] = struct{}{}, struct{}{}
	}
	delete(out, 0) // never said
	for spot, k := range p.facts {
		if spot.night >= floor {
			out[k.sequence] = struct{}{}
		}
	}
	for _, sequence := range p.records {
		out[sequence] = struct{}{}
	}
	for _, b := range p.block {
		out[b.sequence] = struct{}{}
	}
	return out
}

// digest is the SHA-256 over the entries that a cut keeps.
func digest(kept map[int64][32]byte) string {
	sequences := make([]int64, 0, len(kept))
	for s := range kept {
		sequences = append(sequences, s)
	}
	slices.Sort(sequences)
	h := sha256.New()
	for _, s := range sequences {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(s))
		h.Write(n[:])
		said := kept[s]
		h.Write(said[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// noteCut stores where a chain is cut, and journals it.
func (l *Ledger) noteCut(ctx context.Context, property string, at cut, kept map[int64][32]byte) error {
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		err := t.q.PutJournalCut(t.ctx, ledgerdb.PutJournalCutParams{
			PropertyID: property, Sequence: at.sequence, Earliest: at.earliest.UnixMicro(), Hash: at.hash[:],
		})
		if err != nil {
			return fmt.Errorf("note where the journal is cut: %w", err)
		}
		_, err = t.append(entry{property: property, kind: JournalWasCut, subject: property, body: JournalCut{
			Through: at.sequence, Earliest: at.earliest, Kept: len(kept), Digest: digest(kept),
		}})
		return err
	})
}

// cutTouches removes what the touch index says of entries that are gone. It is
// looked for beside the writer.
func (l *Ledger) cutTouches(ctx context.Context) error {
	after := ledgerdb.StrayTouchesParams{AtMost: 4 * cutItem}
	for {
		rows, err := l.read.StrayTouches(ctx, after)
		if err != nil {
			return fmt.Errorf("read the touch index: %w", err)
		}
		var gone []ledgerdb.StrayTouchesRow
		for _, r := range rows {
			if r.Gone {
				gone = append(gone, r)
			}
		}
		for part := range slices.Chunk(gone, cutItem) {
			err := l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
				for _, r := range part {
					row := ledgerdb.DeleteTouchParams{Kind: r.Kind, Subject: r.Subject, Month: r.Month, Sequence: r.Sequence}
					if err := t.q.DeleteTouch(t.ctx, row); err != nil {
						return fmt.Errorf("remove from the touch index: %w", err)
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		if len(rows) < 4*cutItem {
			return nil
		}
		last := rows[len(rows)-1]
		after.Kind, after.Subject, after.Month, after.Sequence = last.Kind, last.Subject, last.Month, last.Sequence
	}
}

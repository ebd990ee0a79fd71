package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Verification is what [Verify] found.
type Verification struct {
	Entries     int64        // of the journal
	Chains      int          // of properties, and the one of none
	Compared    int          // places of the tables, and of the boards in memory
	Differences []Difference // the first ones
	More        int          // differences behind those
	LeftOut     []string     // what could not be compared, and why

	told map[string]int // differences by kind of place
}

// How many differences are told one by one: of all places, and of one kind.
const (
	mostDifferences = 30
	mostOfOneKind   = 5
)

// Difference is one place where the ledger is not what follows from its journal.
type Difference struct {
	PropertyID string
	Where      string // what the place is, in words
	By         source
	Rebuilt    string // what should stand there; "": nothing
	Kept       string // what stands there; "": nothing
}

// source is what a place was rebuilt from: each from the one before it, which is
// compared itself.
type source string

const (
	byJournal source = "the journal says"
	byHouse   source = "the house values come to"
	byTables  source = "the tables come to"
)

func (d Difference) String() string {
	said := func(s string) string {
		if s == "" {
			return "nothing"
		}
		return s
	}
	return fmt.Sprintf("%s: %s: %s %s, kept is %s", d.PropertyID, d.Where, d.By, said(d.Rebuilt), said(d.Kept))
}

// Progress tells how far a verification is: what it is at, and the share of the
// whole, 0 to 1.
type Progress func(at string, share float64)

// VerifyOptions says how a ledger is verified.
type VerifyOptions struct {
	Report Progress
	Stage  Stage // nil: what channels are to show is left out
}

// Verify checks the ledger in the file at path against its own journal: it walks
// every hash chain, rebuilds from the entries what the houses are made of, the
// facts by night, the reservations with the rooms that they take, and the channels
// with their mappings, works out the house values from those and what channels are
// to show from these, and compares each with what the tables hold. It only reads,
// so the file may be a copy. Guests, messages, secrets, what channels have said
// that they hold and what rooms of guarded pools were granted to them are not
// compared: these follow from nothing in the journal.
func Verify(ctx context.Context, path string, o VerifyOptions) (v Verification, err error) {
	l := &Ledger{clock: hotel.SystemClock{}}
	defer func() { err = errors.Join(err, l.closeDBs()) }()
	if err := l.openReaders(ctx, path); err != nil {
		return v, fmt.Errorf("open ledger %s: %w", path, err)
	}
	if err := checkVersion(ctx, l.readDB); err != nil {
		return v, fmt.Errorf("ledger %s: %w", path, err)
	}
	return l.verify(ctx, o)
}

func (l *Ledger) verify(ctx context.Context, o VerifyOptions) (v Verification, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		newest, err := q.NewestEntry(ctx)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("read the end of the journal: %w", err)
		}
		chains, err := q.ListChains(ctx)
		if err != nil {
			return fmt.Errorf("list chains: %w", err)
		}
		v.Chains = len(chains)
		for i, property := range chains {
			c := &check{l: l, q: q, property: property, v: &v, stage: o.Stage}
			if c.now, err = lastTick(ctx, q, property); err != nil {
				return fmt.Errorf("read the clock of %s: %w", property, err)
			}
			if c.ticks = !c.now.IsZero(); !c.ticks {
				c.now = instant(newest.At)
			}
			c.report = func(what string, share float64) {
				o.Report(what, (float64(i)+share)/float64(len(chains)))
			}
			if c.cut, err = cutOf(ctx, q, property); err != nil {
				return err
			}
			c.said = newRecords()
			if err := c.run(ctx, newest.Sequence); err != nil {
				return err
			}
		}
		return nil
	})
	return v, err
}

// differs notes a difference in a kind of place.
func (v *Verification) differs(kind string, d Difference) {
	if len(v.Differences) == mostDifferences || v.told[kind] == mostOfOneKind {
		v.More++
		return
	}
	if v.told == nil {
		v.told = map[string]int{}
	}
	v.told[kind]++
	v.Differences = append(v.Differences, d)
}

func (v *Verification) leaveOut(format string, args ...any) {
	v.LeftOut = append(v.LeftOut, fmt.Sprintf(format, args...))
}

// chain walks the hash chain of the property and rebuilds from it, beginning with
// the checkpoint where it was cut.
func (c *check) chain(ctx context.Context, newest int64) (*past, error) {
	kept, _, err := sift(ctx, c.q, c.property, c.cut)
	if err != nil {
		return nil, err
	}
	p, broken, prev, noted := newPast(), false, c.cut.hash, ""
	err = walk(ctx, c.q, c.property, 0, math.MaxInt64, func(e Entry) error {
		c.v.Entries++
		c.newest = e.At
		if e.Sequence > c.cut.sequence {
			if e.Hash != e.chain(prev) && !broken {
				broken = true // what follows a broken link may be whole in itself
				c.v.differs("journal", Difference{c.property, fmt.Sprintf("entry %d of the journal (%s)", e.Sequence, e.Kind), byJournal, "another hash than it carries", fmt.Sprintf("%x…", e.Hash[:4])})
			}
			prev = e.Hash
		}
		if e.Sequence%entriesPage == 0 {
			c.report("journal of "+c.property, 0.5*float64(e.Sequence)/float64(newest))
		}
		if e.Kind == JournalWasCut {
			body, err := decode[JournalCut](e)
			if err != nil {
				return err
			}
			if body.Through == c.cut.sequence {
				noted = "digest " + body.Digest
			}
		}
		if err := c.said.apply(e); err != nil {
			return err
		}
		return p.apply(e)
	})
	if is := "digest " + digest(kept); c.cut.sequence > 0 && noted != is {
		c.v.differs("journal", Difference{c.property, "checkpoint of the journal", byJournal, noted, is})
	}
	return p, err
}

// compact writes JSON without space, so that equal values have equal texts.
func compact(text []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return string(text)
	}
	return b.String()
}

package ledger

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"

	"ostler.example/ledger/internal/sqlite"
)

// Head is where the journal of a ledger ends, by which one copy is told from
// another.
type Head struct {
	Ledger   string    `json:"ledger"` // the id that the ledger was given when it was made
	Epoch    int64     `json:"epoch"`  // raised by every restore
	Sequence int64     `json:"sequence"`
	At       time.Time `json:"at"`   // of the newest entry; zero when there is none
	Hash     string    `json:"hash"` // of the newest entry, in hex; "" when there is none
}

// Copy writes the ledger in the file from, as it stands at one moment, to a new
// file. Others may read and write the ledger meanwhile. The copy is one file without
// a log beside it; whoever wants it to outlive a power cut has yet to make it
// durable. report is told the share that is done.
func Copy(ctx context.Context, from, to string, report func(share float64)) (err error) {
	db, err := sql.Open(sqlite.Driver, sqlite.DSN(from, true)) // a reading connection may not write the copy either
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := sqlite.CheckPragmas(ctx, db); err != nil {
		return err
	}
	var size int64
	if err := db.QueryRowContext(ctx, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").Scan(&size); err != nil {
		return fmt.Errorf("size of ledger %s: %w", from, err)
	}
	watched, done := watchGrowth(to, size, report), false
	defer func() { watched(done) }()
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return fmt.Errorf("copy ledger %s: %w", from, err)
	}
	done = true
	return keepLog(ctx, to)
}

// growthEvery is how often it is looked how large a copy is by now.
const growthEvery = 100 * time.Millisecond

// watchGrowth tells how much of a file is there until stop is called.
func watchGrowth(path string, size int64, report func(share float64)) (stop func(done bool)) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(growthEvery)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
			}
			if info, err := os.Stat(path); err == nil && size > 0 {
				report(min(1, float64(info.Size())/float64(size)))
			}
		}
	}()
	return func(done bool) {
		close(quit)
		<-ended
		if done {
			report(1)
		}
	}
}

// keepLog notes in a copy that it is written through a log, as every ledger is: a
// reader could not change that.
func keepLog(ctx context.Context, path string) (err error) {
	db, err := sql.Open(sqlite.Driver, sqlite.DSN(path, true))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return sqlite.CheckPragmas(ctx, db)
}

// Sound has SQLite check the whole structure of a database: every page, every index
// against its table, every foreign key. It says what is wrong first.
func Sound(ctx context.Context, path string) (err error) {
	db, err := sql.Open(sqlite.Driver, "file:"+sqlite.Escaped(path)+"?mode=rw&_busy_timeout=5000")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var said string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&said); isCode(err, sqlite3.ErrCorrupt) || isCode(err, sqlite3.ErrNotADB) {
		return fmt.Errorf("%s is damaged: %w", path, err)
	} else if err != nil {
		return fmt.Errorf("check %s: %w", path, err)
	}
	if !strings.EqualFold(said, "ok") {
		return fmt.Errorf("%s is damaged: %s", path, said)
	}
	var table string
	err = db.QueryRowContext(ctx, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`).Scan(&table)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("check %s: %w", path, err)
	}
	return fmt.Errorf("%s is damaged: a row of table %s refers to one that is not there", path, table)
}

// HeadOf returns where the journal of the ledger in a file ends, without looking at
// the rest of it.
func HeadOf(ctx context.Context, path string) (head Head, err error) {
	l := &Ledger{}
	defer func() { err = errors.Join(err, l.closeDBs()) }()
	if err := l.openReaders(ctx, path); err != nil {
		return head, fmt.Errorf("open ledger %s: %w", path, err)
	}
	return l.Head(ctx)
}

// ChannelsOf lists the ids of the channels of the ledger in a file that may be
// selling.
func ChannelsOf(ctx context.Context, path string) (ids []string, err error) {
	l := &Ledger{}
	defer func() { err = errors.Join(err, l.closeDBs()) }()
	if err := l.openReaders(ctx, path); err != nil {
		return nil, fmt.Errorf("open ledger %s: %w", path, err)
	}
	rows, err := l.read.ListChannels(ctx)
	for _, r := range rows {
		c, broken := channelOf(r)
		if err = errors.Join(err, broken); c.Told() || c.Frozen {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
}

// Head returns where the journal ends.
func (l *Ledger) Head(ctx context.Context) (Head, error) {
	row, err := l.read.GetLedger(ctx)
	if err != nil {
		return Head{}, fmt.Errorf("read the ledger's identity: %w", err)
	}
	head := Head{Ledger: row.ID, Epoch: row.Epoch}
	newest, err := l.read.EndOfJournal(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return head, nil
	}
	if err != nil {
		return head, fmt.Errorf("read the end of the journal: %w", err)
	}
	head.Sequence, head.At, head.Hash = newest.Sequence, instant(newest.At), hex.EncodeToString(newest.Hash)
	return head, nil
}

// CheckChains walks every hash chain of the ledger in a file, and says which is
// broken first. It returns where the journal ends.
func CheckChains(ctx context.Context, path string, report Progress) (head Head, err error) {
	l := &Ledger{}
	defer func() { err = errors.Join(err, l.closeDBs()) }()
	if err := l.openReaders(ctx, path); err != nil {
		return head, fmt.Errorf("open ledger %s: %w", path, err)
	}
	chains, err := l.read.ListChains(ctx)
	if err != nil {
		return head, fmt.Errorf("list chains: %w", err)
	}
	for i, property := range chains {
		report("journal of "+property, float64(i)/float64(len(chains)))
		switch at, err := l.VerifyChain(ctx, property); {
		case err != nil:
			return head, err
		case at != 0:
			return head, fmt.Errorf("%s: entry %d of the journal carries another hash than follows from it", path, at)
		}
	}
	return l.Head(ctx)
}

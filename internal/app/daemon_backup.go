package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/backup"
	"ostler.example/internal/config"
	"ostler.example/ledger"
)

// backups are those that the daemon takes, by itself or because somebody asked.
type backups struct {
	one sync.Mutex // is taken at a time

	mu     sync.Mutex
	due    time.Time // when it is next looked whether one is due; zero: now
	failed time.Time // since when none can be taken; zero: the last went well
	ended  bool      // none is begun any more
	cancel context.CancelFunc
	under  sync.WaitGroup
}

// failedBackupAgain is how long after a backup that failed the next is tried.
const failedBackupAgain = time.Hour

// backup takes a backup of the ledger that the daemon has open.
func (d *Daemon) backup(w http.ResponseWriter, r *http.Request) {
	d.work(w, r, func(ctx context.Context, report ledger.Progress) (any, error) {
		d.backups.one.Lock()
		defer d.backups.one.Unlock()
		return takeBackup(ctx, d.config, r.URL.Query().Get("to"), report)
	})
}

// errNoBackup says that the tables of a ledger are left as they are, for want of a backup.
var errNoBackup = errors.New("no backup could be taken before the upgrade")

// backingUp takes a backup before an upgrade of the program changes the tables of the
// ledger: it is the way back. A start that is tried again takes no other: nobody has written
// meanwhile, and each would push a nightly one out of the folder.
func backingUp(c config.Config, log *zap.Logger) func(ctx context.Context, from, to int64) error {
	done := false
	return func(ctx context.Context, from, to int64) error {
		if done {
			return nil
		}
		taken, err := takeBackup(ctx, c, "", func(string, float64) {})
		if err != nil {
			if isFull(err) { // the start waits for disk space, and this says where
				log.Error(errNoBackup.Error(), zap.Error(err))
			}
			return fmt.Errorf("%w: %w", errNoBackup, err)
		}
		done = true
		log.Info("the ledger is brought up to date; a backup was taken before", zap.Int64("from", from), zap.Int64("to", to), zap.String("file", taken.Path))
		return nil
	}
}

// backUpWhenDue begins a backup when the newest one of the folder is old enough. One
// that was missed while the daemon was down is taken once.
func (d *Daemon) backUpWhenDue() {
	now := hotel.SystemClock{}.Now()
	b := &d.backups
	b.mu.Lock()
	defer b.mu.Unlock()
	if d.config.Backup.Every == 0 || b.ended || now.Before(b.due) {
		return
	}
	b.due = now.Add(failedBackupAgain) // until it is known better
	ctx, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	b.under.Go(func() {
		defer cancel()
		next, err := d.backUp(ctx, now)
		if err != nil && ctx.Err() == nil {
			d.log.Error("no backup was taken; it is tried again in an hour", zap.Error(err))
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		switch {
		case err == nil:
			b.due, b.failed = next, time.Time{}
		case ctx.Err() == nil && b.failed.IsZero():
			b.failed = now
		}
	})
}

// failingSince is since when none can be taken by itself; zero: the last went well.
func (b *backups) failingSince() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed
}

// backUp takes a backup unless there is one that is young enough, and returns when
// the next one is due.
func (d *Daemon) backUp(ctx context.Context, now time.Time) (time.Time, error) {
	head, err := d.env.Ledger.Head(ctx)
	if err != nil {
		return time.Time{}, err
	}
	newest, err := backup.Newest(backupFolder(d.config), head.Ledger)
	if err != nil {
		return time.Time{}, err
	}
	if next := newest.Add(d.config.Backup.Every); next.After(now) && !newest.After(now) {
		return next, nil
	}
	d.backups.one.Lock()
	defer d.backups.one.Unlock()
	taken, err := takeBackup(ctx, d.config, "", func(string, float64) {})
	if err != nil {
		return time.Time{}, err
	}
	d.log.Info("backup taken", zap.String("file", taken.Path), zap.Int64("bytes", taken.Manifest.Bytes), zap.Int("removed", len(taken.Removed)), zap.String("warning", taken.Warning))
	return now.Add(d.config.Backup.Every), nil
}

// stop gives up the backup that is being taken, and begins no other.
func (b *backups) stop() error {
	b.mu.Lock()
	b.ended = true
	if b.cancel != nil {
		b.cancel()
	}
	b.mu.Unlock()
	b.under.Wait()
	return nil
}

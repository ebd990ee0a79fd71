package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/backup"
	"ostler.example/internal/config"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

// RestoreOptions says which backup is to be restored.
type RestoreOptions struct {
	File     string // the configuration that names the data folder
	Backup   string
	Identity string // the file with the key that decrypts it, "" for none
	Check    bool   // only look whether it could be restored
	Operator string // who does it, for the journal
	Log      *zap.Logger
	Report   func(at string, share float64)
}

// Restored is what became of a restore.
type Restored struct {
	Head     ledger.Head // where the journal of the backup ends
	Stated   bool        // the backup has a manifest, and is what that says
	Aside    string      // where the ledger of before lies now; "": there was none
	Stranger bool        // that was another ledger, not an older or newer state of this one
	Channels []string    // that are closed until they are audited, and activated
	Forgot   int         // people who were forgotten since the backup, and are again
	Sealed   []string    // whose secrets are sealed with another key than this installation's
	Unlooked string      // why that could not be looked at; "": it was
	Missing  []string    // that were on sale by the ledger of before, and are not by this one
}

// Restore puts a backup in the ledger's place, on a data folder that no daemon works
// on. Everything is verified beside that place first, and the ledger of before is
// kept: until the two change places in one step nothing is touched.
func Restore(ctx context.Context, o RestoreOptions) (Restored, error) {
	c, err := config.Load(o.File)
	if err != nil {
		return Restored{}, err
	}
	lock, err := claim(c.Data)
	if err != nil {
		return Restored{}, fmt.Errorf("%w; a daemon is stopped by systemctl stop ostler", err)
	}
	out, err := restore(ctx, o, c)
	return out, errors.Join(err, lock.Release())
}

func restore(ctx context.Context, o RestoreOptions, c config.Config) (out Restored, err error) {
	owner, err := ownerOf(c.Data)
	if err != nil {
		return out, err
	}
	path, stamp := ledgerPath(c.Data), hotel.SystemClock{}.Now().UTC().Format("20060102T150405Z")
	place := filepath.Dir(path)
	beside, err := besides(c.Data, stamp)
	if err != nil {
		return out, err
	}
	swapped := false
	defer func() {
		if !swapped { // else the ledger of before may lie there
			err = errors.Join(err, os.RemoveAll(beside))
		}
		err = errors.Join(err, owner.take(c.Data, "."))
	}()
	fresh := filepath.Join(beside, filepath.Base(path))
	u, err := backup.Unpack(ctx, o.Backup, o.Identity, fresh, func(at string, share float64) { o.Report(at, 0.5*share) })
	if err != nil {
		return out, err
	}
	before, there, err := lookBefore(ctx, path)
	if err != nil {
		return out, err
	}
	if out, err = readied(ctx, o, c, u, fresh, before); err != nil || o.Check {
		return out, err
	}
	// Once it is in its place it is the ledger, whatever becomes of this process.
	if err := errors.Join(os.Chmod(fresh, 0o640), owner.take(c.Data, filepath.Base(beside)), backup.Durable(fresh), backup.Durable(beside)); err != nil {
		return out, err
	}
	o.Report("putting the ledger in its place", 1)
	swapped = true
	if !there {
		return out, errors.Join(os.Rename(beside, place), backup.Durable(c.Data))
	}
	if err := backup.Exchange(beside, place); err != nil {
		return out, fmt.Errorf("put the ledger in its place: %w", err)
	}
	o.Report("keeping the ledger of before", 1)
	out.Aside = filepath.Join(c.Data, "ledger.before-"+stamp)
	return out, errors.Join(os.Rename(beside, out.Aside), backup.Durable(c.Data))
}

// restoring is where a ledger is made ready to come in the place of a data folder's.
func restoring(data string) string { return filepath.Join(data, "restoring") }

// claim locks a data folder for this process. Where a restore was cut off while two
// ledgers changed places it ends that first.
func claim(data string) (*ledger.Lock, error) {
	lock, err := ledger.LockFolder(data)
	if err != nil {
		return nil, err
	}
	if err := backup.Settle(restoring(data), filepath.Dir(ledgerPath(data))); err != nil {
		return nil, errors.Join(fmt.Errorf("end a restore that was cut off: %w", err), lock.Release())
	}
	return lock, nil
}

// hasLedger reports whether there is a ledger in a data folder, once it is claimed.
func hasLedger(data string) (bool, error) {
	there, err := exists(ledgerPath(data))
	if err != nil || there {
		return there, err
	}
	return backup.Exchanging(restoring(data))
}

// besides makes an empty folder in which a ledger is made ready. What a restore that
// was killed has left there is kept: it may be the ledger of before.
func besides(data, stamp string) (string, error) {
	beside := restoring(data)
	there, err := exists(beside)
	if err != nil {
		return "", err
	}
	if there {
		if err := os.Rename(beside, filepath.Join(data, "restoring.left-"+stamp)); err != nil {
			return "", err
		}
	}
	return beside, os.MkdirAll(beside, 0o750)
}

// was is what can be told of the ledger that a backup comes in place of. One that
// cannot be read any more is why it is restored.
type was struct {
	head      ledger.Head
	channels  []string
	forgotten []string // ids of people; that list may be readable where the ledger is not
}

func lookBefore(ctx context.Context, path string) (w was, there bool, err error) {
	if there, err = exists(filepath.Dir(path)); err != nil || !there {
		return w, there, err
	}
	if w.forgotten, err = ledger.ForgottenOf(ctx, path); err != nil {
		return w, true, err
	}
	if readable, err := exists(path); err != nil || !readable {
		return w, true, err
	}
	if w.head, err = ledger.HeadOf(ctx, path); err != nil {
		return was{forgotten: w.forgotten}, true, nil //nolint:nilerr // as above
	}
	w.channels, err = ledger.ChannelsOf(ctx, path)
	if err != nil {
		w.channels = nil
	}
	return w, true, nil
}

// readied verifies what was unpacked and makes it the ledger that the daemon is to
// go on with.
func readied(ctx context.Context, o RestoreOptions, c config.Config, u backup.Unpacked, path string, before was) (out Restored, err error) {
	l, err := ledger.Open(ctx, ledger.Options{Path: path, Clock: hotel.SystemClock{}, Log: o.Log})
	if err != nil {
		return out, err // of a newer version of the program, or no ledger at all
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	out.Stated = u.Stated
	if out.Head, err = l.Head(ctx); err != nil {
		return out, err
	}
	if err := u.Matches(out.Head); err != nil {
		return out, fmt.Errorf("%s: %w", o.Backup, err)
	}
	found, err := l.Verify(ctx, ledger.VerifyOptions{
		Stage: chansync.Stage(c.Connectors, sealThere(c)), Report: func(at string, share float64) { o.Report(at, 0.5+0.5*share) },
	})
	if err != nil {
		return out, err
	}
	if n := len(found.Differences) + found.More; n > 0 {
		return out, fmt.Errorf("%s is not what its journal says, in %d places; the first is %s. Nothing was changed: restore an older backup", o.Backup, n, found.Differences[0])
	}
	if o.Check {
		return out, nil
	}
	out.Stranger = before.head.Ledger != "" && before.head.Ledger != out.Head.Ledger
	by := hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: o.Operator}}
	if err := l.Restored(ctx, by, before.head); err != nil {
		return out, err
	}
	if out.Sealed, out.Unlooked, err = sealRestored(ctx, l, c); err != nil {
		return out, err
	}
	if out.Forgot, err = l.ForgetAgain(ctx, by, before.forgotten); err != nil {
		return out, err
	}
	return out, named(ctx, l, before.channels, &out)
}

// named lists the channels that somebody has to look after.
func named(ctx context.Context, l *ledger.Ledger, before []string, out *Restored) error {
	list, err := l.Channels(ctx, "")
	if err != nil {
		return err
	}
	audited := map[string]bool{}
	for _, ch := range list {
		if ch.Audit != nil {
			audited[ch.ID] = true
			out.Channels = append(out.Channels, ch.ID)
		}
	}
	for _, id := range before {
		if !audited[id] {
			out.Missing = append(out.Missing, id)
		}
	}
	return nil
}

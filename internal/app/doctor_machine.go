package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"ostler.example/ledger"
)

// machine is what the system says of a folder, and of what else it is asked.
type machine struct {
	local    func(dir string) error                                    // what speaks against its file system
	writable func(dir string) error                                    // why this user cannot write to it
	free     func(dir string) (bytes uint64, err error)                // how much room is left
	syncs    func(dir string, n int) (took []time.Duration, err error) // how long writes take until they are on disk
	kept     func() bool                                               // whether the clock is kept right
	found    func(ctx context.Context, host string) error              // why a host has no address
	zones    func() []byte                                             // the table of countries and their time zones, if there is one
}

var thisMachine = machine{
	local:    ledger.CheckFolder,
	writable: func(dir string) error { return unix.Access(dir, unix.W_OK) },
	free: func(dir string) (uint64, error) {
		var s unix.Statfs_t
		err := unix.Statfs(dir, &s)
		return s.Bavail * uint64(s.Bsize), err
	},
	syncs: timedSyncs, kept: clockIsKept, found: found, zones: zones,
}

// folder looks at the data folder: there, on a local disk, ours to write.
func (d *doctor) folder() {
	const check = "data folder"
	dir := d.settings.Data
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		d.say(Fault, check, "make it with ostler init", "there is no folder %s", dir)
		return
	}
	if err != nil {
		d.say(Fault, check, "run this as the service's user, or as root", "%v", err)
		return
	}
	if err := d.machine.local(dir); err != nil {
		d.say(Fault, check, "set data to a folder on a local disk", "%v", err)
	}
	if there, err := exists(ledgerPath(dir)); err != nil || !there {
		d.say(Fault, check, "make one with ostler init", "there is no ledger in %s", dir)
	}
	owner, _ := info.Sys().(*syscall.Stat_t)
	if err := d.machine.writable(dir); err != nil {
		d.say(Fault, check, "run this as "+userOf(owner)+", or give the folder to the service's user with chown", "%s cannot be written to by this user; it belongs to %s", dir, userOf(owner))
		return
	}
	if info.Mode().Perm()&0o007 != 0 {
		d.say(Warning, check, "chmod 0750 "+dir, "everybody on this machine may look into %s", dir)
		return
	}
	d.well(check, "%s belongs to %s and can be written to", dir, userOf(owner))
}

func userOf(s *syscall.Stat_t) string {
	if s == nil {
		return "somebody"
	}
	id := strconv.FormatUint(uint64(s.Uid), 10)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return "user " + id
}

// How much room a ledger wants for a while.
const (
	diskLow   = 1 << 30
	diskEmpty = 100 << 20
)

func (d *doctor) disk() {
	const check = "free disk"
	free, err := d.machine.free(d.settings.Data)
	if err != nil {
		return // the folder has been told of
	}
	switch {
	case free < diskEmpty:
		d.say(Fault, check, "make room: with none left nothing can be booked", "%d MB are left", free>>20)
	case free < diskLow:
		d.say(Warning, check, "make room before it is used up", "%d MB are left", free>>20)
	default:
		d.well(check, "%d GB are left", free>>30)
	}
}

// How long a write may take until it is on disk.
const (
	syncSlow = 50 * time.Millisecond
	syncDead = 500 * time.Millisecond
)

// timedSyncs writes a file of its own several times and returns how long each write took
// to be on disk. No folder to write to is no error: it is told of elsewhere.
func timedSyncs(dir string, n int) (took []time.Duration, err error) {
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return nil, nil
	}
	defer func() { _ = errors.Join(f.Close(), os.Remove(f.Name())) }()
	for i := range n {
		began := now()
		if _, err = fmt.Fprintln(f, i); err == nil {
			err = f.Sync()
		}
		if err != nil {
			return nil, err
		}
		took = append(took, now().Sub(began))
	}
	return took, nil
}

// fsync measures how long it takes until something is on disk, which every
// booking waits for.
func (d *doctor) fsync() {
	const check, tries = "disk latency", 11
	took, err := d.machine.syncs(d.settings.Data, tries)
	if err != nil {
		d.say(Fault, check, "look after the disk", "a write cannot be made sure of: %v", err)
		return
	}
	if len(took) == 0 {
		return
	}
	slices.Sort(took)
	median := took[len(took)/2]
	switch {
	case median > syncDead:
		d.say(Fault, check, "put the data folder on a faster disk: every booking waits for this", "a write takes %s to be on disk", median.Round(time.Microsecond))
	case median > syncSlow:
		d.say(Warning, check, "put the data folder on a faster disk", "a write takes %s to be on disk", median.Round(time.Microsecond))
	default:
		d.well(check, "a write is on disk after %s", median.Round(time.Microsecond))
	}
}

// clock compares the clock with the newest file of the ledger, which an earlier
// time wrote.
func (d *doctor) clock() {
	const check = "clock"
	var newest time.Time
	_ = filepath.WalkDir(filepath.Dir(ledgerPath(d.settings.Data)), func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be seen says nothing about the clock
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
		return nil
	})
	if ahead := newest.Sub(now()); ahead > clockLate {
		d.say(Fault, check, "set the clock, and let it be kept: timedatectl set-ntp true", "it is %s behind the ledger, which was written to at %s", ahead.Round(time.Second), newest.UTC().Format(time.RFC3339))
		return
	}
	if !d.machine.kept() {
		d.say(Warning, check, "let it be kept: timedatectl set-ntp true; nights, cut-offs and certificates go by it", "nobody keeps it right, as far as the system knows: it says %s", now().UTC().Format(time.RFC3339))
		return
	}
	d.well(check, "%s, kept, and not behind the ledger", now().UTC().Format(time.RFC3339))
}

func (d *doctor) sqlite() {
	const check = "SQLite"
	version, err := ledger.SQLite()
	if err != nil {
		d.say(Fault, check, "use another build of ostler", "%v", err)
		return
	}
	d.well(check, "version %s", version)
}

package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The names of backups in a folder, and of those that are being written.
const (
	prefix  = "ostler-"
	plain   = ".db"
	sealed  = ".age"
	partial = ".partial"
	stamp   = "20060102T150405.000Z" // in UTC
)

// place is where a backup goes.
type place struct {
	folder, name string
	own          bool // the name is made by the program, which may remove it when newer ones are there
}

func (p place) path() string { return filepath.Join(p.folder, p.name) }

// placeOf says where a backup goes: into a folder under a name of its own, or to the
// file that is named. No file that is there is written over.
func placeOf(to string, now time.Time, encrypted bool) (place, error) {
	info, err := os.Stat(to)
	switch {
	case err == nil && info.IsDir():
		p := place{to, prefix + now.UTC().Format(stamp) + plain, true}
		if encrypted {
			p.name += sealed
		}
		return p, nil
	case err == nil:
		return place{}, fmt.Errorf("%s is there already: name another file, or a folder", to)
	case !errors.Is(err, fs.ErrNotExist):
		return place{}, fmt.Errorf("look for %s: %w", to, err)
	case strings.HasSuffix(to, string(filepath.Separator)):
		return place{}, fmt.Errorf("there is no folder %s: make it first", to)
	}
	folder := filepath.Dir(to)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return place{}, fmt.Errorf("there is no folder %s: make it first", folder)
	}
	return place{folder, filepath.Base(to), false}, nil
}

// room refuses to write so many bytes into a folder that has less left.
func room(folder string, need int64) error {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return fmt.Errorf("how much room is left in %s: %w", folder, err)
	}
	if left := int64(s.Bavail) * int64(s.Bsize); left < need { //nolint:unconvert // Bsize is smaller elsewhere
		return fmt.Errorf("%s has %s left, and the copy takes up to %s: make room there, or name another folder", folder, size(left), size(need))
	}
	return nil
}

func size(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}

// sameDisk reports whether two folders lie on one file system, so that one disk
// takes both with it.
func sameDisk(a, b string) bool {
	of := func(path string) (uint64, bool) {
		info, err := os.Stat(path)
		if err != nil {
			return 0, false
		}
		s, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return 0, false
		}
		return uint64(s.Dev), true //nolint:unconvert // it is signed elsewhere
	}
	x, known := of(a)
	y, too := of(b)
	return known && too && x == y
}

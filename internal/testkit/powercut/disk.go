//go:build linux

package powercut

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// sector is how many bytes a disk writes as a whole.
const sector = 512

// Disk is a folder on a disk that forgets what was not made durable.
type Disk struct{ files map[string]*file }

// file is what is durable of a file, and what has happened to it since. Each of
// the latter may be there after a power cut or not, whatever came before it.
type file struct {
	there   bool // durably
	content []byte
	since   []Event
}

// NewDisk returns an empty disk.
func NewDisk() *Disk { return &Disk{files: map[string]*file{}} }

// Do lets an event happen.
func (d *Disk) Do(e Event) {
	if e.Kind == Promised {
		return
	}
	f := d.files[e.Name]
	if f == nil {
		f = &file{}
		d.files[e.Name] = f
	}
	switch {
	case e.Kind == Create: // a file that was deleted under this name is forgotten
		*f = file{since: []Event{e}}
	case e.Kind == Delete && e.At != 0:
		*f = file{}
	case e.Kind == Sync:
		if slices.ContainsFunc(f.since, func(e Event) bool { return e.Kind == Create }) {
			d.syncNames() // the folder is made durable with the first sync of a new file
		}
		for _, was := range f.since {
			f.apply(was)
		}
		f.since = nil
	default:
		f.since = append(f.since, e)
	}
}

// syncNames makes durable which files there are.
func (d *Disk) syncNames() {
	for _, f := range d.files {
		f.since = slices.DeleteFunc(f.since, func(e Event) bool {
			names := e.Kind == Create || e.Kind == Delete
			if names {
				f.apply(e)
			}
			return names
		})
	}
}

// apply makes an event durable, whole.
func (f *file) apply(e Event) {
	switch e.Kind {
	case Create:
		f.there = true
	case Delete:
		f.there, f.content = false, nil
	case Truncate:
		f.resize(int(e.At))
	case Write:
		f.there = true
		f.resize(max(len(f.content), int(e.At)+len(e.Data)))
		copy(f.content[e.At:], e.Data)
	case Sync, Promised:
	}
}

func (f *file) resize(n int) {
	if n <= len(f.content) {
		f.content = f.content[:n:n]
		return
	}
	f.content = append(f.content, make([]byte, n-len(f.content))...)
}

// Cut makes in an empty folder what a power cut could leave now. The dice decide
// what happens to everything that is not durable.
func (d *Disk) Cut(dice *rand.Rand, folder string) error {
	mood := moods[dice.IntN(len(moods))]
	for name, f := range d.files {
		left := file{there: f.there, content: slices.Clone(f.content)}
		for _, e := range f.since {
			for _, part := range mood(dice, e) {
				left.apply(part)
			}
		}
		if !left.there {
			continue
		}
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, left.content, 0o600)); err != nil {
			return err
		}
	}
	return nil
}

// Clear empties a folder.
func Clear(folder string) error {
	list, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range list {
		if err := os.RemoveAll(filepath.Join(folder, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// moods are how a disk takes a power cut: what it keeps of an event.
var moods = []func(*rand.Rand, Event) []Event{
	func(*rand.Rand, Event) []Event { return nil },
	func(_ *rand.Rand, e Event) []Event { return []Event{e} },
	some,
	some,
	torn,
	torn,
}

// some keeps an event whole or not at all.
func some(dice *rand.Rand, e Event) []Event {
	if dice.IntN(2) == 0 {
		return nil
	}
	return []Event{e}
}

// torn keeps some sectors of what was written. One that was only half written
// has the rest as it was, which is what SQLite relies on.
func torn(dice *rand.Rand, e Event) []Event {
	if e.Kind != Write {
		return some(dice, e)
	}
	var kept []Event
	for from := 0; from < len(e.Data); {
		to := min(len(e.Data), from+sector-int(e.At+int64(from))%sector)
		if dice.IntN(4) > 0 {
			kept = append(kept, Event{Write, e.Name, e.At + int64(from), e.Data[from:to]})
		}
		from = to
	}
	return kept
}

//go:build linux

// Package powercut finds out what a power cut leaves of a database. It notes every
// change that SQLite makes to its files in one folder, and what was promised to
// somebody in between. Then, for any moment, it makes the folders that a power cut
// at that moment could leave: whatever was written and not yet made durable is
// there, is not, or is there in part.
//
// SQLite itself is that of the program under test. It need not know: while a
// [Recorder] is at work it stands between SQLite and the operating system for every
// database that is opened.
package powercut

// #cgo LDFLAGS: -Wl,--unresolved-symbols=ignore-in-object-files
// #include <stdlib.h>
// #include "record.h"
import "C"

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"unsafe"
)

// Recorder notes what happens to the databases of one folder.
type Recorder struct{ log *os.File }

// Record begins to note what happens below a folder. Only one recorder can be at
// work in a process, and databases that were opened before are not seen.
func Record(folder string) (*Recorder, error) {
	log, err := os.CreateTemp(filepath.Dir(folder), "powercut-")
	if err != nil {
		return nil, err
	}
	path := C.CString(folder + string(filepath.Separator))
	defer C.free(unsafe.Pointer(path))
	if rc := C.record_begin(path, C.int(log.Fd())); rc != 0 {
		return nil, errors.Join(fmt.Errorf("stand in for SQLite's file layer: error %d", rc), log.Close())
	}
	return &Recorder{log}, nil
}

// Promise notes that somebody was told something, and may rely on it from now on.
func (r *Recorder) Promise(text string) {
	b := []byte(text)
	C.record_mark(unsafe.Pointer(unsafe.SliceData(b)), C.int(len(b)))
}

// End stops and returns what was noted. Every database in the folder must be closed.
func (r *Recorder) End() (_ []Event, err error) {
	C.record_end()
	defer func() { err = errors.Join(err, r.log.Close(), os.Remove(r.log.Name())) }()
	if _, err := r.log.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return readLog(bufio.NewReader(r.log))
}

// Kind says what an event does.
type Kind byte

// The kinds of events.
const (
	Create   Kind = 'c'
	Write    Kind = 'w'
	Truncate Kind = 't'
	Sync     Kind = 's'
	Delete   Kind = 'd'
	Promised Kind = 'm'
)

// Event is one change of a file, or something that was promised.
type Event struct {
	Kind Kind
	Name string // of the file, in the folder
	At   int64  // Write: its place; Truncate: the new size; Delete: 1 when it is durable at once
	Data []byte // Write: the bytes; Promised: what
}

func readLog(r io.Reader) ([]Event, error) {
	var events []Event
	for {
		var head struct {
			Kind          Kind
			Named, Length int32
			At            int64
		}
		err := binary.Read(r, binary.NativeEndian, &head)
		if errors.Is(err, io.EOF) {
			return events, nil
		}
		if err != nil {
			return nil, err
		}
		rest := make([]byte, head.Named+head.Length)
		if _, err := io.ReadFull(r, rest); err != nil {
			return nil, err
		}
		events = append(events, Event{head.Kind, string(rest[:head.Named]), head.At, rest[head.Named:]})
	}
}

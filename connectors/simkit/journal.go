package simkit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// journal is the file of a book: one JSON record a line, synced before it
// counts. A last line that a crash cut short never counted and is dropped.
type journal struct {
	path string
	file *os.File
	lock *os.File

	size      int64 // of the whole lines
	compacted int64 // size after the last compaction
	broken    error // the file may end in half a line that could not be taken back
}

// openJournal reads the records of dir's journal in order and opens it for more.
// Only one process at a time can have it open.
func openJournal(dir string, apply func(record)) (*journal, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open book: %w", err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, "book.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open book: %w", err)
	}
	j := &journal{path: filepath.Join(dir, "book.log"), lock: lock}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("open book: %s is in use by another process: %w", dir, err)
	}
	if err := j.read(apply); err != nil {
		return nil, errors.Join(fmt.Errorf("open book %s: %w", j.path, err), j.close())
	}
	return j, nil
}

// read applies every whole line and cuts the file behind the last one.
func (j *journal) read(apply func(record)) error {
	file, err := os.OpenFile(j.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	j.file = file
	if err := syncDir(filepath.Dir(j.path)); err != nil {
		return err
	}
	raw, err := os.ReadFile(j.path)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(raw) {
		var r record
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if err := json.Unmarshal(line, &r); err != nil {
			if j.size+int64(len(line)) == int64(len(raw)) {
				break
			}
			return fmt.Errorf("the line at byte %d cannot be read: %w", j.size, err)
		}
		apply(r)
		j.size += int64(len(line))
		if j.compacted == 0 {
			j.compacted = j.size
		}
	}
	return file.Truncate(j.size)
}

// append makes one record durable.
func (j *journal) append(r record) error {
	if j.broken != nil {
		return fmt.Errorf("the book takes nothing more: %w", j.broken)
	}
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write book: %w", err)
	}
	line = append(line, '\n')
	_, err = j.file.WriteAt(line, j.size)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		// After a failed sync nobody knows what the disk has.
		j.broken = errors.Join(err, j.file.Truncate(j.size))
		return fmt.Errorf("write book: %w", err)
	}
	j.size += int64(len(line))
	return nil
}

// overgrown says that the file is worth compacting.
func (j *journal) overgrown() bool {
	return j.broken == nil && j.size > 1<<20 && j.size > 4*j.compacted
}

// compact replaces the file by one record. The old file counts until the rename
// and the new one from then on, so a crash at any point loses nothing.
func (j *journal) compact(whole record) error {
	line, err := json.Marshal(whole)
	if err != nil {
		return fmt.Errorf("compact book: %w", err)
	}
	fresh, err := os.OpenFile(j.path+".new", os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("compact book: %w", err)
	}
	line = append(line, '\n')
	_, err = fresh.Write(line)
	if err == nil {
		err = fresh.Sync()
	}
	if err == nil {
		err = os.Rename(j.path+".new", j.path)
	}
	if err != nil {
		return fmt.Errorf("compact book: %w", errors.Join(err, fresh.Close()))
	}
	old := j.file
	j.file, j.size, j.compacted = fresh, int64(len(line)), int64(len(line))
	_ = old.Close() // it has no name any more
	if err := syncDir(filepath.Dir(j.path)); err != nil {
		j.broken = err // the rename may not outlive a power cut, nor what follows it
		return fmt.Errorf("compact book: %w", err)
	}
	return nil
}

// close gives the files back.
func (j *journal) close() error {
	var err error
	if j.file != nil {
		err = j.file.Close()
	}
	return errors.Join(err, j.lock.Close())
}

// syncDir makes the names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// fingerprint is what the bytes of a file come to.
type fingerprint struct {
	bytes  int64
	sha256 string
}

func fingerprintOf(path string) (fingerprint, error) {
	f, err := os.Open(path)
	if err != nil {
		return fingerprint{}, err
	}
	defer f.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, f)
	return fingerprint{n, hex.EncodeToString(hash.Sum(nil))}, err
}

// write makes a new file that only its owner may read, filled by fill, durable.
func write(path string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(fill(f), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// Durable makes what was written to a file outlive a power cut, or the names in a
// folder.
func Durable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// move gives a finished file its name, for good.
func move(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return Durable(filepath.Dir(to))
}

package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"ostler.example/ledger"
)

// Unpacked is what a backup was found to be.
type Unpacked struct {
	Manifest Manifest
	Stated   bool // it has a manifest
}

// Unpack writes the ledger that a backup holds to a new file, decrypted with the key
// in the file identity, and checks that it is what its manifest says and that the
// database is whole. What follows from the journal is for the caller to verify.
func Unpack(ctx context.Context, file, identity, to string, report ledger.Progress) (u Unpacked, err error) {
	if u.Manifest, u.Stated, err = readManifest(file); err != nil {
		return u, err
	}
	f, err := os.Open(file)
	if err != nil {
		return u, err
	}
	defer f.Close()
	bytes := sizeOf(file)
	if err := room(filepath.Dir(to), bytes); err != nil {
		return u, err
	}
	read := &counter{of: bytes, report: report}
	hash := sha256.New()
	source := io.TeeReader(f, io.MultiWriter(hash, read))
	content, encrypted, err := open(source, identity)
	if err != nil {
		return u, err
	}
	err = write(to, func(w io.Writer) error {
		if _, err := io.Copy(w, content); err != nil {
			return err
		}
		_, err := io.Copy(io.Discard, source) // what is behind it belongs to the file too
		return err
	})
	if err != nil {
		return u, fmt.Errorf("read %s: %w", file, err)
	}
	if u.Stated {
		if is := hex.EncodeToString(hash.Sum(nil)); is != u.Manifest.SHA256 || read.n != u.Manifest.Bytes || encrypted != u.Manifest.Encrypted {
			return u, fmt.Errorf("%s is not the file that its manifest tells of: it has %d bytes instead of %d, or others; take another backup", file, read.n, u.Manifest.Bytes)
		}
	}
	report("checking the database", 0.5)
	return u, ledger.Sound(ctx, to)
}

// Matches refuses a ledger whose journal does not end where the manifest says.
func (u Unpacked) Matches(head ledger.Head) error {
	is := u.Manifest.Head
	if u.Stated && (head.Ledger != is.Ledger || head.Epoch != is.Epoch || head.Sequence != is.Sequence || head.Hash != is.Hash) {
		return errors.New("its journal does not end where its manifest says: the manifest belongs to another file")
	}
	return nil
}

// counter counts what is read.
type counter struct {
	n, of  int64
	report ledger.Progress
}

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	c.report("reading the backup", 0.5*float64(c.n)/float64(max(1, c.of)))
	return len(b), nil
}

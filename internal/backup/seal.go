package backup

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"filippo.io/age"
)

// seal writes a file encrypted to the recipients.
func seal(from, to string, recipients []string) error {
	keys, err := age.ParseRecipients(strings.NewReader(strings.Join(recipients, "\n")))
	if err != nil {
		return fmt.Errorf("backup.recipients: %w", err)
	}
	return write(to, func(w io.Writer) error {
		f, err := os.Open(from)
		if err != nil {
			return err
		}
		defer f.Close()
		out, err := age.Encrypt(w, keys...)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, f)
		return errors.Join(err, out.Close())
	})
}

// sealedBegins is how every encrypted file begins.
const sealedBegins = "age-encryption.org/"

// open returns what a backup holds, and whether it was encrypted. identity is the
// file with the key, "" for none.
func open(r io.Reader, identity string) (io.Reader, bool, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(len(sealedBegins))
	if err != nil || string(head) != sealedBegins {
		return b, false, nil // too short for anything: the checks that follow say so
	}
	if identity == "" {
		return nil, true, errors.New("the backup is encrypted: name the file with the key by --identity")
	}
	f, err := os.Open(identity)
	if err != nil {
		return nil, true, fmt.Errorf("read the key: %w", err)
	}
	defer f.Close()
	keys, err := age.ParseIdentities(f)
	if err != nil {
		return nil, true, fmt.Errorf("read the key in %s: %w", identity, err)
	}
	out, err := age.Decrypt(b, keys...)
	if err != nil {
		return nil, true, fmt.Errorf("decrypt with the key in %s: %w", identity, err)
	}
	return out, true, nil
}

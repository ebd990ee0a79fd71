package app

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ostler.example/internal/auth"
)

// sealFile holds the key that secrets in the ledger are sealed with. It lies beside
// the ledger and in no backup of it: whoever finds a backup finds no secret.
const sealFile = "seal.key"

// openSeal reads the key of a data folder, which is made on first use.
func openSeal(dir string) (*auth.Seal, error) {
	path := filepath.Join(dir, sealFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = newSealKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("key of the secrets in the ledger: %w", err)
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != len([32]byte{}) {
		return nil, fmt.Errorf("key of the secrets in the ledger: %s does not hold 64 hexadecimal digits; put the file back from where you keep it, or remove it and rotate the secrets of all webhooks", path)
	}
	return auth.NewSeal([32]byte(key)), nil
}

// newSealKey writes a fresh key, whole or not at all.
func newSealKey(path string) ([]byte, error) {
	var key [32]byte
	_, _ = rand.Read(key[:]) // never fails; the runtime ends the program first
	text := []byte(hex.EncodeToString(key[:]) + "\n")
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	return text, os.Rename(path+".new", path)
}

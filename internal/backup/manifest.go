package backup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"ostler.example/ledger"
)

// Manifest says what a backup is a copy of.
type Manifest struct {
	File      string      `json:"file"` // without its folder
	Bytes     int64       `json:"bytes"`
	SHA256    string      `json:"sha256"` // of the file as it lies there, in hex
	Encrypted bool        `json:"encrypted"`
	Version   string      `json:"version"` // of the program that wrote it
	TakenAt   time.Time   `json:"taken_at"`
	Head      ledger.Head `json:"journal"` // where the journal ended
}

// manifestOf is where the manifest of a backup lies.
func manifestOf(path string) string { return path + ".json" }

// readManifest reads the manifest of a backup; false when there is none.
func readManifest(path string) (m Manifest, there bool, err error) {
	text, err := os.ReadFile(manifestOf(path))
	if errors.Is(err, fs.ErrNotExist) {
		return m, false, nil
	}
	if err != nil {
		return m, false, fmt.Errorf("read the manifest of %s: %w", path, err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, true, fmt.Errorf("read the manifest of %s: %w", path, err)
	}
	return m, true, nil
}

func (m Manifest) text() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	return append(text, '\n'), err
}

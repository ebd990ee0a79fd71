package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ports remembers, in the data folder, where the listeners without an address of
// their own were, so that the next start finds them at the same place.
type ports struct {
	path string
	at   map[string]string // by name
}

func loadPorts(dir string) (*ports, error) {
	p := &ports{path: filepath.Join(dir, "ports.json"), at: map[string]string{}}
	raw, err := os.ReadFile(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read ports: %w", err)
	}
	if err := json.Unmarshal(raw, &p.at); err != nil {
		return nil, fmt.Errorf("read %s: %w; remove the file, and the demo takes new ports", p.path, err)
	}
	return p, nil
}

func (p *ports) save() error {
	raw, err := json.MarshalIndent(p.at, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(p.path, raw, 0o600)
}

// writeFile replaces a file by rename, so that nobody ever reads half of it.
func writeFile(path string, raw []byte, mode fs.FileMode) error {
	next := path + ".new"
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(append(raw, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(next, path)
}

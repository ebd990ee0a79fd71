package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/config"
	"ostler.example/ledger"
)

// ledgerPath is where a data folder keeps its ledger.
func ledgerPath(dir string) string { return filepath.Join(dir, "ledger", "production.db") }

// sandboxesPath is where a data folder keeps its sandboxes, each in a folder of its
// own. It lies beside the ledger's: a restore puts another in the place of that.
func sandboxesPath(dir string) string { return filepath.Join(dir, "sandbox") }

// sheetsFolder is where downtime sheets go.
func sheetsFolder(c config.Config) string {
	return cmp.Or(c.Notify.Sheets, filepath.Join(c.Data, "sheets"))
}

func noLedger(dir string) error {
	return fmt.Errorf("there is no ledger in %s: make one with ostler init", dir)
}

// exists reports whether there is a file.
func exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// buildLedger makes a new ledger beside its place, lets fill write to it and
// moves it there when it is whole, so that a kill in the middle leaves nothing
// half built.
func buildLedger(ctx context.Context, path string, clock hotel.Clock, log *zap.Logger, fill func(*ledger.Ledger) error) error {
	place := filepath.Dir(path)
	building := filepath.Join(filepath.Dir(place), "building")
	for _, dir := range []string{building, place} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(building, 0o750); err != nil {
		return err
	}
	l, err := ledger.Open(ctx, ledger.Options{Path: filepath.Join(building, filepath.Base(path)), Clock: clock, Log: log})
	if err != nil {
		return err
	}
	if err := errors.Join(fill(l), l.Close()); err != nil {
		return err
	}
	return os.Rename(building, place)
}

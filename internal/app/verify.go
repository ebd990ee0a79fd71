package app

import (
	"context"
	"errors"
	"fmt"

	"ostler.example/internal/config"
	"ostler.example/ledger"
)

// VerifyOptions says which ledger is to be verified.
type VerifyOptions struct {
	File   string // the configuration that names the data folder
	Copy   string // a ledger's file anywhere, instead of that in the data folder
	Report func(at string, share float64)
}

// Verified is what a verification has found, in words.
type Verified struct {
	Path        string
	Entries     int64 // of the journal
	Compared    int   // values of the tables
	Differences []string
	More        int // differences that are not told one by one
}

// Verify checks a ledger against its own journal. It claims the data folder, so
// that nobody writes meanwhile; a copy it reads as it lies.
func Verify(ctx context.Context, o VerifyOptions) (Verified, error) {
	if o.Copy != "" {
		return verify(ctx, o.Copy, o.Report)
	}
	c, err := config.Load(o.File)
	if err != nil {
		return Verified{}, err
	}
	lock, err := ledger.LockFolder(c.Data)
	if err != nil {
		return Verified{}, fmt.Errorf("%w; a copy that backup made can be verified while the daemon runs: ostler ledger verify --copy FILE", err)
	}
	out, err := verify(ctx, ledgerPath(c.Data), o.Report)
	return out, errors.Join(err, lock.Release())
}

func verify(ctx context.Context, path string, report func(string, float64)) (Verified, error) {
	if there, err := exists(path); err != nil || !there {
		return Verified{}, errors.Join(err, fmt.Errorf("there is no ledger at %s", path))
	}
	v, err := ledger.Verify(ctx, path, report)
	out := Verified{Path: path, Entries: v.Entries, Compared: v.Compared, More: v.More}
	for _, d := range v.Differences {
		out.Differences = append(out.Differences, d.String())
	}
	return out, err
}

package app

import (
	"context"
	"errors"
	"fmt"

	"ostler.example/internal/client"
	"ostler.example/internal/config"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

// VerifyOptions says which ledger is to be verified.
type VerifyOptions struct {
	File   string // the configuration that names the data folder
	Copy   string // a ledger's file anywhere, instead of that in the data folder
	Report func(at string, share float64)
}

// Verified is what a verification has found, in words.
type Verified struct {
	Path        string   `json:"path"`
	Entries     int64    `json:"entries"`  // of the journal
	Compared    int      `json:"compared"` // values of the tables, and nights of boards in memory
	Differences []string `json:"differences"`
	More        int      `json:"more"`     // differences that are not told one by one
	LeftOut     []string `json:"left_out"` // what could not be compared, and why
}

// Verify checks a ledger against its own journal. While a daemon works on the data
// folder, that one verifies what it has, with the boards in its memory; else the
// folder is claimed, so that nobody writes meanwhile. A copy is read as it lies.
func Verify(ctx context.Context, o VerifyOptions) (Verified, error) {
	c, err := config.Load(o.File)
	if o.Copy != "" {
		options := ledger.VerifyOptions{Report: o.Report}
		if err == nil { // else what channels are to show is left out, and said so
			options.Stage = chansync.Stage(c.Connectors, sealThere(c))
		}
		return verify(ctx, o.Copy, options)
	}
	if err != nil {
		return Verified{}, err
	}
	lock, err := claim(c.Data)
	if err != nil {
		var v Verified
		asked := askToWork(ctx, c.Data, verifyPath, o.Report, &v)
		if errors.Is(asked, client.ErrNoDaemon) {
			return v, err // whoever has claimed the folder is no daemon
		}
		return v, asked
	}
	out, err := verify(ctx, ledgerPath(c.Data), ledger.VerifyOptions{Report: o.Report, Stage: chansync.Stage(c.Connectors, sealThere(c))})
	return out, errors.Join(err, lock.Release())
}

func verify(ctx context.Context, path string, o ledger.VerifyOptions) (Verified, error) {
	if there, err := exists(path); err != nil || !there {
		return Verified{}, errors.Join(err, fmt.Errorf("there is no ledger at %s", path))
	}
	v, err := ledger.Verify(ctx, path, o)
	return verified(path, v), err
}

func verified(path string, v ledger.Verification) Verified {
	out := Verified{Path: path, Entries: v.Entries, Compared: v.Compared, More: v.More, LeftOut: v.LeftOut}
	for _, d := range v.Differences {
		out.Differences = append(out.Differences, d.String())
	}
	return out
}

package app

import (
	"context"
	"encoding/json"
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
			options.Stage = chansync.Stage(c.Connectors)
		}
		return verify(ctx, o.Copy, options)
	}
	if err != nil {
		return Verified{}, err
	}
	lock, err := ledger.LockFolder(c.Data)
	if err != nil {
		v, asked := askToVerify(ctx, c.Data, o.Report)
		if errors.Is(asked, client.ErrNoDaemon) {
			return v, err // whoever has claimed the folder is no daemon
		}
		return v, asked
	}
	out, err := verify(ctx, ledgerPath(c.Data), ledger.VerifyOptions{Report: o.Report, Stage: chansync.Stage(c.Connectors)})
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

// askToVerify has the daemon of a data folder verify its ledger.
func askToVerify(ctx context.Context, dir string, report func(string, float64)) (Verified, error) {
	daemon := client.New(dir)
	defer daemon.Close()
	var out Verified
	err := daemon.Follow(ctx, verifyPath, func(line []byte) error {
		var said verifyLine
		if err := json.Unmarshal(line, &said); err != nil {
			return fmt.Errorf("the daemon's answer cannot be read: %w", err)
		}
		switch {
		case said.Failed != "":
			return errors.New(said.Failed)
		case said.Found != nil:
			out = *said.Found
		default:
			report(said.At, said.Share)
		}
		return nil
	})
	if err == nil && out.Path == "" {
		err = errors.New("the daemon ended before it was done")
	}
	return out, err
}

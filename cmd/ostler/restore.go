package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strings"

	"go.uber.org/zap"

	"ostler.example/internal/app"
)

// restoreCommand is `ostler restore`.
type restoreCommand struct {
	configFile
	Backup   string `arg:"" placeholder:"FILE" help:"The backup; its manifest is looked for beside it."`
	Identity string `placeholder:"FILE" help:"The secret key of age that decrypts it."`
	Check    bool   `help:"Only look whether it could be restored; nothing is changed."`
}

// Run puts a backup in the ledger's place, and says what is to be done then.
func (c restoreCommand) Run(ctx context.Context) error {
	who, err := user.Current()
	if err != nil {
		return fmt.Errorf("who is it that restores: %w", err)
	}
	show := newProgress(os.Stdout)
	r, err := app.Restore(ctx, app.RestoreOptions{
		File: c.Config, Backup: c.Backup, Identity: c.Identity, Check: c.Check, Operator: who.Username, Log: zap.NewNop(), Report: show.report,
	})
	show.end()
	if err != nil {
		if r.Aside == "" {
			err = errors.Join(err, errors.New("the ledger was left as it is"))
		}
		return err
	}
	at := r.Head.At.Format("2006-01-02 15:04:05 UTC")
	if !r.Stated {
		fmt.Println("the backup has no manifest beside it: that it was not replaced nobody can say, but it is whole and verifies")
	}
	if c.Check {
		fmt.Printf("%s can be restored; its journal ends with entry %d at %s\n", c.Backup, r.Head.Sequence, at)
		return nil
	}
	fmt.Printf("restored; the journal ends with entry %d at %s, and what happened since is lost here\n", r.Head.Sequence, at)
	if r.Aside != "" {
		fmt.Println("  the ledger of before lies in " + r.Aside)
	}
	if r.Forgot > 0 {
		fmt.Printf("  %d people who had been forgotten since are forgotten again\n", r.Forgot)
	}
	if r.Stranger {
		fmt.Println("  warning: that was another ledger, not another state of this one")
	}
	if len(r.Sealed) > 0 {
		fmt.Println("  warning: the secrets of these were sealed with another key than this installation's, or are of a connector that it does not have, and cannot be used; put the seal.key of then behind the line of this one's, or type them again: " + strings.Join(r.Sealed, ", "))
	}
	if r.Unlooked != "" {
		fmt.Println("  whether its secrets were sealed with this installation's key is seen when the daemon starts; its log says so if not: " + r.Unlooked)
	}
	if len(r.Missing) > 0 {
		fmt.Println("  warning: these channels may be selling, of which this ledger knows nothing; close them there first: " + strings.Join(r.Missing, ", "))
	}
	fmt.Printf("Next:\n  1. start the daemon: systemctl start ostler\n  2. enter again what was sold directly, or changed by hand, since %s\n", at)
	if len(r.Channels) == 0 {
		return nil
	}
	fmt.Println("  3. wait until these channels are audited; they are closed meanwhile, and their bookings are fetched again: ostler channel list")
	fmt.Println("  4. put each on sale again by its plan:")
	for _, id := range r.Channels {
		fmt.Println("       ostler channel activate " + id)
	}
	return nil
}

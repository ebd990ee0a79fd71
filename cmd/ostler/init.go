package main

import (
	"context"
	"fmt"
	"os/user"
	"path/filepath"
	"syscall"

	"go.uber.org/zap"

	"ostler.example/internal/app"
)

// initCommand is `ostler init`.
type initCommand struct {
	configFile
	Data string `placeholder:"DIR" help:"The data folder, for a configuration that is not there yet (/var/lib/ostler)."`
}

// Run writes a configuration unless there is one, and makes the ledger with a
// first client.
func (c initCommand) Run(ctx context.Context) error {
	data := c.Data
	if data != "" {
		var err error
		if data, err = filepath.Abs(data); err != nil {
			return err
		}
	}
	syscall.Umask(othersNothing)
	log, err := newLog("stderr", zap.WarnLevel)
	if err != nil {
		return err
	}
	me, err := user.Current()
	if err != nil {
		return fmt.Errorf("who is asking: %w", err)
	}
	made, err := app.Init(ctx, app.InitOptions{File: c.Config, Data: data, Operator: me.Username, Log: log})
	if err != nil {
		return err
	}
	if made.Wrote {
		fmt.Printf("wrote %s: look through it, then run ostler check\n", c.Config)
	}
	fmt.Printf("made the ledger in %s, with a client that may do everything:\n", made.Data)
	fmt.Printf("  client_id      %s\n", made.ClientID)
	fmt.Printf("  client_secret  %s\n", made.Secret)
	fmt.Printf("The secret is shown this once. Keep both, then start the daemon:\n")
	fmt.Printf("  systemctl enable --now ostler, or ostler serve --config %s\n", c.Config)
	return nil
}

package main

import (
	"context"
	"fmt"
	"os"

	"ostler.example/internal/app"
)

// backupCommand is `ostler backup`.
type backupCommand struct {
	configFile
	To string `arg:"" optional:"" placeholder:"FOLDER|FILE" help:"Where to: a folder, in which old ones are removed as the configuration says, or a new file; without it as the configuration says."`
}

// Run copies the ledger beside whoever works on it, and says where the copy is.
func (c backupCommand) Run(ctx context.Context) error {
	show := newProgress(os.Stdout)
	taken, err := app.Backup(ctx, app.BackupOptions{File: c.Config, To: c.To, Report: show.report})
	show.end()
	if err != nil {
		return err
	}
	m := taken.Manifest
	fmt.Printf("%s\n", taken.Path)
	fmt.Printf("  %d bytes, the journal to entry %d", m.Bytes, m.Head.Sequence)
	if m.Encrypted {
		fmt.Print(", encrypted")
	}
	fmt.Println(", checked")
	for _, path := range taken.Removed {
		fmt.Println("  removed " + path)
	}
	if taken.Warning != "" {
		fmt.Println("  warning: " + taken.Warning)
	}
	return nil
}

package main

import (
	"context"
	"fmt"

	"go.uber.org/zap"

	"ostler.example/internal/app"
	"ostler.example/internal/config"
)

// secretsCommands are `ostler secrets ...`.
type secretsCommands struct {
	RotateKey secretsRotateKey `cmd:"" help:"Make a fresh key in the data folder and seal every secret of the ledger anew, with the daemon stopped."`
	NewKey    secretsNewKey    `cmd:"" help:"Print a fresh key, for a file or credential that ledger.seal_key names."`
}

type secretsRotateKey struct {
	configFile
}

// Run seals everything anew. What it finds that no key opens is told and left.
func (c secretsRotateKey) Run(ctx context.Context) error {
	settings, err := config.Load(c.Config)
	if err != nil {
		return err
	}
	log, err := newAdjustableLog("stderr", "console", zap.NewAtomicLevelAt(zap.InfoLevel))
	if err != nil {
		return err
	}
	if err := app.RotateSealKey(ctx, settings, log); err != nil {
		return err
	}
	fmt.Println("secrets are sealed with a fresh key; keep a copy of seal.key apart from backups. Backups of before need the key of then")
	return nil
}

type secretsNewKey struct{}

// Run prints a key.
func (secretsNewKey) Run() error {
	_, err := fmt.Println(app.NewSealKey())
	return err
}

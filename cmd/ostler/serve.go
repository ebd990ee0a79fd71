package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"ostler.example/internal/app"
	"ostler.example/internal/config"
)

// configFile is the flag of every command that reads the configuration.
type configFile struct {
	Config string `default:"/etc/ostler/ostler.toml" placeholder:"FILE" help:"The configuration (${default})."`
}

// othersNothing is the umask with which the ledger and what lies beside it are
// made: guests' names are nobody else's business on the machine.
const othersNothing = 0o027

// serveCommand is `ostler serve`.
type serveCommand struct {
	configFile
}

// Run runs the daemon until it is told to end. SIGHUP has it read its
// configuration again.
func (c serveCommand) Run(ctx context.Context) error {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP) // before anything else: unasked, it would end the program
	defer signal.Stop(hangups)

	syscall.Umask(othersNothing | syscall.Umask(othersNothing)) // a unit may be stricter
	settings, err := config.Load(c.Config)
	if err != nil {
		return err
	}
	level, err := zapcore.ParseLevel(settings.Log.Level)
	if err != nil {
		return err
	}
	adjustable := zap.NewAtomicLevelAt(level)
	log, err := newAdjustableLog("stderr", settings.Log.Format, adjustable)
	if err != nil {
		return err
	}
	defer log.Sync() //nolint:errcheck // nothing to be done about it at the end
	daemon, err := app.StartDaemon(ctx, app.DaemonOptions{
		Config: settings, Load: func() (config.Config, error) { return config.Load(c.Config) }, Level: adjustable, Log: log,
	})
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return nil // told to end before it served; what had started is stopped
	}
	if err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return daemon.Stop()
		case <-hangups:
			daemon.Reload()
		}
	}
}

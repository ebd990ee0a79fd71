package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"go.uber.org/zap"
	"golang.org/x/term"

	"ostler.example/internal/app"
)

// demoCommand is `ostler demo`.
type demoCommand struct {
	Listen string  `default:"127.0.0.1:8080" help:"Where /v1 listens, HOST:PORT; port 0 takes any free one."`
	Data   string  `default:".demo" help:"Data folder; the first start makes it, later ones pick up where the last left off."`
	Speed  float64 `default:"1" help:"How busy the pretend guests are: 1 is about a booking every two seconds, 0 makes them stand still."`
}

// Run runs the demo until it is interrupted.
func (c demoCommand) Run(ctx context.Context) (err error) {
	if c.Speed < 0 || c.Speed > 100 {
		return fmt.Errorf("--speed %v: expected between 0 and 100", c.Speed)
	}
	syscall.Umask(othersNothing)
	if err := os.MkdirAll(c.Data, 0o750); err != nil {
		return err
	}
	log, err := newLog(filepath.Join(c.Data, "ostler.log"), zap.InfoLevel)
	if err != nil {
		return err
	}
	defer log.Sync() //nolint:errcheck // nothing to be done about it at the end

	var show view = newLines(os.Stdout)
	if term.IsTerminal(int(os.Stdout.Fd())) {
		show = newScreen(os.Stdout, func() (int, int, error) { return term.GetSize(int(os.Stdout.Fd())) })
	}
	demo, err := app.StartDemo(ctx, app.DemoOptions{
		Listen: c.Listen, Dir: c.Data, Speed: c.Speed, Log: log, Watch: show.happened,
		Progress: func(s string) { fmt.Fprintln(os.Stderr, s) },
	})
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return nil // interrupted before it served; what had started is stopped
	}
	if err != nil {
		return err
	}
	show.open(banner{Console: demo.ConsoleURL, URL: demo.BaseURL, File: demo.File, Log: filepath.Join(c.Data, "ostler.log"), Speed: c.Speed})
	watch(ctx, demo, show)
	show.close()
	fmt.Fprintln(os.Stderr, "stopping: calls under way are let end")
	return demo.Stop()
}

// banner is what the view says once, or on top.
type banner struct {
	Console, URL, File, Log string
	Speed                   float64
}

func (b banner) write(w io.Writer) {
	fmt.Fprintf(w, "Ostler demo: one sample hotel, six pretend channels that sell its rooms:\nthree of the mock, a Channex, an AlpineBits portal and a site with calendars.\n")
	fmt.Fprintf(w, "  console      %s\n", b.Console)
	fmt.Fprintf(w, "  API          %s\n", b.URL)
	fmt.Fprintf(w, "  credentials  %s\n", b.File)
	fmt.Fprintf(w, "  log          %s\n", b.Log)
	if b.Speed == 0 {
		fmt.Fprintf(w, "  the pretend guests stand still (--speed 0); play the guest with POST SIMULATOR_URL/_sim/book\n")
	}
}

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"ostler.example/hotel"
	"ostler.example/internal/app"
)

// ledgerCommand is `ostler ledger`.
type ledgerCommand struct {
	Verify verifyCommand `cmd:"" help:"Check the ledger against its own journal."`
}

// verifyCommand is `ostler ledger verify`.
type verifyCommand struct {
	configFile
	Copy string `placeholder:"FILE" help:"Check this file, a copy of a ledger, instead of the one in the data folder."`
}

// Run tells the first places where the ledger is not what follows from its journal,
// and fails when there are any. A daemon that works on the data folder verifies
// itself, with what it has in memory.
func (c verifyCommand) Run(ctx context.Context) error {
	show := newProgress(os.Stdout)
	v, err := app.Verify(ctx, app.VerifyOptions{File: c.Config, Copy: c.Copy, Report: show.report})
	show.end()
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d entries, %d values compared\n", v.Path, v.Entries, v.Compared)
	for _, d := range v.Differences {
		fmt.Println("  " + d)
	}
	if v.More > 0 {
		fmt.Printf("  and %d more\n", v.More)
	}
	for _, what := range v.LeftOut {
		fmt.Println("  not compared: " + what)
	}
	if n := len(v.Differences) + v.More; n > 0 {
		return fmt.Errorf("the ledger is not what its journal says: differences: %d. Keep this file, and restore the newest backup that verifies", n)
	}
	fmt.Println("the ledger is what its journal says")
	return nil
}

// progress tells how far long work is: a bar that is drawn over itself on a
// terminal, a line now and then elsewhere.
type progress struct {
	out      io.Writer
	terminal bool
	said     time.Time
	drawn    int // characters on the terminal's line
}

func newProgress(out *os.File) *progress {
	return &progress{out: out, terminal: term.IsTerminal(int(out.Fd())), said: hotel.SystemClock{}.Now()}
}

// How often each kind of progress is told.
const (
	drawEvery = 100 * time.Millisecond
	lineEvery = 5 * time.Second
)

func (p *progress) report(at string, share float64) {
	now := hotel.SystemClock{}.Now()
	if !p.terminal {
		if now.Sub(p.said) >= lineEvery {
			p.said = now
			fmt.Fprintf(p.out, "%3.0f %%  %s\n", 100*share, at)
		}
		return
	}
	if now.Sub(p.said) < drawEvery {
		return
	}
	p.said = now
	const width = 30
	full := min(width, int(share*width))
	p.draw(fmt.Sprintf("[%s%s] %3.0f %%  %s", strings.Repeat("#", full), strings.Repeat(".", width-full), 100*share, at))
}

func (p *progress) draw(line string) {
	fmt.Fprintf(p.out, "\r%-*s", p.drawn, line)
	p.drawn = len(line)
}

// end clears the bar away.
func (p *progress) end() {
	if p.terminal && p.drawn > 0 {
		p.draw("")
		fmt.Fprint(p.out, "\r")
	}
}

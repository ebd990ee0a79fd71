package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
)

type channelSync struct {
	oneChannel
	Kind   string `enum:"ari_full,ari_delta,reservations,read_back" default:"ari_delta" help:"Everything again (ari_full), what is still to be told (ari_delta), its bookings (reservations), or what it shows (read_back)."`
	From   string `placeholder:"DATE" help:"Of the nights from this one on alone; bookings are then listed by date."`
	To     string `placeholder:"DATE" help:"To this one, inclusive."`
	NoWait bool   `help:"Do not wait for the end."`
}

// Run brings the channel up to date and tells how that went.
func (c channelSync) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	order := map[string]any{"kind": c.Kind}
	if c.From != "" {
		order["date_from"] = c.From
	}
	if c.To != "" {
		order["date_to"] = c.To
	}
	run, err := d.post(ctx, "/channels/"+c.ID+"/sync", order)
	if err != nil {
		return err
	}
	return d.tellRun(ctx, run, c.NoWait)
}

// tellRun waits for the end of a run, unless nobody does, and tells how it went.
func (d *daemon) tellRun(ctx context.Context, run object, noWait bool) error {
	show := newProgress(os.Stderr)
	for (run.text("status") == "queued" || run.text("status") == "running") && !noWait {
		show.report("under way", 0)
		if err := wait(ctx, lookEvery); err != nil {
			return err
		}
		id := run.text("id")
		run = nil
		if err := d.Get(ctx, "/sync-runs/"+id, &run); err != nil {
			return err
		}
	}
	show.end()
	err := d.print(run, func(w *tabwriter.Writer) {
		if what := map[string]string{"reservations": "its bookings are fetched", "read_back": "what it shows is read"}[run.text("kind")]; what != "" {
			fmt.Fprintf(w, "run %s is %s: %s\n", run.text("id"), run.text("status"), what)
			return
		}
		cells := run.in("cells")
		fmt.Fprintf(w, "run %s is %s: %d calls, %d cells acknowledged, %d unknown, %d refused\n",
			run.text("id"), run.text("status"), run.number("calls"), cells.number("acknowledged"), cells.number("unknown"), cells.number("rejected"))
	})
	if err == nil && run.text("status") == "failed" {
		return fmt.Errorf("it failed: %s", run.text("last_error"))
	}
	return err
}

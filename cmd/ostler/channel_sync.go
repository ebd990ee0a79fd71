package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
)

type channelSync struct {
	oneChannel
	Kind   string `enum:"ari_full,ari_delta,reservations" default:"ari_delta" help:"Everything again (ari_full), what is still to be told (ari_delta), or its bookings (reservations)."`
	NoWait bool   `help:"Do not wait for the end."`
}

// Run brings the channel up to date and tells how that went.
func (c channelSync) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	run, err := d.post(ctx, "/channels/"+c.ID+"/sync", map[string]any{"kind": c.Kind})
	if err != nil {
		return err
	}
	show := newProgress(os.Stderr)
	for run.text("status") == "running" && !c.NoWait {
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
	err = d.print(run, func(w *tabwriter.Writer) {
		if c.Kind == "reservations" {
			fmt.Fprintf(w, "run %s is %s: its bookings are fetched\n", run.text("id"), run.text("status"))
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

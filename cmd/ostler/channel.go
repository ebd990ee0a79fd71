package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"text/tabwriter"
	"time"
)

// channelCommands are `ostler channel ...`.
type channelCommands struct {
	Add        channelAdd        `cmd:"" help:"Make a channel, and ask its far side what it offers."`
	List       channelList       `cmd:"" help:"List the channels and how far each is."`
	Show       channelShow       `cmd:"" help:"Show one channel."`
	Test       channelTest       `cmd:"" help:"Ask a channel's far side whether it is there and what it offers, beside what of ours that may be."`
	Map        channelMap        `cmd:"" help:"Show or say what a channel sells under which codes."`
	Plan       channelPlan       `cmd:"" help:"Show the calls that a channel would be told by."`
	Activate   channelActivate   `cmd:"" help:"Set a channel live."`
	Pause      channelPause      `cmd:"" help:"Close a channel and keep it closed."`
	Disconnect channelDisconnect `cmd:"" help:"End a channel."`
	Sync       channelSync       `cmd:"" help:"Bring a channel up to date."`
}

// oneChannel is the channel that a command is about.
type oneChannel struct {
	toDaemon
	ID string `arg:"" help:"The channel's id; ostler channel list shows it."`
}

type channelList struct {
	toDaemon
	Property string `placeholder:"ID" help:"Of this property alone."`
}

// Run lists the channels.
func (c channelList) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	path := "/channels"
	if c.Property != "" {
		path += "?property_id=" + c.Property
	}
	all, err := d.all(ctx, path)
	if err != nil {
		return err
	}
	return d.print(all, func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "ID\tNAME\tCONNECTOR\tSTATUS\tTO TELL\tREFUSED\tLAST TOLD\tTROUBLE")
		for _, ch := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\n", ch.text("id"), ch.text("name"), ch.text("connector"), ch.text("status"),
				ch.number("lag_cells"), ch.number("rejected_cells"), dash(ch.text("last_push_ok_at")), dash(ch.in("last_error").text("detail")))
		}
	})
}

type channelShow struct{ oneChannel }

// Run shows one channel.
func (c channelShow) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	var ch object
	if err := d.Get(ctx, "/channels/"+c.ID, &ch); err != nil {
		return err
	}
	return d.print(ch, func(w *tabwriter.Writer) { showChannel(w, ch) })
}

// showChannel writes a channel for people.
func showChannel(w *tabwriter.Writer, ch object) {
	fmt.Fprintf(w, "channel\t%s\n", ch.text("id"))
	for _, member := range []string{"name", "property_id", "connector", "status"} {
		fmt.Fprintf(w, "%s\t%s\n", member, ch.text(member))
	}
	if ch.text("mode") == "shadow" {
		fmt.Fprintln(w, "mode\tshadow: nothing is sent")
	}
	fmt.Fprintf(w, "circuit\t%s\n", circuitText(ch))
	if of := ch.in("cells"); of != nil {
		fmt.Fprintf(w, "cells\t%d in sync, %d pending, %d in flight, %d unknown, %d drifted, %d held, %d rejected\n",
			of.number("in_sync"), of.number("pending"), of.number("in_flight"), of.number("unknown"), of.number("drifted"), of.number("held"), of.number("rejected"))
	}
	fmt.Fprintf(w, "to tell\t%d cells, %d in doubt, %d refused\n", ch.number("lag_cells"), ch.number("unknown_cells"), ch.number("rejected_cells"))
	for _, k := range ch.list("kept_at_channel") {
		fmt.Fprintf(w, "set it there\t%s: %d nights from %s to %s, which the channel cannot be told\n", k.text("field"), k.number("nights"), k.text("date_from"), k.text("date_to"))
	}
	if a := ch.in("audit"); a != nil {
		fmt.Fprintf(w, "since the restore\t%s\n", auditText(a))
	}
	fmt.Fprintf(w, "last told\t%s\n", dash(ch.text("last_push_ok_at")))
	fmt.Fprintf(w, "last fetched\t%s\n", dash(ch.text("last_pull_ok_at")))
	for _, p := range ch.list("published") {
		fmt.Fprintf(w, "read by the site\t%s: %s\n", p.text("name"), cmp.Or(p.text("read_at"), "never"))
	}
	if n := ch.number("rooms_at_risk"); n > 0 {
		fmt.Fprintf(w, "rooms at risk\t%d\n", n)
	}
	if e := ch.in("last_error"); e != nil {
		fmt.Fprintf(w, "trouble\t%s\n", e.text("detail"))
	}
	for _, f := range ch.list("flags") {
		fmt.Fprintf(w, "breaks the rules\t%s, %s, %d times: %s\n", f.text("part"), f.text("fault"), f.number("times"), f.text("detail"))
	}
	settings := ch.in("settings")
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(w, "setting %s\t%v\n", key, settings[key])
	}
}

// auditText tells how far a channel is since a backup was restored.
func auditText(a object) string {
	stage := a.text("stage")
	return map[string]string{
		"closing": "it is being closed", "closing_again": "it is being closed once more", "listing": "its bookings are listed",
		"reading": "what it shows is read", "audited": "all it can tell is known; activate it when direct bookings are entered again",
	}[stage] + ", since " + a.text("since")
}

// circuitText tells how a channel's way out stands.
func circuitText(ch object) string {
	text := dash(ch.text("circuit"))
	if cause := ch.text("circuit_cause"); cause != "" {
		text += ": " + map[string]string{"failing": "its calls fail", "denied": "our credentials are not taken"}[cause] + ", since " + ch.text("circuit_since")
		if at := ch.text("retry_at"); at != "" {
			text += "; tried again at " + at
		}
	}
	if until := ch.text("held_until"); until != "" {
		text += "; the far side asked for a pause until " + until
	}
	return text
}

type channelPause struct {
	oneChannel
	Freeze bool `help:"Leave what it shows as it is, and tell it nothing."`
}

// Run pauses the channel.
func (c channelPause) Run(ctx context.Context) error {
	mode := "close_then_pause"
	if c.Freeze {
		mode = "freeze"
	}
	return c.turn(ctx, "/pause", map[string]any{"mode": mode})
}

type channelDisconnect struct {
	oneChannel
	Force bool `help:"Also when it may still show rooms."`
}

// Run ends the channel.
func (c channelDisconnect) Run(ctx context.Context) error {
	return c.turn(ctx, "/disconnect", map[string]any{"force": c.Force})
}

// turn changes where the channel stands in its life, and shows it.
func (c oneChannel) turn(ctx context.Context, step string, body any) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	var ch object
	if err := d.Do(ctx, http.MethodPost, "/channels/"+c.ID+step, body, &ch); err != nil {
		return err
	}
	if ch.text("status") == "paused" && ch["frozen"] != true {
		if ch, err = d.awaitClosed(ctx, ch); err != nil {
			return err
		}
	}
	return d.print(ch, func(w *tabwriter.Writer) {
		fmt.Fprintf(w, "channel %s is %s\n", c.ID, ch.text("status"))
		if n := ch.number("rooms_at_risk"); n > 0 {
			fmt.Fprintf(w, "it may still sell %d room nights: ostler channel show %s\n", n, c.ID)
		}
	})
}

// closingPatience is how long a pause waits for the channel to take its closing.
const closingPatience = 10 * time.Second

// awaitClosed waits until a paused channel has taken its closing, or for as long
// as that may last.
func (d *daemon) awaitClosed(ctx context.Context, ch object) (object, error) {
	patience, cancel := context.WithTimeout(ctx, closingPatience)
	defer cancel()
	path := "/channels/" + ch.text("id")
	for ch.number("rooms_at_risk") > 0 && wait(patience, lookEvery) == nil {
		ch = nil
		if err := d.Get(ctx, path, &ch); err != nil {
			return nil, err
		}
	}
	return ch, ctx.Err()
}

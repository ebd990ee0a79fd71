package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"text/tabwriter"
)

// conflictCommands are `ostler conflicts ...`.
type conflictCommands struct {
	List   conflictList   `cmd:"" default:"withargs" help:"List what waits for a decision."`
	Show   conflictShow   `cmd:"" help:"Show what was seen, and what can be done about it."`
	Decide conflictDecide `cmd:"" help:"Take one of the options."`
}

type conflictList struct {
	toDaemon
	Property string `placeholder:"ID" help:"Only those of this property."`
	Channel  string `placeholder:"ID" help:"Only those of this channel."`
	Kind     string `placeholder:"NAME" help:"Only those of this kind, such as oversell."`
	Decided  bool   `help:"Those that are decided, in place of those that wait."`
}

// Run lists conflicts, what is most urgent first.
func (c conflictList) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	query := url.Values{"status": {"open"}}
	if c.Decided {
		query.Set("status", "resolved")
	}
	for name, value := range map[string]string{"property_id": c.Property, "channel_id": c.Channel, "kind": c.Kind} {
		if value != "" {
			query.Set(name, value)
		}
	}
	all, err := d.all(ctx, "/conflicts?"+query.Encode())
	if err != nil {
		return err
	}
	urgency := func(one object) int {
		return slices.Index([]string{"critical", "warning", "info"}, one.text("severity"))
	}
	slices.SortStableFunc(all, func(a, b object) int { return urgency(a) - urgency(b) })
	return d.print(all, func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "ID\tSEVERITY\tKIND\tPROPERTY\tABOUT\tDEADLINE\tOPTIONS")
		for _, one := range all {
			var options []string
			for _, o := range one.list("options") {
				options = append(options, o.text("option"))
			}
			about := one.in("subject")
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", one.text("id"), one.text("severity"), one.text("kind"), one.text("property_id"),
				dash(strings.TrimSpace(about.text("type")+" "+about.text("id")+" "+about.text("date"))), dash(one.text("deadline")), strings.Join(options, ", "))
		}
	})
}

// oneConflict is the conflict that a command is about.
type oneConflict struct {
	toDaemon
	ID string `arg:"" help:"The conflict's id; ostler conflicts lists them."`
}

type conflictShow struct{ oneConflict }

// Run shows a conflict.
func (c conflictShow) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	var one object
	if err := d.Get(ctx, "/conflicts/"+url.PathEscape(c.ID), &one); err != nil {
		return err
	}
	return d.print(one, func(w *tabwriter.Writer) { showConflict(w, one) })
}

func showConflict(w *tabwriter.Writer, one object) {
	for _, member := range []string{"id", "kind", "status", "severity", "property_id", "channel_id", "created_at", "deadline", "on_deadline", "decided_by", "decided_at"} {
		fmt.Fprintf(w, "%s\t%s\n", member, dash(one.text(member)))
	}
	if done := one.in("resolution"); done != nil {
		fmt.Fprintf(w, "decided\t%s\n", strings.TrimSpace(done.text("option")+" "+done.text("note")))
	}
	facts := one.in("facts")
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		text, _ := json.Marshal(facts[name]) // it was JSON a moment ago
		fmt.Fprintf(w, "fact\t%s: %s\n", name, text)
	}
	for _, o := range one.list("options") {
		fmt.Fprintf(w, "option\t%s: %s\n", o.text("option"), o.text("effect"))
		for _, argument := range slices.Sorted(maps.Keys(o.in("arguments").in("properties"))) {
			fmt.Fprintf(w, "\t  --set %s=...\n", argument)
		}
	}
}

type conflictDecide struct {
	oneConflict
	Option string            `arg:"" help:"One of the options that ostler conflicts show names."`
	Set    map[string]string `placeholder:"KEY=VALUE" mapsep:"none" help:"An argument of the option; may be repeated. A value that begins with { or [ is JSON."`
	Note   string            `placeholder:"TEXT" help:"Why, for whoever reads it later."`
}

// Run takes an option and says what is decided.
func (c conflictDecide) Run(ctx context.Context) error {
	d, err := c.reach()
	if err != nil {
		return err
	}
	defer d.Close()
	path := "/conflicts/" + url.PathEscape(c.ID)
	var one object
	if err := d.Get(ctx, path, &one); err != nil {
		return err
	}
	body := map[string]any{"option": c.Option}
	if c.Note != "" {
		body["note"] = c.Note
	}
	for _, o := range one.list("options") {
		if o.text("option") != c.Option || len(c.Set) == 0 {
			continue
		}
		arguments, schema := map[string]any{}, o.in("arguments").in("properties")
		for _, name := range slices.Sorted(maps.Keys(c.Set)) {
			if err := put(arguments, schema, strings.Split(name, "."), c.Set[name]); err != nil {
				return fmt.Errorf("--set %s: %w", name, err)
			}
		}
		body["arguments"] = arguments
	}
	if err := d.Do(ctx, http.MethodPost, path+"/resolve", body, &one); err != nil {
		return err
	}
	return d.print(one, func(w *tabwriter.Writer) {
		fmt.Fprintf(w, "conflict\t%s\nstatus\t%s\ndecided\t%s\n", one.text("id"), one.text("status"), one.in("resolution").text("option"))
	})
}
